"""Labels, scores, weights and options that are refused, and why; `measures/test_peers.py` has every form of them."""

import numpy as np
import pandas as pd
import pytest

from nontrivial import _validation as validation
from nontrivial.curves import FBetaCalibrator, prg_auc_score
from nontrivial.measures import f_gain_score, prediction_advantage_score

NAN = float("nan")
MASKED = np.ma.array([1, 2], mask=[0, 1])
CHECKS = {
    "labels": lambda labels: prg_auc_score(labels, [1, 2]),
    "scores": lambda scores: prg_auc_score([0, 1], scores),
    "predictions": lambda given: f_gain_score(*given[:2], pos_label=given[2]),
    "classes": lambda classes: prediction_advantage_score([1, 3], [1, 3], labels=classes),
    "column": lambda scores: FBetaCalibrator().fit(scores, [0, 1]),
    "weights": lambda values: validation.as_weights(values, 3),
    "level": lambda level: validation.check_in_unit_interval(level, "level"),
    "beta": validation.check_beta,
}
BAD = [
    ("labels", [0, None], "y_true.*missing"),
    ("labels", [0, NAN], "y_true contains NaN"),
    ("labels", ["a", 1], "y_true.*one kind"),
    ("labels", ["a", "b"], "'a' and 'b'"),
    ("scores", [0.1, -np.inf], "y_score contains infinity"),
    ("scores", ["0.1", "0.2"], "numbers are needed"),
    ("scores", np.zeros((2, 2)), r"shape \(2, 2\); pass one column"),
    ("scores", MASKED, "y_score has masked values"),
    ("column", MASKED, "X has masked values"),
    ("predictions", ([0, 1], ["0", "1"], 1), "strings"),
    ("predictions", ([0, 1], [0, 2], 1), "may hold 0 and 1"),
    ("predictions", ([0, 1], [0.2, 0.7], 1), "classes, not scores"),
    ("predictions", (["a", "b"], ["a", "c"], "a"), "may hold 'b' and 'a'"),
    *(("predictions", ([0, 1], [0, 1], bad), "labels 0 and 1") for bad in (2, "1", NAN, pd.NA, [1])),
    ("classes", [1, 2], "label 3 is none of the classes 1, 2"),
    ("classes", [1, 2, 3, 3], "twice"),
    ("classes", ["1", "2", "3"], "strings"),
    ("classes", MASKED, "labels has masked values"),
    ("weights", [1, -1, 1], "negative"),
    ("weights", [0, 0, 0], "zero everywhere"),
    ("weights", [1, 1], "inconsistent numbers of samples"),
    ("weights", [1e-15, 1e15, 0], "1e-15 and 1e.15"),
    ("weights", [7, 7.007e12, 0], r"1e\+12 times"),
    ("weights", [5e-324, 1, 1], "4.94e-324"),
    *(("level", bad, "level") for bad in (0, 1, -0.5, 95, "0.95", NAN, 1e-10)),
    *(("beta", bad, "beta") for bad in (-1, NAN, "1")),
]


@pytest.mark.parametrize(("check", "values", "reason"), BAD)
def test_an_error_says_what_is_wrong(check, values, reason):
    with pytest.raises(ValueError, match=reason):
        CHECKS[check](values)


def test_numbers_keep_their_digits():
    great = pd.Series([2**60 + 1, 2**60 + 2], dtype="Int64")
    assert prg_auc_score([0, 1], great) == prg_auc_score([0, 1], [1, 2])
    for dtype in (np.float64, np.float16, np.int64, np.uint8):
        assert prediction_advantage_score(np.array([0, 3, 1], dtype=dtype), [0, 3, 3], labels=[3, 1, 0]) == 0.5
        assert validation.as_scores(np.array([0, 3, 1], dtype=dtype)).dtype == dtype


@pytest.mark.parametrize("least", [1e-6, 3e-20, 7.0])
def test_weights_may_differ_by_twelve_decades(least):
    assert validation.as_weights([least, least * 1e12, 0], 3).tolist() == [least, least * 1e12, 0]


def test_numbers_are_shown_as_people_write_them():
    values = [np.int64(1), np.float32(0.1), np.str_("a"), np.bool_(True), [np.int64(1)], (np.float64(0.5),)]
    assert [validation.repr_of(value) for value in values] == ["1", "0.1", "'a'", "True", "[1]", "(0.5,)"]
    assert validation.repr_of_some(np.arange(5)) == "0, 1, 2 and 2 more"
