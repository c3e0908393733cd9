"""What labels mean, and when two are one."""

import pytest

from nontrivial.scorecard.predictions import read_predictions


@pytest.mark.parametrize("label", ["1", "1.0"])
def test_a_numeric_label_is_found_however_it_is_written(write, label):
    path = write("truth,prediction\n1.0,1\n0.0,0\n")
    read = read_predictions(path, positive=label)
    assert read.positive == "1.0"
    assert read.truth.tolist() == read.prediction.tolist() == [True, False]


def test_labels_that_differ_by_case_are_said_to(write):
    read = read_predictions(write("y,prediction\nill,ill\nIll,ill\nwell,well\n"))
    assert read.alike == (("Ill", "ill"),)


def test_na_is_a_missing_value_unless_it_is_named_and_none_is_a_label(write):
    path = write("truth,prediction\nNA,NA\nNone,NA\n")
    with pytest.raises(ValueError, match=r"1 in 'truth' \(the first in row 1, where it holds 'NA'\)"):
        read_predictions(path)
    read = read_predictions(path, positive="NA")
    assert (read.labels, read.prediction.tolist()) == (("NA", "None"), [True, True])
