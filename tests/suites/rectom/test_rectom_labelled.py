"""A file in IARD's format as a dataset of eight types: golds, contexts, judgements, what is left out, bad input."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import run
from rectom_release import DIALOGUES, FILES, IARD, ROLES, Said, write_iard, write_release

from dtomtrack.auditing import audit_benchmark
from dtomtrack.errors import InputError
from dtomtrack.items.item import Item
from dtomtrack.library import evaluate, make_report
from dtomtrack.runs.manifest import Manifest
from dtomtrack.suites.published.importing import import_published
from dtomtrack.suites.rectom.labels import COARSE, FINE
from dtomtrack.suites.rectom.suite import SUITE, RectomSuite
from dtomtrack.suites.rectom.wordings import coarse_wordings, fine_wordings

Labelled = dict[str, Any]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """The dialogues with their labels."""
    return write_iard(tmp_path / "mine.json")


def imported(source: Path, seed: int | None = None) -> tuple[Manifest, Path]:
    """A dataset of this file."""
    out = source.parent / f"out-{len(list(source.parent.glob('out-*')))}"
    return import_published(RectomSuite(seed=seed), source, out), out


def items_of(folder: Path, kind: str) -> list[Item]:
    """The items of a type."""
    return [item for item in SUITE.items(folder) if item.groups["type"].startswith(kind)]


def asked(item: Item) -> Said:
    """The line whose labels are the gold: the one that is asked about, or the next."""
    assert item.turn is not None
    at = item.turn - 1 if "intention" in item.groups["type"] else item.turn
    return DIALOGUES[item.cluster][at]


def rights(item: Item) -> set[str]:
    """What the right options stand for."""
    return {item.roles[position] for position in item.gold}


def coarse(line: Said) -> set[str]:
    """The coarse labels of a line."""
    return {FINE[ROLES[line.speaker]][code] for code in line.codes}


def changed(source: Path, change: Callable[[Labelled], object]) -> Path:
    """The file with another content."""
    content = json.loads(source.read_text(encoding="utf-8"))
    change(content)
    source.write_text(json.dumps(content), encoding="utf-8")
    return source


def test_a_file_of_labelled_dialogues_becomes_eight_types(source: Path) -> None:
    manifest, _ = imported(source)
    lines = Counter(line.speaker for own in DIALOGUES.values() for line in own)
    first = Counter(own[0].speaker for own in DIALOGUES.values())
    counts = dict(manifest.counts.groups["type"])
    judged = [counts.pop("judgement_rec"), counts.pop("judgement_seeker")]
    assert all(judged)
    assert counts == {
        "coarse_intention_rec": lines["RECOMMENDER"],
        "fine_intention_rec": lines["RECOMMENDER"],
        "coarse_intention_seeker": lines["SEEKER"],
        "fine_intention_seeker": lines["SEEKER"],
        "prediction_rec": lines["RECOMMENDER"] - first["RECOMMENDER"],
        "prediction_seeker": lines["SEEKER"] - first["SEEKER"],
    }
    assert manifest.counts.totals["clusters"] == len(DIALOGUES)


def test_golds_are_the_labels_of_the_line(source: Path) -> None:
    _, out = imported(source)
    for item in (*items_of(out, "coarse"), *items_of(out, "prediction")):
        assert rights(item) == coarse(asked(item))
    for item in items_of(out, "fine"):
        assert {role.partition(": ")[2] for role in rights(item)} == set(asked(item).codes)


def test_nothing_looks_ahead_and_no_question_quotes_a_line(source: Path) -> None:
    _, out = imported(source)
    for item in SUITE.items(out):
        assert item.context is not None
        shown = [line.text for line in item.context.lines]
        own = [line.text for line in DIALOGUES[item.cluster]]
        assert shown == own[: item.turn]
        assert "In dialogue" not in item.question
        assert asked(item).speaker == ("RECOMMENDER" if item.groups["role"] == "recommender" else "SEEKER")


def test_options_are_ours_in_the_order_of_the_labels(source: Path) -> None:
    _, out = imported(source)
    for role, short in (("recommender", "rec"), ("seeker", "seeker")):
        one, other = items_of(out, f"coarse_intention_{short}")[0], items_of(out, f"fine_intention_{short}")[0]
        named = ROLES[role.upper()]
        assert one.options == tuple(coarse_wordings(named)[label] for label in COARSE[named])
        assert other.options == tuple(fine_wordings(named)[code] for code in FINE[named])


# -- judgement -------------------------------------------------------------------------------------------------------


def test_a_judgement_asks_whether_the_next_line_uses_a_strategy(source: Path) -> None:
    _, out = imported(source)
    golds: dict[str, list[str]] = {}
    for item in items_of(out, "judgement"):
        role, _, strategy = item.groups["strategy"].partition(": ")
        assert coarse_wordings(ROLES[role.upper()])[strategy] in item.question
        assert rights(item) == {"yes" if strategy in coarse(asked(item)) else "no"}
        golds.setdefault(item.groups["strategy"], []).append(item.options[min(item.gold)])
    assert len(golds) > 3
    assert all(own.count("yes") == own.count("no") for own in golds.values())


def test_a_seed_draws_the_strategies(source: Path) -> None:
    folders = [imported(source, seed)[1] for seed in (None, 0, 1)]
    first, again, other = ((one / "questions.jsonl").read_bytes() for one in folders)
    assert first == again != other
    told = [json.loads((one / "manifest.json").read_text(encoding="utf-8"))["config"]["seed"] for one in folders]
    assert told == [0, 0, 1]


# -- what is left out, and what is counted ---------------------------------------------------------------------------


def greet(content: Labelled) -> None:
    """Three dialogues begin with the same word, and with two sets of labels."""
    for name, text, codes in (("700", "Hello", "OTH"), ("701", " hello.", "OTH"), ("702", "Hello", "IQU")):
        line = content[name]["dialogue_info"]["S1"]
        top = {"OTH": "OTH", "IQU": "AskForRec"}[codes]
        line |= {"utterance_text": text, "sub-intent/action": [codes], "top-level intent/action": [top]}


def test_a_question_is_asked_once_and_not_at_all_where_its_golds_differ(source: Path) -> None:
    plain, _ = imported(source)
    _, out = imported(changed(source, greet))
    lines = [json.loads(line) for line in (out / "rejected.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(one["id"], one["file"], one["place"]) for one in lines if "intention" in one["id"]] == [
        (f"{kind}_intention_seeker/700/1", "mine.json", ", ".join(f"line 1 of dialogue 70{n}" for n in range(3)))
        for kind in ("coarse", "fine")
    ]
    assert len(items_of(out, "fine_intention_seeker")) == plain.counts.groups["type"]["fine_intention_seeker"] - 3


def test_what_is_odd_is_counted(source: Path) -> None:
    def spoil(content: Labelled) -> None:
        content["700"]["dialogue_info"]["S1"]["utterance_text"] = "  "
        content["701"]["dialogue_info"]["S1"]["top-level intent/action"] = ["OTH"]

    manifest, out = imported(changed(source, spoil))
    assert manifest.config["problems"] == [
        {"kind": "lines without words", "count": 1, "examples": ["700: line 1"]},
        {
            "kind": "top-level labels that are not those above the sub-labels",
            "count": 1,
            "examples": ["701: line 1"],
        },
    ]
    assert "lines without words" in (out / "README.md").read_text(encoding="utf-8")


def test_the_card_says_whose_it_is_and_what_is_asked(source: Path) -> None:
    _, out = imported(source)
    text = " ".join((out / "README.md").read_text(encoding="utf-8").split())
    for said in (
        "`mine.json` | no |",
        "Cai & Chen",
        "**non-commercial**",
        "Judgement asks whether the next line will use a strategy",
        "Belief and desire are not here",
    ):
        assert said in text
    assert 'pretty_name: "Eight types of RecToM, from mine.json"' in text


# -- the whole way ---------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("undrawn")
def test_it_is_imported_answered_audited_and_reported(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "data"
    done = run("import", "rectom", str(source), "--out", str(out), "--seed", "3")
    assert done.returncode == 0, done.stderr
    assert "note: 16 dialogues with 136 lines" in done.stdout
    (found,) = evaluate(out, "baseline/frequent-gold")
    assert len(found.groups["type"]) == 8
    assert {"own_coarse_fine_intention_rec", "judged_predicted_seeker"} <= {one.name for one in found.further}
    audited = audit_benchmark(out)
    assert "any" in audited.selects
    assert "fine_intention_seeker" in {row.group for row in audited.rows}
    make_report(out, audit=False)
    assert (out / "report" / "report.html").is_file()


# -- bad input -------------------------------------------------------------------------------------------------------

LINE = "S1"


def _line(**fields: object) -> Callable[[Labelled], object]:
    return lambda content: content["700"]["dialogue_info"][LINE].update(fields)


BAD: dict[str, tuple[Callable[[Labelled], object], str]] = {
    "no lines": (lambda content: content["700"].update(dialogue_info={}), r"mine.json: 700: has no lines"),
    "no dialogues": (lambda content: content.clear(), r"is no IARD file \(it has no dialogues\)"),
    "other fields": (lambda content: content.update({"700": {"turns": []}}), r"is no IARD file \(700: "),
    "other label": (_line(**{"sub-intent/action": ["XYZ"]}), r"700: line 1 has the label 'XYZ', which is none of"),
    "other top label": (_line(**{"top-level intent/action": ["Hum"]}), r"700: line 1 has the label 'Hum'"),
    "no label": (_line(**{"sub-intent/action": []}), r"is no IARD file \(700: "),
    "other role": (_line(role="judge"), r"is no IARD file \(700: "),
    "other number": (_line(utterance_pos=99), r"700: its lines are not numbered 1 to 8"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_such_file_is_one_sentence_and_nothing_is_written(source: Path, name: str) -> None:
    change, message = BAD[name]
    with pytest.raises(InputError, match=message) as raised:
        imported(changed(source, change))
    assert "\n" not in str(raised.value)
    assert not list(source.parent.glob("out-*"))


def test_a_dialogue_that_is_there_twice_is_refused(source: Path) -> None:
    text = source.read_text(encoding="utf-8")
    source.write_text(text[:-1] + ", " + text[1:], encoding="utf-8")
    with pytest.raises(InputError, match=r"mine.json: has the dialogue 700 twice"):
        imported(source)


def test_files_of_something_else_are_told(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    for text, said in (("[1]", "is no IARD file"), ("{", "is no JSON"), ("", "is no")):
        other.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=said):
            imported(other)


def test_options_that_do_not_go_with_the_source_are_refused(source: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--variant and --iard are for a folder"):
        import_published("rectom", source, tmp_path / "out", "no-look-ahead")
    with pytest.raises(InputError, match="--variant and --iard are for a folder"):
        import_published(RectomSuite(source), source, tmp_path / "out")
    release = write_release(tmp_path / "clone")
    with pytest.raises(InputError, match="a seed is for a file in IARD's format"):
        import_published(RectomSuite(write_iard(tmp_path / IARD), seed=1), release, tmp_path / "out")
    with pytest.raises(InputError, match="is one of RecToM's published files; name the folder"):
        import_published("rectom", release / FILES["belief"], tmp_path / "out")
    assert not (tmp_path / "out").exists()
