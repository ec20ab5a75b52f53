"""Packs of characters: the built-in ones are sound, and what is wrong with others is said in one sentence each."""

from __future__ import annotations

from collections import Counter
from importlib import resources
from pathlib import Path

import pytest
import typer

from dtomtrack.cli.domains import check as domains_check
from dtomtrack.errors import InputError, PackError
from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS
from dtomtrack.scenarios.persuasion_npc.fresh import fresh_packs
from dtomtrack.scenarios.persuasion_npc.pack_files import (
    builtin_pack,
    builtin_packs,
    character_pack,
    check,
    find_packs,
    read_pack,
)
from dtomtrack.scenarios.persuasion_npc.pack_rules import problems
from dtomtrack.suites.rhetbench.pack_figures import HARD_TIERS, cold_reads, demands, tone_read

_FOLDER = resources.files("dtomtrack.scenarios.persuasion_npc") / "packs"
_TEXT = (_FOLDER / "needle_finder.yaml").read_text(encoding="utf-8")


def test_there_are_23_and_a_control() -> None:
    assert Counter(pack.tier for pack in builtin_packs(controls=True)) == {
        "easy": 3,
        "medium": 8,
        "hard": 4,
        "very_hard": 5,
        "extreme": 3,
        "control": 1,
    }


def test_every_class_works_best_three_or_four_times() -> None:
    counts = Counter(pack.dominant for pack in builtin_packs())
    assert {*counts} == {*APPEALS}
    assert set(counts.values()) <= {3, 4}


def test_figures_that_the_paper_prints_are_kept() -> None:
    printed = {
        ("cold_skeptic", "EMOTIONAL"): 0.03,
        ("community_anchor", "LOGICAL"): 0.04,
        ("reluctant_manager", "ANECDOTE"): 0.02,
        ("peer_pressure_resistant", "CONCESSION"): 0.03,
        ("needle_finder", "LOGICAL"): 0.03,
        ("entrenched_exec", "LOGICAL"): 0.06,
        ("contrarian_trap", "AUTHORITY"): -0.06,
        ("contrarian_trap", "SOCIAL_PROOF"): -0.05,
    }
    found = {
        (pack.id, one): shift
        for pack in builtin_packs()
        for one, shift in pack.mind.profile.items()
        if (pack.id, one) in printed
    }
    assert found == printed


def test_whoever_listens_wins_and_whoever_does_not_loses() -> None:
    hard = [pack for pack in builtin_packs() if pack.tier in HARD_TIERS]
    found = demands(hard, seeds=20)
    assert not [one for one in found if not one.holds]


def test_the_context_gives_nothing_away_unless_it_is_meant_to() -> None:
    assert max(cold_reads(builtin_packs())) <= 0.30
    assert min(cold_reads(builtin_packs(), "congruent")) > 0.40
    assert max(cold_reads(builtin_packs(), "incongruent")) <= 0.30


def test_tone_can_be_heard() -> None:
    assert tone_read(builtin_packs()) >= 0.85
    assert tone_read(builtin_packs(), "subtle") < tone_read(builtin_packs())


def test_fresh_characters_keep_to_the_rules_and_depend_on_seed_and_number_alone() -> None:
    packs = list(fresh_packs(60, 5))
    assert not [found for pack in packs for found in problems(pack)]
    assert packs[:10] == list(fresh_packs(10, 5))
    assert packs[0] != next(iter(fresh_packs(1, 6)))
    assert {pack.dominant for pack in packs} == {*APPEALS}


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("CONCESSION: 0.065}", "GENERIC: 0.065}", "lacks CONCESSION"),
        ("ANECDOTE: 0.32", "ANECDOTE: nan", "finite"),
        ("ANECDOTE: 0.32", "ANECDOTE: 3.2", "has to be 1.0 or less"),
        ("ANECDOTE: 0.32", "ANECDOTE: 0.10", "the second class has 0.65 of the best"),
        ("threshold: 0.27", "threshold: -0.70", "not above the start"),
        ("threshold: 0.27", "threshold: 1.2", "has to be 1.0 or less"),
        ("walk_out: -0.95", "walk_out: -0.70", "not below the start"),
        ("repeat_penalty: 0.10", "repeat_penalty: -0.10", "has to be 0.0 or more"),
        ("tier: very_hard", "tier: impossible", "has to be 'easy'"),
        ("id: needle_finder", "id: ../../x", "has to be written as"),
        ("name: 'Victor Tran'", "nom: 'Victor Tran'", "is missing"),
        ("Spare me.'", "Spare {me}.'", "unknown slot {me}"),
        ("That it''s common is the weakest thing you could have said.", "They''ll have had their reasons. "
         "I''m looking for mine.", "stands in the pool the shared SOCIAL_PROOF neutral already"),
        ("positive: ['If it was certified, then it can be done.']", "positive: []",
         "at least 1 entry"),
        ("answer: 'You", "answer: 'Nothing of it.' # 'You", "shares fewer than two words with the question"),
        ("arguments:\n  LOGICAL:", "arguments:\n  GENERIC:", "none of the six classes"),
        ("tier: very_hard", "tier: very_hard\ntier: easy", "stands there twice"),
        ("tier: very_hard", "tier: [very", "not YAML"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_by_file_line_and_field(old: str, new: str, told: str) -> None:
    assert old in _TEXT
    wrong = check("mine.yaml", _TEXT.replace(old, new, 1))
    assert any(told in one for one in wrong), wrong
    assert all(one.startswith("mine.yaml:") for one in wrong)


def test_a_profile_in_which_nothing_works_is_refused() -> None:
    line = next(one for one in _TEXT.split("\n") if "profile" in one)
    nothing = "  profile: {" + ", ".join(f"{one}: 0" for one in APPEALS) + "}"
    assert any("nobody could be persuaded" in one for one in check("mine.yaml", _TEXT.replace(line, nothing)))


def test_a_list_is_no_pack() -> None:
    assert check("mine.yaml", "- a\n- b\n") == [
        "mine.yaml:1: a pack is a mapping with id, tier, name, ...; this is not one"
    ]


def test_deep_nesting_is_refused() -> None:
    assert "nested too deeply" in check("mine.yaml", "[" * 200 + "]" * 200)[0]


def test_packs_are_found_by_name_file_and_folder(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(_TEXT.replace("id: needle_finder", "id: mine"), encoding="utf-8")
    assert [pack.id for pack in find_packs(["open_mind", str(tmp_path / "mine.yaml")])] == ["open_mind", "mine"]
    assert [pack.id for pack in find_packs([str(tmp_path)])] == ["mine"]
    assert len(find_packs(["core"])) == 23
    assert len(find_packs(["all"])) == 24


def test_a_scenario_that_stands_there_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="needle_finder: stands there twice"):
        find_packs(["core", "needle_finder"])


def test_an_unknown_scenario_gets_a_hint() -> None:
    with pytest.raises(InputError, match="did you mean 'cold_skeptic'"):
        builtin_pack("cold_sceptic")


def test_a_wrong_pack_is_an_error_of_the_user() -> None:
    with pytest.raises(PackError):
        read_pack("mine.yaml", "id: x")


def test_fresh_characters_go_by_count_and_seed() -> None:
    assert find_packs(["fresh:3:9"]) == list(fresh_packs(3, 9))


def test_packs_of_characters_are_told_from_others(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(_TEXT, encoding="utf-8")
    (tmp_path / "other.yaml").write_text("topics: []\n", encoding="utf-8")
    assert character_pack(str(tmp_path / "mine.yaml")) == _TEXT
    assert character_pack("needle_finder") == _TEXT
    assert character_pack(str(tmp_path / "other.yaml")) is None
    assert character_pack("restaurant") is None


def test_a_set_of_packs_is_checked_with_its_figures(capsys: pytest.CaptureFixture[str]) -> None:
    domains_check("core", seeds=2)
    told = capsys.readouterr().out
    assert "core: 23 character packs with nothing wrong" in told
    assert "first-positive           1.000  >= 0.95" in told
    assert "class read cold, neutral context" in told
    assert "DOES NOT HOLD" not in told


def test_figures_that_do_not_hold_are_marked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = character_pack("needle_finder")
    assert text is not None
    (tmp_path / "one.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(typer.Exit) as stopped:
        domains_check(str(tmp_path), seeds=2)
    assert stopped.value.exit_code == 1
    assert "only-anecdote            1.000  <= 0.25  DOES NOT HOLD" in capsys.readouterr().out
