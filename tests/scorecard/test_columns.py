"""Columns are found by their names, and none is taken for another."""

import pytest

from nontrivial.scorecard.predictions import read_answers, read_predictions
from nontrivial.scorecard.roles import options_of


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        ("Y,P", {"truth": "Y", "score": "P"}),
        ("y_true,pred", {"truth": "y_true", "prediction": "pred"}),
        ("True Label,y-score", {"truth": "True Label", "score": "y-score"}),
        ("Label,proba", {"truth": "Label", "score": "proba"}),
        ("actual,Predicted", {"truth": "actual", "prediction": "Predicted"}),
    ],
)
def test_usual_names_are_known_in_any_case(write, header, columns):
    assert read_predictions(write(f"{header}\n1,1\n0,0\n")).columns == columns


def test_a_column_that_is_named_for_one_thing_is_not_taken_for_another(write):
    path = write("label,prediction,y\n1,0.9,1\n0,0.8,0\n")
    assert read_predictions(path, prediction="label").columns == {"truth": "y", "prediction": "label"}
    read = read_predictions(write("y,pred,a,b\na,b,1,0\nb,b,0,1\n"))  # the truth of each class in a column
    assert (read.columns, read.score) == ({"truth": "y", "prediction": "pred"}, None)


@pytest.mark.parametrize(
    ("options", "read", "unused"),
    [
        ({}, {"score": "p", "prediction": "pred"}, "'new', 'old', 'older'"),
        ({"score": "p"}, {"score": "p", "prediction": "pred"}, "'new', 'old', 'older'"),
        ({"score": "new"}, {"score": "new"}, "'p', 'pred', 'old', 'older'"),
        ({"prediction": "old"}, {"prediction": "old"}, "'p', 'pred', 'new', 'older'"),
        ({"score": ["new", "p"]}, {"score": "new"}, "'pred', 'old', 'older'"),
    ],
)
def test_columns_with_usual_names_belong_to_no_model_that_is_named_otherwise(write, options, read, unused):
    path = write("y,p,pred,new,old,older\n1,0.9,1,0.2,0,1\n0,0.1,0,0.8,1,1\n0,0.1,0,0.9,1,0\n")
    found = read_answers([path], options_of(**options))[0]
    assert found.columns == {"truth": "y"} | read
    said = f"Not used, though they may hold predictions or scores: {unused}."
    assert any(said in note for note in found.notes)


CHANCES = "cat,0.5,0.3,0.2\ndog,0.1,0.7,0.2\nbird,0.1,0.2,0.7\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "y,cat,dog\ncat,1,0\ndog,.1,.9\nbird,.5,.5\n",
            "has columns cat, dog, but the classes bird, cat, dog",
        ),
        ("y,cat,dog,bird\ncat,1,0,0\ndog,0,1,0\nbird,0,1,0\n", "hold only 0 and 1"),
        ("y,cat,dog,bird\n" + CHANCES.replace("0.", ""), "do not add up to 1 in some cases"),
        ("y,p,q\np,0.9,0.1\nq,0.2,0.8\n", "'p' of predictions.csv is named as a class"),
    ],
)
def test_columns_named_as_classes_are_not_taken_for_what_they_may_not_be(write, text, sentence):
    with pytest.raises(ValueError, match=sentence):
        read_predictions(write(text))
