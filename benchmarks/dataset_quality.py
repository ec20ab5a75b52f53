"""Measure a dataset folder against the bars of the main job.

    python benchmarks/dataset_quality.py out/restaurant-0

Rules that never read the dialogue, rules that read it badly, balance, variety: a row each, with its bar. Exit status
1 if a bar is missed.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from pathlib import Path
from random import Random

from bars import Row

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import PAPER_TYPES, Question, QuestionType
from dtomtrack.beliefs.reading import Reading, distinctive_words, read_all
from dtomtrack.runs.lines import read_lines
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack_files import find_pack, load_pack
from dtomtrack.verifiers.overheard import OverheardMinds
from dtomtrack.verifiers.overhearer import Overhearer

LETTERS = tuple("ABCD")

WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
TOKENS = 20_000


def words(text: str) -> list[str]:
    return WORD.findall(text.lower())


def percent(part: float, whole: float) -> float:
    return 100 * part / whole if whole else 0.0


def main(folder: Path) -> int:
    dialogues = {dialogue.id: dialogue for dialogue in read_lines(folder / "dialogues.jsonl", Dialogue)}
    questions = list(read_lines(folder / "questions.jsonl", Question))
    heard = hear(dialogues)
    rows = [
        *counts(dialogues, questions),
        overhearer(questions, heard),
        *letters(questions),
        *blind_rules(questions),
        *mentioned(dialogues, questions),
        *recency(dialogues, questions, heard),
        *variety(list(dialogues.values())),
    ]
    width = max(len(row.what) for row in rows)
    for row in rows:
        print(f"{'ok  ' if row.kept else 'MISS'} {row.what:{width}}  {row.value:>22}  bar: {row.bar}")
    return 0 if all(row.kept for row in rows) else 1


def counts(dialogues: dict[str, Dialogue], questions: Sequence[Question]) -> Iterable[Row]:
    realized = sum(dialogue.verification.realized for dialogue in dialogues.values())
    yield Row(
        "kept dialogues; with every planned update realized",
        f"{len(dialogues)}; {realized}",
        "all",
        realized == len(dialogues),
    )
    yield Row("questions kept", str(len(questions)), "10 a dialogue", len(questions) >= 10 * len(dialogues))
    for name, least, key in (
        ("smallest type", 6.0, lambda question: question.type.value),
        ("smallest mental state", 8.0, lambda question: question.mental_state.value),
    ):
        smallest, count = min(Counter(map(key, questions)).items(), key=lambda item: item[1])
        share = percent(count, len(questions))
        yield Row(name, f"{smallest} {share:.1f} %", f">= {least:.0f} %", share >= least)


def hear(dialogues: dict[str, Dialogue]) -> dict[str, list[Reading]]:
    """What is said in each dialogue, from its utterances alone."""
    domains = {name: Domain(load_pack(find_pack(name))) for name in {one.domain for one in dialogues.values()}}
    heard = {}
    for dialogue in dialogues.values():
        agents = [agent.name for agent in dialogue.scenario.agents]
        transcript = [(turn.speaker, turn.utterance) for turn in dialogue.turns]
        heard[dialogue.id] = read_all(domains[dialogue.domain].reader(agents), transcript)
    return heard


def overhearer(questions: Sequence[Question], heard: dict[str, list[Reading]]) -> Row:
    """The reader that sees utterances alone, run again on what was kept."""
    agreed = 0
    for question in questions:
        answer = Overhearer(OverheardMinds(heard[question.dialogue_id])).answer(question)
        agreed += answer is not None and answer.text == question.gold
    value = f"{agreed} of {len(questions)}"
    return Row("utterances-only reader agrees with the gold", value, "all", agreed == len(questions))


def letters(questions: Sequence[Question]) -> Iterable[Row]:
    """How often each letter is gold, in the types of which one option is right."""
    for question_type in PAPER_TYPES:
        own = [question.answer for question in questions if question.type is question_type]
        shares = [percent(own.count(letter), len(own)) for letter in LETTERS]
        value = " ".join(f"{share:.1f}" for share in shares)
        yield Row(f"gold letter A B C D, {question_type}", value, "25 ± 2 each", all(abs(s - 25) <= 2 for s in shares))


Rule = Callable[[Question], str]


def score(questions: Iterable[Question], rule: Rule) -> float:
    own = list(questions)
    return percent(sum(rule(question) == question.answer for question in own), len(own))


def blind_rules(questions: Sequence[Question]) -> Iterable[Row]:
    """Rules that never read the dialogue, overall and on the type they do best on."""
    even = [question for question in questions if question.slot % 2 == 0]
    odd = [question for question in questions if question.slot % 2]
    learnt = Counter(question.gold for question in even)
    learnt_by_type = Counter((question.type, question.gold) for question in even)
    rules: dict[str, tuple[Rule, Sequence[Question]]] = {
        "longest option": (lambda q: max(LETTERS, key=lambda letter: len(q.options[letter])), questions),
        "shortest option": (lambda q: min(LETTERS, key=lambda letter: len(q.options[letter])), questions),
        "most frequent gold text": (lambda q: max(LETTERS, key=lambda letter: learnt[q.options[letter]]), odd),
        "most frequent gold text of the type": (
            lambda q: max(LETTERS, key=lambda letter: learnt_by_type[q.type, q.options[letter]]),
            odd,
        ),
    }
    for name, (rule, asked) in rules.items():
        by_type = {kind: score((q for q in asked if q.type is kind), rule) for kind in QuestionType}
        worst = max(by_type, key=lambda kind: by_type[kind])
        yield Row(name, f"{score(asked, rule):.1f} %; {by_type[worst]:.1f} % {worst}", "<= 32 %", by_type[worst] <= 32)
    when = [question for question in odd if question.type is QuestionType.UPDATE_DETECTION]
    share = score(when, rules["most frequent gold text of the type"][0])
    yield Row("most frequent gold turn, update_detection", f"{share:.1f} %", "<= 32 %", share <= 32)


def mentioned(dialogues: dict[str, Dialogue], questions: Sequence[Question]) -> Iterable[Row]:
    """Chance among the options that are mentioned: by all their words, and by those that tell them from the others."""
    said = {
        dialogue.id: set(words(" ".join(turn.utterance for turn in dialogue.turns))) for dialogue in dialogues.values()
    }

    def chance(question: Question, told_by: Callable[[str], Iterable[str]]) -> float:
        here = said[question.dialogue_id]
        among = [letter for letter in LETTERS if set(told_by(question.options[letter])) <= here]
        if not among:
            return 0.25
        return 1 / len(among) if question.answer in among else 0.0

    for name, telling in (("all words", False), ("telling words", True)):
        by_type: dict[QuestionType, list[float]] = defaultdict(list)
        for question in questions:
            own = distinctive_words(list(question.options.values()))
            by_type[question.type].append(chance(question, own.__getitem__ if telling else words))
        shares = {kind: 100 * sum(values) / len(values) for kind, values in by_type.items()}
        worst = max(shares, key=lambda kind: shares[kind])
        yield Row(
            f"chance among options whose {name} occur", f"{shares[worst]:.1f} % {worst}", "<= 50 %", shares[worst] <= 50
        )


def recency(
    dialogues: dict[str, Dialogue], questions: Sequence[Question], heard: dict[str, list[Reading]]
) -> Iterable[Row]:
    """The option whose telling words come last in the last thing that the agent said on the topic."""

    def last_word(question: Question) -> str:
        on_topic = [
            reading.turn
            for reading in heard[question.dialogue_id]
            if reading.topic == question.topic and reading.speaker == question.agent
        ]
        if not on_topic:
            return "A"
        spoken = words(dialogues[question.dialogue_id].turns[on_topic[-1]].utterance)
        telling = distinctive_words(list(question.options.values()))

        def closeness(letter: str) -> tuple[int, float]:
            said = [word for word in telling[question.options[letter]] if word in spoken]
            return max(map(spoken.index, said), default=-1), len(said) / len(telling[question.options[letter]])

        return max(LETTERS, key=closeness)

    before = score((question for question in questions if question.type is QuestionType.PRE_UPDATE), last_word)
    yield Row("option closest to the agent's last word, pre_update", f"{before:.1f} %", "<= 15 %", before <= 15)
    after = score((question for question in questions if question.type is QuestionType.POST_UPDATE), last_word)
    yield Row("option closest to the agent's last word, post_update", f"{after:.1f} %", ">= 85 %", after >= 85)


def variety(dialogues: Sequence[Dialogue]) -> Iterable[Row]:
    utterances = [turn.utterance for dialogue in dialogues for turn in dialogue.turns]
    distinct = len(set(utterances)) / len(utterances)
    yield Row("share of distinct utterances", f"{distinct:.3f}", ">= 0.85", distinct >= 0.85)
    shuffled = list(utterances)
    Random(0).shuffle(shuffled)
    tokens = [token for utterance in shuffled for token in words(utterance)][:TOKENS]
    for size, bar in ((2, 0.30), (3, 0.55)):
        grams = list(zip(*(tokens[start:] for start in range(size)), strict=False))
        share = len(set(grams)) / len(grams)
        yield Row(f"distinct-{size} over {len(tokens)} tokens", f"{share:.3f}", f">= {bar:.2f}", share >= bar)
    sets = [{turn.utterance for turn in dialogue.turns} for dialogue in dialogues]
    most = max((len(one & other) / min(len(one), len(other)) for one, other in combinations(sets, 2)), default=0.0)
    yield Row("largest share of utterances two dialogues have in common", f"{100 * most:.0f} %", "<= 40 %", most <= 0.4)


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit("usage: python benchmarks/dataset_quality.py DATASET_FOLDER")
    sys.exit(main(Path(sys.argv[1])))
