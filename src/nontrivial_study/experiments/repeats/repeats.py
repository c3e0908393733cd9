"""Models in repeated cross-validation on one data set, and the published Haberman errors (PA paper, Appendix A)."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from nontrivial._draws import CONFIDENCE_LEVEL
from nontrivial.measures.comparison import holm, triviality_test
from nontrivial.measures.cross_validated import corrected_resampled_reach
from nontrivial.measures.published.advantage import published_advantage
from nontrivial_study.experiments.results import FAILED, NOT_EVALUATED, OK
from nontrivial_study.tables import column_names, read_parquet


def haberman_table(published: Mapping[str, Any]) -> pd.DataFrame:
    """Recompute the Prediction Advantage of the published Haberman errors (PA paper, Appendix A)."""
    positives, cases = published["positives"], published["cases"]
    always_wrong = float(1 - 1 / Fraction(min(positives, cases - positives), cases))
    rows = []
    for entry in published["errors"]:
        record = published_advantage(error=entry["error"], positives=positives, n=cases)
        greater = entry["bound"] == "greater"
        rows.append(
            {
                **entry,
                "advantage": record.advantage,
                "low": always_wrong if greater else record.low,
                "high": record.advantage if greater else record.high,
                "sign_certain": record.advantage < 0 if greater else record.sign_certain,
                "possible": True if greater else record.possible,
            }
        )
    return pd.DataFrame(rows, columns=column_names("haberman_published"))


COMMAND = "snakemake --cores 8"


def repeated_table(dataset: str, predictions: pd.DataFrame, runs: pd.DataFrame) -> pd.DataFrame:
    """Judge every model by its repeated cross-validation.

    The interval is that of the corrected resampled t-test, whose variance allows for the overlap of the training
    sets. The p-value is twice the median, over the repeats, of the exact triviality tests' p-values, which keeps
    their level however the repeats depend on each other; `p_holm` is it with Holm's correction for as many tests as
    there are models. All three take a fold's model as given by the data set's distribution, as cross-validation does.

    See the PA paper, Appendix A; Nadeau and Bengio 2003; Bouckaert and Frank 2004; Rueschendorf 1982; Holm 1979.
    """
    rows = []
    by_model = dict(iter(predictions.groupby("model", sort=False)))
    for model, of_model in runs.groupby("model", sort=False):
        row: dict[str, Any] = {"dataset": dataset, "model": model}
        failures = of_model.loc[of_model["status"] != OK, "status"]
        if failures.empty:
            row |= {"outcome": OK, "status": OK} | _judge(by_model[model])
        else:
            row |= {"outcome": FAILED, "status": failures.iloc[0]}
        rows.append(row)
    table = pd.DataFrame(rows).assign(command="").reindex(columns=column_names("haberman_trained"))
    table["p_holm"] = holm(table["p_value"])
    table["better_than_trivial"] = (table["p_holm"] <= 1 - CONFIDENCE_LEVEL + 1e-12).where(
        table["outcome"] == OK
    )
    return table.astype({"repeats": "Int64", "folds": "Int64"})


def summary_table(table: pd.DataFrame) -> pd.DataFrame:
    """Count the models of `repeated_table` that are better than trivial, by ever stricter readings."""
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
    """Return both tables for a data set that the study does not have: a row that says so, and what would have it."""
    absent = f"{NOT_EVALUATED}: data set {dataset} is not among those of this study"
    row = {"dataset": dataset, "outcome": NOT_EVALUATED, "status": absent, "command": COMMAND}
    trained = pd.DataFrame([row], columns=column_names("haberman_trained"))
    return trained, trained.reindex(columns=column_names("haberman_trained_summary"))


def _judge(rows: pd.DataFrame) -> dict[str, Any]:
    wrong = rows["truth"] != rows["prediction"]
    positive = rows["truth"].mean()
    trivial = min(positive, 1 - positive)
    missed = rows["truth"] if positive <= 0.5 else ~rows["truth"]  # what the majority's constant gets wrong
    by_repeat = wrong.groupby(rows["repeat"]).mean()
    folds = (missed.astype(float) - wrong).groupby([rows["repeat"], rows["fold"]])
    surplus = np.asarray(folds.mean() / trivial, dtype=np.float64)
    repeats, count = len(by_repeat), len(surplus)
    advantage = 1 - by_repeat.mean() / trivial
    tested_per_trained = 1 / (count // repeats - 1)
    reach = corrected_resampled_reach(surplus, tested_per_trained, CONFIDENCE_LEVEL)
    of_repeats = [of_repeat for _, of_repeat in rows.groupby("repeat")]
    p_values = [triviality_test(part["truth"], part["prediction"]).pvalue for part in of_repeats]
    return {
        "repeats": repeats,
        "folds": count // repeats,
        "error": by_repeat.mean(),
        "error_least": by_repeat.min(),
        "error_greatest": by_repeat.max(),
        "trivial_error": trivial,
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
