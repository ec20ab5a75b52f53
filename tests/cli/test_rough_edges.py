"""Odd arguments and surroundings: one sentence, no traceback, nothing left behind."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from asking import KEY, ask, in_turn, refused
from commands import run
from loopback import Loopback, completion

from dtomtrack import generate
from dtomtrack.errors import ModelError, ModelSpecError
from dtomtrack.library import export_dataset
from dtomtrack.llm import openai_chat
from dtomtrack.llm.clients import Clients
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spec import parse_spec
from dtomtrack.runs.edited import EditedDatasetWarning
from dtomtrack.runs.names import distinct_folder_name, folder_name
from dtomtrack.runs.new_folder import new_folder

SCHEMA = {"type": "object", "properties": {"cat": {"type": "string"}}, "required": ["cat"]}


def really_run(*arguments: str | bytes, before: str = "") -> subprocess.CompletedProcess[bytes]:
    command: list[str | bytes] = [sys.executable, "-m", "dtomtrack", *arguments]
    if before:
        command = ["bash", "-c", f'{before}; exec "$@"', "bash", *command]
    return subprocess.run(command, capture_output=True, check=False)


def test_a_path_that_is_no_text_is_one_sentence() -> None:
    ran = really_run("generate", "--n", "1", "--out", b"\xff")
    assert ran.returncode == 2
    assert ran.stderr == b"dtomtrack: an argument holds bytes that are no UTF-8 text; name files in UTF-8\n"


def test_too_few_files_are_one_sentence(tmp_path: Path) -> None:
    with Loopback(lambda _: completion("no"), latency=0.2) as server:
        models = ["--actor-model", "vllm/x", "--base-url", server.base_url, "--concurrency", "64"]
        ran = really_run("generate", "--n", "80", "--out", str(tmp_path / "out"), *models, before="ulimit -n 40")
    assert b"Traceback" not in ran.stderr
    assert ran.returncode == 1


@pytest.mark.parametrize("address", ["http://a..b", f"http://{'a' * 70}.org", "http://.", "http://a b"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(ModelSpecError, match="has to be an http or https address"):
        parse_spec("vllm/x", address)


@pytest.mark.filterwarnings("ignore::dtomtrack.runs.edited.EditedDatasetWarning")
def test_a_received_domain_does_not_take_over_a_card(tmp_path: Path) -> None:
    assert issubclass(EditedDatasetWarning, UserWarning)
    folder = tmp_path / "out"
    generate("restaurant", n=1, out=folder)
    manifest = json.loads((folder / "manifest.json").read_bytes())
    manifest["config"]["domains"] = ['x"\nconfigs: []\nlicense: "mine', "---\n\x1b[31m"]
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    exported = export_dataset(folder, "huggingface", None)
    text = (exported.path / "README.md").read_text("utf-8")
    front = yaml.safe_load(text.split("---\n")[1])
    assert "license" not in front
    assert len(front["configs"]) == 2
    assert "\x1b" not in text


FAULTS = [refused(500), refused(429), refused(500), refused(500), refused(503), refused(500)]


async def test_other_faults_between_500s_switch_no_request_to_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with Loopback(in_turn(*FAULTS, completion('{"cat": "here"}'))) as server:
        async with Clients(ClientSettings(first_pause=0.001)) as clients:
            model = await clients.open(parse_spec("openai/small", server.base_url))
            await model.chat(ask(schema=SCHEMA))
    assert all("response_format" in request for request in server.requests)
    assert server.count == 7


def test_no_two_verifiers_share_a_folder() -> None:
    labels = ["openai/a/b", "openai/a_b", "openai/a:b", "openai/a b"]
    assert len({distinct_folder_name(label) for label in labels}) == 4
    assert distinct_folder_name("openai/a_b") == folder_name("openai/a_b") == "openai_a_b"


@pytest.mark.parametrize("name", ["x" * 300, "\U0001f600\u4e2d" * 100])
def test_a_long_name_is_no_longer_than_a_folder_may_be(tmp_path: Path, name: str) -> None:
    (tmp_path / folder_name(name)).mkdir()
    (tmp_path / distinct_folder_name(name)).mkdir()


KILLED = """
import os, signal, sys
from pathlib import Path
from dtomtrack.runs.new_folder import new_folder
with new_folder(Path(sys.argv[1])) as draft:
    (draft / "half").write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_drafts_of_killed_exports_are_cleared_away(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "export")], check=False)
    assert len(list(tmp_path.iterdir())) == 1
    with new_folder(tmp_path / "export") as draft, new_folder(tmp_path / "export2"):
        (draft / "whole").write_text("whole", encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["export", "export2"]


def test_a_new_folder_takes_the_place_of_an_empty_one(tmp_path: Path) -> None:
    (tmp_path / "export").mkdir()
    with new_folder(tmp_path / "export") as draft:
        (draft / "whole").write_text("whole", encoding="utf-8")
    assert [path.name for path in tmp_path.rglob("*")] == ["export", "whole"]


async def test_tls_to_a_server_that_is_silent_says_what_it_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_chat, "_CONNECT", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        async with Clients(ClientSettings(first_pause=0.001)) as clients:
            model = await clients.open(parse_spec("vllm/x", f"https://127.0.0.1:{silent.getsockname()[1]}/v1"))
            with pytest.raises(
                ModelError, match=r"no connection within 0\.2 s\); does it speak https\?; tried 3 times"
            ):
                await model.chat(ask())


@pytest.mark.parametrize(
    "verb", [["evaluate", "-m", "baseline/recency"], ["generate", "--n", "1", "--out"], ["report"]]
)
def test_a_name_that_is_too_long_is_one_sentence(verb: list[str]) -> None:
    ran = run(*verb, "x" * 300)
    assert ran.returncode == 2
    assert ran.stderr.endswith("...: is too long a name for a file\n")
    assert ran.stderr.count("\n") == 1


@pytest.mark.parametrize("verb", [["evaluate", "-m", "baseline/recency"], ["generate", "--n", "2", "--out"]])
def test_a_damaged_lock_is_one_sentence(tmp_path: Path, verb: list[str]) -> None:
    generate("restaurant", n=1, out=tmp_path / "out")
    (tmp_path / "out" / ".lock").write_text("garbage " * 20, encoding="utf-8")
    ran = run(*verb, str(tmp_path / "out"))
    assert ran.returncode == 2
    assert ran.stderr.endswith("/.lock: is damaged; nothing is ever in it, so delete it\n")


def test_a_mapping_in_two_parts_is_one(tmp_path: Path) -> None:
    source = tmp_path / "mine.jsonl"
    source.write_text('{"q": "Where?", "choices": ["shelf", "drawer"], "label": "A", "story": "A story."}\n')
    maps = ["--map", "question=q,options=choices", "--map", "gold=label,context=story"]
    done = run("import", "items", str(source), *maps, "--out", str(tmp_path / "out"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "A story." in (tmp_path / "out" / "dialogues.jsonl").read_text(encoding="utf-8")
