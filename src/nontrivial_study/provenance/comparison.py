"""Comparing a table of the results with the table that the study makes again: by numbers, not by bytes."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from nontrivial.terminal import count_of, listed
from nontrivial_study.tables import read_parquet, read_texts

# Rounding alone moves a number by less than this, as a share of the number, or absolutely if the number is below 1.
ROUNDING_ERROR = 1e-9


@dataclass(frozen=True)
class Difference:
    """What differs between two files, and whether rounding on another processor can explain all of it."""

    text: str
    is_rounding: bool


def find_difference(recorded: Path, again: Path, unstable: set[str]) -> Difference | None:
    """Compare two files that have different bytes; None if they are tables with the same values.

    A difference can come from rounding if it is at most `ROUNDING_ERROR`, or in a row of one of the `unstable` models.
    """
    if recorded.suffix not in (".csv", ".parquet"):
        return Difference("is not what the study run again gives.", False)
    first, second = map(_read_values, (recorded, again))
    if list(first) != list(second) or len(first) != len(second):
        return Difference("has other rows or columns than the study run again gives.", False)
    numbers, others = (table.apply(pd.to_numeric, errors="coerce").astype(float) for table in (first, second))
    is_same = (first == second) | (first.isna() & second.isna())
    gaps = (numbers - others).abs().fillna(np.inf).mask(is_same, 0)
    if is_same.all(axis=None):
        return None
    sizes = gaps.to_numpy()
    of_numbers = sizes[np.isfinite(sizes) & (sizes > 0)]
    counts = {"number": len(of_numbers), "text": int(np.isinf(sizes).sum())}
    parts = " and ".join(count_of(count, thing) for thing, count in counts.items() if count)
    verb = "differs" if sum(counts.values()) == 1 else "differ"
    text = f"{parts} in {count_of(int(sizes.any(axis=1).sum()), 'row')} {verb}"
    text += f", at most by {of_numbers.max():.3g}" if len(of_numbers) else ""
    rows = first[(gaps > ROUNDING_ERROR * numbers.abs().clip(lower=1).fillna(1)).any(axis=1)]
    models = sorted(set(rows["model"])) if "model" in rows else []
    text += f" (rows of {listed(models)})." if models else "."
    return Difference(text, rows.empty or ("model" in rows and unstable.issuperset(models)))


def _read_values(path: Path) -> pd.DataFrame:
    table = read_parquet(path) if path.suffix == ".parquet" else read_texts(path)
    return table.astype({name: "str" for name in table if not pd.api.types.is_float_dtype(table[name])})
