"""Forty forms of replies, as dtomtrack reads them and as the published script does; and both readings side by side."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import yaml
from examinee import MODEL, answers_in
from loopback import Answer as Reply
from loopback import Loopback, Request, completion
from persuasion_files import persuasion_files, write_files

from dtomtrack.errors import DatasetError, InputError
from dtomtrack.items.item import Item
from dtomtrack.items.presented import PresentedItem
from dtomtrack.items.replies import read_answer
from dtomtrack.library import compare, evaluate, rescore
from dtomtrack.suites.persuasivetom.replies import published_reading
from dtomtrack.suites.published.importing import import_published

FORMS = yaml.safe_load((Path(__file__).parent / "replies.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("form", FORMS, ids=lambda form: repr(form["reply"])[:40])
def test_a_form_is_read_by_both_parsers(form: dict[str, str]) -> None:
    options = ("Yes", "No") if form.get("two") else ("Yes", "No", "Neutral")
    shown = PresentedItem(Item("x", "x", "Is Ben likely to come?", options, frozenset((0,))))
    theirs = published_reading(form["reply"], shown, "cot" if form.get("cot") else "zero-shot")
    assert (read_answer(form["reply"], shown.shown) or "-") == form["ours"]
    assert ("".join(theirs) if theirs else "-") == form["theirs"]


def test_there_are_forty() -> None:
    assert len(FORMS) == 40


@pytest.fixture
def data(tmp_path: Path) -> Path:
    import_published("persuasivetom", write_files(tmp_path / "clone", persuasion_files(dialogues=2)), tmp_path / "data")
    return tmp_path / "data"


def alternating(request: Request) -> Reply:
    """A bare letter or one in brackets, by the length of the question."""
    text = str(request["messages"])
    return completion("A" if len(text) % 2 else "(A)")


def test_the_published_reading_stands_beside_ours_without_a_call(data: Path) -> None:
    with Loopback(alternating) as server:
        (ours,) = evaluate(data, MODEL, base_url=server.base_url, repeats=3)
        calls = len(server.requests)
        assert calls == 3 * ours.questions
        (theirs,) = rescore(data, parser="published")
        assert len(server.requests) == calls
    before, after = answers_in(data / "eval" / "vllm_examinee.repeats3"), answers_in(data / "eval" / theirs.name)
    assert [one.reply for one in before] == [one.reply for one in after]
    assert {one.outcome for one in before} == {"correct", "wrong"}
    unread = Counter(one.outcome == "unparsed" for one in after)
    assert unread == Counter(one.reply == "(A)" for one in before)
    assert theirs.changed == unread[True] > 0
    assert theirs.metrics is not None and theirs.metrics.config.parser == "published"
    assert {one.changed for one in rescore(data)} == {0}
    assert len(compare(data).pairs) == 1
    samples = ours.measure("samples")
    assert samples is not None and "standard deviation" in samples.parts


def test_what_has_no_published_reading_is_refused(data: Path) -> None:
    evaluate(data, "baseline/random")
    with pytest.raises(DatasetError, match="no evaluation of a model"):
        rescore(data, parser="published")
    with pytest.raises(InputError, match="parser is 'theirs'"):
        rescore(data, parser="theirs")  # type: ignore[arg-type]
