"""Rows of the study's tables, on tables made for the purpose."""

from fractions import Fraction

import pytest

from nontrivial.claims.verdict import Absent
from nontrivial_study.documents.kinds import row


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
