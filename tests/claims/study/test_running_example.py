"""The running example, from the study's table of its hull."""

from fractions import Fraction

from nontrivial.claims.verdict import Absent
from nontrivial_study.documents.kinds import break_even_segment

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
    # FP less FN is 0, 2 and 13.
    lines = ("1,0,0,0,", "2,1,1,3,0.9", "3,2,3,3,0.6", "4,1,4,13,0.2")
    assert label(write, *lines) == Fraction("0.9")


def test_a_vertex_without_a_calibrated_score_is_told(write):
    assert label(write, "1,3,3,0,", "2,0,3,9,0") == Absent(
        "empty columns", {"table": "t.csv", "columns": ["d"]}
    )
