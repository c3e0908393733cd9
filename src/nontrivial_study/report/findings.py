"""The study's main findings, its answer on areas, and the verdicts on one's own models, in words from the tables."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pandas as pd

from nontrivial.terminal import count_of, listed
from nontrivial_study.experiments.ranks.area_finding import (
    MATTERS_LESS,
    MATTERS_MORE,
    MIN_SOURCES,
    NOT_SHOWN,
    TOO_FEW_SOURCES,
)
from nontrivial_study.experiments.ranks.disagreement import labels_of_pair
from nontrivial_study.experiments.ranks.model_choice import OPPOSED_PAIRS
from nontrivial_study.report.claims import axis_position
from nontrivial_study.report.notation import decimals, percent
from nontrivial_study.tables import rows_with

Tables = Mapping[str, pd.DataFrame]
Row = Mapping[Hashable, Any]


@dataclass(frozen=True)
class Finding:
    """A number with its interval, what the document says, and where the page shows it."""

    title: str
    number: str
    interval: str  # empty if it has none
    document: str
    stated: str  # the document's own value or words
    text: str  # what the number is
    marks: Mapping[str, float] = field(default_factory=dict)  # places on an axis from 0 to 1, in percent
    figure: str = ""
    table: str = ""


def find_findings(tables: Tables) -> list[Finding]:
    """Compute the findings that the tables at hand allow."""
    there = [row for row in _FINDINGS if row[0] in tables]
    findings = [find(tables[table], table=table, figure=figure) for table, figure, find in there]
    return [finding for finding in findings if finding]


def _find_crossing(crossings: pd.DataFrame, **places: str) -> Finding | None:
    """Where the Prediction Advantage of the first classifier reaches 0, at the greatest noise."""
    classifier = crossings[["dataset", "model", "positive"]].iloc[0]
    along = rows_with(crossings, held="noise", reading="zero", **classifier)
    noise = max(along["at"], key=float, default="")
    measures = along[along["at"] == noise].set_index("measure").to_dict("index")
    advantage = measures.get("prediction_advantage", {})
    if not advantage.get("crossing"):
        return None
    kappa = measures.get("cohen_kappa", {}).get("crossing", "")
    warnings = [float(measure["crossing"]) for measure in measures.values() if measure["crossing"]]
    is_first = sum(crossing >= float(advantage["crossing"]) for crossing in warnings) == 1
    silent = sum(measure["outcome"] == "never" for measure in measures.values())
    ends = advantage["low"], advantage["high"]
    title = "warns first" if is_first else "is not the first to warn"
    return Finding(
        f"The Prediction Advantage {title}",
        percent(advantage["crossing"]),
        _between(*ends),
        "PA paper",
        "before any other measure",
        f"Below this share of {advantage['positive']} cases, {advantage['model'].replace('_', ' ')} on "
        f"{advantage['dataset']} with {percent(noise)} wrong labels is worth less than always naming the "
        f"majority. Cohen's kappa {f'says so below {percent(kappa)}' if kappa else 'never says so'}; "
        f"{silent} of {len(measures)} measures never do.",
        _marks(advantage["crossing"], *ends),
        **places,
    )


def _find_published(published: pd.DataFrame, **places: str) -> Finding:
    """How many published error rates are worth no more than naming the majority."""
    certain = published["sign_certain"] == "True"
    worse = int((certain & (published["high"].astype(float) <= 0)).sum())
    better = int((certain & (published["low"].astype(float) > 0)).sum())
    likely, rows = int((published["advantage"].astype(float) <= 0).sum()), len(published)
    return Finding(
        "Published errors that are worth nothing",
        f"{likely} of {rows}",
        f"{worse} to {rows - better}, by their rounding",
        "PA paper",
        f"{rows} of {rows}",
        "So many error rates that were published for Haberman's survival data are no better than always naming the "
        "majority.",
        _marks(likely / rows, worse / rows, (rows - better) / rows, 1),
        **places,
    )


def _find_ranks(disagreement: pd.DataFrame, column: str, **places: str) -> Finding | None:
    rows = rows_with(disagreement, pair="pr_auc/prg_auc")
    if rows.empty or int(rows.iloc[0]["datasets"]) < MIN_SOURCES or not rows.iloc[0][column]:
        return None
    row = rows.iloc[0]
    names = column, f"{column}_low", f"{column}_high", f"paper_{column}"
    numbers = value, low, high, paper = [row[name] for name in names]
    tasks = f"{row['tasks']} tasks (made of {row['datasets']} data sets)"
    if column == "rank_correlation":
        title = "How alike the two areas rank all models"
        texts = decimals(value, 3), f"{decimals(low, 3)} to {decimals(high, 3)}", decimals(paper, 2)
        of = f"The {row['models']} models of {tasks} are ranked by the two areas; this is the correlation of the ranks."
    else:
        title = "How often PR and PRG areas order the best models differently"
        texts = percent(value), _between(low, high), percent(paper)
        of = f"So many of {tasks} order their first three models differently by the two areas."
    return Finding(title, *texts[:2], "PRG paper", texts[2], of, _marks(*numbers), **places)


def _find_choice(choice: pd.DataFrame, **places: str) -> Finding | None:
    """Which of AUPR and AUPRG picks the better model where they differ."""
    rows = rows_with(choice, of=OPPOSED_PAIRS, area="pr_auc", yardstick="held_out_f1")
    if rows.empty or int(rows.iloc[0]["datasets"]) < MIN_SOURCES or rows.iloc[0]["pairs"] == "0":
        return None
    row = rows.iloc[0]
    ends = low, high = row["agreement_low"], row["agreement_high"]
    if low and high and not float(low) <= 0.5 <= float(high):
        title = f"Where they differ, the {'PR' if float(low) > 0.5 else 'PRG'} area picks the better model"
    else:
        title = "Where they differ, neither area is shown to pick the better model"
    return Finding(
        title,
        percent(row["agreement"]),
        _between(*ends),
        "PRG paper",
        "the PRG area does (under 50\N{NO-BREAK SPACE}%)",
        f"In so many of the {int(row['pairs']):,} pairs of models that the two areas order differently, the one with "
        f"the greater PR area has the greater F1 on held-out folds ({row['tasks']} tasks, made of {row['datasets']} "
        "data sets).",
        _marks(row["agreement"], *ends, 0.5),
        **places,
    )


_FINDINGS: list[tuple[str, str, Any]] = [
    ("crossings", "pa_figure_1", _find_crossing),
    ("haberman_published", "", _find_published),
    ("rank_disagreement", "prg_figure_4", partial(_find_ranks, column="top3_disagreement")),
    ("rank_disagreement", "prg_figure_4", partial(_find_ranks, column="rank_correlation")),
    ("model_choice", "prg_model_choice", _find_choice),
]


def _between(low: str, high: str) -> str:
    return f"{percent(low)} to {percent(high)}" if low and high else ""


def _marks(*numbers: float | str) -> dict[str, float]:
    named = zip(("value", "low", "high", "stated"), numbers, strict=False)
    return {name: axis_position(float(number), 0, 1) for name, number in named if number != ""}


# The study's own finding in sentences: when the choice of the area matters, and which area is to be used.
_ANSWERS = {
    MATTERS_MORE: "yes",
    MATTERS_LESS: "no, it matters less",
    "pr_auc": "use AUPR",
    "prg_auc": "use AUPRG",
    NOT_SHOWN: "not shown either way",
    TOO_FEW_SOURCES: "too few data sets to say",
}
_YARDSTICKS = {
    "held_out_f1": "F1 on held-out folds",
    "held_out_cost_advantage": "cost on held-out folds",
    "prediction_advantage": "the Prediction Advantage",
}


def find_answers(tables: Tables) -> list[str]:
    """Say what was found of each pair of areas on rarity, and of each yardstick on the choice."""
    if "area_finding" not in tables:
        return []
    rows = tables["area_finding"]
    texts = []
    rarity = rows[rows["question"] == "rarity"].set_index("of").to_dict("index")
    for pair in dict.fromkeys(str(of).split()[0] for of in rarity):
        first, second = labels_of_pair(pair)
        best, ranks = rarity[f"{pair} top1"], rarity[f"{pair} correlation"]
        rise = [decimals(best[end] and str(100 * float(best[end])), 1) for end in ("estimate", "low", "high")]
        fall = [decimals(ranks[end], 3) for end in ("estimate", "low", "high")]
        texts.append(
            f"Does it matter more whether {first} or {second} ranks models, the rarer the positives are? When their "
            "share is halved, the share of tasks in which the two name different best models rises by "
            f"{rise[0]} percentage points (95 % interval {rise[1]} to {rise[2]}): {_ANSWERS[best['answer']]}. The "
            f"correlation of their ranks falls by {fall[0]} ({fall[1]} to {fall[2]}): {_ANSWERS[ranks['answer']]}. "
            f"There are {best['tasks']} tasks from {best['datasets']} sources."
        )
    for yardstick, of_yardstick in rows[rows["question"] == "choice"].groupby("of", sort=False):
        every, *groups = of_yardstick.to_dict("records")
        if every["estimate"]:
            texts.append(
                "Where AUPR and AUPRG order two models differently, AUPRG has the better one by "
                f"{_YARDSTICKS[str(yardstick)]} in {percent(every['estimate'])} of the pairs (95 % interval "
                f"{_between(every['low'], every['high']) or 'none'}): {_ANSWERS[every['answer']]}. By the share of "
                f"positives: {'; '.join(map(_of_group, groups))}."
            )
    return texts


def _of_group(row: Row) -> str:
    low, high = row["at_least"], row["below"]
    to = f" to {percent(high)}" if high else " and more"
    group = f"{percent(low)}{to}" if low else f"below {percent(high)}"
    if not row["estimate"]:
        return f"{group}, no such pairs"
    answer = _ANSWERS[row["answer"]]
    return f"{group}, {percent(row['estimate'])} of {row['datasets']} sources' pairs ({answer})"


# One's own models.

_WORDS = {"better": "yes", "worse": "no, worse", "inconclusive": "inconclusive"}
_QUESTIONS = {
    "probabilities": "Probabilities",
    "ranking": "Ranking",
    "labels": "Labels",
    "numbers": "Numbers",
}
_MEASURES = {
    ("probabilities", "prediction_advantage (cross_entropy)"): "log loss",
    ("probabilities", "prediction_advantage (squared)"): "the Brier score",
    ("ranking", "roc_auc"): "the area under the ROC curve",
    ("ranking", "macro_roc_auc"): "the area under the ROC curve",
    ("labels", "prediction_advantage (zero_one)"): "0/1 loss",
    ("numbers", "prediction_advantage (squared)"): "squared loss",
}


def find_own(tables: Tables) -> dict[str, Any] | None:
    """Return a row for each of one's own models on a task, which is best, and the models without probabilities."""
    verdicts = tables.get("own_verdicts")
    if verdicts is None or verdicts.empty:
        return None
    models = [
        {"task": task, "name": model, **_own_model(rows)}
        for (task, model), rows in verdicts.groupby(["task", "model"], sort=False)
    ]
    with_verdicts = verdicts[(verdicts["verdict"] != "") & (verdicts["target"] != "numbers")]
    of_models = with_verdicts.groupby("model", sort=True)["question"].agg(list)
    comparisons = tables.get("own_comparisons", pd.DataFrame(columns=["task"]))
    n_models, n_tasks = verdicts["model"].nunique(), verdicts["task"].nunique()
    return {
        "sentence": f"Which of {count_of(n_models, 'model')} on {count_of(n_tasks, 'task')} are better than trivial",
        "models": models,
        "questions": {name: title for name, title in _QUESTIONS.items() if name in set(verdicts["question"])},
        "best": [_best_of_task(rows) for _, rows in comparisons.groupby("task", sort=False)],
        "margins": [model for model, questions in of_models.items() if "probabilities" not in questions],
    }


def _own_model(rows: pd.DataFrame) -> dict[str, Any]:
    answers = {}
    for row in rows[rows["verdict"] != ""].to_dict("records"):
        interval = f"{decimals(row['low'], 2)} to {decimals(row['high'], 2)}" if row["low"] else "no interval"
        numbers = f"{decimals(row['value'], 2)} ({interval})" if row["value"] else ""
        word = _WORDS[row["verdict"]]
        answers[row["question"]] = {"word": word, "numbers": numbers, "value": row["value"]}
    first = rows.iloc[0]
    status = "" if first["status"] == "ok" else first["status"]
    return {"cases": first["cases"], "status": status, "answers": answers}


def _best_of_task(comparisons: pd.DataFrame) -> str:
    """Say which model is best by the first question, and whether it is shown to be better than each other."""
    rows = comparisons[comparisons["question"] == comparisons["question"].iloc[0]]
    first = rows.iloc[0]
    numbers = f"{decimals(first['value'], 2)}, {decimals(first['low'], 2)} to {decimals(first['high'], 2)}"
    parts = []
    for is_worse, words in (
        ("True", "is shown to be better than"),
        ("False", "is not shown to be better than"),
    ):
        others = rows[rows["is_worse"] == is_worse].to_dict("records")
        if others:
            named = [f"{row['model']} ({_p_value(row['p_value'])})" for row in others]
            parts.append(f"it {words} {listed(named)}")
    measure = _MEASURES.get((first["question"], first["measure"]), first["measure"])
    return f"{first['best']} is best on {first['task']} by {measure} ({numbers}); {'; '.join(parts)}."


def _p_value(text: str) -> str:
    if not text:
        return "no p-value"
    return "p < 0.001" if float(text) < 0.001 else f"p {float(text):.2g}"
