"""The tables and figures of the page in a real browser: sorted, taken away, addressed, and read on a phone."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import time
import xml.etree.ElementTree as Xml
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from headless import chromium, complaints
from hostile_dataset import HOSTILE
from matplotlib.image import imread
from opened_pages import choose, count, found, opened, search, settled, until
from planted_subjects import Planted, plant
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

import dtomtrack
from dtomtrack.library import make_report

_SUBJECTS = (
    Planted("openai/best", 0.7, unread=0.02),
    Planted("openai/middle_50%", 0.45),
    Planted('openai/=1+1,"quoted"', 0.3),
    Planted("baseline/recency", 0.4, {"pre_update": 0.02, "post_update": 0.97}, recency=0.95),
    Planted("baseline/oracle", 1.0),
)
_HEADLINE = 'table[data-name="Accuracy"]'
_READ = "navigator.clipboard.readText().then(arguments[0], (error) => arguments[0](String(error)))"
_SMALLEST = """
for (const closed of document.querySelectorAll("details")) closed.open = true;
return Math.min(...[...document.querySelectorAll("figure svg text")].map((text) => {
  const matrix = text.getScreenCTM();
  return parseFloat(getComputedStyle(text).fontSize) * Math.hypot(matrix.a, matrix.b);
}));
"""
"""The smallest letters of all figures, in pixels."""


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset that three models, a baseline and the oracle answered."""
    out = tmp_path_factory.mktemp("tables") / "restaurant"
    dtomtrack.generate("restaurant", n=24, out=out)
    plant(out, _SUBJECTS)
    return out


@pytest.fixture(scope="module")
def page(dataset: Path) -> Path:
    """Its page."""
    return make_report(dataset, audit=False).page


@pytest.fixture(scope="module")
def window() -> Iterator[Chrome]:
    """A browser with a window as on a desk."""
    with chromium(1280, 900) as driver:
        wanted = {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
        driver.execute_cdp_cmd("Browser.grantPermissions", wanted)
        yield driver


@pytest.fixture
def browser(window: Chrome, page: Path) -> Chrome:
    """The same, with the page just opened."""
    opened(window, page)
    return window


def names(driver: Chrome, table: str = _HEADLINE) -> list[list[str]]:
    """The names of the rows of each part of a table."""
    bodies = found(driver, f"{table} tbody")
    return [[head.text for head in one.find_elements(By.CSS_SELECTOR, "th")] for one in bodies]


def figures(driver: Chrome, column: int, table: str = _HEADLINE) -> list[float]:
    """The figures of the models in a column."""
    rows = found(driver, f"{table} tbody.model tr")
    return [float(row.find_elements(By.CSS_SELECTOR, "td")[column].text.split()[0]) for row in rows]


def copied(driver: Chrome, pressed: WebElement) -> str:
    """What a button puts on the clipboard."""
    pressed.click()
    WebDriverWait(driver, 5).until(lambda _: pressed.text == "Copied")
    return str(driver.execute_async_script(_READ))


def beside(driver: Chrome, label: str) -> WebElement:
    """The first button of this label: that of the table of accuracies."""
    return next(one for one in found(driver, ".given button") if one.text == label)


def test_models_are_rows_and_the_oracle_stands_apart(browser: Chrome) -> None:
    assert [len(part) for part in names(browser)] == [3, 1, 1]
    assert names(browser)[0][0] == "best"
    assert names(browser)[2] == ["oracle"]
    assert found(browser, f"{_HEADLINE} tbody.reference .best") == []
    summary = browser.find_element(By.ID, "summary").text
    assert summary.startswith("openai/best answers ")
    assert "oracle" not in summary
    assert "guessing gets" in summary
    assert complaints(browser) == []


def test_a_click_on_a_column_sorts_within_each_part(browser: Chrome) -> None:
    head = found(browser, f"{_HEADLINE} thead .sort")[3]
    head.click()
    assert figures(browser, 2) == sorted(figures(browser, 2), reverse=True)
    assert head.find_element(By.XPATH, "..").get_attribute("aria-sort") == "descending"
    head.click()
    assert figures(browser, 2) == sorted(figures(browser, 2))
    found(browser, f"{_HEADLINE} thead .sort")[0].click()
    assert names(browser)[0] == sorted(names(browser)[0])
    assert [len(part) for part in names(browser)] == [3, 1, 1]
    assert len(found(browser, f"{_HEADLINE} [aria-sort]")) == 1


def test_heads_and_names_stay_when_a_table_is_scrolled(browser: Chrome) -> None:
    box = found(browser, ".scroll:has(> .models)")[1]
    script = (
        "const box = arguments[0]; box.style.width = '30rem'; box.style.maxHeight = '12rem';"
        "box.scrollTo(200, 150); const at = box.getBoundingClientRect(), of = (one) => one.getBoundingClientRect();"
        "const head = box.querySelectorAll('thead th')[4], name = box.querySelectorAll('tbody th')[2];"
        "return [box.scrollLeft, box.scrollTop, of(head).top - at.top, of(name).left - at.left];"
    )
    left, top, head, name = browser.execute_script(script, box)
    assert left == 200
    assert top > 0
    assert abs(head) <= 2
    assert abs(name) <= 2


def test_rules_between_rows_go_on_below_names(browser: Chrome) -> None:
    script = "return [...document.querySelectorAll('table')].map((one) => getComputedStyle(one).borderCollapse)"
    assert set(browser.execute_script(script)) == {"separate"}
    name = found(browser, f"{_HEADLINE} tbody tr:nth-child(2) th")[0]
    assert name.value_of_css_property("border-top-width") == "1px"
    assert name.value_of_css_property("position") == "sticky"


def test_a_table_is_copied_as_csv(browser: Chrome) -> None:
    rows = list(csv.reader(io.StringIO(copied(browser, beside(browser, "Copy as CSV")))))
    assert rows[0][:3] == ["Subject", "Overall", "Overall, interval"]
    assert {len(row) for row in rows} == {len(rows[0])}
    by_name = {row[0]: row for row in rows[1:]}
    assert set(by_name) == {*(one.name for one in _SUBJECTS), "Chance"}
    assert float(by_name["baseline/oracle"][1]) == 100.0
    assert re.fullmatch("[0-9.]+\N{EN DASH}[0-9.]+", by_name["openai/best"][2])


def test_a_name_is_no_formula_of_a_spreadsheet(browser: Chrome) -> None:
    browser.execute_script(f"document.querySelector('{_HEADLINE} tbody th').title = '=HYPERLINK(\"x\")'")
    assert '\n"\'=HYPERLINK(""x"")",' in copied(browser, beside(browser, "Copy as CSV"))


@pytest.mark.parametrize(
    ("text", "copy"),
    [
        *((figure, figure) for figure in ("+62.5", "-62.5", "-.5", "+1,024", "+3 %")),
        *((interval, interval) for interval in ("+1.2 to +3.4", "-1.2\N{EN DASH}+3.4", "-1.2 \N{EN DASH} 3")),
        *((formula, f"'{formula}") for formula in ("+1+cmd|' /C calc'!A0", "-2+3", "+1.2 to +3.4+A1", "-.A1", "+A1")),
        *((other, f"'{other}") for other in ("-model", "+", "@SUM(A1)", "=1")),
    ],
)
def test_figures_with_a_sign_are_no_formulas(browser: Chrome, text: str, copy: str) -> None:
    browser.execute_script(f"document.querySelector('{_HEADLINE} tbody th').title = arguments[0]", text)
    rows = list(csv.reader(io.StringIO(copied(browser, beside(browser, "Copy as CSV")))))
    assert rows[1][0] == copy


def test_figures_of_the_audit_are_copied_apart_from_their_intervals(
    dataset: Path, tmp_path: Path, window: Chrome
) -> None:
    report = make_report(dataset, out=tmp_path, audit=True, dialogues=1)
    opened(window, report.page)
    csv_button, latex_button = found(window, "#audit .given button")
    head, *rows = csv.reader(io.StringIO(copied(window, csv_button)))
    assert head[:3] == ["Rule", "All questions", "All questions, interval"]
    assert rows and all(re.fullmatch("[0-9.]+", row[1]) for row in rows)
    assert all("\N{EN DASH}" in row[2] for row in rows)
    cells = [line.split(" & ")[1] for line in copied(window, latex_button).splitlines()[3:] if " & " in line]
    assert [float(cell) for cell in cells] == [float(row[1]) for row in rows]


def test_differences_are_copied_as_figures(browser: Chrome) -> None:
    (csv_button, *_) = found(browser, ".scroll:has(> .differences) + .given button")
    rows = list(csv.reader(io.StringIO(copied(browser, csv_button))))
    cells = [cell for row in rows[1:] for cell in row[1:]]
    assert any(cell.startswith("+") for cell in cells)
    assert not any(cell.startswith("'") for cell in cells)


def test_a_table_is_copied_as_latex(browser: Chrome) -> None:
    text = copied(browser, beside(browser, "Copy as LaTeX"))
    lines = text.splitlines()
    columns = len(found(browser, f"{_HEADLINE} thead th"))
    assert lines[0] == f"\\begin{{tabular}}{{l{'r' * (columns - 1)}}}"
    assert lines[-1] == "\\end{tabular}"
    assert "openai/middle\\_50\\% & " in text
    rows = [line for line in lines if line.endswith("\\\\")]
    assert {line.count(" & ") for line in rows} == {columns - 1}
    assert "\\textbf{" in text


def downloaded(browser: Chrome, folder: Path, form: str) -> Path:
    """The file of the first figure in this form."""
    wanted = {"behavior": "allow", "downloadPath": str(folder)}
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", wanted)
    pressed = next(one for one in found(browser, "#figures figure button") if one.text == f"Download {form.upper()}")
    browser.execute_script("arguments[0].click()", pressed)
    end = time.monotonic() + 20
    while not list(folder.glob(f"*.{form}")) and time.monotonic() < end:
        time.sleep(0.05)
    (saved,) = folder.glob(f"*.{form}")
    return saved


def test_a_figure_is_downloaded(browser: Chrome, tmp_path: Path) -> None:
    saved = downloaded(browser, tmp_path, "svg")
    root = Xml.fromstring(saved.read_text(encoding="utf-8"))  # noqa: S314  we wrote it
    assert root.get("color") == "#26241f"
    assert "accuracy" in [text.strip() for text in root.itertext()]


def test_a_figure_is_downloaded_as_a_picture(browser: Chrome, tmp_path: Path) -> None:
    """Dark on white, and three times as wide as on the page."""
    picture = imread(downloaded(browser, tmp_path, "png"))
    (shown, *_) = found(browser, "#figures figure svg")
    width = browser.execute_script("return arguments[0].viewBox.baseVal.width", shown)
    assert picture.shape[1] == pytest.approx(3 * width, abs=3)
    assert picture[0, 0, :3].tolist() == [1.0, 1.0, 1.0]
    assert 0.001 < (picture[:, :, :3].max(axis=2) < 0.5).mean() < 0.3


def failed_by_all(dataset: Path) -> int:
    """How many questions no model gave a right answer to, counted in the files."""
    right: dict[str, bool] = {}
    for one in _SUBJECTS[:3]:
        (folder,) = [
            path
            for path in (dataset / "eval").iterdir()
            if json.loads((path / "config.json").read_text(encoding="utf-8"))["subject"] == one.name
        ]
        for line in (folder / "answers.jsonl").read_text(encoding="utf-8").split("\n")[:-1]:
            answer = json.loads(line)
            if answer["outcome"] != "error":
                right[answer["question_id"]] = right.get(answer["question_id"], False) or answer["outcome"] == "correct"
    return sum(not got for got in right.values())


def test_questions_that_every_model_fails_are_found(browser: Chrome, dataset: Path) -> None:
    (pressed,) = found(browser, "#failed button")
    number = failed_by_all(dataset)
    assert number > 0
    assert pressed.text == f"{number} questions every model fails"
    pressed.click()
    settled(browser)
    assert count(browser)[1] == number


def test_of_a_part_of_the_dialogues_it_is_said_that_the_failed_are_of_these(
    dataset: Path, tmp_path: Path, window: Chrome
) -> None:
    opened(window, make_report(dataset, out=tmp_path, audit=False, dialogues=12).page)
    (pressed,) = found(window, "#failed button")
    number, told = pressed.text.split(maxsplit=1)
    assert told == "questions every model fails in the 12 dialogues shown below"
    pressed.click()
    settled(window)
    assert count(window)[1] == int(number) < failed_by_all(dataset)


def test_filters_stand_in_the_address(browser: Chrome, page: Path) -> None:
    choose(browser, "grouping-0", "Pre-update")
    choose(browser, "subject", "openai/middle_50%")
    choose(browser, "outcome", "wrong")
    search(browser, "a")
    WebDriverWait(browser, 5).until(lambda here: "Search=a" in here.current_url)
    seen = count(browser)
    address = browser.current_url
    given = parse_qs(address.split("?")[1])
    assert (given["Answer"], given["Model"]) == (["wrong"], ["openai/middle_50%"])
    browser.get("about:blank")
    browser.get(address)
    settled(browser)
    WebDriverWait(browser, 5).until(lambda here: count(here) == seen)
    found(browser, "#filters button[type=reset]")[0].click()
    WebDriverWait(browser, 5).until(lambda here: "#" not in here.current_url)


def test_an_address_that_means_nothing_changes_nothing(browser: Chrome, page: Path) -> None:
    every = count(browser)
    for strange in ("#nobody?Model=nobody&Answer=9&constructor=1", f"#?Search={HOSTILE[0]}", "#%E0%A4%A?x"):
        browser.get("about:blank")
        browser.get(f"{page.as_uri()}{strange}")
        settled(browser)
        assert count(browser)[0] in {every[0], 0}
    assert complaints(browser) == []


def test_cards_leave_no_holes(browser: Chrome) -> None:
    script = (
        "return [...document.querySelectorAll('#figures figure')].map((one) => {"
        "const at = one.getBoundingClientRect(); return [at.left, at.top, at.bottom]; })"
    )
    cards = browser.execute_script(script)
    follow = [(above, below) for above, below in pairwise(cards) if above[0] == below[0]]
    assert follow
    assert all(below[1] - above[2] <= 30 for above, below in follow)


def test_figures_can_be_read_on_a_desk_and_on_a_phone(page: Path) -> None:
    for width in (1280, 390):
        with chromium(width, 844) as driver:
            opened(driver, page)
            assert driver.execute_script(_SMALLEST) >= 12
            assert driver.execute_script("return document.documentElement.scrollWidth") == width


def test_a_page_of_baselines_says_so_and_draws_no_difficulty(dataset: Path, tmp_path: Path, window: Chrome) -> None:
    out = Path(shutil.copytree(dataset, tmp_path / "baselines"))
    for path in (out / "eval").iterdir():
        if not path.name.startswith("baseline"):
            shutil.rmtree(path)
    report = make_report(out, audit=False)
    opened(window, report.page)
    summary = window.find_element(By.ID, "summary").text
    assert summary.startswith("No model has answered; of the baselines, baseline/recency answers")
    assert "difficulty.svg" not in {one.name for one in report.figures}
    assert found(window, "#failed button") == []
    assert "right from no model" not in until(window, "#outcome").text
