"""The curves of one ranking as tables of numbers, from which figures are drawn."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from nontrivial._arrays import Mask, Scores
from nontrivial.curves.areas import CURVE_AREAS, areas_of, interpolated_points
from nontrivial.curves.gain import gain_curve
from nontrivial.curves.points import OperatingPoints, operating_points
from nontrivial_study.experiments.results import OK
from nontrivial_study.tables import column_names

# The axes of the curves of a ranking, and what the areas under them are called.
PANELS = {
    "roc": ("False positive rate", "True positive rate", CURVE_AREAS["roc_auc"].short_label),
    "pr": ("Recall", "Precision", CURVE_AREAS["pr_auc"].short_label),
    "prg": ("Recall gain", "Precision gain", CURVE_AREAS["prg_auc"].short_label),
}


def curve_numbers(truth: Mask, score: Scores) -> pd.DataFrame:
    """Return the ROC, PR and PRG curves of a ranking."""
    points = operating_points(truth, score)
    areas = areas_of(points.positive_steps())
    precision, recall = interpolated_points(points)
    precision_gain, recall_gain, _ = gain_curve(points)
    inside = recall_gain >= 0
    curves = {
        "roc": (points.fp / points.negatives, points.tp / points.positives),
        "pr": (recall, precision),
        "prg": (recall_gain[inside], precision_gain[inside]),
    }
    parts = [pd.DataFrame({"panel": panel, "x": x, "y": y}) for panel, (x, y) in curves.items()]
    table = pd.concat(parts, ignore_index=True)
    return table.assign(area=[areas[f"{panel}_auc"] for panel in table["panel"]])


def compared_curves(
    predictions: pd.DataFrame | None, task: str, models: Mapping[str, tuple[str | None, str]], data: str = ""
) -> pd.DataFrame:
    """Return the ROC, PR and PRG curves of models on a task."""
    parts = []
    for name, (model, status) in models.items():
        if predictions is not None and status == OK:
            rows = predictions[predictions["model"] == model]
            curves = curve_numbers(rows["truth"].to_numpy(), rows["score"].to_numpy())
        else:
            curves = pd.DataFrame(index=[0], columns=["panel", "x", "y", "area"])
        parts.append(curves.assign(task=task, data=data, model=name, status=status))
    return pd.concat(parts, ignore_index=True)[column_names("prg_figure_5")]


def non_dominated(points: OperatingPoints) -> Mask:
    """Return which operating points no other is at least as good as in both rates and better in one."""
    finds_more = np.diff(points.tp, prepend=-1) > 0
    no_better_follows = np.diff(points.fp, append=np.inf) > 0
    return finds_more & no_better_follows
