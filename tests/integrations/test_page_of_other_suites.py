"""The page of a suite with ten options and several right ones, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from crowd_suite import CrowdSuite, make_crowd
from headless import chromium, complaints, requested
from hostile_dataset import HOSTILE
from opened_pages import choose, count, found, opened, search, settled
from planted_subjects import Planted, plant
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from dtomtrack.report.writing import Places, write_report

SUBJECTS = (
    Planted("openai/good", 0.8, sure=True),
    Planted("openai/bad", 0.1, unread=0.2),
    Planted("baseline/random", 0.3, permutations=3),
)


def made(folder: Path, extra: str = "") -> Path:
    """The page of a dataset that three subjects answered."""
    suite = CrowdSuite()
    plant(make_crowd(folder, extra=extra), SUBJECTS, suite)
    return write_report(suite, Places(folder)).page


@pytest.fixture(scope="module")
def window() -> Iterator[Chrome]:
    """A browser with a window as on a desk."""
    with chromium() as driver:
        yield driver


@pytest.fixture
def browser(window: Chrome, tmp_path: Path) -> Chrome:
    """The same, with the page of a crowd just opened."""
    opened(window, made(tmp_path / "crowd"))
    return window


def test_sets_are_shown_option_by_option(browser: Chrome) -> None:
    question = found(browser, ".question")[0]
    options = question.find_elements(By.CSS_SELECTOR, ".option")
    assert "".join(option.find_element(By.CSS_SELECTOR, ".letter").text for option in options) == "ABCDEFGHIJ"
    right = [option for option in options if "gold" in str(option.get_attribute("class"))]
    assert len(right) > 1
    for option in options:
        signs = {chip.text[0] for chip in option.find_elements(By.CSS_SELECTOR, ".chip")}
        assert signs <= ({"✓", "○"} if option in right else {"✗"})
    chips = [chip.text for option in right for chip in option.find_elements(By.CSS_SELECTOR, ".chip")]
    chips = [chip for chip in chips if "random" in chip]
    assert chips
    assert all(chip.endswith("/3") for chip in chips)


def test_who_is_exactly_right_is_told(browser: Chrome) -> None:
    choose(browser, "grouping-0", "Who knows")
    choose(browser, "subject", "openai/good · logprobs")
    choose(browser, "outcome", "right")
    assert found(browser, ".question")
    assert all("exactly right: good" in line.text for line in found(browser, ".unanswered"))


def test_groups_of_any_name_are_filtered_by(browser: Chrome) -> None:
    everything = count(browser)
    choose(browser, "grouping-0", "a type that no list names")
    assert count(browser) == (6, 6)
    browser.find_element(By.CSS_SELECTOR, ".more-filters summary").click()
    choose(browser, "grouping-2", "1")
    assert 0 < count(browser)[1] < 6
    browser.find_element(By.CSS_SELECTOR, "#filters button[type=reset]").click()
    settled(browser)
    assert count(browser) == everything


def test_contexts_of_every_kind_can_be_looked_at(browser: Chrome) -> None:
    rows = found(browser, "#list button")
    assert "asked after line 3" in browser.find_element(By.ID, "open").text
    rows[-2].click()
    settled(browser)
    assert [line.text for line in found(browser, ".main .said")] == ["Dear all, it is true."]
    assert found(browser, ".main .speaker") == []
    rows[-1].click()
    settled(browser)
    assert found(browser, ".main") == []
    assert "Is this about anything?" in browser.find_element(By.CSS_SELECTOR, ".question .text").text
    assert found(browser, "#thoughts") == []


def test_a_hostile_crowd_runs_nothing(window: Chrome, tmp_path: Path) -> None:
    page = made(tmp_path / "hostile", " ".join(HOSTILE))
    complaints(window)
    requested(window)
    opened(window, page)
    title = window.title
    for closed in found(window, "details"):
        window.execute_script("arguments[0].open = true", closed)
    for number in range(1, 4):
        found(window, "#list button")[number].click()
        settled(window)
    search(window, "<script>")
    assert window.title == title != "owned"
    assert [text for text in HOSTILE if text in window.find_element(By.ID, "open").text]
    assert found(window, "main img, main iframe, main script, main style, #open svg, #list svg") == []
    assert complaints(window) == []
    assert [address for address in requested(window) if address != "about:blank"] == [page.as_uri()]


def test_it_fits_on_a_phone(tmp_path: Path) -> None:
    page = made(tmp_path / "crowd")
    with chromium(390, 844) as driver:
        opened(driver, page)
        assert driver.execute_script("return document.documentElement.scrollWidth") == 390
        found(driver, "#list button")[0].click()
        settled(driver)
        assert driver.execute_script("return document.documentElement.scrollWidth") == 390
