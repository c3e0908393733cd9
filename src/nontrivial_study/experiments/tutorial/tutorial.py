"""The tutorial's curves on real data: precision-recall and break-even point, ROC, costs; averages over folds."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from nontrivial.curves.areas import break_even_point_score, cost_area, envelope, pr_auc_score, thin_lines
from nontrivial.curves.hull import find_hull
from nontrivial.curves.points import operating_points
from nontrivial.measures.confusion import confusion_measures, macro_average, micro_average
from nontrivial_study.experiments.results import NO_PREDICTIONS, OK
from nontrivial_study.experiments.tasks.scores import count_cells
from nontrivial_study.tables import column_names, read_parquet

AVERAGED = ["precision", "recall", "f_beta"]
CELLS = ["tp", "fp", "fn", "tn"]
COST_LINES = 60


def precision_recall_points(predictions: pd.DataFrame, task: str, models: Sequence[str]) -> pd.DataFrame:
    """Return the points of each model's precision-recall curve (Tutorial, "The P-R curve"); none if it failed."""
    parts = []
    for model, truth, score in _scores(predictions, task, models):
        points = operating_points(truth, score)
        tp, fp = points.tp[1:], points.fp[1:]
        curve = {"task": task, "model": model, "recall": tp / points.positives, "precision": tp / (tp + fp)}
        about = {"break_even_point": break_even_point_score(truth, score), "area": pr_auc_score(truth, score)}
        parts.append(pd.DataFrame(curve | about | {"prevalence": truth.mean()}))
    return _stack(parts, "tutorial_precision_recall")


def roc_points(predictions: pd.DataFrame, task: str, models: Sequence[str]) -> pd.DataFrame:
    """Return the points of each model's ROC curve: ``task, model, false_positive_rate, true_positive_rate, area``.

    See "ROC & AUC" in the tutorial. The tutorial's text exchanges the axes; its formula for the area has them as here.
    """
    parts = []
    for model, truth, score in _scores(predictions, task, models):
        points = operating_points(truth, score)
        x, y = points.fp / points.negatives, points.tp / points.positives
        curve = {"task": task, "model": model, "false_positive_rate": x, "true_positive_rate": y}
        parts.append(pd.DataFrame(curve | {"area": np.trapezoid(y, x)}))
    return _stack(parts, "tutorial_roc")


def cost_lines(predictions: pd.DataFrame, task: str, models: Sequence[str]) -> pd.DataFrame:
    """Return each model's cost lines and their lower envelope (Tutorial, "Cost-sensitive Error Rate & Cost Curve")."""
    parts = []
    for model, truth, score in _scores(predictions, task, models):
        points = operating_points(truth, score)
        hull = find_hull(points.positive_steps())
        area = cost_area(hull)
        kept = thin_lines(points, hull, COST_LINES)
        rates = [points.fp[kept] / points.negatives, 1 - points.tp[kept] / points.positives]
        ends = np.stack(rates, axis=1).ravel()
        lines = {"part": "line", "line": np.repeat(np.arange(len(kept)), 2), "normalized_cost": ends}
        lines["probability_cost"] = np.tile([0.0, 1.0], len(kept))
        x, cost = envelope(hull)
        lower = {"part": "envelope", "line": None, "probability_cost": x, "normalized_cost": cost}
        for drawn in (lines, lower):
            parts.append(pd.DataFrame(drawn).assign(task=task, model=model, area=area))
    return _stack(parts, "tutorial_cost_curve").astype({"line": "Int64"})


def average_table(predictions: pd.DataFrame, task: str, models: Sequence[str]) -> pd.DataFrame:
    """Compute precision, recall and F1 of each fold, and their macro and micro averages.

    Macro F1 is that of the averaged precision and recall, as in the tutorial's "Accuracy/Recall/F1".
    """
    rows = predictions[predictions["task"] == task]
    parts = []
    for model in models:
        of_model = rows[rows["model"] == model]
        if of_model.empty:
            parts.append(pd.DataFrame([{"task": task, "model": model, "status": NO_PREDICTIONS}]))
            continue
        folds = count_cells(of_model, "fold").sort_index()
        measures = confusion_measures(**folds)[AVERAGED].set_axis(folds.index)
        undefined = int(measures.isna().any(axis=1).sum())
        each = pd.concat([folds, measures], axis=1).reset_index()
        each["fold"] = (each["fold"].astype(int) + 1).astype(str)
        averages = pd.DataFrame(
            [
                {"fold": "macro", **macro_average(folds)[AVERAGED]},
                {"fold": "micro", **folds.sum(), **micro_average(folds)[AVERAGED]},
            ]
        ).assign(undefined_folds=undefined)
        parts.append(pd.concat([each, averages]).assign(task=task, model=model, status=OK))
    table = _stack(parts, "fold_averages")
    return table.astype(dict.fromkeys([*CELLS, "undefined_folds"], "Int64"))


def _scores(
    predictions: pd.DataFrame, task: str, models: Sequence[str]
) -> list[tuple[str, np.ndarray, np.ndarray]]:
    """Return model, truth and score, in the order of the models asked for, of those that have predictions."""
    by_model = dict(iter(predictions[predictions["task"] == task].groupby("model")))
    scored = [(model, by_model[model]) for model in models if model in by_model]
    return [(model, rows["truth"].to_numpy(), rows["score"].to_numpy()) for model, rows in scored]


def _stack(parts: Sequence[pd.DataFrame], name: str) -> pd.DataFrame:
    """Put the models' tables, of which there may be none, on top of one another."""
    table = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
    return table.reindex(columns=column_names(name))


def calc_tutorial(predictions: str, tutorial: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """Trace the tutorial's curves on real data, and average over folds."""
    shown = (read_parquet(predictions), tutorial["task"], tutorial["models"])
    averages = average_table(*shown)
    return {
        "tutorial_precision_recall": precision_recall_points(*shown),
        "tutorial_roc": roc_points(*shown),
        "tutorial_cost_curve": cost_lines(*shown),
        "tutorial_averages": averages,
        "fold_averages": averages,
    }
