"""Numbers of the study's tables that are more than one cell."""

from nontrivial.audit.families.study_tables import label_before_break_even
from nontrivial.audit.found import Unavailable

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
