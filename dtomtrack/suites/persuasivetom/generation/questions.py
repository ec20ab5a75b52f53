"""Questions of all eight types about a played conversation, with right answers from the tracker.

What is right is right as often as wrong wherever it stands: intentions are asked among those of the same conversation,
strategies among its last ones; attitudes stand in two pairs of one polarity each; the persuader is asked
about as often with a rival of the goal, which other conversations are about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dtomtrack.items.contexts import LinesContext
from dtomtrack.items.item import Item
from dtomtrack.scenarios.persuasion.pack import Expressions, Form
from dtomtrack.scenarios.persuasion.plan import ROUNDS
from dtomtrack.suites.persuasivetom.generation.conversation import PlayedConversation
from dtomtrack.suites.persuasivetom.items import ABSENT, EARLIER, GOLD, LATER, stage_of
from dtomtrack.suites.persuasivetom.kinds import KINDS

__all__ = ["PRINCIPLE_TEXTS", "ask"]

PRINCIPLE_TEXTS: Mapping[str, str] = {
    "reciprocity": "To make a concession or a gift that calls for one in return",
    "scarcity": "To show that the thing is scarce and soon gone",
    "consensus": "To point to what other people are doing",
    "authority": "To lean on an expert or another authority",
    "commitment": "To win a first step that more will follow",
    "liking": "To be liked better, by praise or by what they have in common",
}
_WARM = frozenset({"affectionate", "admiring"})
"""Tones that would be right of any praise."""
_LATE = (2, 3, 4, 5)
"""The rounds whose strategies are the options of predictions behind the first."""
_LABELS = ("Yes", "No", "Neutral")
_YES_NO = ("Yes", "No")
_OUTCOMES: Mapping[str, str] = {
    "effective": "Will this strategy be effective?",
    "not effective": "Will this strategy fail?",
}
"""Whether a strategy helps, by wording; without a "not", since "Yes, it will be not effective" is hard to read."""


def ask(played: PlayedConversation, name: str, forms: Expressions) -> Iterator[Item]:
    """All questions about the conversation of this id."""
    asked = _Asked(played, name, forms)
    for number in range(ROUNDS):
        yield from asked.each_round(number)
        if number < ROUNDS - 1:
            yield from asked.with_next_round(number)


class _Asked:
    """Asks about one conversation."""

    def __init__(self, played: PlayedConversation, name: str, forms: Expressions) -> None:
        self._played = played
        self._name = name
        self._forms = forms
        self._rivals = [one for one in played.plan.goal.targets if one != played.plan.target]
        self._shift = played.plan.number

    # -- types -------------------------------------------------------------------------------------------------------

    def each_round(self, number: int) -> Iterator[Item]:
        """The six types that are asked after a round."""
        played, target = self._played, self._played.plan.target
        yield self._desire_of_persuader(number)
        yield from self._attitude_of_persuadee(number)
        yield from self._principle(number)
        question = f"Is {played.ee} likely to {target}?"
        labels = {"label": played.desire(number), **self._neighbours(number)}
        yield self._item("desire_ee", number, question, _LABELS, played.desire(number), _LABELS, labels)
        yield self._attitude_of_persuader(number)
        yield self._intention(number)

    def with_next_round(self, number: int) -> Iterator[Item]:
        """The types that ask about the round that follows: which strategy, if asked for, and whether it helps."""
        if number < ROUNDS - 2 and self._played.plan.rounds[number].intention.asks_for is not None:
            yield from self._prediction(number)
        wording = self._played.plan.rounds[number + 1].wording
        if wording is not None:
            yield self._judgement(number, wording)

    def _prediction(self, number: int) -> Iterator[Item]:
        """The strategy of the next round among those of other rounds, most of which are still to come.

        What was used does not come again, so nothing is asked before the last round, where that would leave one; nor
        where another argues by the same principle.
        """
        played, goal = self._played, self._played.plan.goal
        right = number + 1
        places = [right, *played.plan.random("among", number).sample(range(2, ROUNDS), 3)] if not number else _LATE
        golds = {place: played.strategy(place) for place in sorted(places)}
        principles = [goal.strategy(one).principle for one in golds.values()]
        if principles.count(goal.strategy(golds[right]).principle) == 1:
            question = f"Which strategy will {played.er} use next?"
            yield self._among("prediction", number, question, golds, right)

    def _desire_of_persuader(self, number: int) -> Item:
        own = (self._shift + number) % 2 == 0
        other = self._rivals[(self._shift // 2 + number) % len(self._rivals)]
        target = self._played.plan.target if own else other
        question = f"Is {self._played.er} trying to get {self._played.ee} to {target}?"
        return self._item("desire_er", number, question, _YES_NO, "Yes" if own else "No", _YES_NO)

    def _attitude_of_persuadee(self, number: int) -> Iterator[Item]:
        """The attitude, the opposite one that the same words might tell, and two that other words would.

        So neither the words nor whether somebody agrees is enough; nothing is asked of who says neither yes nor no, or
        only that all is as before, nor where the rest of the line is at odds with the words.
        """
        played = self._played
        planned, gold = played.plan.rounds[number], played.believed_by_er(number)
        own, beside = planned.attitude, planned.beside
        if own is None or beside is None or gold is None or planned.told != "plainly":
            return
        if planned.intention.label not in own.blurred_by:
            question = f"What does {played.er}, having heard the last line, take {played.ee}'s attitude to be?"
            yield self._either("belief_er", number, question, own.beside(beside), gold)

    def _either(self, kind: str, number: int, question: str, words: Sequence[tuple[str, str]], gold: str) -> Item:
        """Of attitudes with their polarities, one is right."""
        order = self._played.plan.random(kind, number).sample(words, len(words))
        return self._item(kind, number, question, [word for word, _ in order], gold, [side for _, side in order])

    def _tones(self, number: int) -> list[Form]:
        """The tones that the persuader's line can be asked about: praise is warm in any tone."""
        strategy, tone = self._played.strategy(number), self._played.believed_by_ee(number)
        warm = _WARM if self._played.plan.goal.strategy(strategy).principle == "liking" else frozenset[str]()
        return [one for one in self._forms.tones if one.word == tone or one.word not in warm]

    def _attitude_of_persuader(self, number: int) -> Item:
        """What the persuader feels of a yes or a no, by words that might tell of either; else the tone of the line."""
        played, planned = self._played, self._played.plan.rounds[number]
        question = f"What does {played.ee} take {played.er}'s attitude to be in the last exchange?"
        gold = played.believed_by_ee(number)
        if planned.feeling is None or planned.feeling_beside is None:
            return self._tone(number, question, gold, self._tones(number))
        return self._either("belief_ee", number, question, planned.feeling.beside(planned.feeling_beside), gold)

    def _tone(self, number: int, question: str, gold: str, forms: Sequence[Form]) -> Item:
        """Two words of the right polarity and two of another one: that two are alike tells nothing."""
        polarity = next(one.polarity for one in forms if one.word == gold)
        rng = self._played.plan.random("belief_ee", number)
        other = rng.choice(sorted({one.polarity for one in forms} - {polarity}))
        same = [one.word for one in forms if one.polarity == polarity and one.word != gold]
        words = [gold, rng.choice(same), *rng.sample([one.word for one in forms if one.polarity == other], 2)]
        rng.shuffle(words)
        polarities = {one.word: one.polarity for one in forms}
        return self._item("belief_ee", number, question, words, gold, [polarities[word] for word in words])

    def _principle(self, number: int) -> Iterator[Item]:
        """The principle of the strategy; nothing where it argues otherwise, in a tone that is praise itself."""
        played = self._played
        gold = played.plan.goal.strategy(played.strategy(number)).principle
        if gold != "liking" and played.believed_by_ee(number) in _WARM:
            return
        order = list(PRINCIPLE_TEXTS)
        played.plan.random("principle", number).shuffle(order)
        texts = [PRINCIPLE_TEXTS[one] for one in order]
        question = f"What does {played.er} intend with the way of arguing in the last exchange?"
        yield self._item("intention_er", number, question, texts, PRINCIPLE_TEXTS[gold], order)

    def _intention(self, number: int) -> Item:
        played = self._played
        golds = {place: played.intention(place) for place in played.plan.offered(number)}
        question = f"What does {played.ee} want to do with the last line?"
        return self._among("intention_ee", number, question, golds, number)

    def _judgement(self, number: int, wording: str) -> Item:
        played = self._played
        helps = bool(played.live(number) - played.live(number + 1))
        right = "Yes" if helps == (wording == "effective") else "No"
        question = (
            f'{played.er} will use the strategy "{played.strategy(number + 1)}" next to get {played.ee} to '
            f"{played.plan.target}. {_OUTCOMES[wording]}"
        )
        return self._item("judgement", number, question, _YES_NO, right, _YES_NO, {"wording": wording})

    # -- items -------------------------------------------------------------------------------------------------------

    def _among(self, kind: str, number: int, question: str, golds: Mapping[int, str], right: int) -> Item:
        """An item of which each option is right in some round."""
        order = sorted(golds)
        self._played.plan.random(kind, number).shuffle(order)
        roles = [GOLD if place == right else EARLIER if place < right else LATER for place in order]
        texts = [golds[place][:1].upper() + golds[place][1:] for place in order]
        return self._item(kind, number, question, texts, texts[order.index(right)], roles)

    def _neighbours(self, number: int) -> dict[str, str]:
        played = self._played
        before = played.desire(number - 1) if number else None
        after = played.desire(number + 1) if number < ROUNDS - 1 else None
        change = "first asked" if before is None else "stays" if before == played.desire(number) else "changes"
        return {"change": change, "before": before or ABSENT, "after": after or ABSENT}

    def _item(
        self,
        kind: str,
        number: int,
        question: str,
        options: Sequence[str],
        gold: str,
        roles: Sequence[str],
        groups: Mapping[str, str] | None = None,
    ) -> Item:
        holder = {"er": "persuader", "ee": "persuadee"}.get(KINDS[kind].holder, ABSENT)
        plan = self._played.plan
        return Item(
            id=f"{self._name} {kind} {number}",
            cluster=self._name,
            question=question,
            options=tuple(options),
            gold=frozenset((list(options).index(gold),)),
            groups={
                "type": kind,
                "holder": holder,
                "round": str(number),
                "stage": stage_of(number, ROUNDS),
                **(groups or {}),
                "domain": plan.goal.domain,
            },
            roles=tuple(roles),
            turn=2 * number,
            context=LinesContext(self._played.shown(number), plan.context),
        )
