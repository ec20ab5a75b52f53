"""Files in the forms of RecToM and of IARD, about dialogues of our own: no text of theirs is in them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from dtomtrack.suites.rectom.labels import ATTITUDES, COARSE, FINE, TOP_LEVEL, Role

__all__ = ["DIALOGUES", "FILES", "IARD", "SHUFFLED", "change", "write_iard", "write_release"]

FILES = {
    "coarse recommender": "1_coarse_intent_rec.json",
    "fine recommender": "1_intent_rec.json",
    "coarse seeker": "2_coarse_intent_seeker.json",
    "fine seeker": "2_intent_seeker.json",
    "prediction recommender": "3_pred_rec.json",
    "prediction seeker": "4_pred_seeker.json",
    "judgement recommender": "5_reverse_judge_rec.json",
    "judgement seeker": "6_judge_seeker.json",
    "desire": "7_desire_seeker_com.json",
    "belief": "8_belief_rec_2_com.json",
}
IARD = "umap2020_IARD_Cai.json"
ROLES: Mapping[str, Role] = {"SEEKER": "seeker", "RECOMMENDER": "recommender"}
SHUFFLED = (
    "OTH",
    "IQU",
    "CON",
    "SEE",
    "REF",
    "ACC",
    "STO",
    "REJ",
    "PRO",
    "INQ",
    "ANS",
    "CRI-F",
    "ASK",
    "CRI-A",
    "NRE",
    "CRI-C",
)
"""The order of the seeker's fine options in our file."""


class Said(NamedTuple):
    """A line with its fine labels."""

    speaker: str
    text: str
    codes: tuple[str, ...]


def _dialogue(number: int) -> list[Said]:
    """Four exchanges and, in odd dialogues, one line more; labels run through all codes as dialogues are counted."""
    lines = []
    for turn in range(8 + number % 2):
        speaker = "SEEKER" if (turn + number // 4) % 2 == 0 else "RECOMMENDER"
        codes = list(FINE[ROLES[speaker]])
        first = (number * 4 + turn // 2) % len(codes)
        own = [codes[first]] if turn % 3 else [codes[first], codes[(first + 5 + turn) % len(codes)]]
        words = " and ".join(f"as {ROLES[speaker]} {code.lower()}" for code in dict.fromkeys(own))
        film = f" Granite Choir ({1950 + number})" if turn in {1, 2, 3} else ""
        lines.append(Said(speaker, f"In dialogue {number}, line {turn}: {words}{film}", tuple(dict.fromkeys(own))))
    return lines


DIALOGUES: Mapping[str, Sequence[Said]] = {str(700 + number): _dialogue(number) for number in range(16)}


def write_release(folder: Path, left_out: Iterable[str] = ()) -> Path:
    """The ten files in a folder, but for some."""
    folder.mkdir(parents=True, exist_ok=True)
    records: dict[str, list[dict[str, object]]] = {name: [] for name in FILES.values()}
    for name, lines in DIALOGUES.items():
        for number in range(2, len(lines) + 1):
            if number % 2 == 0:
                _intentions(records, name, lines[:number])
            _next_line(records, name, lines[:number], lines[number] if number < len(lines) else None)
        _films(records, name, lines)
    for file, own in records.items():
        if file not in set(left_out):
            (folder / file).write_text(json.dumps(own), encoding="utf-8")
    return folder


def change(folder: Path, file: str, number: int, **fields: object) -> None:
    """Give a record of a file other fields; one that is None goes."""
    path = folder / file
    records = json.loads(path.read_text(encoding="utf-8"))
    changed = {**records[number - 1], **fields}
    records[number - 1] = {name: value for name, value in changed.items() if value is not None}
    path.write_text(json.dumps(records), encoding="utf-8")


def write_iard(path: Path) -> Path:
    """The same dialogues with their labels, as IARD has them."""
    content = {
        name: {"accepted_recommendation": [4], "dialogue_info": _labelled(lines)} for name, lines in DIALOGUES.items()
    }
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def _labelled(lines: Sequence[Said]) -> dict[str, object]:
    found: dict[str, object] = {}
    for number, line in enumerate(lines, 1):
        role = ROLES[line.speaker]
        top = {label: name for name, label in TOP_LEVEL[role].items()}
        found[f"{role[0].upper()}{number}"] = {
            "utterance_pos": number,
            "role": role,
            "utterance_text": line.text.replace("Granite Choir", "@81 <Granite Choir>"),
            "top-level intent/action": sorted({top[FINE[role][code]] for code in line.codes}),
            "sub-intent/action": list(line.codes),
        }
    return found


def _shown(name: str, lines: Sequence[Said], question: str) -> dict[str, object]:
    context = "\n".join(f"{line.speaker} says: {line.text}" for line in lines)
    return {"dialogue_id": name, "utterance_pos": len(lines), "utterance_context": context, "question": question}


def _letters(labels: Sequence[str], right: Iterable[str]) -> list[str]:
    return [chr(ord("A") + position) for position, label in enumerate(labels) if label in set(right)]


def _coarse(line: Said) -> list[str]:
    return [FINE[ROLES[line.speaker]][code] for code in line.codes]


def _options(labels: Sequence[str], role: Role, space: str = " ") -> list[str]:
    return [f"{chr(ord('A') + position)}:{space}The {role} does: {label}" for position, label in enumerate(labels)]


def _intentions(records: dict[str, list[dict[str, object]]], name: str, lines: Sequence[Said]) -> None:
    for speaker, role in ROLES.items():
        line = next(one for one in reversed(lines) if one.speaker == speaker)
        question = (
            f'What is the intention expressed by the {role.title()} in the "{line.text}" given the dialogue history?'
        )
        shown, field = _shown(name, lines, question), "choice" if role == "recommender" else "choices"
        coarse, codes = COARSE[role], tuple(FINE[role]) if role == "recommender" else SHUFFLED
        records[FILES[f"coarse {role}"]].append(
            {**shown, field: _options(coarse, role), "answer_coarse": _letters(coarse, _coarse(line))}
        )
        top = {label: name for name, label in TOP_LEVEL[role].items()}
        fine = {field: _options(codes, role, ""), "answer_fine": _letters(codes, line.codes)}
        named = [top[label] for label in dict.fromkeys(_coarse(line))]
        records[FILES[f"fine {role}"]].append({**shown, **fine, "answer_coarse": named})


def _next_line(
    records: dict[str, list[dict[str, object]]], name: str, lines: Sequence[Said], line: Said | None
) -> None:
    if line is None:
        return
    role = ROLES[line.speaker]
    coarse, asked = COARSE[role], _shown(name, lines, f"What strategy will {line.speaker} use next?")
    records[FILES[f"prediction {role}"]].append(
        {**asked, "choices": _options(coarse, role), "answer": _letters(coarse, _coarse(line))}
    )
    strategy = coarse[(len(lines) + int(name)) % len(coarse)]
    adopted = f'{role.title()} will adopt "The {role} does: {strategy}" strategy'
    question = f"{adopted} to promote communication, Is this strategy effective?"
    answers = {"A": "no", "B": "yes"} if role == "recommender" else {"A": "yes", "B": "no"}
    right = "yes" if strategy in _coarse(line) else "no"
    letter = next(letter for letter, text in answers.items() if text == right)
    records[FILES[f"judgement {role}"]].append(
        {**_shown(name, lines, question), "choices": answers, "answer": [letter]}
    )


def _films(records: dict[str, list[dict[str, object]]], name: str, lines: Sequence[Said]) -> None:
    film = f"Granite Choir ({1250 + int(name)})"
    attitude = int(name) % len(ATTITUDES)
    believed = {chr(ord("A") + place): f"It is {one.replace('/', ', ')}" for place, one in enumerate(ATTITUDES)}
    question = f"How does the recommender believe the seeker's attitude about the {film}?"
    records[FILES["belief"]].append(
        {**_shown(name, lines[:6], question), "choices": believed, "answer": [chr(ord("A") + attitude)]}
    )
    if not ATTITUDES[attitude].startswith("seeker"):
        wanted = "A" if ATTITUDES[attitude].endswith("/liked") else "B"
        records[FILES["desire"]].append(
            {
                **_shown(name, lines[:6], f"Is the seeker likely to watch the {film}?"),
                "choices": {"A": "yes", "B": "no"},
                "answer": [wanted],
            }
        )
