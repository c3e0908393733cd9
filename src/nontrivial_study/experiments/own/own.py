"""One's own data and predictions: whether each model is better than trivial, and the curves of the best."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from nontrivial.curves.areas import curve_areas
from nontrivial.scorecard.answers import Predictions
from nontrivial.scorecard.compare import cards_of, evaluate
from nontrivial.scorecard.pairing import AlignedAnswers
from nontrivial_study.experiments.curve_numbers import compared_curves
from nontrivial_study.experiments.results import OK
from nontrivial_study.experiments.tasks.batches import Batch, TaskPredictions
from nontrivial_study.tables import column_names

MOST_TASKS, MOST_MODELS = 4, 6  # that are drawn


def verdict_table(members: Iterable[TaskPredictions]) -> pd.DataFrame:
    """Judge the models of each task as `nontrivial score` does: by probabilities, by ranking, and by labels."""
    rows = []
    for member in members:
        ran = member.runs["status"] == OK
        answers = [_answers(member, str(model)) for model in member.runs["model"][ran]]
        aligned = AlignedAnswers(tuple(answers), "order_of_rows")
        for card in cards_of(evaluate(aligned)) if answers else ():
            model, positives = card.model or answers[0].model, card.positives or 0
            about: dict[str, Any] = {"task": member.task.name, "model": model, "status": OK}
            about |= {"positives": positives, "negatives": card.cases - positives}
            for question, verdict in card.verdicts.items():
                measure = f"{verdict.measure} ({verdict.loss})" if verdict.loss else verdict.measure
                row = about | {"question": question, "verdict": verdict.verdict, "measure": measure}
                rows.append(row | {"value": verdict.value, "low": verdict.low, "high": verdict.high})
        for run in member.runs[~ran].itertuples(index=False):
            rows.append({"task": member.task.name, "model": run.model, "status": run.status})
    return pd.DataFrame(rows, columns=column_names("own_verdicts"))


def _answers(member: TaskPredictions, model: str) -> Predictions:
    """Return the answers of a model; rows of one case, which have one number, are a group."""
    rows = member.predictions[member.predictions["model"] == model].sort_values("row", kind="stable")
    predicted = rows["prediction"]
    return Predictions(
        name=member.task.name,
        model=model,
        columns={"truth": "truth", "score": "score", "prediction": "prediction"},
        truth=rows["truth"].to_numpy(),
        prediction=None if predicted.isna().any() else predicted.to_numpy(dtype=bool),
        score=rows["score"].to_numpy(),
        positive=member.task.positive or "positive",
        groups=None if rows["row"].is_unique else rows["row"].to_numpy(),
        labels=("other", member.task.positive or "positive"),
        n_classes=2,
    )


def curve_table(members: Iterable[TaskPredictions]) -> pd.DataFrame:
    """Trace the curves of the models with the largest area under the ROC curve, on the first tasks."""
    parts = []
    for member in list(members)[:MOST_TASKS]:
        scored = {str(name): rows for name, rows in member.predictions.groupby("model", sort=False)}
        areas = {name: curve_areas(rows["truth"], rows["score"])["roc_auc"] for name, rows in scored.items()}
        best = sorted(areas, key=lambda name: (-areas[name], name))[:MOST_MODELS]
        models = {name: (name, OK) for name in best if np.isfinite(areas[name])}
        parts.append(compared_curves(member.predictions, member.task.name, models))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=column_names("own_curves"))


def calc_own(predictions: Sequence[str], datasets: Sequence[str]) -> dict[str, pd.DataFrame]:
    """Judge the models of one's own data and predictions, and trace the curves of the best."""
    members = [
        member
        for path in predictions
        for member in Batch(path)
        if member.task.dataset in datasets or path.endswith("made.parquet")
    ]
    return {"own_verdicts": verdict_table(members), "own_curves": curve_table(members)}
