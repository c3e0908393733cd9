"""Every interval and test at once: what a result says of itself, what must not matter, and what is refused."""

import copy
import pickle
import warnings
from functools import partial

import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning

from nontrivial.curves import bootstrap_curve_areas
from nontrivial.measures import (
    UnboundedLossWarning,
    UnequalCasesWarning,
    compare_models,
    confusion_intervals,
    prediction_advantage_interval,
    triviality_test,
)
from nontrivial.seeds import generator_for

DRAW, N = generator_for("inference"), 120
TRUTH = (DRAW.random(N) < 0.3).astype(int)
FIRST, SECOND = (TRUTH ^ (DRAW.random(N) < share) for share in (0.1, 0.25))
SAID = np.where(FIRST, 0.8, 0.1)
SCORES = DRAW.normal(size=(2, N)) + TRUTH
EQUAL, UNEQUAL = {"sample_weight": np.full(N, 3.0)}, {"sample_weight": 1 + np.arange(N) % 3}
PAIRS, ODD_GROUPS = {"groups": np.arange(N) // 2}, {"groups": np.arange(N) // 7}
COSTS, SQUARED = {"loss": "cost", "cost": [[0, 3], [1, 0]]}, {"loss": "squared"}
BOUND = SQUARED | {"bound": 1}

INTERVAL = partial(prediction_advantage_interval, TRUTH, FIRST, n_resamples=200)
OF_PROBABILITIES = partial(prediction_advantage_interval, TRUTH, SAID, n_resamples=200)
TEST = partial(triviality_test, TRUTH, FIRST)
COMPARISON = partial(compare_models, TRUTH, FIRST, SECOND, n_resamples=200)
DRAWN, UNLIKE = ("bootstrap", "one_more_case"), ("bootstrap", "alike_mistakes")
EXCHANGE = ("exchange_or_bootstrap", "alike_mistakes")


def caught_in(function, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = function(**options)
    assert {each.filename for each in caught} <= {__file__}
    return found, [each.category for each in caught]


# The method and what it assumes, the test and what it assumes, and the warnings.
@pytest.mark.parametrize(
    ("function", "options", "method", "test", "warned"),
    [
        (INTERVAL, {}, DRAWN, None, []),
        (INTERVAL, {"baseline": TRUTH}, DRAWN, None, []),
        (INTERVAL, PAIRS, UNLIKE, None, []),
        (INTERVAL, EQUAL, UNLIKE, None, []),
        (INTERVAL, COSTS, DRAWN, None, []),
        (INTERVAL, {"method": "exact"}, ("exact", None), None, []),
        (INTERVAL, SQUARED, ("fieller", "one_possible_case"), None, [UnboundedLossWarning]),
        (INTERVAL, {"loss": "absolute"}, ("fieller", "no_rare_loss"), None, [UnboundedLossWarning]),
        (INTERVAL, BOUND, ("concentration", None), None, []),
        (
            OF_PROBABILITIES,
            {"loss": "cross_entropy", "method": "bootstrap"},
            ("bootstrap", "no_rare_loss"),
            None,
            [UnboundedLossWarning],
        ),
        (TEST, {}, None, ("sign", None), []),
        (TEST, PAIRS, None, ("betting", "heaviest_seen"), []),
        (TEST, EQUAL, None, ("sign", "heaviest_seen"), []),
        (TEST, UNEQUAL, None, ("betting", "heaviest_seen"), []),
        (TEST, SQUARED, None, ("paired_t", "no_rare_loss"), [UnboundedLossWarning]),
        (TEST, BOUND, None, ("betting", None), []),
        (TEST, {"loss": "absolute", "bound": 1, "baseline": [0.0, 1.0]}, None, ("betting", None), []),
        (TEST, {"loss": "absolute", "bound": 1}, None, ("hoeffding", None), []),
        (TEST, {"sample_weight": TRUTH}, None, (None, None), [UndefinedMetricWarning]),
        (COMPARISON, {}, DRAWN, ("mcnemar", None), []),
        (COMPARISON, PAIRS, UNLIKE, EXCHANGE, []),
        (COMPARISON, ODD_GROUPS, UNLIKE, EXCHANGE, [UnequalCasesWarning]),
        (COMPARISON, EQUAL, UNLIKE, ("mcnemar", "alike_mistakes"), []),
        (COMPARISON, UNEQUAL, UNLIKE, EXCHANGE, [UnequalCasesWarning]),
        (COMPARISON, COSTS, UNLIKE, EXCHANGE, [UnequalCasesWarning]),
        (COMPARISON, COSTS | {"cost": [[1, 3], [3, 1]]}, DRAWN, ("exchange_or_bootstrap", None), []),
        (COMPARISON, SQUARED, ("fieller", "no_rare_loss"), ("paired_t", "no_rare_loss"), [UnboundedLossWarning]),
        (
            COMPARISON,
            SQUARED | UNEQUAL,
            ("fieller", "no_rare_loss"),
            ("paired_t", "alike_mistakes"),
            [UnboundedLossWarning, UnequalCasesWarning],
        ),
    ],
)
def test_a_result_says_how_it_was_found_and_what_that_assumes(function, options, method, test, warned):
    found, categories = caught_in(function, **options)
    assert categories == warned
    if function is INTERVAL:  # the method that suits is also taken by name
        assert caught_in(function, **options | {"method": method[0]})[0] == found
    for each in (found, copy.copy(found), pickle.loads(pickle.dumps(found))):
        np.testing.assert_array_equal(each, found)
        assert method is None or (each.method, each.assumes) == method
        assert test is None or (each.test, each.test_assumes) == test
        assert test is not None or each.level == 0.95


@pytest.mark.parametrize(
    ("options", "warned"),
    [
        ({}, []),
        (PAIRS, []),
        (EQUAL, []),
        ({"compared_with": SCORES[1]}, []),
        ({"compared_with": SCORES[1]} | ODD_GROUPS, [UnequalCasesWarning]),
    ],
)
def test_a_table_of_areas_says_so_too(options, warned):
    found, categories = caught_in(bootstrap_curve_areas, y_true=TRUTH, y_score=SCORES[0], n_resamples=40, **options)
    assert categories == warned
    said = {"level": 0.95, "method": "bootstrap", "assumes": "alike_mistakes" if options else "one_more_case"}
    assert found.attrs == said | ({"test_assumes": "alike_mistakes"} if "compared_with" in options else {})


# What must not matter.


def areas(truth, *scores, **options):
    other = {"compared_with": scores[1]} if len(scores) == 2 else {}
    return bootstrap_curve_areas(truth, scores[0], n_resamples=60, **other, **options).to_numpy()


LABELS, NUMBERS = (TRUTH, FIRST, SECOND), (TRUTH.astype(float), SAID, SCORES[0])
EVERY = {
    "interval": (partial(prediction_advantage_interval, n_resamples=60), LABELS[:2]),
    "interval under costs": (partial(prediction_advantage_interval, n_resamples=60, **COSTS), LABELS[:2]),
    "interval of numbers": (partial(prediction_advantage_interval, **SQUARED), NUMBERS[:2]),
    "test": (triviality_test, LABELS[:2]),
    "test of numbers": (partial(triviality_test, **SQUARED), NUMBERS[:2]),
    "bounded test": (partial(triviality_test, **BOUND), NUMBERS[:2]),
    "comparison": (partial(compare_models, n_resamples=60), LABELS),
    "comparison under costs": (partial(compare_models, n_resamples=60, **COSTS), LABELS),
    "comparison of numbers": (partial(compare_models, **SQUARED), NUMBERS),
    "areas": (areas, (TRUTH, SCORES[0])),
    "areas of two": (areas, (TRUTH, *SCORES)),
}


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.filterwarnings("ignore")
def test_weights_and_groups_that_say_nothing_change_nothing_and_weights_are_repetitions(name):
    function, columns = EVERY[name]
    alone = function(*columns)
    np.testing.assert_array_equal(function(*columns, groups=np.arange(N)), alone)
    np.testing.assert_array_equal(function(*columns, **EQUAL), alone)
    weights, groups = np.arange(N) % 4, np.arange(N) // 5
    weights[5:10] = 0  # all of a group
    found = function(*columns, sample_weight=weights, groups=groups)
    some = weights > 0
    kept = function(*(each[some] for each in columns), sample_weight=weights[some], groups=groups[some])
    np.testing.assert_allclose(kept, found, rtol=1e-12)
    if "areas" not in name and name != "interval of numbers":  # more cases have finer ranks, and one more weighs less
        rows = np.repeat(np.arange(N), weights)
        repeated = function(*(each[rows] for each in columns), groups=groups[rows])
        np.testing.assert_allclose(repeated, found, rtol=1e-9)


@pytest.mark.parametrize("options", [{}, PAIRS, UNEQUAL], ids=["cases", "groups", "weights"])
@pytest.mark.parametrize("name", ["interval", "test", "comparison"])
@pytest.mark.filterwarnings("ignore")
def test_the_names_of_the_classes_and_the_order_of_equal_cases_do_not_matter(name, options):
    function, columns = EVERY[name]
    found = function(*columns, **options)
    assert function(*(1 - each for each in columns), **options) == found
    if not options:
        assert function(*(np.array(["ill", "healthy"])[each[::-1]] for each in columns)) == found


# What is refused.

SMALL = {"y_true": [0, 1, 1], "y_pred": [0, 1, 0]}
TABLE = {"tp": 30, "fp": 10, "fn": 20, "tn": 140}
FEW_WEIGHTS, FEW_GROUPS = {"sample_weight": [1, 2, 2]}, {"groups": [1, 2, 2]}
interval = partial(prediction_advantage_interval, **SMALL)
triviality = partial(triviality_test, **SMALL)
comparison = partial(compare_models, **SMALL)
of_areas = partial(bootstrap_curve_areas, y_true=[0, 1, 1], y_score=[1.0, 2.0, 3.0])
of_table = partial(confusion_intervals, **TABLE)


@pytest.mark.parametrize(
    ("function", "options", "reason"),
    [
        (interval, {"level": 95}, "level is 95"),
        (interval, {"method": "wald"}, "method is 'wald'; it must be one of bootstrap"),
        (interval, {"method": "fieller"}, "between classes"),
        (interval, {"loss": "squared", "method": "exact"}, 'is for loss="zero_one"'),
        (interval, {"loss": "squared", "method": "concentration"}, "needs bound"),
        (interval, {"loss": "squared", "bound": 0}, "greater than 0"),
        (interval, {"loss": "squared", "bound": 1, "method": "fieller"}, "bound is for"),
        (interval, {"loss": "cross_entropy", "y_pred": [0.5] * 3, "bound": 0.6}, "at least ln"),
        (interval, {"bound": 1}, "has a known bound"),
        (interval, {"method": "bootstrap", "n_resamples": 0}, "n_resamples"),
        (interval, {"method": "exact"} | FEW_WEIGHTS, 'use "bootstrap"'),
        (interval, {"method": "concentration"} | FEW_GROUPS, 'use "bootstrap"'),
        (interval, {"loss": "squared", "bound": 1} | FEW_WEIGHTS, 'use "bootstrap"'),
        (triviality, {"loss": "squared", "bound": 0.01}, "greater than bound"),
        (triviality, {"groups": [1, 1, 1]}, "one group only"),
        (comparison, {"compared_with": [0, np.nan, 1], "loss": "squared"}, "compared_with contains NaN"),
        (comparison, {"compared_with": [1, 0.25, 1]}, "compared_with holds fractions"),
        (comparison, {"compared_with": [1, 1.25, 1], "loss": "cross_entropy"}, "compared_with has values outside"),
        (of_areas, {"n_resamples": 38}, "a level of 0.95 needs a whole number of at least 39"),
        (of_areas, {"n_resamples": 198, "level": 0.99}, "at least 199"),
        (of_areas, {"n_resamples": 2.5}, "n_resamples"),
        (of_areas, {"n_resamples": 10**6 + 1}, "n_resamples"),
        (of_areas, {"compared_with": [1.0, 2.0]}, "inconsistent"),
        (of_table, {"tp": -1}, "tp"),
        (of_table, {"tp": 2**53, "tn": 2**53}, "tp"),
        (of_table, {"tp": 0, "fn": 0}, "one class"),
        (of_table, {"beta": -1}, "beta"),
    ],
)
def test_bad_options_are_refused(function, options, reason):
    with pytest.raises(ValueError, match=reason):
        function(**options)
