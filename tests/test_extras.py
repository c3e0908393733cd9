"""Without an extra, all else works, and what needs it says which."""

import subprocess
import sys

from nontrivial.extras import EXTRAS

BARE = f"import sys\nfor module in {list(EXTRAS)!r}:\n    sys.modules[module] = None\n"
EVERY_NAME = """
import nontrivial.curves, nontrivial.displays, nontrivial.measures
for package in (nontrivial.curves, nontrivial.displays, nontrivial.measures):
    for name in package.__all__:
        getattr(package, name)
"""
COMMAND = "from nontrivial.cli import main\nmain({!r})"
DRAWING = (
    "from nontrivial.displays import CostCurveDisplay\nCostCurveDisplay.from_predictions([0, 1], [0, 1])"
)
POSSIBLE = """
from nontrivial.measures import published_scores_possible
published_scores_possible({"accuracy": "0.9"}, positives=10, n=100)
published_scores_possible({"accuracy": "0.9"}, positives=10, n=100, folds=5, average="mean")
"""


def run(code):
    return subprocess.run([sys.executable, "-c", BARE + code], capture_output=True, text=True)


def test_measures_curves_and_published_numbers_need_no_extra():
    assert run(EVERY_NAME).stderr == ""
    published = run(COMMAND.format(["published", "--error", "0.273", "--positives", "81", "--n", "306"]))
    assert (published.returncode, published.stderr) == (0, "")


def test_whatever_needs_an_extra_names_it():
    for arguments in (["score", "predictions.csv"], ["verify"]):
        result = run(COMMAND.format(arguments))
        assert result.returncode == 2
        assert len(result.stderr.splitlines()) == 1
        assert "nontrivial[cards]" in result.stderr
    assert "ModuleNotFoundError: matplotlib " in run(DRAWING).stderr
    assert "nontrivial[published]" in run(POSSIBLE).stderr
