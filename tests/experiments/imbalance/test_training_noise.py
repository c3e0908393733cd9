"""Degraded training sets have the share and the noise asked for, and models answer to them as they must."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nontrivial_study.experiments.imbalance.rates import SWEPT_MEASURES
from nontrivial_study.experiments.imbalance.training_noise import degrade, noise_table

RECORD = {"name": "set", "classes": {"yes": 60, "no": 60}, "positive": "yes"}
STUMP = {"stump": {"estimator": "DecisionTreeClassifier", "parameters": {"max_depth": 1}}}


def separable():
    x = np.arange(120, dtype=float)
    return pd.DataFrame({"x": x, "target": np.where(x < 60, "no", "yes")})


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(20, 200), st.floats(0.05, 0.5), st.floats(0, 1), st.integers(0, 9))
def test_share_and_noise_are_exact(size, share, part, seed):
    positives = round(size * share)
    noise = 2 * int(part * positives) / size
    truth = np.arange(size) < size // 2
    rows, labels = degrade(truth, share, noise, np.random.default_rng(seed))
    assert len(rows) == len(labels) == size
    assert labels.sum() == positives
    wrong = labels != truth[rows]
    assert wrong.sum() == round(noise * size)
    assert (wrong & labels).sum() == (wrong & ~labels).sum()


def table(**changes):
    options = {"noises": [0.2, 0.0], "shares": [0.05, 0.3], "folds": 4} | changes
    return noise_table(separable(), RECORD, STUMP, **options)


def test_rows_and_what_is_impossible():
    whole = table()
    assert len(whole) == 2 * 2 * 2 * 2 * len(SWEPT_MEASURES)  # classes, noises, shares, clean and noisy
    impossible = whole[(whole["noise"] == 0.2) & (whole["minority_share"] == 0.05)]
    assert set(impossible["outcome"]) == {"impossible"}
    assert impossible["status"].str.contains("flips 9 of each class, the minority has 4").all()
    assert impossible[["value", "low", "high"]].isna().all(axis=None)
    assert set(whole.drop(impossible.index)["outcome"]) == {"ok"}


def test_clean_and_noisy_tests_are_the_same_without_noise():
    values = table(noises=[0.0]).set_index(["tested_on", "positive", "minority_share", "measure"])["value"]
    pd.testing.assert_series_equal(values["clean"], values["noisy"])


def test_a_perfect_model_is_judged_by_the_noise_of_the_test():
    """The classes are apart and noise is mild: the stump finds the border, and only noisy labels speak against it."""
    rows = table(noises=[0.1], shares=[0.5]).query("measure == 'prediction_advantage' and positive == 'yes'")
    values = rows.set_index("tested_on")["value"]
    assert values["clean"] > 0.9
    assert values["noisy"] == pytest.approx(values["clean"] * 0.8, abs=0.02)  # the noise takes a fifth of PA


def test_a_model_that_fails_says_why():
    bad = {"bad": {"estimator": "KNeighborsClassifier", "parameters": {"n_neighbors": 500}}}
    failed = noise_table(separable(), RECORD, bad, noises=[0.0], shares=[0.5], folds=3)
    assert set(failed["outcome"]) == {"failed"}
    assert failed["status"].str.startswith("failed in fold 0: ValueError").all()
