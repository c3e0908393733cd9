"""One's own data and predictions: which models are better than trivial, which is best, and the curves of the best."""

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
from nontrivial.scorecard.estimates.judging import QuestionVerdict
from nontrivial.scorecard.procedures import FoldAnswers, judge_procedures
from nontrivial.scorecard.scored import Scored
from nontrivial_study.experiments.curve_numbers import compared_curves
from nontrivial_study.experiments.results import OK
from nontrivial_study.experiments.tasks.batches import Batch, TaskPredictions
from nontrivial_study.tables import column_names

MOST_TASKS, MOST_MODELS = 4, 6  # that are drawn


def judge_trained(member: TaskPredictions, first_class: str = "") -> Scored | None:
    """Judge and compare the models that the study trained, as `nontrivial.evaluate` does; None if all failed.

    Of two classes, the one that sorts first is given, since the draws behind an interval depend on the order.
    """
    models = _rows_of_models(member)
    if not models:
        return None
    rows, folds, truth = (next(iter(models.values()))[name].to_numpy() for name in ("row", "fold", "truth"))
    splits = [(rows[folds != fold], rows[folds == fold]) for fold in np.unique(folds)]
    options: dict[str, Any] = {"task": "regression" if member.task.target == "numbers" else "classification"}
    is_positive_first = member.task.target == "positive" and member.task.positive == first_class
    if member.task.target == "positive":
        options["pos_label"] = not is_positive_first
    answers = {}
    for name, of_model in models.items():
        prediction, scores = of_model["prediction"].to_numpy(), _class_scores(of_model)
        if is_positive_first and scores is not None:
            prediction, scores = ~prediction, scores[:, ::-1]
        answers[name] = FoldAnswers(rows, folds, prediction, scores)
    return judge_procedures(answers, splits, ~truth if is_positive_first else truth, **options)


def judge_made(member: TaskPredictions) -> Scored | None:
    """Judge and compare models by their predictions, as `nontrivial score` does."""
    answers = [_answers(member, name, rows) for name, rows in _rows_of_models(member).items()]
    return Scored(score_models(AlignedAnswers(tuple(answers), "order_of_rows")), tuple(answers))


def _rows_of_models(member: TaskPredictions) -> dict[str, pd.DataFrame]:
    """Return the rows of each model that has answers, in the order of the cases."""
    rows = member.predictions.sort_values("row", kind="stable")
    if member.task.target == "classes":  # which the file has as floats, like numbers
        rows = rows.astype({"truth": np.int64, "prediction": np.int64})
    return {str(name): of_model for name, of_model in rows.groupby("model", sort=False)}


def _class_scores(rows: pd.DataFrame) -> Floats | None:
    """Return a column of scores for each class; None for numbers."""
    if "score" not in rows:
        return None if rows["scores"].isna().any() else np.stack(rows["scores"].to_list())
    score = rows["score"].to_numpy()
    return np.column_stack([1 - score if are_probabilities(score) else -score, score])


def _answers(member: TaskPredictions, model: str, rows: pd.DataFrame) -> Answers:
    """Return the predictions of a model; rows of one case, which have one number, are a group."""
    truth, predicted = rows["truth"].to_numpy(), rows["prediction"]
    groups = None if rows["row"].is_unique else rows["row"].to_numpy()
    shared: dict[str, Any] = {"name": member.task.name, "model": model, "truth": truth, "groups": groups}
    shared["columns"] = {"truth": "truth", "prediction": "prediction"}
    if member.task.target == "numbers":
        return Forecasts(**shared, prediction=predicted.to_numpy())
    if member.task.target == "classes":
        n_classes, scores = int(truth.max()) + 1, _class_scores(rows)
        n_labels = max(n_classes, int(predicted.max()) + 1, 0 if scores is None else scores.shape[1])
        labels = tuple(map(str, range(n_labels)))
        prediction = predicted.to_numpy()
        return Predictions(
            **shared, prediction=prediction, probabilities=scores, labels=labels, n_classes=n_classes
        )
    positive = member.task.positive or "positive"
    return Predictions(
        **shared,
        prediction=None if predicted.isna().any() else predicted.to_numpy(dtype=bool),
        score=rows["score"].to_numpy(),
        positive=positive,
        labels=("other", positive),
        n_classes=2,
    )


def verdict_rows(member: TaskPredictions, scored: Scored | None) -> list[dict[str, Any]]:
    """List the verdicts on each model of a task, and why a model has none."""
    about: dict[str, Any] = {"task": member.task.name, "target": member.task.target}
    rows: list[dict[str, Any]] = []
    for card in cards_of(scored.result) if scored else ():
        of_card = about | {
            "model": card.model,
            "cases": card.cases,
            "positives": card.positives,
            "status": OK,
        }
        for question, verdict in card.verdicts.items():
            rows.append(of_card | {"question": question, "verdict": verdict.verdict, **_describe(verdict)})
    failed = member.runs[member.runs["status"] != OK]
    return rows + [
        about | {"model": run.model, "status": run.status} for run in failed.itertuples(index=False)
    ]


def comparison_rows(task: str, comparison: Any) -> list[dict[str, Any]]:
    """Compare the best model of a task by each question with each other model."""
    rows = []
    for question, lead in comparison.leads.items() if isinstance(comparison, Comparison) else ():
        about = {"task": task, "question": question, "best": lead.model}
        about |= _describe(comparison.verdicts[lead.model][question])
        for model, p_value in lead.p_values.items():
            rows.append(about | {"model": model, "p_value": p_value, "is_worse": model in lead.worse})
    return rows


def _describe(verdict: QuestionVerdict) -> dict[str, Any]:
    measure = f"{verdict.measure} ({verdict.loss})" if verdict.loss else verdict.measure
    return {"measure": measure, "value": verdict.value, "low": verdict.low, "high": verdict.high}


def curve_table(members: Iterable[TaskPredictions]) -> pd.DataFrame:
    """Trace the curves of the models with the largest area under the ROC curve, on the first binary tasks."""
    parts = []
    for member in [member for member in members if member.task.target == "positive"][:MOST_TASKS]:
        models = _rows_of_models(member)
        areas = {name: curve_areas(rows["truth"], rows["score"])["roc_auc"] for name, rows in models.items()}
        best = sorted(areas, key=lambda name: (-areas[name], name))[:MOST_MODELS]
        drawn = {name: (name, OK) for name in best if np.isfinite(areas[name])}
        parts.append(compared_curves(member.predictions, member.task.name, drawn))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=column_names("own_curves"))


def calc_own(predictions: Sequence[str], datasets: Mapping[str, str]) -> dict[str, pd.DataFrame]:
    """Judge and compare the models of one's own data, each with its first class, and predictions; trace curves."""
    members, (verdicts, comparisons, measures) = list[TaskPredictions](), (list[Any]() for _ in range(3))
    for path in predictions:
        is_made = path.rsplit("/", 1)[-1].startswith("made")
        for member in Batch(path):
            if not is_made and member.task.name not in datasets:
                continue  # one of several classes against the rest
            members.append(member)
            scored = judge_made(member) if is_made else judge_trained(member, datasets[member.task.name])
            verdicts += verdict_rows(member, scored)
            if scored is not None:
                comparisons += comparison_rows(member.task.name, scored.result)
                rows = scored.to_frame().rename(columns={"name": "measure"}).assign(task=member.task.name)
                measures += rows[rows["kind"] != "verdict"].to_dict("records")
    tables = {"own_verdicts": verdicts, "own_comparisons": comparisons, "own_measures": measures}
    found = {name: pd.DataFrame(rows, columns=column_names(name)) for name, rows in tables.items()}
    return {**found, "own_curves": curve_table(members)}
