"""Generated persuasive conversations: plans, packs, the overhearer, right answers, and runs that are killed."""

from __future__ import annotations

import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from commands import ended, started

from dtomtrack.audit import audit_items
from dtomtrack.errors import InputError, PackError
from dtomtrack.runs.lines import read_lines
from dtomtrack.runs.manifest import Manifest
from dtomtrack.scenarios.persuasion.forms import clash, opening, spoken_forms
from dtomtrack.scenarios.persuasion.joining import joiner
from dtomtrack.scenarios.persuasion.pack import GoalPack
from dtomtrack.scenarios.persuasion.pack_files import builtin_goals, expressions, find_goals, read_goal
from dtomtrack.scenarios.persuasion.plan import BLOCK, DESIRES, ROUNDS, PersuasionPlan, desire_of, plan_at
from dtomtrack.scenarios.persuasion.ways import ways_of
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


def test_no_form_holds_another_that_says_something_else() -> None:
    forms = expressions()
    assert not [found for goal in GOALS if (found := clash(goal, forms))]
    says = list(forms.says())
    # as they may stand in a sentence: without a capital and a last mark
    said = [(number, way.lower().rstrip(".?!")) for number, one in enumerate(says) for way in ways_of(one)]
    held = [(one, other) for number, one in said for of, other in said if of != number and other in one]
    assert not held


def test_every_way_of_saying_something_is_a_sentence_or_leads_into_one() -> None:
    forms = expressions()
    says = [*forms.says(), *forms.reactions.values(), forms.relents]
    says += [one.taken_up for one in forms.intentions if one.taken_up]
    says += [form for goal in GOALS for form in goal.forms()]
    ways = [way for one in says for way in ways_of(one)]
    assert not [
        way for way in ways if not re.fullmatch(r"[A-Z{][^][|]*[^ .?!:,][.?!:]", way) or "  " in way or " ," in way
    ]
    assert min(len(ways_of(one)) for one in says) >= 6


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


def test_what_is_asked_for_comes_next() -> None:
    """In four of six answers, any of them as often as another, something is asked for; the last is not taken up."""
    rounds: Counter[int] = Counter()
    for plan in plans(300):
        asking = [number for number, one in enumerate(plan.rounds) if one.intention.asks_for is not None]
        assert len(asking) == 4
        assert len({one.intention.label for one in plan.rounds}) == ROUNDS
        taken_up = [number for number in asking if number < ROUNDS - 1]
        assert all(plan.rounds[n].intention.asks_for == plan.rounds[n + 1].strategy.principle for n in taken_up)
        rounds.update(asking)
    assert set(rounds) == set(range(ROUNDS))
    assert max(rounds.values()) <= 1.25 * min(rounds.values())


def test_a_conversation_argues_by_each_principle_once_and_its_tone_goes_step_by_step() -> None:
    polarities = ("negative", "neutral", "positive")
    principles = [len({one.strategy.principle for one in plan.rounds}) for plan in plans(300)]
    assert principles.count(6) >= 0.95 * len(principles)
    for plan in plans(60):
        sides = [(polarities.index(one.tone.polarity), one.feeling) for one in plan.rounds]
        # a yes or a no is taken as it comes
        steps = [abs(before - after) for (before, first), (after, second) in pairwise(sides) if not (first or second)]
        assert max(steps, default=0) <= 1


def test_each_goal_and_its_rivals_are_what_conversations_are_about() -> None:
    targets = Counter(plan.target for plan in plans(480))
    assert set(targets) == {target for goal in GOALS for target in goal.targets}
    assert max(targets.values()) <= 2.5 * min(targets.values())


def test_nobody_takes_a_yes_back_in_the_same_line(data: Path) -> None:
    contexts = {one.id: one.lines for one in read_lines(data / "dialogues.jsonl", ContextRecord)}
    hedging = [way for one in expressions().intentions for way in ways_of(one.say) if one.say_with_yes]
    eager = [way for one in expressions().intentions for way in ways_of(one.say_with_yes)]
    assert not set(hedging) & set(eager)
    asked = [one for one in read_lines(data / "questions.jsonl", ItemLine) if one.groups["type"] == "desire_ee"]
    said: dict[str, list[str]] = {"Yes": [], "No": []}
    for one in asked:
        assert one.context is not None
        said.setdefault(one.options[one.answer[0]], []).append(contexts[one.context.id][one.context.lines - 1].text)
    # some lines end with a name
    closing = [end for line in said["Yes"] for end in (line, line.rpartition(",")[0] + line[-1:])]
    assert not [line for line in closing if any(line.endswith(way) for way in hedging)]
    # most say besides what they leave aside, in the same words with a yes and with a no
    assert sum(any(way in line for way in hedging) for line in said["No"]) >= 3
    assert sum(any(way in line for way in eager) for line in said["Yes"]) >= 3


def test_moods_open_some_lines_and_close_others(data: Path) -> None:
    """No way of saying a mood opens a large share of the lines; what points at something stands before it."""
    forms = expressions()
    lines = [line.text for one in read_lines(data / "dialogues.jsonl", ContextRecord) for line in one.lines]
    for own, moods in ((lines[::2], forms.tones), (lines[1::2], forms.attitudes)):
        said = [way.rstrip(".?!") for one in moods for way in ways_of(one.say)]
        found = [max((way for way in said if way in line), key=len, default="") for line in own]
        told = [(line, way) for line, way in zip(own, found, strict=True) if way]
        closing = sum(line.rpartition(way)[2] in {".", "!", "?"} for line, way in told)
        assert closing < 0.6 * len(told)
        assert max(Counter(way for _, way in told).values()) / len(told) < 0.05
    assert all(line.find(one) < len(line) / 2 for line in lines for one in said if one.endswith(":") and one in line)


def test_few_sentences_come_again(data: Path) -> None:
    lines = [line.text for one in read_lines(data / "dialogues.jsonl", ContextRecord) for line in one.lines]
    counts = Counter(sentence for line in lines for sentence in re.split(r"(?<=[.!?:])\s+", line))
    again = sum(count for count in counts.values() if count > 1)
    assert again < 0.4 * counts.total()


def test_answers_are_one_speech(data: Path) -> None:
    """What somebody minds and decides goes together in sentences: it is no row of tags."""
    texts = [line.text for one in read_lines(data / "dialogues.jsonl", ContextRecord) for line in one.lines[1::2]]
    forms = expressions()
    decided = [way for says in forms.desires.values() for way in ways_of(says)]
    worries = [way for goal in GOALS for concern in goal.concerns for way in ways_of(concern.say)]
    alone = [text for text in texts if any(f". {form} " in f". {text} " for form in decided) and _says(worries, text)]
    assert len(alone) < 0.15 * sum(_says(worries, text) for text in texts)


def test_who_minds_what_they_minded_says_so_and_who_no_longer_does_too(data: Path) -> None:
    lines = [line.text for one in read_lines(data / "dialogues.jsonl", ContextRecord) for line in one.lines[1::2]]
    recalls = [way.lower() for way in expressions().recalls]
    clauses = [concern.clause for goal in GOALS for concern in goal.concerns]
    assert sum(any(one in line.lower() for one in recalls) for line in lines) > N / 2
    assert sum(any(f"{one}" in line for one in clauses) for line in lines) > N / 3


def _says(forms: Sequence[str], text: str) -> bool:
    return any(form.lower().rstrip(".?!") in text.lower() for form in forms)


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
    assert joiner(GOALS[0], expressions()).joined(*parts) == sentence


def test_words_lose_their_capital_that_a_pack_writes_small() -> None:
    """There is no list of them: a pack of one's own brings its own."""
    assert joiner(GOALS[0], expressions()).continued("Walruses sleep a lot.") is None
    text = GOALS[0].model_dump(mode="json")
    text["concerns"][0]["say"] = ["Seals and walruses frighten me.", *text["concerns"][0]["say"][1:]]
    own = joiner(GoalPack.model_validate(text), expressions())
    assert own.continued("Walruses sleep a lot.") == "walruses sleep a lot."


def test_the_persuader_says_in_the_first_exchange_what_it_is_about(data: Path) -> None:
    """Nobody has to guess: where the persuader is asked about, the right goal was said and the wrong one was not."""
    contexts = {one.id: one for one in read_lines(data / "dialogues.jsonl", ContextRecord)}
    frames = Counter[str]()
    for context in contexts.values():
        goal = next(goal for goal in GOALS if context.id.startswith(goal.domain))
        first, answer, *_ = context.lines
        (frame,) = (
            one
            for one in expressions().openings
            for target in goal.targets
            if first.text.startswith(opening(one, target, answer.speaker))
        )
        frames[frame] += 1
        assert not [line for line in context.lines[1:] for target in goal.targets if target in line.text]
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
            goals = next(goal.targets for goal in GOALS if line.cluster.startswith(goal.domain))
            assert target in goals, "a wrong goal is one of the same people and things"
    assert asked["Yes"] > 2 * N and asked["No"] > 2 * N


def test_neither_the_words_of_an_attitude_nor_a_yes_or_no_are_enough(data: Path) -> None:
    """Of four attitudes two are told by the same words, and two go with a yes; who wavers is not asked about."""
    forms = expressions()
    contexts = {one.id: one for one in read_lines(data / "dialogues.jsonl", ContextRecord)}
    for line in read_lines(data / "questions.jsonl", ItemLine):
        if line.groups["type"] != "belief_er":
            continue
        last = contexts[line.cluster].lines[2 * int(line.groups["round"]) + 1].text
        (own,) = (one for one in forms.attitudes if _says([*ways_of(one.say)], last))
        words = set(line.options.values())
        (beside,) = (one for one in forms.attitudes if one != own and {one.positive, one.negative} <= words)
        assert {own.positive, own.negative} <= words
        assert beside.name not in own.near and own.name not in beside.near
        assert line.options[line.answer[0]] in {own.positive, own.negative}


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
    forms = expressions()
    listeners = {one.id: one.lines[1].speaker for one in read_lines(data / "dialogues.jsonl", ContextRecord)}
    read = {
        name: PersuasionOverhearer(spoken_forms(goals[name.split("-")[0]], forms, listeners[name])).read(lines)
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
            "belief_er": None if own.attitude is None else forms.attitude(own.attitude).word(own.desire),
            "belief_ee": _felt(own.tone, rounds[number - 1].desire) or own.tone,
            "intention_ee": own.intention[:1].upper() + own.intention[1:],
            "prediction": _answering(goals[line.cluster.split("-")[0]], own.intention, line.options),
            "judgement": _judged(own.concerns, after.concerns, line.groups.get("wording", "")),
        }.get(kind)
        if heard is not None:
            asked += 1
            assert right == heard, line.id
        if kind == "belief_ee" and _praises(goals[line.cluster.split("-")[0]], own.strategy):
            assert {"affectionate", "admiring"}.intersection(line.options.values()) <= {right}
    assert all(own.desire == desire_of(sorted(own.concerns)) for rounds in read.values() for own in rounds)
    assert asked > 30 * N


def _felt(name: str, before: str) -> str | None:
    """What the persuader feels of the answer before; None where the words are a tone's."""
    return next((one.word(before) for one in expressions().feelings if one.name == name), None)


def _answering(goal: GoalPack, intention: str, options: Mapping[str, str]) -> str | None:
    """The one strategy among options by which what is asked for is taken up; None where that is no question."""
    principle = next(one.asks_for for one in expressions().intentions if one.label == intention)
    labels = {one.label for one in goal.strategies if one.principle == principle}
    found = [text for text in options.values() if text in labels]
    return found[0] if len(found) == 1 else None


def _praises(goal: GoalPack, strategy: str) -> bool:
    return goal.strategy(strategy).principle == "liking"


def _judged(before: frozenset[str], after: frozenset[str], wording: str) -> str:
    return "Yes" if bool(before - after) == (wording == "effective") else "No"


def test_what_an_argument_intends_is_not_asked_where_it_comes_with_praise(data: Path) -> None:
    """ "Half as clever as you, and I'd be content" wants to be liked, whatever is argued besides."""
    lines = {one.id: one.lines for one in read_lines(data / "dialogues.jsonl", ContextRecord)}
    tones = [one for one in expressions().tones if one.word in {"admiring", "affectionate"}]
    warm = [way.rstrip(".?!:") for one in tones for way in ways_of(one.say)]
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
    ({"models": {"model": "vllm/x", "actor_style": "two-call"}}, "--actor-style: is for dialogues of dtom"),
    ({"models": {"model": "vllm/x", "turn_retries": 1, "threshold": 0.5}}, "--turn-retries, --threshold: is for"),
    ({"models": {"model": "vllm/x", "scenario_source": "model"}}, "leave --scenarios model out"),
]


@pytest.mark.parametrize(("options", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_a_request_that_cannot_be_met_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        generating_suite("persuasivetom").job(GenerationRequest(**{"domain": "all", "n": 1, **options}))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="makes no data"):
        generating_suite("items")


def test_a_wrong_pack_is_refused_with_its_line() -> None:
    goal = GOALS[0].model_dump(mode="json")
    assert GoalPack.model_validate(goal) == GOALS[0]
    text = "domain: x\ntarget: y\nrivals: [a, b, c]\ncontext: z\nconcerns: []\nstrategies: []\n"
    with pytest.raises(PackError, match=r"mine\.yaml:5: concerns"):
        read_goal("mine.yaml", text)
    goal["strategies"][0]["addresses"] = ["nothing"]
    with pytest.raises(ValueError, match="there is no concern 'nothing'"):
        GoalPack.model_validate(goal)


def test_an_overhearer_reads_one_thing_or_nothing() -> None:
    goal = GOALS[0]
    overhearer = PersuasionOverhearer(spoken_forms(goal, expressions(), "Ada"))
    with pytest.raises(ValueError, match="has to say one"):
        overhearer.read(["Well, well.", "Yes."])
