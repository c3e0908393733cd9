"""The tutorial's curves on real data: precision-recall and break-even point, ROC, costs; averages over folds."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from nontrivial.curves.areas import break_even_point_score, pr_auc_score
from nontrivial.curves.hull import area_under_cost_curve, choose_cost_lines, find_roc_hull, lower_envelope
from nontrivial.curves.points import operating_points
from nontrivial.measures.confusion import confusion_measures, macro_average, micro_average
from nontrivial_study.experiments.results import NO_PREDICTIONS, OK
from nontrivial_study.experiments.tasks.scores import count_cells
from nontrivial_study.tables import column_names, read_parquet

AVERAGED_MEASURES = ["precision", "recall", "f_beta"]
MAX_COST_LINES = 60


def precision_recall_points(predictions: pd.DataFrame, task: str, models: Sequence[str]) -> pd.DataFrame:
    """Return the points of each model's precision-recall curve (Tutorial, "The P-R curve"); no row if it failed."""
    parts = []
    for model, rows in _rows_by_model(predictions, task, models).items():
        points = operating_points(rows["truth"], rows["score"])
        tp, fp = points.tp[1:], points.fp[1:]
        curve: dict[str, Any] = {
            "task": task,
            "model": model,
            "recall": tp / points.positives,
            "precision": tp / (tp + fp),
        }
        curve["break_even_point"] = break_even_point_score(rows["truth"], rows["score"])
        curve["area"] = pr_auc_score(rows["truth"], rows["score"])
        parts.append(pd.DataFrame(curve | {"prevalence": rows["truth"].mean()}))
    return _concat_models(parts, "tutorial_precision_recall")


def roc_points(predictions: pd.DataFrame, task: str, models: Sequence[str]) -> pd.DataFrame:
    """Return the points of each model's ROC curve (Tutorial, "ROC & AUC"); no row if it failed.

    The tutorial's text exchanges the axes; its formula for the area has them as here.
    """
    parts = []
    for model, rows in _rows_by_model(predictions, task, models).items():
        points = operating_points(rows["truth"], rows["score"])
        x, y = points.fp / points.negatives, points.tp / points.positives
        curve = {"task": task, "model": model, "false_positive_rate": x, "true_positive_rate": y}
        parts.append(pd.DataFrame(curve | {"area": np.trapezoid(y, x)}))
    return _concat_models(parts, "tutorial_roc")


def cost_lines(predictions: pd.DataFrame, task: str, models: Sequence[str]) -> pd.DataFrame:
    """Return each model's cost lines and their lower envelope (Tutorial, "Cost-sensitive Error Rate & Cost Curve")."""
    parts = []
    for model, rows in _rows_by_model(predictions, task, models).items():
        points = operating_points(rows["truth"], rows["score"])
        hull = find_roc_hull(points.positive_steps())
        shown = choose_cost_lines(points, hull, MAX_COST_LINES)
        ends = [points.fp[shown] / points.negatives, 1 - points.tp[shown] / points.positives]
        lines = {"part": "line", "line": np.repeat(np.arange(len(shown)), 2)}
        lines |= {"probability_cost": np.tile([0.0, 1.0], len(shown)), "normalized_cost": np.ravel(ends, "F")}
        x, cost = lower_envelope(hull)
        lowest = {"part": "envelope", "line": None, "probability_cost": x, "normalized_cost": cost}
        for part in (lines, lowest):
            parts.append(pd.DataFrame(part).assign(task=task, model=model, area=area_under_cost_curve(hull)))
    return _concat_models(parts, "tutorial_cost_curve").astype({"line": "Int64"})


def average_table(predictions: pd.DataFrame, task: str, models: Sequence[str]) -> pd.DataFrame:
    """Compute precision, recall and F1 of each fold, and their macro and micro averages.

    Macro F1 is computed from the averaged precision and recall, as in the tutorial's "Accuracy/Recall/F1".
    """
    parts = []
    for model in models:
        rows = predictions[(predictions["task"] == task) & (predictions["model"] == model)]
        if rows.empty:
            parts.append(pd.DataFrame([{"task": task, "model": model, "status": NO_PREDICTIONS}]))
            continue
        cells = count_cells(rows, "fold").sort_index()
        measures = confusion_measures(**cells)[AVERAGED_MEASURES].set_axis(cells.index)
        folds = pd.concat([cells, measures], axis=1).reset_index()
        folds["fold"] = (folds["fold"].astype(int) + 1).astype(str)
        macro = {"fold": "macro", **macro_average(cells)[AVERAGED_MEASURES]}
        micro = {"fold": "micro", **cells.sum(), **micro_average(cells)[AVERAGED_MEASURES]}
        averages = pd.DataFrame([macro, micro]).assign(undefined_folds=int(measures.isna().any(axis=1).sum()))
        parts.append(pd.concat([folds, averages]).assign(task=task, model=model, status=OK))
    table = _concat_models(parts, "fold_averages")
    return table.astype(dict.fromkeys(["tp", "fp", "fn", "tn", "undefined_folds"], "Int64"))


def _rows_by_model(predictions: pd.DataFrame, task: str, models: Sequence[str]) -> dict[str, pd.DataFrame]:
    """Return the predictions of each model that has any, in the given order."""
    by_model = dict(iter(predictions[predictions["task"] == task].groupby("model")))
    return {model: by_model[model] for model in models if model in by_model}


def _concat_models(parts: Sequence[pd.DataFrame], name: str) -> pd.DataFrame:
    """Put the models' tables below one another, with the columns that the table `name` declares."""
    table = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
    return table.reindex(columns=column_names(name))


def calc_tutorial(predictions: str, tutorial: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """Compute the tutorial's curves on real data, and average over folds."""
    selection = (read_parquet(predictions), tutorial["task"], tutorial["models"])
    averages = average_table(*selection)
    return {
        "tutorial_precision_recall": precision_recall_points(*selection),
        "tutorial_roc": roc_points(*selection),
        "tutorial_cost_curve": cost_lines(*selection),
        "tutorial_averages": averages,
        "fold_averages": averages,
    }
