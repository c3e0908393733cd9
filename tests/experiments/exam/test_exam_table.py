"""The exam, against values worked by hand."""

from nontrivial_study.experiments.exam.exam import calc_exam


def test_exam_and_intern():
    grades = [("0.30", "1/3"), ("0.30", "1/4"), ("0.60", "1/3"), ("0.60", "1/4"), ("0.97", "99/100")]
    exam = [{"correct": correct, "trivial": trivial} for correct, trivial in grades]
    assert calc_exam(exam)["exam"]["exact"].tolist() == ["-1/20", "1/15", "2/5", "7/15", "-2"]
