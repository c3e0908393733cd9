"""The study's main findings, and its own: numbers with their intervals, and what the documents say."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from nontrivial_study.experiments.ranks.model_choice import (
    EITHER,
    FEWEST,
    RARER,
    RARER_LESS,
    SUBSETS,
    TOO_FEW,
)
from nontrivial_study.experiments.ranks.ranks import AREAS
from nontrivial_study.experiments.results import OK
from nontrivial_study.experiments.selective.selective import REJECTS, WORKED_EXAMPLE
from nontrivial_study.report.claims import axis_position
from nontrivial_study.report.notation import percent

# The study's main findings: a number with its interval, and what the document says, computed from the tables.


Tables = Mapping[str, pd.DataFrame]
MOST = 5


@dataclass(frozen=True)
class Finding:
    """A finding for people.

    Attributes
    ----------
    title : str
        A sentence.
    number, interval : str
        The number, and its interval if it has one.
    document, stated : str
        The document, and its own value or words.
    text : str
        Of what the number is.
    marks : mapping of str to float
        Places on an axis from 0 to 1, in percent: ``value``, and ``low``, ``high`` and ``stated`` where there are such.
    figure, table : str
        The figure and the table of the page that show it; the figure may be empty.
    """

    title: str
    number: str
    interval: str
    document: str
    stated: str
    text: str
    marks: Mapping[str, float]
    figure: str = ""
    table: str = ""


def find_findings(tables: Tables) -> list[Finding]:
    """Compute the first five findings that the tables at hand allow."""
    found = [
        Finding(*finding, figure, table)
        for table, figure, find in _FINDINGS
        if table in tables and (finding := find(tables[table]))
    ]
    return found[:MOST]


_Found = tuple[str, str, str, str, str, str, Mapping[str, float]] | None


def _find_crossing(crossings: pd.DataFrame) -> _Found:
    """Where the Prediction Advantage of the first classifier reaches 0, at the greatest noise."""
    noises = crossings.loc[crossings["held"] == "noise", "at"]
    if noises.empty:
        return None
    noise = max(noises, key=float)
    classifier = crossings[["dataset", "model", "positive"]]
    same = (classifier == classifier.iloc[0]).all(axis=1)
    there = crossings[
        same & (crossings["held"] == "noise") & (crossings["at"] == noise) & (crossings["reading"] == "zero")
    ].set_index("measure")
    advantage = there.loc["prediction_advantage"]
    if not advantage["crossing"]:
        return None
    kappa = there["crossing"].get("cohen_kappa", "")
    silent = sum(outcome == "never" for outcome in there["outcome"])
    return (
        "The Prediction Advantage warns first",
        *_share(advantage["crossing"], advantage["low"], advantage["high"]),
        "PA paper",
        "before any other measure",
        f"Below this share of {advantage['positive']} cases, {advantage['model'].replace('_', ' ')} on "
        f"{advantage['dataset']} with {percent(float(noise))} wrong labels is worth less than always naming the "
        "majority. Cohen's kappa "
        + (f"says so below {percent(float(kappa))}" if kappa else "never says so")
        + f"; {silent} of {len(there)} measures never do.",
        _marks(advantage["crossing"], advantage["low"], advantage["high"], ""),
    )


def _find_published(published: pd.DataFrame) -> _Found:
    """How many published error rates are worth no more than naming the majority."""
    certain = published["sign_certain"] == "True"
    worse = int((certain & (published["high"].astype(float) <= 0)).sum())
    better = int((certain & (published["low"].astype(float) > 0)).sum())
    likely, rows = int((published["advantage"].astype(float) <= 0).sum()), len(published)
    return (
        "Published errors that are worth nothing",
        f"{likely} of {rows}",
        f"{worse} to {rows - better}, by their rounding",
        "PA paper",
        f"{rows} of {rows}",
        "So many error rates that were published for Haberman's survival data are no better than always naming the "
        "majority.",
        _marks(str(likely / rows), str(worse / rows), str((rows - better) / rows), "1"),
    )


def _find_ranks(disagreement: pd.DataFrame, column: str) -> _Found:
    rows = disagreement[(disagreement["pair"] == "pr_auc/prg_auc") & (disagreement[column] != "")]
    if rows.empty or _are_few(rows.iloc[0]):
        return None
    row = rows.iloc[0]
    value, low, high, paper = (
        row[name] for name in (column, f"{column}_low", f"{column}_high", f"paper_{column}")
    )
    tasks = f"{row['tasks']} tasks (made of {row['datasets']} data sets)"
    if column == "rank_correlation":
        title = "Over all models their ranks hardly differ"
        texts = f"{float(value):.3f}", f"{float(low):.3f} to {float(high):.3f}", f"{float(paper):.2f}"
        of = f"The {row['models']} models of {tasks} are ranked by the two areas; this is the correlation of the ranks."
    else:
        title = "PR and PRG areas order the best models differently"
        texts = (*_share(value, low, high), percent(float(paper)))
        of = f"So many of {tasks} order their first three models differently by the two areas."
    return title, *texts[:2], "PRG paper", texts[2], of, _marks(value, low, high, paper)


def _find_choice(choice: pd.DataFrame) -> _Found:
    """Which of AUPR and AUPRG picks the better model where they differ."""
    rows = choice[
        (choice["of"] == SUBSETS[1])
        & (choice["pairs"] != "0")
        & (choice["area"] == "pr_auc")
        & (choice["yardstick"] == "held_out_f1")
    ]
    if rows.empty or _are_few(rows.iloc[0]):
        return None
    row = rows.iloc[0]
    return (
        "Where they differ, the PR area picks the better model",
        *_share(row["agreement"], row["agreement_low"], row["agreement_high"]),
        "PRG paper",
        "the PRG area does (under 50\N{NO-BREAK SPACE}%)",
        f"In so many of the {int(row['pairs']):,} pairs of models that the two areas order differently, the one with "
        f"the greater PR area has the greater F1 on held-out folds ({row['tasks']} tasks, made of {row['datasets']} "
        "data sets).",
        _marks(row["agreement"], row["agreement_low"], row["agreement_high"], "0.5"),
    )


def _find_trained(summary: pd.DataFrame) -> _Found:
    """How many trained models are better than trivial, where they were trained."""
    row = summary.iloc[0]
    if row["outcome"] != OK:
        return None
    models, better, above = (
        int(row[name]) for name in ("models", "better_than_trivial", "advantage_above_0")
    )
    return (
        "Few models beat the majority on Haberman's data",
        f"{better} of {models}",
        "",
        "PA paper",
        "none of nine",
        f"So many models are better than trivial by a test that allows for their number; {above} have a Prediction "
        "Advantage above 0.",
        _marks(str(better / models), "", "", "0"),
    )


def _find_selection(pair: pd.DataFrame) -> _Found:
    """Two selective classifiers that only their advantages tell apart."""
    found = (
        pair[(pair["task"] != WORKED_EXAMPLE) & (pair["outcome"] == OK)].set_index("rejects").to_dict("index")
    )
    if not set(REJECTS) <= found.keys():
        return None
    good, bad = (found[rejects] for rejects in REJECTS)
    return (
        "Equal risk, unequal worth",
        f"{float(good['advantage']):.2f} and {float(bad['advantage']):.2f}",
        "",
        "PA paper",
        "0.75 and 0",
        f"Two classifiers on {good['task']} answer {percent(float(good['coverage']))} of the cases with "
        f"{percent(float(good['risk']))} of errors. One rejects what it is unsure of, the other the minority. "
        "Only their Prediction Advantages differ.",
        _marks(good["advantage"], bad["advantage"], good["advantage"], "0.75"),
    )


def _find_reversals(reversals: pd.DataFrame) -> _Found:
    """How often raw risk misleads between problems."""
    pairs, reversed_ = reversals["pairs"].astype(int).sum(), reversals["reversed"].astype(int).sum()
    if not pairs:
        return None
    return (
        "Raw risk misleads between problems",
        percent(reversed_ / pairs),
        "",
        "PA paper",
        "it can",
        f"So many of {pairs:,} pairs of models for different problems are ordered one way by their risk and the other "
        "way by their Prediction Advantage.",
        _marks(str(reversed_ / pairs), "", "", ""),
    )


def _are_few(row: pd.Series) -> bool:
    """Tell whether tasks are made of too few data sets for an interval, and so for a finding."""
    return int(row["datasets"]) < FEWEST


def _share(value: str, low: str, high: str) -> tuple[str, str]:
    between = f"{percent(float(low))} to {percent(float(high))}" if low and high else ""
    return percent(float(value)), between


def _marks(value: str, low: str, high: str, stated: str) -> dict[str, float]:
    texts = {"value": value, "low": low, "high": high, "stated": stated}
    return {name: axis_position(float(text), 0, 1) for name, text in texts.items() if text}


_FINDINGS: list[tuple[str, str, Callable[[pd.DataFrame], _Found]]] = [
    ("crossings", "pa_figure_1", _find_crossing),
    ("haberman_published", "", _find_published),
    ("rank_disagreement", "prg_figure_4", partial(_find_ranks, column="top3_disagreement")),
    ("rank_disagreement", "prg_figure_4", partial(_find_ranks, column="rank_correlation")),
    ("model_choice", "prg_model_choice", _find_choice),
    ("haberman_trained_summary", "", _find_trained),
    ("selective_prediction", "pa_selective", _find_selection),
    ("loss_reversals", "pa_losses", _find_reversals),
]


# The study's own finding in sentences: when the choice of the area matters, and which area is to be used.


Row = Mapping[Hashable, Any]

_ANSWERS = {
    RARER: "yes",
    RARER_LESS: "no, it matters less",
    "pr_auc": "use AUPR",
    "prg_auc": "use AUPRG",
    EITHER: "not shown either way",
    TOO_FEW: "too few data sets to say",
}
_YARDSTICKS = {
    "held_out_f1": "F1 on held-out folds",
    "held_out_cost_advantage": "cost on held-out folds",
    "prediction_advantage": "the Prediction Advantage",
}


def find_answers(tables: Mapping[str, pd.DataFrame]) -> list[str]:
    """Say what was found of each pair of areas on rarity, and of each yardstick on the choice."""
    if "area_finding" not in tables:
        return []
    rows = tables["area_finding"]
    texts = []
    rarity = rows[rows["question"] == "rarity"].set_index("of").to_dict("index")
    for pair in dict.fromkeys(str(of).split()[0] for of in rarity):
        one, other = (AREAS[area] for area in pair.split("/"))
        best, ranks = rarity[f"{pair} top1"], rarity[f"{pair} correlation"]
        texts.append(
            f"Does it matter more whether {one} or {other} ranks models, the rarer the positives are? When their "
            "share is halved, the share of tasks in which the two name different best models rises by "
            f"{_points(best['estimate'])} percentage points (95 % interval {_points(best['low'])} to "
            f"{_points(best['high'])}): {_ANSWERS[best['answer']]}. The correlation of their ranks falls by "
            f"{_number(ranks['estimate'])} ({_number(ranks['low'])} to {_number(ranks['high'])}): "
            f"{_ANSWERS[ranks['answer']]}. There are {best['tasks']} tasks from {best['datasets']} sources."
        )
    for yardstick, of_yardstick in rows[rows["question"] == "choice"].groupby("of", sort=False):
        every, *groups = of_yardstick.to_dict("records")
        wanted_for = _YARDSTICKS[str(yardstick)]
        if not every["estimate"]:
            continue
        texts.append(
            f"Where AUPR and AUPRG order two models differently, AUPRG has the better one by {wanted_for} "
            f"in {percent(float(every['estimate']))} of the pairs (95 % interval {_interval(every)}): "
            f"{_ANSWERS[every['answer']]}. By the share of positives: "
            + "; ".join(f"{_group(row)}, {_answered(row)}" for row in groups)
            + "."
        )
    return texts


def _answered(row: Row) -> str:
    if not row["estimate"]:
        return "no such pairs"
    return (
        f"{percent(float(row['estimate']))} of {row['datasets']} sources' pairs ({_ANSWERS[row['answer']]})"
    )


def _interval(row: Row) -> str:
    return " to ".join(percent(float(row[end])) for end in ("low", "high")) if row["low"] else "none"


def _group(row: Row) -> str:
    low, high = row["at_least"], row["below"]
    if not low:
        return f"below {percent(float(high))}"
    return f"{percent(float(low))} to {percent(float(high))}" if high else f"{percent(float(low))} and more"


def _points(value: str) -> str:
    return f"{100 * float(value):.1f}" if value else "unknown"


def _number(value: str) -> str:
    return f"{float(value):.3f}" if value else "unknown"


# One's own models.

_WORDS = {"better": "yes", "worse": "no, worse", "inconclusive": "inconclusive"}


def find_own(tables: Mapping[str, pd.DataFrame]) -> dict[str, Any] | None:
    """Return the verdicts on one's own models by task, and a sentence that counts them; None without any."""
    verdicts = tables.get("own_verdicts")
    if verdicts is None or verdicts.empty:
        return None
    better = verdicts[verdicts["verdict"] == "better"].groupby("question").size()
    models = len(verdicts[["task", "model"]].drop_duplicates())
    tasks = []
    for name, rows in verdicts.groupby("task", sort=False):
        shown = []
        for model, answers in rows.groupby("model", sort=False):
            first = answers.iloc[0]
            found = {
                row["question"]: {"word": _WORDS[row["verdict"]], "numbers": _own_numbers(row)}
                for _, row in answers.iterrows()
                if row["verdict"]
            }
            shown.append(
                {"name": model, "status": "" if first["status"] == "ok" else first["status"], "found": found}
            )
        counts = rows[rows["positives"] != ""]
        positives, negatives = (
            int(counts[side].iloc[0]) if len(counts) else 0 for side in ("positives", "negatives")
        )
        tasks.append({"name": name, "cases": positives + negatives, "positives": positives, "models": shown})
    said = (
        f"{better.get(question, 0)} by their {question}"
        for question in ("probabilities", "ranking", "labels")
    )
    return {
        "sentence": f"Of {models} models, these are better than trivial: {', '.join(said)}.",
        "tasks": tasks,
    }


def _own_numbers(row: pd.Series) -> str:
    if not row["low"]:
        return f"{float(row['value']):.2f}, no interval" if row["value"] else ""
    return f"{float(row['value']):.2f} ({float(row['low']):.2f} to {float(row['high']):.2f})"
