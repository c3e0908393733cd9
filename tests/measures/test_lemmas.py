"""The lemmas of the documents as properties, with the exact conditions of strictness."""

import functools
from fractions import Fraction

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from nontrivial.measures import (
    bayesian_marginal_prediction,
    confusion_measures,
    goodman_kruskal_lambda_score,
    macro_average,
    micro_average,
    prediction_advantage_score,
)

moderately = settings(max_examples=150, deadline=None, derandomize=True)

counts = st.integers(0, 12)
# True positives, false positives, false negatives, true negatives; the positive class is the minority.
minority_tables = st.tuples(counts, counts, counts, st.integers(0, 40)).filter(
    lambda t: 0 < t[0] + t[2] <= t[1] + t[3]
)
labels = st.lists(st.integers(0, 3), min_size=2, max_size=30).filter(lambda y: len(set(y)) > 1)
reals = st.lists(st.integers(-20, 20).map(lambda x: x / 4), min_size=2, max_size=30).filter(
    lambda y: len(set(y)) > 1
)


@functools.lru_cache(maxsize=1)
def row(table):
    return confusion_measures(*table).iloc[0]


def exact_advantage(tp, fp, fn, tn):
    return 1 - Fraction(fp + fn, min(tp + fn, fp + tn))


def check_bound(table, bound, is_equal):
    """Check PA <= bound in exact arithmetic, with equality exactly where stated."""
    advantage = exact_advantage(*table)
    assert advantage <= bound
    assert (advantage == bound) == is_equal


@moderately
@given(minority_tables)
def test_lemma_4_1_recall_equals_only_without_false_positives(table):
    tp, fp, fn, _ = table
    check_bound(table, Fraction(tp, tp + fn), fp == 0)
    assert row(table)["prediction_advantage"] <= row(table)["recall"]


@moderately
@given(minority_tables)
def test_lemma_4_1_specificity_equals_only_without_misses_in_balance_or_without_errors(table):
    tp, fp, fn, tn = table
    balanced = tp + fn == fp + tn
    check_bound(table, Fraction(tn, fp + tn), fn == 0 and (fp == 0 or balanced))
    assert row(table)["prediction_advantage"] <= row(table)["specificity"] + 1e-15


@moderately
@given(minority_tables)
def test_lemma_4_1_balanced_accuracy_equals_only_without_errors(table):
    tp, fp, fn, tn = table
    balanced_accuracy = (Fraction(tp, tp + fn) + Fraction(tn, fp + tn)) / 2
    check_bound(table, balanced_accuracy, fp + fn == 0)
    assert row(table)["prediction_advantage"] <= row(table)["balanced_accuracy"] + 1e-15


@moderately
@given(minority_tables)
def test_lemma_4_2_precision_equals_only_without_errors(table):
    tp, fp, fn, _ = table
    assume(tp + fp > 0)
    check_bound(table, Fraction(tp, tp + fp), fp == 0 and fn == 0)
    assert row(table)["prediction_advantage"] <= row(table)["precision"]


@moderately
@given(minority_tables)
def test_lemma_4_2_f1_equals_only_without_errors_or_without_predicted_positives(table):
    tp, fp, fn, _ = table
    check_bound(table, Fraction(2 * tp, 2 * tp + fp + fn), fp == 0 and (fn == 0 or tp == 0))
    assert row(table)["prediction_advantage"] <= row(table)["f_beta"]


@moderately
@given(minority_tables)
def test_lemma_4_3_kappa_equals_in_balance_without_errors_or_without_predicted_positives(table):
    """The paper says strictly below whenever the classes are imbalanced; these are the exceptions."""
    tp, fp, fn, tn = table
    n = tp + fp + fn + tn
    chance = Fraction((tp + fp) * (tp + fn) + (fp + tn) * (fn + tn), n * n)
    kappa = 1 - (1 - Fraction(tp + tn, n)) / (1 - chance)
    check_bound(table, kappa, tp + fn == fp + tn or fp + fn == 0 or tp + fp == 0)
    assert row(table)["prediction_advantage"] <= row(table)["cohen_kappa"] + 1e-15


@moderately
@given(minority_tables)
def test_advantage_is_positive_where_most_predicted_positives_are_true(table):
    tp, fp, _, _ = table
    assert np.sign(row(table)["prediction_advantage"]) == np.sign(tp - fp)


@moderately
@given(minority_tables)
def test_lambda_is_the_advantage_unless_a_relabelling_helps(table):
    tp, fp, fn, tn = table
    measured = row(table)
    if tp >= fp and tn >= fn:
        assert measured["goodman_kruskal_lambda"] == measured["prediction_advantage"]
    else:
        assert measured["goodman_kruskal_lambda"] > measured["prediction_advantage"]


@moderately
@given(labels, st.randoms(use_true_random=False))
def test_lambda_is_never_below_the_advantage(truth, random):
    prediction = [random.choice(truth) for _ in truth]
    advantage = prediction_advantage_score(truth, prediction)
    assert goodman_kruskal_lambda_score(truth, prediction) >= advantage


@moderately
@given(minority_tables, st.floats(0, 10))
def test_f_gain_is_the_weighted_mean_of_precision_gain_and_recall_gain(table, beta):
    measured = confusion_measures(*table, beta=beta).iloc[0]
    assume(table[0] > 0)
    expected = (measured["precision_gain"] + beta**2 * measured["recall_gain"]) / (1 + beta**2)
    np.testing.assert_allclose(measured["f_beta_gain"], expected, rtol=1e-12, atol=1e-13)


@moderately
@given(minority_tables)
def test_gains_keep_the_order_of_what_they_rescale(table):
    """A gain is positive exactly where precision, recall or F1 exceeds the prevalence."""
    tp, fp, fn, _ = table
    assume(tp > 0)
    measured, prevalence = row(table), Fraction(tp + fn, sum(table))
    for gain, value in [
        ("precision_gain", Fraction(tp, tp + fp)),
        ("recall_gain", Fraction(tp, tp + fn)),
        ("f_beta_gain", Fraction(2 * tp, 2 * tp + fp + fn)),
    ]:
        assert np.sign(measured[gain]) == np.sign(value - prevalence)


@moderately
@given(minority_tables)
def test_p4_is_the_harmonic_mean_of_its_four_probabilities(table):
    tp, _, _, tn = table
    assume(tp > 0)
    assume(tn > 0)
    measured = row(table)
    four = measured[["precision", "recall", "specificity", "negative_predictive_value"]]
    np.testing.assert_allclose(measured["p4"], 4 / (1 / four).sum(), rtol=1e-13)


@moderately
@given(st.tuples(counts, counts, counts, counts))
def test_symmetric_measures_do_not_mind_which_class_is_positive(table):
    symmetric = [
        "p4",
        "matthews_corrcoef",
        "informedness",
        "markedness",
        "cohen_kappa",
        "prediction_advantage",
    ]
    one, other = row(table)[symmetric], row(table[::-1])[symmetric]
    np.testing.assert_array_equal(one, other)


@moderately
@given(labels, st.integers(0, 3))
def test_lemma_2_3_no_constant_class_has_less_risk(truth, constant):
    _, risk = bayesian_marginal_prediction(truth)
    assert risk <= np.mean(np.array(truth) != constant) + 1e-15


@moderately
@given(labels, st.lists(st.integers(1, 50), min_size=4, max_size=4))
def test_lemma_2_2_no_constant_distribution_has_less_cross_entropy(truth, masses):
    distribution = np.array(masses) / sum(masses)
    _, risk = bayesian_marginal_prediction(truth, loss="cross_entropy", labels=[0, 1, 2, 3])
    assert risk <= -np.log(distribution[truth]).mean() + 1e-12


@moderately
@given(reals, st.floats(-10, 10))
def test_lemmas_2_4_and_2_5_no_constant_number_has_less_risk(truth, constant):
    for loss, power in [("squared", 2), ("absolute", 1)]:
        _, risk = bayesian_marginal_prediction(truth, loss=loss)
        assert risk <= np.mean(np.abs(np.array(truth) - constant) ** power) + 1e-12


@moderately
@given(labels, st.lists(st.integers(0, 9), min_size=16, max_size=16))
def test_section_2_7_no_constant_class_costs_less(truth, costs):
    cost = np.array(costs).reshape(4, 4)
    assume(cost.any())
    prediction, risk = bayesian_marginal_prediction(truth, loss="cost", cost=cost, labels=[0, 1, 2, 3])
    constants = cost[:, truth].mean(axis=1)
    assert risk == constants[prediction]
    assert risk <= constants.min() + 1e-12


@moderately
@given(reals, st.data())
def test_order_is_that_of_the_risk_reversed_and_one_is_the_top(truth, data):
    one, other = (
        np.array(data.draw(st.lists(st.integers(-5, 5), min_size=len(truth), max_size=len(truth))))
        for _ in range(2)
    )
    for loss, power in [("squared", 2), ("absolute", 1)]:
        risks = [np.sum(np.abs(np.array(truth) - p) ** power) for p in (one, other)]
        advantages = [prediction_advantage_score(truth, p, loss=loss) for p in (one, other)]
        assert np.sign(advantages[0] - advantages[1]) == np.sign(risks[1] - risks[0])
        assert max(advantages) <= 1
        assert prediction_advantage_score(truth, truth, loss=loss) == 1


@moderately
@given(labels, labels, st.randoms(use_true_random=False))
def test_a_baseline_never_lowers_the_advantage(truth, baseline, random):
    prediction = [random.choice(truth) for _ in truth]
    with_hindsight = prediction_advantage_score(truth, prediction)
    assert prediction_advantage_score(truth, prediction, baseline=baseline) >= with_hindsight


@settings(moderately, max_examples=60)
@given(st.lists(minority_tables, min_size=1, max_size=5))
def test_averages(tables):
    micro, macro = micro_average(tables), macro_average(tables)
    np.testing.assert_array_equal(micro, row(tuple(np.sum(tables, axis=0))))
    measured = confusion_measures(*np.array(tables).T).drop(columns="f_beta")
    np.testing.assert_allclose(macro[measured.columns], measured.mean(skipna=False), rtol=1e-14)
