"""Generated persuasive conversations: plans, packs, the overhearer, right answers, and runs that are killed."""

from __future__ import annotations

import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from commands import ended, started

from dtomtrack.audit import audit_items
from dtomtrack.errors import InputError, PackError
from dtomtrack.runs.lines import read_lines
from dtomtrack.runs.manifest import Manifest
from dtomtrack.scenarios.persuasion.forms import opening, spoken_forms
from dtomtrack.scenarios.persuasion.joining import joined
from dtomtrack.scenarios.persuasion.pack import GoalPack
from dtomtrack.scenarios.persuasion.pack_files import builtin_goals, expressions, find_goals, read_goal
from dtomtrack.scenarios.persuasion.plan import BLOCK, DESIRES, ROUNDS, PersuasionPlan, desire_of, plan_at
from dtomtrack.suites.generating import GenerationRequest, generating_suite
from dtomtrack.suites.items.records import ContextRecord, ItemLine
from dtomtrack.suites.persuasivetom.kinds import KINDS
from dtomtrack.suites.persuasivetom.suite import SUITE
from dtomtrack.suites.trajectories.importing import import_trajectories
from dtomtrack.verifiers.persuasion import PersuasionOverhearer

GOALS = list(find_goals("all").values())
FILES = ("dialogues.jsonl", "questions.jsonl", "rejected.jsonl", "trajectories.jsonl")
N = 60


def plans(count: int = 180, seed: int = 0) -> Iterator[PersuasionPlan]:
    return (plan_at(seed, index, GOALS, expressions()) for index in range(count))


def command(out: Path, *more: str, n: int = N) -> list[str]:
    suite = ["--suite", "persuasivetom", "--n", str(n), "--out", str(out), "--quiet"]
    return [sys.executable, "-m", "dtomtrack", "generate", *suite, *more]


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixty conversations in a folder."""
    folder = tmp_path_factory.mktemp("persuasion") / "data"
    assert ended(command(folder)).returncode == 0
    return folder


def test_there_are_six_domains_and_each_pack_is_whole() -> None:
    assert len(builtin_goals()) >= 6
    for goal in GOALS:
        assert len(goal.concerns) >= 5 and len(goal.strategies) >= 10
        addressed = Counter(concern for one in goal.strategies for concern in one.addresses)
        assert len(set(addressed.values())) == 1
        assert len({one.principle for one in goal.strategies}) == 6


def test_no_form_holds_another() -> None:
    forms = expressions()
    for goal in GOALS:
        said = [form for says in goal.forms() for form in says]
        said += [form for one in (*forms.attitudes, *forms.tones) for form in one.say]
        said += [opening(frame, goal.target, ee) for frame in forms.openings for ee in forms.names]
        said += [form for one in forms.intentions for form in one.say]
        said += [form for says in forms.desires.values() for form in says]
        # as they may stand in a sentence: without a capital and a full stop
        said = [form.lower().removesuffix(".") for form in said]
        assert not [(one, other) for one in said for other in said if one != other and one in other]


def test_desires_and_changes_are_balanced() -> None:
    changes: Counter[tuple[str, str]] = Counter()
    rounds: Counter[tuple[int, str]] = Counter()
    judged: Counter[tuple[str, bool]] = Counter()
    for plan in plans():
        desires = [desire_of(one.concerns) for one in plan.rounds]
        changes.update(pair for pair in pairwise(desires) if pair[0] != pair[1])
        rounds.update(enumerate(desires))
        for number, one in enumerate(plan.rounds):
            if one.wording is not None:
                helps = DESIRES.index(desires[number]) > DESIRES.index(desires[number - 1])
                judged[one.wording, helps] += 1
    assert len(changes) == 6
    assert all(0.12 <= count / changes.total() <= 0.21 for count in changes.values())
    assert set(rounds.values()) == {180 // BLOCK}
    assert max(judged.values()) - min(judged.values()) <= 4


def test_a_plan_follows_from_its_strategies() -> None:
    for plan in plans(60, seed=3):
        assert len({one.strategy.label for one in plan.rounds}) == ROUNDS
        for before, after in pairwise(plan.rounds):
            strategy = after.strategy
            left = set(before.concerns) - set(strategy.addresses) | set(strategy.provokes) - set()
            assert set(after.concerns) == left or set(after.concerns) == set(before.concerns) - set(strategy.addresses)


def test_nobody_says_each_time_what_comes_next() -> None:
    """In three of five rounds, any of them as often as another; what is announced is what follows."""
    rounds: Counter[int] = Counter()
    for plan in plans(300):
        announced = [number for number, one in enumerate(plan.rounds) if one.announced is not None]
        assert len(announced) == 3
        assert all(plan.rounds[number].announced == plan.rounds[number + 1].strategy for number in announced)
        rounds.update(announced)
    assert set(rounds) == set(range(ROUNDS - 1))
    assert max(rounds.values()) <= 1.25 * min(rounds.values())


def test_moods_open_some_lines_and_close_others(data: Path) -> None:
    """No form opens a large share of the lines; what points at something before it or after it stands first."""
    forms = expressions()
    lines = [line.text for one in read_lines(data / "dialogues.jsonl", ContextRecord) for line in one.lines]
    openings = [opening(frame, goal.target, ee) for frame in forms.openings for goal in GOALS for ee in forms.names]
    argued = [line.removeprefix(_first_of(openings, line)).lstrip() for line in lines[::2]]
    for own, moods in ((argued, forms.tones), (lines[1::2], forms.attitudes)):
        said = [form for one in moods for form in one.say]
        leading = Counter(form for line in own for form in said if line.startswith(form))
        assert 0.4 < leading.total() / len(own) < 0.8
        assert max(leading.values()) / len(own) < 0.05
        assert all(line.startswith(form) for line in own for form in said if form[-1] in ":?" and form in line)


def _first_of(openings: Sequence[str], line: str) -> str:
    return next((one for one in openings if line.startswith(one)), "")


def test_answers_are_one_speech(data: Path) -> None:
    """What somebody feels, minds and decides goes together in sentences: it is no row of tags."""
    texts = [line.text for one in read_lines(data / "dialogues.jsonl", ContextRecord) for line in one.lines[1::2]]
    forms = expressions()
    decided = [form for says in forms.desires.values() for form in says]
    worries = [form for goal in GOALS for concern in goal.concerns for form in concern.say]
    alone = [text for text in texts if any(f". {form} " in f". {text} " for form in decided) and _says(worries, text)]
    assert len(alone) < 0.1 * sum(_says(worries, text) for text in texts)
    felt = [form.removesuffix(".") for one in forms.attitudes for form in one.say]
    linked = [text for text in texts if any(f"{form}, " in text for form in felt)]
    assert 0.2 < len(linked) / len(texts) < 0.8


def _says(forms: Sequence[str], text: str) -> bool:
    return any(form.lower().removesuffix(".") in text.lower() for form in forms)


def test_what_an_answer_is_meant_to_do_goes_on_from_the_rest() -> None:
    going_on = re.compile(
        r"(?:And|But|Still|Only|Just|Now|Well|Oh|Come|Anyway|By the way)\b|.*(?:, (?:though|mind|at any rate)\.$)|I do"
    )
    assert not [form for one in expressions().intentions for form in one.say if not going_on.match(form)]


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        (("I'm torn.", ": ", "My algebra is rusty."), "I'm torn: my algebra is rusty."),
        (("That's news to me.", ", and ", "I'll pass."), "That's news to me, and I'll pass."),
        (("I'm torn.", ": ", "Oslo is far away."), "I'm torn. Oslo is far away."),
        (("What a thought!", ", so ", "Count me in."), "What a thought! Count me in."),
    ],
)
def test_what_goes_into_a_sentence_keeps_names_and_marks(parts: tuple[str, str, str], sentence: str) -> None:
    assert joined(*parts) == sentence


def test_the_persuader_says_in_the_first_exchange_what_it_is_about(data: Path) -> None:
    """Nobody has to guess: where the persuader is asked about, the right goal was said and the wrong one was not."""
    contexts = {one.id: one for one in read_lines(data / "dialogues.jsonl", ContextRecord)}
    frames = Counter[str]()
    for context in contexts.values():
        goal = next(goal for goal in GOALS if context.id.startswith(goal.domain))
        first, answer, *_ = context.lines
        (frame,) = (
            one for one in expressions().openings if first.text.startswith(opening(one, goal.target, answer.speaker))
        )
        frames[frame] += 1
        assert not [line for line in context.lines[1:] if goal.target in line.text]
    assert len(frames) >= 6
    assert max(frames.values()) <= N / 3
    asked = Counter[str]()
    for line in read_lines(data / "questions.jsonl", ItemLine):
        if line.groups["type"] == "desire_er":
            right = line.options[line.answer[0]]
            told = contexts[line.cluster].lines[: line.context.lines if line.context is not None else 0]
            target = line.question.partition(f"{told[1].speaker} to ")[2].removesuffix("?")
            assert (right == "Yes") == any(target in one.text for one in told), line.id
            asked[right] += 1
    assert asked["Yes"] > 2 * N and asked["No"] > 2 * N


def test_whether_a_strategy_helps_is_asked_without_a_not(data: Path) -> None:
    asked = Counter[tuple[str, str]]()
    for line in read_lines(data / "questions.jsonl", ItemLine):
        if line.groups["type"] == "judgement":
            asked[line.groups["wording"], line.question.rpartition('" next to get ')[2].partition(". ")[2]] += 1
    assert set(asked) == {
        ("effective", "Will this strategy be effective?"),
        ("not effective", "Will this strategy fail?"),
    }


def test_all_eight_types_are_asked_and_the_counts_add_up(data: Path) -> None:
    manifest = Manifest.model_validate_json((data / "manifest.json").read_bytes())
    lines = list(read_lines(data / "questions.jsonl", ItemLine))
    assert {one.groups["type"] for one in lines} == set(KINDS)
    assert manifest.counts.groups["type"] == dict(sorted(Counter(one.groups["type"] for one in lines).items()))
    assert (manifest.suite, manifest.status, manifest.counts.dialogues) == ("persuasivetom", "complete", N)
    assert manifest.models == {"scenario": "scripted", "actors": "scripted", "verifiers": "rules"}
    assert len({one.id for one in lines}) == len(lines)


def test_what_is_right_can_be_read_from_the_utterances(data: Path) -> None:
    """An overhearer of the utterances alone answers every question right."""
    contexts = {
        one.id: [line.text for line in one.lines] for one in read_lines(data / "dialogues.jsonl", ContextRecord)
    }
    goals = {goal.domain: goal for goal in GOALS}
    read = {
        name: PersuasionOverhearer(spoken_forms(goals[name.split("-")[0]], expressions())).read(lines)
        for name, lines in contexts.items()
    }
    asked = 0
    for line in read_lines(data / "questions.jsonl", ItemLine):
        kind, number = line.groups["type"], int(line.groups["round"])
        rounds, right = read[line.cluster], line.options[line.answer[0]]
        own, after = rounds[number], rounds[min(number + 1, ROUNDS - 1)]
        heard = {
            "desire_er": "Yes" if f" to {rounds[0].goal}?" in line.question else "No",
            "desire_ee": own.desire,
            "belief_er": own.attitude,
            "belief_ee": own.tone,
            "intention_ee": own.intention[:1].upper() + own.intention[1:],
            "prediction": own.announced,
            "judgement": _judged(own.concerns, after.concerns, line.groups.get("wording", "")),
        }.get(kind)
        if heard is not None:
            asked += 1
            assert right == heard, line.id
        if kind == "belief_ee" and _praises(goals[line.cluster.split("-")[0]], own.strategy):
            assert {"affectionate", "admiring"}.intersection(line.options.values()) <= {right}
    assert all(own.desire == desire_of(sorted(own.concerns)) for rounds in read.values() for own in rounds)
    assert asked > 34 * N


def _praises(goal: GoalPack, strategy: str) -> bool:
    return goal.strategy(strategy).principle == "liking"


def _judged(before: frozenset[str], after: frozenset[str], wording: str) -> str:
    return "Yes" if bool(before - after) == (wording == "effective") else "No"


def test_what_an_argument_intends_is_not_asked_where_it_comes_with_praise(data: Path) -> None:
    """ "Half as clever as you, and I'd be content" wants to be liked, whatever is argued besides."""
    lines = {one.id: one.lines for one in read_lines(data / "dialogues.jsonl", ContextRecord)}
    warm = [form for one in expressions().tones if one.word in {"admiring", "affectionate"} for form in one.say]
    asked = [one for one in read_lines(data / "questions.jsonl", ItemLine) if one.groups["type"] == "intention_er"]
    praised = [one for one in asked if any(form in lines[one.cluster][one.turn or 0].text for form in warm)]
    assert len(praised) < len(asked) < N * ROUNDS
    assert {one.option_roles[letter] for one in praised if one.option_roles for letter in one.answer} == {"liking"}


def test_generated_data_passes_the_gate(data: Path) -> None:
    """Rules that never read the conversation stay near chance (a small set: the bar of seven points, by intervals)."""
    assert not audit_items(SUITE.items(data)).failures(None, 100)


def test_the_same_bytes_with_workers_and_after_kills(data: Path, tmp_path: Path) -> None:
    assert ended(command(tmp_path / "workers", "--engine", "processes", "--workers", "2")).returncode == 0
    assert contents(tmp_path / "workers") == contents(data)
    out, rng = tmp_path / "killed", Random(0)
    for wanted in sorted(rng.sample(range(1, N - 5), 3)):
        process = started(command(out))
        progress = out / "progress.jsonl"
        while process.poll() is None and (not progress.exists() or progress.read_bytes().count(b"\n") < wanted):
            time.sleep(0.001)
        process.kill()
        assert process.ended() == (-signal.SIGKILL, "")
    assert ended(command(out)).returncode == 0
    assert contents(out) == contents(data)


def test_the_same_conversations_are_trajectories(data: Path, tmp_path: Path) -> None:
    manifest = import_trajectories(data / "trajectories.jsonl", tmp_path / "out")
    changes = manifest.config["changes"]
    assert isinstance(changes, dict) and len(changes) == 6
    assert manifest.counts.groups["type"]["pre_update"] == sum(int(str(count)) for count in changes.values())


REFUSED = [
    ({"domain": "nowhere"}, "no persuasion domain 'nowhere'"),
    ({"domain": "work,work"}, "is given twice"),
    ({"domain": " , "}, "no domain is given"),
    ({"n": 0}, "n is 0"),
    ({"models": {"scenario_model": "vllm/x"}}, "drawn from packs"),
    ({"models": {"model": "vllm/x", "verifier_model": "rules"}}, "has to be read by a model"),
]


@pytest.mark.parametrize(("options", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_a_request_that_cannot_be_met_is_refused(options: dict[str, object], message: str) -> None:
    request = GenerationRequest(**{"domain": "all", "n": 1, **options})  # type: ignore[arg-type]
    with pytest.raises(InputError, match=message):
        generating_suite("persuasivetom").job(request)
    with pytest.raises(InputError, match="makes no data"):
        generating_suite("items")


def test_a_wrong_pack_is_refused_with_its_line() -> None:
    goal = GOALS[0].model_dump(mode="json")
    assert GoalPack.model_validate(goal) == GOALS[0]
    text = "domain: x\ntarget: y\ncontext: z\nconcerns: []\nstrategies: []\n"
    with pytest.raises(PackError, match=r"mine\.yaml:4: concerns"):
        read_goal("mine.yaml", text)
    goal["strategies"][0]["addresses"] = ["nothing"]
    with pytest.raises(ValueError, match="there is no concern 'nothing'"):
        GoalPack.model_validate(goal)


def test_an_overhearer_reads_one_thing_or_nothing() -> None:
    goal = GOALS[0]
    overhearer = PersuasionOverhearer(spoken_forms(goal, expressions()))
    with pytest.raises(ValueError, match="has to say one"):
        overhearer.read(["Well, well.", "Yes."])
