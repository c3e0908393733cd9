"""The risk and the Prediction Advantage of models under every loss of the PA paper."""

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
from nontrivial.measures.losses import UnboundedLossWarning, resolve_sample
from nontrivial.seeds import seed_for
from nontrivial_study.data.canonical import TARGET
from nontrivial_study.experiments.results import OK, failure_of
from nontrivial_study.experiments.tasks.models import build_model
from nontrivial_study.experiments.tasks.training import encode_folds
from nontrivial_study.tables import column_names, read_parquet

LOSSES_BY_KIND = {"classifier": ("zero_one", "cross_entropy", "cost"), "regressor": ("squared", "absolute")}


def cost_matrix(truth: np.ndarray, cost_of_rarest: float) -> np.ndarray:
    """Return costs, a row for each prediction: missing the rarest class costs `cost_of_rarest`, any other error 1."""
    counts = np.bincount(truth)
    cost = np.ones((len(counts), len(counts)))
    cost[:, np.argmin(counts)] = cost_of_rarest
    np.fill_diagonal(cost, 0)
    return cost


def loss_table(
    dataset: str,
    table: pd.DataFrame,
    models: Mapping[str, Mapping[str, Any]],
    *,
    kind: str,
    folds: int,
    cost_of_rarest: float = 1.0,
    resamples: int = 2000,
) -> pd.DataFrame:
    """Train models out of fold on a data set, and judge them by every loss (PA paper, Sections 2.3 to 2.7)."""
    truth, cost, n_classes = table[TARGET].to_numpy(), None, None
    splitter: Any = KFold
    if kind == "classifier":
        truth, names = pd.factorize(table[TARGET].astype(str), sort=True)
        cost, n_classes, splitter = cost_matrix(truth, cost_of_rarest), len(names), StratifiedKFold
    else:
        truth = truth.astype(np.float64)
    splits = list(splitter(folds, shuffle=True, random_state=seed_for("folds", dataset)).split(truth, truth))
    encoded_fold = encode_folds(table.drop(columns=TARGET), splits)
    rows = []
    for name, specification in models.items():
        with threadpool_limits(1), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                answers = np.empty((len(truth), n_classes) if n_classes else len(truth))
                for number, (train, test) in enumerate(splits):
                    train_rows, test_rows = encoded_fold(number)
                    seed = seed_for("loss", dataset, name, number)
                    model = build_model(name, specification, seed, kind=kind).fit(train_rows, truth[train])
                    if n_classes:
                        answers[test] = class_scores(model, test_rows, range(n_classes), ("predict_proba",))
                    else:
                        answers[test] = model.predict(test_rows)
                status = OK
            except Exception as error:  # one model's failure is a row with its reason, not the end of the run
                status = failure_of(error)
        for loss in LOSSES_BY_KIND[kind]:
            row: dict[str, Any] = {"dataset": dataset, "classes": n_classes, "model": name}
            row |= {"loss": loss, "status": status}
            if status == OK:
                seed = seed_for("interval", dataset, name, loss)
                row |= _judge_by_loss(truth, answers, loss, cost, resamples, seed)
            rows.append(row)
    return pd.DataFrame(rows).reindex(columns=column_names("losses")).astype({"classes": "Int64"})


def _judge_by_loss(
    truth: np.ndarray, answers: np.ndarray, loss: str, cost: np.ndarray | None, resamples: int, seed: int
) -> dict[str, float]:
    """Return risk, marginal risk, advantage and interval of out-of-fold answers under one loss."""
    options: dict[str, Any] = {"loss": loss, "cost": cost if loss == "cost" else None}
    prediction = answers
    if loss == "zero_one":
        prediction = answers.argmax(axis=1)
    elif loss == "cross_entropy":
        prediction = answers / answers.sum(axis=1, keepdims=True)
    elif loss == "cost":
        assert cost is not None
        prediction = (answers @ cost.T).argmin(axis=1)
    # The table's caption says what these intervals assume.
    with warnings.catch_warnings(action="ignore", category=UnboundedLossWarning):
        low, high = prediction_advantage_interval(
            truth, prediction, **options, n_resamples=resamples, random_state=seed
        )
    return {
        "risk": float(resolve_sample(loss, truth, prediction, cost=options["cost"]).losses.mean()),
        "marginal_risk": bayesian_marginal_prediction(truth, **options)[1],
        "advantage": prediction_advantage_score(truth, prediction, **options),
        "low": low,
        "high": high,
    }


def reversal_table(losses: pd.DataFrame) -> pd.DataFrame:
    """Count how often risk and advantage order two models of two problems differently (PA paper, Sections 1 and 5).

    A pair is a model of one problem and a model of another whose risks differ. The row also has the clearest pair.
    """
    rows = []
    finite = losses[np.isfinite(losses["risk"].astype(float))]
    for loss, of_loss in finite.groupby("loss", sort=False):
        problems = dict(iter(of_loss.groupby("dataset", sort=False)))
        for one, other in combinations(problems, 2):
            pairs = problems[one].merge(problems[other], on="loss", suffixes=("_one", "_other"))
            pairs = pairs[pairs["risk_one"] != pairs["risk_other"]]
            # Above 0 if the model of the first problem is better.
            by_risk = pairs["risk_other"] - pairs["risk_one"]
            by_advantage = pairs["advantage_one"] - pairs["advantage_other"]
            is_reversed = by_risk * by_advantage < 0
            row = {
                "loss": loss,
                "one": one,
                "other": other,
                "one_marginal_risk": problems[one]["marginal_risk"].iloc[0],
                "other_marginal_risk": problems[other]["marginal_risk"].iloc[0],
                "pairs": len(pairs),
                "reversed": int(is_reversed.sum()),
                "share": is_reversed.mean() if len(pairs) else np.nan,
            }
            if is_reversed.any():
                clearest = int(np.nanargmin(by_risk * by_advantage))
                pair = pairs.iloc[clearest]
                less, more = ("one", "other") if by_risk.iloc[clearest] > 0 else ("other", "one")
                row |= {"less_risky": f"{pair[f'model_{less}']} on {pair[f'dataset_{less}']}"}
                row |= {"risk": pair[f"risk_{less}"], "advantage": pair[f"advantage_{less}"]}
                row |= {"more_risky": f"{pair[f'model_{more}']} on {pair[f'dataset_{more}']}"}
                row |= {"its_risk": pair[f"risk_{more}"], "its_advantage": pair[f"advantage_{more}"]}
            rows.append(row)
    return pd.DataFrame(rows, columns=column_names("loss_reversals"))


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
        parts.append(loss_table(name, read_parquet(path), models, kind=kind, cost_of_rarest=rarest, **sizes))
    table = pd.concat(parts, ignore_index=True)
    return {"losses": table, "pa_losses": table, "loss_reversals": reversal_table(table)}
