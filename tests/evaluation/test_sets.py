"""Items of another suite, with up to ten options of which any number may be right."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import pytest
from competent_reader import weighed
from examinee import MODEL, answers_in, prompt_of
from loopback import Answer as Reply
from loopback import Loopback, Request, completion

from dtomtrack.errors import InputError
from dtomtrack.evaluation.benchmark import ReplyReader, RuleMaker
from dtomtrack.evaluation.estimate import estimate_evaluation
from dtomtrack.evaluation.evaluate import run_evaluation
from dtomtrack.evaluation.metrics import metrics
from dtomtrack.evaluation.records import Answer, AskConfig, Interval, Measure, Metrics
from dtomtrack.evaluation.request import EvaluateOptions, request_evaluation
from dtomtrack.evaluation.rescore import rescore_dataset
from dtomtrack.evaluation.scored import ScoredAnswer
from dtomtrack.evaluation.subject import rules_of
from dtomtrack.items.item import ContextLine, Item
from dtomtrack.items.presented import PresentedItem

ASKED = AskConfig(subject="some/model", questions="a digest", context="all")
COLOURS = ("red", "green", "blue", "white", "black", "grey", "pink", "brown", "orange", "violet")


@dataclass(frozen=True)
class Heard:
    """What an item asks about."""

    lines: Sequence[ContextLine]

    def text(self, condition: str) -> str:
        return "\n".join(line.text for line in self.lines) if condition == "all" else ""


class Colours:
    """A suite that asks which colours were named."""

    name = "colours"
    conditions = ("all", "nothing")
    files = ("colours.jsonl",)
    focus = ""
    published_reader: ReplyReader | None = None
    rules: Mapping[str, RuleMaker] = {}
    group_order: Mapping[str, Sequence[str]] = {"shade": ["dark", "bright"]}

    def items(self, folder: Path, limit: int | None = None) -> Iterator[Item]:
        lines = (folder / "colours.jsonl").read_text(encoding="utf-8").rstrip("\n").split("\n")
        named = [json.loads(line) for line in lines]
        clusters = set(islice(dict.fromkeys(one["talk"] for one in named), limit))
        yield from (an_item(number, **one) for number, one in enumerate(named) if one["talk"] in clusters)

    def measures(self, answers: Sequence[ScoredAnswer], config: AskConfig) -> tuple[Measure, ...]:
        many = [len(one.chosen or ()) for one in answers]
        mean = Interval(value=sum(many) / max(1, len(many)) / 10, low=None, high=None)
        return (Measure(name="boldness", label="Share of options chosen", estimate=mean, items=len(many)),)


SUITE = Colours()


def an_item(number: int, talk: str, gold: Sequence[int], size: int = 10) -> Item:
    said = ", ".join(COLOURS[position] for position in gold)
    return Item(
        id=f"q{number}",
        cluster=talk,
        question="Which colours were named?",
        options=COLOURS[:size],
        gold=frozenset(gold),
        select="any",
        groups={"shade": "dark" if 4 in gold else "bright"},
        context=Heard([ContextLine("Ada", f"I like {said}.")]),
    )


def an_answer(item: Item, letters: str | None) -> Answer:
    right = letters is not None and {ord(one) - ord("A") for one in letters} == item.gold
    outcome = "unparsed" if letters is None else "correct" if right else "wrong"
    return Answer.model_validate(
        {"question_id": item.id, "dialogue_id": item.cluster, "answer": letters, "shown": letters, "outcome": outcome}
    )


def of(given: Sequence[tuple[Item, str | None]]) -> Metrics:
    return metrics(SUITE, ASKED, [item for item, _ in given], [an_answer(*one) for one in given])


def sure_of_what_is_liked(request: Request) -> Reply:
    """Yes with 0.9 where the colour of the one option stands in what was said, no with 0.9 where it does not."""
    prompt = prompt_of(request)
    liked, colour = re.search(r"I like (.*)\.", prompt), re.search(r'alone: "(\w+)"', prompt)
    assert liked is not None and colour is not None
    yes = 0.9 if colour[1] in liked[1].split(", ") else 0.1
    return weighed({"Y": yes, "N": 1 - yes}, text="Y" if yes > 0.5 else "N")


# -- metrics ---------------------------------------------------------------------------------------------------------


def test_a_set_is_right_as_a_whole_and_its_agreement_stands_beside_it() -> None:
    items = [an_item(number, f"talk {number}", [0, 1]) for number in range(4)]
    result = of(list(zip(items, ("AB", "A", "ABCD", None), strict=True)))
    agreement = result.measure("jaccard")
    assert agreement is not None
    assert (result.micro.accuracy.value, agreement.estimate.value) == (0.25, (1 + 0.5 + 0.5 + 0) / 4)
    assert result.micro.chance == pytest.approx(1 / 1023, abs=1e-6)


def test_sets_that_all_agree_leave_room_in_their_interval() -> None:
    items = [an_item(number, f"talk {number}", [0, 1]) for number in range(12)]
    agreement = of([(item, "AB") for item in items]).measure("jaccard")
    assert agreement is not None
    assert (agreement.estimate.value, agreement.estimate.high) == (1.0, 1.0)
    assert 0.6 < (agreement.estimate.low or 0.0) < 0.9
    few = of([(item, "AB") for item in items[:3]]).measure("jaccard")
    assert few is not None
    assert few.estimate == Interval(value=1.0, low=None, high=None)


def test_the_best_constant_set_is_what_a_fixed_answer_gets() -> None:
    golds = [[0], [0], [0], [1, 2], [0, 1, 2, 3]]
    result = of([(an_item(number, f"talk {number}", gold), "A") for number, gold in enumerate(golds)])
    assert result.micro.best_constant == result.micro.accuracy.value == 0.6
    agreement = result.measure("jaccard")
    assert agreement is not None
    assert agreement.reference is not None
    assert agreement.reference_label == "best constant set"
    assert agreement.reference.value == agreement.estimate.value == (3 + 0 + 0.25) / 5


def test_groups_of_ones_own_are_in_their_order_and_without_types_there_is_no_mean_of_them() -> None:
    result = of([(an_item(number, f"talk {number}", [number]), "A") for number in range(6)])
    assert [group.name for group in result.groups["shade"]] == ["dark", "bright"]
    assert result.macro == Interval(value=None, low=None, high=None)
    assert [one.name for one in result.further] == ["jaccard", "boldness"]


def test_letters_are_counted_for_each_option_of_a_set() -> None:
    result = of([(an_item(0, "talk", [0, 9]), "AJ"), (an_item(1, "talk", [9]), "AJ")])
    assert result.letters == {"A": (2, 1), "J": (2, 2)}


# -- whole evaluations -----------------------------------------------------------------------------------------------


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Six talks of two items."""
    golds = [[0, 4], [9], [1, 2, 3], [5], [0, 9], [7]] * 2
    lines = [json.dumps({"talk": f"talk {number // 2}", "gold": gold}) for number, gold in enumerate(golds)]
    (tmp_path / "colours.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


async def evaluated(data: Path, *subjects: str, **options: object) -> tuple[Metrics, ...]:
    given: EvaluateOptions = options  # type: ignore[assignment]
    return await run_evaluation(request_evaluation(SUITE, data, subjects, **given))


def naming(request: Request) -> list[str]:
    """The letters of the options that were named."""
    prompt = prompt_of(request)
    heard, _, listed = prompt.partition("Question:")
    options = {line[3:].strip('" '): line[0] for line in listed.split("\n") if line[1:3] == ") "}
    return sorted(letter for colour, letter in options.items() if colour in heard)


@pytest.mark.parametrize("mode", ["text", "json"])
async def test_a_model_selects_any_number_of_options(data: Path, mode: str) -> None:
    def answer(request: Request) -> Reply:
        letters = naming(request)
        return completion(f"Answer: {', '.join(letters)}" if mode == "text" else json.dumps({"answer": letters}))

    with Loopback(answer) as server:
        (found,) = await evaluated(data, MODEL, base_url=server.base_url, mode=mode, permutations=26)
        assert server.count == found.answers == 12 * 10
    assert found.micro.accuracy.value == 1.0
    balanced = found.measure("balanced")
    assert balanced is not None
    assert (balanced.estimate.value, balanced.items) == (1.0, 12)
    rescored = rescore_dataset(SUITE, data)
    assert [one.changed for one in rescored] == [0]


@pytest.mark.parametrize(
    ("text", "shown"),
    [('{"answer": ["C", "A"]}', "AC"), ('{"answer": "A, C"}', "AC"), ('{"answer": ["A", "Z"]}', None), ("[]", None)],
)
async def test_sets_in_json_are_read_strictly_then_leniently(data: Path, text: str, shown: str | None) -> None:
    with Loopback(lambda _: completion(text)) as server:
        await evaluated(data, MODEL, base_url=server.base_url, mode="json", limit=1)
    assert {one.shown for one in answers_in(data / "eval" / "vllm_examinee.json")} == {shown}


async def test_a_limit_counts_clusters(data: Path) -> None:
    (found,) = await evaluated(data, "baseline/random", limit=2)
    assert (found.answers, found.micro.dialogues) == (4, 2)


async def test_letters_probabilities_choose_one_option_and_are_refused_for_sets(data: Path) -> None:
    with Loopback(lambda _: completion("A")) as server, pytest.raises(InputError, match="several options may be right"):
        await evaluated(data, MODEL, base_url=server.base_url, mode="logprobs")


async def test_a_set_behind_other_items_is_refused_before_any_is_paid_for(data: Path) -> None:
    class Mixed(Colours):
        def items(self, folder: Path, limit: int | None = None) -> Iterator[Item]:
            for number, item in enumerate(super().items(folder, limit)):
                yield item if number == 3 else replace(item, select="one", gold=frozenset({0}))

    with Loopback(lambda _: completion("A")) as server:
        request = request_evaluation(SUITE, data, MODEL, base_url=server.base_url, mode="logprobs")
        with pytest.raises(InputError, match="q3: several options may be right"):
            await run_evaluation(replace(request, benchmark=Mixed()))
        assert server.count == 0


async def test_an_option_that_was_kept_back_counts_nowhere_whatever_befell_another(data: Path) -> None:
    def ends(request: Request) -> Reply:
        prompt = prompt_of(request)
        finish = "length" if 'alone: "blue"' in prompt else "content_filter" if 'alone: "grey"' in prompt else "stop"
        return completion("Y", finish=finish)

    with Loopback(ends) as server:
        (found,) = await evaluated(data, MODEL, base_url=server.base_url, mode="each", limit=1, concurrency=1)
    assert found.outcomes["error"] == found.answers


async def test_each_option_is_asked_about_alone_and_counts_where_yes_is_likelier(data: Path) -> None:
    with Loopback(sure_of_what_is_liked) as server:
        (found,) = await evaluated(data, MODEL, base_url=server.base_url, mode="each", permutations=2)
    assert found.micro.accuracy.value == 1.0
    assert server.count == 10 * found.answers
    assert found.calibration is not None
    assert found.calibration.ece == pytest.approx(0.1, abs=1e-6)
    assert found.calibration.brier == pytest.approx(2 * 0.1**2, abs=1e-6)
    (folder,) = (data / "eval").iterdir()
    assert answers_in(folder)[0].reply.startswith("A: ")
    before = (folder / "answers.jsonl").read_bytes()
    (again,) = rescore_dataset(SUITE, data)
    assert (again.changed, (folder / "answers.jsonl").read_bytes()) == (0, before)


async def test_who_says_no_to_each_option_gives_no_answer(data: Path) -> None:
    def never(_: Request) -> Reply:
        return weighed({"Y": 0.5, "N": 0.5}, text="N")

    with Loopback(never) as server:
        (found,) = await evaluated(data, MODEL, base_url=server.base_url, mode="each", limit=1)
    assert found.outcomes["unparsed"] == found.answers


async def test_the_estimate_counts_a_call_for_each_option(data: Path) -> None:
    request = request_evaluation(SUITE, data, MODEL, base_url="http://127.0.0.1:9", mode="each")
    (estimated,) = estimate_evaluation(request)
    assert estimated.calls == 10 * len(list(SUITE.items(data)))


@pytest.mark.parametrize("together", [{"prompt": "cot"}, {"tell_size": True}])
def test_options_asked_about_alone_take_no_reasoning_and_no_number(data: Path, together: EvaluateOptions) -> None:
    options: EvaluateOptions = {"base_url": "http://127.0.0.1:9", "mode": "each", **together}
    with pytest.raises(InputError, match="choose one"):
        request_evaluation(SUITE, data, MODEL, **options)


async def test_how_many_are_right_is_told_where_that_is_wanted(data: Path) -> None:
    with Loopback(lambda _: completion("A")) as server:
        await evaluated(data, MODEL, base_url=server.base_url)
        assert not any("Exactly" in prompt_of(request) for request in server.requests)
        asked = len(server.requests)
        await evaluated(data, MODEL, base_url=server.base_url, tell_size=True)
    assert len(server.requests) == 2 * asked
    for prompt in map(prompt_of, server.requests[asked:]):
        liked = re.search(r"I like (.*)\.", prompt)
        assert liked is not None
        right = len(liked[1].split(", "))
        told = "Exactly one of the options is right" if right == 1 else f"Exactly {right} of the options are right"
        assert told in prompt


def test_a_template_without_a_place_for_how_many_is_told(data: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    own.write_text("{context}\n{question}\n{options}\n")
    with pytest.raises(InputError, match=r"own.txt: has no \{how_many\}, where tell-size would say"):
        request_evaluation(SUITE, data, MODEL, base_url="http://127.0.0.1:9", tell_size=True, template=own)


@pytest.mark.parametrize(("temperature", "told"), [(0.0, 1), (0.7, 0)])
async def test_repeats_without_chance_are_told(data: Path, temperature: float, told: int) -> None:
    said: list[str] = []
    with Loopback(lambda _: completion("A")) as server:
        options: EvaluateOptions = {"base_url": server.base_url, "repeats": 2, "limit": 1, "temperature": temperature}
        await run_evaluation(request_evaluation(SUITE, data, MODEL, **options), warn=said.append)
    assert sum("repeats is 2 at temperature 0" in one for one in said) == told


async def test_more_rotations_than_options_are_told_once(data: Path) -> None:
    told: list[str] = []
    request = request_evaluation(SUITE, data, "baseline/random", permutations=12)
    await run_evaluation(request, warn=told.append)
    assert len(told) == 1
    assert "permutations is 12: items with fewer options, such as q0 with 10" in told[0]


async def test_an_unknown_context_is_told_with_those_there_are(data: Path) -> None:
    with pytest.raises(InputError, match="context is 'utterances'; it has to be one of all, nothing"):
        await evaluated(data, "baseline/random", context="utterances")


async def test_baselines_always_answer(data: Path) -> None:
    names = [f"baseline/{name}" for name in rules_of(SUITE)]
    found = await evaluated(data, *names, permutations=3)
    for one in found:
        assert one.outcomes["correct"] + one.outcomes["wrong"] == one.answers == 36
    answers = answers_in(data / "eval" / "baseline_random.x3")
    assert len({len(one.answer or "") for one in answers}) > 3


def test_frequent_gold_takes_the_set_that_is_right_most_often_elsewhere() -> None:
    items = [an_item(number, f"talk {number}", [0, 4] if number % 3 else [number % 10]) for number in range(60)]
    rule = rules_of(SUITE)["frequent-gold"](lambda: items)
    assert {rule(PresentedItem(item)) for item in items} == {frozenset({0, 4})}
