"""The curves of one ranking as tables of numbers, from which figures are drawn."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from nontrivial._arrays import Mask, Scores
from nontrivial.curves.areas import CURVE_AREAS, compute_areas, interpolate_pr_points
from nontrivial.curves.gain import gain_curve
from nontrivial.curves.points import OperatingPoints, operating_points
from nontrivial_study.experiments.results import OK
from nontrivial_study.tables import column_names


class CurvePanel(NamedTuple):
    """The axes of a curve of a ranking, and the label of the area under it."""

    x_label: str
    y_label: str
    area_label: str


PANELS = {
    "roc": CurvePanel("False positive rate", "True positive rate", CURVE_AREAS["roc_auc"].short_label),
    "pr": CurvePanel("Recall", "Precision", CURVE_AREAS["pr_auc"].short_label),
    "prg": CurvePanel("Recall gain", "Precision gain", CURVE_AREAS["prg_auc"].short_label),
}


def curve_numbers(truth: Mask, score: Scores) -> pd.DataFrame:
    """Return the points of the ROC, PR and PRG curves of a ranking, each with the area under its curve."""
    points = operating_points(truth, score)
    areas = compute_areas(points.positive_steps())
    precision, recall = interpolate_pr_points(points)
    precision_gain, recall_gain, _ = gain_curve(points)
    is_shown = recall_gain >= 0
    curves = {
        "roc": (points.fp / points.negatives, points.tp / points.positives),
        "pr": (recall, precision),
        "prg": (recall_gain[is_shown], precision_gain[is_shown]),
    }
    parts = [pd.DataFrame({"panel": panel, "x": x, "y": y}) for panel, (x, y) in curves.items()]
    table = pd.concat(parts, ignore_index=True)
    return table.assign(area=[areas[f"{panel}_auc"] for panel in table["panel"]])


def compared_curves(
    predictions: pd.DataFrame | None, task: str, models: Mapping[str, tuple[str | None, str]], data: str = ""
) -> pd.DataFrame:
    """Return the ROC, PR and PRG curves of models on a task.

    `models` has for each label the name of a model among the predictions and its status. A model with another status
    than "ok" has a row without numbers.
    """
    parts = []
    for label, (model, status) in models.items():
        if predictions is not None and status == OK:
            rows = predictions[predictions["model"] == model]
            curves = curve_numbers(rows["truth"].to_numpy(), rows["score"].to_numpy())
        else:
            curves = pd.DataFrame(index=[0], columns=["panel", "x", "y", "area"])
        parts.append(curves.assign(task=task, data=data, model=label, status=status))
    return pd.concat(parts, ignore_index=True)[column_names("prg_figure_5")]


def non_dominated(points: OperatingPoints) -> Mask:
    """Return which operating points are not dominated: no other is as good in both rates and better in one."""
    has_more_tp_than_before = np.diff(points.tp, prepend=-1) > 0
    has_less_fp_than_next = np.diff(points.fp, append=np.inf) > 0
    return has_more_tp_than_before & has_less_fp_than_next
