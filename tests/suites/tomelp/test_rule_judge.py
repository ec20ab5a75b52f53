"""The judge `rules`: its formulas, what it reads, and the crossover that it is built to show."""

from __future__ import annotations

import pytest

from dtomtrack.graphs.route_judging import without_tags
from dtomtrack.runs.slots import slot_at
from dtomtrack.scenarios.route.pack_files import builtin_topics
from dtomtrack.scenarios.route.sampler import scene_states
from dtomtrack.scenarios.route.state import Mind, SceneState
from dtomtrack.scenarios.route.terms import Cell
from dtomtrack.suites.tomelp.citation_audit import audit_citations, unsupported_cues
from dtomtrack.suites.tomelp.citations import numbers_in, sentences_of, tags_in
from dtomtrack.suites.tomelp.closed_world import ClosedWorld, addressed
from dtomtrack.suites.tomelp.labels import nearest_label
from dtomtrack.suites.tomelp.rule_judge import RulePanel, cue_strength, read_reply, route_of


@pytest.fixture
def state() -> SceneState:
    """A state of the solar roof whose doubt is the cost."""
    topics = builtin_topics()
    for index in range(200):
        slot = slot_at(0, index, list(topics))
        for one in scene_states(topics[slot.domain], slot, index % len(topics)):
            if one.topic == "solar_roof" and one.concern == "cost":
                return one
    raise AssertionError("there is none")


@pytest.fixture
def world(state: SceneState) -> ClosedWorld:
    assert state.resources is not None
    return ClosedWorld(state.resources)


EVIDENCE = (
    "Paid in monthly rates, it takes less each month than your power bill, and the bank leaves your savings alone. "
    "[C1] Going by the energy office, such panels have their price back once 9 years are over. [F1] "
    "For older houses like yours the county adds a grant of 30 percent [F2]."
)
CUES = "Every expert I have met on energy says go ahead. Everybody around the square is doing it this year."


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("So [F1], [C2].", ["F1", "C2"]),
        ("So [F1, C2; f3].", ["F1", "C2", "F3"]),
        ("[F9] and [C12]", ["F9", "C12"]),
        ("[G1] (F1) F1 [F] [note 1]", []),
    ],
)
def test_tags_are_read(text: str, tags: list[str]) -> None:
    assert tags_in(text) == tags


def test_a_tag_behind_the_full_stop_belongs_to_the_sentence_before() -> None:
    assert [(one.text, one.tags) for one in sentences_of("It pays off. [F1] It is quick [F5]. And so on.")] == [
        ("It pays off.", ("F1",)),
        ("It is quick.", ("F5",)),
        ("And so on.", ()),
    ]
    assert [one.tags for one in sentences_of("It pays off. It lasts. [F1] [F2]")] == [(), ("F1", "F2")]


@pytest.mark.parametrize(
    "text",
    [
        "[F1] It pays off. [C2] It lasts. And so on.",
        "It pays off [F1]. It lasts. [C2] And so on.",
        "1) It pays off [F1].\n2) It lasts [C2].\n3. And so on.",
        "1. [F1] It pays off.\n2. [C2] It lasts.\n(3) And so on.",
    ],
)
def test_a_tag_belongs_to_the_sentence_that_it_stands_by_in_lists_as_well(text: str) -> None:
    found = [(one.text, one.tags) for one in sentences_of(text)]
    assert found == [("It pays off.", ("F1",)), ("It lasts.", ("C2",)), ("And so on.", ())]


@pytest.mark.parametrize("lead", ["", "1) ", "1. ", "(1) ", "- "])
def test_the_number_of_an_item_of_a_list_is_no_reason(lead: str, world: ClosedWorld) -> None:
    cues = ("Every expert is for it.", "And everybody is, by now.")
    text = "\n".join(f"{lead.replace('1', str(number))}{cue}" for number, cue in enumerate(cues, 1))
    assert route_of(text, world) == "peripheral"


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("It pays [F1].", "It pays."),
        ("[F1, C2] So.", "So."),
        ("a [[F1]] c", "a c"),
        ("a [facts 1 and 2] [C1; F3] [F1-F3] [F] [] b", "a b"),
        ("a [F1", "a"),
        ("It pays [F1. The grant is 30 percent [F2].", "It pays. The grant is 30 percent."),
        ("It pays [so the office says], and lasts [", "It pays [so the office says], and lasts ["),
        ("It pays (F1) , and lasts \u3010C2\u3011 (F1, F2 and C1).", "It pays, and lasts."),
        ("It grows by .5 percent (class F).", "It grows by .5 percent (class F)."),
    ],
)
def test_tags_are_taken_off_before_the_blind_judge(text: str, bare: str) -> None:
    assert without_tags(text) == bare


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1.6 km, not 16", {"1.6", "16"}),
        ("1,600 or 1.600 or 1600", {"1600"}),
        ("1,60 and 1.6, and 2.0 for 2.", {"1.6", "2"}),
        ("1,234,567.5 and 0.125", {"1234567.5", "0.125"}),
        ("12.05.2024", {"12.05.2024"}),
        ("10 and 100.", {"10", "100"}),
    ],
)
def test_numbers_keep_their_decimals(text: str, numbers: set[str]) -> None:
    assert numbers_in(text) == numbers


def test_what_is_said_in_brackets_is_a_part_of_the_reply() -> None:
    said = sentences_of("It pays off. [Going by the energy office.] It lasts [F1]. And so [on")
    assert [one.text for one in said] == ["It pays off. [Going by the energy office.]", "It lasts.", "And so [on"]


@pytest.mark.parametrize(
    "text", ["[" * 20_000, "[1 " * 20_000, "[a b c " * 5_000, "[" + "F1, " * 5_000, "[[F1]" * 5_000]
)
def test_no_reply_keeps_the_taking_off_of_tags_busy(text: str) -> None:
    assert "[F1]" not in without_tags(text)


def test_evidence_by_the_formula(world: ClosedWorld) -> None:
    reading = read_reply(EVIDENCE, world, "cost")
    assert (reading.relevant, reading.rebutted, reading.specific, reading.coherent) == (1.0, 1.0, 1.0, 1.0)
    assert reading.evidence == pytest.approx(1.0)
    assert reading.value(0.85, 0) == pytest.approx(0.65 * 0.85)
    assert reading.value(0.85, 3) == pytest.approx(0.65 * 0.85 + 0.35)
    assert reading.dimensions() == (2, 2, 2, 2, 2)


def test_a_tag_without_the_words_is_not_used(world: ClosedWorld) -> None:
    reading = read_reply("Trust me on that [F1]. And on this [C1].", world, "cost")
    assert (reading.used, reading.relevant, reading.rebutted) == (0, 0.0, 0.0)


def test_phantoms_and_wrong_numbers_cost_coherence(world: ClosedWorld) -> None:
    assert read_reply("It is so [F7].", world, "cost").coherent == 0.0
    wrong = "Going by the energy office, such panels have their price back once 4 years are over [F1]."
    assert read_reply(wrong, world, "cost").coherent == 0.0


@pytest.mark.parametrize(("types", "strength"), [(0, 0.0), (1, 0.5), (2, 1.0), (3, 1.0), (4, 0.75), (5, 0.5)])
def test_cues_wear_off(types: int, strength: float) -> None:
    assert cue_strength(types) == strength


@pytest.mark.parametrize(
    ("text", "adopted"),
    [
        ("Experts have already proven this method is totally useless and harmful.", True),
        ("It is not true that experts have proven this method useless.", False),
        ("Experts like it.", False),
    ],
)
def test_whoever_says_the_false_claim_persuades_nobody(text: str, adopted: bool, world: ClosedWorld) -> None:
    reading = read_reply(f"{EVIDENCE} {text}", world, "cost")
    assert reading.adopts is adopted
    assert (reading.attitude(0.85, 3) == 0) is adopted


CLAIM = "Experts have already proven this method is totally useless and harmful."


@pytest.mark.parametrize(
    "text",
    [
        "Experts have not proven that this method is useless and harmful.",
        "Experts haven\N{RIGHT SINGLE QUOTATION MARK}t proven this method totally useless and harmful.",
        "That this method is totally useless and harmful has never been proven.",
        "It is not, as some say, totally useless, and experts have proven nothing harmful about this method.",
        "There is no evidence that experts have proven this method harmful.",
        "It was refuted that experts have proven this method useless.",
        "I heard this advice is more dangerous and many people regretted it; I don't believe it.",
        f"{CLAIM} That is wrong.",
        f"{CLAIM} No, they have not.",
        f"{CLAIM} No study has found that.",
        f"You may have heard it: {CLAIM} The records say otherwise.",
        "It is a misconception that experts have already proven this method useless and harmful.",
        "Some people claim experts have already proven this method useless and harmful, but that is outdated.",
        "I doubt that experts have already proven this method is totally useless and harmful.",
        "The claim that experts have already proven this method useless and harmful lacks any support.",
        "That experts have already proven this method totally useless and harmful is a mistake.",
        "If experts had already proven this method totally useless and harmful, nobody would use it.",
        "Forget the line that experts have already proven this method totally useless and harmful.",
        f"You were told it: {CLAIM} Please ignore that.",
        f"{CLAIM[:-1]}? There is no basis for that.",
    ],
)
def test_a_false_claim_that_is_corrected_is_not_adopted(text: str, world: ClosedWorld) -> None:
    reading = read_reply(f"{EVIDENCE} {text}", world, "cost")
    assert not reading.adopts
    assert reading.attitude(0.85, 3) == 2


@pytest.mark.parametrize(
    "text",
    [
        "Experts have already proven that this method works.",
        "Many people I advised told me afterwards they were glad.",
        "This is actually advice that many people asked me for afterwards.",
    ],
)
def test_authority_and_consensus_are_no_false_claims(text: str, world: ClosedWorld) -> None:
    assert not read_reply(text, world, "cost").adopts


@pytest.mark.parametrize(
    "text",
    [
        "This method is not only useless but harmful, as experts have proven.",
        "There is no doubt that experts have proven this method useless.",
        "Many people regretted it afterwards.",
        f"{CLAIM} It doesn't work.",
        f"It is true: {CLAIM} I found no study that says otherwise.",
        f"{CLAIM[:-1]}, and nobody can show otherwise.",
        f"I doubt that it works, as you can read. {CLAIM}",
        "I have no doubt that experts have proven this method useless and harmful.",
        "Forget the panels: experts have proven this method useless and harmful.",
        "Such a mistake: experts have proven this method useless and harmful.",
        f"{CLAIM} You should not do it.",
        f"{CLAIM[:-1]}, so do not do it.",
    ],
)
def test_a_negation_that_corrects_nothing_leaves_a_false_claim_adopted(text: str, world: ClosedWorld) -> None:
    assert read_reply(f"{EVIDENCE} {text}", world, "cost").adopts


async def test_the_crossover_of_the_elaboration_likelihood_model(state: SceneState) -> None:
    panel = RulePanel(state)
    found = {
        (name, persona): await panel.outcome(state.history, Cell(persona, "central", "no_tom"), text)
        for name, text in (("evidence", EVIDENCE), ("cues", CUES))
        for persona in ("high_cog", "low_cog")
    }
    assert found["evidence", "high_cog"].attitude > found["evidence", "low_cog"].attitude
    assert found["cues", "low_cog"].attitude > found["cues", "high_cog"].attitude


async def test_routes_are_read_from_bare_texts(state: SceneState) -> None:
    panel = RulePanel(state)
    assert await panel.predict(state.history, without_tags(EVIDENCE), 0) == "central"
    assert await panel.predict(state.history, CUES, 0) == "peripheral"


def test_states_that_are_taken_up_are_counted() -> None:
    mind = Mind(belief="believes_the_north_is_too_cloudy", desire="wants_a_quiet_house", intent="will_wait")
    assert addressed("You think the north is cloudy.", mind) == 1
    assert addressed("The north is cloudy, you want a quiet house, so you wait.", mind) == 3
    assert addressed("Well.", mind) == 0


def test_an_inferred_phrase_stands_for_the_nearest_label() -> None:
    labels = ("wants_a_quiet_house", "wants_savings_left_untouched")
    assert nearest_label("to keep the house quiet", labels) == labels[0]
    assert nearest_label("nothing of the kind", labels) is None
    assert nearest_label("", labels) is None


def test_the_verb_that_all_labels_have_tells_none_of_them() -> None:
    labels = ("wants_a_quiet_house", "wants_savings_left_untouched", "wants_savings_and_time_left_untouched_at_home")
    assert nearest_label("wants to be asked first", labels) is None
    assert nearest_label("wants a house", labels) == labels[0]
    assert nearest_label("wants nobody to touch the savings", labels) == labels[1]
    assert nearest_label("wants peace", labels[:1]) == labels[0]


def test_citations_are_audited(world: ClosedWorld) -> None:
    audit = audit_citations(f"{EVIDENCE} So there [F9]. Nothing to do with it [F3].", world, "cost")
    assert (audit.cited, audit.phantom, audit.relevant, audit.misattributed) == (4, 1, 3, 1)
    assert audit.precision == pytest.approx(3 / 5)
    assert audit.copied == 0.0
    copied = " ".join(f"{one.text} [{one.id}]" for one in world.resources.facts[:2])
    assert audit_citations(copied, world, "cost").copied == 1.0
    assert audit_citations("No tags.", world, "cost").precision is None


def test_urgency_without_support_is_found(world: ClosedWorld) -> None:
    assert unsupported_cues("Hurry, the chance ends tonight!", world) == 1
    assert unsupported_cues(CUES, world) == 0
