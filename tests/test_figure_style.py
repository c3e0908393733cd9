"""Figures that are the same files from run to run, and measures that can be told apart without colour."""

import hashlib
import os
import subprocess
import sys
from itertools import combinations

import matplotlib
from matplotlib.figure import Figure

from nontrivial.figure_style import MEASURE_LOOKS, house_style, save_figure
from nontrivial_study.experiments.imbalance.rates import SWEPT_MEASURES

ENDINGS = (".svg", ".pdf", ".png")

DRAW = """
import sys
from matplotlib.figure import Figure
from nontrivial.figure_style import MEASURE_LOOKS, house_style, save_figure
with house_style():
    figure = Figure(figsize=(3, 2), layout="constrained")
    axes = figure.subplots()
    for place, look in enumerate(MEASURE_LOOKS.values()):
        axes.plot([0, 1], [place, 1], label=look.name, **look.line_options())
        axes.fill_between([0, 1], 0, place, alpha=0.1)
    axes.legend()
save_figure(figure, sys.argv[1])
print("matplotlib.pyplot" in sys.modules)
"""


def drawing():
    with house_style():
        figure = Figure(figsize=(3, 2), layout="constrained")
        figure.subplots().plot([0, 1], label="a line", **MEASURE_LOOKS["accuracy"].line_options())
        figure.axes[0].legend()
    return figure


def contents(stem):
    return {ending: stem.with_name(stem.name + ending).read_bytes() for ending in ENDINGS}


def test_two_processes_write_the_same_bytes(tmp_path, monkeypatch):
    """This one, of a random hash seed, and another."""
    clock = {"SOURCE_DATE_EPOCH": "1000000000", "PYTHONHASHSEED": "1"}
    command = [sys.executable, "-c", DRAW, str(tmp_path / "other")]
    done = subprocess.run(command, env=os.environ | clock, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "False", "pyplot keeps every figure it makes"
    monkeypatch.setattr(sys, "argv", ["", str(tmp_path / "this")])
    exec(DRAW)
    digests = [
        [hashlib.sha256(data).hexdigest() for data in contents(tmp_path / run).values()] for run in ("this", "other")
    ]
    assert digests[0] == digests[1]


def test_the_users_settings_change_nothing(tmp_path):
    save_figure(drawing(), tmp_path / "plain")
    own = {"font.size": 20, "savefig.dpi": 30, "axes.facecolor": "yellow", "xtick.direction": "in"}
    with matplotlib.rc_context(own):
        save_figure(drawing(), tmp_path / "own")
        assert matplotlib.rcParams["font.size"] == 20
    assert contents(tmp_path / "plain") == contents(tmp_path / "own")


def test_every_measure_of_the_study_has_a_look():
    assert set(MEASURE_LOOKS) == set(SWEPT_MEASURES)


def test_measures_differ_without_colour():
    for one, other in combinations(MEASURE_LOOKS.values(), 2):
        assert one.marker != other.marker
        assert (one.dashes, one.width) != (other.dashes, other.width)
        assert one.color != other.color
