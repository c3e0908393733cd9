"""The exam, against values worked by hand."""

from nontrivial_study.experiments.exam.exam import calc_exam


def test_exam_and_intern():
    def one(correct, trivial):
        told = {"example": "e", "who": "w", "stated_advantage": "s"}
        return calc_exam([told | {"correct": correct, "trivial": trivial}])["exam"]["exact"].item()

    assert one("0.30", "1/3") == "-1/20"
    assert one("0.30", "1/4") == "1/15"
    assert one("0.60", "1/3") == "2/5"
    assert one("0.60", "1/4") == "7/15"
    assert one("0.97", "99/100") == "-2"
