"""The tutorial's curves on real data: precision-recall and break-even point, ROC, costs; averages over folds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from nontrivial.curves.areas import pr_auc_score
from nontrivial.curves.break_even import break_even_point_score
from nontrivial.curves.cost import cost_curve, cost_curve_area_score
from nontrivial.curves.points import operating_points
from nontrivial.measures.averages import macro_average, micro_average
from nontrivial.measures.confusion import confusion_measures

AVERAGED = ("precision", "recall", "f_beta")
COST_LINES = 60


def precision_recall_points(predictions: pd.DataFrame, task: str, models: Sequence[str]) -> pd.DataFrame:
    """Return the points of each model's precision-recall curve.

    Parameters
    ----------
    predictions : DataFrame
        Out-of-fold predictions from `nontrivial.study.training.train_task`.
    task : str
    models : sequence of str

    Returns
    -------
    DataFrame
        ``task, model, recall, precision, break_even_point, area`` (hyperbolic), ``prevalence``. The empty prediction,
        which has no precision, is left out.

    References
    ----------
    Tutorial, "The P-R curve".
    """
    parts = []
    for model, truth, score in _scores(predictions, task, models):
        points = operating_points(truth, score)
        tp, fp = points.tp[1:], points.fp[1:]
        parts.append(
            pd.DataFrame(
                {"task": task, "model": model, "recall": tp / points.positives, "precision": tp / (tp + fp)}
            )
            .assign(break_even_point=break_even_point_score(truth, score), area=pr_auc_score(truth, score))
            .assign(prevalence=truth.mean())
        )
    return pd.concat(parts, ignore_index=True)


def roc_points(predictions: pd.DataFrame, task: str, models: Sequence[str]) -> pd.DataFrame:
    """Return the points of each model's ROC curve: ``task, model, false_positive_rate, true_positive_rate, area``.

    References
    ----------
    Tutorial, "ROC & AUC". The tutorial's text exchanges the axes; its formula for the area has them as here.
    """
    parts = []
    for model, truth, score in _scores(predictions, task, models):
        points = operating_points(truth, score)
        x, y = points.fp / points.negatives, points.tp / points.positives
        area = float(np.sum(np.diff(x) * (y[1:] + y[:-1])) / 2)
        columns = {
            "task": task,
            "model": model,
            "false_positive_rate": x,
            "true_positive_rate": y,
            "area": area,
        }
        parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)


def cost_lines(predictions: pd.DataFrame, task: str, models: Sequence[str]) -> pd.DataFrame:
    """Return each model's cost lines and their lower envelope.

    Returns
    -------
    DataFrame
        ``task, model, part`` (``"line"`` or ``"envelope"``), ``line`` (its number; missing for the envelope),
        ``probability_cost, normalized_cost, area`` (under the envelope). A line has two rows, its ends: (0, FPR) and
        (1, FNR). Of many thresholds, evenly many lines are kept.

    References
    ----------
    Tutorial, "Cost-sensitive Error Rate & Cost Curve".
    """
    parts = []
    for model, truth, score in _scores(predictions, task, models):
        points = operating_points(truth, score)
        area = cost_curve_area_score(truth, score)
        kept = np.unique(np.linspace(0, len(points.tp) - 1, COST_LINES).astype(int))
        ends = np.stack(
            [points.fp[kept] / points.negatives, 1 - points.tp[kept] / points.positives], axis=1
        ).ravel()
        lines = {"part": "line", "line": np.repeat(np.arange(len(kept)), 2), "normalized_cost": ends}
        lines["probability_cost"] = np.tile([0.0, 1.0], len(kept))
        x, cost = cost_curve(truth, score)
        envelope = {"part": "envelope", "line": None, "probability_cost": x, "normalized_cost": cost}
        for columns in (lines, envelope):
            parts.append(pd.DataFrame(columns).assign(task=task, model=model, area=area))
    table = pd.concat(parts, ignore_index=True).astype({"line": "Int64"})
    return table[["task", "model", "part", "line", "probability_cost", "normalized_cost", "area"]]


def average_table(predictions: pd.DataFrame, task: str, models: Sequence[str]) -> pd.DataFrame:
    """Compute precision, recall and F1 of each fold, and their macro and micro averages.

    Returns
    -------
    DataFrame
        ``task, model, fold`` (its number from 1 on, ``macro`` or ``micro``), ``tp, fp, fn, tn`` (of the fold, summed
        for micro, missing for macro), ``precision, recall, f_beta`` and ``undefined_folds`` (in which one of them is
        0/0; the macro average of that one is then missing).

    References
    ----------
    Tutorial, "Accuracy/Recall/F1": macro F1 is that of the averaged precision and recall.
    """
    rows = predictions[predictions["task"] == task]
    parts = []
    for model in models:
        of_model = rows[rows["model"] == model]
        truth, prediction = of_model["truth"], of_model["prediction"]
        cells = {"tp": truth & prediction, "fp": ~truth & prediction}
        cells |= {"fn": truth & ~prediction, "tn": ~truth & ~prediction}
        folds = pd.DataFrame(cells).groupby(of_model["fold"]).sum()
        measures = confusion_measures(**folds)[list(AVERAGED)].set_axis(folds.index)
        undefined = int(measures.isna().any(axis=1).sum())
        each = pd.concat([folds, measures], axis=1).reset_index()
        each["fold"] = (each["fold"].astype(int) + 1).astype(str)
        averages = [
            {"fold": "macro", **macro_average(folds)[list(AVERAGED)], "undefined_folds": undefined},
            {
                "fold": "micro",
                **folds.sum(),
                **micro_average(folds)[list(AVERAGED)],
                "undefined_folds": undefined,
            },
        ]
        parts.append(
            pd.concat([each, pd.DataFrame(averages)], ignore_index=True).assign(task=task, model=model)
        )
    table = pd.concat(parts, ignore_index=True)
    whole = dict.fromkeys(["tp", "fp", "fn", "tn", "undefined_folds"], "Int64")
    return table[["task", "model", "fold", *list(cells), *AVERAGED, "undefined_folds"]].astype(whole)


def _scores(
    predictions: pd.DataFrame, task: str, models: Sequence[str]
) -> list[tuple[str, np.ndarray, np.ndarray]]:
    """Return model, truth and score, in the order of the models asked for.

    Raises
    ------
    ValueError
        If a model has no predictions, because it failed.
    """
    rows = predictions[predictions["task"] == task]
    by_model = dict(iter(rows.groupby("model", sort=False)))
    for model in models:
        if model not in by_model:
            raise ValueError(f"Model {model!r} failed on {task!r}, so it has no curves; see curve_areas.csv.")
    return [
        (model, by_model[model]["truth"].to_numpy(), by_model[model]["score"].to_numpy()) for model in models
    ]
