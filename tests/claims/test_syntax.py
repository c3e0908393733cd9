"""What the language of claims takes, and what it refuses."""

import ast
from fractions import Fraction

import pytest
from claims.named import named, number

from nontrivial.claims.domains import Table
from nontrivial.claims.language import DEEPEST, LONGEST, Formula

X = named(x="2/3", y="-1/4", zero=0, one=1)


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("x + 1 == 0.30", "0.30"),
        ("x == 0.3", "0.3"),
        ("x == -0.020", "-0.020"),
        ("x == 5", "5"),
        ("x == 7 / 15", "7/15"),
        ("x == -7/15", "-7/15"),
        ("x == 7/0", None),
        ("x == 0.5/2", None),
        ("x == y", None),
        ("x <= 0.3", None),
        ("0.3 == x", None),
        ("x == y == 0.3", None),
        ("sometimes(x == 0.3)", None),
    ],
)
def test_printed_digits_are_kept_as_written(text, digits):
    claim = Formula.condition(text)
    assert (claim.printed and claim.printed[1]) == digits
    assert claim.printed is None or ast.unparse(claim.printed[0]) == text.partition(" ==")[0]


def test_a_decimal_is_exact():
    assert number("0.1234567890123456789", X) == Fraction(1234567890123456789, 10**19)


REFUSED = [
    *("", "   ", "tp +", "tp fp", "tp; fp", "tp = fp", "(tp := 1) > 0", "tp > 0\x00", "tp > \ud800"),
    *("tp", "-tp", "min(tp, fp)", "sometimes(tp)"),  # numbers
    *("tp // 2 > 0", "tp % 2 > 0", "~tp > 0", "+tp > 0", "tp @ fp > 0", "tp << 1 > 0"),
    *("tp ** fp > 0", "tp ** 5 > 0", "tp ** -1 > 0", "tp ** 0 > 0", "tp ** 2.0 > 0", "tp ** True > 0"),
    *("'tp' > 0", "True", "True > 0", "None == tp", "1j > 0", "1_000 > tp", "0x10 > tp", "1e3 > tp"),
    *("1. > tp", ".5 > tp", "007 > tp", "b'a' > 0", "f'{tp}' > 0", "... > tp"),
    *("tp if fn else fp", "[tp] > 0", "(tp, fp) > 0", "{tp} > 0", "lambda: tp", "tp[0] > 0", "tp.real > 0"),
    *("open(tp) > 0", "min(tp) > 0", "min() > 0", "min(*tp) > 0", "swap(tp, fp) > 0", "abs(tp, fp) > 0"),
    *("max(tp, key=fp) > 0", "integral(tp, tp) > 0", "integral(tp, 2, 0, 1) > 0", "swap(tp > 0)"),
    *("Tp > 0", "_tp > 0", "__ > 0", "t\u00e9 > 0"),
    *("tp and fp", "not tp", "tp > 0 or fp", "(tp > 0) + 1 > 0", "tp in fp", "tp is fp"),
    *("(tp > 0) < (fp > 0)", "(tp > 0) == (fp > 0) == (fn > 0)", "(tp > 0) == 1"),
    *("sometimes(tp > 0) and fp > 0", "sometimes(sometimes(tp > 0))", "sometimes(tp > 0, fp > 0)"),
    "tp > 0 # and fp > 0",  # Python would leave out the rest
]


@pytest.mark.parametrize("text", REFUSED)
def test_nothing_else_is_a_condition(text):
    with pytest.raises(ValueError, match=r"allowed|needed") as refused:
        Formula.condition(text)
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("text", ["tp > 0", "not tp > 0", "tp >", "sometimes(tp > 0)"])
def test_a_condition_is_no_number(text):
    with pytest.raises(ValueError, match=r"allowed|needed"):
        Formula.number(text)


def test_length_is_limited():
    assert Formula.number("a" * LONGEST).names == ("a" * LONGEST,)
    with pytest.raises(ValueError, match=rf"{LONGEST + 1} characters; {LONGEST} are allowed"):
        Formula.number("a" * (LONGEST + 1))
    assert Formula.number(f"a{' ' * LONGEST}\n+ b").text == "a + b"


@pytest.mark.parametrize("wrap", ["-{}", "abs({})", "swap({})", "1*{}", "({})", "{}+1"])
def test_nesting_is_limited(wrap):
    """What is read can be evaluated, too."""
    text, deepest = "tp", None
    while len(text) <= LONGEST:
        try:
            deepest = Formula.number(text)
        except ValueError:
            break
        text = wrap.replace("{}", text)
    deepest.value(Table(1, 1, 1, 1))
    assert deepest.names == ("tp",)


@pytest.mark.parametrize("sign", ["+", "-", "~", "not "])
def test_what_is_nested_too_deeply_is_refused(sign):
    with pytest.raises(ValueError, match="allowed"):
        Formula.condition(sign * (DEEPEST + 1) + "tp > 0")
