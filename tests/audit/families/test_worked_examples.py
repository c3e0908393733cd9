"""The worked examples, against values worked by hand."""

from fractions import Fraction

import pytest

from nontrivial.audit.families import worked_examples as examples
from nontrivial.audit.stated import Printed, Statement


def test_exam():
    assert examples.guess_rate(options=3).value == Fraction(1, 3)
    assert examples.guess_risk(options=4).value == Fraction(3, 4)
    # 1 - 0.7 / (2/3) and 1 - 0.7 / 0.75
    assert examples.exam_advantage(right=30, questions=100, options=3).value == Fraction(-1, 20)
    assert examples.exam_advantage(right=30, questions=100, options=4).value == Fraction(1, 15)
    both = examples.exam_advantages(right=60, questions=100, options={"bob": 3, "alice": 4})
    assert {who: quantity.value for who, quantity in both.values.items()} == {
        "bob": Fraction(2, 5),
        "alice": Fraction(7, 15),
    }


def test_intern():
    # 1 - 0.03 / 0.01; the printed percentages leave 1 - 0.035 / 0.005 to 1 - 0.025 / 0.015
    found = examples.binary_advantage(minority=Printed.parse("1%"), accuracy=Printed.parse("97%"))
    assert (found.value, found.low, found.high) == (-2, -6, Fraction(-2, 3))
    found = examples.majority_accuracy(minority=Printed.parse("1%"))
    assert (found.value, found.low, found.high) == (Fraction(99, 100), Fraction(197, 200), Fraction(199, 200))


def test_counts():
    assert examples.product(factors=(886, 30)).value == 26_580
    assert examples.minority_share(positives=81, n=306).value == Fraction(9, 34)
    assert examples.minority_share(positives=225, n=306).value == Fraction(9, 34)


@pytest.mark.parametrize(
    ("measure", "printed", "value", "low", "high", "possible"),
    [
        # 1 - error / (81/306), and 83.4 to 83.7 errors for 0.273
        ("error", "0.27", "-1/50", "-7/180", "-1/900", True),
        ("error", "0.3", "-2/15", "-29/90", "1/18", True),
        ("error", "0.273", "-47/1500", "-299/9000", "-53/1800", False),
        ("accuracy", "73.4%", "-11/2250", "-61/9000", "-3/1000", False),
        ("error", "0.266", "-11/2250", "-61/9000", "-3/1000", False),
    ],
)
def test_published_errors(measure, printed, value, low, high, possible):
    found = examples.published_advantage(measure=measure, printed=Printed.parse(printed), positives=81, n=306)
    assert (found.value, found.low, found.high) == (Fraction(value), Fraction(low), Fraction(high))
    assert found.details == {"trivial_error": "9/34", "possible_as_one_table": possible}


def test_a_bound_on_the_error_reaches_to_the_classifier_that_is_always_wrong():
    found = examples.published_advantage(
        measure="error", printed=Printed.parse("0.3"), positives=81, n=306, or_worse=True
    )
    assert (found.value, found.low, found.high) == (Fraction(-2, 15), Fraction(-25, 9), Fraction(-2, 15))


def rates(prevalence, recall, specificity):
    return examples.Rates(100_000, *(Printed.parse(text) for text in (prevalence, recall, specificity)))


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        # FP 4997.5, TP 47.5, FN 2.5, TN 94952.5
        ("accuracy", "19/20"),
        ("precision", "19/2018"),
        ("negative_predictive_value", "37981/37982"),
        ("f1", "19/1019"),
        ("informedness", "9/10"),
        ("markedness", "179910/19161919"),
    ],
)
def test_rare_disease(measure, value):
    found = examples.measure_at_rates(measure=measure, rates=rates("0.05%", "0.95", "0.95"))
    assert found.value == Fraction(value)
    assert found.details == {"table": ["9995/2", "95/2", "5/2", "189905/2"]}


def test_p4_of_the_examples_is_the_harmonic_mean_of_four_rates():
    for given, table in (
        (rates("0.05%", "0.95", "0.95"), ("4997.5", "47.5", "2.5", "94952.5")),
        (rates("90%", "99.99%", "1%"), ("9900", "89991", "9", "100")),
    ):
        fp, tp, fn, tn = map(Fraction, table)
        four = (tp / (tp + fn), tn / (tn + fp), tp / (tp + fp), tn / (tn + fn))
        found = examples.measure_at_rates(measure="p4", rates=given)
        assert found.value == 4 / sum(1 / rate for rate in four)


def test_cats_and_dogs():
    given = rates("90%", "99.99%", "1%")
    assert given.table() == (9900, 89991, 9, 100)
    assert examples.measure_at_rates(measure="informedness", rates=given).value == Fraction(99, 10_000)


def test_a_measure_that_is_undefined_at_the_rates_is_refused():
    with pytest.raises(
        ValueError, match="precision is undefined for the table FP, TP, FN, TN = 0, 0, 50, 99950"
    ):
        examples.measure_at_rates(measure="precision", rates=rates("0.05%", "0", "1"))


def test_a_trivial_risk_of_zero_is_refused():
    with pytest.raises(
        ValueError, match="the risk of the marginal prediction is 0; a positive one is allowed"
    ):
        examples.exam_advantage(right=1, questions=1, options=1)


def test_selective_classifiers():
    # Of a minority of 20 %, seven tenths covered: 20 % of the covered if three tenths of it are rejected too, 5 %
    # if 82.5 % are, none if all of it is.
    numbers = {"minority": Printed.parse("20%"), "coverage": Printed.parse("70%")}
    risks = {"0.3": Fraction(1, 5), "0.825": Fraction(1, 20), "1": 0}
    for rejected, risk in risks.items():
        found = examples.covered_majority_risk(rejected=Printed.parse(rejected), **numbers)
        assert found.value == risk
    found = examples.selective_advantages(
        risk=Printed.parse("5%"),
        rejected={"evenly": Printed.parse("0.3"), "minority": Printed.parse("0.825")},
        **numbers,
    )
    assert {who: number.value for who, number in found.values.items()} == {
        "evenly": Fraction(3, 4),
        "minority": 0,
    }


def test_measures_at_rates_compare():
    rates = examples.Rates(1000, *(Printed.parse(text) for text in ("90%", "99%", "1%")))
    found = examples.measures_at_rates(stated=Statement.parse("predicted_positives > positives"), rates=rates)
    assert {name: number.value for name, number in found.values.items()} == {
        "predicted_positives": 990,  # 891 of 900, and 99 of 100
        "positives": 900,
    }


def test_a_grade_and_its_loss():
    found = examples.error_of_accuracy(accuracy=Printed.parse("73.4%"))
    assert (found.low, found.value, found.high) == (
        Fraction(2655, 10000),
        Fraction(266, 1000),
        Fraction(2665, 10000),
    )
    assert examples.exam_loss(right=60, questions=100).value == Fraction(2, 5)
