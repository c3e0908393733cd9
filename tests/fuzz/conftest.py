"""How Hypothesis runs in this folder: few examples, the same in each run; `--examples N` tries N fresh ones a test."""

import pytest
from hypothesis import settings


def pytest_addoption(parser):
    parser.addoption("--examples", type=int, default=0, help="fresh examples for each test of tests/fuzz")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """Import the modules of this folder, and no others, under its profile."""
    before, fresh = settings.get_current_profile_name(), collector.config.getoption("--examples", 0)
    settings.register_profile("fuzz", max_examples=fresh or 12, deadline=None, derandomize=not fresh)
    settings.load_profile("fuzz")
    try:
        return (yield)
    finally:
        settings.load_profile(before)
