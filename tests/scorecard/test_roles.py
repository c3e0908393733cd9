"""Which column holds what, in the layouts that tools write, and what is said where nothing settles it."""

import re

import numpy as np
import pandas as pd
import pytest
from scorecard.reading import assert_read, assert_refused

from nontrivial.reading.layouts import LAYOUTS, layouts_by_column
from nontrivial.reading.options import options_of
from nontrivial.scorecard.answers.reading import read_answers

TRUTH = np.array(["yes", "no", "yes", "no", "yes", "no", "no", "yes"])
SCORE = np.array([0.9, 0.2, 0.7, 0.4, 0.35, 0.6, 0.1, 0.45])
TUNED = np.where(SCORE >= 0.42, "yes", "no")  # the tool's own threshold
HALF = np.where(SCORE >= 0.5, "yes", "no")
CONFIDENCE = np.where(SCORE >= 0.5, SCORE, 1 - SCORE)
CHANCES = {"no": 1 - SCORE, "yes": SCORE}
ABC, BCA = ["a", "b", "c", "a"] * 2, ["b", "c", "a", "a"] * 2


def chances(form):
    return {form.format(label): values for label, values in CHANCES.items()}


WEKA = {"inst#": range(8), "actual": TRUTH, "predicted": HALF, "error": "", "prediction": CONFIDENCE}
PYCARET = {"target": TRUTH, "prediction_label": HALF, "prediction_score": CONFIDENCE}
FILES = {
    "caret": {"pred": TUNED, "obs": TRUTH, **CHANCES, "rowIndex": range(8), "Resample": "Fold1"},
    "tidymodels": {".pred_class": TUNED, **chances(".pred_{}"), ".row": range(8), "Class": TRUTH},
    "mlr3": {"row_ids": range(8), "truth": TRUTH, "response": TUNED, **chances("prob.{}")},
    "H2O": {"y": TRUTH, "predict": TUNED, **CHANCES},
    "KNIME": {"y": TRUTH, "x": 3.5, **chances("P (y={})"), "Prediction (y)": TUNED},
    "RapidMiner": {"ill": TRUTH, "prediction(ill)": TUNED, **chances("confidence({})")},
    "raw PyCaret": {"target": TRUTH, "prediction_label": TUNED, **chances("prediction_score_{}")},
    "PyCaret": PYCARET,
    "Weka": WEKA,
    "JMP": {"target": TRUTH, "Most Likely target": TUNED, **chances("Prob[{}]")},
    "BigQuery": {"label": TRUTH, "predicted_label": TUNED, **chances("prob_{}")},
    "Azure ML": {"y": TRUTH, "Scored Labels": TUNED, "Scored Probabilities": SCORE},
    "OpenML": {
        "repeat": 0,
        "fold": 1,
        "row_id": range(8),
        "prediction": TUNED,
        "correct": TRUTH,
        **chances("confidence.{}"),
    },
    "other spellings": {"True Label": TRUTH, "y-score": SCORE, "Predicted": TUNED},
}


@pytest.mark.parametrize("layout", FILES)
def test_layouts_of_tools_are_known(layout, tmp_path):
    pd.DataFrame(FILES[layout]).to_csv(tmp_path / "a.csv", index=False)
    predicted = HALF if layout in ("PyCaret", "Weka") else TUNED
    expected = {"truth": TRUTH == "yes", "prediction": predicted == "yes", "score": SCORE}
    assert_read(tmp_path / "a.csv", {}, expected)


@pytest.mark.parametrize(
    ("second_truth", "pattern"),
    [("target", "'y', 'target'; give --truth y or --truth target"), ("label", "holds predicted labels or something")],
)
def test_two_columns_that_may_be_the_truth_are_asked_for(second_truth, pattern):
    assert_refused(pd.DataFrame({"y": TRUTH, second_truth: HALF, "score": SCORE}), {}, pattern)


FEW = {"y": [1, 0, 0], "p": [0.9, 0.1, 0.1], "pred": [1, 0, 0], "new": [0.2, 0.8, 0.9], "old": [0, 1, 1]}
FEW |= {"older": [0, 1, 0], "age": [40, 41, 42], "ward": list("abc"), "left": 0}
OF_CARET = {"pred": HALF, "obs": TRUTH, **CHANCES}
SURE, DECISION = {"truth": TRUTH, "decision": HALF, "sure": CONFIDENCE}, {"prediction": "decision"}
NUMBERED = {"target": (TRUTH == "yes") * 1, "response": TRUTH, "p": SCORE}
ABOVE_HALF = {"y": TRUTH, "risk": 0.5 + SCORE / 2, "smoker": ["no", "yes", "yes", "no"] * 2}
SWAPPED = {"label": [1, 0], "prediction": [0.9, 0.8], "y": [1, 0]}
OF_EACH = {"y": ABC, "prediction_label": BCA, "prediction_score": CONFIDENCE}


@pytest.mark.parametrize(
    ("columns", "options", "roles", "noted"),
    [
        # Columns with usual names belong to no model that is named otherwise.
        (FEW, {}, {"score": "p", "prediction": "pred"}, ""),
        (FEW, {"score": "p"}, {"score": "p"}, "scores: 'pred'[.]"),
        (FEW, {"prediction": "pred"}, {"prediction": "pred"}, "scores: 'p'[.]"),
        (FEW, {"score": "new"}, {"score": "new"}, "scores: 'p', 'pred'[.]"),
        (FEW, {"prediction": "old"}, {"prediction": "old"}, "scores: 'p', 'pred'[.]"),
        (FEW, {"score": ["new", "p"]}, {"score": "new"}, "scores: 'pred'[.]"),
        ({0: [1, 0], 1: [0.9, 0.1]}, {"truth": 0, "score": 1}, {"truth": "0", "score": "1"}, ""),
        # A column that is named for one thing, or holds the truth, is not taken for another.
        (SWAPPED, {"prediction": "label"}, {"prediction": "label"}, ""),
        (
            {"y": list("abc"), "pred": list("bbc"), "a": [1, 0, 0], "b": [0, 1, 0], "c": [0, 0, 1]},
            {},
            {"prediction": "pred"},
            "scores: 'a', 'b', 'c'",
        ),
        (NUMBERED, {"threshold": 0.5}, {"truth": "target", "score": "p"}, "'response'"),
        # Labels beside scores above one half may be predictions.
        (ABOVE_HALF, {"score": "risk", "threshold": 0.5}, {"score": "risk"}, ""),
        ({"y": TRUTH, "p_yes": CONFIDENCE, "p_no": 1 - CONFIDENCE, "said": HALF}, {}, {"score": "p_yes"}, ""),
        # Confidences are named so; those that a tool wrote are left out for several classes.
        (SURE, {"confidence": "sure"} | DECISION, {"truth": "truth", "confidence": "sure"} | DECISION, ""),
        (OF_EACH, {}, {"prediction": "prediction_label"}, "prediction_score"),
    ],
)
def test_which_columns_are_read(columns, options, roles, noted):
    answers = read_answers([pd.DataFrame(columns)], options_of(**options)).members[0]
    assert answers.columns == {"truth": "y"} | roles
    assert re.search(noted, " ".join(answers.notes))


GAPS = {"y": [1, 0, "NA", 1, 0], "p": [".9", "", ".4", ".6", ".3"], "q": [".8", ".3", ".6", "?", ".2"]}
OF_GAPS = {"score": ("p", "q"), "missing": "drop"}
OF_CLASSES = {"y": list("abcab"), "p_a": [0.8, 0.1, 0.2, None, 0.3], "p_b": [0.1, 0.8, 0.2, 0.5, 0.4]}
OF_CLASSES["p_c"] = [0.1, 0.1, 0.6, 0.2, 0.3]
NUMBERS = {"y": [1.5, None, 2.5, 4.0], "prediction": [1.0, 2.0, None, 3.0], "score": 0.5}
OF_TYPES = {"y": [1, "0", 1.0], "p": [0.9, "0.2", None]}


@pytest.mark.parametrize(
    ("columns", "options", "expected"),
    [
        # A threshold cuts the probabilities of the positive class.
        (OF_CARET, {"threshold": 0.42}, [{"prediction": TUNED == "yes", "score": SCORE}]),
        (OF_CARET, {"threshold": 0.7, "positive": "no"}, [{"prediction": 1 - SCORE >= 0.7}]),
        (PYCARET, {"threshold": 0.42}, [{"prediction": TUNED == "yes"}]),
        (PYCARET, {"threshold": 0.42, "confidence": "prediction_score"}, [{"prediction": TUNED == "yes"}]),
        # A confidence in the predicted label is not a score, whatever its name.
        (SURE, {"confidence": "sure"} | DECISION, [{"score": SCORE}]),
        (SURE | {"sure": SCORE}, {"score": "sure"}, [{"score": SCORE}]),
        (SURE | {"sure": 0.5 + SCORE / 2}, {"score": "sure", "threshold": 0.5}, [{"prediction": [True] * 8}]),
        # Cases with a missing value are left out of all models.
        (GAPS, OF_GAPS, [{"score": [0.9, 0.3]}, {"score": [0.8, 0.2], "notes": "3 of 5"}]),
        (OF_CLASSES, {"missing": "drop"}, [{"truth": [0, 1, 2, 1], "prediction": [0, 1, 2, 1]}]),
        (NUMBERS, {"task": "regression", "missing": "drop"}, [{"truth": [1.5, 4], "prediction": [1, 3]}]),
        ({"y": ABC, "prediction": BCA, "score": [0.1, None] * 4}, {}, [{"truth": [0, 1, 2, 0] * 2}]),
        # Values of several types are read as a file says them.
        (OF_TYPES, {"missing": "drop"}, [{"truth": [1, 0], "score": [0.9, 0.2]}]),
    ],
)
def test_what_columns_say(columns, options, expected):
    assert_read(pd.DataFrame(columns), options, *expected)


Y = {"y": TRUTH}
OF_ABC = {"y": ABC, "pred": BCA, "p": CONFIDENCE}
UNSETTLED = [
    (Y | {"score": SCORE, "prob": SCORE**2}, {}, "'score', 'prob'; .*--score"),
    (Y | {"pred": HALF, "predicted": TUNED}, {}, "'pred', 'predicted'; .*--prediction"),
    (Y | {"p": SCORE, "response": TRUTH}, {}, "whether 'response' holds.*--prediction response .*--threshold 0.5"),
    (
        Y | {"p": SCORE, "p_yes": SCORE, "p_no": 1 - SCORE},
        {},
        "the score: 'p', 'p_yes'; give --score p or --score p_yes",
    ),
    (Y | {**chances("p_{}"), **chances("prob({})")}, {}, "the probabilities of 2 models.* --score COL --score COL"),
    (Y | {"truth": TRUTH, "obs": TUNED, "pred": HALF}, {}, "the true labels: 'y', 'truth', 'obs'"),
    (Y | {"truth": HALF, "response": TUNED, "y_pred": HALF}, {"truth": "truth"}, "'response', 'y_pred'"),
    (Y | {"p": SCORE, "model": list("aabb") * 2, "algorithm": list("cdcd") * 2}, {}, "may name the models"),
    (Y | {"c": CONFIDENCE}, {"confidence": "c"}, "--confidence needs the predicted labels"),
    (Y | {"c": CONFIDENCE, "pred": HALF}, {"confidence": "c", "score": "c"}, "only one of the two"),
    (Y | {"c": SCORE, "pred": HALF}, {"confidence": "c"}, "score of the positive label"),
    (Y | {"c": SCORE * 100, "pred": HALF}, {"confidence": "c"}, "a confidence lies in"),
    (Y | {"pred": "no", "p": 1 - SCORE / 2}, {}, "no case is predicted positive in 'pred'"),
    (Y | {"p": SCORE}, {"truth": "p", "prediction": "p"}, "--prediction is 'p', which holds the true labels"),
    (Y | {"pred": HALF}, {"threshold": 0.5}, "--threshold needs scores"),
    (Y | {"pred": HALF, "p": SCORE}, {"threshold": 0.5, "prediction": "pred"}, "give only one"),
    (Y | {"p": SCORE, "g": "a"}, {"group": "g"}, "'g' of the table has one group only"),
    (Y | {"p_no": SCORE}, {}, "probabilities of 'no' only .* give --positive no"),
    ({"y_true": TRUTH, "label": TRUTH, **chances("p_{}")}, {}, "--prediction label or --threshold 0.5"),
    ({"actual": SCORE + 9, "label": SCORE + 9, "yhat": SCORE, "y_hat": 1}, {}, "'yhat', 'y_hat'"),
    ({"diagnosis": TRUTH, "label": TUNED, "score": SCORE}, {}, "--truth label or --truth COL"),
    *(
        ({"y": ABC, **columns}, {}, "'a', 'b', 'c', that add up to 1; .*--prediction")
        for columns in (
            {"p_a": SCORE, "p_b": SCORE},
            {"p_a": SCORE, "p_b": SCORE, "p_c": SCORE},
            {"a": 1, "b": 0, "c": 0},
        )
    ),
    ({"y": ABC, "p_a": 1, "p_b": 0, "p_c": 0}, {"threshold": 0.4}, "need a positive class"),
    ({"y": ["ill", "well", "well"], "p": [0.9, 0.2, 0.1]}, {}, "either of which may be positive; give --positive ill"),
    ({"y": ["ill", "Ill", "well"], "p": [0.9, 0.2, 0.1]}, {}, "'Ill', 'ill', which look alike"),
    (OF_ABC, {"confidence": "p"}, "leave out --confidence"),
    (OF_ABC, {"positive": "a"}, "may be confidences.*--threshold"),
    (SURE, {"score": "sure"}, "'decision'.*--score sure --threshold 0.5 or --confidence sure --prediction COL"),
    (SURE, {"score": "sure"} | DECISION, "--confidence sure --prediction decision or --score sure --threshold 0.5"),
    ({"y": SCORE, "p": [1, 0] * 4}, {}, "be exchanged; give --truth p --score y or --task regression"),
    (GAPS, {"score": ("p", "q")}, r"3 of 5 .*1 in 'y' \(the first in row 3, where it holds 'NA'\)"),
    (GAPS, {"score": ("p", "q")}, r"1 in 'p' \(the first in row 2\).*--missing drop"),
]


@pytest.mark.parametrize(("columns", "options", "pattern"), UNSETTLED)
def test_what_nothing_settles_is_asked_for(columns, options, pattern):
    assert_refused(pd.DataFrame(columns), options, pattern)


@pytest.mark.parametrize("numbered", [True, False])
def test_a_case_that_one_model_lacks_is_left_out_of_the_others(tmp_path, numbered):
    case = {"id": range(8)} if numbered else {}
    first_model = pd.DataFrame({**case, "y": TRUTH, "p": np.where(np.arange(8) == 1, np.nan, SCORE)})
    second_model = pd.DataFrame({**case, "y": TRUTH, "p": np.where(np.arange(8) == 4, np.nan, SCORE**2)})
    first_model.to_parquet(tmp_path / "one.parquet")
    (second_model.iloc[::-1] if numbered else second_model).to_csv(tmp_path / "two.csv", index=False)
    rows = pd.concat([first_model.assign(model="a"), second_model.assign(model="b")])
    complete = SCORE[[0, 2, 3, 5, 6, 7]]
    for data in ([tmp_path / "one.parquet", tmp_path / "two.csv"], [rows]):
        first, second = read_answers(data, options_of(missing="drop")).members
        assert (first.score.tolist(), second.score.tolist()) == (complete.tolist(), (complete**2).tolist())
        assert any("2 of 8" in note for note in first.notes)


def test_a_layout_of_each_row_is_recognised():
    """Each name in the table gives its column the role beside it, if the marks of its tool are there."""
    for row in LAYOUTS:
        marks = {marked.name for marked in LAYOUTS if marked.tool == row.tool and marked.mark}
        if "{" not in row.name and " other " not in row.name:
            assert layouts_by_column([*marks, row.name])[row.name].role == row.role, row


MANY_CLASSES = {"y": ABC, "pred": BCA}
UNREAD = [
    {"p_a": SCORE, "p_b": SCORE},
    {'Scored Probabilities for Class "a"': SCORE},
    {"probability": ["[0.1, 0.2, 0.7]"] * 8},
]


@pytest.mark.parametrize("columns", UNREAD)
def test_probabilities_that_stay_unread_are_named(columns):
    (read,) = read_answers([pd.DataFrame(MANY_CLASSES | columns)], options_of()).members
    assert read.probabilities is None
    assert repr(list(columns)[-1]) in " ".join(read.notes)


THREE = {"p_a": [0.7, 0.1, 0.2], "p_b": [0.2, 0.8, 0.2], "p_c": [0.1, 0.1, 0.6]}


@pytest.mark.parametrize(
    ("columns", "labels", "unread"),
    [
        (THREE | {"y": list("abc"), "p_value": [0.2, 0.9, 0.4]}, ("a", "b", "c"), "'p_value'"),
        (THREE | {"y": list("abc"), "p_name": ["x", "y", "z"]}, ("a", "b", "c"), "'p_name'"),
        (THREE | {"y": list("aba")}, ("a", "b", "c"), ""),  # the test set lacks a class
        (THREE | {"y": list("abc"), "p_d": 0.0}, ("a", "b", "c"), "'p_d'"),
        ({name: np.array(values) / 2 for name, values in THREE.items()} | {"y": list("abc"), "p_d": 0.5},
         ("a", "b", "c", "d"), ""),
    ],
)  # fmt: skip
def test_a_column_is_of_a_class_that_the_truth_lacks_if_the_rows_then_sum_to_1(columns, labels, unread):
    (read,) = read_answers([pd.DataFrame(columns)], options_of()).members
    assert read.labels == labels
    assert read.probabilities.shape == (3, len(labels))
    assert unread in " ".join(read.notes)
