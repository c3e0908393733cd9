"""Where scores are cut."""

import pytest

from nontrivial.scorecard.predictions import read_predictions


@pytest.mark.parametrize(
    ("scores", "predicted", "rule"),
    [
        ((0.5, 0.4999), [True, False], "positive where score >= 0.5, as all scores lie in [0, 1]"),
        ((0.0, -3.0), [True, False], "positive where score >= 0, as scores lie outside [0, 1]"),
        ((1 + 2e-16, -1e-12), [True, False], "positive where score >= 0.5, as all scores lie in [0, 1]"),
    ],
)
def test_scores_alone_are_cut_at_the_usual_threshold(write, scores, predicted, rule):
    read = read_predictions(write("truth,score\n1,{}\n0,{}\n".format(*scores)))
    assert read.prediction.tolist() == predicted
    assert read.rule == rule


@pytest.mark.parametrize("scores", [(80, 20), (0.4, 7.0), (-3.0, -1.0)])
def test_scores_from_which_no_threshold_follows_want_one(write, scores):
    path = write("truth,score\n1,{}\n0,{}\n".format(*scores))
    with pytest.raises(ValueError, match="--threshold"):
        read_predictions(path)
    assert read_predictions(path, threshold=5).rule


def test_a_threshold_goes_before_the_files_predictions(write):
    path = write("truth,prediction,score\n1,1,0.3\n0,1,0.2\n")
    read = read_predictions(path, threshold=0.3)
    assert (read.prediction.tolist(), read.rule) == (
        [True, False],
        "positive where score >= 0.3, as --threshold says",
    )
    assert read.columns == {"truth": "truth", "score": "score"}
    assert read_predictions(path).prediction.tolist() == [True, True]
