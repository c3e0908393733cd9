"""From the predictions of many models to tables of measures and areas."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from nontrivial._arrays import Ints, Mask, Scores
from nontrivial.curves.areas import compute_areas
from nontrivial.curves.gain import is_extrapolated
from nontrivial.curves.points import find_positive_steps, is_last_of_equal
from nontrivial.measures.advantage import prediction_advantage_score
from nontrivial.measures.confusion import confusion_measures
from nontrivial_study.experiments.results import OK
from nontrivial_study.experiments.tasks.tasks import Task
from nontrivial_study.tables import column_names, measure_names


def measure_table(predictions: pd.DataFrame, task: Task) -> pd.DataFrame:
    """Compute every confusion measure of each model from its pooled out-of-fold predictions."""
    labelled = predictions[predictions["prediction"].notna()]  # some models have only scores
    counts = count_cells(labelled, "model")
    about = pd.DataFrame({"dataset": task.dataset, "positive": task.positive, "model": counts.index})
    counts = counts.reset_index(drop=True)
    return pd.concat([about, counts, confusion_measures(**counts)[measure_names()]], axis=1)


def count_cells(predictions: pd.DataFrame, group_column: str) -> pd.DataFrame:
    """Return ``tp, fp, fn, tn`` for each value of a column of predictions, in the order of their first rows."""
    truth, prediction = predictions["truth"].astype(bool), predictions["prediction"].astype(bool)
    cells = {"tp": truth & prediction, "fp": ~truth & prediction, "fn": truth & ~prediction, "tn": ~truth & ~prediction}
    return pd.DataFrame(cells).groupby(predictions[group_column], sort=False).sum()


class _Called(NamedTuple):
    """Cases that are called positive at one threshold, or at each of several."""

    tp: Any  # how many of them are positive
    count: Any


def held_out_f1(truth: Mask, score: Scores, fold: Ints) -> float:
    """Return F1 over all folds, each judged at the threshold that is best for F1 on the others.

    A threshold is one of the other folds' scores, and calls a case positive if it scores at least as much. Among
    equally good ones the greatest is taken. If no threshold finds a positive, nothing is called positive. Counts are
    summed, because F1 is not a mean over cases: a mean over folds would be something else (PRG paper, Sections 2.1 and
    3).
    """
    called = _call_held_out(
        truth, score, fold, lambda called, positives: 2 * called.tp / np.maximum(called.count + positives, 1)
    )
    return float(2 * called.tp / (called.count + truth.sum())) if called else float("nan")


def held_out_cost_advantage(truth: Mask, score: Scores, fold: Ints, cost: float) -> float:
    """Return the advantage in cost over all folds, each judged at the threshold that is cheapest on the others.

    Thresholds are chosen as for `held_out_f1`. If none is cheaper than calling nothing positive, nothing is called
    positive.
    """
    called = _call_held_out(truth, score, fold, lambda called, _: (1 + cost) * called.tp - called.count)
    if called is None:
        return float("nan")
    positives = truth.sum()
    spent = cost * (positives - called.tp) + called.count - called.tp
    return float(1 - spent / min(cost * positives, len(truth) - positives))


def _call_held_out(
    truth: Mask, score: Scores, fold: Ints, worth: Callable[[_Called, int], np.ndarray]
) -> _Called | None:
    """Call each fold's cases at the threshold that is worth most on the other folds; None with fewer than two folds.

    The worth of each threshold follows from what it calls positive on the other folds, and how many positives they
    have. Nothing is called positive if no threshold is worth more than 0.
    """
    folds = np.unique(fold)
    if len(folds) < 2:
        return None
    order = np.argsort(score)[::-1]
    truth, score, fold = truth[order], score[order], fold[order]
    # A threshold that only the held-out fold has ties with the greater one before it, and so is never the first best.
    thresholds = np.flatnonzero(is_last_of_equal(score))
    all_tp, all_count = np.cumsum(truth)[thresholds], thresholds + 1
    tp = count = 0
    for number in folds:
        is_held_out = fold == number
        held_out = _Called(np.cumsum(is_held_out & truth)[thresholds], np.cumsum(is_held_out)[thresholds])
        of_other_folds = _Called(all_tp - held_out.tp, all_count - held_out.count)
        worths = worth(of_other_folds, of_other_folds.tp[-1])
        best = worths.argmax()
        if worths[best] > 0:
            tp += held_out.tp[best]
            count += held_out.count[best]
    return _Called(tp, count)


def area_table(predictions: pd.DataFrame, runs: pd.DataFrame, cost: float) -> pd.DataFrame:
    """Compute the areas under each model's curves on one task from its pooled out-of-fold scores."""
    by_model: dict[Any, pd.DataFrame] = dict(iter(predictions.groupby("model", sort=False)))
    table = []
    for run in runs.itertuples(index=False):
        row = {"task": run.task, "model": run.model, "status": run.status, "warnings": run.warnings}
        if run.status == OK:
            rows = by_model[run.model]
            truth, score, fold = (rows[column].to_numpy() for column in ("truth", "score", "fold"))
            steps = find_positive_steps(truth, score)
            row |= compute_areas(steps)
            row |= {"positives": int(steps.positives), "negatives": int(steps.negatives)}
            row["extrapolated"] = is_extrapolated(steps)
            row["held_out_f1"] = held_out_f1(truth, score, fold)
            row["held_out_cost_advantage"] = held_out_cost_advantage(truth, score, fold, cost)
            if rows["prediction"].notna().all():
                predicted = rows["prediction"].to_numpy(dtype=bool)
                row["prediction_advantage"] = prediction_advantage_score(truth, predicted)
        table.append(row)
    columns = [name for name in column_names("curve_areas") if name != "rows_of"]  # collect_scores adds it
    types = {"positives": "Int64", "negatives": "Int64", "extrapolated": "boolean"}
    return pd.DataFrame(table).reindex(columns=columns).astype(types)
