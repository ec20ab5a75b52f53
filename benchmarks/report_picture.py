"""The picture of the report's page in the documentation: python benchmarks/report_picture.py

Baselines answer a small dataset; a real Chromium opens the page, and its first screen goes to docs/images/report.png.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from headless import chromium

from dtomtrack import evaluate, generate, make_report

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "report.png"
SUBJECTS = ("recency", "overlap", "last-before", "best-rule", "random")


def main() -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "restaurant-0"
        generate("restaurant", n=100, out=folder)
        evaluate(folder, [f"baseline/{name}" for name in SUBJECTS])
        page = make_report(folder, audit=False).page
        with chromium(1100, 1440) as driver:
            driver.get(page.as_uri())
            PICTURE.parent.mkdir(parents=True, exist_ok=True)
            driver.save_screenshot(str(PICTURE))
    print(f"{PICTURE}: {PICTURE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
