"""A report: what is in its page and figures, without looking at it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as Xml
import zlib
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hostile_dataset import HOSTILE, SUBJECT, make_hostile
from planted_subjects import PLANTED, Planted, plant

import dtomtrack
from dtomtrack.errors import DatasetError, InputError
from dtomtrack.report import report

FIGURES = ("difficulty", "before-and-after", "temporal-and-standard", "mental-states", "lag", "option-roles")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of a dozen dialogues that nobody has answered."""
    out = tmp_path_factory.mktemp("made") / "restaurant"
    dtomtrack.generate("restaurant", n=12, out=out)
    return out


@pytest.fixture(scope="module")
def answered(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, answered by six subjects, with its report."""
    out = tmp_path_factory.mktemp("answered") / "restaurant"
    shutil.copytree(made, out)
    plant(out)
    report(out, audit=False)
    return out


@pytest.fixture(scope="module")
def hostile(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with hostile text everywhere, and its report."""
    out = tmp_path_factory.mktemp("hostile") / "restaurant"
    shutil.copytree(made, out)
    make_hostile(out)
    report(out, audit=False)
    return out


@pytest.fixture
def copy(answered: Path, tmp_path: Path) -> Path:
    """An answered dataset of the test's own."""
    return Path(shutil.copytree(answered, tmp_path / "copy"))


class Page(HTMLParser):
    """What a browser would make of a page: elements with their attributes, and the text of some."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.source = path.read_text(encoding="utf-8")
        self.feed(self.source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_data(self, data: str) -> None:
        if self.tags:
            self.texts.append((self.tags[-1][0], data))

    def scripts(self) -> list[tuple[dict[str, str | None], str]]:
        """Each script element with its text."""
        attributes = [attrs for tag, attrs in self.tags if tag == "script"]
        return list(zip(attributes, re.findall(r"<script[^>]*>(.*?)</script>", self.source, re.DOTALL), strict=True))

    def policy(self) -> str:
        metas = [attrs for tag, attrs in self.tags if tag == "meta"]
        return next(attrs["content"] or "" for attrs in metas if attrs.get("http-equiv") == "Content-Security-Policy")


def page_of(dataset: Path) -> Page:
    return Page(dataset / "report" / "report.html")


def overview_of(page: Page) -> dict[str, object]:
    text = next(text for attrs, text in page.scripts() if attrs.get("id") == "overview")
    overview = json.loads(text)
    assert isinstance(overview, dict)
    return overview


def dialogues_of(page: Page) -> list[dict[str, object]]:
    return [one for chunk in chunks_of(page, "data-dialogues") for one in chunk]  # type: ignore[attr-defined]


def chunks_of(page: Page, kind: str) -> list[object]:
    texts = [text for attrs, text in page.scripts() if kind in attrs]
    return [json.loads(zlib.decompress(base64.b64decode(text))) for text in texts]


def drawing_of(dataset: Path, name: str) -> Xml.Element:
    return Xml.fromstring((dataset / "report" / f"{name}.svg").read_text(encoding="utf-8"))  # noqa: S314  we wrote it


def hash_of(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


# -- what is written --------------------------------------------------------------------------------------------------


def test_every_figure_is_there_in_both_forms(answered: Path) -> None:
    for name in FIGURES:
        assert drawing_of(answered, name).tag == "{http://www.w3.org/2000/svg}svg"
        assert (answered / "report" / f"{name}.png").read_bytes().startswith(b"\x89PNG\r\n")
    assert [path.name for path in (answered / "report").iterdir() if path.name.startswith(".")] == []


def test_the_same_input_gives_the_same_bytes(copy: Path) -> None:
    before = {path.name: path.read_bytes() for path in (copy / "report").iterdir()}
    shutil.rmtree(copy / "report")
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from dtomtrack.report import report; report(sys.argv[1], audit=False)",
            copy,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert {path.name: path.read_bytes() for path in (copy / "report").iterdir()} == before


def test_without_an_evaluation_the_page_shows_the_dataset(made: Path, tmp_path: Path) -> None:
    dataset = Path(shutil.copytree(made, tmp_path / "bare"))
    written = report(dataset, audit=False)
    assert (written.figures, written.subjects, written.dialogues) == ((), (), 12)
    page = page_of(dataset)
    assert len(dialogues_of(page)) == 12
    assert "<table" not in page.source
    assert "Nobody has answered" in page.source


def test_the_audit_is_in_the_page(copy: Path) -> None:
    report(copy)
    page = page_of(copy)
    assert 'id="audit"' in page.source
    assert "longest option" in page.source
    report(copy, audit=False)
    assert 'id="audit"' not in page_of(copy).source


def test_only_the_first_dialogues_are_in_the_page_if_asked(copy: Path) -> None:
    assert report(copy, audit=False, dialogues=5).dialogues == 5
    page = page_of(copy)
    assert len(dialogues_of(page)) == 5
    assert "The first 5 of 12." in page.source
    with pytest.raises(InputError, match="dialogues is 0"):
        report(copy, audit=False, dialogues=0)


# -- the tables and the data ------------------------------------------------------------------------------------------


def cells(page: Page, row: str) -> list[str]:
    """The figures of a row as they are printed, with their marks."""
    body = re.search(rf'<th scope="row">{row}</th>(.*?)</tr>', page.source, re.DOTALL)
    assert body, row
    found = re.findall(r"<td[^>]*>\s*<(strong|u|span)[^>]*>([^<]*)<", body.group(1))
    return [{"strong": "*", "u": "_", "span": ""}[tag] + text for tag, text in found]


def test_the_best_and_second_best_models_are_marked(made: Path, tmp_path: Path) -> None:
    dataset = Path(shutil.copytree(made, tmp_path / "ranked"))
    skills = {"openai/best": 1.0, "openai/middle": 0.6, "openai/worst": 0.0, "baseline/oracle": 1.0}
    plant(dataset, [Planted(name, skill) for name, skill in skills.items()])
    report(dataset, audit=False)
    page = page_of(dataset)
    best, middle, worst, oracle = cells(page, "Overall")
    assert (best, worst, oracle) == ("*100.0", "0.0", "100.0")
    assert middle.startswith("_")


def test_equal_figures_share_a_mark(made: Path, tmp_path: Path) -> None:
    dataset = Path(shutil.copytree(made, tmp_path / "equal"))
    plant(dataset, [Planted("openai/a", 1.0), Planted("openai/b", 1.0), Planted("openai/c", 0.0)])
    report(dataset, audit=False)
    assert cells(page_of(dataset), "Temporal") == ["*100.0", "*100.0", "_0.0"]


def test_rows_stand_in_the_order_of_the_papers_table(answered: Path) -> None:
    rows = re.findall(r'<th scope="row">([^<]*)</th>', page_of(answered).source)
    paper = ["Temporal", "Update detection", "Post-update", "False belief", "Second-order", "Pre-update", "Overall"]
    assert rows[: len(paper)] == paper


def test_the_unread_share_stands_beside_the_accuracy(answered: Path) -> None:
    body = re.search(r'<th scope="row">Overall</th>(.*?)</tr>', page_of(answered).source, re.DOTALL)
    assert body
    weak = body.group(1).split("<td")[4]
    assert re.search(r"[1-9]\d?\.\d % unread", weak)


def test_every_answer_is_in_the_browser(answered: Path) -> None:
    page = page_of(answered)
    questions = (answered / "questions.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    golds = {question["id"]: question["answer"] for question in map(json.loads, questions)}
    subjects = overview_of(page)["subjects"]
    assert isinstance(subjects, list)
    shown = [question for one in dialogues_of(page) for question in one["questions"]]  # type: ignore[attr-defined]
    assert {question["id"]: question["gold"] for question in shown} == golds
    place = [subject["label"] for subject in subjects].index("baseline/recency")
    answers = (answered / "eval" / "baseline_recency" / "answers.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    given = {answer["question_id"]: answer["answer"] for answer in map(json.loads, answers)}
    assert {question["id"]: question["answers"][place] for question in shown} == given


def test_rotations_of_a_question_stand_together(made: Path, tmp_path: Path) -> None:
    dataset = Path(shutil.copytree(made, tmp_path / "rotated"))
    plant(dataset, [Planted("openai/sure", 1.0, permutations=4)])
    report(dataset, audit=False)
    page = page_of(dataset)
    shown = [question for one in dialogues_of(page) for question in one["questions"]]  # type: ignore[attr-defined]
    assert all(question["answers"] == [question["gold"] * 4] for question in shown)
    assert "Under all rotations" in page.source


def test_subjects_of_the_same_name_are_told_apart(made: Path, tmp_path: Path) -> None:
    dataset = Path(shutil.copytree(made, tmp_path / "namesakes"))
    long = "a-model-whose-name-is-much-too-long-for-a-figure"
    plant(dataset, [Planted(f"{maker}/{long}", 0.5) for maker in ("openai", "vllm", "vllm/other")])
    report(dataset, audit=False)
    subjects = overview_of(page_of(dataset))["subjects"]
    assert isinstance(subjects, list)
    assert len({subject["label"] for subject in subjects}) == 3
    assert len({subject["short"] for subject in subjects}) == 3
    assert all(len(subject["short"]) < 35 for subject in subjects)


# -- nothing from outside, nothing that runs --------------------------------------------------------------------------


@pytest.mark.parametrize("dataset", ["answered", "hostile"])
def test_the_page_needs_nothing_else(dataset: str, request: pytest.FixtureRequest) -> None:
    page = page_of(request.getfixturevalue(dataset))
    loading = {"src", "srcset", "data", "action", "formaction", "background", "poster"}
    for tag, attrs in page.tags:
        assert tag not in {"link", "iframe", "object", "embed", "base", "img", "video", "audio", "source"}
        assert not loading & attrs.keys(), (tag, attrs)
        assert not any(name.startswith("on") or name == "style" for name in attrs), (tag, attrs)
        for name in ("href", "xlink:href"):
            assert (attrs.get(name) or "#").startswith("#")
    assert "url(http" not in page.source
    assert "@import" not in page.source


@pytest.mark.parametrize("dataset", ["answered", "hostile"])
def test_the_policy_lets_only_the_pages_own_script_and_style_in(dataset: str, request: pytest.FixtureRequest) -> None:
    page = page_of(request.getfixturevalue(dataset))
    policy = page.policy()
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    running = [text for attrs, text in page.scripts() if "type" not in attrs]
    assert len(running) == 1
    assert f"script-src {hash_of(running[0])};" in policy
    styles = re.findall(r"<style[^>]*>(.*?)</style>", page.source, re.DOTALL)
    assert len(styles) == 1
    assert f"style-src {hash_of(styles[0])};" in policy


def test_hostile_text_stays_text(hostile: Path) -> None:
    page = page_of(hostile)
    kinds = [attrs.get("type") for tag, attrs in page.tags if tag == "script"]
    assert kinds == ["application/json", "text/plain", "text/plain", None]
    assert HOSTILE[2] not in page.source
    assert "\u2028" not in page.source
    dialogues = json.dumps(dialogues_of(page), ensure_ascii=False)
    replies = json.dumps(chunks_of(page, "data-replies"), ensure_ascii=False)
    for text in HOSTILE:
        assert json.dumps(text, ensure_ascii=False)[1:-1] in dialogues
        assert json.dumps(text, ensure_ascii=False)[1:-1] in replies
    entries = overview_of(page)["dialogues"]
    assert isinstance(entries, list)
    assert entries[0]["context"] == HOSTILE[0]


def test_a_hostile_name_is_no_markup_in_a_figure(hostile: Path) -> None:
    root = drawing_of(hostile, "before-and-after")
    assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {
        *("svg", "metadata", "defs", "style", "g", "path", "use", "text", "clipPath", "rect"),
        *("RDF", "Work", "type", "format", "tspan"),
    }
    assert SUBJECT.rpartition("/")[2][:8] in "".join(root.itertext())


def test_scripts_of_the_page_never_make_markup_of_text() -> None:
    script = Path(dtomtrack.__file__).with_name("report").joinpath("page", "report.js").read_text(encoding="utf-8")
    for danger in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function("):
        assert danger not in script


# -- bad input --------------------------------------------------------------------------------------------------------


def test_a_folder_that_is_no_dataset_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"holds no dataset"):
        report(tmp_path)


def test_answers_to_other_questions_are_refused(copy: Path) -> None:
    questions = copy / "questions.jsonl"
    questions.write_bytes(b"".join(questions.read_bytes().splitlines(keepends=True)[1:]))
    with pytest.raises(DatasetError, match=r"eval/.*: answers other questions"):
        report(copy, audit=False)


def test_damage_is_named_with_its_place(copy: Path) -> None:
    answers = copy / "eval" / "baseline_recency" / "answers.jsonl"
    lines = answers.read_bytes().splitlines(keepends=True)
    answers.write_bytes(b"".join([*lines[:2], b'{"question_id": 1}\n', *lines[3:]]))
    with pytest.raises(DatasetError, match=r"baseline_recency/answers\.jsonl:3: question_id"):
        report(copy, audit=False)
    (copy / "eval" / "baseline_recency" / "metrics.json").write_text("{", encoding="utf-8")
    with pytest.raises(DatasetError, match=r"baseline_recency/metrics\.json: "):
        report(copy, audit=False)


def test_an_unfinished_evaluation_is_left_out_and_named(copy: Path) -> None:
    (copy / "eval" / "baseline_random" / "metrics.json").unlink()
    written = report(copy, audit=False)
    assert written.unfinished == ("baseline_random",)
    assert len(written.subjects) == len(PLANTED) - 1
    assert "left out: baseline_random" in page_of(copy).source


def test_without_matplotlib_one_sentence_says_what_to_install(copy: Path) -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from dtomtrack.errors import InputError; from dtomtrack.report import report\n"
        "try: report(sys.argv[1], audit=False)\n"
        "except InputError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(copy)], capture_output=True, text=True, check=False)
    assert done.stdout == "figures need matplotlib; install it with: pip install 'dtomtrack[report]'\n", done.stderr
