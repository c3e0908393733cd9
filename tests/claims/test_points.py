"""Claims about printed and measured numbers, with what rounding and sampling leave possible."""

from fractions import Fraction

import pytest

from nontrivial.claims.domains import Point, judge_point, survey_points
from nontrivial.claims.language import Formula, fixed_number
from nontrivial.claims.verdict import Absent, Number, Numbers, judge


def at(claim, point, given=(), **define):
    conditions = [Formula.condition(text) for text in given]
    formulas = {name: Formula.number(text) for name, text in define.items()}
    return judge_point(Formula.condition(claim), conditions, formulas, point)


def fixed(**numbers):
    known = {name: fixed_number(text) for name, text in numbers.items()}
    return Point(
        {name: value for name, (value, _) in known.items()}, {name: ends for name, (_, ends) in known.items()}
    )


def test_a_number_has_the_range_that_rounding_leaves():
    """1 - 0.27/(81/306) by hand: -1/50, between those of 0.275 and 0.265, which are -7/180 and -1/900."""
    found = at("1 - error/minority == -0.02", fixed(error="0.27", minority="81/306"))
    assert found == Number(Fraction(-1, 50), Fraction(-7, 180), Fraction(-1, 900))


def test_a_relation_is_tried_at_all_ends():
    point = fixed(x="0.4", y="0.5")
    assert at("x < y", point).at_ends == "some"  # 0.45 and 0.45
    assert at("x <= y", point) == Numbers(
        {
            "x": (Fraction(2, 5), Fraction(7, 20), Fraction(9, 20)),
            "y": (Fraction(1, 2), Fraction(9, 20), Fraction(11, 20)),
        },
        holds=True,
        at_ends="all",
    )
    assert at("y < x", point).at_ends == "none"


def test_definitions_are_made_of_definitions():
    found = at("twice == 0.8", fixed(right=60, all=100), given=["share > 0"], twice="2*wrong", wrong="1 - share",
               share="right/all")  # fmt: skip
    assert found.value == Fraction(4, 5)


@pytest.mark.parametrize(
    ("claim", "given", "values", "reason", "verdict"),
    [
        ("x == 0.5", [], {"x": None}, "no number", "not_evaluated"),
        ("x == 0.5", ["y > 1"], {"x": 1, "y": 1}, "does not apply", "not_evaluated"),
        ("x/y == 0.5", [], {"x": 0, "y": 0}, "undefined", "not_evaluated"),
        ("x/y == 0.5", [], {"x": 1, "y": 0}, "undefined", "not_evaluated"),
        ("share < 1/2", [], {"x": 0, "y": 0}, "undefined", "not_evaluated"),
    ],
)
def test_a_number_that_is_not_there(claim, given, values, reason, verdict):
    point = Point({name: None if value is None else Fraction(value) for name, value in values.items()})
    define = {"share": "x/y"} if "share" in claim else {}
    found = at(claim, point, given, **define)
    assert found == Absent(reason)
    assert judge(Formula.condition(claim), found).verdict == verdict


def test_an_unknown_name_is_named():
    with pytest.raises(ValueError, match="'carol' is not among the numbers: bob"):
        at("bob < carol", Point.exact(bob=1))


def points(*numbers):
    """Points of two measures, each with the same reach to both sides."""
    return [
        Point(
            {"a": Fraction(a), "b": Fraction(b)},
            {"a": (Fraction(a) - Fraction(1, 10), Fraction(a) + Fraction(1, 10))},
            place={"at": str(place)},
        )
        for place, (a, b) in enumerate(numbers)
    ]


@pytest.mark.parametrize(
    ("claim", "given", "numbers", "counts"),
    [
        ("a < b", [], [("0.1", "0.3"), ("0.2", "0.3")], (2, 2, 1, 0)),
        ("a < b", [], [("0.1", "0.3"), ("0.25", "0.3")], (2, 2, 1, 0)),
        ("a < b", [], [("0.1", "0.3"), ("0.35", "0.3")], (2, 1, 1, 0)),  # by less than sampling error
        ("a < b", [], [("0.1", "0.3"), ("0.45", "0.3")], (2, 1, 1, 1)),  # by more
        ("a < b", ["b > 0.4"], [("0.1", "0.5"), ("0.45", "0.3")], (1, 1, 1, 0)),
        ("a < b", ["b > 0.9"], [("0.1", "0.5")], (0, 0, 0, 0)),
        ("sometimes(a > b)", [], [("0.1", "0.3"), ("0.45", "0.3")], (2, 1, 1, 1)),
        # A claim without a meaning at a point does not count there.
        ("a/b < 1", [], [("0.1", "0"), ("0.1", "0.3")], (1, 1, 1, 0)),
    ],
)
def test_points_are_counted(claim, given, numbers, counts):
    conditions = [Formula.condition(text) for text in given]
    found = survey_points(Formula.condition(claim), conditions, {}, points(*numbers))
    assert (found.points, found.kept, found.clearly_kept, found.clearly_broken) == counts


def test_the_first_point_that_breaks_it_is_told():
    found = survey_points(
        Formula.condition("a < b"), [], {}, points(("0.1", "0.3"), ("0.5", "0.3"), ("1", "0"))
    )
    assert (found.broken, found.values) == ({"at": "1"}, {"a": "1/2", "b": "3/10"})
    kept = survey_points(Formula.condition("a < b"), [], {}, points(("0.1", "0.3")))
    assert (kept.broken, kept.values) == ({}, {})


def test_a_point_without_a_number_counts_for_nothing():
    lacking = Point({"a": Fraction(1), "b": None})
    found = survey_points(Formula.condition("a < b"), [], {}, [lacking, *points(("0.1", "0.3"))])
    assert (found.points, found.absent, found.kept) == (1, 1, 1)


def test_what_is_possible_together_is_tried_together():
    """Either number alone may be 0 or 1, but they always add up to 1."""
    together = [{"a": Fraction(a), "b": 1 - Fraction(a)} for a in (0, 1)]
    point = Point({"a": Fraction(1, 2), "b": Fraction(1, 2)}, possible=together)
    assert at("a + b <= 1", point).at_ends == "all"
    apart = Point({"a": Fraction(1, 2), "b": Fraction(1, 2)}, {"a": (0, 1), "b": (0, 1)})
    assert at("a + b <= 1", apart).at_ends == "some"


def test_a_point_of_which_nothing_is_known_to_be_possible_is_clear_neither_way():
    """What sampling leaves possible may all be undefined; then it says nothing."""
    unknown = [{"a": None}]
    points = [Point({"a": Fraction(value)}, possible=unknown) for value in (0, 1)]
    found = survey_points(Formula.condition("a > 1/2"), [], {}, points)
    assert (found.points, found.kept, found.clearly_kept, found.clearly_broken) == (2, 1, 0, 0)
