"""Two selective classifiers of equal coverage and risk, of which one rejects the minority (PA paper, Section 6)."""

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from nontrivial.measures.advantage import selective_advantage_curve
from nontrivial_study.experiments.results import IMPOSSIBLE, OK
from nontrivial_study.tables import column_names, read_parquet

REJECTS = ("the unsure", "the minority")
WORKED_EXAMPLE = "worked example"  # in the place of a task
CURVE = ["coverage", "risk", "marginal_risk", "advantage"]
_NEAR = 0.02  # how far from the wanted coverage a classifier with tied scores may end up


def worked_example() -> pd.DataFrame:
    """Work out the paper's two selective classifiers (PA paper, Section 6).

    The paper gives share of the minority, coverage and risk. The classifier that rejects the minority is taken to
    answer nothing but the majority, so that all its errors are answered cases of the minority; the other one to
    answer as large a part of either class.

    Examples
    --------
    >>> worked_example()[["rejects", "minority_answered", "risk", "advantage"]].values.tolist()
    [['the unsure', 0.7, 0.05, 0.75], ['the minority', 0.175, 0.05, 0.0]]
    """
    share, covered, error = Fraction("0.2"), Fraction("0.7"), Fraction("0.05")  # as printed
    rows = []
    for rejects, among_covered in zip(REJECTS, (share, error), strict=True):
        marginal = min(among_covered, 1 - among_covered)
        numbers = (share, covered, among_covered * covered / share, error, marginal, 1 - error / marginal)
        rows.append((WORKED_EXAMPLE, rejects, "", *map(float, numbers), OK, OK))
    return pd.DataFrame(rows, columns=column_names("selective_prediction"))


def selective_classifiers(
    predictions: pd.DataFrame, settings: Mapping[str, Any]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Find, among the models of a task, two selective classifiers whose risks at a coverage are closest.

    One rejects the cases whose scores are nearest to its threshold. The other answers the majority and rejects the
    cases whose scores point to the minority most. Cases are weighted so that the minority has the wanted share.
    """
    task, coverage, share = settings["task"], settings["coverage"], settings["minority_share"]
    part = Fraction(str(share))  # whole weights: sums of them are exact, and so is an advantage of 0
    rows = predictions[predictions["task"] == task]
    candidates: dict[str, list[tuple[dict[Hashable, Any], pd.DataFrame]]] = {
        rejects: [] for rejects in REJECTS
    }
    for model, of_model in rows.groupby("model", sort=False):
        truth, score = of_model["truth"].to_numpy(), of_model["score"].to_numpy()
        others = part.denominator - part.numerator
        weights = np.where(truth, part.numerator * (~truth).sum(), others * truth.sum())
        # Scores are probabilities or signed distances.
        threshold = 0.5 if score.min() >= 0 and score.max() <= 1 else 0.0
        answers = (of_model["prediction"].to_numpy(), np.zeros(len(truth), dtype=bool))
        sure = np.abs(score - threshold), -score
        for rejects, answer, sureness in zip(REJECTS, answers, sure, strict=True):
            curve = selective_advantage_curve(truth, answer, sureness, sample_weight=weights)
            place = min(int(np.searchsorted(curve.coverage, coverage - 1e-9)), len(curve.coverage) - 1)
            if abs(curve.coverage[place] - coverage) > _NEAR or curve.risk[place] == 0:
                continue
            line = pd.DataFrame({name: getattr(curve, name) for name in CURVE})
            point = {"rejects": rejects, "model": model} | line.loc[place].to_dict()
            point["minority_answered"] = (sureness >= curve.thresholds[place])[truth].mean()
            candidates[rejects].append((point, line.assign(rejects=rejects, model=model)))
    useful = [candidate for candidate in candidates[REJECTS[0]] if candidate[0]["advantage"] > 0]
    pairs = list(product(useful, candidates[REJECTS[1]]))
    front: dict[Hashable, Any] = {"task": task, "minority_share": share}
    columns = column_names("selective_prediction")
    if not pairs:
        lacking = (
            f"no two models answer near {coverage:g} of the cases, both with errors and one with an advantage"
        )
        front |= {"outcome": IMPOSSIBLE, "status": f"{IMPOSSIBLE}: {lacking}"}
        table = [front | {"rejects": rejects} for rejects in REJECTS]
        return pd.DataFrame(table, columns=columns), pd.DataFrame(columns=column_names("pa_selective"))

    def difference(pair: Sequence[tuple[dict[Hashable, Any], pd.DataFrame]]) -> tuple[Any, ...]:
        (one, _), (other, _) = pair
        return abs(one["risk"] - other["risk"]), -one["advantage"], one["model"], other["model"]

    chosen = min(pairs, key=difference)
    table = [front | {"outcome": OK, "status": OK} | point for point, _ in chosen]
    curves = pd.concat([line for _, line in chosen], ignore_index=True)
    return pd.DataFrame(table, columns=columns), curves[column_names("pa_selective")]


def calc_selective(predictions: str, selective: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """Compare two selective classifiers of equal coverage and risk."""
    pair, curves = selective_classifiers(read_parquet(predictions), selective)
    table = pd.concat([worked_example(), pair], ignore_index=True)
    return {"selective_prediction": table, "pa_selective": curves}
