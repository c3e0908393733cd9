"""What a reader is told before the numbers are used."""

import itertools
from html import unescape

import numpy as np
import pandas as pd
import pytest
from scorecard.valid import score

from nontrivial import score_predictions
from nontrivial.measures import confusion_measures
from nontrivial.scorecard.estimates import Estimate
from nontrivial.scorecard.notes import why_undefined


def test_every_undefined_measure_of_every_small_table_has_the_right_reason():
    """What is undefined is so by an empty margin, or, for P4, by having neither TP nor TN."""
    for fp, tp, fn, tn in itertools.product(range(3), repeat=4):
        if not (tp + fn and fp + tn):
            continue
        table = {"fp": fp, "tp": tp, "fn": fn, "tn": tn}
        values = confusion_measures(**table).iloc[0]
        estimates = {name: Estimate(float(value)) for name, value in values.items()}
        reasons = why_undefined(estimates, table)
        assert set(reasons) == set(values.index[values.isna()])
        holds = {
            "no case is predicted positive": tp + fp == 0,
            "no case is predicted negative": tn + fn == 0,
            "every prediction is wrong": tp + tn == 0,
        }
        assert all(holds[reason] for reason in reasons.values()), table


@pytest.mark.parametrize(
    ("positive", "pairs", "told"),
    [(None, 40, True), (None, 2, False), ("fraud", 40, False), ("ok", 40, True)],
)
def test_scores_for_the_other_label_are_noticed_if_the_ranking_is_worse(positive, pairs, told):
    """Of two texts the greater is positive by default, and "fraud" sorts before "ok"; chance may rank so few cases."""
    found = score({"truth": ["fraud", "ok"] * pairs, "score": [0.9, 0.2] * pairs}, positive=positive)
    assert any("Cases not labelled 'ok' have higher scores" in note for note in found.result.notes) == told
    assert told == (found.verdicts["ranking"].verdict == "worse")


def test_an_assumed_label_is_named_once_on_the_screen_and_in_the_notes_of_the_json(cases):
    found = score(cases, score="good")
    assert found.to_text().count("--positive names another") == 1
    assert any("--positive names another" in note for note in found.to_json()["warnings"])


@pytest.mark.usefixtures("unrendered")
@pytest.mark.parametrize("models", [["good"], ["good", "weak"]])
def test_every_note_of_the_json_is_in_the_text_and_on_the_page(cases, models):
    found = score(cases.assign(y=cases["y"].replace("ill", "zzz"), mine=cases["weak"] / 2), score=models)
    plain = found.to_json()
    noted = {note for card in plain.get("models", [plain]) for note in card["warnings"]}
    assert len(noted) > 1
    text, page = (" ".join(each.split()) for each in (found.to_text(explain=True), unescape(found.to_html())))
    assert all(note in text and note in page for note in noted)


@pytest.mark.parametrize(
    ("positives", "scores", "named"),
    [
        (10, [0.2, 0.9], "squared and cross_entropy"),
        (10, [0.0, 1.0], "squared"),
        (9, [0.2, 0.9], ""),
        (10, [-2, 9], ""),
    ],
)
def test_the_explanation_says_what_the_intervals_of_losses_assume(positives, scores, named):
    """One case is wrong: of infinite loss where the scores are 0 and 1."""
    truth = np.repeat([1, 0], [positives, 30])
    guess = np.where(np.arange(len(truth)) > 0, truth, 0)
    text = " ".join(score({"y": truth, "p": np.take(scores, guess)}).to_text(explain=True).split())
    assert (f"Fieller's interval ({named}) supposes one more case" in text) == bool(named)
    assert ("Fieller" in text) == bool(named)


@pytest.mark.parametrize(("labels", "noted"), [(["yes", "no", "open"], True), (["yes", "no", "no"], False)])
def test_labels_that_a_positive_one_is_set_against_are_named(labels, noted):
    frame = pd.DataFrame({"y": labels, "p": [0.9, 0.1, 0.2]})
    notes = score_predictions(frame, positive="yes").result.warnings
    assert any("'open'" in note for note in notes) is noted


@pytest.mark.parametrize(("options", "noted"), [({"score": "good"}, True), ({}, False)])
def test_a_column_that_may_be_of_another_model_is_named(cases, options, noted):
    cases = cases.assign(prediction=cases["y"])
    notes = score(cases, positive="ill", **options).result.warnings
    assert any("'prediction'" in note for note in notes) == noted


@pytest.mark.parametrize(
    ("truth", "prediction", "task", "noted"),
    [
        ([0.1, 0.6, 0.9, 0.4], [0, 1, 1, 0], "regression", "--score"),
        ([0.1, 0.6, 0.9, 0.4], [0, 1, 1, 0.5], "regression", None),
        ([0.1, 0.6, 0.9, 0.4], [1, 1, 1, 1], "regression", None),
        ([1, 2, 3, 4], [1, 2, 4, 4], None, "--task"),
        ([1, 2, 3, 4], [1, 2, 4, 4], "classification", None),
        (["1a", "2", "3", "4"], ["1a", "2", "4", "4"], None, None),
        ([1, 2, 1, 2], [1, 2, 2, 2], None, None),
    ],
)
def test_numbers_that_may_be_meant_otherwise_are_noted(truth, prediction, task, noted):
    notes = score({"y": truth * 10, "prediction": prediction * 10}, task=task).result.warnings
    told = [option for option in ("--score", "--task") for note in notes if option in note]
    assert told == ([noted] if noted else [])


@pytest.mark.parametrize(
    ("columns", "options", "noted"),
    [
        ({"score": [0.1, 0.2, 0.3]}, {"score": "score"}, ["'score' are not used; --positive"]),
        ({"score": [0.1, 0.2, 0.3]}, {}, []),
        ({"score": [0.1, 0.2, 0.3], "mine": list("abb")}, {"prediction": "mine"}, ["'prediction'"]),
    ],
)
def test_scores_that_more_than_two_classes_cannot_use_are_noted_if_they_were_named(columns, options, noted):
    cases = {"y": list("abc") * 20, "prediction": list("abc") * 20}
    frame = pd.DataFrame(cases | {name: values * 20 for name, values in columns.items()})
    notes = [
        note for note in score(frame, **options).result.warnings if "score" in note or "not read" in note
    ]
    assert len(notes) == len(noted)
    assert all(part in note for part, note in zip(noted, notes, strict=True))


def test_columns_of_probabilities_are_read_and_no_note_says_otherwise():
    columns = {"y": list("pq") * 20, "p": [0.8, 0.3] * 20, "q": [0.2, 0.7] * 20, "mine": list("pq") * 20}
    found = score(pd.DataFrame(columns), prediction="mine").result
    assert found.columns["score"] == "q"
    assert not any("not read" in note for note in found.warnings)


def test_numbered_classes_with_probabilities_alone_are_not_taken_for_numbers():
    columns = {"y": [1, 2, 3] * 20} | {
        f"p_{k}": ([0.2] * (k - 1) + [0.6] + [0.2] * (3 - k)) * 20 for k in (1, 2, 3)
    }
    assert not any("--task" in note for note in score(pd.DataFrame(columns)).result.warnings)


def test_a_class_that_is_predicted_but_never_true_is_named():
    frame = pd.DataFrame({"truth": list("abca"), "prediction": list("adaa")})
    assert any("'d'" in note for note in score(frame).result.warnings)
    assert not any("'d'" in note for note in score(frame.assign(truth=list("abcd"))).result.warnings)


def test_case_numbers_that_repeat_may_be_groups():
    frame = pd.DataFrame({"patient_id": [1, 1, 2, 3], "y": [1, 1, 0, 0], "p": [0.9, 0.3, 0.3, 0.2]})
    assert any("--group patient_id" in note for note in score(frame).result.warnings)
    for other, options in ((frame.assign(patient_id=range(4)), {}), (frame, {"group": "patient_id"})):
        assert not any("--group" in note for note in score(other, **options).result.warnings)


def test_a_class_without_cases_leaves_the_mean_area_undefined():
    frame = pd.DataFrame(
        {
            "truth": list("abc"),
            "p_a": [0.5, 0.1, 0.2],
            "p_b": [0.3, 0.8, 0.2],
            "p_c": [0.2, 0.1, 0.6],
            "p_d": 0.0,
        }
    )
    assert "occurs in no case" in score(frame).result.undefined["macro_roc_auc"]
