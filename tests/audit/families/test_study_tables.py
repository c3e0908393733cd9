"""Numbers of the study's tables that are more than one cell."""

import pytest
from nontrivial.audit.families.study_tables import check_halves, halves_of_rate_grid, label_before_break_even
from nontrivial.audit.found import Unavailable
from nontrivial.audit.stated import Statement

HEADER = "segment,positives,tp,fp,d"


def label(folder, *lines):
    (folder / "t.csv").write_text("\n".join([HEADER, *lines]) + "\n")
    return label_before_break_even(folder, table="t.csv")


def test_the_vertex_closest_to_equal_gains(tmp_path):
    """Of four positives: FP less FN over TP is -3, -1/3 and 2 after the segments that hold a positive."""
    lines = ("1,0,0,0,", "2,1,1,0,0.9", "3,2,3,0,0.6", "4,1,4,8,0.2")
    assert label(tmp_path, *lines).text() == "0.6"
    # With eight false positives at the third of them, the first is closer: 7/3.
    assert label(tmp_path, *(line.replace("3,0,0.6", "3,13,0.6") for line in lines)).text() == "0.2"


def test_a_vertex_without_a_calibrated_score_is_told(tmp_path):
    found = label(tmp_path, "1,3,3,0,", "2,0,3,9,0")
    assert found == Unavailable("t.csv has no calibrated score of segment 1.")


def test_the_halves_of_a_grid_of_rates(tmp_path):
    """With N = 2 P recall gain at 1/4, 1/2 and 3/4 is -1/2, 1/2 and 5/6: below 0, on the border, and above it."""
    stated = Statement.parse("lower < upper")
    (tmp_path / "t.csv").write_text("positives,negatives\n2,1\n1,5\n")
    found = halves_of_rate_grid(tmp_path, stated=stated, table="t.csv", steps=4)
    assert found.text() == "lower 0; upper 3"  # at 3/4, with false positive rates up to that
    # With N = P it is -2, 0 and 2/3.
    (tmp_path / "t.csv").write_text("positives,negatives\n3,3\n")
    assert halves_of_rate_grid(tmp_path, stated=stated, table="t.csv", steps=4).text() == "lower 2; upper 3"


def test_a_half_that_there_is_not_is_named():
    with pytest.raises(ValueError, match="'left' is no half of the grid; known: lower, upper"):
        check_halves(stated=Statement.parse("left < upper"))
