"""What files of predictions say: labels, scores and thresholds; and what is said of a wrong one."""

import pandas as pd
import pyarrow as pa
import pytest

from nontrivial.scorecard.cells import Column
from nontrivial.scorecard.predictions import read_predictions


def test_more_classes_stay_as_they_are_unless_one_is_set_against_the_rest(write):
    path = write("truth,prediction\na,a\nb,c\nc,d\n")
    read = read_predictions(path)
    assert (read.positive, read.labels, read.n_classes) == (None, ("a", "b", "c", "d"), 3)
    assert (read.truth.tolist(), read.prediction.tolist()) == ([0, 1, 2], [0, 2, 3])
    read = read_predictions(path, positive="c")
    assert (read.truth.tolist(), read.prediction.tolist()) == ([False, False, True], [False, True, False])


CHANCES = "cat,0.5,0.3,0.2\ndog,0.1,0.7,0.2\nbird,0.1,0.2,0.7\n"


def test_probabilities_may_have_the_names_of_the_classes(write):
    read = read_predictions(write(f"y,cat,dog,bird\n{CHANCES}"))
    assert read.columns == {"truth": "y", "probabilities": "bird, cat, dog"}
    assert read.probabilities[0].tolist() == [0.2, 0.5, 0.3]
    read = read_predictions(write(f"y,cat,dog,bird\n{CHANCES}"), positive="dog")
    assert (read.columns["score"], read.score.tolist()) == ("dog", [0.3, 0.7, 0.2])
    # "case" may number cases elsewhere
    read = read_predictions(write("y,case,control\ncase,0.8,0.2\ncontrol,0.3,0.7\n"), positive="case")
    assert (read.columns, read.cases) == ({"truth": "y", "score": "case"}, None)
    read = read_predictions(write("y,0,1\n0,0.8,0.2\n1.0,0.3,0.7\n"))
    assert (read.columns["score"], read.score.tolist()) == ("1", [0.2, 0.7])


@pytest.mark.parametrize("label", ["1", "1.0"])
def test_a_numeric_label_is_found_however_it_is_written(write, label):
    read = read_predictions(write("truth,prediction\n1.0,1\n0.0,0\n"), positive=label)
    assert (read.positive, read.truth.tolist(), read.prediction.tolist()) == ("1.0", *[[True, False]] * 2)


def test_na_is_a_missing_value_unless_it_is_named_and_none_is_a_label(write):
    path = write("truth,prediction\nNA,NA\nNone,NA\n")
    with pytest.raises(ValueError, match=r"1 in 'truth' \(the first in row 1, where it holds 'NA'\)"):
        read_predictions(path)
    read = read_predictions(path, positive="NA")
    assert (read.labels, read.prediction.tolist()) == (("NA", "None"), [True, True])


@pytest.mark.parametrize(
    ("scores", "rule"),
    [
        ((0.5, 0.4999), "positive where score >= 0.5, as all scores lie in [0, 1]"),
        ((0.0, -3.0), "positive where score >= 0, as scores lie outside [0, 1]"),
        ((1 + 2e-16, -1e-12), "positive where score >= 0.5, as all scores lie in [0, 1]"),
    ],
)
def test_scores_alone_are_cut_at_the_usual_threshold(write, scores, rule):
    read = read_predictions(write("truth,score\n1,{}\n0,{}\n".format(*scores)))
    assert (read.prediction.tolist(), read.rule) == ([True, False], rule)


@pytest.mark.parametrize("scores", [(80, 20), (0.4, 7.0), (-3.0, -1.0)])
def test_scores_from_which_no_threshold_follows_want_one(write, scores):
    path = write("truth,score\n1,{}\n0,{}\n".format(*scores))
    with pytest.raises(ValueError, match="--threshold"):
        read_predictions(path)
    assert read_predictions(path, threshold=5).rule


def test_a_threshold_goes_before_the_files_predictions(write):
    path = write("truth,prediction,score\n1,1,0.3\n0,1,0.2\n")
    read = read_predictions(path, threshold=0.3)
    assert read.rule == "positive where score >= 0.3, as --threshold says"
    assert (read.prediction.tolist(), read.columns) == ([True, False], {"truth": "truth", "score": "score"})
    assert read_predictions(path).prediction.tolist() == [True, True]


NUMERALS = "y,prediction\n" + "".join(f'"{k},000.5","{k},100.5"\n' for k in range(1, 30))
WRONG = [
    ("a,prediction\n1,1\n", {}, "it has 'a', 'prediction'; name the column of the true labels with --truth."),
    ("truth,a\n1,1\n0,1\n", {}, "no column of scores or predictions among 'truth', 'a'"),
    ("y,p_a,p_b\na,.7,.2\nb,.2,.7\nc,.1,.2\n", {}, "columns p_a, p_b, but the classes a, b, c"),
    ("truth,prediction\n1,1\n", {}, "'truth' of predictions.csv has one class only"),
    ("y,pred\n1,1\n0,1\nNA,1\n", {}, "1 in 'y' (the first in row 3, where it holds 'NA')"),
    ("y,pred\n1.5,1\nNA,1\n2.5,1\n", {"task": "regression"}, "1 in 'y' (the first in row 2, where"),
    ("y,pred\n1,1\n,1\n", {}, "1 of 2 data rows: 1 in 'y' (the first in row 2)"),
    ("y,pred\n1,1\n0,\n", {}, "1 of 2 data rows: 1 in 'pred' (the first in row 2)"),
    ("y,score\n1,1\n0,\n", {}, "1 of 2 data rows: 1 in 'score' (the first in row 2)"),
    (
        "y,score\n1,1\n0,9007199254740993\n",
        {},
        "'score' of predictions.csv holds 9007199254740993 in data row 2",
    ),
    ("y,score\n1,1\n0,inf\n", {}, "'score' of predictions.csv is not finite in data row 2"),
    ("y,score\n1,1\n0,1e-3\n0,high\n0,low\n", {}, "'high' in data row 3"),
    ("y;p\n1;1\n0;0,25\n", {}, "'0,25' in data row 2, which is not a number; if it has a decimal comma"),
    (
        "y;p\n1;1.234,5\n0;2,5\n",
        {"decimal": ","},
        "row 1, which is not a number; with --decimal , a number has no",
    ),
    ("y|p\n1|0.7\n", {}, "it has 'y|p'; name the column of the true labels with --truth, or"),
    ("y,p\n1,70%\n0,30%\n", {}, "'70%' in data row 1, which is not a number; write a percentage as a share"),
    ("y,p\n1,0,7\n0,0,3\n", {}, "3 fields in data row 1, but 2 names in its first line; if a number"),
    ('[{"y": 1, "p": 1},\n {"y": 0, "p": 0}]', {}, "a list in JSON"),
    ("y,p,g\n1,1,a\n0,0,a\n", {"group": "g"}, "'g' of predictions.csv has one group only"),
    (NUMERALS, {}, "'1,100.5'"),
    ("y,pred\n1,1\n0,2\n", {}, "'2', which is not a true label; the true labels are 0, 1."),
    ("y,pred\n1,1\n0,0\n", {"positive": "yes"}, "--positive is 'yes', which column 'y' of"),
    ("y,pred\n1,1\n0,0.25\n", {}, "numbers that are not labels, such as 0.25; the labels are 0, 1;"),
    ("y,pred\na,0.5\nb,1\nc,1\n", {}, "numbers that are not labels, such as 0.5"),
    ("y,pred\na,x\nb,y\nc,z\n", {}, "'x', which is not a true label; the true labels are a, b, c."),
    (
        "y,p\n1,1\n0,0\n",
        {"truth": "p", "prediction": "p"},
        "--prediction is 'p', which holds the true labels",
    ),
    ("y,pred\n1,1\n0,0\n", {"threshold": 0.5}, "--threshold needs scores"),
    ("y,pred\n1,1\n0,0\n", {"score": "s"}, "--score is 's', which predictions.csv does not have"),
    ("y,score\n1,1\n0,0\n2,1\n", {}, "3 classes (0, 1, 2), but a score is for one class"),
    ("y,pred\n", {}, "predictions.csv has no rows"),
    ("", {}, "predictions.csv cannot be read as CSV"),
    ('y,p\n1,2\n0,"4\n1,5\n', {}, "predictions.csv cannot be read as CSV"),
]


@pytest.mark.parametrize(("text", "options", "sentence"), WRONG)
def test_what_is_wrong_is_said_in_one_sentence(write, text, options, sentence):
    with pytest.raises(ValueError, match=r"^[^\n]*predictions\.csv[^\n]*$") as error:
        read_predictions(write(text), **options)
    assert sentence in str(error.value)


@pytest.mark.parametrize("greatest", [2**53 - 1, 1 - 2**53, 1e300, 2.0**60])
def test_great_scores_that_floats_hold_are_read(greatest):
    scores = [greatest, -1 if greatest > 0 else 1]
    assert read_predictions(pd.DataFrame({"truth": [1, 0], "score": scores})).score.tolist() == scores


def test_whole_scores_that_floats_do_not_hold_are_refused_by_their_row():
    with pytest.raises(ValueError, match="holds 1152921504606846977 in data row 2,"):
        read_predictions(pd.DataFrame({"truth": [1, 0], "score": [2**60, 2**60 + 1]}))
    column = Column("Column 'score'", pa.array(["1", "-1e300", "9007199254740993"]))
    with pytest.raises(ValueError, match="holds 9007199254740993 in data row 3,"):
        _ = column.numbers


@pytest.mark.parametrize(
    ("weights", "reason"),
    [((1, -1), "has negative values"), ((0, 0), "is zero everywhere"), ((1, 1e13), r"has both 1 and 1e\+13")],
)
def test_bad_weights_are_called_by_their_column(write, weights, reason):
    rows = "".join(f"{place},{place},{weight}\n" for place, weight in enumerate(weights))
    with pytest.raises(ValueError, match=f"^Column 'w' of .* {reason}"):
        read_predictions(write("truth,prediction,w\n" + rows), weight="w")
