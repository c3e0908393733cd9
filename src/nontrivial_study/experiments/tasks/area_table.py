"""From the scores of many models to a table of areas under their curves."""

from __future__ import annotations

from typing import Any

import pandas as pd

from nontrivial.curves.areas import AREAS, areas_of
from nontrivial.curves.gain import is_extrapolated
from nontrivial.curves.points import find_positive_steps
from nontrivial.measures.advantage import prediction_advantage_score
from nontrivial_study.experiments.status import OK
from nontrivial_study.experiments.tasks.held_out import held_out_cost_advantage, held_out_f1


def area_table(predictions: pd.DataFrame, runs: pd.DataFrame, cost: float) -> pd.DataFrame:
    """Compute the areas under each model's curves on one task from its pooled out-of-fold scores.

    Parameters
    ----------
    predictions, runs : DataFrame
        From `nontrivial_study.experiments.tasks.training.train_task`, of one task.
    cost : float
        Of missing a positive, where a false alarm costs 1.

    Returns
    -------
    DataFrame
        ``task, model``, the areas, ``status`` (``"ok"`` or why there are none), ``positives``, ``negatives``,
        ``extrapolated`` (whether recall gain 0 lies before the first point with a true positive, so that ``prg_auc``
        rests on no point there), ``held_out_f1`` and ``held_out_cost_advantage`` (see
        `experiments.tasks.held_out`), ``prediction_advantage`` (of the model's own predictions, 0/1 loss),
        and ``warnings`` (kinds given in training);
        a row for each row of `runs`, in its order.
    """
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
            row["prediction_advantage"] = prediction_advantage_score(truth, rows["prediction"].to_numpy())
        table.append({**row, "status": run.status, "warnings": run.warnings})
    columns = ["task", "model", *AREAS[:-1], "status", AREAS[-1], "positives", "negatives"]
    columns += ["extrapolated", "held_out_f1", "held_out_cost_advantage", "prediction_advantage", "warnings"]
    types = {"positives": "Int64", "negatives": "Int64", "extrapolated": "boolean"}
    return pd.DataFrame(table).reindex(columns=columns).astype(types)
