"""Rows of the study's tables, on tables made for the purpose."""

from fractions import Fraction

import pytest

from nontrivial.claims.found import Absent
from nontrivial.claims.study.running_example import break_even_segment, hull_segments, rate_grid
from nontrivial.claims.study.tables import count, row


@pytest.fixture
def write(tmp_path):
    def write_lines(*lines):
        (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
        return tmp_path

    return write_lines


def test_a_row_gives_its_numbers_with_their_ends(write):
    results = write("model,advantage,low,high", "m,0.1,-0.1,0.3", "other,1,1,1")
    (point,) = row(results, table="t.csv", where={"model": "m"}, ends={"advantage": ["low", "high"]})
    assert point.values["advantage"] == Fraction("0.1")
    assert point.ranges == {"advantage": (Fraction("-0.1"), Fraction("0.3"))}


def test_a_number_without_its_ends_is_none(write):
    (point,) = row(write("x,low,high", "0.1,,"), table="t.csv", where={}, ends={"x": ["low", "high"]})
    assert (point.values["x"], point.ranges) == (None, {})


def test_an_absent_row_is_told_and_two_are_refused(write):
    results = write("model,x", "m,1", "m,2")
    found = row(results, table="t.csv", where={"model": "other"})
    assert found == Absent("no row", {"table": "t.csv", "where": {"model": "other"}})
    with pytest.raises(ValueError, match=r"t\.csv has 2 rows with"):
        row(results, table="t.csv", where={"model": "m"})
    with pytest.raises(ValueError, match=r"t\.csv has no column 'kind'; it has model, x"):
        row(results, table="t.csv", where={"kind": "m"})


def test_a_row_of_another_study_says_what_it_has(write):
    found = row(
        write("tasks,x,low,high", "17,-0.2,-0.3,0.1"),
        table="t.csv",
        where={},
        about={"tasks": "886"},
        ends={"x": ["low", "high"]},
    )
    assert found.reason == "another study"
    assert found.about["wanted"] == "886"
    assert found.about["there"] == "17"
    assert found.about["numbers"] == {"x": "-0.2", "low": "-0.3", "high": "0.1"}


def test_rows_are_counted_with_those_that_are_unsure(write):
    results = write(
        "advantage,low,high", "-0.2,-0.3,-0.1", "-0.1,-0.3,0.1", "0.1,-0.1,0.2", "0.3,0.2,0.4", ",,"
    )
    (point,) = count(results, table="t.csv", that="advantage < 0", surely="high < 0", possibly="low < 0")
    assert (point.values, point.ranges) == ({"count": 2}, {"count": (1, 3)})
    (point,) = count(results, table="t.csv", that="advantage < 0")
    assert point.ranges == {"count": (2, 2)}
    assert count(write("advantage", '""'), table="t.csv", that="advantage < 0").reason == "empty columns"


HEADER = "segment,positives,tp,fp,d"


def label(write, *lines):
    found = break_even_segment(write(HEADER, *lines), table="t.csv")
    return found if isinstance(found, Absent) else found[0].values["d"]


def test_the_vertex_closest_to_equal_gains(write):
    """Of four positives: FP less FN over TP is -3, -1/3 and 2 after the segments that hold a positive."""
    lines = ("1,0,0,0,", "2,1,1,0,0.9", "3,2,3,0,0.6", "4,1,4,8,0.2")
    assert label(write, *lines) == Fraction("0.6")
    # With thirteen false positives from the third on, which makes 4 and 13/4, the first is the closest.
    lines = ("1,0,0,0,", "2,1,1,0,0.9", "3,2,3,13,0.6", "4,1,4,13,0.2")
    assert label(write, *lines) == Fraction("0.9")


def test_a_vertex_without_a_calibrated_score_is_told(write):
    assert label(write, "1,3,3,0,", "2,0,3,9,0") == Absent(
        "empty columns", {"table": "t.csv", "columns": ["d"]}
    )


def test_f1_at_the_ends_of_segments(write):
    results = write("segment,tp,fp", "1,1,0", "2,3,2", "3,4,8")
    (point,) = hull_segments(results, table="t.csv", segments={"best": 2, "next": 3})
    assert point.values == {"best": Fraction(6, 9), "next": Fraction(8, 16)}
    found = hull_segments(results, table="t.csv", segments={"best": 4})
    assert found == Absent("too few segments", {"table": "t.csv", "segments": 3})


def test_the_halves_of_a_grid_of_rates(write):
    """With N = 2 P recall gain at 1/4, 1/2 and 3/4 is -1/2, 1/2 and 5/6: below 0, on the border, and above it."""
    (point,) = rate_grid(write("positives,negatives", "2,1", "1,5"), table="t.csv", steps=4)
    assert point.values == {"lower": 0, "upper": 3}  # at 3/4, with false positive rates up to that
    # With N = P it is -2, 0 and 2/3.
    (point,) = rate_grid(write("positives,negatives", "3,3"), table="t.csv", steps=4)
    assert point.values == {"lower": 2, "upper": 3}
