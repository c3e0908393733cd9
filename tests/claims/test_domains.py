"""What claims are about: measures against their definitions, and every small case once, in the order of size."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from claims.named import conditions, number, numbers, value_of
from claims.plain_tables import Root, measure

from nontrivial.claims.domains.domain import NumberDomain
from nontrivial.claims.domains.forecasts import FORECAST_QUANTITIES, ForecastDomain
from nontrivial.claims.domains.tables import TABLE_NAMES, TableCases, TableDomain
from nontrivial.claims.language.formulas import Formula
from nontrivial.claims.language.numbers import COMPARISONS, PrintedNumber, Ratios
from nontrivial.claims.points import Point, judge_point, judge_points
from nontrivial.claims.search import Question, decide
from nontrivial.claims.verdict import NothingFound, NumberFinding, RelationFinding, finding_to_json, verdict_on
from nontrivial.measures.catalogue import CATALOGUE, RATIO_SCALE, ConfusionTables

SMALL = list(itertools.product(range(4), repeat=4))


@pytest.mark.parametrize("name", TABLE_NAMES)
def test_each_measure_is_that_of_the_catalogue_in_every_small_table(name):
    for table in SMALL:
        expected = measure(name, table)
        assert value_of(name, table) == (expected.square if isinstance(expected, Root) else expected), table


@pytest.mark.parametrize("name", [name for name, record in CATALOGUE.items() if record.scale != RATIO_SCALE])
@pytest.mark.parametrize("number", [Fraction(x, 12) for x in (-18, -12, -4, 0, 3, 6, 8, 12, 18)])
def test_a_measure_on_a_scale_compares_with_any_number(name, number):
    columns = np.array(SMALL, dtype=object).T
    fp, tp, fn, tn = columns
    tables, record = ConfusionTables(tp, fp, fn, tn), CATALOGUE[name]
    above, below = record.exact_ratio(tables)
    has_value = ((above != 0) | (below != 0)).astype(bool)
    sign = record.compare(tables, *number.as_integer_ratio())
    for symbol, holds in COMPARISONS.items():
        cases = TableCases(*map(Ratios, columns))
        truth_values = Formula.condition(f"{name} {symbol} {number}").evaluate(cases)
        np.testing.assert_array_equal(truth_values.true, has_value & holds(sign, 0).astype(bool))
        np.testing.assert_array_equal(truth_values.is_defined, has_value)


def test_prevalence_thresholds_are_compared_by_their_likelihood_ratios():
    claim = "(prevalence_threshold_1 < prevalence_threshold_2) == (recall_1 / false_positive_rate_1 > \
recall_2 / false_positive_rate_2)"
    defined = conditions("fp_1 * negatives_1 * tp_1 > 0", "fp_2 * negatives_2 * tp_2 > 0")
    assert decide(Formula.condition(claim), defined, TableDomain("pairs of tables")).proved_of == "any size"
    finding = decide(Formula.condition("prevalence_threshold <= prevalence"), [], TableDomain())
    assert finding.witness == (1, 1, 1, 2)
    assert finding.values["prevalence_threshold"] == "sqrt(2/3)/(1 + sqrt(2/3))"


def test_f_has_any_beta():
    """From precision 2/3 and recall 2/5: F2 weighs recall by 4, and its gain is on the harmonic scale."""
    table, f2 = TableCases(*map(Ratios, (1, 2, 3, 4))), 5 / (1 / Fraction(2, 3) + 4 / Fraction(2, 5))
    assert number("f_beta(2)", table) == f2
    assert number("f_beta_gain(2)", table) == (f2 - Fraction(1, 2)) / (Fraction(1, 2) * f2)
    assert number("f_beta(1/2)", table) == number("f_beta(0.50)", table) == Fraction(10, 17)
    assert number("f_beta_gain(1)", table) == number("f_beta_gain", table)
    pair = TableDomain("pairs of tables").as_cases((0, 0, 0, 0, 1, 2, 3, 4))
    assert number("f_beta_2(1)", pair) == number("f1", table)
    for beta in ("1.4142", "3.14159", "0.3333333333333333333333"):
        b = Fraction(beta) ** 2
        assert number(f"f_beta({beta})", table) == (1 + b) * 2 / ((1 + b) * 2 + 1 + b * 3)
        [part] = TableDomain().small_batches()
        truth = Formula.condition(f"f_beta({beta}) <= 1").evaluate(part.cases)
        assert truth.true.sum() == truth.is_defined.sum() == part.count - 13  # tables of true negatives alone
    assert number("tp / 100000000000000000000", table) == Fraction(2, 10**20)


def list_cases(parts):
    return [part.case_at(place) for part in parts for place in range(part.count)]


def by_size(cases):
    return sorted(cases, key=lambda case: (sum(case), case))


@pytest.mark.parametrize(
    ("domain", "expected"),
    [
        (TableDomain(), (case for case in itertools.product(range(13), repeat=4) if sum(case) <= 12)),
        (numbers(x=(0, 2), y=(3, 4)), itertools.product(range(3), range(3, 5))),
        (NumberDomain.positive(["x", "y"], {}), itertools.product(range(1, 7), repeat=2)),
        (NumberDomain.positive(list("abcde"), {}), itertools.product(range(1, 4), repeat=5)),
    ],
    ids=["tables", "ranges", "two positive", "five positive"],
)
def test_every_small_case_is_there_once_in_the_order_of_size(domain, expected):
    assert list_cases(domain.small_batches()) == by_size(expected)


def test_pairs_and_larger_tables_are_there_once_in_the_order_of_size():
    cases = list_cases(TableDomain("pairs of tables").small_batches())
    assert len(set(cases)) == len(cases) == math.comb(16, 8)  # eight cells of up to 8 cases in all
    assert cases == by_size(cases)
    assert next(iter(TableDomain().larger_cases(()).batches)).case_at(0) == (0, 0, 0, 13)
    up_to_48 = sum(batch.count for batch in TableDomain().larger_cases(()).batches)
    assert up_to_48 == math.comb(52, 4) - math.comb(16, 4)
    assert list_cases(numbers(x=(0, 2)).larger_cases(()).batches) == []


@pytest.mark.parametrize(
    ("domain", "case", "fits"),
    [
        (TableDomain(), (1, 2, 3, 10**30), True),
        (TableDomain("pairs of tables"), (1,) * 8, True),
        (TableDomain("pairs of tables"), (1,) * 4, False),
        (numbers(x=(0, 2), y=(3, 4)), (2, 3), True),
        (numbers(x=(0, 2), y=(3, 4)), (3, 3), False),
        (numbers(x=(0, 3)), (Fraction(1, 2),), False),
        (NumberDomain.positive(["x"], {}), (Fraction(1, 2),), True),
        (NumberDomain.positive(["x"], {}), (10**9,), True),  # beyond those that are tried
        (NumberDomain.positive(["x"], {}), (0,), False),
    ],
)
def test_what_is_a_case(domain, case, fits):
    assert (domain.as_cases(case) is not None) == fits


# Forecasts under cross-entropy, against likelihoods multiplied case by case.


def likelihoods(labels, guess):
    """Every named number of one case, by going through the cases one by one."""
    truths = [label for label, count in enumerate(labels) for _ in range(count)]
    n, guesses = len(truths), sum(guess)
    numbers_by_name = {"cases": Fraction(n), "guesses": Fraction(guesses)}
    for name, forecast in (("shares_likelihood", labels), ("guess_likelihood", guess)):
        numbers_by_name[name] = math.prod(
            (Fraction(forecast[true], sum(forecast)) for true in truths), start=Fraction(1)
        )
    # By their definitions, as sums over the labels: of p log p, and of p log (q/p).
    shares = [(x, Fraction(x, n), Fraction(y, guesses)) for x, y in zip(labels, guess, strict=True) if x]
    numbers_by_name["entropy_likelihood"] = math.prod((p**x for x, p, _ in shares), start=Fraction(1))
    numbers_by_name["divergence_likelihood"] = math.prod(((q / p) ** x for x, p, q in shares), start=Fraction(1))
    return numbers_by_name


def test_every_likelihood_is_what_multiplying_gives():
    (part,) = ForecastDomain(3, 2, 2).small_batches()
    columns = {name: part.cases.value(name).fractions() for name in FORECAST_QUANTITIES}
    for place in range(part.count):
        labels, guess = part.case_at(place)[:3], part.case_at(place)[3:]
        if sum(labels) and sum(guess):
            assert {name: column[place] for name, column in columns.items()} == likelihoods(labels, guess)


FORECAST_CLAIMS = {
    "guess_likelihood <= shares_likelihood": None,
    "guess_likelihood / shares_likelihood == divergence_likelihood": None,
    "guess_likelihood >= shares_likelihood": (1, 1, 1, 2),
}


@pytest.mark.parametrize("text", FORECAST_CLAIMS)
def test_claims_about_forecasts(text):
    witness, domain, claim = FORECAST_CLAIMS[text], ForecastDomain(2, 3, 3), Formula.condition(text)
    some = conditions("cases >= 1", "guesses >= 1")
    finding = decide(claim, some, domain)
    assert (finding.status, finding.witness) == ("refuted" if witness else "searched", witness)
    assert (finding.checked, finding.undefined, finding.proved_of) == (15**2, 0, "")
    assert not Question(claim, some, domain).is_settled_by((1, 2, 1, 4))  # more guesses than there are in it
    with pytest.raises(ValueError, match="more than 1,000,000 combinations"):
        ForecastDomain(9, 9, 9).small_batches()


# PrintedNumber and measured numbers, with what rounding and sampling leave possible.


def judge_at(claim, point, *given, **define):
    formulas = {name: Formula.number(text) for name, text in define.items()}
    return judge_point(Formula.condition(claim), conditions(*given), formulas, point)


def printed_point(**printed):
    known = {name: PrintedNumber.parse(text) for name, text in printed.items()}
    ranges = {name: (number.low, number.high) for name, number in known.items()}
    return Point({name: number.value for name, number in known.items()}, ranges)


def test_a_number_has_the_range_that_rounding_leaves():
    """1 - 0.27/(81/306) is -1/50 by hand. 0.275 gives -7/180, and 0.265 gives -1/900."""
    finding = judge_at("1 - error/minority == -0.02", printed_point(error="0.27", minority="81/306"))
    assert finding == NumberFinding(Fraction(-1, 50), Fraction(-7, 180), Fraction(-1, 900))
    define = {"twice": "2*wrong", "wrong": "1 - share", "share": "right/all"}
    finding = judge_at("twice == 0.8", printed_point(right="60/1", all="100/1"), "share > 0", **define)
    assert finding.value == Fraction(4, 5)


def test_a_relation_is_tried_at_all_ends():
    point = printed_point(x="0.4", y="0.5")
    assert judge_at("x < y", point).at_ends == "some"  # 0.45 and 0.45
    x, y = [Fraction(k, 20) for k in (8, 7, 9)], [Fraction(k, 20) for k in (10, 9, 11)]
    values = {"x": tuple(x), "y": tuple(y)}
    assert judge_at("x <= y", point) == RelationFinding(values, holds=True, at_ends="all")
    assert judge_at("y < x", point).at_ends == "none"


@pytest.mark.parametrize(
    ("claim", "printed", "given", "holds", "at_ends"),
    [
        ("x == y", {"x": "0.33", "y": "0.333"}, [], False, "some"),  # 0.333 is within 0.325..0.335
        ("x == y", {"x": "0.33", "y": "0.35"}, [], False, "none"),
        ("x != y", {"x": "0.5", "y": "0.51"}, [], True, "some"),
        ("x < 1 and x == y", {"x": "0.33", "y": "0.333"}, [], False, "some"),
        ("x == 0.33 and y == 0.66", {"x": "1/3", "y": "2/3"}, [], False, "none"),
        ("x != 0", {"x": "0.3"}, [], True, "all"),
        ("0 < x == 0.33 < 1", {"x": "1/3"}, [], True, "all"),
        ("x > y", {"x": "0.45", "y": "0.4"}, ["x > y"], True, "all"),  # 0.445 and 0.45 are not as given
    ],
)
def test_equality_is_judged_by_ranges_and_ends_that_are_not_as_given_do_not_count(
    claim, printed, given, holds, at_ends
):
    finding = judge_at(claim, printed_point(**printed), *given)
    assert (finding.holds, finding.at_ends) == (holds, at_ends)


def test_an_exact_tolerance_takes_digits_as_they_are():
    claim, point = Formula.condition("x == 0.33 and x < 1"), printed_point(x="1/3")
    assert judge_point(claim, [], {}, point, "exact").at_ends == "none"
    assert judge_at("log(x)/log(2) == 3", printed_point(x="8/1")).value == 3
    assert judge_at("log(x)/log(2) == log(64)/log(4)", printed_point(x="8/1")).holds
    for text in ("log(x)/log(2) != log(64)/log(4)", "log(x)/log(2) < 3", "x > 1 and log(x)/log(2) > 3"):
        assert judge_at(text, printed_point(x="8/1")) == NothingFound("undecided")


@pytest.mark.parametrize(
    ("claim", "given", "values", "reason"),
    [
        ("x == 0.5", [], {"x": None}, "no number"),
        ("x == 0.5", ["y > 1"], {"x": 1, "y": 1}, "does not apply"),
        ("x/y == 0.5", [], {"x": 1, "y": 0}, "undefined"),
        ("share < 1/2", [], {"x": 0, "y": 0}, "undefined"),
    ],
)
def test_a_number_that_is_not_there(claim, given, values, reason):
    point = Point({name: None if value is None else Fraction(value) for name, value in values.items()})
    finding = judge_at(claim, point, *given, share="x/y")
    assert finding == NothingFound(reason)
    assert verdict_on(Formula.condition(claim), finding).verdict == "not_evaluated"
    with pytest.raises(ValueError, match="'carol' is not among the numbers: bob"):
        judge_at("bob < carol", printed_point(bob="1/1"))


def points(*numbers):
    """Points of two measures; the first may be a tenth more or less."""
    tenth = Fraction(1, 10)
    return [
        Point(
            {"a": Fraction(a), "b": Fraction(b)},
            {"a": (Fraction(a) - tenth, Fraction(a) + tenth)},
            key={"at": str(place)},
        )
        for place, (a, b) in enumerate(numbers)
    ]


@pytest.mark.parametrize(
    ("claim", "given", "numbers", "counts", "reason"),
    [
        ("a < b", [], [("0.1", "0.3"), ("0.15", "0.3")], (2, 2, 2, 0), "kept"),
        ("a < b", [], [("0.1", "0.3"), ("0.35", "0.3")], (2, 1, 1, 0), "some ends"),  # by less than sampling error
        ("a < b", [], [("0.1", "0.3"), ("0.45", "0.3")], (2, 1, 1, 1), "broken"),  # by more
        ("a < b", ["b > 0.4"], [("0.1", "0.5"), ("0.45", "0.3")], (1, 1, 1, 0), "kept"),
        ("sometimes(a > b)", [], [("0.1", "0.3"), ("0.45", "0.3")], (2, 1, 1, 1), "kept"),
        ("sometimes(a > b)", [], [("0.1", "0.3"), ("0.35", "0.3")], (2, 1, 0, 1), "not all ends"),
        ("a/b < 1", [], [("0.2", "0"), ("0.1", "0.3")], (2, 1, 1, 1), "broken"),  # infinite at the first
    ],
)
def test_points_are_counted(claim, given, numbers, counts, reason):
    lacking, formula = Point({"a": Fraction(1), "b": None}), Formula.condition(claim)
    finding = judge_points(formula, conditions(*given), {}, [lacking, *points(*numbers)])
    assert tuple(finding.points.values()) == (*counts, 1)
    assert verdict_on(formula, finding).reason == reason


def test_where_no_point_tells_nothing_is_evaluated():
    two = points(("0.1", "0.3"), ("0.2", "0.3"))
    finding = judge_points(Formula.condition("a < b"), conditions("b > 0.9"), {}, two)
    assert finding == NothingFound("no points")
    assert judge_points(Formula.condition("sometimes(a > b)"), [], {}, two).reason == "kept nowhere"


def test_the_first_point_that_breaks_it_or_keeps_what_is_sometimes_so_is_told():
    three = points(("0.1", "0.3"), ("0.5", "0.3"), ("1", "0"))
    for text in ("a < b", "sometimes(a >= b)"):
        finding = judge_points(Formula.condition(text), [], {}, three)
        assert finding.place == {"at": "1"}
        assert [ends[0] for ends in finding_to_json(finding)["values"].values()] == ["1/2", "3/10"]
    assert judge_points(Formula.condition("a < b"), [], {}, three[:1]).place == {}


def test_what_is_possible_together_is_tried_together():
    """Either number alone may be 0 or 1, but they always add up to 1."""
    together = [{"a": Fraction(a), "b": 1 - Fraction(a)} for a in (0, 1)]
    half = {"a": Fraction(1, 2), "b": Fraction(1, 2)}
    assert judge_at("a + b <= 1", Point(half, possible=together)).at_ends == "all"
    assert judge_at("a + b <= 1", Point(half, {"a": (0, 1), "b": (0, 1)})).at_ends == "some"
    # What sampling leaves possible may all be undefined; then the point is clear neither way.
    unknown = [Point({"a": Fraction(value)}, possible=[{"a": None}]) for value in (0, 1)]
    finding = judge_points(Formula.condition("a > 1/2"), [], {}, unknown)
    assert tuple(finding.points.values()) == (2, 1, 0, 0, 0)
