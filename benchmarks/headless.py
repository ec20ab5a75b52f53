"""A real Chromium without a window, for pages that have to be looked at; nothing of it outlasts the block."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

__all__ = ["CHROMIUM", "DRIVER", "chromium", "complaints", "requested"]

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
DRIVER = shutil.which("chromedriver") or "/usr/bin/chromedriver"
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)


@contextmanager
def chromium(width: int = 1360, height: int = 900, *, dark: bool = False) -> Iterator[webdriver.Chrome]:
    """A browser of this size, in light or dark colours."""
    with tempfile.TemporaryDirectory() as profile:
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for flag in (*_FLAGS, f"--user-data-dir={profile}", f"--window-size={width},{height}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        try:
            # a window can't be narrower than some 500 pixels, a device can
            size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            wishes = {"prefers-color-scheme": "dark" if dark else "light", "prefers-reduced-motion": "reduce"}
            features = [{"name": name, "value": value} for name, value in wishes.items()]
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
            driver.get("about:blank")
            requested(driver)  # what the page of a new tab asks for is no page's doing
            yield driver
        finally:
            driver.quit()


def complaints(driver: webdriver.Chrome) -> list[str]:
    """The lines of the console since it was last asked, violations of a page's policy among it."""
    return [str(entry["message"]) for entry in driver.get_log("browser")]  # type: ignore[no-untyped-call]


def requested(driver: webdriver.Chrome) -> list[str]:
    """Addresses that pages asked for since it was last asked."""
    events = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]  # type: ignore[no-untyped-call]
    return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
