"""Which column holds what, in the layouts that tools write, and what is said where nothing settles it."""

import itertools

import numpy as np
import pandas as pd
import pytest

from nontrivial.scorecard.predictions import read_answers, read_predictions
from nontrivial.scorecard.roles import options_of

TRUTH = np.array(["yes", "no", "yes", "no", "yes", "no", "no", "yes"])
SCORE = np.array([0.9, 0.2, 0.7, 0.4, 0.35, 0.6, 0.1, 0.45])
TUNED = np.where(SCORE >= 0.42, "yes", "no")  # the tool's own threshold
HALF = np.where(SCORE >= 0.5, "yes", "no")
CONFIDENCE = np.where(SCORE >= 0.5, SCORE, 1 - SCORE)
CHANCES = {"no": 1 - SCORE, "yes": SCORE}


def chances(form):
    return {form.format(label): values for label, values in CHANCES.items()}


@pytest.mark.parametrize(
    ("columns", "predicted"),
    [
        ({"pred": TUNED, "obs": TRUTH, **CHANCES, "rowIndex": range(8), "Resample": "Fold1"}, TUNED),
        ({".pred_class": TUNED, **chances(".pred_{}"), ".row": range(8), "Class": TRUTH}, TUNED),
        ({"row_ids": range(8), "truth": TRUTH, "response": TUNED, **chances("prob.{}")}, TUNED),
        ({"y": TRUTH, "predict": TUNED, **CHANCES}, TUNED),
        ({"y": TRUTH, "x": 3.5, **chances("P (y={})"), "Prediction (y)": TUNED}, TUNED),
        ({"ill": TRUTH, "prediction(ill)": TUNED, **chances("confidence({})")}, TUNED),
        ({"y": TRUTH, "Tree": TUNED, **chances("Tree ({})"), "Fold": 1}, TUNED),
        ({"target": TRUTH, "prediction_label": HALF, "prediction_score": CONFIDENCE}, HALF),
        ({"target": TRUTH, "prediction_label": TUNED, **chances("prediction_score_{}")}, TUNED),
        (
            {"inst#": range(8), "actual": TRUTH, "predicted": HALF, "error": "", "prediction": CONFIDENCE},
            HALF,
        ),
        ({"actual": TRUTH, "label": HALF, "score": SCORE}, HALF),
        ({"y": TRUTH, "p": SCORE, "response": TUNED}, TUNED),
    ],
    ids=[
        *(
            "caret",
            "tidymodels",
            "mlr3",
            "H2O",
            "KNIME",
            "RapidMiner",
            "Orange",
            "PyCaret",
            "PyCaret, raw",
            "Weka",
        ),
        *("label beside actual", "response"),
    ],
)
def test_layouts_of_tools_are_known(columns, predicted, tmp_path):
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
    for options in ({}, {"confidence": "prediction_score"}):
        frame = pd.DataFrame({"y": TRUTH, "prediction_label": HALF, "prediction_score": CONFIDENCE})
        read = read_predictions(frame, threshold=0.42, **options)
        assert read.prediction.tolist() == (TUNED == "yes").tolist()
    with pytest.raises(ValueError, match="name one with --positive"):
        read_predictions(
            pd.DataFrame({"y": list("abc"), "p_a": [1, 0, 0], "p_b": [0, 1, 0], "p_c": [0, 0, 1]}),
            threshold=0.4,
        )


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


@pytest.mark.parametrize(
    ("columns", "options", "said"),
    [
        ({"score": SCORE, "prob": SCORE**2}, {}, "'score', 'prob'; name the right one with --score"),
        ({"pred": HALF, "predicted": TUNED}, {}, "'pred', 'predicted'; name the right one with --prediction"),
        ({"p": SCORE, "response": TRUTH}, {}, "'response' of the table equals the truth in every case"),
        ({**chances("a ({})"), **chances("b ({})")}, {}, "the probabilities of 2 models"),
        ({"truth": TRUTH, "obs": TUNED, "pred": HALF}, {}, "the true labels: 'obs', 'truth', 'y'"),
        ({"truth": HALF, "response": TUNED, "y_pred": HALF}, {"truth": "truth"}, "'y_pred', 'response'"),
        ({"p": SCORE, "model": list("aabb") * 2, "algorithm": list("cdcd") * 2}, {}, "may name the models"),
        ({"c": CONFIDENCE}, {"confidence": "c"}, "--confidence needs the predicted labels"),
        ({"c": CONFIDENCE, "pred": HALF}, {"confidence": "c", "score": "c"}, "give only one of the two"),
        ({"c": SCORE, "pred": HALF}, {"confidence": "c"}, "seems to be the score of the positive label"),
        ({"c": SCORE * 100, "pred": HALF}, {"confidence": "c"}, "a confidence lies in"),
    ],
)
def test_what_nothing_settles_is_asked_for(columns, options, said):
    with pytest.raises(ValueError, match=r"^[^\n]*$") as error:
        read_predictions(pd.DataFrame({"y": TRUTH, **columns}), **options)
    assert said in str(error.value)


@pytest.mark.parametrize(
    "columns",
    [
        {"y_true": TRUTH, "label": TRUTH, **chances("p_{}")},
        {"y_true": list("abcabcab"), "label": list("abcabcab"), "p": SCORE},
        {"actual": np.linspace(1.5, 3, 8), "label": np.linspace(1.5, 3, 8), "yhat": SCORE},
        {"truth": TRUTH, "response": TRUTH, "score": SCORE},
        {"target": TRUTH, "response": np.where(SCORE > 0.4, TRUTH, HALF), "p": SCORE},
        {"diagnosis": TRUTH, "label": TUNED, "score": SCORE},
        {"response": TRUTH, "label": HALF, "score": SCORE},
    ],
)
def test_what_may_be_a_copy_of_the_truth_makes_no_model_better(columns):
    with pytest.raises(
        ValueError, match=r"may hold predicted labels|may not hold predicted labels|may hold a pred"
    ):
        read_predictions(
            pd.DataFrame(columns), positive="a" if "p" in columns and "y_true" in columns else None
        )


def test_a_doubtful_name_whose_values_are_no_labels_is_not_read():
    frame = pd.DataFrame({"target": (TRUTH == "yes") * 1, "response": TRUTH, "p": SCORE})
    read = read_predictions(frame)
    assert read.columns == {"truth": "target", "score": "p"}
    assert any("'response'" in note for note in read.notes)


def test_a_word_among_numeric_labels_is_a_missing_value():
    frame = pd.DataFrame({"y": ["0", "1", "None", "1", "0"], "pred": ["0", "1", "1", "?", "1"]})
    with pytest.raises(ValueError, match=r"1 in 'y' .*'None'.*1 in 'pred'"):
        read_predictions(frame)
    assert read_predictions(frame, missing="drop").truth.tolist() == [False, True, False]


@pytest.mark.parametrize("names", [("y_pred", "probability"), ("label", "score")])
def test_a_confidence_in_the_predicted_label_is_no_score(names):
    frame = pd.DataFrame(dict(zip(("truth", *names), (TRUTH, HALF, CONFIDENCE), strict=True)))
    with pytest.raises(ValueError, match=f"--confidence {names[1]}"):
        read_predictions(frame)
    read = read_predictions(frame, confidence=names[1])
    assert read.score.tolist() == pytest.approx(SCORE.tolist(), abs=1e-12)
    assert read.columns["confidence"] == names[1]


def test_a_confidence_of_a_model_that_never_predicts_the_positive_label_is_no_score():
    frame = pd.DataFrame({"y": TRUTH, "pred": "no", "p": 1 - SCORE / 2})
    with pytest.raises(ValueError, match=r"no case is predicted positive in 'pred'.*--confidence p"):
        read_predictions(frame)
    assert read_predictions(frame, confidence="p").score.tolist() == pytest.approx(SCORE / 2)
    assert read_predictions(frame.assign(p=SCORE)).score.tolist() == SCORE.tolist()


def test_a_confidence_serves_no_class_of_several():
    labels = ["a", "b", "c", "a"] * 5
    frame = pd.DataFrame({"y": labels[::-1], "pred": labels, "p": np.linspace(0.4, 0.9, 20)})
    for positive in ({}, {"positive": "a"}):
        with pytest.raises(ValueError, match="--confidence is for two classes"):
            read_predictions(frame, confidence="p", **positive)
    with pytest.raises(ValueError, match="leave out --positive"):
        read_predictions(frame, positive="a")


def test_predictions_that_no_threshold_gives_are_noted():
    other = np.where(SCORE > 0.65, "yes", np.where(SCORE > 0.5, "no", TRUTH))
    frame = pd.DataFrame({"y": TRUTH, "p": SCORE, "pred": other})
    assert any("No threshold on 'p'" in note for note in read_predictions(frame).notes)
    assert not any("No threshold" in note for note in read_predictions(frame.assign(pred=TUNED)).notes)


def test_each_unused_column_of_labels_or_shares_is_named(tmp_path):
    others = {"decision": TUNED, "risk": SCORE**2, "age": range(40, 48), "ward": list("abcdabcd"), "left": 0}
    pd.DataFrame({"y": TRUTH, "p": SCORE, **others}).to_csv(tmp_path / "a.csv", index=False)
    notes = read_predictions(tmp_path / "a.csv").notes
    assert [note for note in notes if "Not used" in note and ": 'decision', 'risk'." in note]


GAPS = (
    "id,y,p,q\n1,yes,.9,.8\n2,no,,.3\n3,no,.2,\n4,NA,.4,.6\n5,yes,.6,.7\n6,no,NaN,.1\n7,no,.3,.2\n8,no,.5,?\n"
)


def test_missing_values_are_counted_or_their_cases_left_out_of_all_models(write):
    path = write(GAPS)
    with pytest.raises(ValueError, match="--missing drop") as error:
        read_answers([path], options_of(score=("p", "q")))
    assert "5 of 8 data rows: 1 in 'y'" in str(error.value)
    assert "2 in 'p' (the first in row 2)" in str(error.value)
    both = read_answers([path], options_of(score=("p", "q"), missing="drop"))
    assert [each.score.tolist() for each in both] == [[0.9, 0.6, 0.3], [0.8, 0.7, 0.2]]


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
