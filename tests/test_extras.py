"""Without an extra, all else works, and what needs it says which."""

import subprocess
import sys

from nontrivial.terminal import EXTRAS

BARE = f"import sys\nfor module in {list(EXTRAS)!r}:\n    sys.modules[module] = None\n"
PACKAGES = """
import nontrivial.curves, nontrivial.displays, nontrivial.measures
for package in (nontrivial.curves, nontrivial.displays, nontrivial.measures):
    for name in package.__all__:
        getattr(package, name)
from nontrivial.cli import main
main(["published", "--error", "0.273", "--positives", "81", "--n", "306"])
"""
MISSING = """
from nontrivial.cli import main
from nontrivial.displays import CostCurveDisplay, VennDisplay
from nontrivial.measures import published_scores_possible

def possible(**design):
    published_scores_possible({"accuracy": "0.9"}, positives=10, n=100, **design)

possible()
for run in (
    lambda: main(["score", "predictions.csv"]),
    lambda: main(["verify"]),
    lambda: CostCurveDisplay.from_predictions([0, 1], [0, 1]),
    lambda: VennDisplay(1, 2, 3, 4).plot(),
    lambda: possible(folds=5, average="mean"),
):
    try:
        run()
    except (SystemExit, ImportError) as error:
        print(type(error).__name__, error, file=sys.stderr)
"""


def run(code):
    return subprocess.run([sys.executable, "-c", BARE + code], capture_output=True, text=True)


def test_measures_curves_and_published_numbers_need_no_extra():
    done = run(PACKAGES)
    assert (done.returncode, done.stderr) == (0, "")


def test_whatever_needs_an_extra_names_it():
    score, scored, verify, verified, curve, diagram, possible = run(MISSING).stderr.splitlines()
    assert "nontrivial[cards]" in score
    assert "nontrivial[cards]" in verify
    assert scored == verified == "SystemExit 2"
    assert curve == diagram
    assert curve.startswith("ModuleNotFoundError matplotlib ")
    assert "nontrivial[published]" in possible
