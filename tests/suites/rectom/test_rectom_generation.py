"""Recommendation dialogues that dtomtrack makes: what they are made of, what is asked, and what it gives away."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from shutil import copytree

import pytest
from pydantic import ValidationError
from typer.testing import CliRunner

from dtomtrack.cli.main import app
from dtomtrack.errors import InputError, PackError, ReplyError
from dtomtrack.items.contexts import LinesContext
from dtomtrack.items.item import ContextLine, Item
from dtomtrack.items.presented import PresentedItem
from dtomtrack.library import evaluate
from dtomtrack.scenarios.fresh_choice import FreshChoice
from dtomtrack.scenarios.recommendation.clauses import Clause, ClauseReader, LinePlan, RecommendationRole, worded
from dtomtrack.scenarios.recommendation.director import OPENING, SessionPlan, planned_session
from dtomtrack.scenarios.recommendation.habits import MOVES
from dtomtrack.scenarios.recommendation.minds import HeardMinds
from dtomtrack.scenarios.recommendation.pack import RecommendationPack, builtin_packs, forms, load_pack
from dtomtrack.suites.generating import GenerationRequest
from dtomtrack.suites.rectom.generation.heard import heard_session
from dtomtrack.suites.rectom.generation.making import make_job
from dtomtrack.suites.rectom.generation.playing import read_session
from dtomtrack.suites.rectom.generation.questions import Questions
from dtomtrack.suites.rectom.generation.states import STATES, StateRecord, state_record
from dtomtrack.suites.rectom.labels import FINE, LIKED
from dtomtrack.suites.rectom.learnt_utterance import learnt_utterance
from dtomtrack.suites.rectom.suite import SUITE
from dtomtrack.verifiers.recommendation import consistency_verdict, labels_verdict

N = 12


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small dataset."""
    return generate(tmp_path_factory.mktemp("made") / "out")


def generate(out: Path, *more: str) -> Path:
    """A dataset from the command line."""
    result = CliRunner().invoke(app, ["generate", "--suite", "rectom", "--n", str(N), "--out", str(out), "-q", *more])
    assert result.exit_code == 0, result.output
    return out


def test_what_is_new_to_somebody_is_not_what_every_reaction_without_a_verdict_is(made: Path) -> None:
    asked = items_of(made)["fine_intention_seeker"]
    new = {item.options[item.roles.index("feedback: NRE")] for item in asked}
    assert new == {"Says that the suggestion is new to them"}
    context = asked[0].context
    assert context is not None
    assert "neither yes nor no" not in context.text("code-book")


def test_what_comes_of_a_strategy_is_not_held_against_what_is_done_next(made: Path) -> None:
    """A prediction says what is done; a generated judgement, what comes of something that is done."""
    (random,) = evaluate(made, ["baseline/random"])
    names = {measure.name for measure in random.further}
    together = random.measure("belief_desire")
    assert together is not None
    golds: dict[str, dict[str, bool]] = {}
    for kind in ("belief", "desire"):
        for item in items_of(made)[kind]:
            golds.setdefault(item.joint["movie"], {})[kind] = item.roles[min(item.gold)] in LIKED | {"yes"}
    alike = [own["belief"] is own["desire"] for own in golds.values() if len(own) == 2]
    assert together.parts == {"right answers": pytest.approx(sum(alike) / len(alike), abs=1e-6)}
    assert not {name for name in names if name.startswith("judged_predicted")}


def items_of(folder: Path) -> dict[str, list[Item]]:
    """Items by type."""
    found: dict[str, list[Item]] = {}
    for item in SUITE.items(folder):
        found.setdefault(item.groups["type"], []).append(item)
    return found


def test_no_form_comes_again_before_all_have_come() -> None:
    fresh = FreshChoice(Random(0))
    said = [fresh.choice("abcd") for _ in range(12)]
    assert all(set(said[place : place + 4]) == set("abcd") for place in (0, 4, 8))


def test_articles_go_with_titles() -> None:
    titles = [thing.title for name in builtin_packs() for thing in load_pack(name).catalogue]
    assert not [title for title in titles if title.startswith(("A A", "A E", "A I", "A O", "A U"))]


# -- packs, forms, minds ---------------------------------------------------------------------------------------------


def test_there_are_four_packs_with_forty_things_and_four_forms_a_label() -> None:
    assert len(builtin_packs()) >= 4
    assert all(len(load_pack(name).catalogue) >= 40 for name in builtin_packs())
    known = forms()
    assert (known.recommender.keys(), known.seeker.keys()) == (FINE["recommender"].keys(), FINE["seeker"].keys())


@pytest.mark.parametrize("name", builtin_packs())
def test_every_line_can_be_read_off_its_words(name: str) -> None:
    pack = load_pack(name)
    reader = ClauseReader(pack, forms())
    for seed in range(20):
        random = Random(seed)
        for line in planned_session(pack, random, 32).lines:
            assert reader.read(line.role, worded(pack, forms(), line, FreshChoice(random))) == line.clauses


def test_words_that_are_no_form_are_not_understood() -> None:
    pack = load_pack("films")
    assert ClauseReader(pack, forms()).read("seeker", "It is settled then, or is it?") is None


def test_a_line_that_does_something_else_ends_the_attempt() -> None:
    pack = load_pack("films")
    plan = planned_session(pack, Random(1), 24)
    said = [worded(pack, forms(), line, FreshChoice(Random(1))) for line in plan.lines]
    reader = ClauseReader(pack, forms())
    assert len(read_session(reader, plan, said).lines) == 24
    for wrong, reason in (
        ("What a day it has been.", "line 2: the line lacks REQ and also says OTH"),
        ("Hm.", "line 2: a part"),
    ):
        with pytest.raises(ReplyError, match=reason):
            read_session(reader, plan, [said[0], wrong, *said[2:]])
    number = next(n for n, line in enumerate(plan.lines) if line.labels in ({"REC-S"}, {"REC-E"}))
    (clause,) = plan.lines[number].clauses
    title = next(one.title for one in pack.catalogue if one.title != clause.title)
    other = worded(pack, forms(), LinePlan("recommender", (Clause(clause.label, title),)), FreshChoice(Random(1)))
    with pytest.raises(ReplyError, match="names something else"):
        read_session(reader, plan, [*said[:number], other, *said[number + 1 :]])


@pytest.fixture(scope="module")
def planned() -> list[tuple[RecommendationPack, SessionPlan]]:
    """Eighty dialogues as they were laid out."""
    packs = [load_pack(name) for name in builtin_packs()]
    return [(packs[n % 4], planned_session(packs[n % 4], Random(n), 32)) for n in range(80)]


def test_every_question_of_the_seeker_is_answered(planned: list[tuple[RecommendationPack, SessionPlan]]) -> None:
    """On taste with a taste, on a thing with how the recommender knows it, and never with what the thing is like."""
    asked = 0
    for _, plan in planned:
        for line, following in pairwise(plan.lines):
            for clause in line.clauses:
                if clause.label in {"INQ", "ASK"}:
                    asked += 1
                    answers = [(one.title, one.quality) for one in following.clauses if one.label == "R-ANS"]
                    assert (clause.title, clause.quality) in answers
    assert asked > 40
    for form in forms().recommender["R-ANS"]:
        assert "{quality}" not in form
    assert all("{quality}" in form for known in forms().opinions.values() for form in known)


def test_reasons_and_faults_go_with_the_taste(planned: list[tuple[RecommendationPack, SessionPlan]]) -> None:
    """Nobody is told that something is to their taste which they can't stand, or misses what a thing has."""
    for pack, plan in planned:
        current = ""
        for line in plan.lines:
            for clause in line.clauses:
                current = (clause.title or "") if clause.label in {"REC-S", "REC-E"} else current
                assert clause.label != "EXP-P" or clause.quality in plan.likes
                assert clause.label != "CRI-F" or clause.quality not in plan.likes
                assert clause.label != "CRI-A" or clause.quality not in pack.thing_called(current).qualities


def test_the_seeker_speaks_of_the_suggestion_before_asking_for_another(
    planned: list[tuple[RecommendationPack, SessionPlan]],
) -> None:
    """In "What else is there? I will watch it." nobody would know what "it" is."""
    for _, plan in planned:
        for line in (one for one in plan.lines if one.role == "seeker"):
            moves = [MOVES["seeker"][one.label] for one in line.clauses]
            last = moves[-1]
            said = [one for one in moves if one in {"feedback", "ask"}]
            assert last == "feedback" or said == sorted(said, reverse=True)


def test_what_leads_up_to_a_suggestion_is_no_sentence_of_its_own() -> None:
    """It would be another reason to take it, and the line would have a label more."""
    assert all(form.endswith(":") for form in forms().told)


def test_nobody_contradicts_themselves(planned: list[tuple[RecommendationPack, SessionPlan]]) -> None:
    """Tastes stay, nobody minds what they asked for or knows too much, and a change of mind has a reason."""
    for _, plan in planned:
        assert consistency_verdict((line.role, line.clauses) for line in plan.lines).kept


A, B = "Salt Tower", "Iron Season"
ASIDE = ("seeker", [Clause("OTH")])
CONTRADICTIONS: list[tuple[str, list[tuple[str, list[Clause]]]]] = [
    (
        "line 2: likes what is slow, and does not",
        [
            ("seeker", [Clause("PRO", quality="slow", disliked=True)]),
            ("seeker", [Clause("REF"), Clause("PRO", quality="slow", wish=True)]),
        ],
    ),
    (
        "line 2: likes what is slow, and does not",
        [("recommender", [Clause("R-ANS", quality="slow", liked=one)]) for one in (True, False)],
    ),
    ("line 2: asks in other terms and does not say in which", [ASIDE, ("seeker", [Clause("REF"), Clause("OTH")])]),
    (
        "line 2: minds that Salt Tower is short, and asked for it",
        [("seeker", [Clause("STO", quality="short")]), ("seeker", [Clause("CRI-F", A, "short")])],
    ),
    (
        "line 2: minds that Salt Tower is short, and was not told",
        [("recommender", [Clause("REC-S", A, "funny")]), ("seeker", [Clause("NRE", A), Clause("CRI-F", A, "short")])],
    ),
    (
        "line 2: wants to know what Salt Tower is like, and knows it",
        [("recommender", [Clause("REC-S", A)]), ("seeker", [Clause("SEE", A), Clause("INQ", A)])],
    ),
    (
        "line 3: speaks for Salt Tower, which was turned down",
        [
            ("recommender", [Clause("REC-S", A)]),
            ("seeker", [Clause("REJ")]),
            ("recommender", [Clause("EXP-P", A, "short")]),
        ],
    ),
    (
        "line 4: takes up Salt Tower without saying why, and did not before",
        [
            ("recommender", [Clause("REC-S", A)]),
            ("seeker", [Clause("REJ", conditional=True)]),
            ("recommender", [Clause("EXP-P", A, "short")]),
            ("seeker", [Clause("ACC")]),
        ],
    ),
    (
        "line 3: turns down Salt Tower without saying why, and did not before",
        [("recommender", [Clause("REC-S", A)]), ("seeker", [Clause("ACC")]), ("seeker", [Clause("REJ")])],
    ),
]


@pytest.mark.parametrize(("reason", "lines"), CONTRADICTIONS)
def test_what_does_not_go_together_is_refused(reason: str, lines: list[tuple[str, list[Clause]]]) -> None:
    assert consistency_verdict(lines).reason == reason


def test_changes_of_mind_with_a_reason_are_kept() -> None:
    suggested: list[tuple[str, list[Clause]]] = [("recommender", [Clause("REC-S", A, "short")])]
    for before, after in (
        ([Clause("REJ")], [Clause("ACC", quality="short", liked=True)]),
        ([Clause("REJ")], [Clause("ACC", reason=True)]),
        ([Clause("ACC")], [Clause("CRI-F", A, "short"), Clause("REJ")]),
        ([Clause("ACC")], [Clause("ACC")]),
    ):
        assert consistency_verdict([*suggested, ("seeker", before), ("seeker", after)]).kept


def test_a_dialogue_that_contradicts_itself_ends_the_attempt() -> None:
    pack = load_pack("films")
    plan = planned_session(pack, Random(1), 24)
    number = next(n for n, line in enumerate(plan.lines) if line.clauses[0].label in {"SEE", "NRE"})
    (first, *more) = plan.lines[number].clauses
    flawed = LinePlan("seeker", (first, Clause("ACC"), Clause("REJ"), *more))
    lines = [*plan.lines[:number], flawed, *plan.lines[number + 1 :]]
    said = [worded(pack, forms(), line, FreshChoice(Random(1))) for line in lines]
    with pytest.raises(ReplyError, match=r"turns down .* without saying why"):
        read_session(ClauseReader(pack, forms()), replace(plan, lines=tuple(lines)), said)


def test_who_asks_in_other_terms_says_what_they_like(planned: list[tuple[RecommendationPack, SessionPlan]]) -> None:
    """ "Find me something long" is a preference, too: both labels are right, and both are in the gold."""
    assert not any("{quality}" in form for form in forms().seeker["REF"])
    restated = [line for _, plan in planned for line in plan.lines if "REF" in line.labels]
    assert len(restated) > 20
    assert all(line.labels & {"PRO", "ANS"} for line in restated)


def test_nothing_is_told_of_a_thing_twice_before_all_is_told(
    planned: list[tuple[RecommendationPack, SessionPlan]],
) -> None:
    for _, plan in planned:
        told: dict[str | None, list[str | None]] = {}
        for line in plan.lines:
            for clause in line.clauses:
                if clause.label.startswith("EXP"):
                    told.setdefault(clause.title, []).append(clause.quality)
        assert all(len(set(one)) == min(3, len(one)) for one in told.values())


def test_what_was_asked_for_and_is_new_does_not_leave_the_seeker_cold(
    planned: list[tuple[RecommendationPack, SessionPlan]],
) -> None:
    count = 0
    for _, plan in planned:
        wished_for: set[str | None] = set()
        for line in plan.lines:
            for clause in line.clauses:
                if clause.label in {"REC-S", "REC-E"} and clause.quality in plan.likes:
                    wished_for.add(clause.title)
                if clause.label == "NRE" and clause.title in wished_for:
                    assert clause.liked
                    count += 1
    assert count > 20


def test_what_the_seeker_does_not_like_is_admitted_and_not_praised(
    planned: list[tuple[RecommendationPack, SessionPlan]],
) -> None:
    told: list[str] = []
    for pack, plan in planned:
        for line in plan.lines:
            for clause in line.clauses if line.role == "recommender" else ():
                if clause.label.startswith("EXP") and clause.quality in plan.dislikes:
                    told.append(worded(pack, forms(), LinePlan(line.role, (clause,)), FreshChoice(Random(len(told)))))
                    assert ClauseReader(pack, forms()).read(line.role, told[-1]) == (clause,)
    assert len(told) > 20
    admissions = [form.partition("{")[0] for form in forms().admitted]
    assert all(any(text.startswith(words) for words in admissions) for text in told)


def test_nobody_is_asked_twice_about_their_own_taste(planned: list[tuple[RecommendationPack, SessionPlan]]) -> None:
    for _, plan in planned:
        asked = [clause.quality for line in plan.lines for clause in line.clauses if clause.label == "ASK"]
        assert len(set(asked)) == len(asked)


def test_who_is_asked_about_their_taste_answers(planned: list[tuple[RecommendationPack, SessionPlan]]) -> None:
    """What they say of it then is no preference that nobody asked for."""
    for _, plan in planned:
        for line, following in pairwise(plan.lines[2:]):
            if line.labels & {"REQ", "CLQ"}:
                assert "ANS" in following.labels
                assert "PRO" not in following.labels


def test_nobody_goes_on_selling_what_was_turned_down(planned: list[tuple[RecommendationPack, SessionPlan]]) -> None:
    """A reason is given for what was left open; nothing new is put forward with what the seeker can't stand."""
    for _, plan in planned:
        closed, new = set[str](), ""
        for line in plan.lines:
            for clause in line.clauses:
                new = (clause.title or "") if clause.label.startswith("REC") else new
                if clause.label.startswith(("REC", "EXP")):
                    assert clause.title not in closed
                    assert clause.quality not in plan.dislikes or not line.labels & {"REC-S", "REC-E", "EXP-P", "EXP-S"}
                elif clause.label == "REJ" and not clause.conditional:
                    closed.add(new)


def test_what_comes_next_is_not_read_off_a_clock(planned: list[tuple[RecommendationPack, SessionPlan]]) -> None:
    """No number of lines back do the lines that are asked about do the same as often as two in five."""
    same, asked = Counter[tuple[str, int]](), Counter[str]()
    for pack, plan in planned:
        session = heard_session([(line.role, "", line.clauses) for line in plan.lines])
        for item in Questions(pack, session, "", Random(0)).items():
            kind, number = item.groups["type"], (item.turn or 0) + 1
            if kind.startswith("prediction"):
                asked[kind] += 1
                same.update((kind, behind) for behind in range(1, 9) if session.repeats(number, behind))
    assert min(asked.values()) > 150
    assert all(count < 0.4 * asked[kind] for (kind, _), count in same.items())


def test_what_the_next_line_does_goes_by_what_was_made_of_the_suggestion(
    planned: list[tuple[RecommendationPack, SessionPlan]],
) -> None:
    """A yes, a no and no verdict have the same coarse labels, and are gone on from each in its own way."""
    for _, plan in planned:
        ways = [frozenset(plan.habits["recommender", made]) for made in ("a yes", "a no", "no verdict")]
        assert len(set(ways)) == len(ways)


def test_labels_are_held_against_those_that_were_meant() -> None:
    assert labels_verdict({"A", "B"}, {"B", "A"}).kept
    assert labels_verdict({"A"}, None).reason == "a part of the line says nothing that is known"
    assert labels_verdict({"A"}, {"B"}).reason == "the line lacks A and also says B"


def test_what_is_believed_changes_by_what_is_heard_alone() -> None:
    minds = HeardMinds()
    minds.hear("recommender", [Clause("REC-S", "Salt Tower")])
    minds.hear("seeker", [Clause("SEE", "Salt Tower", liked=True), Clause("REJ", reason=True)])
    mind = minds.attitudes["Salt Tower"]
    assert (mind.proposer, mind.seen, mind.liked, mind.wanted) == ("recommender", True, True, False)
    minds.hear("recommender", [Clause("EXP-P", "Salt Tower", "funny")])
    assert minds.attitudes["Salt Tower"] == mind
    minds.hear("seeker", [Clause("ACC")])
    assert minds.attitudes["Salt Tower"].wanted is True
    for fault in (Clause("CRI-F", "Salt Tower", "gloomy"), Clause("CRI-A", quality="short")):
        minds.hear("seeker", [fault])
        assert minds.doubted == {"Salt Tower"}
        minds.hear("seeker", [Clause("ACC")])
        assert not minds.doubted


# -- the dataset -----------------------------------------------------------------------------------------------------


def test_all_ten_types_are_there_in_every_dialogue(made: Path) -> None:
    types = items_of(made)
    assert len(types) == 10
    assert all(len({item.cluster for item in own}) == N for own in types.values())
    sizes = {len(item.gold) for own in types.values() for item in own if item.select == "any"}
    assert sizes == {1, 2, 3, 4}


def test_judgements_and_desires_are_yes_as_often_as_no(made: Path) -> None:
    for kind in ("judgement_rec", "judgement_seeker", "desire"):
        golds = Counter((item.groups.get("strategy"), item.options[min(item.gold)]) for item in items_of(made)[kind])
        assert len(set(golds.values())) == 1, golds


def test_desires_stand_in_contrast_at_each_line_that_is_asked(made: Path) -> None:
    """So that early lines are as often yes as no as late ones are."""
    golds: dict[tuple[str, int | None], list[str]] = {}
    for item in items_of(made)["desire"]:
        golds.setdefault((item.cluster, item.turn), []).append(item.options[min(item.gold)])
    assert all(sorted(one) == ["no", "yes"] for one in golds.values())


def test_questions_quote_no_line_and_contexts_end_where_they_ask(made: Path) -> None:
    for own in items_of(made).values():
        for item in own:
            assert item.context is not None
            assert len(item.context.lines) == item.turn
            assert not any(line.text in item.question for line in item.context.lines)


def test_fine_labels_are_coarse_labels_of_the_same_line(made: Path) -> None:
    types = items_of(made)
    for role in ("rec", "seeker"):
        coarse = {item.joint["intention"]: item for item in types[f"coarse_intention_{role}"]}
        for item in types[f"fine_intention_{role}"]:
            own = coarse[item.joint["intention"]]
            assert {item.roles[one].partition(": ")[0] for one in item.gold} == {own.roles[one] for one in own.gold}


def test_false_beliefs_arise(planned: list[tuple[RecommendationPack, SessionPlan]]) -> None:
    """A reason changes a mind before the seeker says so."""
    records = [
        state_record("made", plan, heard_session([(line.role, "", line.clauses) for line in plan.lines]))
        for _, plan in planned
    ]
    assert sum(bool(one.false_beliefs) for one in records) > 4


def test_hidden_states_stand_beside_what_was_heard(made: Path) -> None:
    states = [
        StateRecord.model_validate_json(line) for line in (made / STATES).read_text(encoding="utf-8").splitlines()
    ]
    assert len(states) == N
    pairs: Counter[tuple[bool | None, bool | None]] = Counter()
    for one in states:
        last = {mind.title: mind for line in one.lines for mind in line.hidden if mind.wanted is not None}
        pairs.update((mind.liked, mind.wanted) for mind in last.values())
    follows = pairs[True, True] + pairs[False, False]
    assert max(follows, pairs.total() - follows) / pairs.total() < 0.85


def test_what_was_turned_down_and_is_praised_since_is_left_open() -> None:
    """Whether they want it, and like it, now that they know: nobody can say before they do."""
    minds = HeardMinds()
    minds.hear("seeker", [Clause("PRO", quality="funny")])
    minds.hear("recommender", [Clause("REC-S", A)])
    minds.hear("seeker", [Clause("NRE", A, liked=False), Clause("REJ")])
    minds.hear("recommender", [Clause("EXP-I", A, "slow")])
    assert not minds.doubted | minds.unsettled
    minds.hear("recommender", [Clause("EXP-I", A, "funny")])
    assert minds.doubted == minds.unsettled == {A}
    minds.hear("seeker", [Clause("ACC", quality="funny", liked=True)])
    assert not minds.doubted | minds.unsettled


def test_habits_hold_so_that_the_next_line_can_be_foreseen(
    planned: list[tuple[RecommendationPack, SessionPlan]],
) -> None:
    for _, plan in planned:
        session = heard_session([(line.role, "", line.clauses) for line in plan.lines])
        shown: dict[object, frozenset[str]] = {}
        for number in range(OPENING + 1, len(session.lines) + 1):
            moves = session.lines[number - 1].moves
            assert shown.setdefault(session.situation(number), moves) == moves


def test_who_is_won_over_likes_what_they_take_up() -> None:
    minds = HeardMinds()
    minds.hear("recommender", [Clause("REC-S", A)])
    minds.hear("seeker", [Clause("NRE", A, liked=False), Clause("REJ")])
    minds.hear("recommender", [Clause("EXP-P", A, "funny")])
    minds.hear("seeker", [Clause("ACC", quality="funny", liked=True)])
    assert (minds.attitudes[A].liked, minds.attitudes[A].wanted) == (True, True)


def test_nobody_is_asked_what_is_believed_of_what_was_found_fault_with() -> None:
    """It was liked, and then "it puts me off": whether it is liked still, nobody can say."""
    spoken: list[tuple[RecommendationRole, Clause]] = [
        ("recommender", Clause("REC-S", A)),
        ("seeker", Clause("SEE", A, liked=True)),
        ("recommender", Clause("EXP-I", A, "funny")),
        ("seeker", Clause("CRI-F", A, "funny")),
        ("seeker", Clause("REJ")),
        ("recommender", Clause("REC-S", B)),
        ("seeker", Clause("SEE", B, liked=True)),
    ]
    session = heard_session([(role, clause.label, (clause,)) for role, clause in spoken])
    asked = [
        item.turn or 0
        for seed in range(20)
        for item in Questions(load_pack("films"), session, "x", Random(seed)).items()
        if item.groups["type"] == "belief" and A in item.question
    ]
    assert set(asked) == {2, 3}


def test_nobody_is_asked_whether_they_want_what_they_have_found_fault_with() -> None:
    """It was taken up, and then "it puts me off": whether it is wanted still, nobody can say."""
    pack = load_pack("films")
    one, two, three = (thing.title for thing in pack.catalogue[:3])
    spoken: list[tuple[RecommendationRole, Clause]] = [
        ("recommender", Clause("REC-S", three)),
        ("seeker", Clause("REJ")),
        ("recommender", Clause("REC-S", one)),
        ("seeker", Clause("ACC")),
        ("recommender", Clause("EXP-I", one, "funny")),
        ("seeker", Clause("CRI-F", one, "funny")),
        ("recommender", Clause("REC-S", two)),
        ("seeker", Clause("REJ")),
    ]
    session = heard_session([(role, clause.label, (clause,)) for role, clause in spoken])
    fault = next(number for number, (_, clause) in enumerate(spoken, 1) if clause.label == "CRI-F")
    asked = [
        item
        for seed in range(20)
        for item in Questions(pack, session, "x", Random(seed)).items()
        if item.groups["type"] == "desire" and one in item.question
    ]
    assert asked
    assert all(item.turn is not None and item.turn < fault for item in asked)


def test_an_explanation_that_goes_on_to_suggest_something_else_is_not_judged() -> None:
    """What the seeker says next is about that: whether they were brought round stays open."""
    pack = load_pack("films")
    one, two, three = (thing.title for thing in pack.catalogue[:3])
    spoken: list[tuple[RecommendationRole, tuple[Clause, ...]]] = [
        *((role, (Clause("OTH"),)) for _ in range(3) for role in ("seeker", "recommender")),
        ("seeker", (Clause("PRO", quality="funny"), Clause("PRO", quality="slow", disliked=True))),
        *_refused(one),
        ("recommender", (Clause("EXP-P", one, "funny"),)),
        ("seeker", (Clause("ACC"),)),
        *_refused(two),
        ("recommender", (Clause("EXP-I", two, "slow"), Clause("REC-S", three))),
        ("seeker", (Clause("REJ"),)),
    ]
    session = heard_session([(role, "", clauses) for role, clauses in spoken])
    items = Questions(pack, session, "x", Random(0)).items()
    assert not [item for item in items if item.groups["type"] == "judgement_rec"]


def _refused(title: str) -> list[tuple[RecommendationRole, tuple[Clause, ...]]]:
    """A suggestion, and that it is turned down."""
    return [("recommender", (Clause("REC-S", title),)), ("seeker", (Clause("REJ"),))]


def test_titles_that_differ_by_an_article_are_refused() -> None:
    pack = load_pack("films").model_dump()
    pack["catalogue"][1]["title"] = f"The {pack['catalogue'][0]['title']}"
    with pytest.raises(ValidationError, match="can't be told apart"):
        RecommendationPack.model_validate(pack)


def test_what_is_believed_of_liking_says_nothing_of_wanting(made: Path) -> None:
    """Who dislikes a thing may still take it up, for the children: "does not want it" would be wrong then."""
    texts = {text for item in SUITE.items(made) if item.groups["type"] == "belief" for text in item.options}
    assert len(texts) == 7
    assert not any(re.search(r"\bwants?\b", text) for text in texts)


def test_workers_give_the_same_bytes(made: Path, tmp_path: Path) -> None:
    again = generate(tmp_path / "again", "--engine", "processes", "--workers", "2")
    for file in ("dialogues.jsonl", "questions.jsonl", "rejected.jsonl", STATES):
        assert (made / file).read_bytes() == (again / file).read_bytes()


def test_a_bag_of_words_knows_options_by_their_texts_wherever_they_stand() -> None:
    def item(number: int) -> Item:
        options = ("praise", "thanks") if number % 3 else ("thanks", "praise")
        said = ("praise", "how good that is") if number % 2 else ("thanks", "many thanks indeed")
        context = LinesContext((ContextLine("SEEKER", said[1]),))
        gold = frozenset({options.index(said[0])})
        return Item(
            f"i{number}", f"c{number}", "q", options, gold, "any", groups={"type": "t"}, turn=1, context=context
        )

    items = [item(number) for number in range(60)]
    rule = learnt_utterance(lambda: items)
    assert all(rule(PresentedItem(one)) == one.gold for one in items)


def test_figures_by_label_go_with_labels_wherever_their_options_stand(made: Path, tmp_path: Path) -> None:
    """Each item has its options in an order of its own."""
    folder = tmp_path / "own"
    copytree(made, folder)
    (metrics,) = evaluate(folder, ["baseline/random"])
    for kind in ("coarse_intention_rec", "fine_intention_seeker"):
        sets = metrics.measure(f"sets_{kind}")
        assert sets is not None
        right = Counter(item.roles[place] for item in items_of(made)[kind] for place in item.gold)
        for name in {role for item in items_of(made)[kind] for role in item.roles}:
            share = sets.parts[f"{name}: share of right labels"]
            assert share == pytest.approx(right[name] / right.total(), abs=1e-6)


def test_the_card_says_how_it_was_made(made: Path) -> None:
    card = (made / "README.md").read_text(encoding="utf-8")
    assert "scripted" in card
    assert json.loads((made / "manifest.json").read_text(encoding="utf-8"))["status"] == "complete"


# -- bad input -------------------------------------------------------------------------------------------------------


def test_what_can_not_be_made_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="there is no such pack; there are books, films, restaurants, trips"):
        make_job(GenerationRequest(domain="operas", n=1))
    with pytest.raises(InputError, match="is given twice"):
        make_job(GenerationRequest(domain="films,films", n=1))
    with pytest.raises(InputError, match="n is 0"):
        make_job(GenerationRequest(domain="films", n=0))
    path = tmp_path / "own.yaml"
    path.write_text("name: own\nthing: x\n", encoding="utf-8")
    with pytest.raises(PackError, match=r"own.yaml: things: is missing"):
        load_pack(str(path))
