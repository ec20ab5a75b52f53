"""A liking for a letter: it is told, and taken out by probabilities or by rotations; prompts of one's own."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from competent_reader import weighed
from examinee import MODEL, answers_in, asked_question, prompt_of, shown_in
from loopback import Answer as Reply
from loopback import Loopback, Request, completion

from dtomtrack import evaluate, generate, load, make_report
from dtomtrack.cli.metrics_table import show_metrics
from dtomtrack.errors import DatasetError, InputError
from dtomtrack.evaluation.debias import most_favoured
from dtomtrack.evaluation.metrics import metrics
from dtomtrack.evaluation.records import Answer, AskConfig, Outcome
from dtomtrack.items.item import Item
from dtomtrack.library import rescore
from dtomtrack.suites.items.suite import SUITE


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four dialogues."""
    folder = tmp_path_factory.mktemp("made") / "data"
    generate("travel", n=4, out=folder)
    return folder


@pytest.fixture
def data(made: Path, tmp_path: Path) -> Path:
    """The same in a folder to write to."""
    return Path(shutil.copytree(made, tmp_path / "data"))


def golds(data: Path) -> Callable[[Request], str]:
    """The right letter of a prompt."""
    known = {(one.question, frozenset(one.options)): one.options[min(one.gold)] for one in load(data).items}

    def letter(request: Request) -> str:
        shown = shown_in(request)
        gold = known[asked_question(request), frozenset(shown.values())]
        return next(name for name, text in shown.items() if text == gold)

    return letter


def fond_of_b(data: Path) -> Callable[[Request], Reply]:
    """Knows every answer, and likes B more than that."""
    right = golds(data)

    def answer(request: Request) -> Reply:
        noise, known = Random(prompt_of(request)), right(request)
        gains = {one: (one == known) + 1.5 * (one == "B") + noise.uniform(-0.2, 0.2) for one in "ABCD"}
        total = sum(map(math.exp, gains.values()))
        return weighed({one: math.exp(gain) / total for one, gain in gains.items()})

    return answer


def often_b(data: Path) -> Callable[[Request], Reply]:
    """Knows every answer, and says B instead four times in ten."""
    right = golds(data)
    return lambda request: completion("B" if Random(prompt_of(request)).random() < 0.4 else right(request))


def test_probabilities_without_the_bias_are_right_where_the_answers_are_not(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Loopback(fond_of_b(data)) as server:
        (plain,) = evaluate(data, MODEL, base_url=server.base_url, mode="logprobs")
        show_metrics(plain)
        told = capsys.readouterr().out
        (found,) = evaluate(data, MODEL, base_url=server.base_url, mode="logprobs", debias=True)
        # the same answers serve both
        assert server.count == plain.answers
    chosen, right = plain.letters["B"]
    assert f"Bias for a letter: B chosen {chosen} of {plain.answers} times where {right} are gold; --debias" in told
    assert plain.debiased is None
    assert found.debiased is not None
    assert (found.micro.accuracy.value or 0) < 0.5
    assert (found.debiased.micro.accuracy.value or 0) > 0.95
    assert found.debiased.method == "probabilities"
    assert {group.name for group in found.debiased.types} == {group.name for group in found.groups["type"]}
    show_metrics(found)
    shown = capsys.readouterr().out
    assert "as answered" in shown and "without the bias" in shown
    assert max(map(len, shown.split("\n")[1:-1])) <= 200
    (again,) = rescore(data)
    assert again.metrics == found
    page = make_report(data, audit=False).page.read_text(encoding="utf-8")
    assert "Accuracy without bias for letters" in page


def test_rotations_take_the_bias_out_of_text(data: Path) -> None:
    with Loopback(often_b(data)) as server:
        (found,) = evaluate(data, MODEL, base_url=server.base_url, permutations=4, debias=True)
    assert found.debiased is not None
    assert found.debiased.method == "rotations"
    assert found.debiased.answers == found.questions == found.answers // 4
    assert (found.debiased.micro.accuracy.value or 0) > (found.micro.accuracy.value or 0) + 0.1


def test_calls_that_failed_and_replies_that_cannot_be_read_hide_no_liking_for_a_letter() -> None:
    """Of 600 answers that can be read 200 are A, which is right in 150; 400 others say nothing."""
    letters = {number: "A" if number < 200 else "BCD"[number % 3] for number in range(600)}
    items = [
        Item(f"{number}", f"{number}", "?", ("w", "x", "y", "z"), frozenset((number % 4,))) for number in range(1000)
    ]
    answers = [given(item, letters.get(number), number) for number, item in enumerate(items)]
    found = metrics(SUITE, AskConfig(subject="openai/a", questions="-"), items, answers)
    assert found.letters["A"] == (200, 150)
    assert most_favoured(found.letters) == "A"


def given(item: Item, letter: str | None, number: int) -> Answer:
    outcome: Outcome = "error" if number % 2 else "unparsed"
    if letter is not None:
        outcome = "correct" if "ABCD".index(letter) in item.gold else "wrong"
    return Answer(question_id=item.id, dialogue_id=item.cluster, answer=letter, outcome=outcome)


def test_baselines_and_even_models_are_told_of_no_bias(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    right = golds(data)
    with Loopback(lambda request: completion(right(request))) as server:
        for one in evaluate(data, ["baseline/first-letter", MODEL], base_url=server.base_url):
            show_metrics(one)
    assert "Bias for a letter" not in capsys.readouterr().out


def test_bias_needs_something_to_be_seen_by(data: Path) -> None:
    with pytest.raises(InputError, match="debias needs the letters' probabilities"):
        evaluate(data, MODEL, debias=True)
    with pytest.raises(InputError, match="debias: baselines take no such option"):
        evaluate(data, "baseline/random", debias=True, permutations=2)


# -- prompts of one's own ----------------------------------------------------------------------------------------------


def test_a_prompt_of_ones_own_is_asked_in_one_pass(data: Path, tmp_path: Path) -> None:
    own = tmp_path / "mine.txt"
    own.write_text("TRANSCRIPT {context}\nFRAGE: {question}\n{options}\nNur der Buchstabe.", encoding="utf-8")
    with Loopback(lambda _: completion("B")) as server:
        evaluate(data, MODEL, base_url=server.base_url, template=own, limit=1)
        assert all(prompt_of(one).startswith("TRANSCRIPT") for one in server.requests)
        assert all(prompt_of(one).endswith("Nur der Buchstabe.") for one in server.requests)
        first = server.count
        own.write_text("Another. {context}\n{question}\n{options}", encoding="utf-8")
        evaluate(data, MODEL, base_url=server.base_url, template=own, limit=1)
        assert server.count == 2 * first
    # another text is another evaluation
    folders = sorted((data / "eval").iterdir())
    assert len(folders) == 2
    assert all(path.name.startswith("vllm_examinee.mine-") for path in folders)
    # the text stands in the configuration, so that nothing needs the file any more
    own.unlink()
    assert [one.answers for one in rescore(data)] == [len(answers_in(path)) for path in folders]


def test_what_stands_in_a_context_is_no_placeholder(data: Path, tmp_path: Path) -> None:
    own = tmp_path / "mine.txt"
    own.write_text("{context} {question} {options}", encoding="utf-8")
    dialogues = data / "dialogues.jsonl"
    copied = Path(shutil.copytree(data, tmp_path / "copied"))
    (copied / "manifest.json").unlink()
    (copied / "progress.jsonl").unlink()
    text = dialogues.read_text(encoding="utf-8")
    (copied / "dialogues.jsonl").write_text(text.replace('"utterance":"', '"utterance":"{question} ', 1), "utf-8")
    with Loopback(lambda _: completion("B")) as server:
        evaluate(copied, MODEL, base_url=server.base_url, template=own, limit=1)
        assert all("{question} " in prompt_of(one) for one in server.requests)


@pytest.mark.parametrize(
    ("text", "mode", "reason"),
    [
        ("{context} {question}", "text", r"mine\.txt: lacks \{options\}"),
        ("{context} {question} {options} {gold}", "text", r"\{gold\}: there is no such placeholder; there are"),
        ("{context} {question} {options}", "each", r"lacks \{option\}"),
        (None, "text", "there is no such file"),
    ],
)
def test_prompts_that_cannot_work_are_told_before_anything_is_asked(
    data: Path, tmp_path: Path, text: str | None, mode: str, reason: str
) -> None:
    own = tmp_path / "mine.txt"
    if text is not None:
        own.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=reason):
        evaluate(data, MODEL, template=own, mode=mode)  # type: ignore[arg-type]
    assert not (data / "eval").exists()


def test_an_evaluation_of_another_prompt_goes_into_no_folder_twice(data: Path, tmp_path: Path) -> None:
    with Loopback(lambda _: completion("B")) as server:
        evaluate(data, MODEL, base_url=server.base_url, limit=1)
        config = data / "eval" / "vllm_examinee" / "config.json"
        config.write_text(config.read_text(encoding="utf-8").replace('"zero-shot"', '"cot"'), encoding="utf-8")
        with pytest.raises(DatasetError, match="prompt cot there, zero-shot here"):
            evaluate(data, MODEL, base_url=server.base_url, limit=1)
