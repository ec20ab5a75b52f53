"""What the README shows is what comes out, and what it points at is there."""

from __future__ import annotations

import re

from written_pages import README, REPOSITORY, code_blocks

from dtomtrack.beliefs.question import Question
from dtomtrack.scenarios.difficulty import preset
from dtomtrack.scenarios.domain import Domain
from dtomtrack.suites.dtom.config import RunConfig
from dtomtrack.suites.dtom.generation import build_context, fill_slot

TEXT = README.read_text(encoding="utf-8")
MOST_WORDS = 1900


def test_it_is_short() -> None:
    assert len(TEXT.split()) <= MOST_WORDS, "details go to the page of docs/ that is about them"


async def test_its_dialogue_is_real(restaurant: Domain) -> None:
    number = int(re.search(r"dialogue (\d+) of that run", TEXT)[1])  # type: ignore[index]
    config = RunConfig(domains=("restaurant",), packs={})
    slot = await fill_slot(build_context(config, {"restaurant": restaurant.pack}), config, number)
    assert slot.dialogue is not None
    shown = " ".join(TEXT.split())
    quoted = [turn for turn in slot.dialogue.turns if " ".join(turn.utterance.split()) in shown]
    assert len(quoted) >= 4
    for turn in quoted:
        assert all(speech.text in shown for speech in turn.inner_speech)
    asked = [question for question in slot.questions if question.question in shown]
    assert len(asked) >= 3
    assert all(_as_shown(question) in shown for question in asked)


async def test_its_hard_dialogue_is_real(domains: dict[str, Domain]) -> None:
    config = RunConfig(domains=("team",), packs={}, turns=60, difficulty=preset("hard"))
    slot = await fill_slot(build_context(config, {"team": domains["team"].pack}), config, 10)
    assert slot.dialogue is not None
    shown = " ".join(TEXT.split())
    quoted = [turn for turn in slot.dialogue.turns if f"can't hear): {' '.join(turn.utterance.split())}" in shown]
    asked = [question for question in slot.questions if question.question in shown]
    assert len(quoted) == 2
    assert [_as_shown(question) in shown for question in asked] == [True]


def _as_shown(question: Question) -> str:
    """A question with its options, the right one starred."""
    options = [f"{letter}) {text}{' *' * (letter == question.answer)}" for letter, text in question.options.items()]
    return " ".join([question.question, *options])


def test_both_tables_of_rules_are_the_same() -> None:
    measured = (REPOSITORY / "docs" / "reference" / "measured.md").read_text(encoding="utf-8")
    row = re.compile(r"^\|? ?(`[\w-]+`(?: \(reads the records\))?)((?: \| [\d.]+){3})(?: \|)?$", re.MULTILINE)
    shown = row.findall(TEXT)
    assert len(shown) == 7
    assert set(shown) <= set(row.findall(measured))


def test_its_figures_are_those_of_the_documentation() -> None:
    """The page of measurements has them from the scripts; here they are only repeated."""
    pages = [REPOSITORY / "docs" / "reference" / name for name in ("measured.md", "statistics.md")]
    measured = " ".join(page.read_text(encoding="utf-8") for page in pages).replace("%", " %").replace("  %", " %")
    table = TEXT.partition("## What was measured")[2].partition("[The rest")[0]
    figures = re.findall(r"[+\d.,]*\d(?: %)?", " ".join(row.split("|")[2] for row in table.split("\n") if "|" in row))
    assert len(figures) > 8
    for figure in figures:
        percent = figure.removesuffix(" %")
        assert figure.replace(",", "") in measured or f"0.{percent.replace('.', '')}" in measured, figure


def test_every_line_that_asks_a_model_says_what_it_needs() -> None:
    lines = [line for block in code_blocks(README) for line in block.text.split("\n")]
    asking = [line for line in lines if re.match(r"dtomtrack .* (?:-m|--model) (?!baseline/|policy/)", line)]
    assert len(asking) >= 4
    assert [line for line in asking if not re.search(r"# .*need", line)] == []


def test_every_shown_command_of_make_is_there() -> None:
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    targets = [found for block in code_blocks(README) for found in re.findall(r"^make ([\w-]+)", block.text, re.M)]
    assert targets
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_its_links_and_contents_lead_somewhere() -> None:
    headings = {
        re.sub(r"[^\w -]", "", line).strip().lower().replace(" ", "-") for line in re.findall(r"^## (.+)", TEXT, re.M)
    }
    for target in re.findall(r"\]\(([^)]+)\)", TEXT):
        if target.startswith("#"):
            assert target[1:] in headings, target
        elif not target.startswith("https://"):
            assert (REPOSITORY / target.partition("#")[0]).is_file(), target


def test_the_picture_is_small() -> None:
    assert (REPOSITORY / "docs" / "images" / "report.png").stat().st_size < 200_000
