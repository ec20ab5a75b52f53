"""A report's page in a browser: how tests open it, use it and look at it."""

from __future__ import annotations

from pathlib import Path

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait

__all__ = ["choose", "count", "current", "found", "opened", "press", "search", "settled", "until"]

PATIENCE = 20.0


def opened(driver: Chrome, page: Path) -> None:
    """Open a page anew and wait until it shows a dialogue."""
    driver.get("about:blank")
    driver.get(page.as_uri())
    settled(driver)


def until(driver: Chrome, selector: str) -> WebElement:
    """The element of a selector, once it is there."""
    return WebDriverWait(driver, PATIENCE).until(lambda here: here.find_element(By.CSS_SELECTOR, selector))


def found(driver: Chrome, selector: str) -> list[WebElement]:
    """The elements of a selector."""
    return driver.find_elements(By.CSS_SELECTOR, selector)


def count(driver: Chrome) -> tuple[int, int]:
    """(dialogues, questions) that the page says it found."""
    words = driver.find_element(By.ID, "count").text.replace(",", "").split()
    return int(words[0]), int(words[-2])


def choose(driver: Chrome, name: str, label: str) -> None:
    """Set a filter."""
    Select(driver.find_element(By.ID, name)).select_by_visible_text(label)
    settled(driver)


def search(driver: Chrome, words: str) -> None:
    """Type into the search field."""
    driver.find_element(By.ID, "search").send_keys(words)
    settled(driver)


def settled(driver: Chrome) -> None:
    """Wait until the page has done what it was asked to."""
    until(driver, "#browser[aria-busy=false]")


def current(driver: Chrome) -> str:
    """The line that names the open dialogue."""
    return driver.find_element(By.CSS_SELECTOR, ".identity").text


def press(driver: Chrome, keys: str) -> None:
    """Press keys wherever the focus is."""
    driver.switch_to.active_element.send_keys(keys)
    settled(driver)
