"""The exam and the intern's classifier, recomputed (PA paper, Sections 1 and 5)."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

import pandas as pd

from nontrivial_study.tables import column_names


def calc_exam(exam: Iterable[Mapping[str, str]]) -> dict[str, pd.DataFrame]:
    """Recompute the exam and the intern's classifier (PA paper, Sections 1 and 5)."""
    rows = []
    for example in exam:
        error, trivial_error = 1 - Fraction(example["correct"]), 1 - Fraction(example["trivial"])
        exact = 1 - error / trivial_error
        shares = {"error": float(error), "trivial_error": float(trivial_error), "advantage": float(exact)}
        rows.append({**example, **shares, "exact": str(exact)})
    return {"exam": pd.DataFrame(rows, columns=column_names("exam"))}
