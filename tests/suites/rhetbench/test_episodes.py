"""Episodes: a persuader and a character through the workflow."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import pairwise
from unicodedata import category

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtomtrack.graphs.persuasion import Spoken
from dtomtrack.scenarios.persuasion_npc.arguments import ArgumentClass, Tone
from dtomtrack.scenarios.persuasion_npc.briefing import Briefing, Cue, briefing_of
from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack
from dtomtrack.scenarios.persuasion_npc.pack_files import builtin_pack, builtin_packs
from dtomtrack.scenarios.persuasion_npc.pools import shared_lines
from dtomtrack.scenarios.placeholders import fill
from dtomtrack.suites.rhetbench.episode import Episode, EpisodeConfig, TurnRecord
from dtomtrack.suites.rhetbench.listening import LONGEST, received
from dtomtrack.suites.rhetbench.persuaders import ScriptedPersuader
from dtomtrack.suites.rhetbench.planning import PlayConfig, episode_config, position
from dtomtrack.suites.rhetbench.playing import play_episode
from dtomtrack.suites.rhetbench.replies import LEGIBILITIES, Reply, claim_of, reply_text


class Says:
    """Says these messages, and keeps what it was shown."""

    def __init__(self, *messages: str) -> None:
        self._messages = messages
        self.shown: list[tuple[Briefing, tuple[Spoken, ...]]] = []

    async def say(self, briefing: Briefing, lines: Sequence[Spoken]) -> str:
        self.shown.append((briefing, tuple(lines)))
        return self._messages[(len(self.shown) - 1) % len(self._messages)]


def config_of(pack: PersuasionPack, **play: object) -> EpisodeConfig:
    return episode_config(PlayConfig.model_validate(play), [pack], 0)[1]


def says(pack: PersuasionPack, *messages: str, **play: object) -> Episode:
    return asyncio.run(play_episode(Says(*messages), "test", pack, config_of(pack, **play)))


def scripted(policy: str, index: int, **play: object) -> Episode:
    pack, config = episode_config(PlayConfig.model_validate(play), builtin_packs(), index)
    return asyncio.run(play_episode(ScriptedPersuader(policy, pack, config), policy, pack, config, index))


def test_whoever_finds_out_wins() -> None:
    episode = scripted("first-positive", 0)
    assert episode.won
    assert episode.turns[-1].agreement >= episode.config.mind.threshold


def test_doing_nothing_does_not_win() -> None:
    assert not scripted("do-nothing", 0).won


@pytest.mark.parametrize("policy", ["random", "bayes", "oracle"])
def test_the_same_episode_twice_is_the_same(policy: str) -> None:
    assert scripted(policy, 7).model_dump_json() == scripted(policy, 7).model_dump_json()


def test_episodes_end_at_the_turn_they_are_told() -> None:
    assert len(says(builtin_pack("needle_finder"), "I have nothing further to add.", turns=3).turns) == 3


def test_the_persuader_is_shown_what_was_said_and_nothing_of_what_is_hidden() -> None:
    canary = 0.7213947
    pack = builtin_pack("cold_skeptic")
    hidden = config_of(pack).mind.model_copy(update={"threshold": canary, "repeat_penalty": canary / 2})
    config = config_of(pack).model_copy(update={"mind": hidden})
    persuader = Says("The data show a 40 percent drop in costs.", "A friend of mine told me about it.")
    episode = asyncio.run(play_episode(persuader, "test", pack, config))
    for briefing, lines in persuader.shown:
        shown = briefing.model_dump_json() + "".join(line.text for line in lines)
        assert str(canary) not in shown
        assert pack.id not in shown
        assert not any(str(shift) in shown for shift in hidden.profile.values() if shift > 0.03)
        assert not any(one in shown for one in ArgumentClass)
        assert not any(f"{turn.agreement}" in shown for turn in episode.turns)


@pytest.mark.parametrize("cue", ["congruent", "neutral", "incongruent"])
def test_the_three_contexts_tell_of_one_person(cue: Cue) -> None:
    for pack in builtin_packs(controls=True):
        assert briefing_of(pack, cue).context.startswith(pack.context)


def test_a_question_buys_a_hint_twice() -> None:
    pack = builtin_pack("needle_finder")
    replies = [turn.reply for turn in says(pack, "What would change your mind?", turns=4).turns]
    assert all("story" in one or "someone" in one for one in replies[:2])
    assert not any("story" in one or "someone" in one for one in replies[2:])


def test_under_published_rules_nothing_can_be_asked() -> None:
    turn = says(builtin_pack("needle_finder"), "What would change your mind?", rules="published", turns=1).turns[0]
    assert turn.argument is ArgumentClass.GENERIC


def test_the_question_of_the_character_can_be_answered() -> None:
    pack = builtin_pack("cold_skeptic")
    data = "The data show it: the costs fell by 18 percent."
    before = says(pack, data)
    asked = next(number for number, turn in enumerate(before.turns) if "pivot" in turn.flags)
    answer = "The first phase is one site in one year, and the rollout in phases reduces the cost by 20 percent."
    after = says(pack, *[data] * (asked + 1), answer)
    assert "answers" in after.turns[asked + 1].flags
    assert after.turns[asked + 1].delta > before.turns[asked + 1].delta


@pytest.mark.parametrize("legibility", LEGIBILITIES)
def test_legibility_changes_words_and_nothing_else(legibility: str) -> None:
    clear, other = scripted("cycle", 2), scripted("cycle", 2, legibility=legibility)
    assert [turn.tone for turn in clear.turns] == [turn.tone for turn in other.turns]
    assert ([turn.reply for turn in clear.turns] == [turn.reply for turn in other.turns]) == (legibility == "clear")


def test_a_character_does_not_repeat_itself_at_once() -> None:
    for index in range(23):
        replies = [turn.reply for turn in scripted("only-logical", index).turns]
        assert all(one != two for one, two in pairwise(replies))


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=400))
def test_any_message_is_harmless(message: str) -> None:
    text, _ = received(message)
    assert len(text) <= LONGEST
    assert not {"Cc", "Cs", "Zl", "Zp"} & set(map(category, text))
    assert all(len(claim_of(text, one)) <= 60 for one in ArgumentClass)


@pytest.mark.parametrize(
    ("message", "heard", "flags"),
    [
        ("Look at this \U0001fae9, of a later Unicode.", None, ()),
        ("A family \U0001f468\u200d\U0001f469\u200d\U0001f467 and \u2764\ufe0f.", None, ()),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 it.", None, ()),
        ("The da\u200dta show\u202e it.", "The da ta show it.", ("cleaned",)),
        ("One\u2028two\x00three \ud800 four.", "One two three four.", ("cleaned",)),
    ],
)
def test_what_can_be_seen_is_heard_whatever_python_knows_of_unicode(
    message: str, heard: str | None, flags: tuple[str, ...]
) -> None:
    assert received(message) == (heard or message, flags)


@pytest.mark.parametrize(
    "message",
    [
        "The plan {claim} and {worry} here",
        "<script>alert('here we are now')</script>",
        "{claim} {claim} {claim} {topic}",
    ],
)
def test_what_is_said_is_quoted_and_not_filled_again(message: str) -> None:
    pack = builtin_pack("open_mind")
    for uses in range(8):
        reply = Reply(0, uses, ArgumentClass.LOGICAL, Tone.NEUTRAL, Tone.NEUTRAL, uses, ArgumentClass.LOGICAL, message)
        text = reply_text(pack, reply)
        assert "{" not in text
        assert "<" not in text
        assert not any(pack.worry in claim_of(message, one) for one in ArgumentClass)


@pytest.mark.parametrize(
    ("message", "flag"),
    [
        ("", "empty"),
        (" \n ", "empty"),
        ("x" * 301, "cut"),
        ("x" * 1_000_000, "cut"),
        ("Yes.", "short"),
        ("a\x1b[31mred herring", "cleaned"),
    ],
)
def test_odd_messages_are_flagged_and_go_on(message: str, flag: str) -> None:
    turn = says(builtin_pack("open_mind"), message, turns=1).turns[0]
    assert flag in turn.flags
    assert "\x1b" not in turn.message


@given(st.integers(1, 40), st.integers(0, 2**31), st.integers(0, 5))
def test_every_block_has_every_scenario_once(count: int, seed: int, block: int) -> None:
    numbers = [position(index, count, seed) for index in range(block * count, (block + 1) * count)]
    assert sorted(number for number, _ in numbers) == list(range(count))
    assert {sample for _, sample in numbers} == {block}


def test_the_turn_of_a_change_is_in_no_reply_before_it() -> None:
    steady, changing = scripted("cycle", 4), scripted("cycle", 4, drift="once")
    drift = changing.config.mind.drift
    assert drift is not None
    before = drift.turn - 1
    assert steady.turns[:before] == changing.turns[:before]


def test_the_oracle_follows_a_change_and_wins() -> None:
    for index in range(23):
        assert scripted("oracle", index, drift="once").won


def ends_with_one_of(reply: str, lines: Sequence[str], pack: PersuasionPack) -> bool:
    return reply.endswith(tuple(fill(line, pack.placeholders) for line in lines))


def test_the_last_words_say_how_it_ended() -> None:
    easy, hard = builtin_pack("needle_finder"), builtin_pack("hair_trigger")
    won = says(easy, "A friend of mine told me how she did it, one rainy morning.")
    assert won.won
    assert ends_with_one_of(won.turns[-1].reply, shared_lines().closings.won, easy)
    lost = says(hard, "Most people in your position have already switched.")
    assert lost.walked_out
    assert [ends_with_one_of(turn.reply, shared_lines().closings.walked_out, hard) for turn in lost.turns] == [
        *[False] * (len(lost.turns) - 1),
        True,
    ]


@pytest.mark.parametrize(
    ("message", "heard", "quoted"),
    [
        ("There it is: the numbers get worse each year, it's all there.", "LOGICAL", "the numbers get worse each year"),
        ("What hurts more: trying, or the regret of having not?", "EMOTIONAL", "the regret of having not"),
        ("Think of the peace of mind, and of the joy of waking up.", "EMOTIONAL", "Think of the peace of mind"),
        ("I was wrong there. The doctor looked at it for a long, long time.", "CONCESSION", "I was wrong there"),
        ("That's fair. The doctor looked at it for a long, long time.", "CONCESSION", ""),
        ("Yes. No. Well.", "LOGICAL", ""),
    ],
)  # fmt: skip
def test_the_clause_that_says_most_of_its_kind_is_quoted(message: str, heard: str, quoted: str) -> None:
    assert claim_of(message, ArgumentClass(heard)) == quoted


def test_who_answers_the_question_with_no_argument_is_told_so() -> None:
    pack = builtin_pack("entrenched_exec")
    admitted = "Granted, earlier attempts went badly. You have a point there."
    answer = "It would go in stages, with a rollback after each one, and the rollback is in your hands."
    episode = says(pack, admitted, admitted, answer, turns=3)
    assert "pivot" in episode.turns[1].flags
    assert episode.turns[2].argument is ArgumentClass.GENERIC
    assert episode.turns[2].reply in shared_lines().answered


def asked_and_followed(policy: str) -> Sequence[TurnRecord]:
    """Every turn that follows a question of the character."""
    episodes = [scripted(policy, index) for index in range(len(builtin_packs()))]
    return [following for episode in episodes for turn, following in pairwise(episode.turns) if "pivot" in turn.flags]


def test_scripted_persuaders_who_listen_take_up_the_question_and_others_do_not() -> None:
    answered = asked_and_followed("first-positive")
    assert len(answered) > 10
    assert all("answers" in turn.flags for turn in answered)
    ignored = asked_and_followed("random")
    assert len(ignored) > 5
    assert sum("answers" in turn.flags for turn in ignored) <= 1, "two words in common may be chance"


def test_an_answer_is_acknowledged() -> None:
    answered = asked_and_followed("first-positive")
    assert all(turn.reply.startswith(shared_lines().heeded) for turn in answered)


def test_who_listens_credits_a_late_tone_to_the_message_that_drew_it() -> None:
    episodes = [scripted("first-positive", index, legibility="delayed") for index in range(23)]
    assert sum(episode.won for episode in episodes) >= 20
