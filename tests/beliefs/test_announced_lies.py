"""Who hears that somebody is to be lied to: what they think that one thinks is not asked from there on."""

from __future__ import annotations

from dtomtrack.beliefs.dialogue import Turn
from dtomtrack.beliefs.inner_speech import thought
from dtomtrack.beliefs.questions.about_others import about_others
from dtomtrack.beliefs.questions.dials import QuestionDials
from dtomtrack.beliefs.questions.source import QuestionSource
from dtomtrack.beliefs.reading import Act, Reading
from dtomtrack.beliefs.scenario import MentalState, Topic
from dtomtrack.beliefs.tracker import BeliefTracker
from dtomtrack.runs.slots import slot_at

VALUES = ("by letter", "by phone", "at the doorstep", "at the market")
CHECK = Topic(id="check", label="the next check", holder="Ada", mental_state=MentalState.INTENTION, values=VALUES)
TURNS = 24


def turn(index: int, speaker: str, value: str = "", *hearers: str) -> Turn:
    inner = (thought(MentalState.INTENTION, value, "check"),) if value else ()
    audience = (speaker, *hearers) if hearers else ()
    return Turn(index=index, speaker=speaker, inner_speech=inner, utterance="...", audience=audience)


def asked(seed: int, readings: list[Reading]) -> set[tuple[str, tuple[str, ...], int]]:
    """Whose picture through whom is asked about, and as of which turn; Ada told all, then Ben alone."""
    told = {0: turn(0, "Ada", "by letter"), 8: turn(8, "Ada", "at the doorstep", "Ben")}
    turns = [told.get(at) or turn(at, ("Ada", "Ben", "Cleo")[at % 3]) for at in range(TURNS)]
    dials = QuestionDials(order=3, comes_apart=True)
    tracker = BeliefTracker.of(turns)
    source = QuestionSource(tracker, [CHECK], readings, slot_at(seed, 0, ["x"]), (), (), None, dials)
    specs = [one for one in about_others(source) if one.through]
    return {(one.agent, tuple(one.through), one.turn) for one in specs if one.turn is not None}


def test_what_an_accomplice_thinks_the_deceived_thinks_is_not_asked() -> None:
    said = Reading(0, "Ada", Act.STATE, "Ada", "check", "by letter")
    changed = Reading(8, "Ada", Act.STATE, "Ada", "check", "at the doorstep")
    lie = Reading(8, "Ada", Act.CONFIDE, "Ada", "check", "by phone", kept_from="Cleo")
    before, behind = set(), set()
    for seed in range(40):
        before |= asked(seed, [said, changed])
        behind |= asked(seed, [said, changed, lie])
    of_cleo = {at for who, through, at in behind if (who, through[0]) == ("Ben", "Cleo")}
    assert any(at >= 8 for who, through, at in before if (who, through[0]) == ("Ben", "Cleo"))
    assert max(of_cleo, default=0) < 8
    assert any(at >= 8 for who, through, at in behind if (who, through[0]) == ("Cleo", "Ben"))
