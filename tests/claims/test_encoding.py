"""The solver's terms: claims known to be true hold of every real table, and known false ones fail in a real one.

What is asserted here follows from the definitions by hand; the solver alone is asked, without any search.
"""

import pytest

from nontrivial.claims.domains import Tables, WholeNumbers
from nontrivial.claims.language import Formula
from nontrivial.claims.solver import find_case

NUMBERS = WholeNumbers.positive(["x", "y", "z"], {})
TABLES, PAIRS = Tables(), Tables(pairs=True)
BOTH = "positives > 0 and negatives > 0"
FULL = f"{BOTH} and predicted_positives > 0 and predicted_negatives > 0"


def fails(claim, domain, given=""):
    """Whether there is a real case in which a claim is false."""
    space = domain.space()
    conditions = [Formula.condition(given)] if given else []
    return find_case(space, conditions, Formula.condition(claim).truth(space.cases).false).exists


def undefined(claim, domain, given=""):
    """Whether there is a real case in which a claim is neither true nor false."""
    space = domain.space()
    conditions = [Formula.condition(given)] if given else []
    truth = Formula.condition(claim).truth(space.cases)
    neither = [f"(not (or false {' '.join(texts)}))" for texts in (truth.true, truth.false)]
    somewhere = find_case(space, conditions, *([text] for text in neither)).exists
    assert find_case(space, conditions, [truth.undefined]).exists is somewhere
    return somewhere


# Pairs: a claim that is true and one that is false and differs in what the name says only.
CLAIMS = {
    "strict": ("x + y >= x", "x + y > x + y"),
    "strict at a limit": ("recall <= 1", "recall < 1"),
    "strict by definition": ("x < x + y", "x + y < x"),
    "at least": ("prediction_advantage <= recall", "prediction_advantage < recall"),
    "equal": ("f1 == 2 * tp / (2 * tp + fp + fn)", "f1 == tp / (tp + fp + fn)"),
    "unequal": ("x != x + y", "x != y"),
    "chain": ("0 <= f1 <= 1", "0 < f1 <= 1"),
    "chain of both": ("0 <= x == x < x + y", "0 <= x == y < x + y"),
    "and": ("x > 0 and y > 0", "x > 0 and y > x"),
    "or": ("x <= y or y <= x", "x < y or y < x"),
    "not": ("not x < 0", "not x < y"),
    "equivalent": ("(x < y) == (y > x)", "(x < y) == (y >= x)"),
    "minimum on the smaller side": ("min(x, y) <= x", "min(x, y) < x"),
    "minimum on the greater side": ("x <= min(x + y, x + z)", "x <= min(x, y)"),
    "maximum on the greater side": ("x <= max(x, y)", "x < max(x, y)"),
    "maximum on the smaller side": ("max(x, y) < x + y", "max(x, y) <= x"),
    "greater with a maximum": ("x + y > max(x, y)", "x >= max(x, y)"),
    "minimum and maximum": ("min(x, y) + max(x, y) == x + y", "min(x, y) == max(x, y)"),
    "three members": ("max(x, y, z) * 3 >= x + y + z", "max(x, y, z) <= max(x, y)"),
    "minimum of ratios": ("min(precision, recall) <= f1 <= max(precision, recall)", "f1 <= min(precision, recall)"),
    "magnitude": ("abs(x - y) == max(x - y, y - x)", "abs(x - y) == x - y"),
    "magnitude of a ratio": ("abs(informedness) <= 1", "abs(informedness) <= informedness"),
    "swap": ("swap(recall) == specificity", "swap(recall) == recall"),
    "swap of the other rate": ("swap(precision) == negative_predictive_value", "swap(f1) == f1"),
    "transpose": ("transpose(precision) == recall", "transpose(recall) == recall"),
    "transpose of F": ("transpose(f1) == f1", "transpose(specificity) == specificity"),
    "swap in a sum": ("swap(recall + 2 * tp) == specificity + 2 * tn", "swap(tp + tn) == tp - tn"),
    "swap twice": ("swap(swap(fp)) == fp", "swap(transpose(fp)) == fn"),
    "divided by what may be negative": ("x/(x - y) > y/(x - y)", "1/(x - y) > 0"),
    "sign of a quotient": ("(1/(x - y) > 0) == (x > y)", "(1/(x - y) > 0) == (x < y)"),
    "divided twice": ("1/(1/(x - y)) == x - y", "1/(1/(x - y)) == y - x"),
    "equation of quotients": ("1/(x - y) == -1/(y - x)", "1/(x - y) == 1/(y - x)"),
    "magnitude of a quotient": ("abs(1/(x - y)) == max(1/(x - y), 1/(y - x))", "abs(1/(x - y)) == 1/(x - y)"),
    "minimum of quotients": ("min(1/(x - y), 1/(y - x)) < 0", "max(1/(x - y), 1/(y - x)) < 0"),
    "a negative divisor in a product": ("1/(x - y) * (x - y) == 1", "1/(x - y) * (x - y) == -1"),
    "powers": ("(x - y)**2 >= 0", "(x - y)**3 >= 0"),
    "decimals": ("x + 0.30 == x + 3/10", "x + 0.3 == x + 0.33"),
    # MCC is the informedness's sign times the root of informedness and markedness; Fowlkes-Mallows is between F1 and
    # the arithmetic mean of precision and recall.
    "root: range": ("-1 <= matthews_corrcoef <= 1", "0 <= matthews_corrcoef <= 1"),
    "root: range of the positive one": ("0 <= fowlkes_mallows <= 1", "0 < fowlkes_mallows <= 1"),
    "root: sign": ("(matthews_corrcoef < 0) == (informedness < 0)", "(matthews_corrcoef < 0) == (informedness <= 0)"),
    "root: means": ("f1 <= fowlkes_mallows", "fowlkes_mallows <= f1"),
    "root: with a ratio": ("fowlkes_mallows <= (precision + recall) / 2", "fowlkes_mallows < (precision + recall) / 2"),
    "root: with a negative number": ("fowlkes_mallows > -1/2", "matthews_corrcoef > -1/2"),
    "root: by its zero": ("(matthews_corrcoef == 0) == (tp*tn == fp*fn)", "(matthews_corrcoef == 0) == (tp == fp)"),
    "root: with a quotient of differences": (
        "not (errors == 0 and min(tp, tn) >= 20) or matthews_corrcoef == (fp - tp)/(fn - tp)",
        "not (errors == 0 and min(tp, tn) >= 20) or matthews_corrcoef != (fp - tp)/(fn - tp)",
    ),
    "root: exchanged": ("swap(matthews_corrcoef) == matthews_corrcoef", "swap(fowlkes_mallows) == fowlkes_mallows"),
    "root: transposed": ("transpose(fowlkes_mallows) == fowlkes_mallows", "matthews_corrcoef == fowlkes_mallows"),
}  # fmt: skip


@pytest.mark.parametrize("name", CLAIMS)
def test_a_true_claim_is_false_nowhere_and_a_false_one_somewhere(name):
    true, false = CLAIMS[name]
    domain = NUMBERS if set(Formula.condition(true).names) <= {"x", "y", "z"} else TABLES
    assert fails(true, domain) is False
    assert fails(false, domain) is True


def test_pairs():
    fewer_errors = "(prediction_advantage_1 > prediction_advantage_2) == (errors_1 < errors_2)"
    same = "positives_1 == positives_2 and negatives_1 == negatives_2"
    assert fails(fewer_errors, PAIRS, same) is False
    assert fails(fewer_errors, PAIRS) is True
    assert fails(fewer_errors.replace("prediction_advantage", "f1"), PAIRS, same) is True
    assert fails("swap(recall_2) == specificity_2", PAIRS) is False
    assert fails("swap(recall_2) == specificity_1", PAIRS) is True


@pytest.mark.parametrize(
    ("claim", "given", "somewhere"),
    [
        ("precision <= 1", "", True),  # nothing is called positive
        ("precision <= 1", "predicted_positives >= 1", False),
        ("precision == precision", "", True),
        ("precision != precision", "", True),
        ("1/tp > 0", "", True),  # x/0, not only 0/0
        ("1/tp > 0", "tp > 0", False),
        ("1/(1/tp) >= 0", "", True),  # infinite inside
        ("0 * precision == 0", "", True),
        ("precision <= 1 or n >= 0", "", False),  # the rest settles it
        ("precision <= 1 and n < 0", "", False),
        ("precision <= 1 and n >= 0", "", True),
        ("precision <= 1 or predicted_positives == 0", "", False),
        ("not precision <= 1", "", True),
        ("(precision <= 1) == (n >= 0)", "", True),
        ("(n < 0) == (tp < 0)", "", False),  # both false
        ("not n < 0", "", False),
        ("0 <= n < precision + n + 1", "", True),  # in a chain
        ("min(precision, 1) <= 1", "", True),
        ("abs(precision) >= 0", "", True),
        ("swap(precision) <= 1", "predicted_positives > 0", True),
        ("swap(precision) <= 1", "predicted_negatives > 0", False),
        ("matthews_corrcoef <= 1", BOTH, True),
        ("matthews_corrcoef <= 1", FULL, False),
        ("fowlkes_mallows <= 1", "positives > 0", True),
        ("cohen_kappa <= 1", BOTH, False),
        ("f1 <= 1", "tp + fp + fn > 0", False),
    ],
)
def test_where_a_claim_is_undefined(claim, given, somewhere):
    assert undefined(claim, TABLES, given) is somewhere


def test_what_is_undefined_is_not_false():
    """The number before a division by zero would make it so, were it taken for one."""
    assert fails("precision > -1", TABLES) is False
    assert fails("1/tp > 0", TABLES) is False
    assert fails("1/(1/tp) > 0", TABLES) is False
    assert fails("x/(x - y) != x/(x - y) + 1", NUMBERS) is False
    assert fails("not precision > 1", TABLES) is False


def test_what_is_given_must_be_true_and_not_merely_not_false():
    assert fails("predicted_positives > 0", TABLES, "precision >= 0") is False
    assert fails("predicted_positives > 0", TABLES, "precision >= 0 or n >= 0") is True


@pytest.mark.parametrize(
    ("text", "squared"), [("1/(x - y) == z", True), ("1/(x - y) <= z", True), ("1/(x + y) <= z", False)]
)
def test_a_divisor_is_squared_only_where_it_may_be_negative(text, squared):
    """Multiplied by itself it leaves an order as it is."""
    (true,) = Formula.condition(text).truth(NUMBERS.space().cases).true
    assert ("(* (+ ?x (- ?y)) (+ ?x (- ?y)))" in true) is squared


@pytest.mark.parametrize(
    ("text", "alternatives"),
    [
        ("x <= max(y, z)", True),
        ("x <= min(y, z)", False),  # one comparison for each member
        ("max(x, y) < min(y, z)", False),
        ("min(x, y) > z", False),
    ],
)
def test_an_order_of_a_choice_is_one_of_its_members_where_it_can_be(text, alternatives):
    (true,) = Formula.condition(text).truth(NUMBERS.space().cases).true
    assert ("ite" in true) is alternatives


@pytest.mark.parametrize("text", ["{} + 1", "-{}", "abs({})", "min({}, 1)", "{} ** 3", "{} / 2"])
def test_square_roots_cannot_stand_in_arithmetic(text):
    """As in exact arithmetic: a root taken for its square would prove what is false."""
    space = TABLES.space()
    with pytest.raises(ValueError, match=r"can be compared; arithmetic takes its square"):
        Formula.number(text.format("matthews_corrcoef")).value(space.cases)
