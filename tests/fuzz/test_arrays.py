"""Whatever stands where an array belongs: a number in its range, NaN by the 0/0 rule, or an error."""

import math
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nontrivial import curves, measures

FUNCTIONS = {name: getattr(curves, name) for name in curves.__all__ if name.endswith("_score")}
for name in ("prediction_advantage", "p4", "precision_gain", "goodman_kruskal_lambda", "mcfadden_r2"):
    FUNCTIONS[name] = getattr(measures, f"{name}_score")
pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning"),
    pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning"),
]


def outcome(function, *arguments, **settings):
    """Return what comes out; None for an error that says what is wrong with an argument. All else fails."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            return function(*arguments, **settings)
    except ValueError:
        return None


numbers = st.one_of(
    st.booleans(),
    st.integers(-2, 2),
    st.sampled_from([2**63, 2**64, -(2**70), 5e-324, 1.7e308, -1.7e308, 1e-300, -0.0]),
    st.floats(),
    st.fractions().map(Fraction),
    st.just(Decimal("0.1")),
)
cells = st.one_of(
    numbers, st.text(max_size=2), st.binary(max_size=2), st.none(), st.just(pd.NA), st.just([1]), st.just(1j)
)
kinds = st.sampled_from([list, tuple, pd.Series, lambda v: np.array(v, dtype=object), np.array])
columns = st.one_of(
    *[st.lists(cell, min_size=2, max_size=6) for cell in (st.integers(0, 1), st.floats(0, 1), numbers, cells)]
)


def made(kind, values):
    try:
        return kind(values)
    except Exception:  # NumPy itself does not take it
        return values


@given(
    st.sampled_from(sorted(FUNCTIONS)),
    st.lists(st.integers(0, 1), min_size=2, max_size=6) | columns,
    columns,
    st.none() | columns,
    kinds,
)
def test_any_column_is_a_number_in_range_or_an_error(name, truth, other, weights, kind):
    settings = {} if weights is None else {"sample_weight": made(kind, weights)}
    found = outcome(FUNCTIONS[name], made(kind, truth), made(kind, other), **settings)
    if isinstance(found, float) and not math.isnan(found):
        low = 0 if name in ("pr_auc_score", "roc_hull_auc_score", "h_measure_score", "p4") else -math.inf
        assert low - 1e-9 <= found <= 1 + 1e-9
