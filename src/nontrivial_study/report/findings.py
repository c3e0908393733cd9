"""The study's main findings, its answer on areas, and the verdicts on one's own models, from the tables."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import pandas as pd

from nontrivial.terminal import count_of
from nontrivial_study.experiments.ranks.area_finding import MIN_SOURCES
from nontrivial_study.experiments.ranks.disagreement import labels_of_pair
from nontrivial_study.experiments.ranks.model_choice import OPPOSED_PAIRS
from nontrivial_study.report.claims import axis_position
from nontrivial_study.report.notation import format_decimal, format_percent
from nontrivial_study.tables import rows_with

QUESTIONS = ("probabilities", "ranking", "labels", "numbers")
Tables = Mapping[str, pd.DataFrame]
Row = Mapping[Hashable, Any]


@dataclass(frozen=True)
class StudyFinding:
    """A number with its interval, what the document says, and where the page shows it."""

    title: str
    number: str
    interval: str  # empty if the number has none
    document: str
    stated: str  # the document's number or words
    text: str  # a sentence that explains the number
    marks: Mapping[str, float] = field(default_factory=dict)  # positions on an axis from 0 to 1, in percent
    figure: str = ""
    table: str = ""


def find_findings(tables: Tables) -> list[StudyFinding]:
    """Compute the findings that the tables at hand allow."""
    findings = [find(tables[table], table=table, figure=figure) for table, figure, find in _FINDINGS if table in tables]
    return [finding for finding in findings if finding]


def _find_crossing(crossings: pd.DataFrame, **places: str) -> StudyFinding | None:
    """Find the minority share at which the first classifier's Prediction Advantage is 0, at the greatest noise."""
    classifier = crossings[["dataset", "model", "positive"]].iloc[0]
    by_noise = rows_with(crossings, held="noise", reading="zero", **classifier)
    noise = max(by_noise["at"], key=float, default="")
    measures = by_noise[by_noise["at"] == noise].set_index("measure").to_dict("index")
    advantage = measures.get("prediction_advantage", {})
    if not advantage.get("crossing"):
        return None
    kappa = measures.get("cohen_kappa", {}).get("crossing", "")
    shares = [float(measure["crossing"]) for measure in measures.values() if measure["crossing"]]
    is_first = sum(share >= float(advantage["crossing"]) for share in shares) == 1
    n_silent = sum(measure["outcome"] == "never" for measure in measures.values())
    ends = advantage["low"], advantage["high"]
    title = "warns first" if is_first else "is not the first to warn"
    return StudyFinding(
        f"The Prediction Advantage {title}",
        format_percent(advantage["crossing"]),
        _format_interval(*ends),
        "PA paper",
        "before any other measure",
        f"Below this share of {advantage['positive']} cases, {advantage['model'].replace('_', ' ')} on "
        f"{advantage['dataset']} with {format_percent(noise)} wrong labels is worth less than always naming the "
        f"majority. Cohen's kappa {f'says so below {format_percent(kappa)}' if kappa else 'never says so'}; "
        f"{n_silent} of {len(measures)} measures never do.",
        _axis_marks(advantage["crossing"], *ends),
        **places,
    )


def _find_published(published: pd.DataFrame, **places: str) -> StudyFinding:
    """Count the published error rates that are no better than always naming the majority."""
    is_certain = published["sign_certain"] == "True"
    n_surely_worse = int((is_certain & (published["high"].astype(float) <= 0)).sum())
    n_surely_better = int((is_certain & (published["low"].astype(float) > 0)).sum())
    n_worse, n_errors = int((published["advantage"].astype(float) <= 0).sum()), len(published)
    return StudyFinding(
        "Published errors that are worth nothing",
        f"{n_worse} of {n_errors}",
        f"{n_surely_worse} to {n_errors - n_surely_better}, by their rounding",
        "PA paper",
        f"{n_errors} of {n_errors}",
        "So many error rates that were published for Haberman's survival data are no better than always naming the "
        "majority.",
        _axis_marks(n_worse / n_errors, n_surely_worse / n_errors, 1 - n_surely_better / n_errors, 1),
        **places,
    )


def _find_disagreement(disagreement: pd.DataFrame, column: str, **places: str) -> StudyFinding | None:
    """Find how differently the PR and PRG areas rank models, as the paper does."""
    rows = rows_with(disagreement, pair="pr_auc/prg_auc")
    if rows.empty or int(rows.iloc[0]["datasets"]) < MIN_SOURCES or not rows.iloc[0][column]:
        return None
    row = rows.iloc[0]
    value, low, high, paper = (row[name.format(column)] for name in ("{}", "{}_low", "{}_high", "paper_{}"))
    tasks = f"{row['tasks']} tasks (made of {row['datasets']} data sets)"
    if column == "rank_correlation":
        title = "How alike the two areas rank all models"
        number, interval = format_decimal(value, 3), f"{format_decimal(low, 3)} to {format_decimal(high, 3)}"
        stated = format_decimal(paper, 2)
        text = f"The {row['models']} models of {tasks} are ranked by the two areas; "
        text += "this is the correlation of the ranks."
    else:
        title = "How often PR and PRG areas order the best models differently"
        number, interval, stated = format_percent(value), _format_interval(low, high), format_percent(paper)
        text = f"So many of {tasks} order their first three models differently by the two areas."
    marks = _axis_marks(value, low, high, paper)
    return StudyFinding(title, number, interval, "PRG paper", stated, text, marks, **places)


def _find_choice(choice: pd.DataFrame, **places: str) -> StudyFinding | None:
    """Find which of AUPR and AUPRG picks the better model if they differ."""
    rows = rows_with(choice, of=OPPOSED_PAIRS, area="pr_auc", yardstick="held_out_f1")
    if rows.empty or int(rows.iloc[0]["datasets"]) < MIN_SOURCES or rows.iloc[0]["pairs"] == "0":
        return None
    row = rows.iloc[0]
    ends = low, high = row["agreement_low"], row["agreement_high"]
    if low and high and not float(low) <= 0.5 <= float(high):
        title = f"Where they differ, the {'PR' if float(low) > 0.5 else 'PRG'} area picks the better model"
    else:
        title = "Where they differ, neither area is shown to pick the better model"
    return StudyFinding(
        title,
        format_percent(row["agreement"]),
        _format_interval(*ends),
        "PRG paper",
        "the PRG area does (under 50\N{NO-BREAK SPACE}%)",
        f"In so many of the {int(row['pairs']):,} pairs of models that the two areas order differently, the one with "
        f"the greater PR area has the greater F1 on held-out folds ({row['tasks']} tasks, made of {row['datasets']} "
        "data sets).",
        _axis_marks(row["agreement"], *ends, 0.5),
        **places,
    )


# The table and the figure of each finding, and the function that finds it.
_FINDINGS: list[tuple[str, str, Callable[..., StudyFinding | None]]] = [
    ("crossings", "pa_figure_1", _find_crossing),
    ("haberman_published", "", _find_published),
    ("rank_disagreement", "prg_figure_4", partial(_find_disagreement, column="top3_disagreement")),
    ("rank_disagreement", "prg_figure_4", partial(_find_disagreement, column="rank_correlation")),
    ("model_choice", "prg_model_choice", _find_choice),
]


def _format_interval(low: str, high: str) -> str:
    return f"{format_percent(low)} to {format_percent(high)}" if low and high else ""


def _axis_marks(*numbers: float | str) -> dict[str, float]:
    """Return the positions of value, low, high and stated number on an axis from 0 to 1, without unknown ones."""
    named = zip(("value", "low", "high", "stated"), numbers, strict=False)
    return {name: axis_position(float(number), 0, 1) for name, number in named if number != ""}


def find_answers(tables: Tables) -> dict[str, list[Any]]:
    """Return the study's own finding: rows on each pair of areas and rarity, and on each yardstick and the choice."""
    if "area_finding" not in tables:
        return {}
    rows = tables["area_finding"]
    rarity = rows[rows["question"] == "rarity"].set_index("of").to_dict("index")
    pairs = dict.fromkeys(str(pair_and_statistic).split()[0] for pair_and_statistic in rarity)
    by_yardstick = rows[rows["question"] == "choice"].groupby("of", sort=False)
    choices = [rows_of_yardstick.to_dict("records") for _, rows_of_yardstick in by_yardstick]
    return {
        "rarity": [(labels_of_pair(pair), rarity[f"{pair} top1"], rarity[f"{pair} correlation"]) for pair in pairs],
        "choices": [(overall, groups) for overall, *groups in choices if overall["estimate"]],
    }


class BestModel(NamedTuple):
    """The best model of a task by the first question, the models shown to be worse, and the other models."""

    best: Row
    worse: list[Row]
    others: list[Row]


def find_own_models(tables: Tables) -> dict[str, Any] | None:
    """Return one's own models on each task, the best of each task, and the models without probabilities, if any."""
    verdicts = tables.get("own_verdicts")
    if verdicts is None or verdicts.empty:
        return None
    models = []
    for (_, model), rows in verdicts.groupby(["task", "model"], sort=False):
        records = rows.to_dict("records")
        answers = {row["question"]: row for row in records if row["verdict"]}
        models.append(records[0] | {"name": model, "answers": answers})
    best = []
    comparisons = tables.get("own_comparisons", pd.DataFrame(columns=["task"]))
    for _, rows in comparisons.groupby("task", sort=False):
        records = rows[rows["question"] == rows["question"].iloc[0]].to_dict("records")
        is_worse = [[row for row in records if row["is_worse"] == text] for text in ("True", "False")]
        best.append(BestModel(records[0], *is_worse))
    classifiers = verdicts[(verdicts["verdict"] != "") & (verdicts["target"] != "numbers")]
    questions = classifiers.groupby("model", sort=True)["question"].agg(set)
    n_models, n_tasks = verdicts["model"].nunique(), verdicts["task"].nunique()
    return {
        "sentence": f"Which of {count_of(n_models, 'model')} on {count_of(n_tasks, 'task')} are better than trivial",
        "models": models,
        "questions": {name: name.capitalize() for name in QUESTIONS if name in set(verdicts["question"])},
        "best": best,
        "margins": [model for model, answered in questions.items() if "probabilities" not in answered],
    }
