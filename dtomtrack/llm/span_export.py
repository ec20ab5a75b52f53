"""Spans for OpenTelemetry: sent to a collector over OTLP/HTTP by this process, also those of its workers.

A slot or item is a trace of its own, and its calls are in it. A run may have a million of them, which no tool shows as
one trace: runs have traces of their own, to which those of their pieces are linked.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dtomtrack.errors import InputError
from dtomtrack.llm.spans import SPANS, Span
from dtomtrack.llm.spec import is_plain_address
from dtomtrack.llm.tracing import SpanIds
from dtomtrack.version import VERSION

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor
    from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
    from opentelemetry.trace import SpanContext

__all__ = ["sending_spans", "telling_spans"]

_PATH = "/v1/traces"
_ADDRESSES = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_WORDS = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
_WITH_WORDS = frozenset({"true", "span_only", "span_and_event"})
_HEX = 16


@contextmanager
def sending_spans(url: str | None, complain: Callable[[str], None] = lambda _: None) -> Iterator[None]:
    """Send spans of runs, their pieces and calls to a collector meanwhile.

    How, is up to OpenTelemetry's own variables: ``OTEL_EXPORTER_OTLP_HEADERS``, ``OTEL_SERVICE_NAME``,
    ``OTEL_TRACES_SAMPLER`` and so on; prompts and replies go along only if
    ``OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT`` says so.

    Args:
        url: of the collector; if None, what the variables say, where the extra is installed; if they don't, nothing is
            sent.
        complain: called with a sentence if spans can't be sent; nothing else comes of it.

    Raises:
        InputError: that is no address, or the extra is not installed.
    """
    address = None if url is None else _address(url)
    if url is None and not _asked_by_variables():
        yield
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        if url is not None:
            raise InputError("--trace needs an extra: pip install 'dtomtrack[telemetry]'") from None
        # the variables may be there for others
        yield
        return
    with _notes() as notes:
        exporter = _once_told(OTLPSpanExporter(endpoint=address), address or _variable(_ADDRESSES), notes, complain)
        with telling_spans(BatchSpanProcessor(exporter)):
            yield
        if notes.dropped:
            complain(f"{notes.dropped} times spans were dropped; OTEL_BSP_MAX_QUEUE_SIZE makes room for more")


@contextmanager
def telling_spans(processor: SpanProcessor) -> Iterator[None]:
    """Give spans to a processor of OpenTelemetry's, which is shut down at the end.

    Calls have what was said only if the variable for it says so.
    """
    logger = logging.getLogger(SPANS)
    before, handler = logger.level, _Teller(processor)
    said = os.environ.get(_WORDS, "").strip().lower() in _WITH_WORDS
    logger.setLevel(logging.DEBUG if said else logging.INFO)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)
        processor.shutdown()


def _address(url: str) -> str:
    """The address to which traces go: that of a collector, with the path of the protocol if it has none."""
    if not is_plain_address(url):
        raise InputError(
            "--trace has to be the address of an OpenTelemetry collector, such as http://localhost:4318, without a "
            "user or password or query in it; keys go into OTEL_EXPORTER_OTLP_HEADERS"
        )
    return url if url.endswith(_PATH) else url.rstrip("/") + _PATH


def _variable(names: Sequence[str]) -> str:
    return next((value for name in names if (value := os.environ.get(name, "").strip())), "")


def _asked_by_variables() -> bool:
    """Whether the environment says where spans go, and not that there are to be none."""
    off = os.environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true"
    exporters = {one.strip() for one in os.environ.get("OTEL_TRACES_EXPORTER", "").split(",")} - {""}
    return bool(_variable(_ADDRESSES)) and not off and (not exporters or "otlp" in exporters)


class _Teller(logging.Handler):
    """Makes OpenTelemetry's spans of ours."""

    def __init__(self, processor: SpanProcessor) -> None:
        from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.util.instrumentation import InstrumentationScope

        super().__init__()
        self._processor = processor
        named = os.environ.get("OTEL_SERVICE_NAME") or SERVICE_NAME in os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "")
        own = {SERVICE_VERSION: VERSION} if named else {SERVICE_VERSION: VERSION, SERVICE_NAME: "dtomtrack"}
        self._resource = Resource.create(own)
        # what it makes of the variables, which is the same for all spans of a trace
        self._sampler = TracerProvider(resource=self._resource, shutdown_on_exit=False).sampler
        self._scope = InstrumentationScope("dtomtrack", VERSION)

    def emit(self, record: logging.LogRecord) -> None:
        """Take up a span."""
        span = getattr(record, "span", None)
        if isinstance(span, Span) and self._is_sampled(span):
            self._processor.on_end(self._made(span))

    def _is_sampled(self, span: Span) -> bool:
        from opentelemetry.sdk.trace.sampling import Decision

        sampled = self._sampler.should_sample(None, int(span.ids.trace, _HEX), span.name)
        return sampled.decision is not Decision.DROP

    def _made(self, span: Span) -> ReadableSpan:
        from opentelemetry.sdk.trace import ReadableSpan
        from opentelemetry.trace import Link, SpanKind, Status, StatusCode

        is_run = span.ids == span.run.ids
        return ReadableSpan(
            span.name,
            _context(span.ids),
            None if span.parent is None else _context(SpanIds(span.ids.trace, span.parent)),
            self._resource,
            {"dtomtrack.run.id": span.run.id, **span.attributes},
            links=() if is_run or span.parent else (Link(_context(span.run.ids)),),
            kind=SpanKind.CLIENT if span.asks else SpanKind.INTERNAL,
            status=Status(StatusCode.UNSET if span.error is None else StatusCode.ERROR, span.error),
            start_time=span.start,
            end_time=span.end,
            instrumentation_scope=self._scope,
        )


def _context(ids: SpanIds) -> SpanContext:
    from opentelemetry.trace import SpanContext, TraceFlags

    return SpanContext(int(ids.trace, _HEX), int(ids.span, _HEX), is_remote=False, trace_flags=TraceFlags(1))


class _Notes(logging.Handler):
    """What OpenTelemetry says of itself.

    Attributes:
        last: said.
        dropped: how often spans were.
    """

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.last = "no reason is given"
        self.dropped = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Take note."""
        self.last = record.getMessage().strip().rstrip(".")
        self.dropped += "dropping" in self.last.lower()


@contextmanager
def _notes() -> Iterator[_Notes]:
    """What OpenTelemetry says of itself meanwhile is noted, and nowhere printed."""
    logger, notes = logging.getLogger("opentelemetry"), _Notes()
    before = logger.propagate
    logger.propagate = False
    logger.addHandler(notes)
    try:
        yield notes
    finally:
        logger.removeHandler(notes)
        logger.propagate = before


def _once_told(inner: SpanExporter, address: str, notes: _Notes, complain: Callable[[str], None]) -> SpanExporter:
    """An exporter that is given up when it fails, after all the tries that it makes by itself."""
    from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

    class OnceTold(SpanExporter):
        """Tells once that spans can't be sent."""

        _failed = False

        def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
            if self._failed:
                return SpanExportResult.FAILURE
            result = inner.export(spans)
            if result is not SpanExportResult.SUCCESS:
                self._failed = True
                complain(f"{address}: spans can't be sent ({notes.last}); the run goes on without them")
            return result

        def shutdown(self) -> None:
            inner.shutdown()

    return OnceTold()
