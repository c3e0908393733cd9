"""The exam and the intern's classifier, recomputed (PA paper, Sections 1 and 5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

import pandas as pd


def exam_table(examples: Iterable[Mapping[str, str]]) -> pd.DataFrame:
    """Recompute the exam and the intern's classifier (PA paper, Sections 1 and 5)."""
    rows = []
    for example in examples:
        error, trivial_error = 1 - Fraction(example["correct"]), 1 - Fraction(example["trivial"])
        exact = 1 - error / trivial_error
        rows.append(
            {
                "example": example["example"],
                "who": example["who"],
                "error": float(error),
                "trivial_error": float(trivial_error),
                "stated_advantage": example["stated_advantage"],
                "advantage": float(exact),
                "exact": str(exact),
            }
        )
    return pd.DataFrame(rows)


def calc_exam(exam: Iterable[Mapping[str, str]]) -> dict[str, pd.DataFrame]:
    """Recompute the exam and the intern's classifier."""
    return {"exam": exam_table(exam)}
