"""What a reader is told before the numbers are used."""

import itertools
import math
import re
from html import unescape

import numpy as np
import pandas as pd
import pytest
from scorecard.valid import score

from nontrivial import score_predictions
from nontrivial.measures import confusion_measures
from nontrivial.scorecard.estimates import Estimate
from nontrivial.scorecard.evaluate import make_scorecard
from nontrivial.scorecard.notes import loss_note, why_undefined
from nontrivial.scorecard.predictions import read_predictions


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
    ("scores", "noted"), [([0.4, 0.2, 0.1], True), ([0.6, 0.9, 0.7], True), ([0.6, 0.2, 0.1], False)]
)
def test_a_threshold_on_one_side_of_all_scores_is_noted(tmp_path, scores, noted):
    pd.DataFrame({"y": [1, 0, 0], "p": scores}).to_csv(tmp_path / "a.csv", index=False)
    card = make_scorecard(read_predictions(tmp_path / "a.csv"))
    assert any("No case is predicted" in note and card.rule in note for note in card.warnings) == noted


@pytest.mark.parametrize(("predicted", "noted"), [([0] * 10, True), ([1] * 10, True), ([0] * 9 + [1], False)])
def test_a_constant_guess_is_called_one(predicted, noted):
    notes = score({"truth": [0, 1] * 5, "prediction": predicted}).result.warnings
    assert any("constant guess" in note for note in notes) == noted


@pytest.mark.parametrize(
    ("positive", "pairs", "told"),
    [(None, 40, True), (None, 2, True), ("fraud", 40, False), ("ok", 40, True), ("ok", 2, False)],
)
def test_scores_for_the_other_label_are_noticed(positive, pairs, told):
    """Of two texts the greater is positive by default, and "fraud" sorts before "ok"; chance may rank so few cases."""
    cases = {"truth": ["fraud", "ok"] * pairs, "score": [0.9, 0.2] * pairs}
    notes = score(cases, positive=positive).result.warnings
    assert any("Cases not labelled 'ok' have higher scores" in note for note in notes) == told


@pytest.mark.parametrize(("labels", "noted"), [(["yes", "no", "open"], True), (["yes", "no", "no"], False)])
def test_labels_that_a_positive_one_is_set_against_are_named(labels, noted):
    frame = pd.DataFrame({"y": labels, "p": [0.9, 0.1, 0.2]})
    notes = score_predictions(frame, positive="yes").result.warnings
    assert any("'open'" in note for note in notes) is noted


@pytest.mark.parametrize(
    ("positives", "mistakes", "perfect_ranks", "noted"),
    [(9, 2, False, True), (10, 2, False, False), (50, 0, False, True), (50, 2, True, True)],
)
def test_intervals_that_rest_on_an_assumption_say_so(positives, mistakes, perfect_ranks, noted):
    truth = np.repeat([1, 0], [positives, 100])
    predicted = np.r_[1 - np.arange(positives) // (positives - mistakes), np.zeros(100, dtype=int)]
    score = truth if perfect_ranks else 0.1 * (np.arange(len(truth)) % 7)
    frame = pd.DataFrame({"y": truth, "score": score, "predicted": predicted})
    notes = score_predictions(frame).result.warnings
    assert any("rest largely on the assumption" in note for note in notes) is noted


@pytest.mark.parametrize(
    ("positives", "scores", "named"),
    [
        (10, [0.2, 0.9], {"squared", "cross_entropy"}),
        (10, [0.0, 1.0], {"squared"}),
        (9, [0.2, 0.9], set()),
        (10, [-2, 9], set()),
    ],
)
def test_losses_say_what_their_intervals_assume_where_they_have_some(positives, scores, named):
    """One case is wrong: of infinite loss where the scores are 0 and 1."""
    truth = np.repeat([1, 0], [positives, 30])
    guess = np.where(np.arange(len(truth)) > 0, truth, 0)
    card = score_predictions({"y": truth, "p": np.take(scores, guess)}).result
    (note,) = loss_note(card.losses) or [""]
    assert {name for name in ("squared", "cross_entropy") if name in note} == named
    assert {row.name for row in card.losses if row.advantage.method == "fieller"} == named
    assert (note in card.warnings) == bool(named)


@pytest.mark.parametrize(("surest", "endless"), [(1.0, True), (0.99, False)])
def test_an_interval_without_an_end_says_why(surest, endless):
    """A probability of 1 that was right could have been wrong."""
    card = score_predictions({"y": [1, 0] * 20, "p": [0.8, 0.3] * 19 + [surest, 0.6]}).result
    assert math.isinf({row.name: row for row in card.losses}["cross_entropy"].advantage.low) == endless
    assert any("cross_entropy, the lower end is -inf" in note for note in card.warnings) == endless


@pytest.mark.usefixtures("unrendered")
@pytest.mark.parametrize("models", [["good"], ["good", "weak"]])
def test_every_note_of_the_text_is_in_the_json_and_on_the_page(cases, models):
    found = score_predictions(cases, score=models)
    cards = getattr(found.result, "cards", [found.result])
    plain = found.to_json()
    noted = {note for card in plain.get("models", [plain]) for note in card["warnings"]}
    of_losses = {note for card in cards for note in loss_note(card.losses)}
    assert len(of_losses) == 1
    assert len(noted) > 1
    # A note that is not of all models begins with theirs.
    text, page = found.to_text(every=True, explain=True), unescape(found.to_html())
    told = re.findall(r"^Note: .*", re.sub(r"\n  ", " ", text), re.MULTILINE)
    on_page = [line for line in page.splitlines() if line.startswith("<p><strong>Note:")]
    assert {note for note in noted for line in on_page if line.endswith(f"{note}</p>")} == noted
    assert {note for note in noted for line in told if line.endswith(note)} == noted


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
