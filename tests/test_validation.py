"""Labels, scores and weights in every form people have them."""

import numpy as np
import pandas as pd
import pytest

from nontrivial import _validation as validation


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.uint8])
def test_scores_keep_their_type(dtype):
    scores = validation.as_scores(np.array([0, 3, 1], dtype=dtype))
    assert scores.dtype == dtype
    assert scores.tolist() == [0, 3, 1]


def test_boolean_and_nullable_scores_become_numbers():
    assert validation.as_scores([True, False]).tolist() == [1, 0]
    assert validation.as_scores(pd.Series([0.5, 0.25], dtype="Float64")).tolist() == [0.5, 0.25]


@pytest.mark.parametrize("whole", [int, np.int64])
def test_whole_numbers_beside_others_are_not_rounded(whole):
    assert validation.as_scores([whole(2**53), 0.5]).tolist() == [2**53, 0.5]
    with pytest.raises(ValueError, match="beside decimals"):
        validation.as_scores(np.array([whole(2**53 + 1), 0.5], dtype=object))


def test_whole_targets_of_several_outputs_are_not_rounded():
    targets = pd.DataFrame({"a": [2**60 + 1, 2**60 + 3], "b": [1, 2]}, dtype="Int64")
    with pytest.raises(ValueError, match="beyond 2\\*\\*53"):
        validation.as_real(targets, "y_true")


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        ([0.1, np.nan], "NaN or infinite"),
        ([0.1, -np.inf], "NaN or infinite"),
        ([0.1, None], "missing"),
        (["0.1", "0.2"], "numbers are needed"),
        ([[0.1, 0.9], [0.2, 0.8]], "one column"),
        ([1j, 2], "numbers are needed"),
        ([object(), 1], "not a number"),
        ([], "empty"),
    ],
)
def test_bad_scores_are_one_sentence(scores, reason):
    with pytest.raises(ValueError, match=reason):
        validation.as_scores(scores)


@pytest.mark.parametrize(
    ("weights", "reason"),
    [
        ([1, -1, 1], "negative"),
        ([0, 0, 0], "zero everywhere"),
        ([1, 1], "2 values for 3 cases"),
        ([1, np.nan, 1], "NaN"),
        ([1, np.inf, 1], "infinite"),
        ([1e-15, 1e15, 0], "1e-15 and 1e.15"),
        ([5e-324, 1, 1], "5e-324|4.94e-324"),
    ],
)
def test_bad_weights_are_one_sentence(weights, reason):
    with pytest.raises(ValueError, match=reason):
        validation.as_weights(weights, 3)


@pytest.mark.parametrize("least", [1e-6, 3e-20, 7.0])
def test_weights_may_differ_by_twelve_decades(least):
    assert validation.as_weights([least, least * 1e12, 0], 3).tolist() == [least, least * 1e12, 0]
    with pytest.raises(ValueError, match=r"1e\+12 times"):
        validation.as_weights([least, least * 1.001e12, 0], 3)


def test_absent_weights_stay_absent():
    assert validation.as_weights(None, 3) is None


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, "0.95", np.nan])
def test_level_must_be_inside_the_unit_interval(level):
    with pytest.raises(ValueError, match="level"):
        validation.check_in_unit_interval(level, "level")


def test_regression_targets_may_have_outputs():
    assert validation.as_real([[1, 2], [3, 4]], "y_true").shape == (2, 2)
    with pytest.raises(ValueError, match="3 dimensions"):
        validation.as_real(np.zeros((2, 2, 2)), "y_true")


def test_numbers_are_shown_as_people_write_them():
    values = [np.int64(1), np.float32(0.1), np.str_("a"), np.bool_(True), [np.int64(1)], (np.float64(0.5),)]
    assert [validation.show(value) for value in values] == ["1", "0.1", "'a'", "True", "[1]", "(0.5,)"]
