"""RecToM's files, in all shapes, as a dataset; labels against IARD; variants."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from rectom_release import DIALOGUES, FILES, IARD, SHUFFLED, change, write_iard, write_release
from typer.testing import CliRunner

from dtomtrack.cli.importers.rectom import command
from dtomtrack.cli.main import app
from dtomtrack.errors import InputError
from dtomtrack.items.item import Item
from dtomtrack.runs.manifest import Manifest
from dtomtrack.suites.published.importing import import_published
from dtomtrack.suites.rectom.granularity import Matched, derived_map
from dtomtrack.suites.rectom.labels import FINE
from dtomtrack.suites.rectom.suite import SUITE, RectomSuite
from dtomtrack.suites.rectom.variants import VARIANTS

FINE_SEEKER = FILES["fine seeker"]


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """All ten files."""
    return write_release(tmp_path / "clone" / "data").parent


def imported(release: Path, variant: str | None = None, iard: Path | None = None) -> tuple[Manifest, Path]:
    """A dataset of these files."""
    out = release.parent / f"out-{len(list(release.parent.glob('out-*')))}"
    return import_published(RectomSuite(iard), release, out, variant), out


def items_by_type(folder: Path) -> dict[str, list[Item]]:
    """The items of a dataset."""
    found: dict[str, list[Item]] = {}
    for item in SUITE.items(folder):
        found.setdefault(item.groups["type"], []).append(item)
    return found


def test_ten_files_become_ten_types(release: Path) -> None:
    manifest, out = imported(release)
    types = items_by_type(out)
    sizes = {kind: (len(own[0].options), own[0].select) for kind, own in types.items()}
    assert sizes == {
        "coarse_intention_rec": (5, "any"),
        "fine_intention_rec": (10, "any"),
        "coarse_intention_seeker": (4, "any"),
        "fine_intention_seeker": (16, "any"),
        "prediction_rec": (5, "any"),
        "prediction_seeker": (4, "any"),
        "judgement_rec": (2, "one"),
        "judgement_seeker": (2, "one"),
        "desire": (2, "one"),
        "belief": (7, "one"),
    }
    assert manifest.counts.groups["type"] == {kind: len(own) for kind, own in types.items()}
    assert manifest.counts.dialogues == len(DIALOGUES)
    assert manifest.config["missing"] == []


def test_letters_in_front_of_options_are_gone_and_golds_are_sets(release: Path) -> None:
    _, out = imported(release)
    first = items_by_type(out)["fine_intention_rec"][0]
    assert first.options[0] == "The recommender does: REQ"
    assert first.roles[:3] == ("request: REQ", "request: CLQ", "respond: RESP")
    assert all(item.gold for item in SUITE.items(out))


def test_missing_files_are_named_and_the_rest_is_read(release: Path) -> None:
    (release / "data" / FINE_SEEKER).unlink()
    manifest, out = imported(release)
    assert manifest.config["missing"] == [FINE_SEEKER]
    assert f"missing: {FINE_SEEKER}" in str(manifest.config["notes"])
    assert "fine_intention_seeker" not in items_by_type(out)


def test_what_is_odd_is_counted_by_kind(release: Path) -> None:
    change(release / "data", FILES["coarse seeker"], 1, utterance_pos=7)
    change(
        release / "data",
        FILES["belief"],
        2,
        question="How does the recommender believe the seeker's attitude about the X?",
    )
    change(release / "data", FILES["desire"], 1, question="Something else?")
    manifest, out = imported(release)
    problems = manifest.config["problems"]
    assert isinstance(problems, list)
    counts = {str(one["kind"]): int(str(one["count"])) for one in problems if isinstance(one, dict)}
    assert counts["2_coarse_intent_seeker.json: utterance_pos is not the number of lines"] == 1
    assert counts["8_belief_rec_2_com.json: the movie is not in the context as it is spelled"] == 1
    assert counts["7_desire_seeker_com.json: question in another form"] == 1
    ahead = "look-ahead: a line behind the one that is asked about is shown"
    exchanges = sum(len(lines) // 2 for lines in DIALOGUES.values())
    assert counts[f"1_coarse_intent_rec.json: {ahead}"] + counts[f"2_coarse_intent_seeker.json: {ahead}"] == exchanges
    assert "out of order" not in str(counts)
    card = (out / "README.md").read_text(encoding="utf-8")
    assert "utterance_pos is not the number of lines" in card


def test_an_import_gives_the_same_bytes_twice(release: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        import_published("rectom", release, tmp_path / name)
    for file in ("dialogues.jsonl", "questions.jsonl", "rejected.jsonl"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


# -- fine to coarse --------------------------------------------------------------------------------------------------


def test_the_map_of_fine_letters_is_found_whatever_their_order(release: Path) -> None:
    _, out = imported(release)
    roles = items_by_type(out)["fine_intention_seeker"][0].roles
    assert [role.partition(": ")[0] for role in roles] == [FINE["seeker"][code] for code in SHUFFLED]
    # the codes are not known without IARD
    assert roles[0] == "other: A"


def test_a_gold_that_no_map_explains_is_named(release: Path) -> None:
    change(release / "data", FILES["coarse recommender"], 1, answer_coarse=["A", "B", "C", "D", "E"])
    with pytest.raises(InputError, match=r"1_intent_rec.json: item 1: no map of fine letters"):
        imported(release)


def test_maps_that_can_not_be_told_apart_are_no_map() -> None:
    pairs = [Matched("item 1", frozenset({0, 1}), frozenset({"x", "y"}))]
    with pytest.raises(InputError, match="several maps"):
        derived_map(pairs, 2)


# -- IARD ------------------------------------------------------------------------------------------------------------


def test_every_label_is_checked_against_iard_and_the_code_of_each_letter_is_found(release: Path) -> None:
    manifest, out = imported(release, iard=write_iard(release / IARD))
    notes = str(manifest.config["notes"])
    assert "fine_intention_seeker" in notes
    assert "A OTH, B IQU, C CON" in notes
    roles = items_by_type(out)["fine_intention_seeker"][0].roles
    assert roles == tuple(f"{FINE['seeker'][code]}: {code}" for code in SHUFFLED)


@pytest.mark.parametrize("file", ["coarse recommender", "prediction seeker", "judgement recommender", "fine seeker"])
def test_a_label_that_is_not_iards_names_the_record(release: Path, file: str) -> None:
    path = release / "data" / FILES[file]
    record = json.loads(path.read_text(encoding="utf-8"))[4]
    field = next(name for name in ("answer_fine", "answer_coarse", "answer") if name in record)
    other = "B" if record[field] == ["A"] else "A"
    (release / "data" / FILES["coarse seeker"]).unlink()
    change(release / "data", FILES[file], 5, **{field: [other]})
    (release / "data" / FILES["fine recommender"]).unlink()
    if file == "fine seeker":
        change(release / "data", FILES[file], 5, answer_coarse=None)
    with pytest.raises(InputError, match=rf"{FILES[file]}: item 5: "):
        imported(release, iard=write_iard(release / IARD))


def test_a_missing_file_of_fine_intentions_is_built_anew(release: Path) -> None:
    (release / "data" / FINE_SEEKER).unlink()
    _, out = imported(release, iard=write_iard(release / IARD))
    types = items_by_type(out)
    rebuilt = types["fine_intention_seeker_rebuilt"]
    assert "fine_intention_seeker" not in types
    assert len(rebuilt) == len(types["coarse_intention_seeker"])
    for fine, coarse in zip(rebuilt, types["coarse_intention_seeker"], strict=True):
        assert {fine.roles[one].partition(": ")[0] for one in fine.gold} == {coarse.roles[one] for one in coarse.gold}


def test_a_file_that_is_not_iard_or_of_other_dialogues_is_refused(release: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text('{"1": {"turns": []}}', encoding="utf-8")
    with pytest.raises(InputError, match=r"other.json: is no IARD file"):
        imported(release, iard=other)
    for text, said in (
        ("[1]", r"is no IARD file \(it holds no object"),
        ('{"7": 1}', r"\(7: dialogue: has to be fields"),
    ):
        other.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=said):
            imported(release, iard=other)
    labelled = json.loads(write_iard(other).read_text(encoding="utf-8"))
    del labelled["703"]
    other.write_text(json.dumps(labelled), encoding="utf-8")
    with pytest.raises(InputError, match=r"is of other dialogues: 15 of RecToM's 16"):
        imported(release, iard=other)


# -- variants --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["no-look-ahead", "one-gold", "balanced-judge"])
def test_an_item_of_a_variant_has_the_id_of_its_source(release: Path, variant: str) -> None:
    before = {item.id: item for own in items_by_type(imported(release)[1]).values() for item in own}
    after = [item for own in items_by_type(imported(release, variant)[1]).values() for item in own]
    assert after
    for item in after:
        source = before[item.id]
        assert (item.question, item.options, item.gold) == (source.question, source.options, source.gold)


def test_no_look_ahead_ends_contexts_at_the_line_that_is_asked_about(release: Path) -> None:
    before = items_by_type(imported(release)[1])
    after = items_by_type(imported(release, "no-look-ahead")[1])
    cut = 0
    for kind in ("coarse_intention_rec", "coarse_intention_seeker"):
        for one, other in zip(before[kind], after[kind], strict=True):
            assert one.context is not None
            assert other.context is not None
            assert len(other.context.lines) == one.turn
            cut += len(other.context.lines) < len(one.context.lines)
    assert cut == len(before["coarse_intention_rec"])


def test_one_gold_lists_what_is_ambiguous_and_asks_it_no_more(release: Path) -> None:
    path = release / "data" / FILES["prediction seeker"]
    records = json.loads(path.read_text(encoding="utf-8"))
    letters = [["A"], ["B"], ["A"], ["A"]]
    words = ["RECOMMENDER says: Hi", "RECOMMENDER says: Hi", "RECOMMENDER says: Hello", "RECOMMENDER says: Hello"]
    more = [
        {**records[0], "dialogue_id": f"9{number}", "utterance_pos": 1, "utterance_context": text, "answer": answer}
        for number, (answer, text) in enumerate(zip(letters, words, strict=True))
    ]
    path.write_text(json.dumps(records + more), encoding="utf-8")
    _, out = imported(release, "one-gold")
    (rejected,) = (json.loads(line) for line in (out / "rejected.jsonl").read_text(encoding="utf-8").splitlines())
    assert rejected["reason"] == "one question, different golds: A | B; together AB"
    assert len(items_by_type(out)["prediction_seeker"]) == len(records) + 1


def test_balanced_judge_has_as_many_yes_as_no_for_each_strategy(release: Path) -> None:
    _, out = imported(release, "balanced-judge")
    golds: dict[str, list[str]] = {}
    for item in SUITE.items(out):
        golds.setdefault(item.groups["strategy"], []).append(item.options[min(item.gold)])
    assert golds
    assert all(own.count("yes") == own.count("no") for own in golds.values())


def test_outcome_judge_asks_whether_a_recommendation_is_taken_up(release: Path) -> None:
    with pytest.raises(InputError, match="name its file with --iard"):
        imported(release, "outcome-judge")
    _, out = imported(release, "outcome-judge", write_iard(release / IARD))
    items = list(SUITE.items(out))
    assert items
    for item in items:
        assert item.context is not None
        following = DIALOGUES[item.cluster][len(item.context.lines)]
        refused = {"REJ", "CRI-F", "CRI-A", "CRI-C"} & set(following.codes)
        assert (item.options[min(item.gold)] == "yes") == ("ACC" in following.codes)
        assert bool(refused) != ("ACC" in following.codes)


def test_desire_independent_has_what_no_belief_settles(release: Path) -> None:
    change(
        release / "data",
        FILES["belief"],
        1,
        question="How does the recommender believe the seeker's attitude about the Other?",
    )
    _, out = imported(release, "desire-independent")
    (item,) = SUITE.items(out)
    assert item.cluster == "700"
    (release / "data" / FILES["belief"]).unlink()
    with pytest.raises(InputError, match=r"needs 8_belief_rec_2_com.json, which is not there"):
        imported(release, "desire-independent")


# -- bad input -------------------------------------------------------------------------------------------------------

Spoil = Callable[[Path], None]
PREDICTION = FILES["prediction recommender"]
JUDGEMENT = FILES["judgement recommender"]
DICT = {"A": "no", "B": "yes"}
BAD: Mapping[str, tuple[str, Mapping[str, object], str]] = {
    "empty gold": (PREDICTION, {"answer": []}, "answer is empty"),
    "doubled gold": (PREDICTION, {"answer": ["A", "A"]}, "names an option twice"),
    "small gold": (PREDICTION, {"answer": ["a"]}, "has 'a', which is no letter of its options, A to E"),
    "gold outside": (PREDICTION, {"answer": ["F"]}, "has 'F', which is no letter of its options"),
    "gold by name": (FILES["fine recommender"], {"answer_coarse": ["Requests"]}, "has 'Requests', which is none of"),
    "two golds of one": (JUDGEMENT, {"answer": ["A", "B"]}, "has 2 letters, and one option is right"),
    "letters": (PREDICTION, {"choices": ["A: a", "B: b", "D: c", "C: d", "E: e"]}, "have the letters A, B, D, C, E"),
    "same letters": (PREDICTION, {"choices": ["A: a", "B: b", "B: c", "D: d", "E: e"]}, "have the letters A, B, B"),
    "no letters": (PREDICTION, {"choices": ["a", "B: b", "C: c", "D: d", "E: e"]}, "does not begin with its letter"),
    "too few": (PREDICTION, {"choices": ["A: a", "B: b"]}, "has 2 options; questions of 3_pred_rec.json have 5"),
    "27 options": (
        PREDICTION,
        {"choices": [*(f"{chr(65 + n)}: x" for n in range(26)), "AA: x"]},
        "has 27 options; questions of 3_pred_rec.json have 5",
    ),
    "list and object": (JUDGEMENT, {"choices": ["A: no", "B: yes"]}, "in another form, list or object, than item 1"),
    "both fields": (JUDGEMENT, {"choice": DICT}, "has both choice and choices"),
    "neither field": (JUDGEMENT, {"choices": None}, "has neither choice nor choices"),
    "position 0": (PREDICTION, {"utterance_pos": 0}, "utterance_pos: "),
    "position -1": (PREDICTION, {"utterance_pos": -1}, "utterance_pos: "),
    "position as text": (PREDICTION, {"utterance_pos": "3"}, "utterance_pos: "),
    "no gold": (PREDICTION, {"answer": None}, "answer is missing"),
    "no speaker": (PREDICTION, {"utterance_context": "SEEKER says: Hi\nHello"}, "line 2 of utterance_context"),
    "other words": (PREDICTION, {"utterance_context": "SEEKER says: Hi\nSEEKER says: Ho"}, "no beginnings of one"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_record_is_named_in_one_sentence_and_nothing_is_written(release: Path, name: str) -> None:
    file, fields, message = BAD[name]
    change(release / "data", file, 3, **fields)
    with pytest.raises(InputError, match=rf"{file}: item 3: .*{message}") as raised:
        imported(release)
    assert "\n" not in str(raised.value)
    assert not list(release.parent.glob("out-*"))


def test_the_same_item_twice_is_refused(release: Path) -> None:
    path = release / "data" / PREDICTION
    records = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps([*records, records[1]]), encoding="utf-8")
    with pytest.raises(InputError, match=rf"item {len(records) + 1}: is the same item as item 2"):
        imported(release)


def test_a_folder_of_something_else_is_told(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    result = CliRunner().invoke(app, ["import", "rectom", str(tmp_path / "empty"), "--out", str(tmp_path / "out")])
    assert isinstance(result.exception, InputError)
    assert "holds none of the files of rectom" in str(result.exception)
    assert not (tmp_path / "out").exists()


def test_every_variant_is_named_in_the_help() -> None:
    told = " ".join((command.__doc__ or "").split())
    assert all(name in told for name in VARIANTS)
