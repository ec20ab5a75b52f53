"""When an evaluation was made: written down apart, and shown on the page."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from asking import refused
from examinee import files_of
from loopback import Loopback, completion

from dtomtrack import evaluate, generate
from dtomtrack.errors import DatasetError, ModelError
from dtomtrack.evaluation.dates import DATES, read_dates
from dtomtrack.library import make_report

pytestmark = pytest.mark.usefixtures("undrawn")

SUBJECT = "baseline_recency"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two dialogues."""
    generate("restaurant", n=2, out=tmp_path / "out")
    return tmp_path / "out"


def test_it_is_known_when_an_evaluation_began_and_ended(data: Path) -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    evaluate(data, "baseline/recency")
    dates = read_dates(data / "eval" / SUBJECT)
    assert dates is not None and dates.started is not None and dates.finished is not None
    assert before <= datetime.fromisoformat(dates.started) <= datetime.fromisoformat(dates.finished)


def test_the_same_again_asks_nothing_and_leaves_the_date(data: Path) -> None:
    evaluate(data, "baseline/recency")
    file = data / "eval" / SUBJECT / DATES
    long_ago = '{"started": "2001-02-03T04:05:06+00:00", "finished": "2001-02-03T04:05:07+00:00"}'
    file.write_text(long_ago, encoding="utf-8")
    files = files_of(file.parent)
    evaluate(data, "baseline/recency")
    assert file.read_text(encoding="utf-8") == long_ago
    assert files_of(file.parent) == files


def test_of_an_evaluation_of_before_no_date_is_made_up(data: Path) -> None:
    evaluate(data, "baseline/recency")
    (data / "eval" / SUBJECT / DATES).unlink()
    evaluate(data, "baseline/recency")
    dates = read_dates(data / "eval" / SUBJECT)
    assert dates is not None and dates.last is None


def test_one_that_was_stopped_has_the_date_on_which_it_began(data: Path) -> None:
    replies = iter([completion("B")] * 3)
    with Loopback(lambda _: next(replies, refused(401))) as server, pytest.raises(ModelError):
        evaluate(data, "vllm/one", base_url=server.base_url, concurrency=1)
    dates = read_dates(data / "eval" / "vllm_one")
    assert dates is not None and dates.finished is None
    assert dates.last == dates.started


def test_the_page_has_the_day(data: Path) -> None:
    evaluate(data, ["baseline/recency", "baseline/random"])
    (data / "eval" / SUBJECT / DATES).write_text('{"finished": "2001-02-03T04:05:07+00:00"}', encoding="utf-8")
    (data / "eval" / "baseline_random" / DATES).write_text('{"finished": "<b>1999-12-3"}', encoding="utf-8")
    page = make_report(data, audit=False).page.read_text(encoding="utf-8")
    asked = page.partition("How they were asked")[2]
    assert "Date" in asked
    assert "2001-02-03" in asked
    assert "<b>1999" not in page


def test_a_damaged_file_is_named(data: Path) -> None:
    evaluate(data, "baseline/recency")
    (data / "eval" / SUBJECT / DATES).write_text("yesterday", encoding="utf-8")
    with pytest.raises(DatasetError, match=r"dates\.json: is damaged"):
        make_report(data, audit=False)
