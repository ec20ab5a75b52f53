"""The report's page in a real browser: what it shows, what it does, and what it refuses to do."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from headless import chromium, complaints, requested
from hostile_dataset import HOSTILE, make_hostile
from opened_pages import choose, count, current, found, opened, press, search, settled, until
from planted_subjects import plant
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By

import dtomtrack
from dtomtrack.library import make_report

DIALOGUES = 70


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of more dialogues than the list shows at first."""
    out = tmp_path_factory.mktemp("made") / "restaurant"
    dtomtrack.generate("restaurant", n=DIALOGUES, out=out)
    return out


@pytest.fixture(scope="module")
def page(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a dataset that six subjects answered."""
    out = tmp_path_factory.mktemp("answered") / "restaurant"
    shutil.copytree(made, out)
    plant(out)
    return make_report(out, audit=False).page


@pytest.fixture(scope="module")
def hostile_page(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a dataset that tries to get out of it."""
    out = tmp_path_factory.mktemp("hostile") / "restaurant"
    shutil.copytree(made, out)
    make_hostile(out)
    return make_report(out, audit=False).page


@pytest.fixture(scope="module")
def window() -> Iterator[Chrome]:
    """A browser with a window as on a desk."""
    with chromium() as driver:
        yield driver


@pytest.fixture
def browser(window: Chrome, page: Path) -> Chrome:
    """The same, with the page just opened."""
    opened(window, page)
    return window


def test_the_console_is_silent_and_nothing_is_asked_of_the_network(browser: Chrome, page: Path) -> None:
    complaints(browser)
    requested(browser)
    opened(browser, page)
    search(browser, "table")
    assert complaints(browser) == []
    assert [address for address in requested(browser) if address != "about:blank"] == [page.as_uri()]


def test_the_list_grows_when_asked(browser: Chrome) -> None:
    assert count(browser)[0] == DIALOGUES
    before = len(found(browser, "#list button"))
    assert before < DIALOGUES
    browser.find_element(By.ID, "more").click()
    assert len(found(browser, "#list button")) == DIALOGUES


def test_filters_narrow_and_clear(browser: Chrome) -> None:
    counts = [count(browser)[1]]
    asked = (
        ("grouping-0", "Pre-update"),
        ("grouping-1", "Belief"),
        ("subject", "ollama/llama3.2:3b"),
        ("outcome", "wrong"),
    )
    for name, label in asked[:2]:
        choose(browser, name, label)
        counts.append(count(browser)[1])
    for name, label in asked[2:]:
        choose(browser, name, label)
    counts.append(count(browser)[1])
    choose(browser, "outcome", "right")
    counts.append(count(browser)[1])
    assert counts == sorted(set(counts), reverse=True)
    assert counts[-1] > 0
    for question in found(browser, ".question"):
        assert question.find_element(By.CSS_SELECTOR, ".tags").text.startswith("Pre-update")
        assert "llama3.2:3b" in question.find_element(By.CSS_SELECTOR, ".option.gold .chose").text
    browser.find_element(By.CSS_SELECTOR, "#filters button[type=reset]").click()
    settled(browser)
    assert count(browser)[1] == counts[0]


def test_answers_that_could_not_be_read_are_found(browser: Chrome) -> None:
    choose(browser, "outcome", "not readable")
    assert found(browser, ".question")
    for question in found(browser, ".question"):
        assert "not readable" in question.find_element(By.CSS_SELECTOR, ".unanswered").text


def test_searching_finds_what_was_said(browser: Chrome) -> None:
    search(browser, found(browser, ".said")[0].text)
    assert 1 <= count(browser)[0] < DIALOGUES
    search(browser, " and nobody ever said this")
    assert count(browser) == (0, 0)
    assert "Nothing matches" in browser.find_element(By.ID, "list").text


def test_inner_speech_is_hidden_until_it_is_asked_for(browser: Chrome) -> None:
    thoughts = found(browser, ".thoughts li")
    assert thoughts
    assert not any(thought.is_displayed() for thought in thoughts)
    toggle = browser.find_element(By.ID, "thoughts")
    toggle.click()
    assert all(thought.is_displayed() for thought in thoughts)
    assert toggle.get_attribute("aria-pressed") == "true"
    toggle.click()
    assert not any(thought.is_displayed() for thought in thoughts)


def test_it_can_be_used_by_keyboard_alone(browser: Chrome) -> None:
    first = current(browser)
    press(browser, "j")
    second = current(browser)
    assert second != first
    press(browser, "k")
    assert current(browser) == first
    press(browser, "t")
    assert found(browser, ".thoughts li")[0].is_displayed()
    press(browser, "/")
    assert browser.switch_to.active_element.get_attribute("id") == "search"
    press(browser, "j")
    assert browser.find_element(By.ID, "search").get_attribute("value") == "j"
    press(browser, Keys.BACKSPACE + Keys.TAB)
    assert browser.switch_to.active_element.get_attribute("id") == "grouping-0"
    found(browser, "#list button")[0].send_keys(Keys.ARROW_DOWN)
    press(browser, Keys.ENTER)
    assert current(browser) == second
    assert browser.switch_to.active_element.get_attribute("id") == "open"


def test_the_timeline_leads_to_the_turn(browser: Chrome) -> None:
    held = found(browser, ".tracks .span")
    assert held
    held[-1].click()
    marked = until(browser, ".turn.marked")
    top = browser.execute_script("return arguments[0].getBoundingClientRect().top", marked)
    assert 0 < top < browser.execute_script("return innerHeight")


def test_a_dialogue_has_an_address(browser: Chrome, page: Path) -> None:
    browser.get("about:blank")
    browser.get(f"{page.as_uri()}#restaurant-0-000065")
    settled(browser)
    assert "restaurant-0-000065" in current(browser)


def test_the_colours_change_at_a_click(browser: Chrome) -> None:
    def ground() -> str:
        return browser.find_element(By.TAG_NAME, "body").value_of_css_property("background-color")

    theme = browser.find_element(By.ID, "theme")
    theme.click()
    light = ground()
    theme.click()
    assert ground() != light
    theme.click()
    assert ground() == light


@pytest.mark.parametrize("dark", [False, True])
def test_text_stands_out_from_its_ground(page: Path, dark: bool) -> None:
    with chromium(dark=dark) as driver:
        opened(driver, page)
        low = driver.execute_script(_LOW_CONTRAST)
    assert low == []


def test_it_fits_on_a_phone(page: Path) -> None:
    with chromium(390, 844) as driver:
        opened(driver, page)
        width = driver.execute_script("return document.documentElement.scrollWidth")
        assert width == 390
        article = driver.find_element(By.ID, "open")
        assert not article.is_displayed()
        found(driver, "#list button")[1].click()
        settled(driver)
        assert article.is_displayed()
        assert not driver.find_element(By.ID, "list").is_displayed()
        assert driver.execute_script("return document.documentElement.scrollWidth") == 390
        until(driver, ".back button").click()
        assert driver.find_element(By.ID, "list").is_displayed()


def test_a_hostile_dialogue_runs_nothing(window: Chrome, hostile_page: Path) -> None:
    complaints(window)
    requested(window)
    opened(window, hostile_page)
    title = window.title
    window.find_element(By.ID, "thoughts").click()
    for closed in found(window, "details"):
        window.execute_script("arguments[0].open = true", closed)
    for number in range(1, 4):
        found(window, "#list button")[number].click()
        settled(window)
    choose(window, "outcome", "not readable")
    assert found(window, ".unanswered")
    search(window, "<script>")
    assert window.title == title != "owned"
    assert [text for text in HOSTILE if text in window.find_element(By.ID, "open").text]
    assert found(window, "main img, main iframe, main script, main style, #open svg, #list svg") == []
    assert complaints(window) == []
    assert [address for address in requested(window) if address != "about:blank"] == [hostile_page.as_uri()]


def test_the_policy_stops_a_script_that_gets_in_all_the_same(browser: Chrome) -> None:
    complaints(browser)
    browser.execute_script(
        "const script = document.createElement('script'); script.textContent = \"document.title='owned'\";"
        "document.body.append(script); const image = new Image(); image.src = 'https://example.org/x.png';"
    )
    assert browser.title != "owned"
    said = " ".join(complaints(browser))
    assert "script-src" in said
    assert "img-src" in said or "default-src" in said


_LOW_CONTRAST = """
const channel = (value) => { const c = value / 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const rgba = (colour) => {
  canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
  return canvas.getImageData(0, 0, 1, 1).data;
};
const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] / 255 + under[i] * (1 - top[3] / 255));
const ground = (element) => {
  const layers = [];
  for (let one = element; one; one = one.parentElement) layers.unshift(rgba(getComputedStyle(one).backgroundColor));
  return layers.reduce((under, top) => over(top, under), [255, 255, 255]);
};
document.getElementById("open").classList.add("thinking");
const low = [];
for (const element of document.querySelectorAll("main *:not(svg *), header *, footer")) {
  const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  if (!own || !element.getClientRects().length || element.tagName === "OPTION") continue;
  const [a, b] = [light(ground(element)), light(over(rgba(getComputedStyle(element).color), ground(element)))];
  const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (contrast < 4.5) low.push(`${element.className || element.tagName}: ${contrast.toFixed(2)}`);
}
return [...new Set(low)];
"""
"""Elements with text of less contrast than the 4.5 to 1 that WCAG 2.1 (1.4.3) asks for."""
