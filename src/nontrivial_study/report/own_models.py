"""The verdicts on one's own models, in words from the tables."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from nontrivial.terminal import count_of, listed
from nontrivial_study.report.notation import format_decimal

_VERDICT_ANSWERS = {"better": "yes", "worse": "no, worse", "inconclusive": "inconclusive"}
_QUESTIONS = ("probabilities", "ranking", "labels", "numbers")
_MEASURE_NAMES = {
    ("probabilities", "prediction_advantage (cross_entropy)"): "log loss",
    ("probabilities", "prediction_advantage (squared)"): "the Brier score",
    ("ranking", "roc_auc"): "the area under the ROC curve",
    ("ranking", "macro_roc_auc"): "the area under the ROC curve",
    ("labels", "prediction_advantage (zero_one)"): "0/1 loss",
    ("numbers", "prediction_advantage (squared)"): "squared loss",
}


def find_own_models(tables: Mapping[str, pd.DataFrame]) -> dict[str, Any] | None:
    """Return what the page says of one's own models; None without any.

    ``models`` has each model on a task, ``best`` a sentence for each task, and ``margins`` the models without
    probabilities.
    """
    verdicts = tables.get("own_verdicts")
    if verdicts is None or verdicts.empty:
        return None
    models = [
        {"task": task, "name": model, **_summarise_model(rows)}
        for (task, model), rows in verdicts.groupby(["task", "model"], sort=False)
    ]
    classifiers = verdicts[(verdicts["verdict"] != "") & (verdicts["target"] != "numbers")]
    questions_by_model = classifiers.groupby("model", sort=True)["question"].agg(list)
    comparisons = tables.get("own_comparisons", pd.DataFrame(columns=["task"]))
    n_models, n_tasks = verdicts["model"].nunique(), verdicts["task"].nunique()
    questions = set(verdicts["question"])
    return {
        "sentence": f"Which of {count_of(n_models, 'model')} on {count_of(n_tasks, 'task')} are better than trivial",
        "models": models,
        "questions": {name: name.capitalize() for name in _QUESTIONS if name in questions},
        "best": [_best_model_sentence(rows) for _, rows in comparisons.groupby("task", sort=False)],
        "margins": [
            model for model, questions in questions_by_model.items() if "probabilities" not in questions
        ],
    }


def _summarise_model(rows: pd.DataFrame) -> dict[str, Any]:
    """Return how many cases a model has on a task, why it failed if it did, and its answer to each question."""
    answers = {}
    for row in rows[rows["verdict"] != ""].to_dict("records"):
        interval = (
            f"{format_decimal(row['low'], 2)} to {format_decimal(row['high'], 2)}"
            if row["low"]
            else "no interval"
        )
        numbers = f"{format_decimal(row['value'], 2)} ({interval})" if row["value"] else ""
        word = _VERDICT_ANSWERS[row["verdict"]]
        answers[row["question"]] = {"word": word, "numbers": numbers, "value": row["value"]}
    first = rows.iloc[0]
    status = "" if first["status"] == "ok" else first["status"]
    return {"cases": first["cases"], "status": status, "answers": answers}


def _best_model_sentence(comparisons: pd.DataFrame) -> str:
    """Write which model is best by the first question, and which others are shown to be worse."""
    rows = comparisons[comparisons["question"] == comparisons["question"].iloc[0]]
    first = rows.iloc[0]
    value, low, high = (format_decimal(first[column], 2) for column in ("value", "low", "high"))
    parts = []
    for is_worse, words in (("True", "is shown"), ("False", "is not shown")):
        others = rows[rows["is_worse"] == is_worse].to_dict("records")
        if others:
            models = [f"{row['model']} ({_format_p_value(row['p_value'])})" for row in others]
            parts.append(f"it {words} to be better than {listed(models)}")
    measure = _MEASURE_NAMES.get((first["question"], first["measure"]), first["measure"])
    return f"{first['best']} is best on {first['task']} by {measure} ({value}, {low} to {high}); {'; '.join(parts)}."


def _format_p_value(p_value: str) -> str:
    if not p_value:
        return "no p-value"
    return "p < 0.001" if float(p_value) < 0.001 else f"p {float(p_value):.2g}"
