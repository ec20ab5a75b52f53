"""Rules that a model's scenario has to keep, so that it can be played, tracked and asked about.

Each rule says what is wrong in a sentence that the model is told. Text of the output stands in it quoted and cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from rapidfuzz import fuzz

from dtomtrack.beliefs.inner_speech import PREFIXES, VERBS, is_one_sentence
from dtomtrack.beliefs.markers import MARKERS
from dtomtrack.beliefs.quantities import number_words
from dtomtrack.beliefs.reading import distinctive_words
from dtomtrack.beliefs.scenario import FIRST_UPDATE_TURN, MentalState
from dtomtrack.items.words import content_words, words_in_order
from dtomtrack.llm.prompts import as_data
from dtomtrack.scenarios.difficulty import Difficulty
from dtomtrack.scenarios.labels import contents_told
from dtomtrack.scenarios.roles import PACK_ROLES
from dtomtrack.scenarios.structure import Structure
from dtomtrack.scenarios.writing.examples import EXAMPLES
from dtomtrack.scenarios.writing.outputs import (
    LONGEST_CONTEXT,
    LONGEST_LINE,
    AgentOutput,
    ChangeOutput,
    ScenarioOutput,
)

__all__ = [
    "content_problems",
    "context_problems",
    "copy_problems",
    "fact_problems",
    "label_problems",
    "line_problems",
    "name_problems",
    "output_problems",
    "same_fact_problems",
    "secret_problems",
    "setting_problems",
    "telling_problems",
    "usable_others",
]

LONGEST_NAME = 40
LONGEST_LABEL = 60
LONGEST_CONTENT = 120
MOST_ALIKE = 80.0
"""The words in which two contents differ may be this alike (rapidfuzz ratio, 0 to 100)."""
MOST_ALIKE_SECRETS = 90.0
MOST_ALIKE_COPIES = 85.0
LONGEST_TO_SHORTEST = 3.0
"""The longest content of a state may be that many times as long as its shortest, so that length gives nothing away."""

_SHOWN = 60
_OF_THE_WORLD = frozenset({MentalState.BELIEF, MentalState.KNOWLEDGE})
_NAME = re.compile(r"[^\W\d_]+(?:[ '’-][^\W\d_]+)*")  # noqa: RUF001
_BRACKET = re.compile(r"[()\[\]{}<>*]")
_PRONOUNS = "i me my mine myself we us our ours you your yours he him his she her hers it its they them their theirs"
_NO_NAMES = {
    word for words in (_PRONOUNS, "think", *PREFIXES.values(), *VERBS.values()) for word in words.lower().split()
}
"""Pronouns and the words of thoughts; Will is a name, too, but "Will you be there?" would speak of him."""
_SENTENCE_ENDS = re.compile(r"(?<=[.!?])\s+")
_PERSON = re.compile(r"\b(?:i|i'm|i'll|i'd|me|my|mine|myself|we|us|our|ours|you|your|yours)\b", re.IGNORECASE)


def output_problems(output: ScenarioOutput, turns: int, structure: Structure, difficulty: Difficulty) -> list[str]:
    """Everything that is wrong with an output, but whether its script finds room."""
    return [
        *context_problems(output.context),
        *name_problems([agent.name for agent in output.agents.values()]),
        *(problem for letter, agent in output.agents.items() for problem in _agent_problems(letter, agent)),
        *_role_problems(output),
        *secret_problems(output.agent_a.private_info, output.agent_b.private_info),
        *copy_problems(_contents(output), [example.new for example in EXAMPLES.values()]),
        *_number_problems(output, structure),
        *_topic_problems(output),
        *_turn_problems(output.planned_belief_changes, turns),
        *_history_problems(output.planned_belief_changes, structure, difficulty),
        *(
            problem
            for number, change in enumerate(output.planned_belief_changes)
            for problem in _change_problems(number, change, output)
        ),
        *(
            problem
            for number, stable in enumerate(output.steady_states, 1)
            for problem in content_problems(f"steady state {number} ({_shown(stable.topic)})", stable.contents)
        ),
    ]


# -- the setting -----------------------------------------------------------------------------------------------------


def context_problems(context: str) -> Iterator[str]:
    """Problems of the setting."""
    yield from line_problems("the context", context, LONGEST_CONTEXT)


def name_problems(names: Sequence[str]) -> Iterator[str]:
    """Problems of two names: nothing of one may be found where the other is said, nor in the form of a thought."""
    for name in names:
        if taken := sorted(_NO_NAMES & {*name.casefold().split()}):
            yield f"the name {_shown(name)} has {as_data(taken[0])}, which is in what is thought and said: give a name"
        if len(name) > LONGEST_NAME or not _NAME.fullmatch(name):
            yield (
                f"the name {_shown(name)} is no plain name: only letters, spaces, hyphens and apostrophes, "
                f"at most {LONGEST_NAME} characters"
            )
    first, second = (name.casefold() for name in names)
    if first in second or second in first or {*first.split()} & {*second.split()}:
        yield f"the names {_shown(names[0])} and {_shown(names[1])} are too alike: give two names that share no word"


def _agent_problems(letter: str, agent: AgentOutput) -> Iterator[str]:
    """Problems of how an agent is described."""
    yield from line_problems(f"the role of agent {letter}", agent.role, LONGEST_LINE)
    yield from line_problems(f"the goal of agent {letter}", agent.goal, LONGEST_LINE)
    yield from line_problems(f"the private information of agent {letter}", agent.private_info, LONGEST_LINE)


def _role_problems(output: ScenarioOutput) -> Iterator[str]:
    if output.agent_a.role.casefold() == output.agent_b.role.casefold():
        yield "both agents have the same role: give them different roles"


def secret_problems(first: str, second: str) -> Iterator[str]:
    """Problems of what each alone is to know."""
    if first and second and fuzz.token_set_ratio(first.lower(), second.lower()) > MOST_ALIKE_SECRETS:
        yield "both agents have the same private information: give each something that the other does not know"


def line_problems(what: str, text: str, longest: int) -> Iterator[str]:
    """Problems of a text's form."""
    if not text.strip(" .…"):
        yield f"{what} is empty"
    elif len(text) > longest:
        yield f"{what} has {len(text)} characters: at most {longest} will do"
    elif not text.isprintable():
        yield f"{what} ({_shown(text)}) has line breaks or control characters: write one plain line"


def copy_problems(texts: Iterable[str], examples: Sequence[str]) -> Iterator[str]:
    """Texts that are only copied from the examples that the model was shown."""
    for text in texts:
        if any(fuzz.ratio(text.lower(), example.lower()) > MOST_ALIKE_COPIES for example in examples):
            yield f"{_shown(text)} is copied from the example: write your own, for this conversation"


# -- what changes, and what does not ---------------------------------------------------------------------------------


def _number_problems(output: ScenarioOutput, structure: Structure) -> Iterator[str]:
    changes, stable = len(output.planned_belief_changes), len(output.steady_states)
    if changes != structure.updates:
        yield f"there are {changes} planned belief changes: give exactly {structure.updates}"
    if stable != structure.stable:
        yield f"there are {stable} steady states: give exactly {structure.stable}"


def _topic_problems(output: ScenarioOutput) -> Iterator[str]:
    taken: list[str] = []
    changes = output.planned_belief_changes
    for number, change in enumerate(changes):
        if _before(changes, number) is None:
            yield from label_problems(change.topic, taken)
            yield from telling_problems(change.topic, change.contents)
            taken.append(change.topic)
    for stable in output.steady_states:
        yield from label_problems(stable.topic, taken)
        yield from telling_problems(stable.topic, stable.contents)
        taken.append(stable.topic)


def label_problems(label: str, taken: Iterable[str]) -> Iterator[str]:
    """Problems of what a state is about."""
    yield from line_problems("a topic", label, LONGEST_LABEL)
    if label.casefold() in {other.casefold() for other in taken}:
        yield f"the topic {_shown(label)} is there twice: give each state a topic of its own"


def telling_problems(label: str, contents: Sequence[str]) -> Iterator[str]:
    """Problems of what a state is about, beside what it may be: a question that names it would tell the answer."""
    for content in contents_told(label, [one for one in contents if len(one) <= LONGEST_CONTENT]):
        yield (
            f"the topic {_shown(label)} has a word of {_shown(content)} that no other content has: "
            "leave it out of one of them"
        )


def _turn_problems(changes: Sequence[ChangeOutput], turns: int) -> Iterator[str]:
    for number, change in enumerate(changes, 1):
        if not FIRST_UPDATE_TURN <= change.turn < turns:
            yield f"change {number} is at turn {change.turn}: minds change at turns {FIRST_UPDATE_TURN} to {turns - 1}"
        elif PACK_ROLES[change.turn % 2] != change.agent:
            yield (
                f"change {number} of agent {change.agent} is at turn {change.turn}: "
                "agent a speaks on even turns, agent b on odd ones"
            )
    if len({change.turn for change in changes}) < len(changes):
        yield "two changes are at the same turn: give each a turn of its own"


def _contents(output: ScenarioOutput) -> Iterator[str]:
    for change in output.planned_belief_changes:
        yield from change.contents
    for stable in output.steady_states:
        yield from stable.contents


def _before(changes: Sequence[ChangeOutput], number: int) -> ChangeOutput | None:
    """The change, earlier in the list, of the same agent's same state."""
    return next((one for one in reversed(changes[:number]) if one.key == changes[number].key), None)


def _history_problems(changes: Sequence[ChangeOutput], structure: Structure, difficulty: Difficulty) -> Iterator[str]:
    """A mind changes once, or changes and changes back."""
    backs = 0
    for number, change in enumerate(changes):
        before = _before(changes, number)
        if before is None:
            continue
        backs += 1
        where = f"change {number + 1} ({_shown(change.topic)})"
        if (change.old_belief, change.new_belief) != (before.new_belief, before.old_belief):
            yield f"{where}: it goes back, so from {_shown(before.new_belief)} to {_shown(before.old_belief)}"
        if change.turn <= before.turn or change.mental_state is not before.mental_state:
            yield f"{where}: a mind changes back at a later turn, with the same mental state"
        if change.mental_state not in difficulty.can_change_back:
            allowed = " or ".join(f"{_article(state)} {state}" for state in difficulty.can_change_back)
            yield f"{where}: only {allowed} changes back"
    if backs != structure.changes_back:
        yield (
            "one mind has to change and change back: two changes of the same agent with the same topic, "
            "the second from the new belief back to the old"
            if structure.changes_back
            else "no mind may change twice: give each change a topic of its own"
        )


def _article(word: str) -> str:
    return "an" if word[0] in "aeiou" else "a"


def _change_problems(number: int, change: ChangeOutput, output: ScenarioOutput) -> Iterator[str]:
    where = f"change {number + 1} ({_shown(change.topic)})"
    before = _before(output.planned_belief_changes, number)
    if before is None:
        yield from content_problems(where, change.contents)
    else:
        yield from same_fact_problems(where, change.fact, before.fact)
    agent = output.agents[change.agent]
    known = (agent.private_info, agent.goal, output.context)
    yield from fact_problems(where, change.fact, change.topic, change.new_belief, known)
    yield from setting_problems(where, change.mental_state, (change.old_belief, change.new_belief), output.context)


def fact_problems(where: str, fact: str, topic: str, new: str, known: Iterable[str]) -> Iterator[str]:
    """Problems of what changes a mind; ``known`` are texts that its owner knows all along."""
    yield from line_problems(f"{where}: the fact", fact, LONGEST_LINE)
    if not _stems(fact) & (_stems(new) | _stems(topic)):
        yield f"{where}: the fact {_shown(fact)} has nothing to do with {_shown(new)}: let it say why"
    if marker := _marker_in(fact):
        yield f"{where}: the fact may not say {as_data(marker)}"
    if any(_says(text, fact) for text in known):
        yield f"{where}: the agent knows the fact {_shown(fact)} already: only the other agent may"


def _says(text: str, what: str) -> bool:
    """Whether a sentence of a text says something, perhaps among other things."""
    wanted = " ".join(words_in_order(what))
    sentences = (" ".join(words_in_order(one)) for one in _SENTENCE_ENDS.split(text))
    return bool(wanted) and any(
        100 * len(one) >= MOST_ALIKE_SECRETS * len(wanted) and fuzz.token_set_ratio(wanted, one) > MOST_ALIKE_SECRETS
        for one in sentences
    )


def setting_problems(where: str, state: MentalState, contents: Iterable[str], context: str) -> Iterator[str]:
    """Problems of what the world is taken to be, beside the context, which tells everybody how it is."""
    for content in contents if state in _OF_THE_WORLD else ():
        if _says(context, content):
            yield f"{where}: the context says {_shown(content)} already: let it be about something it leaves open"


def same_fact_problems(where: str, fact: str, before: str) -> Iterator[str]:
    """Problems of what changes a mind back, beside what changed it before."""
    if _says(before, fact) or _says(fact, before):
        yield f"{where}: the fact {_shown(fact)} is the one that changed the mind before: give another that undoes it"


def _stems(text: str) -> frozenset[str]:
    return frozenset(word.removesuffix("s") for word in content_words(text))


# -- the contents that a state may have ------------------------------------------------------------------------------


def content_problems(where: str, contents: Sequence[str]) -> list[str]:
    """Problems of the contents that one state may have: each is to be told from all others."""
    alone = [problem for content in contents for problem in _alone(where, content)]
    return alone or [*_apart(where, contents)]


def usable_others(contents: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """Those other contents, in order, that get along with ``contents`` and with those before them."""
    kept: list[str] = []
    for other in others:
        if not content_problems("", [*contents, *kept, other]):
            kept.append(other)
    return tuple(kept)


def _alone(where: str, content: str) -> Iterator[str]:
    yield from line_problems(f"{where}: a content", content, LONGEST_CONTENT)
    if len(content) > LONGEST_CONTENT:
        return
    if found := _PERSON.search(content):
        yield (
            f"{where}: {_shown(content)} has {as_data(found.group())}: "
            "write it so that it is also true when somebody else says it of the agent"
        )
    if _BRACKET.search(content):
        yield f"{where}: {_shown(content)} has brackets: thoughts stand in them; write it without"
    if not is_one_sentence(content):
        yield f"{where}: {_shown(content)} is several sentences: say it in one"
    if marker := _marker_in(content):
        yield f"{where}: {_shown(content)} may not say {as_data(marker)}"


def _apart(where: str, contents: Sequence[str]) -> Iterator[str]:
    for one, other in combinations(contents, 2):
        if _alike(one.casefold(), other.casefold()):
            yield f"{where}: {_shown(one)} and {_shown(other)} are not clearly different"
    for content, own in distinctive_words(list(dict.fromkeys(contents)), number_words).items():
        if not own:
            yield (
                f"{where}: {_shown(content)} has no word of its own: "
                "name what is so, in words that the other contents do not have"
            )
    shortest, longest = min(contents, key=len), max(contents, key=len)
    if len(longest) > LONGEST_TO_SHORTEST * len(shortest):
        yield f"{where}: {_shown(longest)} is much longer than {_shown(shortest)}: make all about equally long"


def _alike(one: str, other: str) -> bool:
    if one in other or other in one:
        return True
    mine, theirs = one.split(), other.split()
    shared = {*mine} & {*theirs}
    own, others = (" ".join(word for word in words if word not in shared) for words in (mine, theirs))
    return not own or not others or fuzz.token_set_ratio(own, others) > MOST_ALIKE


def _marker_regex() -> re.Pattern[str]:
    """The openings of all markers, each as a phrase."""
    openings = {one.frame.partition("{")[0].strip() for one in MARKERS}
    return re.compile(
        "|".join(rf"\b{re.escape(opening)}(?!\w)" for opening in sorted(openings, key=len, reverse=True)), re.IGNORECASE
    )


_MARKER = _marker_regex()


def _marker_in(text: str) -> str | None:
    """The words in a text that would signal a change of mind."""
    found = _MARKER.search(text)
    return found.group() if found else None


def _shown(text: str) -> str:
    """A text of the output within a sentence: short, quoted, and without what can't be seen."""
    cut = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    return as_data("".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in cut))
