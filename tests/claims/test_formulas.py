"""The language of claims: what is read and what is refused, arithmetic against fractions, and three-valued logic."""

import ast
import itertools
from fractions import Fraction

import pytest
from claims.named import named, number, truth, value_of
from hypothesis import given, settings
from hypothesis import strategies as st

from nontrivial.claims.formulas import Formula
from nontrivial.claims.syntax import DEEPEST, LONGEST
from nontrivial.claims.tables import Table

X = named(x="2/3", y="-1/4", zero=0, one=1)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("x + y", "5/12"),
        ("x - y", "11/12"),
        ("2 * x * y", "-1/3"),
        ("x / y", "-8/3"),
        ("-x + 0.5", "-1/6"),
        ("y ** 2", "1/16"),
        ("-y ** 2", "-1/16"),  # as in mathematics, the power comes first
        ("x - 1 - 1", "-4/3"),
        ("1 / 2 / 2", "1/4"),
        ("min(x, y, 0.1)", "-1/4"),
        ("max(x, y, 0.1)", "2/3"),
        ("abs(y) / abs(x)", "3/8"),
        ("1 / (1 / x)", "2/3"),
        ("x / zero", None),
        ("zero / zero", None),
        ("1 / (x / zero)", None),  # infinite inside, so nothing outside
        ("zero * (x / zero)", None),
        ("min(x, x / zero)", None),
    ],
)
def test_numbers(text, value):
    assert number(text, X) == (None if value is None else Fraction(value))


fractions = st.fractions(min_value=-3, max_value=3, max_denominator=5)


@settings(derandomize=True, deadline=None, max_examples=25)
@given(x=fractions, y=fractions, z=fractions)
def test_arithmetic_is_that_of_fractions(x, y, z):
    text = "(x - 2 * y) / (z * y + x) + min(x, y) * max(y, z) - abs(x - z) ** 3"
    below = z * y + x
    expected = (x - 2 * y) / below + min(x, y) * max(y, z) - abs(x - z) ** 3 if below else None
    assert number(text, named(x=x, y=y, z=z)) == expected


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("y < 0 < x", True),
        ("y < 0 < 0", False),
        ("y < 0 <= 0 < x <= x == x != y", True),
        ("x != x", False),
        ("x >= 2/3 > y", True),
        ("not x < y", True),
        ("x < y or y < x", True),
        ("x < y and y < x", False),
        ("x < y or y < x and x < 0", False),  # "and" binds more closely
        ("(x < y) == (one < zero)", True),
        ("(x < y) == (zero < one)", False),
    ],
)
def test_conditions(text, value):
    assert truth(text, X) is value


# true, false and undefined
PARTS = {True: "x > 0", False: "x < 0", None: "zero/zero == zero/zero"}


@pytest.mark.parametrize(("one", "other"), list(itertools.product(PARTS, repeat=2)))
def test_three_valued_logic(one, other):
    """Undefined is what either value in its place would not settle."""

    def settled(function):
        ways = itertools.product(*([part] if part is not None else [True, False] for part in (one, other)))
        results = {function(*way) for way in ways}
        return results.pop() if len(results) == 1 else None

    p, q = PARTS[one], PARTS[other]
    assert truth(f"{p} and {q}", X) is settled(lambda a, b: a and b)
    assert truth(f"{p} or {q}", X) is settled(lambda a, b: a or b)
    assert truth(f"({p}) == ({q})", X) is settled(lambda a, b: a == b)
    assert truth(f"not ({p})", X) is (None if one is None else not one)


@pytest.mark.parametrize(
    "text", ["zero/zero < 1", "x < y < zero/zero", "zero/zero != zero/zero", "1/zero > 0", "x == x == x/zero"]
)
def test_a_number_without_value_leaves_a_comparison_undefined(text):
    assert truth(text, X) is None


def test_names_come_in_the_order_of_their_first_place_without_functions():
    assert Formula.number("2 * tp / (tp + max(fp, fn)) - swap(f1)").names == ("tp", "fp", "fn", "f1")
    assert Formula.condition("a < b and (c == a or not d > 0)").names == ("a", "b", "c", "d")


def test_sometimes_is_around_the_whole_claim():
    claim = Formula.condition("sometimes(x < y)")
    assert claim.sometimes
    assert ast.unparse(claim.tree) == "x < y"
    assert not Formula.condition("x < y").sometimes
    with pytest.raises(ValueError, match="is a condition"):
        Formula.number("sometimes(x < y)")


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


def test_exchanges():
    for fp, tp, fn, tn in itertools.product(range(3), repeat=4):
        table = Table(fp, tp, fn, tn)
        for measure in ("f1", "recall", "prediction_advantage", "cohen_kappa"):
            assert number(f"swap({measure})", table) == value_of(measure, (fn, tn, fp, tp))
            assert number(f"transpose({measure})", table) == value_of(measure, (fn, tp, fp, tn))
        assert number("swap(transpose(transpose(swap(recall))))", table) == value_of(
            "recall", (fp, tp, fn, tn)
        )


def test_what_only_tables_have_is_said():
    with pytest.raises(ValueError, match=r"swap\(\) is for measures of a confusion table"):
        number("swap(x)", X)
    with pytest.raises(ValueError, match="'z' is unknown; known: x, y, zero, one"):
        number("x + z", X)


@pytest.mark.parametrize("text", ["{} + 1", "-{}", "abs({})", "min({}, 1)", "{} ** 2", "{} / 2"])
def test_square_roots_cannot_stand_in_arithmetic(text):
    with pytest.raises(ValueError, match=r"can be compared, but cannot stand in arithmetic"):
        number(text.format("matthews_corrcoef"), Table(1, 1, 1, 1))
