"""What the README shows is what comes out."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from dtomtrack.scenarios.domain import Domain
from dtomtrack.suites.dtom.config import RunConfig
from dtomtrack.suites.dtom.generation import build_context, fill_slot

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


async def test_the_dialogue_in_the_readme_is_real(restaurant: Domain) -> None:
    number = int(re.search(r"dialogue (\d+) of that run", README)[1])  # type: ignore[index]
    config = RunConfig(domains=("restaurant",), packs={})
    slot = await fill_slot(build_context(config, {"restaurant": restaurant.pack}), config, number)
    assert slot.dialogue is not None
    shown = " ".join(README.split())
    quoted = [turn for turn in slot.dialogue.turns if " ".join(turn.utterance.split()) in shown]
    assert len(quoted) >= 4
    for turn in quoted:
        assert all(speech.text in shown for speech in turn.inner_speech)
    asked = [question for question in slot.questions if question.question in shown]
    assert len(asked) >= 3
    for question in asked:
        assert f"{question.answer}) {question.gold} *" in shown


def test_the_commands_in_the_readme_exist() -> None:
    makefile = (Path(__file__).parents[2] / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^    make (\w+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)
    for path in re.findall(r"`((?:examples|benchmarks)/\w+\.py)`", README):
        assert (Path(__file__).parents[2] / path).is_file()


@pytest.mark.parametrize(
    "snippet", re.findall(r"```python\n(.*?)```", README, re.DOTALL), ids=lambda code: code[-24:-2]
)
def test_the_snippets_in_the_readme_run(tmp_path: Path, snippet: str) -> None:
    done = subprocess.run([sys.executable, "-c", snippet], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
