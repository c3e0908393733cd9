"""The P4 article's probabilities: bounds on measures near 0, and the plane."""

from fractions import Fraction

import numpy as np
import pytest

from nontrivial_study.experiments.imbalance.imbalance import Rates, expected_cells
from nontrivial_study.experiments.p4.p4 import MEASURES, PROBABILITIES, dependency_table, plane_table

STATED = {"P4": "1111", "F1": "1100", "Informedness": "0110", "Markedness": "1001"}


@pytest.fixture(scope="module")
def dependencies():
    stated = {
        name: dict(zip(PROBABILITIES, [mark == "1" for mark in marks], strict=True))
        for name, marks in STATED.items()
    }
    return dependency_table(stated, powers=4).set_index(["measure", "probability"])


def test_the_articles_table_is_found(dependencies):
    assert (dependencies["depends"] == dependencies["stated"]).all()
    assert len(dependencies) == 16


def test_the_greatest_is_what_its_counts_give_and_the_bound_holds(dependencies):
    bounds = {"P4": 4 / (100 + 3), "F1": 2 / (100 + 1), "Informedness": 0.01, "Markedness": 0.01}
    for (measure, probability), row in dependencies.iterrows():
        tp, fp, fn, tn = (Fraction(int(row[cell])) for cell in ("tp", "fp", "fn", "tn"))
        rates = {
            "precision": (tp, tp + fp),
            "recall": (tp, tp + fn),
            "specificity": (tn, tn + fp),
            "negative_predictive_value": (tn, tn + fn),
        }
        part, whole = rates[probability]
        assert part / whole <= Fraction(1, 100)
        values = {
            "P4": (4 * tp * tn, 4 * tp * tn + (tp + tn) * (fp + fn)),
            "F1": (2 * tp, 2 * tp + fp + fn),
            "Informedness": (tp * tn - fp * fn, (tp + fn) * (tn + fp)),
            "Markedness": (tp * tn - fp * fn, (tp + fp) * (tn + fn)),
        }
        above, below = values[measure]
        value = above / below
        assert row["greatest"] == pytest.approx(float(value), rel=1e-12)
        assert row["greatest"] <= bounds[measure] + 1e-12 if row["depends"] else row["greatest"] > 0.95


def test_the_plane_is_the_measures_of_the_expected_cells():
    table = plane_table(Rates(0.9, 0.2), [0.1, 0.4], [0.0, 0.3])
    point = table[(table["minority_share"] == 0.4) & (table["noise"] == 0.3)].iloc[0]
    tp, fp, fn, tn = map(float, expected_cells(0.9, 0.2, 0.4, 0.3))
    assert point["informedness"] == pytest.approx(tp / (tp + fn) + tn / (tn + fp) - 1)
    assert point["markedness"] == pytest.approx(tp / (tp + fp) + tn / (tn + fn) - 1)
    assert point["prediction_advantage"] == pytest.approx(1 - (fp + fn) / 0.4)
    beyond = table[(table["minority_share"] == 0.1) & (table["noise"] == 0.3)]
    assert beyond[list(MEASURES.values())].isna().all(axis=None)
    assert np.isfinite(table["p4"]).sum() == 3
