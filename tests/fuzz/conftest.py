"""A process to fork, and how Hypothesis runs in this folder: few examples, the same in each run.

With ``--hours H`` there are fresh ones for that long.
"""

import time

import pytest
from fuzz.warm import Warm
from hypothesis import is_hypothesis_test, settings

settings.register_profile("fuzz", max_examples=12, deadline=None, derandomize=True)
settings.register_profile("fuzz-hours", max_examples=1000, deadline=None, derandomize=False, print_blob=True)


def pytest_addoption(parser):
    parser.addoption(
        "--hours", type=float, default=0, help="fuzz for that long, the tests one after the other"
    )


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """Import the modules of this folder, and no others, under the folder's profile."""
    before = settings.get_current_profile_name()
    settings.load_profile("fuzz-hours" if collector.config.getoption("--hours", 0) else "fuzz")
    try:
        return (yield)
    finally:
        settings.load_profile(before)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    """Repeat a test with new examples until its share of the hours is over."""
    began = time.monotonic()
    outcome = yield
    if is_hypothesis_test(pyfuncitem.obj):
        hours = pyfuncitem.config.getoption("--hours", 0)
        fuzzed = sum(is_hypothesis_test(getattr(item, "obj", None)) for item in pyfuncitem.session.items)
        arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
        while time.monotonic() < began + hours * 3600 / fuzzed:
            pyfuncitem.obj(**arguments)
    return outcome


@pytest.fixture(scope="session")
def warm():
    """A process that has imported the command and the downloads."""
    modules = ["cli", "scorecard.scored", "scorecard.text", "data.archive", "data.uci"]
    with Warm(*(f"nontrivial.{name}" for name in modules)) as warm:
        yield warm
