"""What files of predictions say: labels, scores and thresholds; and what is said of a wrong one."""

import pytest
from scorecard.valid import read_predictions


def test_more_classes_stay_as_they_are_unless_one_is_set_against_the_rest(write):
    path = write("truth,prediction\na,a\nb,c\nc,d\n")
    read = read_predictions(path)
    assert (read.positive, read.labels, read.n_classes) == (None, ("a", "b", "c", "d"), 3)
    assert (read.truth.tolist(), read.prediction.tolist()) == ([0, 1, 2], [0, 2, 3])
    read = read_predictions(path, positive="c")
    assert (read.truth.tolist(), read.prediction.tolist()) == ([False, False, True], [False, True, False])


def test_probabilities_may_have_the_names_of_the_classes(write):
    path = write("y,cat,dog,bird\ncat,0.5,0.3,0.2\ndog,0.1,0.7,0.2\nbird,0.1,0.2,0.7\n")
    read = read_predictions(path)
    assert read.columns == {"truth": "y", "probabilities": "bird, cat, dog"}
    assert read.probabilities[0].tolist() == [0.2, 0.5, 0.3]
    read = read_predictions(path, positive="dog")
    assert (read.columns["score"], read.score.tolist()) == ("dog", [0.3, 0.7, 0.2])
    # "case" may number cases elsewhere
    read = read_predictions(write("y,case,control\ncase,0.8,0.2\ncontrol,0.3,0.7\n"), positive="case")
    assert (read.columns, read.cases) == ({"truth": "y", "score": "case"}, None)
    read = read_predictions(write("y,0,1\n0,0.8,0.2\n1.0,0.3,0.7\n"))
    assert (read.columns["score"], read.score.tolist()) == ("1", [0.2, 0.7])


def test_na_is_a_missing_value_unless_it_is_named_and_none_is_one_among_numbers(write):
    path = write("truth,prediction\nNA,NA\nNone,NA\n")
    with pytest.raises(ValueError, match=r"1 in 'truth' \(the first in row 1, where it holds 'NA'\)"):
        read_predictions(path)
    read = read_predictions(path, positive="NA")
    assert (read.labels, read.prediction.tolist()) == (("NA", "None"), [True, True])
    path = write("y,pred\n0,0\n1,1\nNone,1\n1,?\n0,1\n")
    with pytest.raises(ValueError, match=r"1 in 'y' .*'None'.*1 in 'pred'"):
        read_predictions(path)
    assert read_predictions(path, missing="drop").truth.tolist() == [False, True, False]


IN_UNIT = "positive where score >= 0.5, as all scores lie in [0, 1]"
OUTSIDE = "positive where score >= 0, as scores lie outside [0, 1]"


@pytest.mark.parametrize(
    ("scores", "threshold", "rule"),
    [
        ((0.5, 0.4999), None, IN_UNIT),
        ((0.0, -3.0), None, OUTSIDE),
        ((1 + 2e-16, -1e-12), None, IN_UNIT),
        ((0.3, 0.2), 0.3, "positive where score >= 0.3, as --threshold says"),
        *(((high, low), None, None) for high, low in ((80, 20), (0.4, 7.0), (-3.0, -1.0))),
        *(
            ((high, low), 5, "positive where score >= 5, as --threshold says")
            for high, low in ((80, 2), (7.0, 0.4))
        ),
    ],
)
def test_scores_are_cut_at_the_threshold_that_is_given_or_usual(write, scores, threshold, rule):
    path = write("y,score\n1,{}\n0,{}\n".format(*scores))
    if rule is None:
        with pytest.raises(ValueError, match="--threshold"):
            read_predictions(path)
    else:
        read = read_predictions(path, threshold=threshold)
        assert (read.prediction.tolist(), read.rule) == ([True, False], rule)


def test_a_threshold_goes_before_the_files_predictions(write):
    path = write("truth,prediction,score\n1,1,0.3\n0,1,0.2\n")
    read = read_predictions(path, threshold=0.3)
    assert (read.prediction.tolist(), read.columns) == ([True, False], {"truth": "truth", "score": "score"})
    assert read_predictions(path).prediction.tolist() == [True, True]


NUMERALS = "y,prediction\n" + "".join(f'"{k},000.5","{k},100.5"\n' for k in range(1, 30))
WRONG = [
    ("a,prediction\n1,1\n", {}, "it has 'a', 'prediction'; name the column of the true labels with --truth."),
    ("truth,a\n1,1\n0,1\n", {}, "no column of scores or predictions among 'truth', 'a'"),
    ("truth,prediction\n1,1\n", {}, "'truth' of predictions.csv has one class only"),
    ("y,pred\n1.5,1\nNA,1\n2.5,1\n", {"task": "regression"}, "1 in 'y' (the first in row 2, where"),
    ("y,pred\n1.5,1\n2,1\n", {"task": "regression", "cost": 5}, "leave it out, or give --task classification."),
    ("y,pred\n1,1\n0,\n", {}, "1 of 2 data rows: 1 in 'pred' (the first in row 2)"),
    ("y,score\n1,1\n0,inf\n", {}, "'score' of predictions.csv is not finite in data row 2"),
    ("y,score\n1,1\n0,1e-3\n0,high\n0,low\n", {}, "'high' in data row 3"),
    ("y;p\n1;1\n0;0,25\n", {}, "'0,25' in data row 2, which is not a number; if it has a decimal comma"),
    ("y;p\n1;1.234,5\n0;2,5\n", {"decimal": ","}, "row 1, which is not a number; with --decimal , a number has no"),
    ("y,p\n1,70%\n0,30%\n", {}, "'70%' in data row 1, which is not a number; write a percentage as a share"),
    (NUMERALS, {}, "'1,100.5'"),
    ("y,pred\n1,1\n0,2\n", {}, "'2', which is not a true label; the true labels are 0, 1."),
    ("y,pred\n1,1\n0,1e400\n", {}, "'1e400', which is not a true label"),
    ("y,pred\n1,1\n0,0\n", {"positive": "yes"}, "--positive is 'yes', which column 'y' of"),
    ("y,pred\n1,1\n0,0.25\n", {}, "numbers that are not labels, such as 0.25; the labels are 0, 1;"),
    ("y,pred\na,0.5\nb,1\nc,1\n", {}, "numbers that are not labels, such as 0.5"),
    ("y,pred\na,x\nb,y\nc,z\n", {}, "'x', which is not a true label; the true labels are a, b, c."),
    ("y,pred\n1,1\n0,0\n", {"score": "s"}, "--score is 's', which predictions.csv does not have"),
    ("y,score\n1,1\n0,0\n2,1\n", {}, "3 classes (0, 1, 2), but a score is for one class"),
    ("y,pred,w\n1,1,1\n0,0,-1\n", {"weight": "w"}, "'w' of predictions.csv has negative values"),
    ("y,pred,w\n1,1,0\n0,0,0\n", {"weight": "w"}, "'w' of predictions.csv is zero everywhere"),
    ("y,pred,w\n1,1,1\n0,0,1e13\n", {"weight": "w"}, "'w' of predictions.csv has both 1 and 1e+13"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "options", "sentence"), WRONG)
def test_what_is_wrong_is_said_in_one_sentence(write, text, options, sentence):
    with pytest.raises(ValueError, match=r"^[^\n]*predictions\.csv[^\n]*$") as error:
        read_predictions(write(text), **options)
    assert sentence in str(error.value)
