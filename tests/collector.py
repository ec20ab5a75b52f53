"""An OpenTelemetry collector on loopback, which keeps the spans that it is sent over OTLP/HTTP."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue

__all__ = ["Collected", "Collector"]

Value = str | int | float | bool | tuple[object, ...] | None


@dataclass(frozen=True)
class Collected:
    """A span as it came in.

    Attributes:
        links: the traces that it is linked to.
    """

    name: str
    trace: str
    span: str
    parent: str
    kind: int
    failed: bool
    seconds: float
    links: tuple[str, ...]
    attributes: Mapping[str, Value]


class Collector:
    """Use it as a context manager; ``url`` is where spans may be sent to.

    Attributes:
        spans: in the order in which they came.
        resource: of the last ones.
        paths: that were asked for.
    """

    def __init__(self, status: int = 200) -> None:
        self.spans: list[Collected] = []
        self.resource: Mapping[str, Value] = {}
        self.paths: list[str] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            """Takes spans."""

            def do_POST(self) -> None:
                """Keep what is sent."""
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.paths.append(self.path)
                if status == 200:
                    outer._keep(ExportTraceServiceRequest.FromString(body))
                self.send_response(status)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def named(self, name: str) -> list[Collected]:
        """The spans of this name."""
        return [span for span in self.spans if span.name == name]

    def _keep(self, request: ExportTraceServiceRequest) -> None:
        for resource in request.resource_spans:
            self.resource = {one.key: _value(one.value) for one in resource.resource.attributes}
            for scope in resource.scope_spans:
                self.spans += [
                    Collected(
                        span.name,
                        span.trace_id.hex(),
                        span.span_id.hex(),
                        span.parent_span_id.hex(),
                        span.kind,
                        span.status.code == 2,
                        (span.end_time_unix_nano - span.start_time_unix_nano) / 1e9,
                        tuple(link.trace_id.hex() for link in span.links),
                        {one.key: _value(one.value) for one in span.attributes},
                    )
                    for span in scope.spans
                ]


def _value(value: AnyValue) -> Value:
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return tuple(_value(one) for one in value.array_value.values)
    found: Value = None if kind is None else getattr(value, kind)
    return found
