"""Files in the form of PersuasiveToM's, with texts made up for tests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

__all__ = ["DESIRES", "FILES", "PRINCIPLE_TEXTS", "Fields", "persuasion_files", "write_files"]

Fields = dict[str, object]
FILES = ("behavior_qa", "belief_ee", "belief_er", "desire_ee", "desire_er", "intent_ee", "intent_er", "judge_qa")
DESIRES = ("Yes", "No", "Neutral")
PRINCIPLE_TEXTS = (
    "Offers a concession so that the other owes one",
    "Says that the thing is scarce",
    "Tells what other people do",
    "Speaks as an expert",
    "Asks for a first step",
    "Gives praise",
)
_TONES = ("eager", "calm", "worried", "grateful")
_PLANS = ("Mention the lake", "Bring up the cost", "Recall last year", "Promise a lift", "Joke about rain", "Ask why")
_AIMS = ("hear about the lake", "know the price", "think of last year", "get there", "laugh it off", "say no")


def persuasion_files(dialogues: int = 6, rounds: int = 5, seed: int = 0) -> dict[str, list[Fields]]:
    """The items of all eight files by name, of dialogues of so many rounds."""
    random = Random(seed)
    files: dict[str, list[Fields]] = {name: [] for name in FILES}
    for number in range(dialogues):
        plans, aims = random.sample(_PLANS, rounds), random.sample(_AIMS, rounds)
        desires = ["No"] + [random.choice(DESIRES) for _ in range(rounds - 1)]
        lines = [
            f"{('Ann', 'Ben')[line % 2]} says: line {line} of talk {number} is about {random.choice(_AIMS)}."
            for line in range(2 * rounds)
        ]
        for place in range(rounds):
            shown = _Shown(number, place, lines)
            _add_each_round(files, shown, desires[place], random)
            if place < rounds - 1:
                _add_asked_rounds(files, shown, (plans, aims), random)
    return files


class _Shown:
    """A round of a dialogue, and what its items show of it."""

    def __init__(self, dialogue: int, place: int, lines: Sequence[str]) -> None:
        self.place = place
        self.lines = lines[: 2 * place + 2]
        self._id = f"{dialogue}-{2 * place}"

    def item(self, question: str, choices: Sequence[str], gold: int) -> Fields:
        return {
            "dialogue_id": self._id,
            "dialogue": "".join(f"{line}\n" for line in self.lines),
            "question": question,
            "background": "Ann wants Ben to come along to the lake.",
            "choices": list(choices),
            "answerKey": "ABCDEF"[gold],
        }


def _add_each_round(files: dict[str, list[Fields]], shown: _Shown, desire: str, random: Random) -> None:
    files["desire_ee"].append(shown.item("Is Ben likely to come along?", DESIRES, DESIRES.index(desire)))
    files["desire_er"].append(shown.item("Is Ann likely to go to the lake?", ("Yes", "No"), shown.place % 2))
    for name in ("belief_er", "belief_ee"):
        tones = random.sample(_TONES, 4)
        files[name].append(
            shown.item(f"What attitude to coming along is believed in ({name})?", tones, random.randrange(4))
        )
    files["intent_er"].append(shown.item("What does Ann intend?", PRINCIPLE_TEXTS, random.randrange(6)))


def _add_asked_rounds(
    files: dict[str, list[Fields]], shown: _Shown, golds: tuple[Sequence[str], Sequence[str]], random: Random
) -> None:
    for name, own, pool in (("behavior_qa", golds[0], _PLANS), ("intent_ee", golds[1], _AIMS)):
        gold = own[shown.place]
        choices = random.sample([gold, *random.sample([one for one in pool if one != gold], 3)], 4)
        files[name].append(shown.item(f"What comes next in {name}?", choices, choices.index(gold)))
    wording = random.choice(("effective", "not effective"))
    question = f'Ann will adopt "{golds[0][shown.place]}" strategy to persuade Ben. Is this strategy {wording}?'
    files["judge_qa"].append(shown.item(question, ("Yes", "No"), int(wording != "effective")))


def write_files(folder: Path, files: Mapping[str, object]) -> Path:
    """The files in the folder ``data`` of a clone."""
    (folder / "data").mkdir(parents=True, exist_ok=True)
    for name, items in files.items():
        (folder / "data" / f"{name}.json").write_text(json.dumps(items), encoding="utf-8")
    return folder
