"""What readers of long dialogues saw no sense in: things said twice, contradicted, out of nowhere, as secrets."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from dtomtrack.beliefs.divergence import Way
from dtomtrack.beliefs.markers import marker
from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.graphs.context import RoleplayContext
from dtomtrack.graphs.roleplay import Attempt, play
from dtomtrack.runs.slots import slot_at
from dtomtrack.scenarios.acting.company_speech import unfit_for, ways_to_say
from dtomtrack.scenarios.acting.line_book import LineBook
from dtomtrack.scenarios.acting.occasions import with_occasions
from dtomtrack.scenarios.company_lines import company_lines
from dtomtrack.scenarios.dials import difficulty_of
from dtomtrack.scenarios.difficulty import preset
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.scenarios.sampler import sample_scenario
from dtomtrack.scenarios.script import DirectedScenario, Direction, Move

DOMAINS = ("family", "medical", "restaurant", "team", "travel")
PRESUMES = {Move.PRESUME, Move.ACT}
HOLDS = {Move.VOICE, Move.UPDATE, Move.RESTATE, Move.STAY}
SECRET = ("nobody", "quietly", "your eyes")


@pytest.fixture(scope="module")
def hard(domains: dict[str, Domain]) -> list[DirectedScenario]:
    difficulty = preset("hard")
    return [
        sample_scenario(domains[name].pack, slot_at(21, at, [name]), 0, difficulty.turns, difficulty)
        for name in DOMAINS
        for at in range(4)
    ]


@pytest.fixture(scope="module")
def extreme(domains: dict[str, Domain]) -> list[DirectedScenario]:
    difficulty = preset("extreme")
    return [
        sample_scenario(domains[name].pack, slot_at(91, 0, [name]), 0, difficulty.turns, difficulty) for name in DOMAINS
    ]


def said(directed: DirectedScenario, *moves: Move) -> Iterator[tuple[int, Direction]]:
    for turn, here in enumerate(directed.script):
        yield from ((turn, one) for one in here if one.move in moves)


def test_the_same_is_not_taken_for_granted_of_somebody_again_at_once(hard: list[DirectedScenario]) -> None:
    again = []
    for directed in hard:
        before: dict[tuple[str, str, str], int] = {}
        for turn, one in said(directed, *PRESUMES):
            key = (one.topic, one.holder, one.value)
            again += [(turn, one)] if turn - before.get(key, -20) < 10 else []
            before[key] = turn
    assert again == []


def test_who_has_just_told_something_does_not_take_it_for_granted_at_once(
    hard: list[DirectedScenario], extreme: list[DirectedScenario]
) -> None:
    told, again = 0, []
    for directed in (*hard, *extreme):
        for turn, tale in said(directed, Move.TELL):
            told += 1
            again += [
                (turn, at)
                for at, one in said(directed, *PRESUMES)
                if turn < at < turn + 10 and speaker(directed, at) == speaker(directed, turn)
                if (one.topic, one.holder, one.value) == (tale.topic, tale.holder, tale.value)
            ]
    assert told
    assert again == []


def test_nobody_stays_with_what_they_were_just_told_is_impossible(hard: list[DirectedScenario]) -> None:
    """ "The museum is shut." "It's the museum for me." """
    against, contradicted = 0, []
    for directed in hard:
        for turn, one in said(directed, Move.REVEAL):
            against += bool(one.old)
            contradicted += [
                (turn, later)
                for at, other in said(directed, *HOLDS)
                if turn < at <= turn + 15 and one.old and (other.topic, other.value) == (one.topic, one.old)
                for later in [other]
            ]
    assert against > 5
    assert contradicted == []


def test_a_change_out_of_nowhere_says_what_it_is_about(
    hard: list[DirectedScenario], extreme: list[DirectedScenario], domains: dict[str, Domain]
) -> None:
    assert all("{label}" in line for line in company_lines(domains["team"].pack.company).turned_over)
    unmarked = feelings = 0
    for directed in (*hard, *extreme):
        for turn, one in said(directed, Move.UPDATE):
            topic = next(topic for topic in directed.scenario.topics if topic.id == one.topic)
            before = [*directed.script[turn - 1], *directed.script[turn]]
            clear = any(
                other.topic == one.topic and other.move is not Move.OWN_REASON for other in directed.script[turn - 1]
            )
            # "You know what, it makes me furious": what does?
            feeling = topic.mental_state is MentalState.EMOTION
            if clear or (not feeling and (one.marker or topic.mental_state is MentalState.KNOWLEDGE)):
                continue
            unmarked += not one.marker
            feelings += feeling
            assert any(other.move is Move.OWN_REASON and other.named for other in before), (turn, one)
    assert min(unmarked, feelings) > 5


@pytest.mark.parametrize("name", DOMAINS)
def test_notes_are_no_secrets_as_whoever_reads_them_may_speak_of_them(name: str, domains: dict[str, Domain]) -> None:
    lines = company_lines(domains[name].pack.company).write
    assert [line for line in lines if any(word in line for word in SECRET)] == []


@pytest.mark.parametrize("name", DOMAINS)
def test_what_is_pretended_stands_alone_behind_a_colon_or_in_quotes(name: str, domains: dict[str, Domain]) -> None:
    """Not "I'll say in the far corner when it comes to the desk"."""
    company = company_lines(domains[name].pack.company)
    quoted = [line for line in (*company.discreet, *company.kept_up) if '"{short}"' in line]
    assert [line for line in (*company.discreet, *company.kept_up) if not line.endswith(": {short}.")] == quoted
    assert len(quoted) > 15


@pytest.mark.parametrize("name", DOMAINS)
def test_no_lie_waits_until_somebody_asks(name: str, domains: dict[str, Domain]) -> None:
    """ "I'll fib if Cecily asks: a tortoise", and then told unasked."""
    lines = company_lines(domains[name].pack.company)
    lies = (*lines.discreet, *lines.kept_up)
    assert [line for line in lies if re.search(r"(?<!as )\bif\b|\bwhen \{label\}|\basks\b", line)] == []


@pytest.mark.parametrize("name", DOMAINS)
def test_who_may_arrive_later_is_at_no_table_before(name: str, domains: dict[str, Domain]) -> None:
    contexts = [one.context for one in domains[name].pack.people]
    assert contexts
    there = re.compile(r"\b(?:sits?|takes?|comes?|come|brought|at the table|joins?)\b")
    assert [one for one in contexts if there.search(one)] == []


def test_who_passes_on_something_else_than_they_know_says_that_they_half_heard_it(domains: dict[str, Domain]) -> None:
    difficulty = difficulty_of("hard", {"garbled_share": "1.0"})
    context = RoleplayContext(domains, verifiers=(), difficulty=difficulty)
    half_heard = company_lines(domains["team"].pack.company).half_heard
    told = 0
    for index in range(48):
        directed = sample_scenario(domains["team"].pack, slot_at(3, index, ["team"]), 0, difficulty.turns, difficulty)
        attempt = Attempt(domains=["team"], seed=3, index=index, attempt=0, length=difficulty.turns)
        dialogue = asyncio.run(play(context, attempt)).dialogue
        assert dialogue is not None
        for turn, direction in said(directed, Move.TELL):
            if direction.old != direction.value:
                told += 1
                words = dialogue.turns[turn].utterance.casefold()
                assert any(line.rstrip(".").casefold() in words for line in half_heard), words
        if told >= 6:
            break
    assert told >= 6


def speaker(directed: DirectedScenario, turn: int) -> str:
    return directed.scenario.agents[directed.scenario.speaking_order[turn]].name


def hearers(directed: DirectedScenario, turn: int) -> set[str]:
    """Those who are there, or for whom alone it is."""
    return set(directed.scenario.audience(turn))


def test_nobody_tells_who_was_lied_to_how_it_is(extreme: list[DirectedScenario]) -> None:
    """By the turns at which it was said the lie is newer; a reader would take them to see through it."""
    lies, told = 0, []
    for directed in extreme:
        for lie in directed.scenario.divergences:
            if lie.way is not Way.UNTRUTH:
                continue
            lies += 1
            told += [
                (turn, one)
                for turn, one in said(directed, Move.TELL, *PRESUMES)
                if lie.from_turn < turn < (lie.until_turn or len(directed.script))
                if (one.holder, one.topic, one.value) == (lie.holder, lie.topic, lie.actual)
                if lie.mistaken in hearers(directed, turn)
            ]
    assert lies > 20
    assert told == []


def test_who_was_asked_to_keep_something_from_somebody_does_not_say_it_before_them(
    extreme: list[DirectedScenario],
) -> None:
    """ "Not even chocolate would get it out of me", and then aloud: "As you take it that the smell is the drains"."""
    asked, betrayed = 0, []
    for directed in extreme:
        for turn, secret in said(directed, Move.CONFIDE):
            about, confidants = (secret.holder, secret.topic), hearers(directed, turn) - {secret.holder}
            kept_from = next(
                (
                    one.mistaken
                    for one in directed.scenario.divergences
                    if one.way in {Way.ASIDE, Way.UNTRUTH} and (one.holder, one.topic) == about
                    if turn <= one.from_turn and one.mistaken not in confidants
                ),
                None,
            )
            if kept_from is None:
                continue
            asked += 1
            (kept,) = (one.value for one in directed.script[turn] if one.move is Move.UPDATE)
            heard = [at for at in range(turn + 1, len(directed.script)) if kept_from in hearers(directed, at)]
            until = min(
                (at for at, one in said(directed, *HOLDS) if at in heard and _is(directed, at, one, about)), default=999
            )
            betrayed += [
                (turn, at, kept_from)
                for at, one in said(directed, Move.TELL, *PRESUMES)
                if turn < at < until and at in heard and (one.holder, one.topic, one.value) == (*about, kept)
                if directed.scenario.speaker(at) in confidants
            ]
    assert asked > 20
    assert betrayed == []


def _is(directed: DirectedScenario, turn: int, one: Direction, about: tuple[str, str]) -> bool:
    """Whether somebody says how it is with them."""
    return (directed.scenario.speaker(turn), one.topic) == about


def test_what_is_rightly_taken_for_granted_is_left_open_too(hard: list[DirectedScenario]) -> None:
    """Else whoever is put off has said something wrong."""
    answered = Counter[tuple[bool, bool]]()
    for directed in hard:
        wrong = {
            (turn, one.holder, one.topic, one.believed)
            for one in directed.scenario.divergences
            for turn in one.shown_at
        }
        for turn, one in said(directed, Move.PRESUME):
            is_wrong = (turn, one.holder, one.topic, one.value) in wrong
            after = directed.script[turn + 1] if turn + 1 < len(directed.script) else ()
            answered[is_wrong, any(other.move is Move.DODGE for other in after)] += 1
    assert answered[False, True] > 0.1 * answered[True, True] > 1


def test_nobody_says_you_to_who_does_not_hear_it(hard: list[DirectedScenario], domains: dict[str, Domain]) -> None:
    """ "I cycle past your street", to two others, of one who is out of the room."""
    behind = 0
    for directed in hard:
        pack = domains[directed.scenario.domain].pack
        for turn, one in said(directed, Move.VOICE, Move.UPDATE, Move.MISLEAD):
            topic = pack.topic(one.topic)
            if not one.behind or one.value == topic.ignorance or re.search(r"\byou", one.value):
                continue
            behind += 1
            assert not topic.shared
            assert len(hearers(directed, turn)) < len(directed.scenario.agents)
            for number in range(30):
                picked = one._replace(pick=number, nth=number)
                line = ways_to_say(pack, topic, one.value).pick(picked, LineBook(), unfit_for(picked, pack.lines.talk))
                assert not re.search(r"\byour?\b", line), line
    assert behind > 5


def test_nobody_writes_down_that_they_hesitate(extreme: list[DirectedScenario]) -> None:
    spoken = {"wait", "hold_on", "you_know_what", "in_that_case", "now_that", "a_minute_ago"}
    written = [
        one.marker
        for directed in extreme
        for turn, one in said(directed, Move.UPDATE)
        if any(other.move is Move.WRITE for other in directed.script[turn])
    ]
    assert len(written) > 15
    assert spoken.isdisjoint(written)


def test_what_is_taken_for_granted_first_of_all_is_named(hard: list[DirectedScenario]) -> None:
    """ "You're uneasy about it": about what?"""
    first = 0
    for directed in hard:
        spoken_of: set[str] = set()
        for here in directed.script:
            for one in here:
                if one.move is Move.PRESUME and one.topic not in spoken_of:
                    first += 1
                    assert any(other.move is Move.LEAD and other.topic == one.topic for other in here), one
            spoken_of |= {one.topic for one in here}
    assert first > 5


def taken_for_granted(directed: DirectedScenario) -> Iterator[tuple[int, Direction, bool]]:
    """What somebody takes for granted, and whether it is so."""
    wrong = {
        (turn, one.holder, one.topic, one.believed) for one in directed.scenario.divergences for turn in one.shown_at
    }
    for turn, one in said(directed, *PRESUMES):
        yield turn, one, (turn, one.holder, one.topic, one.value) not in wrong


def test_nobody_is_put_right_by_what_they_heard_from_the_same_mouth_when_it_was_wrong(
    hard: list[DirectedScenario], extreme: list[DirectedScenario]
) -> None:
    """ "As you'll do the puzzle": he said so before, and was wrong; who was out since then would think he is again."""
    repeated, mistaken = 0, []
    for directed in (*hard, *extreme):
        before: dict[tuple[str, str, str, str], list[int]] = {}
        for turn, one, right in taken_for_granted(directed):
            heard_wrong = before.setdefault((speaker(directed, turn), one.holder, one.topic, one.value), [])
            for was in heard_wrong if right else ():
                repeated += 1
                both = hearers(directed, was) & hearers(directed, turn)
                mistaken += [
                    (turn, gap.mistaken, one)
                    for gap in directed.scenario.divergences
                    if (gap.holder, gap.topic) == (one.holder, one.topic) and gap.mistaken in both
                    if gap.from_turn < turn and gap.until_turn == turn and gap.actual == one.value
                ]
            if not right:
                heard_wrong.append(turn)
    assert repeated
    assert mistaken == []


def test_who_mixed_something_up_has_no_second_story_for_the_same_ears(
    hard: list[DirectedScenario], extreme: list[DirectedScenario]
) -> None:
    """ "She hopes for the front window", and two turns later to the same one: "since she wants a table outside"."""
    told, contradicted = 0, []
    for directed in (*hard, *extreme):
        for turn, tale in said(directed, Move.TELL):
            if tale.value == tale.old:
                continue
            told += 1
            teller, about = speaker(directed, turn), (tale.holder, tale.topic)
            for later, one in said(directed, *PRESUMES):
                if later <= turn or speaker(directed, later) != teller or (one.holder, one.topic) != about:
                    continue
                words = (at for at, word in said(directed, *HOLDS) if (word.holder, word.topic) == about)
                heard = any(turn < at < later and teller in hearers(directed, at) for at in words)
                both = (hearers(directed, turn) & hearers(directed, later)) - {teller, tale.holder}
                if not heard and both and one.value == tale.old:
                    contradicted.append((turn, later, one))
    assert told > 20
    assert contradicted == []


def test_nobody_tells_who_has_just_heard_them_speak_of_it(
    hard: list[DirectedScenario], extreme: list[DirectedScenario]
) -> None:
    """ "She wants poppies, so I've put in a word", and two turns later to the same one: "She wants brown paper"."""
    told, again = 0, []
    for directed in (*hard, *extreme):
        for turn, tale in said(directed, Move.TELL):
            told += 1
            teller = speaker(directed, turn)
            for before, one in said(directed, Move.TELL, *PRESUMES):
                near = turn - 12 <= before < turn and speaker(directed, before) == teller
                if near and (one.holder, one.topic) == (tale.holder, tale.topic):
                    both = (hearers(directed, before) & hearers(directed, turn)) - {teller, tale.holder}
                    again += [(before, turn, tale)] if both else []
    assert told > 20
    assert again == []


def test_nobody_comes_to_hold_what_they_said_they_would_only_pretend(
    hard: list[DirectedScenario], extreme: list[DirectedScenario]
) -> None:
    """ "I'll say the school and make believe", and ten turns later to the same people: "it has to be the school"."""
    announced, taken_up = 0, []
    for directed in (*hard, *extreme):
        for turn, fib in said(directed, Move.DISCREET):
            announced += 1
            pretended = (fib.holder, fib.topic, fib.old)
            changes = ((at, (one.holder, one.topic, one.value)) for at, one in said(directed, Move.UPDATE))
            taken_up += [at for at, taken in changes if taken == pretended and at > turn]
    assert announced > 20
    assert taken_up == []


def grouped(pack: DomainPack, seed: int, count: int) -> Iterator[DirectedScenario]:
    difficulty = preset("group")
    for at in range(count):
        yield sample_scenario(pack, slot_at(seed, at, [pack.name]), 0, difficulty.turns, difficulty)


def test_nothing_is_mixed_up_with_what_the_hearer_has_just_heard_turned_down(domains: dict[str, Domain]) -> None:
    mixed_up, turned_down = 0, []
    for directed in grouped(domains["travel"].pack, 6, 70):
        for turn, tale in said(directed, Move.TELL):
            if tale.value == tale.old:
                continue
            mixed_up += 1
            to = hearers(directed, turn) - {speaker(directed, turn)}
            turned_down += [
                (at, turn, tale)
                for at, reason in said(directed, Move.REVEAL)
                if turn - 12 <= at < turn and to <= hearers(directed, at)
                if (reason.topic, reason.holder, reason.value) == (tale.topic, tale.holder, tale.value)
            ]
    assert mixed_up > 20
    assert turned_down == []


def test_who_gave_up_what_they_argued_for_is_not_glad_when_it_is_taken_up(domains: dict[str, Domain]) -> None:
    glad = 0
    for directed in grouped(domains["medical"].pack, 9129, 12):
        script = with_occasions(directed)
        for turn, here in enumerate(script):
            for one in (one for one in here if one.move is Move.ACCEPT and one.occasion.won):
                glad += 1
                taken_up = next(word.value for word in script[turn - 1] if word.move is Move.UPDATE)
                about = one.topic, speaker(directed, turn)
                words = (word for at, word in said(directed, *HOLDS) if at < turn)
                own = [word.value for word in words if (word.topic, word.holder) == about]
                assert own[-1:] in ([], [taken_up])
    assert glad


def test_nobody_leaves_open_what_they_have_just_said(hard: list[DirectedScenario]) -> None:
    """ "I know that the flight leaves at six." "You know that it leaves at six." "I'll let that stand."."""
    again, open_at_once = 0, []
    for directed in hard:
        for turn, one, right in taken_for_granted(directed):
            after = directed.script[turn + 1] if turn + 1 < len(directed.script) else ()
            if not right or one.move is not Move.PRESUME or all(other.move is not Move.DODGE for other in after):
                continue
            again += 1
            open_at_once += [
                (at, turn, one)
                for at, other in said(directed, Move.VOICE, Move.UPDATE, Move.RESTATE)
                if turn - 4 < at < turn and (other.holder, other.topic) == (one.holder, one.topic)
            ]
    assert again > 1
    assert open_at_once == []


def test_who_knows_nothing_of_a_topic_does_not_bring_it_up_like_one_they_know_of(domains: dict[str, Domain]) -> None:
    """ "Which leaves the time of the flight. I know nothing about the time of the flight." """
    difficulty, names, unknowing = preset("group"), ["travel"], 0
    context = RoleplayContext(domains, verifiers=(), difficulty=difficulty)
    pack = domains["travel"].pack
    for at in range(30):
        directed = sample_scenario(pack, slot_at(5, at, names), 0, difficulty.turns, difficulty)
        given = Attempt(domains=names, seed=5, index=at, attempt=0, length=difficulty.turns)
        dialogue = asyncio.run(play(context, given)).dialogue
        assert dialogue is not None
        for turn, one in said(directed, Move.VOICE):
            topic = pack.topic(one.topic)
            if one.value == topic.ignorance and any(other.move is Move.LEAD for other in directed.script[turn]):
                unknowing += 1
                names_of_it = "|".join(map(re.escape, sorted(topic.names, key=len, reverse=True)))
                assert len(re.findall(names_of_it, dialogue.turns[turn].utterance)) == 1
    assert unknowing


def test_nobody_is_told_everything_at_once_or_by_one_person_twice(extreme: list[DirectedScenario]) -> None:
    """Nine whispers in a row to who has come back, and three times the same from the same mouth."""
    told = 0
    for directed in extreme:
        scenario, last, heard = directed.scenario, dict[str, int](), set[tuple[str, ...]]()
        for turn, one in said(directed, Move.TELL):
            alone = scenario.planned_audience(turn) is not None
            for name in scenario.audience(turn):
                what = scenario.speaker(turn), name, one.holder, one.topic, one.value
                if alone and name != scenario.speaker(turn):
                    assert turn - last.get(name, -5) > 4
                    assert what not in heard
                    last[name] = turn
                    told += 1
                heard.add(what)
    assert told > 20


def test_nobody_gives_up_a_feeling_that_they_never_had(
    hard: list[DirectedScenario], extreme: list[DirectedScenario]
) -> None:
    """ "So not uneasy after all: I'm weary", who was never uneasy."""
    turned_down = 0
    for directed in (*hard, *extreme):
        states = {topic.id: topic.mental_state for topic in directed.scenario.topics}
        for _, one in said(directed, Move.RESTATE):
            if one.marker == "not_after_all":
                assert states[one.topic] is not MentalState.EMOTION
                turned_down += 1
    assert turned_down


def test_nobody_says_that_it_was_once_so_what_they_never_held(
    hard: list[DirectedScenario], extreme: list[DirectedScenario]
) -> None:
    """ "It was so once, but not any more", to what a third had garbled."""
    once_so = 0
    for directed in [*hard, *extreme]:
        scenario = directed.scenario
        held = {(agent.name, one.topic, one.content): 0 for agent in scenario.agents for one in agent.initial_states}
        for update in sorted(scenario.updates, key=lambda update: update.turn):
            held.setdefault((update.agent, update.topic, update.new), update.turn)
        for turn, one in said(directed, Move.CORRECT):
            if one.old:
                assert held[one.holder, one.topic, one.old] < turn
                once_so += 1
    assert once_so > 5


def test_nobody_is_told_the_untruth_of_which_they_were_told_that_it_is_one(extreme: list[DirectedScenario]) -> None:
    told = 0
    for directed in extreme:
        scenario, announced = directed.scenario, set[tuple[str, ...]]()
        for turn, one in said(directed, Move.DISCREET, Move.MISLEAD):
            if one.move is Move.DISCREET:
                announced |= {(name, one.holder, one.topic, one.old) for name in scenario.audience(turn)}
            else:
                assert (one.to, one.holder, one.topic, one.value) not in announced
                told += 1
    assert told > 10


def test_a_note_says_what_it_is_about(hard: list[DirectedScenario], domains: dict[str, Domain]) -> None:
    """ "I just realized something: it's at the town hall", in a note on nothing."""
    difficulty, found_out = preset("group"), 0
    pack = domains["team"].pack
    short = [sample_scenario(pack, slot_at(977, at, ["team"]), 0, difficulty.turns, difficulty) for at in range(60)]
    for directed in (*hard, *short):
        states = {topic.id: topic.mental_state for topic in directed.scenario.topics}
        for turn, one in said(directed, Move.UPDATE):
            planned = directed.scenario.planned_audience(turn)
            if planned is None or not planned.is_note or (one.marker and marker(one.marker).names_old):
                continue
            reasoned = any(other.move is Move.REVEAL for other in directed.script[turn - 1])
            assert reasoned or any(other.move is Move.OWN_REASON and other.named for other in directed.script[turn])
            found_out += states[one.topic] is MentalState.KNOWLEDGE
    assert found_out > 1


async def test_who_has_just_been_greeted_by_name_is_not_named_again(domains: dict[str, Domain]) -> None:
    """ "Svetlana, at last, now we're complete. Svetlana, with the envelope full ..."."""
    difficulty, greeted = preset("group"), 0
    context = RoleplayContext(domains, verifiers=(), difficulty=difficulty)
    for at in range(30):
        found = await play(context, Attempt(domains=["team"], seed=5, index=at, attempt=0, length=difficulty.turns))
        assert found.dialogue is not None
        slot = slot_at(5, at, ["team"])
        directed = sample_scenario(domains["team"].pack, slot, 0, difficulty.turns, difficulty)
        for turn, one in said(directed, Move.WELCOME):
            assert found.dialogue.turns[turn].utterance.count(one.to) == 1
            greeted += any(other.to == one.to for other in directed.script[turn] if other is not one)
    assert greeted
