"""The study's own finding in sentences: when the choice of the area matters, and which area is to be used."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import pandas as pd

from nontrivial_study.experiments.ranks.model_choice import EITHER, RARER, RARER_LESS, TOO_FEW
from nontrivial_study.experiments.ranks.ranks import AREAS
from nontrivial_study.report.numbers import percent

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
    """Say what was found of each pair of areas on rarity, and of each yardstick on the choice.

    Parameters
    ----------
    tables : mapping of str to DataFrame of str
        As `nontrivial_study.tables.read_texts` reads them. Without ``area_finding`` there is no sentence.
    """
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
