"""Fail if a built page scrolls sideways on a phone: ``python docs/check_width.py build/docs``."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

PHONE = {"width": 390, "height": 844}
# Code, tables and the path above a title may scroll or end in dots by themselves.
WIDE_PARTS = """() => [...document.querySelectorAll("body, main, main *")].filter((part) =>
    (part.tagName == "BODY" || getComputedStyle(part).overflowX != "visible")
    && part.clientWidth > 0 && part.scrollWidth > part.clientWidth + 1
    && !part.matches("pre, .highlight, .pst-scrollable-table-container, .visually-hidden, .ellipsis, button *, "
        + ".sphx-glr-thumbcontainer *")
).map((part) => `${part.tagName} ${part.className}: ${part.scrollWidth} pixels`)"""


def find_wide_pages(folder: Path) -> dict[str, list[str]]:
    """Return the pages with parts that are wider than a phone, and these parts."""
    paths = sorted(path for path in folder.rglob("*.html") if "_static" not in path.parts)
    browser_path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    wide = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        page = browser.new_page(viewport=PHONE)
        page.route("http*://**", lambda route: route.abort())
        for path in paths:
            page.goto(path.resolve().as_uri())
            parts = page.evaluate(WIDE_PARTS)
            if parts:
                wide[path.relative_to(folder).as_posix()] = parts
        browser.close()
    print(f"{len(paths)} pages, {len(wide)} of them scroll sideways")
    return wide


if __name__ == "__main__":
    wide_pages = find_wide_pages(Path(sys.argv[1]))
    for name, parts in wide_pages.items():
        print(name, *parts[:2], sep="\n  ")
    sys.exit(bool(wide_pages))
