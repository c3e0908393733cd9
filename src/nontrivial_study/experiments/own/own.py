"""Verdicts on one's own models, comparisons of them, and the curves of the best."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from nontrivial._arrays import Floats
from nontrivial.curves.areas import curve_areas
from nontrivial.reading.scores import are_probabilities
from nontrivial.scorecard.answers.answers import Answers, Forecasts, Predictions
from nontrivial.scorecard.answers.pairing import AlignedAnswers
from nontrivial.scorecard.compare import Comparison, cards_of, score_models
from nontrivial.scorecard.cross_validation import FoldAnswers, judge_procedures
from nontrivial.scorecard.estimates.judging import QuestionVerdict
from nontrivial.scorecard.scored import Scored
from nontrivial_study.experiments.curve_numbers import compared_curves
from nontrivial_study.experiments.results import OK
from nontrivial_study.experiments.tasks.batches import Batch, TaskPredictions
from nontrivial_study.tables import column_names

MAX_DRAWN_TASKS, MAX_DRAWN_MODELS = 4, 6


def judge_trained(predictions: TaskPredictions, first_class: str = "") -> Scored | None:
    """Judge and compare the models that the study trained, as `nontrivial.evaluate` does; None if all failed.

    `first_class` is the class of two that sorts first. The draws of a bootstrap depend on the order of the classes.
    """
    target = predictions.task.target
    models = _rows_by_model(predictions)
    if not models:
        return None
    rows, folds, truth = (next(iter(models.values()))[name].to_numpy() for name in ("row", "fold", "truth"))
    splits = [(rows[folds != fold], rows[folds == fold]) for fold in np.unique(folds)]
    options: dict[str, Any] = {"task": "regression" if target == "numbers" else "classification"}
    is_positive_first = target == "positive" and predictions.task.positive == first_class
    if target == "positive":
        options["pos_label"] = not is_positive_first
    answers = {}
    for name, of_model in models.items():
        prediction, scores = of_model["prediction"].to_numpy(), _score_columns(of_model)
        if is_positive_first and scores is not None:
            prediction, scores = ~prediction, scores[:, ::-1]
        answers[name] = FoldAnswers(rows, folds, prediction, scores)
    return judge_procedures(answers, splits, ~truth if is_positive_first else truth, **options)


def judge_external(predictions: TaskPredictions) -> Scored | None:
    """Judge and compare models by the predictions in one's own files, as `nontrivial score` does."""
    answers = [_create_answers(predictions, name, rows) for name, rows in _rows_by_model(predictions).items()]
    return Scored(score_models(AlignedAnswers(tuple(answers), "order_of_rows")), tuple(answers))


def _rows_by_model(predictions: TaskPredictions) -> dict[str, pd.DataFrame]:
    """Return the rows of each model that has answers, in the order of the cases."""
    rows = predictions.predictions.sort_values("row", kind="stable")
    if predictions.task.target == "classes":  # the file has classes as floats
        rows = rows.astype({"truth": np.int64, "prediction": np.int64})
    return {str(name): of_model for name, of_model in rows.groupby("model", sort=False)}


def _score_columns(rows: pd.DataFrame) -> Floats | None:
    """Return a column of scores for each class; None for numbers."""
    if "score" not in rows:
        return None if rows["scores"].isna().any() else np.stack(rows["scores"].to_list())
    score = rows["score"].to_numpy()
    return np.column_stack([1 - score if are_probabilities(score) else -score, score])


def _create_answers(predictions: TaskPredictions, model: str, rows: pd.DataFrame) -> Answers:
    """Return the answers of a model. Rows with the same case number are a group."""
    target = predictions.task.target
    truth, prediction = rows["truth"].to_numpy(), rows["prediction"]
    groups = None if rows["row"].is_unique else rows["row"].to_numpy()
    common: dict[str, Any] = {"name": predictions.task.name, "model": model, "truth": truth, "groups": groups}
    common["columns"] = {"truth": "truth", "prediction": "prediction"}
    if target == "numbers":
        return Forecasts(**common, prediction=prediction.to_numpy())
    if target == "classes":
        n_classes, scores = int(truth.max()) + 1, _score_columns(rows)
        n_labels = max(n_classes, int(prediction.max()) + 1, 0 if scores is None else scores.shape[1])
        common |= {"labels": tuple(map(str, range(n_labels))), "n_classes": n_classes}
        return Predictions(**common, prediction=prediction.to_numpy(), probabilities=scores)
    positive = predictions.task.positive or "positive"
    common |= {"positive": positive, "labels": ("other", positive), "n_classes": 2}
    predicted = None if prediction.isna().any() else prediction.to_numpy(dtype=bool)
    return Predictions(**common, prediction=predicted, score=rows["score"].to_numpy())


def verdict_rows(predictions: TaskPredictions, scored: Scored | None) -> list[dict[str, Any]]:
    """List the verdicts on each model of a task, and the reason of each model that failed."""
    task: dict[str, Any] = {"task": predictions.task.name, "target": predictions.task.target}
    rows: list[dict[str, Any]] = []
    for card in cards_of(scored.result) if scored else ():
        model = {"model": card.model, "cases": card.cases, "positives": card.positives, "status": OK}
        for question, verdict in card.verdicts.items():
            answer = {"question": question, "verdict": verdict.verdict}
            rows.append(task | model | answer | _measure_columns(verdict))
    failed = predictions.runs[predictions.runs["status"] != OK]
    return rows + [task | {"model": run.model, "status": run.status} for run in failed.itertuples()]


def comparison_rows(task: str, result: Any) -> list[dict[str, Any]]:
    """List the comparisons of the best model of a task with each other model, by each question."""
    rows = []
    for question, lead in result.leads.items() if isinstance(result, Comparison) else ():
        best = {"task": task, "question": question, "best": lead.model}
        best |= _measure_columns(result.verdicts[lead.model][question])
        for model, p_value in lead.p_values.items():
            rows.append(best | {"model": model, "p_value": p_value, "is_worse": model in lead.worse})
    return rows


def _measure_columns(verdict: QuestionVerdict) -> dict[str, Any]:
    measure = f"{verdict.measure} ({verdict.loss})" if verdict.loss else verdict.measure
    return {"measure": measure, "value": verdict.value, "low": verdict.low, "high": verdict.high}


def curve_table(tasks: Iterable[TaskPredictions]) -> pd.DataFrame:
    """Compute the curves of the models with the largest area under the ROC curve, on the first binary tasks."""
    parts = []
    for predictions in [task for task in tasks if task.task.target == "positive"][:MAX_DRAWN_TASKS]:
        models = _rows_by_model(predictions)
        areas = {name: curve_areas(rows["truth"], rows["score"])["roc_auc"] for name, rows in models.items()}
        best = sorted(areas, key=lambda name: (-areas[name], name))[:MAX_DRAWN_MODELS]
        drawn = {name: (name, OK) for name in best if np.isfinite(areas[name])}
        parts.append(compared_curves(predictions.predictions, predictions.task.name, drawn))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=column_names("own_curves"))


def calc_own(predictions: Sequence[str], datasets: Mapping[str, str]) -> dict[str, pd.DataFrame]:
    """Judge and compare one's own models: trained ones on `datasets`, by first class, and others by predictions."""
    tasks: list[TaskPredictions] = []
    rows: dict[str, list[Any]] = {"own_verdicts": [], "own_comparisons": [], "own_measures": []}
    for path in predictions:
        is_external = path.rsplit("/", 1)[-1].startswith("made")
        for task in Batch(path):
            name = task.task.name
            if not is_external and name not in datasets:
                continue  # a task of one class against the rest
            tasks.append(task)
            scored = judge_external(task) if is_external else judge_trained(task, datasets[name])
            rows["own_verdicts"] += verdict_rows(task, scored)
            if scored is not None:
                rows["own_comparisons"] += comparison_rows(name, scored.result)
                measures = scored.to_frame().rename(columns={"name": "measure"}).assign(task=name)
                rows["own_measures"] += measures[measures["kind"] != "verdict"].to_dict("records")
    tables = {name: pd.DataFrame(records, columns=column_names(name)) for name, records in rows.items()}
    return {**tables, "own_curves": curve_table(tasks)}
