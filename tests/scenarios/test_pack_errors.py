"""What is wrong with a pack is told with file, line and field."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.errors import InputError, PackError
from dtomtrack.scenarios.company_lines import CompanyLines, company_lines
from dtomtrack.scenarios.pack_files import check_pack, find_pack, load_pack

Pack = dict[str, Any]
Change = Callable[[Pack], None]

ZEBRA = "A zebra walks by."
"""A line that no pack has and that names no value."""


@cache
def _medical() -> Pack:
    pack: Pack = yaml.load(find_pack("medical").text, Loader=yaml.CSafeLoader)
    return pack


def written(folder: Path, change: Change, topics: int | None = 8) -> Path:
    """A changed copy of a built-in pack with all of its topics, or the first, and then no lines in place of theirs."""
    pack = deepcopy({**_medical(), "topics": _medical()["topics"][:topics]})
    if topics is not None:
        del pack["company"]
    change(pack)
    path = folder / "own.yaml"
    text: str = yaml.dump(pack, Dumper=yaml.CSafeDumper, sort_keys=False, width=10**6, allow_unicode=True)
    path.write_text(text, encoding="utf-8")
    return path


def line_of(path: Path, text: str) -> int:
    """Number of the last line that has the text."""
    return max(number for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1) if text in line)


def unchanged(pack: Pack) -> None:
    pass


def without_label(pack: Pack) -> None:
    del pack["topics"][0]["label"]


def without_say(pack: Pack) -> None:
    value = pack["topics"][1]["values"][0]
    del value["say"]
    value["id"] = "zebra"


def with_unknown_field(pack: Pack) -> None:
    pack["topics"][0]["colour"] = "zebra"


def with_unknown_state(pack: Pack) -> None:
    pack["topics"][2]["state"] = "zebra"


def with_duplicate_topic(pack: Pack) -> None:
    pack["topics"][0]["id"] = pack["topics"][3]["id"] = "zebra"


def with_duplicate_label(pack: Pack) -> None:
    pack["topics"][0]["label"], pack["topics"][3]["label"] = "The zebra", "the Zebra"


def with_what_another_topic_is_called(pack: Pack) -> None:
    pack["topics"][0]["spoken"], pack["topics"][3]["spoken"] = "The zebra", "the Zebra"


def with_a_spoken_name_that_names_a_value(pack: Pack) -> None:
    topic = pack["topics"][0]
    topic["spoken"] = f"the zebra and {topic['values'][0]['clause']}"


def with_a_spoken_name_of_one_side(pack: Pack) -> None:
    pack["topics"][0]["spoken"] = "my zebra"


def with_duplicate_value_id(pack: Pack) -> None:
    values = pack["topics"][0]["values"]
    values[0]["id"] = values[2]["id"] = "zebra"


def with_duplicate_name(pack: Pack) -> None:
    pack["names"] = ["Maya", "Ben", "Maya"]


def with_single_value(pack: Pack) -> None:
    pack["topics"][0]["values"] = pack["topics"][0]["values"][:1]
    pack["topics"][0]["values"][0]["id"] = "zebra"


def with_unknown_placeholder(pack: Pack) -> None:
    pack["greetings"]["a"][1] = "Hello, {zebra}."


def with_slot_of_one_situation(pack: Pack) -> None:
    pack["situations"][2]["slots"]["animal"] = "zebra"


def with_placeholder_in_clause(pack: Pack) -> None:
    value = pack["topics"][0]["values"][0]
    value["short"] += " of the {venue} zebra"


def with_form_without_cue(pack: Pack) -> None:
    pack["topics"][2]["values"][1]["presume"][0] = ZEBRA


def with_form_of_another_value(pack: Pack) -> None:
    first, second = pack["topics"][0]["values"][:2]
    first["reason"][0] = f"Zebras like {first['short']} and {second['short']}."


def with_signal(pack: Pack) -> None:
    pack["situations"][1]["asides_b"][0] = "On second thought, zebras have stripes."


def with_question_about_nothing(pack: Pack) -> None:
    pack["topics"][1]["ask"][0] = "A zebra or {x}?"


def with_approach_to_anything(pack: Pack) -> None:
    pack["topics"][0]["approach"] = ["I saw a zebra."]


def with_note_that_names_a_value(pack: Pack) -> None:
    topic = pack["topics"][0]
    topic["note"][0] = f"Zebras know {topic['values'][0]['short']}."


def with_rewording(text: str, other: int = 1) -> Change:
    """A change by which two topics are reworded, the first of them in these words."""

    def change(pack: Pack) -> None:
        pack["topics"][other]["rewordings"] = ["it is {short} of the stripes"]
        pack["topics"][0]["rewordings"] = [
            text.format(short="{short}", clause=pack["topics"][0]["values"][0]["clause"])
        ]

    return change


def with_label_that_names_a_value(pack: Pack) -> None:
    topic = pack["topics"][0]
    topic["label"] = f"the zebra and {topic['values'][0]['clause']}"


def accented(pack: Pack) -> None:
    """A value has a word with an accent, and so has a question that names no other."""
    topic = pack["topics"][0]
    value = topic["values"][0]
    for field in ("clause", "short"):
        value[field] = f"{value[field]} Samédi"
    topic["wonder"] = ["What happened, a zebra on Samédi?"]


def with_period_after_adopt(pack: Pack) -> None:
    adopt = pack["topics"][0]["values"][0]["adopt"]
    adopt[0] = f"zebra, {adopt[0]}."


def with_first_person_in_clause(pack: Pack) -> None:
    value = pack["topics"][0]["values"][0]
    value["clause"] += " of my zebra"


def with_zebra_in(field: str, text: str) -> Change:
    """A change of a clause or a short, by a text in which ``{}`` stands for what it was."""

    def change(pack: Pack) -> None:
        value = pack["topics"][0]["values"][0]
        value[field] = text.format(value[field])

    return change


def with_one_long_clause(pack: Pack) -> None:
    value = pack["topics"][0]["values"][0]
    value["id"] = "zebra"
    value["clause"] += " and a very long story about what happened to the stripes on that same night, and then again"


def with_few_topics_of_b(pack: Pack) -> None:
    held = [topic for topic in pack["topics"] if topic["holder"] == "b"][:2]
    pack["topics"] = [topic for topic in pack["topics"] if topic["holder"] == "a"] + held
    pack["topics"][0]["id"] = "zebra"


FAULTS = {
    "missing field": (without_label, "topics.0.label", "- id: cause", "is missing"),
    "missing lines": (without_say, "topics.1.values.0.say", "- id: zebra", "is missing"),
    "unknown field": (with_unknown_field, "topics.0.colour", "zebra", "there is no such field"),
    "unknown state": (with_unknown_state, "topics.2.state", "zebra", "'belief', 'intention'"),
    "duplicate topic": (with_duplicate_topic, "topics.3.id", "- id: zebra", "'zebra' stands there twice"),
    "duplicate label": (with_duplicate_label, "topics.3.label", "the Zebra", "'the zebra' stands there twice"),
    "duplicate value": (with_duplicate_value_id, "topics.0.values.2.id", "- id: zebra", "'zebra' stands there twice"),
    "duplicate name": (with_duplicate_name, "names.2", "- Maya", "'Maya' stands there twice"),
    "single value": (with_single_value, "topics.0.values", "- id: zebra", "at least 5 entries, not 1"),
    "unknown name": (with_unknown_placeholder, "greetings.a.1", "{zebra}", "unknown placeholder {zebra}"),
    "placeholder of one situation": (
        with_slot_of_one_situation,
        "situations.2.slots.animal",
        "animal: zebra",
        "placeholder 'animal' is not in every situation",
    ),
    "placeholder in a clause": (
        with_placeholder_in_clause,
        "topics.0.values.0.short",
        "{venue} zebra",
        "unknown placeholder {venue}",
    ),
    "form without a cue": (with_form_without_cue, "topics.2.values.1.presume.0", ZEBRA, "does not name its value"),
    "form of another value": (
        with_form_of_another_value,
        "topics.0.values.0.reason.0",
        "Zebras",
        "names another value",
    ),
    "signal": (with_signal, "situations.1.asides_b.0", "zebras", "'on second thought' signals a change of mind"),
    "question": (with_question_about_nothing, "topics.1.ask.0", "zebra", "a question needs {x} and {y}"),
    "approach": (with_approach_to_anything, "topics.0.approach.0", "zebra", "has none of the topic's names"),
    "note": (with_note_that_names_a_value, "topics.0.note.0", "Zebras", "names a value"),
    "accent": (accented, "topics.0.wonder.0", "a zebra on", "names a value (samédi)"),
    "rewording": (with_rewording("a zebra"), "topics.0.rewordings.0", "a zebra", "needs {short} once"),
    "other words of a value": (
        with_rewording("{short}, zebra or {clause}"),
        "topics.0.rewordings.0",
        "zebra",
        "names a value",
    ),
    "other words in the first person": (
        with_rewording("{short} is my zebra"),
        "topics.0.rewordings.0",
        "zebra",
        "has 'my'",
    ),
    "other words of two sentences": (
        with_rewording("{short} is it. A zebra"),
        "topics.0.rewordings.0",
        "zebra",
        "is several sentences",
    ),
    "other words that are no others": (
        with_rewording("the pain comes from {short}"),
        "topics.0.rewordings.0",
        "the pain comes from {short}",
        "stands at topics.0.values.0.clause already",
    ),
    "spoken": (
        with_a_spoken_name_that_names_a_value,
        "topics.0.spoken.0",
        "the zebra",
        "alone; it has to fit all values",
    ),
    "spoken by one side": (with_a_spoken_name_of_one_side, "topics.0.spoken.0", "my zebra", "everybody has to be able"),
    "spoken of another": (
        with_what_another_topic_is_called,
        "topics.0.spoken.0",
        "The zebra",
        "another topic is called",
    ),
    "label": (with_label_that_names_a_value, "topics.0.label", "the zebra", "alone; it has to fit all values"),
    "period": (with_period_after_adopt, "topics.0.values.0.adopt.0", "zebra", "ends without a period"),
    "first person": (with_first_person_in_clause, "topics.0.values.0.clause", "zebra", "has 'my'"),
    "clause with a full stop": (
        with_zebra_in("clause", "{} by zebra."),
        "topics.0.values.0.clause",
        "zebra.",
        "ends with '.'; it stands within sentences",
    ),
    "clause that is called out": (
        with_zebra_in("clause", "{} zebra!"),
        "topics.0.values.0.clause",
        "zebra!",
        "with '!'",
    ),
    "clause in brackets": (with_zebra_in("clause", "{} (zebra)"), "topics.0.values.0.clause", "(zebra)", "has '('"),
    "short in brackets": (with_zebra_in("short", "{} [zebra"), "topics.0.values.0.short", "[zebra", "has '['"),
    "short of two sentences": (
        with_zebra_in("short", "{}. A zebra"),
        "topics.0.values.0.short",
        "A zebra",
        "is several sentences",
    ),
    "long clause": (with_one_long_clause, "topics.0.values", "- id: zebra", "make them alike in length"),
    "few topics": (with_few_topics_of_b, "topics", "- id: zebra", "agent b holds 2 topics; at least 3 are needed"),
}


def test_an_unchanged_copy_of_a_pack_is_as_good_as_the_builtin_one(tmp_path: Path) -> None:
    source = find_pack(str(written(tmp_path, unchanged, topics=None)))
    assert check_pack(source) == []
    assert load_pack(source) == load_pack(find_pack("medical"))


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told_with_file_line_and_field(fault: str, tmp_path: Path) -> None:
    change, field, anchor, message = FAULTS[fault]
    path = written(tmp_path, change)
    found = check_pack(find_pack(str(path)))
    where = f"{path}:{line_of(path, anchor)}: {field}: "
    assert any(one.startswith(where) and message in one for one in found), found


@pytest.mark.parametrize("fault", ["missing field", "duplicate topic", "signal"])
def test_a_pack_with_a_fault_does_not_load(fault: str, tmp_path: Path) -> None:
    source = find_pack(str(written(tmp_path, FAULTS[fault][0])))
    with pytest.raises(PackError) as error:
        load_pack(source)
    assert str(error.value).splitlines() == check_pack(source)


@pytest.mark.parametrize(
    ("company", "problem"),
    [
        ({"dodge": ["{foo} {venue}, whatever."]}, "company.dodge.0: unknown placeholder {foo}"),
        ({"dodge": ["{clause}, whatever."]}, "company.dodge.0: unknown placeholder {clause}"),
        ({"talk": {"asides": ["{who} sneezes."]}}, "company.talk.asides.0: unknown placeholder {who}"),
        ({"tell": {"belief": ["{who} thinks so."]}}, "company.tell.belief.0: needs {clause}"),
        ({"ignorance": {"say": ["No idea."]}}, "company.ignorance.say.0: needs {label}"),
    ],
)
def test_lines_for_several_have_the_placeholders_of_their_list(company: Pack, problem: str, tmp_path: Path) -> None:
    def with_lines(pack: Pack) -> None:
        pack["company"] = company

    (found,) = check_pack(find_pack(str(written(tmp_path, with_lines))))
    assert problem in found


def test_the_lines_that_all_domains_share_are_such_as_a_pack_may_bring(tmp_path: Path) -> None:
    def with_shared_lines(pack: Pack) -> None:
        pack["company"] = company_lines(CompanyLines()).model_dump(mode="json")

    assert not [one for one in check_pack(find_pack(str(written(tmp_path, with_shared_lines)))) if "{" in one]


def test_a_pack_brings_its_own_words_for_knowing_nothing(tmp_path: Path) -> None:
    def with_ignorance(pack: Pack) -> None:
        pack["company"] = {"ignorance": {"say": ["Not a clue about {label}."]}}

    pack = load_pack(find_pack(str(written(tmp_path, with_ignorance))))
    assert pack.lines.ignorance.say == ("Not a clue about {label}.",)
    assert pack.lines.ignorance.tell == company_lines(CompanyLines()).ignorance.tell


def test_lines_of_one_mental_state_leave_those_of_the_others(tmp_path: Path) -> None:
    """`company: {tell: {belief: [...]}}` took the lines of all other states away, and ended in a traceback."""

    def with_told(pack: Pack) -> None:
        pack["company"] = {"tell": {"belief": ["Mark my words, {who} believes that {clause}"]}}

    told = load_pack(find_pack(str(written(tmp_path, with_told)))).lines.tell
    shared = company_lines(CompanyLines()).tell
    assert told[MentalState.BELIEF] == ("Mark my words, {who} believes that {clause}",)
    assert {state: told[state] for state in shared if state is not MentalState.BELIEF} == {
        state: lines for state, lines in shared.items() if state is not MentalState.BELIEF
    }


def test_words_with_accents_are_words(tmp_path: Path) -> None:
    example = Path(__file__).parents[2] / "examples" / "bike_workshop.yaml"
    path = tmp_path / "own.yaml"
    path.write_text(example.read_text(encoding="utf-8").replace("Saturday", "Samédi"), encoding="utf-8")
    assert check_pack(find_pack(str(path))) == []


def test_everything_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    def two_faults(pack: Pack) -> None:
        with_unknown_placeholder(pack)
        with_signal(pack)

    found = check_pack(find_pack(str(written(tmp_path, two_faults))))
    assert len(found) == 2
    assert "unknown placeholder" in found[0] + found[1]
    assert "signals a change" in found[0] + found[1]


def test_one_fault_is_told_once(tmp_path: Path) -> None:
    def without_a_reason(pack: Pack) -> None:
        del pack["topics"][0]["values"][0]["reason"]

    def with_a_misspelt_placeholder(pack: Pack) -> None:
        pack["topics"][0]["rewordings"] = ["it is {shrt} of the stripes"]

    (missing,) = check_pack(find_pack(str(written(tmp_path, without_a_reason))))
    assert "topics.0.values.0.reason: is missing" in missing
    (misspelt,) = check_pack(find_pack(str(written(tmp_path, with_a_misspelt_placeholder))))
    assert "topics.0.rewordings.0: needs {short} once" in misspelt


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("names", ["{a}", "Bo", "Cy"], "names.0: unknown placeholder {a}; here there may be none"),
        ("settings", {"c": ["x"]}, "settings.c: {c} is the name of a person; call the slot otherwise"),
        ("small_talk", [["It {creaks.", "So it does."]], "small_talk.0.0: has a brace without its other"),
    ],
)
def test_what_fills_placeholders_has_none(field: str, value: object, problem: str, tmp_path: Path) -> None:
    def change(pack: Pack) -> None:
        pack[field] = value if isinstance(value, list) else {**pack.get(field, {}), **value}  # type: ignore[dict-item]

    found = check_pack(find_pack(str(written(tmp_path, change))))
    assert any(problem in one for one in found), found


def test_nobody_is_named_who_may_not_be_there(tmp_path: Path) -> None:
    def change(pack: Pack) -> None:
        pack["people"][0]["context"] = "{d} is a friend who came along."

    (found,) = check_pack(find_pack(str(written(tmp_path, change))))
    assert "people.0.context: unknown placeholder {d}" in found


def test_of_very_many_faults_twenty_are_told_and_the_others_counted(tmp_path: Path) -> None:
    def many_faults(pack: Pack) -> None:
        for situation in pack["situations"]:
            situation["opens"] = ["A {zebra}.", "A {zebra} and a {zebra}."]

    source = find_pack(str(written(tmp_path, many_faults)))
    every = check_pack(source)
    assert len(every) > 20
    with pytest.raises(PackError) as error:
        load_pack(source)
    lines = str(error.value).splitlines()
    assert lines[:20] == every[:20]
    assert lines[20:] == [f"{source.name}: and {len(every) - 20} more"]


@pytest.mark.parametrize("text", ["name: [a, b", "name: x\n\ttitle: y\n", "name: 'x", "name: \x01"])
def test_a_file_that_is_not_yaml_is_said_to_be_none(text: str, tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(text, encoding="utf-8")
    (found,) = check_pack(find_pack(str(path)))
    assert found.startswith(f"{path}:")
    assert ": not YAML: " in found


def test_a_yaml_error_has_the_line_at_which_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text("name: x\ntitle: y\nbrief: a: b\n", encoding="utf-8")
    (found,) = check_pack(find_pack(str(path)))
    assert found.startswith(f"{path}:3: not YAML: ")


@pytest.mark.parametrize("text", ["", "- name: x\n", "just words\n", "42\n"])
def test_a_file_that_is_no_mapping_is_no_pack(text: str, tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(text, encoding="utf-8")
    source = find_pack(str(path))
    (found,) = check_pack(source)
    assert found.startswith(f"{path}:1: a pack is a mapping")
    with pytest.raises(PackError, match="a pack is a mapping"):
        load_pack(source)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_bytes(b"name: \xff\xfe")
    with pytest.raises(PackError, match="is not UTF-8 text"):
        find_pack(str(path))


@pytest.mark.parametrize(
    ("name", "nearest"), [("restaurnt", "restaurant"), ("travle", "travel"), ("medcal", "medical")]
)
def test_an_unknown_domain_names_the_nearest(name: str, nearest: str) -> None:
    with pytest.raises(InputError, match=f"no domain '{name}'; did you mean '{nearest}'"):
        find_pack(name)


def test_an_unknown_domain_like_none_names_all_there_are() -> None:
    with pytest.raises(InputError, match="there are family, medical, restaurant, team, travel") as error:
        find_pack("qqqq")
    assert "did you mean" not in str(error.value)


def test_a_path_without_a_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no file '.*missing\.yaml'"):
        find_pack(str(tmp_path / "missing.yaml"))


def test_reactions_to_every_state_of_a_topic_are_needed(tmp_path: Path) -> None:
    def without_reaction(pack: Pack) -> None:
        del pack["reactions"]["acknowledge"]["desire"]

    (wrong,) = check_pack(find_pack(str(written(tmp_path, without_reaction))))
    assert "reactions.acknowledge: has no lines for desire" in wrong


def test_a_slot_within_a_slot_is_refused(tmp_path: Path) -> None:
    def with_slot_in_a_setting(pack: Pack) -> None:
        pack["settings"]["venue"][0] = "the {part} practice"

    (wrong,) = check_pack(find_pack(str(written(tmp_path, with_slot_in_a_setting))))
    assert "settings.venue.0: unknown placeholder {part}" in wrong


@pytest.mark.parametrize("odd", ["x: 2024-13-45", "x: !!int abc", "x: !!bool z", "x: !!timestamp foo"])
def test_odd_values_are_told_like_any_others(tmp_path: Path, odd: str) -> None:
    path = written(tmp_path, unchanged)
    path.write_text(path.read_text(encoding="utf-8") + odd + "\n", encoding="utf-8")
    (wrong,) = check_pack(find_pack(str(path)))
    assert "x: there is no such field" in wrong


def test_a_guest_may_be_called_no(tmp_path: Path) -> None:
    path = tmp_path / "no.yaml"
    path.write_text(find_pack("medical").text.replace("names: [", "names: [No, ", 1), encoding="utf-8")
    assert load_pack(find_pack(str(path))).names[0] == "No"


def test_a_name_too_long_for_a_file_is_unknown() -> None:
    with pytest.raises(InputError):
        find_pack("x" * 5000)


@pytest.mark.parametrize("deep", ["[" * 200_000, "{a: " * 50_000, "[" * 3_000 + "]" * 3_000])
def test_a_bottomless_file_is_refused(tmp_path: Path, deep: str) -> None:
    path = tmp_path / "deep.yaml"
    path.write_text(deep, encoding="utf-8")
    (wrong,) = check_pack(find_pack(str(path)))
    assert "nested too deeply" in wrong


def test_a_key_that_stands_twice_is_named(tmp_path: Path) -> None:
    path = tmp_path / "twice.yaml"
    path.write_text("name: other\n" + find_pack("medical").text, encoding="utf-8")
    assert check_pack(find_pack(str(path))) == [f"{path}:2: name: stands there twice"]


def test_a_title_of_two_lines_is_refused(tmp_path: Path) -> None:
    def with_two_lines(pack: Pack) -> None:
        pack["title"] = "Doctors\n---\n# and others"

    (wrong,) = check_pack(find_pack(str(written(tmp_path, with_two_lines))))
    assert ": title: has to be written as" in wrong


def test_a_folder_is_no_pack(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="is a folder; give the path of a domain pack"):
        find_pack(str(tmp_path))


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in pairwise("abcdefghij")
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (BOMB, r"pack\.yaml:2: aliases \(\*a\) are not read in packs; write it out"),
        ("name: &x [*x]\n", r"pack\.yaml:1: aliases \(\*x\)"),
        ("name: x\n? [a, b]\n: c\n", r"pack\.yaml:2: a list or a mapping stands as a key"),
        ("name: x\n{a: b}: c\n", r"pack\.yaml:2: a list or a mapping stands as a key"),
    ],
    ids=["bomb", "in itself", "list as key", "mapping as key"],
)
def test_what_stands_for_far_more_or_for_nothing_is_refused(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "pack.yaml"
    file.write_text(text, encoding="utf-8")
    (wrong,) = check_pack(find_pack(str(file)))
    assert re.search(told, wrong)


def test_very_many_unknown_keys_are_told_in_their_lines(tmp_path: Path) -> None:
    """Each is looked up once; in a mapping of so many, going through it for each would take minutes."""
    file = tmp_path / "pack.yaml"
    file.write_text("".join(f"key{number}: x\n" for number in range(10_000)), encoding="utf-8")
    assert f"{file}:10000: key9999: there is no such field" in check_pack(find_pack(str(file)))


def test_a_pipe_is_no_pack(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pack.yaml")
    with pytest.raises(PackError, match="is not an ordinary file"):
        find_pack(str(tmp_path / "pack.yaml"))


def test_the_situation_that_leaves_out_a_slot_is_told_and_no_other(tmp_path: Path) -> None:
    """Each of the others was, and each line that has the slot."""

    def without_a_slot(pack: Pack) -> None:
        assert all("part" in situation["slots"] for situation in pack["situations"])
        pack["situations"][1]["id"] = "zebra_crossing"
        del pack["situations"][1]["slots"]["part"]

    path = written(tmp_path, without_a_slot)
    (wrong,) = check_pack(find_pack(str(path)))
    assert wrong.endswith(
        "situations.1.slots: situation 'zebra_crossing' has no 'part', which others have; add it there"
    )
    assert line_of(path, "zebra_crossing") < int(wrong.split(":")[1]) < line_of(path, "zebra_crossing") + 4
