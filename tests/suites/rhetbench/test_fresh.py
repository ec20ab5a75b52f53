"""Fresh characters as a folder: what generate makes, play takes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from dtomtrack.cli.summary import summarize
from dtomtrack.errors import InputError, PackError
from dtomtrack.runs.engines import open_engine
from dtomtrack.runs.manifest import Manifest
from dtomtrack.runs.run import run
from dtomtrack.scenarios.persuasion_npc.fresh import fresh_packs
from dtomtrack.scenarios.persuasion_npc.pack_files import CHARACTERS, find_packs
from dtomtrack.suites.generating import GenerationRequest, generating_suite
from dtomtrack.suites.rhetbench.planning import PlayConfig
from dtomtrack.suites.rhetbench.play_run import PlayRequest, run_play


def generate(out: Path, **more: object) -> Manifest:
    """A folder of characters."""
    asked = GenerationRequest(**{"domain": "all", "n": 9, "seed": 5, **more})  # type: ignore[arg-type]
    job = generating_suite("rhetbench").job(asked)
    return asyncio.run(run(job, open_engine("local"), n=asked.n, out=out, command="generate"))


def test_a_folder_of_fresh_characters_is_played_like_the_built_in_ones(tmp_path: Path) -> None:
    manifest = generate(tmp_path / "fresh")
    assert manifest.status == "complete"
    packs = find_packs([str(tmp_path / "fresh")])
    assert packs == list(fresh_packs(9, 5))
    (found,) = asyncio.run(
        run_play(PlayRequest(tmp_path / "run", ("policy/first-positive",), packs, PlayConfig(samples=1)))
    )
    assert found.episodes == 9
    assert "canary" in (tmp_path / "fresh" / "README.md").read_text("utf-8")


def test_the_table_speaks_of_characters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    summarize(generate(tmp_path / "fresh", n=3), tmp_path / "fresh")
    told = capsys.readouterr().out
    assert "characters kept" in told
    assert "dialogues" not in told
    assert "questions" not in told


def test_more_of_them_begin_with_the_same(tmp_path: Path) -> None:
    generate(tmp_path / "few", n=4)
    generate(tmp_path / "many", n=9)
    few, many = ((tmp_path / name / CHARACTERS).read_bytes() for name in ("few", "many"))
    assert many.startswith(few)


def test_a_folder_of_characters_takes_no_episodes(tmp_path: Path) -> None:
    generate(tmp_path / "fresh", n=2)
    request = PlayRequest(tmp_path / "fresh", ("policy/cycle",), list(fresh_packs(2, 5)), PlayConfig())
    with pytest.raises(InputError, match="choose another --out"):
        request.check()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"n": 0}, "from 1 to 1,000,000,000"),
        ({"max_attempts": 0}, "max-attempts is 0"),
        ({"concurrency": 0}, "concurrency is 0"),
        ({"seed": -1}, "from 0 to 9,223,372,036,854,775,807"),
        ({"domain": "medical"}, "no domains"),
        ({"models": {"model": "openai/x"}}, "no language model"),
    ],
)
def test_what_can_not_be_made_is_one_sentence(tmp_path: Path, asked: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        generate(tmp_path / "fresh", **asked)


def test_an_edited_character_is_named_by_its_line(tmp_path: Path) -> None:
    generate(tmp_path / "fresh", n=2)
    path = tmp_path / "fresh" / CHARACTERS
    one, two = list(fresh_packs(2, 5))
    hidden = two.mind.model_copy(update={"threshold": -0.99})
    path.write_text(f"{one.model_dump_json()}\n{two.model_copy(update={'mind': hidden}).model_dump_json()}\n")
    with pytest.raises(PackError, match=r"characters\.jsonl:2: mind\.threshold: .*not above the start"):
        find_packs([str(tmp_path / "fresh")])
