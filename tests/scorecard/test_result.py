"""When two results are equal."""

from copy import deepcopy
from dataclasses import replace

import numpy as np

import nontrivial
from nontrivial.scorecard.estimates.estimate import Estimate


def undefined():
    return np.float64("nan")  # another object at each call


def test_undefined_equals_undefined_and_no_number():
    assert Estimate(undefined()) == Estimate(undefined())
    assert Estimate(undefined()) != Estimate(0.5)
    assert Estimate(0.5, undefined()) == Estimate(0.5)
    assert Estimate(0.5) != 0.5


def test_the_same_answers_have_equal_results():
    first, second = (nontrivial.score([0, 1] * 3, y_pred=[0] * 6).result for _ in range(2))
    assert np.isnan(first.measures["precision"].value)
    assert first == second == deepcopy(first)
    assert replace(first, error=0.123) != first
    assert replace(first, measures=first.measures | {"precision": Estimate(0.5)}) != first
