"""Which column holds what, in the layouts that tools write, and what is said where nothing settles it."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scorecard.valid import read_predictions

from nontrivial.scorecard.predictions import read_answers
from nontrivial.scorecard.roles import options_of

TRUTH = np.array(["yes", "no", "yes", "no", "yes", "no", "no", "yes"])
SCORE = np.array([0.9, 0.2, 0.7, 0.4, 0.35, 0.6, 0.1, 0.45])
TUNED = np.where(SCORE >= 0.42, "yes", "no")  # the tool's own threshold
HALF = np.where(SCORE >= 0.5, "yes", "no")
CONFIDENCE = np.where(SCORE >= 0.5, SCORE, 1 - SCORE)
CHANCES = {"no": 1 - SCORE, "yes": SCORE}


def chances(form):
    return {form.format(label): values for label, values in CHANCES.items()}


WEKA = {"inst#": range(8), "actual": TRUTH, "predicted": HALF, "error": "", "prediction": CONFIDENCE}
LAYOUTS = {
    "caret": ({"pred": TUNED, "obs": TRUTH, **CHANCES, "rowIndex": range(8), "Resample": "Fold1"}, TUNED),
    "tidymodels": (
        {".pred_class": TUNED, **chances(".pred_{}"), ".row": range(8), "Class": TRUTH},
        TUNED,
    ),
    "mlr3": ({"row_ids": range(8), "truth": TRUTH, "response": TUNED, **chances("prob.{}")}, TUNED),
    "H2O": ({"y": TRUTH, "predict": TUNED, **CHANCES}, TUNED),
    "KNIME": ({"y": TRUTH, "x": 3.5, **chances("P (y={})"), "Prediction (y)": TUNED}, TUNED),
    "RapidMiner": ({"ill": TRUTH, "prediction(ill)": TUNED, **chances("confidence({})")}, TUNED),
    "Orange": ({"y": TRUTH, "Tree": TUNED, **chances("Tree ({})"), "Fold": 1}, TUNED),
    "PyCaret": ({"target": TRUTH, "prediction_label": HALF, "prediction_score": CONFIDENCE}, HALF),
    "raw PyCaret": (
        {"target": TRUTH, "prediction_label": TUNED, **chances("prediction_score_{}")},
        TUNED,
    ),
    "Weka": (WEKA, HALF),
    "label beside actual": ({"actual": TRUTH, "label": HALF, "score": SCORE}, HALF),
    "response": ({"y": TRUTH, "p": SCORE, "response": TUNED}, TUNED),
    "other spellings": ({"True Label": TRUTH, "y-score": SCORE, "Predicted": TUNED}, TUNED),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_of_tools_are_known(layout, tmp_path):
    columns, predicted = LAYOUTS[layout]
    pd.DataFrame(columns).to_csv(tmp_path / "a.csv", index=False)
    read = read_predictions(tmp_path / "a.csv")
    assert read.truth.tolist() == (TRUTH == "yes").tolist()
    assert read.prediction.tolist() == (predicted == "yes").tolist()
    assert read.score.tolist() == pytest.approx(SCORE.tolist(), abs=1e-12)


def test_a_threshold_cuts_the_probabilities_of_the_positive_class():
    frame = pd.DataFrame({"pred": HALF, "obs": TRUTH, **CHANCES})
    read = read_predictions(frame, threshold=0.42)
    assert (read.prediction.tolist(), read.columns["score"]) == ((TUNED == "yes").tolist(), "yes")
    read = read_predictions(frame, threshold=0.7, positive="no")
    assert read.prediction.tolist() == (1 - SCORE >= 0.7).tolist()
    frame = pd.DataFrame({"y": TRUTH, "prediction_label": HALF, "prediction_score": CONFIDENCE})
    for options in ({}, {"confidence": "prediction_score"}):
        read = read_predictions(frame, threshold=0.42, **options)
        assert read.prediction.tolist() == (TUNED == "yes").tolist()


def test_the_confidences_that_a_tool_wrote_are_left_out_for_several_classes():
    frame = pd.DataFrame({"y": ABC[:8], "prediction_label": ABC[8:0:-1], "prediction_score": CONFIDENCE})
    assert read_predictions(frame).columns == {"truth": "y", "prediction": "prediction_label"}


NINE = ("truth", "y_true", "true", "true_label", "actual", "label", "target", "class", "y")


@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(NINE, 2)))
def test_of_two_names_for_the_truth_the_order_in_the_file_settles_nothing(one, other):
    certain = [name for name in (one, other) if name in NINE[:5]]
    for names in ((one, other), (other, one)):
        frame = pd.DataFrame({one: TRUTH, other: HALF, "score": SCORE})[[*names, "score"]]
        if len(certain) == 1:
            read = read_predictions(frame)
            assert read.columns["truth"] == certain[0]
            assert any(repr(certain[0]) in note for note in read.notes)
        else:
            with pytest.raises(ValueError, match=f"{names[0]}.*{names[1]}.*name one with --truth"):
                read_predictions(frame)


FEW = pd.DataFrame(
    {"y": [1, 0, 0], "p": [0.9, 0.1, 0.1], "pred": [1, 0, 0], "new": [0.2, 0.8, 0.9], "old": [0, 1, 1]}
)


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
def test_columns_with_usual_names_belong_to_no_model_that_is_named_otherwise(options, read, unused):
    frame = FEW.assign(older=[0, 1, 0], age=[40, 41, 42], ward=list("abc"), left=0)
    found = read_answers([frame], options_of(**options))[0]
    assert found.columns == {"truth": "y"} | read
    assert any(f"predictions or scores: {unused}." in note for note in found.notes)


def test_a_column_that_is_named_for_one_thing_is_not_taken_for_another():
    frame = pd.DataFrame({"label": [1, 0], "prediction": [0.9, 0.8], "y": [1, 0]})
    assert read_predictions(frame, prediction="label").columns == {"truth": "y", "prediction": "label"}
    frame = pd.DataFrame(
        {"y": list("ab"), "pred": list("bb"), "a": [1, 0], "b": [0, 1]}
    )  # the truth of each class
    assert read_predictions(frame).columns == {"truth": "y", "prediction": "pred"}
    frame = pd.DataFrame({"target": (TRUTH == "yes") * 1, "response": TRUTH, "p": SCORE})
    read = read_predictions(frame)
    assert read.columns == {"truth": "target", "score": "p"}
    assert any("'response'" in note for note in read.notes)


ABC = ["a", "b", "c", "a"] * 5


@pytest.mark.parametrize(
    ("columns", "options", "said"),
    [
        ({"score": SCORE, "prob": SCORE**2}, {}, "'score', 'prob'; name the right one with --score"),
        ({"pred": HALF, "predicted": TUNED}, {}, "'pred', 'predicted'; name the right one with --prediction"),
        ({"p": SCORE, "response": TRUTH}, {}, "'response' of the table equals the truth in every case"),
        ({**chances("a ({})"), **chances("b ({})")}, {}, "the probabilities of 2 models"),
        ({"truth": TRUTH, "obs": TUNED, "pred": HALF}, {}, "the true labels: 'truth', 'obs', 'y'"),
        ({"truth": HALF, "response": TUNED, "y_pred": HALF}, {"truth": "truth"}, "'response', 'y_pred'"),
        ({"p": SCORE, "model": list("aabb") * 2, "algorithm": list("cdcd") * 2}, {}, "may name the models"),
        ({"c": CONFIDENCE}, {"confidence": "c"}, "--confidence needs the predicted labels"),
        ({"c": CONFIDENCE, "pred": HALF}, {"confidence": "c", "score": "c"}, "give only one of the two"),
        ({"c": SCORE, "pred": HALF}, {"confidence": "c"}, "seems to be the score of the positive label"),
        ({"c": SCORE * 100, "pred": HALF}, {"confidence": "c"}, "a confidence lies in"),
        ({"pred": "no", "p": 1 - SCORE / 2}, {}, "no case is predicted positive in 'pred'"),
        ({"p": SCORE}, {"truth": "p", "prediction": "p"}, "--prediction is 'p', which holds the true labels"),
        ({"pred": HALF}, {"threshold": 0.5}, "--threshold needs scores"),
        ({"p": SCORE, "g": "a"}, {"group": "g"}, "'g' of the table has one group only"),
        ({"y": None, "y_true": TRUTH, "label": TRUTH, **chances("p_{}")}, {}, "may not hold predicted labels"),
        ({"y": None, "y_true": ABC[:8], "label": ABC[:8], "p": SCORE}, {"positive": "a"}, "may not hold pred"),
        ({"y": None, "actual": SCORE + 9, "label": SCORE + 9, "yhat": SCORE}, {}, "may not hold predicted"),
        ({"y": None, "target": TRUTH, "response": np.where(SCORE > 0.4, TRUTH, HALF), "p": SCORE}, {}, "may not"),
        ({"y": None, "diagnosis": TRUTH, "label": TUNED, "score": SCORE}, {}, "may hold predicted labels"),
        ({"y": None, "response": TRUTH, "label": HALF, "score": SCORE}, {}, "does not follow from the scores"),
        ({"y": ["p", "q"] * 4, "p": SCORE, "q": 1 - SCORE}, {}, "'p' of the table is named as a class"),
        ({"y": ABC[:8], "p_a": SCORE, "p_b": SCORE}, {}, "columns p_a, p_b, but the classes a, b, c"),
        ({"y": ABC[:8], "a": SCORE, "b": SCORE, "c": SCORE}, {}, "do not add up to 1 in some cases"),
        ({"y": ABC[:8], "a": 1, "b": 0, "c": 0}, {}, "hold only 0 and 1"),
        ({"y": ABC[:8], "p_a": 1, "p_b": 0, "p_c": 0}, {"threshold": 0.4}, "need a positive class"),
        ({"y": ABC[:8], "pred": ABC[8:0:-1], "p": CONFIDENCE}, {"confidence": "p"}, "leave out --confidence"),
        ({"y": ABC[:8], "pred": ABC[8:0:-1], "p": CONFIDENCE}, {"positive": "a"}, "leave out --positive"),
    ],
)  # fmt: skip
def test_what_nothing_settles_is_asked_for(columns, options, said):
    columns = {name: values for name, values in ({"y": TRUTH} | columns).items() if values is not None}
    with pytest.raises(ValueError, match=r"^[^\n]*$") as error:
        read_predictions(pd.DataFrame(columns), **options)
    assert said in str(error.value)


@pytest.mark.parametrize("names", [("y_pred", "probability"), ("label", "score"), ("decision", "certainty")])
def test_a_confidence_in_the_predicted_label_is_no_score_whatever_its_name(names):
    frame = pd.DataFrame(dict(zip(("truth", *names), (TRUTH, HALF, CONFIDENCE), strict=True)))
    with pytest.raises(ValueError, match=rf"'{names[1]}'.*'{names[0]}'.*--confidence"):
        read_predictions(frame, score=names[1])
    read = read_predictions(frame, confidence=names[1], prediction=names[0])
    assert read.score.tolist() == pytest.approx(SCORE.tolist(), abs=1e-12)
    assert read.columns["confidence"] == names[1]
    scores = read_predictions(frame.assign(**{names[1]: SCORE}), score=names[1])
    assert scores.score.tolist() == SCORE.tolist()
    above = frame.assign(**{names[1]: 0.5 + SCORE / 2})
    assert read_predictions(above, score=names[1], threshold=0.5).score.min() == 0.55


def test_labels_beside_scores_above_one_half_are_no_predictions_unless_they_tell_the_truth():
    frame = pd.DataFrame({"truth": TRUTH, "risk": 0.5 + SCORE / 2, "smoker": ["no", "yes", "yes", "no"] * 2})
    assert read_predictions(frame, score="risk").columns == {"truth": "truth", "score": "risk"}
    frame = pd.DataFrame({"y": TRUTH, "p_yes": CONFIDENCE, "p_no": 1 - CONFIDENCE, "decision": HALF})
    assert read_predictions(frame).columns == {"truth": "y", "score": "p_yes"}


def test_predictions_that_no_threshold_gives_are_noted():
    other = np.where(SCORE > 0.65, "yes", np.where(SCORE > 0.5, "no", TRUTH))
    frame = pd.DataFrame({"y": TRUTH, "p": SCORE, "pred": other})
    assert any("No threshold on 'p'" in note for note in read_predictions(frame).notes)
    assert not any("No threshold" in note for note in read_predictions(frame.assign(pred=TUNED)).notes)


def test_missing_values_are_counted_or_their_cases_left_out_of_all_models():
    y, p, q = ["yes", "no", "NA", "yes"], [".9", "", ".4", ".6"], [".8", ".3", ".6", "?"]
    frame = pd.DataFrame({"y": [*y, "no"], "p": [*p, ".3"], "q": [*q, ".2"]})
    with pytest.raises(ValueError, match="--missing drop") as error:
        read_answers([frame], options_of(score=("p", "q")))
    assert "3 of 5 data rows: 1 in 'y' (the first in row 3, where it holds 'NA')" in str(error.value)
    assert "1 in 'p' (the first in row 2)" in str(error.value)
    both = read_answers([frame], options_of(score=("p", "q"), missing="drop"))
    assert [each.score.tolist() for each in both] == [[0.9, 0.3], [0.8, 0.2]]


@pytest.mark.parametrize("numbered", [True, False])
def test_a_case_that_one_model_lacks_is_left_out_of_the_others(tmp_path, numbered):
    case = {"id": range(8)} if numbered else {}
    one = pd.DataFrame({**case, "y": TRUTH, "p": np.where(np.arange(8) == 1, np.nan, SCORE)})
    two = pd.DataFrame({**case, "y": TRUTH, "p": np.where(np.arange(8) == 4, np.nan, SCORE**2)})
    one.to_parquet(tmp_path / "one.parquet")
    (two.iloc[::-1] if numbered else two).to_csv(tmp_path / "two.csv", index=False)
    models = read_answers([tmp_path / "one.parquet", tmp_path / "two.csv"], options_of(missing="drop"))
    rows = pd.concat([one.assign(model="a"), two.assign(model="b")])
    for first, second in (models, read_answers([rows], options_of(missing="drop"))):
        assert first.score.tolist() == SCORE[[0, 2, 3, 5, 6, 7]].tolist()
        assert second.score.tolist() == (SCORE[[0, 2, 3, 5, 6, 7]] ** 2).tolist()
        assert any("2 of 8" in note for note in first.notes)


def test_probabilities_and_numbers_to_predict_may_lack_values():
    frame = pd.DataFrame({"y": [1.5, None, 2.5, 4.0], "prediction": [1.0, 2.0, None, 3.0]})
    read = read_predictions(frame, task="regression", missing="drop")
    assert (read.truth.tolist(), read.prediction.tolist()) == ([1.5, 4.0], [1.0, 3.0])
    frame = pd.DataFrame(
        {"y": list("abcab"), "p_a": [0.8, 0.1, 0.2, None, 0.3], "p_b": [0.1, 0.8, 0.2, 0.5, 0.4]}
    )
    read = read_predictions(frame.assign(p_c=[0.1, 0.1, 0.6, 0.2, 0.3]), missing="drop")
    assert read.probabilities[3].tolist() == [0.3, 0.4, 0.3]
    frame = pd.DataFrame({"y": list("abc"), "prediction": list("abb"), "score": [0.1, None, 0.3]})
    assert read_predictions(frame).prediction.tolist() == [0, 1, 1]  # the scores are not used
