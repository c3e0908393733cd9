"""Crossings against their closed forms, and against the means of drawn test sets."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta

from nontrivial_study.experiments.imbalance.crossings import best_constant, crossing_table, find_crossings
from nontrivial_study.experiments.imbalance.rates import SWEPT_MEASURES, Rates, estimate_rates, expected_cells
from nontrivial_study.experiments.imbalance.sweep import draw_tables

RECORD = {"name": "set", "classes": {"yes": 40, "no": 60}, "positive": "yes"}
TPR, FPR = 0.9, 0.05  # 36 of 40, 3 of 60


def predictions():
    truth = np.repeat([True, False], [40, 60])
    called = np.concatenate([np.arange(40) < 36, np.arange(60) < 3])
    return pd.DataFrame({"task": "set", "model": "m", "truth": truth, "prediction": called})


@pytest.fixture(scope="module")
def table():
    return crossing_table(predictions(), RECORD, "m", noises=[0.2, 0.0], shares=[0.1, 0.4])


def row(table, **keys):
    rows = table[np.logical_and.reduce([table[name] == value for name, value in keys.items()])]
    assert len(rows) == 1
    return rows.iloc[0]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.floats(0, 1), st.floats(0, 1), st.floats(0.02, 0.5), st.floats(0, 1))
def test_expected_cells_are_the_means_of_drawn_tables(tpr, fpr, share, part):
    size, minority = 400, max(round(400 * share), 1)
    flips = round(minority * part)
    drawn = draw_tables(Rates(tpr, fpr), size, minority, flips, 2000, np.random.default_rng(0))
    expected = expected_cells(Rates(tpr, fpr), minority / size, 2 * flips / size)
    for cells, mean in zip(drawn, expected, strict=True):
        assert abs(cells.mean() - size * mean) < 6 * np.sqrt(size / 4 / 2000) + 1e-9


def test_the_best_constant_answer_against_closed_forms():
    shares = np.array([0.05, 0.2, 0.5])
    attained = {"accuracy": 1 - shares, "balanced_accuracy": [0.5] * 3, "f_beta": 2 * shares / (1 + shares)}
    for measure in SWEPT_MEASURES:
        expected = attained.get(measure, [0] * 3)
        np.testing.assert_allclose(best_constant(measure, shares), expected, atol=1e-15)


@pytest.mark.parametrize(("positive", "t", "f"), [("yes", TPR, FPR), ("no", 1 - FPR, 1 - TPR)])
@pytest.mark.parametrize("noise", [0.2, 0.0])
def test_shares_against_closed_forms(table, positive, t, f, noise):
    walk = {"positive": positive, "held": "noise", "at": noise}
    advantage = (noise * t + (1 - noise) * f) / (t + f)
    of_advantage = row(table, **walk, reading="zero", measure="prediction_advantage")
    assert of_advantage["crossing"] == pytest.approx(advantage, abs=6e-5)
    assert of_advantage["low"] < advantage < of_advantage["high"]
    accuracy = row(table, **walk, reading="best_constant", measure="accuracy")
    assert accuracy["crossing"] == pytest.approx(advantage, abs=6e-5)
    kappa = row(table, **walk, reading="zero", measure="cohen_kappa")
    if noise == 0:
        assert kappa["outcome"] == "never"
        assert kappa["width"] == pytest.approx(advantage, abs=2e-4)
    else:
        # Noise alone takes all information away where share (1 - share) = noise / 2, for any classifier.
        limit = (1 - np.sqrt(1 - 2 * noise)) / 2
        assert kappa["crossing"] == pytest.approx(limit, abs=6e-5)
        assert kappa["width"] == pytest.approx(advantage - limit, abs=2e-4)
        half = row(table, **walk, reading="best_constant", measure="balanced_accuracy")
        assert half["crossing"] == kappa["crossing"]


@pytest.mark.parametrize("share", [0.1, 0.4])
def test_noises_against_closed_forms(table, share):
    walk = {"positive": "yes", "held": "minority_share", "at": share, "reading": "zero"}
    advantage = (share * (TPR + FPR) - FPR) / (TPR - FPR)
    assert row(table, **walk, measure="prediction_advantage")["crossing"] == pytest.approx(advantage, abs=6e-5)
    kappa = row(table, **walk, measure="cohen_kappa")
    assert kappa["crossing"] == pytest.approx(2 * share * (1 - share), abs=6e-5)
    assert kappa["width"] == pytest.approx(2 * share * (1 - share) - advantage, abs=2e-4)


def test_crossings_of_several_lines_at_once():
    axis = np.array([0.0, 1.0, 2.0])
    lines = np.array([[3.0, 1.0, -1.0], [-1.0, 2.0, 2.0], [1.0, 1.0, 1.0], [1.0, np.nan, 1.0]])
    np.testing.assert_array_equal(find_crossings(axis, lines), [1.5, 0.0, np.nan, 1.0])


def test_rates_are_drawn_from_their_jeffreys_posteriors():
    rows = predictions()
    estimated, drawn = estimate_rates(rows["truth"].to_numpy(), rows["prediction"].to_numpy(), ("test",))
    assert [rate.item() for rate in estimated] == [TPR, FPR]
    for draws, called, cases in zip(drawn, (36, 3), (40, 60), strict=True):
        levels = np.array([0.025, 0.5, 0.975])
        expected = beta.ppf(levels, called + 0.5, cases - called + 0.5)
        np.testing.assert_allclose(np.quantile(draws, levels), expected, atol=0.02)
