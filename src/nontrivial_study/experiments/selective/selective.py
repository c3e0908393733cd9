"""Two selective classifiers of equal coverage and risk; one rejects the minority (PA paper, Section 6)."""

from collections.abc import Hashable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from nontrivial.measures.advantage import selective_advantage_curve
from nontrivial_study.experiments.results import IMPOSSIBLE, OK
from nontrivial_study.tables import column_names, read_parquet

REJECTS = ("the unsure", "the minority")
WORKED_EXAMPLE = "worked example"  # stands in the column of tasks
CURVE_COLUMNS = ["coverage", "risk", "marginal_risk", "advantage"]
_MAX_COVERAGE_ERROR = 0.02  # with tied scores, a classifier may miss the coverage


def worked_example() -> pd.DataFrame:
    """Work out the paper's two selective classifiers (PA paper, Section 6).

    The paper gives share of the minority, coverage and risk. We assume that the classifier that rejects the minority
    always answers the majority, so that all its errors are answered cases of the minority. The other classifier answers
    an equal part of each class.

    Examples
    --------
    >>> worked_example()[["rejects", "minority_answered", "risk", "advantage"]].values.tolist()
    [['the unsure', 0.7, 0.05, 0.75], ['the minority', 0.175, 0.05, 0.0]]
    """
    share, coverage, risk = Fraction("0.2"), Fraction("0.7"), Fraction("0.05")  # as printed
    rows = []
    for rejects, answered_share in zip(REJECTS, (share, risk), strict=True):
        marginal_risk = min(answered_share, 1 - answered_share)
        minority_answered = answered_share * coverage / share
        numbers = (share, coverage, minority_answered, risk, marginal_risk, 1 - risk / marginal_risk)
        rows.append((WORKED_EXAMPLE, rejects, "", *map(float, numbers), OK, OK))
    return pd.DataFrame(rows, columns=column_names("selective_prediction"))


class _SelectiveClassifier(NamedTuple):
    """A selective classifier: its row of the table, and its curve over all coverages."""

    row: dict[Hashable, Any]
    curve: pd.DataFrame


def selective_classifiers(predictions: pd.DataFrame, settings: Mapping[str, Any]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Find, among the models of a task, two selective classifiers whose risks at a coverage are closest.

    One rejects the cases whose scores are nearest to its threshold. The other answers the majority and rejects the
    cases whose scores point to the minority most. Cases are weighted so that the minority has the wanted share.
    """
    task, coverage, share = settings["task"], settings["coverage"], settings["minority_share"]
    part = Fraction(str(share))  # whole weights have exact sums, so an advantage can be exactly 0
    rows = predictions[predictions["task"] == task]
    candidates: dict[str, list[_SelectiveClassifier]] = {rejects: [] for rejects in REJECTS}
    for model, of_model in rows.groupby("model", sort=False):
        truth, score = of_model["truth"].to_numpy(), of_model["score"].to_numpy()
        majority_part = part.denominator - part.numerator
        weights = np.where(truth, part.numerator * (~truth).sum(), majority_part * truth.sum())
        has_probabilities = score.min() >= 0 and score.max() <= 1
        threshold = 0.5 if has_probabilities else 0.0
        answers = (of_model["prediction"].to_numpy(), np.zeros(len(truth), dtype=bool))
        confidences = np.abs(score - threshold), -score
        for rejects, answer, confidence in zip(REJECTS, answers, confidences, strict=True):
            curve = selective_advantage_curve(truth, answer, confidence, sample_weight=weights)
            index = min(int(np.searchsorted(curve.coverage, coverage - 1e-9)), len(curve.coverage) - 1)
            if abs(curve.coverage[index] - coverage) > _MAX_COVERAGE_ERROR or curve.risk[index] == 0:
                continue
            points = pd.DataFrame({name: getattr(curve, name) for name in CURVE_COLUMNS})
            row = {"rejects": rejects, "model": model} | points.loc[index].to_dict()
            row["minority_answered"] = (confidence >= curve.thresholds[index])[truth].mean()
            candidates[rejects].append(_SelectiveClassifier(row, points.assign(rejects=rejects, model=model)))
    useful = [candidate for candidate in candidates[REJECTS[0]] if candidate.row["advantage"] > 0]
    pairs = list(product(useful, candidates[REJECTS[1]]))
    common: dict[Hashable, Any] = {"task": task, "minority_share": share}
    columns = column_names("selective_prediction")
    if not pairs:
        reason = f"no two models answer near {coverage:g} of the cases, both with errors and one with an advantage"
        common |= {"outcome": IMPOSSIBLE, "status": f"{IMPOSSIBLE}: {reason}"}
        table = [common | {"rejects": rejects} for rejects in REJECTS]
        return pd.DataFrame(table, columns=columns), pd.DataFrame(columns=column_names("pa_selective"))
    pair = min(pairs, key=_risk_difference)
    table = [common | {"outcome": OK, "status": OK} | candidate.row for candidate in pair]
    curves = pd.concat([candidate.curve for candidate in pair], ignore_index=True)
    return pd.DataFrame(table, columns=columns), curves[column_names("pa_selective")]


def _risk_difference(pair: tuple[_SelectiveClassifier, _SelectiveClassifier]) -> tuple[Any, ...]:
    """Return a key by which the pair of closest risks comes first, then the greater advantage, then names."""
    first, second = (candidate.row for candidate in pair)
    return abs(first["risk"] - second["risk"]), -first["advantage"], first["model"], second["model"]


def calc_selective(predictions: str, selective: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """Compare two selective classifiers of equal coverage and risk."""
    pair, curves = selective_classifiers(read_parquet(predictions), selective)
    table = pd.concat([worked_example(), pair], ignore_index=True)
    return {"selective_prediction": table, "pa_selective": curves}
