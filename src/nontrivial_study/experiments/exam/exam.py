"""The exam and the intern's classifier, recomputed (PA paper, Sections 1 and 5)."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

import pandas as pd

from nontrivial_study.tables import column_names


def calc_exam(exam: Iterable[Mapping[str, str]]) -> dict[str, pd.DataFrame]:
    """Compute the advantage of each example from its accuracy and the trivial accuracy (PA paper, Sections 1 and 5)."""
    rows = []
    for example in exam:
        error, trivial_error = 1 - Fraction(example["correct"]), 1 - Fraction(example["trivial"])
        advantage = 1 - error / trivial_error
        row = {"error": float(error), "trivial_error": float(trivial_error), "advantage": float(advantage)}
        rows.append({**example, **row, "exact": str(advantage)})
    return {"exam": pd.DataFrame(rows, columns=column_names("exam"))}
