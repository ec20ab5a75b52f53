"""The page on which people play: one file, with the characters and an engine in JavaScript.

It holds everything that it needs, and what is hidden of the characters, too: whoever looks into its source knows it.
Episodes that are saved from it are lines of ``episodes.jsonl``, which ``play --replay`` hears again word for word.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path

from pydantic import JsonValue

from dtomtrack.errors import InputError, WriteError
from dtomtrack.items.words import STOP_WORDS
from dtomtrack.report.browsing import as_script
from dtomtrack.runs.files import refuse_file_above, write_atomically
from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, Tone
from dtomtrack.scenarios.persuasion_npc.briefing import briefing_of
from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack
from dtomtrack.scenarios.persuasion_npc.pools import shared_lines
from dtomtrack.suites.rhetbench.classifier import cue_data
from dtomtrack.suites.rhetbench.listening import LONGEST, SHORTEST
from dtomtrack.suites.rhetbench.planning import PlayConfig, episode_config
from dtomtrack.suites.rhetbench.replies import pivot_question, reply_numbers
from dtomtrack.suites.rhetbench.rules import load_rules
from dtomtrack.version import VERSION

__all__ = ["PAGE", "play_page", "write_page"]

PAGE = "play.html"


def write_page(out: Path, packs: Sequence[PersuasionPack], play: PlayConfig) -> Path:
    """Write the page into a folder; returns its path.

    Raises:
        InputError: there is nothing to play.
        WriteError: it can't be written.
    """
    refuse_file_above(out)
    text = play_page(packs, play)
    try:
        out.mkdir(parents=True, exist_ok=True)
        write_atomically(out / PAGE, text)
    except OSError as error:
        where = error.filename or out
        raise WriteError(f"{where}: can't be written ({error.strerror}); choose another --out") from error
    return out / PAGE


def play_page(packs: Sequence[PersuasionPack], play: PlayConfig) -> str:
    """The HTML of the page, with the episodes of a plan.

    Raises:
        InputError: there is nothing to play.
    """
    # imported late: only this page needs it here
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    play.check()
    if not packs:
        raise InputError("no scenario is given; core is the 23 of the suite")
    style, script = _file("play.css"), _file("play.js")
    environment = Environment(undefined=StrictUndefined, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(_file("play.html.jinja")).render(
        policy=f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; base-uri 'none'",
        style=Markup(style),  # noqa: S704  our own file
        script=Markup(script),  # noqa: S704  our own file
        data=Markup(as_script(_data(packs, play))),  # noqa: S704  escaped for a script element
        version=VERSION,
    )


def _data(packs: Sequence[PersuasionPack], play: PlayConfig) -> Mapping[str, object]:
    return {
        "rules": load_rules(play.rules).model_dump(mode="json"),
        "appeals": list(APPEALS),
        "longest": LONGEST,
        "shortest": SHORTEST,
        "cues": cue_data(),
        "words": {"stop": sorted(STOP_WORDS)},
        "shared": shared_lines().model_dump(mode="json", exclude={"cues"}),
        "episodes": [_episode(packs, play, index) for index in range(len(packs) * play.samples)],
    }


def _episode(packs: Sequence[PersuasionPack], play: PlayConfig, index: int) -> Mapping[str, JsonValue]:
    pack, config = episode_config(play, packs, index)
    numbers = reply_numbers(pack, config.seed, list(Tone))
    return {
        "index": index,
        "config": config.model_dump(mode="json"),
        "briefing": briefing_of(pack, play.cue).model_dump(mode="json"),
        "question": pivot_question(pack, config.seed),
        "numbers": {name: dict(number) if isinstance(number, Mapping) else number for name, number in numbers.items()},
        "pack": {
            "placeholders": dict(pack.placeholders),
            "replies": {heard: lines.model_dump(mode="json") for heard, lines in pack.replies.items()},
        },
    }


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _file(name: str) -> str:
    return (resources.files("dtomtrack.suites.rhetbench") / "page" / name).read_text(encoding="utf-8")
