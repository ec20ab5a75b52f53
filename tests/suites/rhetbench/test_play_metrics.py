"""What episodes add up to."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from statistics import mean

import pytest

from dtomtrack.errors import DatasetError
from dtomtrack.graphs.persuasion import Spoken
from dtomtrack.scenarios.persuasion_npc.arguments import ArgumentClass, Tone
from dtomtrack.scenarios.persuasion_npc.briefing import Briefing
from dtomtrack.scenarios.persuasion_npc.pack_files import builtin_pack, builtin_packs
from dtomtrack.suites.rhetbench.adaptation import Reviewed, readaptation, review
from dtomtrack.suites.rhetbench.episode import Episode
from dtomtrack.suites.rhetbench.metrics import measure, paired_wins
from dtomtrack.suites.rhetbench.persuaders import ScriptedPersuader
from dtomtrack.suites.rhetbench.planning import PlayConfig, episode_config
from dtomtrack.suites.rhetbench.playing import play_episode
from dtomtrack.suites.rhetbench.replies import Legibility
from dtomtrack.suites.rhetbench.tone_reader import reader_without
from dtomtrack.suites.rhetbench.voiced import voiced_turns

DATA = "The data show a drop of 40 percent, and the figures are sound."
STORY = "A friend of mine told me how she did it, and I remember it well."
RIGHT = "You're right, I admit it."
QUESTION = "What would change your mind?"
NOTHING = "I have nothing further to add."


class Says:
    def __init__(self, messages: Sequence[str]) -> None:
        self._messages = iter(messages)

    async def say(self, briefing: Briefing, lines: Sequence[Spoken]) -> str:
        return next(self._messages)


def said(scenario: str, *messages: str, drift: bool = False, legibility: Legibility = "clear") -> Episode:
    pack = builtin_pack(scenario)
    play = PlayConfig(turns=len(messages), drift="once" if drift else "none", legibility=legibility)
    config = episode_config(play, [pack], 0)[1]
    return asyncio.run(play_episode(Says(messages), "test", pack, config))


def scripted(policy: str, samples: int = 1, **play: object) -> list[Episode]:
    packs, settings = builtin_packs(), PlayConfig.model_validate(play)

    async def all_of_them() -> list[Episode]:
        found = []
        for index in range(len(packs) * samples):
            pack, config = episode_config(settings, packs, index)
            found.append(await play_episode(ScriptedPersuader(policy, pack, config), policy, pack, config, index))
        return found

    return asyncio.run(all_of_them())


def test_adaptation_is_counted_turn_by_turn() -> None:
    # in needle_finder a story works, figures and concessions do not
    reviewed = review(said("needle_finder", DATA, STORY, DATA, DATA, RIGHT))
    tones = [turn.record.tone for turn in reviewed.turns]
    assert tones == ["neutral", "positive", "resistant", "resistant", "neutral"]
    figures = measure("test", [reviewed.episode]).adaptation
    assert figures.stays_after_positive.value == 0.0
    assert figures.shifts_after_resistant.value == 0.5
    assert figures.discovery_turn.value == 2
    assert figures.best_after_discovery.value == 0.0
    assert figures.relapses.value == 1
    assert figures.pivot_answers.value is None


def test_who_hears_tones_a_reply_later_is_measured_by_what_was_voiced() -> None:
    def reviewed(*messages: str) -> Reviewed:
        return review(said("needle_finder", *messages, legibility="delayed"))

    # the story is heard to have worked in the reply to the third message
    stays, leaves = reviewed(DATA, STORY, DATA, STORY), reviewed(DATA, STORY, STORY, DATA, RIGHT)
    assert list(stays.after_tone(Tone.POSITIVE)) == [True]
    assert stays.relapses() == 0
    assert list(leaves.after_tone(Tone.POSITIVE)) == [False, False]
    assert leaves.relapses() == 2
    # before that nobody could know: the first reply voices nothing, the second that figures changed little
    assert [turn.doubt == 0 for turn in reviewed(STORY, DATA, DATA).turns] == [True, True, False]


def test_turns_that_voice_no_tone_are_left_out() -> None:
    asks = review(said("needle_finder", STORY, QUESTION, STORY))
    assert asks.turns[1].record.tone == "resistant"
    assert list(asks.after_tone(Tone.RESISTANT)) == []
    delayed = review(said("needle_finder", DATA, QUESTION, STORY, STORY, DATA, legibility="delayed"))
    assert list(delayed.after_tone(Tone.RESISTANT)) == []
    assert list(delayed.after_tone(Tone.POSITIVE)) == [False]


def test_a_question_puts_off_a_late_tone_and_draws_none() -> None:
    episode = said("needle_finder", DATA, STORY, QUESTION, RIGHT, DATA, legibility="delayed")
    heard = [(one.number, one.heard) for one in voiced_turns(episode)]
    assert heard == [(0, 1), (1, 3), (3, 4)]
    reader = reader_without("needle_finder")
    assert reader.read(episode.turns[3].reply) is episode.turns[1].tone is Tone.POSITIVE


def test_an_answer_that_puts_no_case_is_received_without_a_tone() -> None:
    data, words = DATA, (NOTHING, NOTHING, NOTHING)
    question = next(
        number for number, turn in enumerate(said("cold_skeptic", *words, *[data] * 8).turns) if "pivot" in turn.flags
    )
    answer = builtin_pack("cold_skeptic").answer
    assert answer is not None
    reviewed = review(said("cold_skeptic", *words, *[data] * (question - 2), answer, data))
    answered = reviewed.turns[question + 1].record
    assert (answered.argument, "answers" in answered.flags) == (ArgumentClass.GENERIC, True)
    heard = [turn.record.tone for turn in reviewed.turns[:-1]]
    assert len(list(reviewed.after_tone(answered.tone))) == heard.count(answered.tone) - 1


def test_the_oracle_has_no_regret() -> None:
    figures = measure("oracle", scripted("oracle"))
    regret = figures.adaptation.regret
    assert (regret.value, regret.low) == (0.0, 0.0)
    assert 0.1 < (regret.high or 0.0) < 0.2, "23 characters are no proof that there is none"
    assert figures.win_by_10.value == 1.0
    assert figures.persuasion_score == pytest.approx(1.0, abs=1e-4)


def test_who_leaves_the_question_unanswered_is_told_what_an_answer_would_have_brought() -> None:
    messages = (STORY, STORY, STORY)
    reviewed = review(said("needle_finder", *messages))
    asked = next(number for number, turn in enumerate(reviewed.turns) if "pivot" in turn.record.flags)
    unanswered = reviewed.turns[asked + 1]
    assert unanswered.right
    assert "answers" not in unanswered.record.flags
    assert unanswered.regret > 0.05
    assert all(turn.regret == 0 for turn in reviewed.turns[: asked + 1])


def test_doing_nothing_has_no_score() -> None:
    figures = measure("do-nothing", scripted("do-nothing"))
    assert figures.wins == 0
    assert figures.turns_to_win.value is None
    assert figures.persuasion_score == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("rules", ["published", "dtomtrack"])
def test_the_optimality_of_nothing_is_what_the_rules_give_for_it(rules: str) -> None:
    episodes = scripted("do-nothing", rules=rules)
    found = measure("do-nothing", episodes).strategy_optimality.value
    assert found == pytest.approx(mean(0.02 / max(one.config.mind.profile.values()) for one in episodes))


def test_whoever_listens_stands_apart_from_whoever_does_not() -> None:
    listens, cycles = scripted("first-positive"), scripted("cycle")
    one, two = measure("first-positive", listens), measure("cycle", cycles)
    assert one.win_by_10.low is not None
    assert two.win_by_10.high is not None
    assert one.win_by_10.low > two.win_by_10.high
    assert (one.adaptation.doubt.value or 0.0) < (two.adaptation.doubt.value or 0.0)
    found = paired_wins(cycles, listens)
    assert found.pairs == 23
    assert found.difference.low is not None
    assert found.difference.low > 0


def test_turns_to_win_of_a_few_characters_have_no_interval() -> None:
    won = [one for one in scripted("oracle") if one.won][:2]
    found = measure("oracle", won).turns_to_win
    assert (found.value, found.low) == (sum(len(one.turns) for one in won) / 2, None)


def test_losses_are_no_turns_to_win() -> None:
    figures = measure("test", [said("needle_finder", NOTHING, NOTHING)])
    assert (figures.wins, figures.turns_to_win.value, figures.win_curve) == (0, None, (0.0,) * 25)


def test_the_win_curve_never_falls() -> None:
    curve = measure("random", scripted("random")).win_curve
    assert list(curve) == sorted(curve)


def test_after_a_change_lag_and_perseveration_are_counted() -> None:
    episode = said("needle_finder", DATA, RIGHT, NOTHING, *[STORY] * 6, drift=True)
    drift = episode.config.mind.drift
    assert drift is not None
    found = readaptation(review(episode))
    assert found is not None
    assert found.lag is None
    assert found.perseverations == len(episode.turns) - drift.turn + 1
    assert review(episode).relapses() == 0


def test_without_a_change_nothing_is_found_again() -> None:
    assert readaptation(review(said("needle_finder", STORY))) is None
    assert measure("test", [said("needle_finder", STORY)]).drift is None


def test_an_observer_adapts_to_a_change_better_than_chance_stays() -> None:
    figures = measure("oracle", scripted("oracle", drift="once")).drift
    assert figures is not None
    assert figures.lag.value == 0.0
    assert figures.perseverations.value == 0.0


def test_a_record_that_disagrees_with_its_rules_is_refused() -> None:
    episode = said("needle_finder", DATA, STORY)
    turns = (episode.turns[0], episode.turns[1].model_copy(update={"agreement": 0.5}))
    with pytest.raises(DatasetError, match="turn 2 is not what the rules dtomtrack make of it"):
        measure("test", [episode.model_copy(update={"turns": turns})])
