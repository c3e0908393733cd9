"""Comparing a table of the results with the table that the study makes again: by numbers, not by bytes."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from nontrivial._arrays import Floats
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
    pairs = [_as_numbers(first[name], second[name]) for name in first]
    gaps = np.column_stack([np.abs(numbers - others) for numbers, others in pairs])
    is_same = ((first == second) | (first.isna() & second.isna())).to_numpy()
    gaps = np.where(is_same, 0, np.where(np.isnan(gaps), np.inf, gaps))
    if is_same.all():
        return None
    sizes = np.column_stack([np.fmax(1, np.abs(numbers)) for numbers, _ in pairs])
    of_numbers = gaps[np.isfinite(gaps) & (gaps > 0)]
    counts = {"number": len(of_numbers), "text": int(np.isinf(gaps).sum())}
    what = " and ".join(count_of(count, thing) for thing, count in counts.items() if count)
    text = (
        f"{what} in {count_of(int(gaps.any(axis=1).sum()), 'row')} differ{'s' * (sum(counts.values()) == 1)}"
    )
    text += f", at most by {of_numbers.max():.3g}" if len(of_numbers) else ""
    rows = first[(gaps > ROUNDING_ERROR * sizes).any(axis=1)]
    if "model" not in rows:
        return Difference(f"{text}.", rows.empty)
    models = sorted(set(rows["model"]))
    return Difference(
        f"{text}{f' (rows of {listed(models)})' if models else ''}.", unstable.issuperset(models)
    )


def _read_values(path: Path) -> pd.DataFrame:
    table = read_parquet(path) if path.suffix == ".parquet" else read_texts(path)
    return table.astype({name: "str" for name in table if not pd.api.types.is_float_dtype(table[name])})


def _as_numbers(*columns: pd.Series) -> list[Floats]:
    return [
        pd.to_numeric(column, errors="coerce").to_numpy(dtype=float, na_value=np.nan) for column in columns
    ]
