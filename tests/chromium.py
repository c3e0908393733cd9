"""A real browser for tests: Debian's Chromium, if it can be the one without windows, driven by Playwright."""

import contextlib
import os
import shutil

import pytest
from playwright.sync_api import sync_playwright

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextlib.contextmanager
def launched():
    """Give a browser; where there is no Chromium the test is skipped, or fails if NONTRIVIAL_REQUIRE_BROWSER is 1."""
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if path is None:
        assert os.environ.get("NONTRIVIAL_REQUIRE_BROWSER") != "1", "there is no chromium on the PATH"
        pytest.skip("there is no chromium on the PATH")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()
