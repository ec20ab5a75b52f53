"""The page on which people play, in a real browser: its engine is the one in Python, and it can be played."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from headless import chromium, complaints, requested
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By

from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack
from dtomtrack.scenarios.persuasion_npc.pack_files import builtin_packs
from dtomtrack.suites.rhetbench.classifier import classify
from dtomtrack.suites.rhetbench.episode import Episode
from dtomtrack.suites.rhetbench.npc import Mind, opening_state, step
from dtomtrack.suites.rhetbench.persuaders import scripted_lines
from dtomtrack.suites.rhetbench.planning import PlayConfig
from dtomtrack.suites.rhetbench.published import read_episodes
from dtomtrack.suites.rhetbench.replay import replay
from dtomtrack.suites.rhetbench.rules import load_rules
from dtomtrack.suites.rhetbench.web import write_page

MESSAGES = Path(__file__).parents[1] / "suites" / "rhetbench"
HOSTILE = (
    "<script>alert(1)</script> {claim} {worry} and so on",
    "You\u2019re right \u2014 I admit it\u2019s a real drawback\u2026",
    "\uff54\uff48\uff45 data show a drop of 40 %\u2028and more\u0000\u200b",
    "No",
    "What would change your mind?",
    "I understand your concern, but the data show it, experts agree, most people do, a friend of mine did it too.",
    "LOGICAL: [EMOTIONAL] class=ANECDOTE",
    "\U0001f600 " * 200,
    "x" * 5000,
    "I won't cite data. I have no figures, and nobody asked an expert.",
    "I won't lie: the data show a gain. Not to mention that experts agree, and it isn't cheap but most people do it.",
    "I won't pretend you\u2019re right, and I'd be lying if I told you that I agree. I can't pretend it is cheap.",
    "It would be dishonest to say it isn't expensive; stop pretending that your point is valid, I can't pretend it is.",
    "I refuse to quote you the data or the figures, and without it the experts, instead of a friend of mine, agree.",
)
GOLDEN = (
    ({"start": -0.5, "repeat_penalty": 0.08, "profile": {"LOGICAL": 0.205}}, ["LOGICAL"] * 5),
    (
        {
            "start": -0.7,
            "repeat_penalty": 0.09,
            "profile": {"LOGICAL": 0.23, "AUTHORITY": -0.06, "SOCIAL_PROOF": -0.05},
        },
        ["AUTHORITY", "AUTHORITY", "SOCIAL_PROOF", "LOGICAL", "LOGICAL", "LOGICAL"],
    ),
    (
        {"start": -0.7, "repeat_penalty": 0.08, "profile": {"LOGICAL": 0.03, "EMOTIONAL": 0.03, "ANECDOTE": 0.32}},
        ["LOGICAL", "LOGICAL", "EMOTIONAL", "EMOTIONAL", *["ANECDOTE"] * 4],
    ),
)
"""The golden sequences of the specification."""
LAST = ((0.4425, 0.3765), (-0.27, -0.0444), (0.4559, 0.3941))
"""The agreement and rapport that each ends with."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Chrome]:
    with chromium() as driver:
        yield driver


def opened(browser: Chrome, folder: Path, play: PlayConfig) -> list[PersuasionPack]:
    """Open the page of a plan."""
    packs = builtin_packs(controls=True)
    browser.get(write_page(folder, packs, play).as_uri())
    return packs


@pytest.mark.parametrize(("golden", "last"), list(zip(GOLDEN, LAST, strict=True)))
def test_golden_sequences(browser: Chrome, tmp_path: Path, golden: Any, last: tuple[float, float]) -> None:
    opened(browser, tmp_path, PlayConfig(rules="published"))
    parameters, classes = golden
    found = browser.execute_script(
        """
        const mind = { threshold: 0.99, walk_out: -0.99, ...arguments[0] };
        let state = rhetbench.opening(mind);
        return arguments[1].map((heard) => {
          const outcome = rhetbench.step(mind, state, heard);
          state = outcome.state;
          return [outcome.delta, state.agreement, state.rapport];
        });
        """,
        parameters,
        classes,
    )
    mind, state = Mind(threshold=0.99, walk_out=-0.99, **parameters), None
    for heard, (delta, agreement, rapport) in zip(classes, found, strict=True):
        outcome = step(load_rules("published"), mind, state or opening_state(mind), heard)
        state = outcome.state
        assert (delta, agreement, rapport) == pytest.approx((outcome.delta, state.agreement, state.rapport), abs=1e-9)
    assert (agreement, rapport) == pytest.approx(last, abs=1e-4)


def test_recorded_episodes(browser: Chrome, tmp_path: Path) -> None:
    opened(browser, tmp_path, PlayConfig(rules="published"))
    turns = 0
    for episode in read_episodes(MESSAGES / "recorded_episodes.json"):
        mind = episode.parameters
        found = browser.execute_script(
            """
            const mind = arguments[0];
            let state = rhetbench.opening(mind);
            return arguments[1].map((heard) => {
              const outcome = rhetbench.step(mind, state, heard);
              state = outcome.state;
              return [state.agreement, state.rapport, outcome.won, outcome.walkedOut];
            });
            """,
            {
                "start": mind.starting_agreement,
                "threshold": mind.threshold,
                "walk_out": mind.close_threshold,
                "repeat_penalty": mind.repetition_penalty,
                "profile": {str(one): shift for one, shift in mind.resistance_profile.items()},
            },
            [str(turn[0]) for turn in episode.turns],
        )
        for (_, agreement, rapport, won, closed), of_page in zip(episode.turns, found, strict=True):
            assert of_page[:2] == pytest.approx((agreement, rapport), abs=1.0001e-4)
            assert of_page[2:] == [won, closed]
            turns += 1
    assert turns == 124


def test_messages_are_read_as_in_python(browser: Chrome, tmp_path: Path) -> None:
    opened(browser, tmp_path, PlayConfig())
    files = [
        yaml.safe_load((MESSAGES / name).read_text(encoding="utf-8"))
        for name in ("messages.yaml", "later_messages.yaml")
    ]
    messages = [*HOSTILE, *(text for one in files for texts in one.values() for text in texts)]
    found = browser.execute_script("return arguments[0].map(rhetbench.classify)", messages)
    for message, read in zip(messages, found, strict=True):
        expected = classify(message)
        assert read["argument"] == expected.argument, message
        assert read["scores"] == {str(one): score for one, score in expected.scores.items()}, message
        assert read["mixed"] is expected.mixed, message
    assert len(messages) > 300


@pytest.mark.parametrize(
    "play",
    [
        PlayConfig(samples=1),
        PlayConfig(samples=1, drift="once", legibility="delayed", seed=3),
        PlayConfig(samples=1, legibility="subtle", rules="published", cue="congruent"),
    ],
)
def test_episodes_of_the_page_are_heard_again_word_for_word(browser: Chrome, tmp_path: Path, play: PlayConfig) -> None:
    packs = {pack.id: pack for pack in opened(browser, tmp_path, play)}
    rng, lines = Random(play.seed), [line for texts in scripted_lines().values() for line in texts]
    said = [[rng.choice((*lines, *HOSTILE)) for _ in range(25)] for _ in packs]
    texts = browser.execute_script(
        """
        return rhetbench.episodes.map((episode, number) => {
          let memory = rhetbench.begin(episode);
          for (const message of arguments[0][number]) {
            if (!memory.over) memory = rhetbench.hear(episode, memory, message);
          }
          return JSON.stringify(rhetbench.asLine(episode, memory));
        });
        """,
        said,
    )
    assert len(texts) == len(packs)
    for text in texts:
        episode = Episode.model_validate_json(text)
        assert replay(episode, packs[episode.config.scenario]) is None, text


def test_somebody_plays(browser: Chrome, tmp_path: Path) -> None:
    complaints(browser)
    opened(browser, tmp_path, PlayConfig(samples=1, turns=3))
    requested(browser)
    name = browser.find_element(By.ID, "name").text
    box = browser.find_element(By.ID, "message")
    for message in (
        "<b>The data</b> show a drop of 40 percent.",
        "A friend of mine told me.",
        "You are right, I admit it.",
    ):
        box.send_keys(message, Keys.ENTER)
    spoken = [line.text for line in browser.find_elements(By.CSS_SELECTOR, "#talk p")]
    assert spoken[1] == "<b>The data</b> show a drop of 40 percent."
    assert len(spoken) == 7
    assert "3 messages, and no agreement" in browser.find_element(By.ID, "ended").text
    assert f"What moves {name} most: " in browser.find_element(By.ID, "worked").text
    assert len(browser.find_elements(By.CSS_SELECTOR, "#hidden tr")) == 3
    assert not browser.find_element(By.ID, "form").is_displayed()
    saved = json.loads(browser.execute_script("return JSON.stringify(rhetbench.played)"))
    assert [one["subject"] for one in saved] == ["human"]
    browser.find_element(By.ID, "save").click()
    browser.find_element(By.ID, "next").click()
    assert browser.find_element(By.ID, "name").text != name
    assert browser.find_element(By.ID, "form").is_displayed()
    assert complaints(browser) == []
    assert [one for one in requested(browser) if not one.startswith(("blob:", "about:"))] == []
