"""What documents state: printed digits, comparisons and relations."""

import decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nontrivial.audit.stated import Comparison, Condition, Order, Printed, Statement, parse_stated


@pytest.mark.parametrize(
    ("text", "value", "low", "high"),
    [
        ("0.3", "3/10", "1/4", "7/20"),
        ("0.30", "3/10", "59/200", "61/200"),
        ("-0.02", "-1/50", "-1/40", "-3/200"),
        ("\N{MINUS SIGN}0.0313", "-313/10000", "-627/20000", "-1/32"),
        ("25,980", "25980", "51959/2", "51961/2"),
        ("25980", "25980", "51959/2", "51961/2"),
        ("33.33 %", "3333/10000", "6665/20000", "6667/20000"),
        ("97%", "97/100", "193/200", "39/40"),
        ("7/15", "7/15", "7/15", "7/15"),
        ("0", "0", "-1/2", "1/2"),
    ],
)
def test_printed_digits_stand_for_all_numbers_that_round_to_them(text, value, low, high):
    printed = Printed.parse(text)
    assert (printed.value, printed.low, printed.high) == (Fraction(value), Fraction(low), Fraction(high))


@pytest.mark.parametrize("text", ["", "0.", ".5", "1,00", "1e3", "nan", "inf", "1/0", "0.3.1", "3 %%", "a"])
def test_what_is_no_printed_number_is_named(text):
    with pytest.raises(ValueError, match="is not a printed number such as"):
        Printed.parse(text)


@pytest.mark.parametrize(
    ("text", "sign"),
    [("0.3", 1), ("-0.02", -1), ("0.0", None), ("0/5", 0), ("0", None), ("1", 1), ("-1/9", -1)],
)
def test_a_sign_is_certain_only_if_all_numbers_share_it(text, sign):
    assert Printed.parse(text).sign == sign


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.fractions(min_value=-5, max_value=5, max_denominator=10**6), st.integers(min_value=1, max_value=6))
def test_a_number_lies_in_the_range_of_its_rounded_digits(number, digits):
    rounded = decimal.Decimal(int(round(number, digits) * 10**digits)).scaleb(-digits)
    printed = Printed.parse(format(rounded, "f"))
    assert printed.low <= number <= printed.high
    assert printed.high - printed.low == Fraction(1, 10**digits)


@pytest.mark.parametrize(
    ("text", "number", "cut"),
    [
        ("0.46", "7/15", True),
        ("0.47", "7/15", False),
        ("0.46", "0.46", True),
        ("0.46", "-7/15", False),
        ("-0.46", "-7/15", True),
        ("0.4", "1/2", False),
        ("-0.0", "-1/50", True),
    ],
)
def test_cut_digits_are_told_from_rounded_ones(text, number, cut):
    assert Printed.parse(text).is_cut_from(Fraction(number)) is cut


def test_forms_are_told_apart():
    assert parse_stated("<= -0.5") == Comparison("<=", Printed.parse("-0.5"))
    assert parse_stated("7/15") == Printed.parse("7/15")
    assert parse_stated("bob < alice") == Statement(Order.parse("bob < alice"))


def test_an_order_keeps_names_numbers_and_symbols():
    order = Order.parse("prediction_advantage<0 < cohen_kappa = 1/2")
    assert order.text == "prediction_advantage < 0 < cohen_kappa = 1/2"
    assert order.names == ("prediction_advantage", "cohen_kappa")
    assert order.links == (
        ("prediction_advantage", "<", Fraction(0)),
        (Fraction(0), "<", "cohen_kappa"),
        ("cohen_kappa", "=", Fraction(1, 2)),
    )


def test_a_statement_keeps_quantifier_condition_and_junction():
    statement = Statement.parse("sometimes f1 < accuracy iff fp > 0 or fn >= 2")
    assert statement.sometimes
    assert statement.connective == "iff"
    assert statement.junction == "or"
    assert statement.names == ("f1", "accuracy", "fp", "fn")
    assert Statement.parse("f1 < accuracy if fp > 0 and fn > 0").junction == "and"


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        ("fp = 0", [["fp = 0"]]),
        ("fp != fn and tp > 0", [["fp != fn", "tp > 0"]]),
        (
            "fp = 0 or\n 1 <= tn <= 2 and fn > 0 or tp = 0",
            [["fp = 0"], ["1 <= tn <= 2", "fn > 0"], ["tp = 0"]],
        ),
    ],
)
def test_in_a_condition_and_binds_more_closely_than_or(text, groups):
    condition = Condition.parse(text)
    assert [[order.text for order in group] for group in condition.groups] == groups
    assert condition.text == " ".join(text.split())


@pytest.mark.parametrize("text", ["", "fp", "fp = 0 or", "and fp = 0", "fp = 0 and or fn = 0"])
def test_what_is_no_condition_is_refused(text):
    with pytest.raises(ValueError, match="is not an"):
        Condition.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "f1 <",
        "< f1",
        "F1 < 2",
        "f1 < 0 if",
        "f1 < 0 if fp > 0 and fn > 0 or tn > 0",
        "a < b < ",
        "=",
        "a b < c",
    ],
)
def test_a_malformed_relation_is_refused(text):
    with pytest.raises(ValueError, match=r"is not|joins conditions|has a part"):
        parse_stated(text)


@pytest.mark.parametrize(("number", "holds"), [("-1/100", True), ("0", False), ("1/100", False)])
def test_a_comparison_is_strict_where_it_says_so(number, holds):
    assert parse_stated("< 0").holds(Fraction(number)) is holds
