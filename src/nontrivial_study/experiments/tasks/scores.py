"""From the predictions of many models to tables of measures and areas."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from nontrivial._arrays import Ints, Mask, Scores
from nontrivial.curves.areas import areas_of
from nontrivial.curves.gain import is_extrapolated
from nontrivial.curves.points import find_positive_steps, is_last
from nontrivial.measures.advantage import prediction_advantage_score
from nontrivial.measures.confusion import confusion_measures
from nontrivial_study.experiments.results import OK
from nontrivial_study.experiments.tasks.tasks import Task
from nontrivial_study.tables import column_names, measure_names


def measure_table(predictions: pd.DataFrame, task: Task) -> pd.DataFrame:
    """Compute every confusion measure of each model from its pooled out-of-fold predictions."""
    labelled = predictions[predictions["prediction"].notna()]  # the others have only scores
    counts = count_cells(labelled, "model")
    front = pd.DataFrame({"dataset": task.dataset, "positive": task.positive, "model": counts.index})
    counts = counts.reset_index(drop=True)
    return pd.concat([front, counts, confusion_measures(**counts)[measure_names()]], axis=1)


def count_cells(predictions: pd.DataFrame, by: str) -> pd.DataFrame:
    """Return ``tp, fp, fn, tn`` for each value of a column of predictions, in the order of their first rows."""
    truth, prediction = predictions["truth"].astype(bool), predictions["prediction"].astype(bool)
    cells = {
        "tp": truth & prediction,
        "fp": ~truth & prediction,
        "fn": truth & ~prediction,
        "tn": ~truth & ~prediction,
    }
    return pd.DataFrame(cells).groupby(predictions[by], sort=False).sum()


def held_out_f1(truth: Mask, score: Scores, fold: Ints) -> float:
    """Return F1 over all folds, each judged at the threshold that is best for F1 on the others.

    A threshold is one of the other folds' scores and calls positive what scores at least as much; the greatest is
    taken among equally good ones. Where no threshold finds a positive, nothing is called positive. Counts are summed
    because F1 is no mean over cases, so that a mean over folds is something else (PRG paper, Sections 2.1 and 3).
    """
    counts = _count_held_out(
        truth, score, fold, lambda found, called, positives: 2 * found / np.maximum(called + positives, 1)
    )
    return float(2 * counts[0] / (counts[1] + truth.sum())) if counts else float("nan")


def held_out_cost_advantage(truth: Mask, score: Scores, fold: Ints, cost: float) -> float:
    """Return the advantage in cost over all folds, each judged at the threshold that is cheapest on the others.

    Thresholds are chosen as for `held_out_f1`. Where none is cheaper than calling nothing positive, nothing is.
    """
    counts = _count_held_out(truth, score, fold, lambda found, called, positives: (1 + cost) * found - called)
    if not counts:
        return float("nan")
    found, called = counts
    positives = truth.sum()
    spent = cost * (positives - found) + called - found
    return float(1 - spent / min(cost * positives, len(truth) - positives))


def _count_held_out(
    truth: Mask, score: Scores, fold: Ints, worth: Callable[[Ints, Ints, int], np.ndarray]
) -> tuple[int, int] | None:
    """Return the true positives and all that is called positive, over the folds; None with fewer than two."""
    # The worth of a threshold follows from its true positives, what it calls positive, and the positives there are. The
    # best on the other folds is taken if its worth is above 0.
    folds = np.unique(fold)
    if len(folds) < 2:
        return None
    order = np.argsort(score)[::-1]
    truth, score, fold = truth[order], score[order], fold[order]
    # A threshold that only the held-out fold has ties with the greater one before it, and so is never the first best.
    ends = np.flatnonzero(is_last(score))
    every_tp, every_called = np.cumsum(truth)[ends], ends + 1
    tp = called = 0
    for number in folds:
        held_out = fold == number
        tp_here, called_here = np.cumsum(held_out & truth)[ends], np.cumsum(held_out)[ends]
        found = every_tp - tp_here
        value = worth(found, every_called - called_here, found[-1])
        best = value.argmax()
        if value[best] > 0:
            tp += tp_here[best]
            called += called_here[best]
    return tp, called


def area_table(predictions: pd.DataFrame, runs: pd.DataFrame, cost: float) -> pd.DataFrame:
    """Compute the areas under each model's curves on one task from its pooled out-of-fold scores."""
    scored: dict[Any, pd.DataFrame] = dict(iter(predictions.groupby("model", sort=False)))
    table = []
    for run in runs.itertuples(index=False):
        row = {"task": run.task, "model": run.model}
        if run.status == OK:
            rows = scored[run.model]
            truth, score = rows["truth"].to_numpy(), rows["score"].to_numpy()
            steps = find_positive_steps(truth, score)
            row |= areas_of(steps)
            row |= {"positives": int(steps.positives), "negatives": int(steps.negatives)}
            row["extrapolated"] = is_extrapolated(steps)
            fold = rows["fold"].to_numpy()
            row["held_out_f1"] = held_out_f1(truth, score, fold)
            row["held_out_cost_advantage"] = held_out_cost_advantage(truth, score, fold, cost)
            if rows["prediction"].notna().all():
                predicted = rows["prediction"].to_numpy(dtype=bool)
                row["prediction_advantage"] = prediction_advantage_score(truth, predicted)
        table.append({**row, "status": run.status, "warnings": run.warnings})
    columns = [name for name in column_names("curve_areas") if name != "rows_of"]  # which is added later
    types = {"positives": "Int64", "negatives": "Int64", "extrapolated": "boolean"}
    return pd.DataFrame(table).reindex(columns=columns).astype(types)
