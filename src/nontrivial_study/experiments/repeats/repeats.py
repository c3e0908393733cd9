"""Models in repeated cross-validation on one data set, and the published Haberman errors (PA paper, Appendix A)."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from nontrivial._draws import CONFIDENCE_LEVEL
from nontrivial.measures.comparison import holm, triviality_test
from nontrivial.measures.published.advantage import published_advantage
from nontrivial.measures.student import corrected_resampled_reach
from nontrivial_study.experiments.results import FAILED, NOT_EVALUATED_OUTCOME, OK
from nontrivial_study.tables import column_names, read_parquet


def haberman_table(published: Mapping[str, Any]) -> pd.DataFrame:
    """Recompute the Prediction Advantage of the published Haberman errors (PA paper, Appendix A)."""
    positives, cases = published["positives"], published["cases"]
    advantage_if_always_wrong = float(1 - 1 / Fraction(min(positives, cases - positives), cases))
    rows = []
    for entry in published["errors"]:
        record = published_advantage(error=entry["error"], positives=positives, n=cases)
        row = {name: getattr(record, name) for name in ("advantage", "low", "high", "sign_certain", "possible")}
        if entry["bound"] == "greater":  # the paper prints "> 0.30", so the advantage is less than at 0.30
            row |= {"low": advantage_if_always_wrong, "high": record.advantage}
            row |= {"sign_certain": record.advantage < 0, "possible": True}
        rows.append({**entry, **row})
    return pd.DataFrame(rows, columns=column_names("haberman_published"))


def repeated_table(dataset: str, predictions: pd.DataFrame, runs: pd.DataFrame) -> pd.DataFrame:
    """Judge every model by its repeated cross-validation.

    The interval comes from the corrected resampled t-test, whose variance allows for the overlap of the training sets.
    The p-value is twice the median of the repeats' exact triviality tests, which keeps the level of these tests however
    the repeats depend on each other. `p_holm` is the p-value with Holm's correction for the number of models.

    See the PA paper, Appendix A; Nadeau and Bengio 2003; Bouckaert and Frank 2004; Rueschendorf 1982; Holm 1979.
    """
    rows = []
    by_model = dict(iter(predictions.groupby("model", sort=False)))
    for model, of_model in runs.groupby("model", sort=False):
        row: dict[str, Any] = {"dataset": dataset, "model": model}
        failures = of_model.loc[of_model["status"] != OK, "status"]
        if failures.empty:
            row |= {"outcome": OK, "status": OK} | _judge_repeats(by_model[model])
        else:
            row |= {"outcome": FAILED, "status": failures.iloc[0]}
        rows.append(row)
    table = pd.DataFrame(rows).assign(command="").reindex(columns=column_names("haberman_trained"))
    table["p_holm"] = holm(table["p_value"])
    is_better = table["p_holm"] <= 1 - CONFIDENCE_LEVEL + 1e-12
    table["better_than_trivial"] = is_better.where(table["outcome"] == OK)
    return table.astype({"repeats": "Int64", "folds": "Int64"})


def summary_table(table: pd.DataFrame) -> pd.DataFrame:
    """Count the models of `repeated_table` that are better than trivial: each count is stricter than the one before."""
    good = table[table["outcome"] == OK]
    counts = {
        "dataset": table["dataset"].iloc[0],
        "models": len(good),
        "failed": int((table["outcome"] == FAILED).sum()),
        "advantage_above_0": int((good["advantage"] > 0).sum()),
        "interval_above_0": int((good["low"] > 0).sum()),
        "better_uncorrected": int((good["p_value"] <= 1 - CONFIDENCE_LEVEL + 1e-12).sum()),
        "better_than_trivial": int(good["better_than_trivial"].astype(bool).sum()),
        "level": round(1 - CONFIDENCE_LEVEL, 12),
        "outcome": OK,
        "status": OK,
        "command": "",
    }
    return pd.DataFrame([counts], columns=column_names("haberman_trained_summary"))


def not_evaluated(dataset: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return both tables for a data set that the study lacks, each with one row that says why."""
    absent = f"{NOT_EVALUATED_OUTCOME}: data set {dataset} is not among those of this study"
    row = {"dataset": dataset, "outcome": NOT_EVALUATED_OUTCOME, "status": absent, "command": "snakemake --cores 8"}
    trained = pd.DataFrame([row], columns=column_names("haberman_trained"))
    return trained, trained.reindex(columns=column_names("haberman_trained_summary"))


def _judge_repeats(rows: pd.DataFrame) -> dict[str, Any]:
    """Return error, advantage, interval and p-value of one model's repeated cross-validation."""
    is_wrong = rows["truth"] != rows["prediction"]
    positive_share = rows["truth"].mean()
    trivial_error = min(positive_share, 1 - positive_share)
    is_trivially_wrong = rows["truth"] if positive_share <= 0.5 else ~rows["truth"]
    errors = is_wrong.groupby(rows["repeat"]).mean()
    folds = (is_trivially_wrong.astype(float) - is_wrong).groupby([rows["repeat"], rows["fold"]])
    fold_advantages = np.asarray(folds.mean() / trivial_error, dtype=np.float64)
    n_folds = len(fold_advantages) // len(errors)
    advantage = 1 - errors.mean() / trivial_error
    test_train_ratio = 1 / (n_folds - 1)
    reach = corrected_resampled_reach(fold_advantages, test_train_ratio, CONFIDENCE_LEVEL)
    p_values = [
        triviality_test(of_repeat["truth"], of_repeat["prediction"]).pvalue for _, of_repeat in rows.groupby("repeat")
    ]
    return {
        "repeats": len(errors),
        "folds": n_folds,
        "error": errors.mean(),
        "error_least": errors.min(),
        "error_greatest": errors.max(),
        "trivial_error": trivial_error,
        "advantage": advantage,
        "low": advantage - reach,
        "high": min(advantage + reach, 1.0),
        "p_value": min(1.0, 2 * float(np.median(p_values))),
    }


def calc_repeats(
    predictions: Sequence[str], runs: Sequence[str], dataset: str, haberman: Mapping[str, Any]
) -> dict[str, pd.DataFrame]:
    """Judge published errors on Haberman's data, and models in repeated cross-validation if it was run."""
    if predictions:
        joined = (pd.concat(map(read_parquet, parts), ignore_index=True) for parts in (predictions, runs))
        trained = repeated_table(dataset, *joined)
        summary = summary_table(trained)
    else:
        trained, summary = not_evaluated(dataset)
    tables = {"haberman_trained": trained, "haberman_trained_summary": summary}
    return {"haberman_published": haberman_table(haberman), **tables}
