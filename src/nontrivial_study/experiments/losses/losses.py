"""The Prediction Advantage of models under every loss of the PA paper, beside the risk that it is made from."""

import warnings
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold, StratifiedKFold
from threadpoolctl import threadpool_limits

from nontrivial._estimators import class_scores
from nontrivial.measures.advantage import bayesian_marginal_prediction, prediction_advantage_score
from nontrivial.measures.intervals import prediction_advantage_interval
from nontrivial.measures.losses import UnboundedLossWarning, resolve
from nontrivial.seeds import seed_for
from nontrivial_study.data.canonical import TARGET
from nontrivial_study.experiments.results import OK, failure_of
from nontrivial_study.experiments.tasks.models import build_model
from nontrivial_study.experiments.tasks.training import encode_folds
from nontrivial_study.tables import column_names, read_parquet

LOSSES = {"classifier": ("zero_one", "cross_entropy", "cost"), "regressor": ("squared", "absolute")}


def cost_of_missing(classes: np.ndarray, rarest: float) -> np.ndarray:
    """Return a cost matrix in which every error costs 1, but missing the rarest class more."""
    counts = np.bincount(classes)
    cost = np.ones((len(counts), len(counts)))
    cost[:, np.argmin(counts)] = rarest
    np.fill_diagonal(cost, 0)
    return cost


def loss_table(
    dataset: str,
    table: pd.DataFrame,
    models: Mapping[str, Mapping[str, Any]],
    *,
    kind: str,
    folds: int,
    rarest: float = 1.0,
    resamples: int = 2000,
) -> pd.DataFrame:
    """Train models out of fold on a data set, and judge them by every loss (PA paper, Sections 2.3 to 2.7)."""
    if kind == "classifier":
        truth, names = pd.factorize(table[TARGET].astype(str), sort=True)
        cost, classes = cost_of_missing(truth, rarest), len(names)
        splitter = StratifiedKFold(folds, shuffle=True, random_state=seed_for("folds", dataset))
    else:
        truth, cost, classes = table[TARGET].to_numpy(dtype=np.float64), None, None
        splitter = KFold(folds, shuffle=True, random_state=seed_for("folds", dataset))
    splits = list(splitter.split(truth, truth))
    rows_of = encode_folds(table.drop(columns=TARGET), splits)
    rows = []
    for name, specification in models.items():
        with threadpool_limits(1), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                answers = np.empty((len(truth), classes) if classes else len(truth))
                for number, (train, test) in enumerate(splits):
                    known, new = rows_of(number)
                    seed = seed_for("loss", dataset, name, number)
                    model = build_model(name, specification, seed, kind=kind).fit(known, truth[train])
                    if classes:
                        answers[test] = class_scores(model, new, range(classes), ("predict_proba",))
                    else:
                        answers[test] = model.predict(new)
                status = OK
            except Exception as error:  # one model's failure is a row with its reason, not the end of the run
                status = failure_of(error)
        for loss in LOSSES[kind]:
            row: dict[str, Any] = {"dataset": dataset, "classes": classes, "model": name}
            row |= {"loss": loss, "status": status}
            if status == OK:
                row |= _judge(truth, answers, loss, cost, resamples, (dataset, name))
            rows.append(row)
    return pd.DataFrame(rows).reindex(columns=column_names("losses")).astype({"classes": "Int64"})


def reversal_table(losses: pd.DataFrame) -> pd.DataFrame:
    """Count how often risk and advantage order two models of two problems differently (PA paper, Sections 1 and 5)."""
    rows = []
    finite = losses[np.isfinite(losses["risk"].astype(float))]
    for loss, of_loss in finite.groupby("loss", sort=False):
        problems = dict(iter(of_loss.groupby("dataset", sort=False)))
        for one, other in combinations(problems, 2):
            pairs = problems[one].merge(problems[other], on="loss", suffixes=("_one", "_other"))
            by_risk = pairs["risk_other"] - pairs["risk_one"]  # above 0: the one is less risky
            by_advantage = pairs["advantage_one"] - pairs["advantage_other"]
            differ = by_risk != 0
            pairs, by_risk, by_advantage = pairs[differ], by_risk[differ], by_advantage[differ]
            contrary = by_risk * by_advantage < 0
            row = {
                "loss": loss,
                "one": one,
                "other": other,
                "one_marginal_risk": problems[one]["marginal_risk"].iloc[0],
                "other_marginal_risk": problems[other]["marginal_risk"].iloc[0],
                "pairs": len(pairs),
                "reversed": int(contrary.sum()),
                "share": contrary.mean() if len(pairs) else np.nan,
            }
            if contrary.any():
                clearest = int(np.nanargmin(by_risk * by_advantage))
                pair, ends = pairs.iloc[clearest], ("one", "other")
                less, more = ends if by_risk.iloc[clearest] > 0 else ends[::-1]
                row |= {"less_risky": f"{pair[f'model_{less}']} on {pair[f'dataset_{less}']}"}
                row |= {"risk": pair[f"risk_{less}"], "advantage": pair[f"advantage_{less}"]}
                row |= {"more_risky": f"{pair[f'model_{more}']} on {pair[f'dataset_{more}']}"}
                row |= {"its_risk": pair[f"risk_{more}"], "its_advantage": pair[f"advantage_{more}"]}
            rows.append(row)
    return pd.DataFrame(rows, columns=column_names("loss_reversals"))


def _judge(
    truth: np.ndarray,
    answers: np.ndarray,
    loss: str,
    cost: np.ndarray | None,
    resamples: int,
    names: tuple[str, str],
) -> dict[str, float]:
    """Return risk, marginal risk, advantage and interval of out-of-fold answers under one loss."""
    options: dict[str, Any] = {"loss": loss, "cost": cost if loss == "cost" else None}
    predicted = answers
    if loss == "zero_one":
        predicted = answers.argmax(axis=1)
    elif loss == "cross_entropy":
        predicted = answers / answers.sum(axis=1, keepdims=True)
    elif loss == "cost":
        assert cost is not None
        predicted = (answers @ cost.T).argmin(axis=1)
    seed = seed_for("interval", *names, loss)
    # The table's caption says what these intervals suppose.
    with warnings.catch_warnings(action="ignore", category=UnboundedLossWarning):
        drawn = options | {"n_resamples": resamples, "random_state": seed}
        low, high = prediction_advantage_interval(truth, predicted, **drawn)
    return {
        "risk": float(resolve(loss, truth, predicted, cost=options["cost"]).losses.mean()),
        "marginal_risk": bayesian_marginal_prediction(truth, **options)[1],
        "advantage": prediction_advantage_score(truth, predicted, **options),
        "low": low,
        "high": high,
    }


def calc_losses(
    data: Sequence[str], losses: Mapping[str, Any], rarest: float, classifiers: Mapping[str, Any], folds: int
) -> dict[str, pd.DataFrame]:
    """Judge models under every loss, on all classes or numbers of their data sets."""
    parts = []
    for path in data:
        name, kind, models = Path(path).stem, "regressor", losses["regressors"]
        if name in losses["classification"]:
            kind, models = "classifier", classifiers
        sizes = {"folds": folds, "resamples": losses["resamples"]}
        parts.append(loss_table(name, read_parquet(path), models, kind=kind, rarest=rarest, **sizes))
    table = pd.concat(parts, ignore_index=True)
    return {"losses": table, "pa_losses": table, "loss_reversals": reversal_table(table)}
