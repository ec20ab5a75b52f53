"""A suite in one file, for the tests of reports: ten options, several right, groups, a measure and a figure of its own.

Its items ask about conversations, about the beginnings of conversations, about letters that nobody speaks, and about
nothing at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from pydantic import JsonValue

from dtomtrack.evaluation.benchmark import ReplyReader, RuleMaker
from dtomtrack.evaluation.records import AskConfig, Interval, Measure
from dtomtrack.evaluation.scored import ScoredAnswer
from dtomtrack.evaluation.statistics import share
from dtomtrack.items.item import ContextLine, Item, Select
from dtomtrack.records import Record
from dtomtrack.report.clusters import shown_clusters
from dtomtrack.report.drawing import Drawing, sheet
from dtomtrack.report.evaluations import Evaluation
from dtomtrack.report.paper_tables import TableMaker
from dtomtrack.report.presentation import FigureMaker, Head
from dtomtrack.report.sections import SuiteSection
from dtomtrack.report.shown import BrowserWords, ShownDialogue
from dtomtrack.runs.lines import read_lines, to_lines
from dtomtrack.runs.manifest import Counts, Manifest

__all__ = ["CROWD", "PEOPLE", "CrowdLine", "CrowdSuite", "make_crowd"]

CROWD = "crowd.jsonl"
PEOPLE = ("Ada", "Bo", "Cleo", "Dag", "Edda", "Finn", "Gwen", "Hal", "Isa", "Juno")
_KNOWS, _GUESS = "who_knows", "a type that no list names"


class CrowdLine(Record):
    """An item with its context, as the file has it."""

    id: str
    talk: str
    question: str
    options: tuple[str, ...]
    gold: tuple[int, ...]
    select: Select
    groups: dict[str, str]
    roles: tuple[str, ...] = ()
    lines: tuple[tuple[str, str], ...] = ()


class CrowdContext:
    """Lines, with or without speakers."""

    def __init__(self, lines: Sequence[tuple[str, str]]) -> None:
        self.lines: Sequence[ContextLine] = [ContextLine(*line) for line in lines]

    def text(self, condition: str) -> str:
        """All of them, one after another."""
        return "\n".join(f"{line.speaker}: {line.text}" if line.speaker else line.text for line in self.lines)


class CrowdSuite:
    """Who in a crowd knows it?"""

    name = "crowd"
    title = "Crowds: who of ten people knows a secret"
    conditions = ("everything",)
    files = (CROWD,)
    focus = ""
    published_reader: ReplyReader | None = None
    rules: Mapping[str, RuleMaker] = {}
    group_order: Mapping[str, Sequence[str]] = {"weather": ["snow", "rain"]}
    labels: Mapping[str, Mapping[str, str]] = {"type": {_KNOWS: "Who knows"}}
    role_labels: Mapping[str, str] = {}
    legend: Mapping[str, str] = {
        "overlooked": "Answers that leave somebody out who knows.",
        "weather": "The <i>weather</i> on that day.",
    }
    paper_tables: Sequence[TableMaker] = ()
    words = BrowserWords()
    records: Mapping[str, type[Record]] = {CROWD: CrowdLine}
    config: type[Record] | None = None

    @property
    def figures(self) -> Sequence[FigureMaker]:
        """One bar a subject."""
        return (_overlooked_figure,)

    def items(self, folder: Path, limit: int | None = None) -> Iterator[Item]:
        """The lines of the file."""
        talks: dict[str, None] = {}
        for line in read_lines(folder / CROWD, CrowdLine):
            talks.setdefault(line.talk)
            if limit is None or list(talks).index(line.talk) < limit:
                yield _item(line)

    def measures(self, answers: Sequence[ScoredAnswer], config: AskConfig) -> tuple[Measure, ...]:
        """How often somebody is overlooked who knows."""
        sets = [one for one in answers if one.asked.select == "any" and one.chosen is not None]
        overlooked = [(one.asked.dialogue, bool(one.asked.gold - (one.chosen or frozenset()))) for one in sets]
        return (
            Measure(
                name="overlooked",
                label="Somebody overlooked",
                estimate=share(overlooked),
                items=len(sets),
                reference=Interval(value=0.9, low=0.8, high=0.95),
                reference_label="a coin for each",
                p_value=0.0002,
                parts={"of <b>few</b>": 0.25, "of many": None},
            ),
        )

    def head(self, manifest: Manifest) -> Head:
        """The figures at the head of the page."""
        return Head("Crowds", "Who knows what everybody whispers?", {"Crowds": str(manifest.counts.dialogues)})

    def sections(self, folder: Path) -> Sequence[SuiteSection]:
        """None of its own."""
        return ()

    def dialogues(self, folder: Path, limit: int) -> Iterator[ShownDialogue]:
        """Made from the items."""
        return shown_clusters(self.items(folder), limit)

    def card(self, manifest: Manifest) -> str:
        """The dataset card."""
        return "---\nlicense: cc-by-4.0\n---\n"


def _item(line: CrowdLine) -> Item:
    return Item(
        id=line.id,
        cluster=line.talk,
        question=line.question,
        options=line.options,
        gold=frozenset(line.gold),
        select=line.select,
        groups=line.groups,
        roles=line.roles,
        context=CrowdContext(line.lines) if line.lines else None,
    )


def _overlooked_figure(evaluations: Sequence[Evaluation]) -> Drawing | None:
    found = [(one, measure) for one in evaluations if (measure := one.metrics.measure("overlooked"))]
    if not found:
        return None
    with sheet("overlooked", 1.0 + 0.3 * len(found)) as (figure, save):
        axes = figure.subplots()
        axes.barh([one.short for one, _ in found], [measure.estimate.value or 0.0 for _, measure in found])
    return save("Who is overlooked", "The share of answers that leave somebody out.")


# -- a dataset -------------------------------------------------------------------------------------------------------


def make_crowd(folder: Path, talks: int = 6, extra: str = "") -> Path:
    """A dataset of this suite.

    Args:
        extra: text that is put into every place that text may stand in.
    """
    folder.mkdir(parents=True)
    lines = [line for talk in range(talks) for line in _talk(talk, extra)] + _without_talk(extra)
    (folder / CROWD).write_bytes(to_lines(lines))
    counts = Counts(dialogues=talks + 2, questions=len(lines))
    config: dict[str, JsonValue] = {"talks": talks}
    manifest = Manifest(
        format_version=2,
        dtomtrack_version="0.3.0",
        suite="crowd",
        status="complete",
        command="make_crowd",
        config=config,
        n=talks + 2,
        counts=counts,
        models={},
        sessions=1,
        started="2026-01-01T00:00:00+00:00",
        finished="2026-01-01T00:00:01+00:00",
        seconds=1.0,
    )
    (folder / "manifest.json").write_text(manifest.model_dump_json(indent=2) + "\n", encoding="utf-8")
    return folder


def _talk(number: int, extra: str) -> list[CrowdLine]:
    """A conversation of three: who knows after all of it, who after its beginning, and a guess."""
    random = Random(f"talk {number}")
    three = random.sample(PEOPLE, 3)
    lines = tuple((f"{three[turn % 3]}{extra}", f"I heard it from {name}.{extra}") for turn, name in enumerate(PEOPLE))
    talk = f"talk-{number}"
    groups = {"type": f"{_KNOWS}", "weather": random.choice(("rain", "snow")), f"guests <i>{extra}": str(number % 4)}
    made = []
    for place, seen in enumerate((len(lines), 4)):
        gold = tuple(sorted(random.sample(range(10), random.randint(2, 5))))
        roles = tuple("knows" if position in gold else f"ignorant{extra}" for position in range(10))
        options = tuple(f"{name}{extra}" for name in PEOPLE)
        made.append(
            CrowdLine(
                id=f"{talk}-{place}",
                talk=talk,
                question=f"Who knows it now?{extra}",
                options=options,
                gold=gold,
                select="any",
                groups=groups,
                roles=roles,
                lines=lines[:seen],
            )
        )
    odd = {**groups, "type": f"{_GUESS}{extra}"}
    alike = CrowdLine(
        id=f"{talk}-guess",
        talk=talk,
        question="Who began?",
        options=("Ada", "Ada", "nobody"),
        gold=(number % 3,),
        select="one",
        groups=odd,
        lines=(("", f"Another story.{extra}"),),
    )
    return [*made, alike]


def _without_talk(extra: str) -> list[CrowdLine]:
    """A letter that nobody speaks, and a question about nothing."""
    common = {"options": ("yes", "no"), "gold": (0,), "select": "one"}
    return [
        CrowdLine.model_validate(
            {**common, "id": id_, "talk": talk, "question": question, "groups": groups, "lines": lines}
        )
        for id_, talk, question, groups, lines in (
            ("letter-0", "letter", "Is it signed?", {"type": "letters"}, (("", f"Dear all, it is true.{extra}"),)),
            ("bare-0", "bare", f"Is this about anything?{extra}", {}, ()),
        )
    ]
