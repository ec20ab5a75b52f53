"""The page of 500 dialogues that six subjects answered: its size, its first paint, and a filter, in real Chromium.

    python benchmarks/report_page.py [--n 500] [--repeats 5]

Once with short answers, once with six long ones to each question (chains of thought, none like another). Needs
Chromium with its driver and selenium. Exit status 1 if the page is 15 MB or more, the first paint takes 1 s or more,
or a filter takes 0.2 s or more (the slowest of the repeats counts).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from random import Random

from headless import chromium
from planted_subjects import PLANTED, Planted, plant
from selenium.webdriver import Chrome

import dtomtrack
from dtomtrack.beliefs.question import Question
from dtomtrack.evaluation.records import Answer
from dtomtrack.library import make_report
from dtomtrack.runs.lines import read_lines, to_lines

LIMITS = {"size": 15e6, "first paint": 1.0, "filter": 0.2}
WORDS = 250
_PAINT = """
const [done] = arguments;
new PerformanceObserver((list) => {
  for (const entry of list.getEntriesByName("first-contentful-paint")) done(entry.startTime / 1000);
}).observe({ type: "paint", buffered: true });
"""
_FILTER = """
const [id, value, done] = arguments;
const field = document.getElementById(id), browser = document.getElementById("browser");
const start = performance.now();
field.value = value;
field.dispatchEvent(new Event(id === "search" ? "input" : "change", { bubbles: true }));
const wait = () => {
  if (browser.getAttribute("aria-busy") === "false") {
    requestAnimationFrame(() => setTimeout(() => done((performance.now() - start) / 1000)));
  } else setTimeout(wait);
};
setTimeout(wait);
"""
"""Sets a filter; gives the seconds until the page shows what it finds, painted."""
STEPS = (
    ("grouping-0", "3"),
    ("grouping-1", "0"),
    ("subject", "0"),
    ("outcome", "2"),
    ("outcome", "1"),
    ("grouping-0", ""),
    ("grouping-1", ""),
)


def measure(page: Path, repeats: int) -> dict[str, float]:
    """The slowest of each kind, in seconds, and the size in bytes."""
    slowest = {
        "size": float(page.stat().st_size),
        "first paint": 0.0,
        "filter": 0.0,
        "first search": 0.0,
        "search": 0.0,
    }
    for _ in range(repeats):
        with chromium() as driver:
            driver.get(page.as_uri())
            one = {
                "first paint": _first_paint(driver),
                "filter": max(_filter(driver, *step) for step in STEPS),
                "first search": _filter(driver, "search", "table"),
                "search": _filter(driver, "search", "noon table"),
            }
        slowest |= {name: max(slowest[name], seconds) for name, seconds in one.items()}
    return slowest


def _first_paint(driver: Chrome) -> float:
    return float(driver.execute_async_script(_PAINT))


def _filter(driver: Chrome, name: str, value: str) -> float:
    return float(driver.execute_async_script(_FILTER, name, value))


def lengthen(dataset: Path) -> None:
    """Give every answer a long reply of its own, made of the questions' words."""
    questions = read_lines(dataset / "questions.jsonl", Question)
    words = [word for question in questions for word in question.question.split()]
    rng = Random(0)
    for path in sorted((dataset / "eval").glob("*/answers.jsonl")):
        answers = [
            one.model_copy(update={"reply": f"{' '.join(rng.choices(words, k=WORDS))} {one.reply}"})
            for one in read_lines(path, Answer)
        ]
        path.write_bytes(to_lines(answers))


def models() -> list[Planted]:
    """Six models: no baselines, which say nothing."""
    return [replace(one, name=one.name.replace("baseline/", "openai/")) for one in PLANTED]


def main() -> int:
    parser = argparse.ArgumentParser(description="The page of a large report in a real browser.")
    parser.add_argument("--n", type=int, default=500)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    passed = True
    with tempfile.TemporaryDirectory() as root:
        dataset = Path(root) / "restaurant"
        dtomtrack.generate("restaurant", n=options.n, out=dataset)
        plant(dataset, models())
        for replies in ("short", "long"):
            if replies == "long":
                lengthen(dataset)
            start = time.perf_counter()
            page = make_report(dataset, audit=False).page
            print(f"{replies} replies: made in {time.perf_counter() - start:.1f} s")
            for name, value in measure(page, options.repeats).items():
                limit = LIMITS.get(name)
                passed = passed and (limit is None or value < limit)
                shown = f"{value / 1e6:.2f} MB" if name == "size" else f"{value:.3f} s"
                print(f"  {name}: {shown}" + ("" if limit is None or value < limit else "  TOO MUCH"))
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
