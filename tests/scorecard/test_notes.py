"""What a reader is told before the numbers are used."""

import itertools
import re
from html import unescape

import numpy as np
import pandas as pd
import pytest
from scorecard.valid import score

from nontrivial.measures import confusion_measures
from nontrivial.scorecard.estimates import why_undefined


def test_every_undefined_measure_of_every_small_table_has_the_right_reason():
    """What is undefined is so by an empty margin, or, for P4, by having neither TP nor TN."""
    for fp, tp, fn, tn in itertools.product(range(3), repeat=4):
        if not (tp + fn and fp + tn):
            continue
        table = {"fp": fp, "tp": tp, "fn": fn, "tn": tn}
        values = confusion_measures(**table).iloc[0]
        holds = {
            "no case is predicted positive": tp + fp == 0,
            "no case is predicted negative": tn + fn == 0,
            "every prediction is wrong": tp + tn == 0,
        }
        assert all(holds[why_undefined(name, table)] for name in values.index[values.isna()]), table


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
    assert found.to_text().count("positive names another") == 1
    assert any("--positive names another" in note for note in found.to_json()["warnings"])


@pytest.mark.usefixtures("unrendered")
@pytest.mark.parametrize("models", [["good"], ["good", "weak"]])
def test_every_note_of_the_json_is_in_the_text_and_on_the_page(cases, models):
    found = score(cases.assign(y=cases["y"].replace("ill", "zzz"), mine=cases["weak"] / 2), score=models)
    plain = found.to_json()
    noted = {note for card in plain.get("models", [plain]) for note in card["warnings"]}
    assert len(noted) > 1
    text, page = (" ".join(each.split()) for each in (found.to_text(explain=True), unescape(found.to_html())))
    assert "&lt;span" not in found.to_html()
    page = re.sub("</?span[^>]*>", "", page)  # around options
    assert all(found.words(note) in text and found.words(note) in page for note in noted)


@pytest.mark.parametrize(
    ("positives", "scores", "has_interval"),
    [(10, [0.2, 0.9], True), (10, [0.0, 1.0], True), (9, [0.2, 0.9], False), (10, [-2, 9], False)],
)
def test_the_explanation_says_what_the_intervals_of_losses_assume(positives, scores, has_interval):
    """One case is wrong: of infinite loss where the scores are 0 and 1."""
    truth = np.repeat([1, 0], [positives, 30])
    guess = np.where(np.arange(len(truth)) > 0, truth, 0)
    text = score({"y": truth, "p": np.take(scores, guess)}).to_text(explain=True)
    assert [name in text for name in ("fieller", "one_worst_case")] == [has_interval] * 2


NUMBERS = {"y": [1, 2, 3, 4] * 10, "prediction": [1, 2, 4, 4] * 10}
SHARES = {"y": [0.1, 0.6, 0.9, 0.4] * 10, "prediction": [0, 1, 1, 0] * 10}
LABELS = {"y": list("abc") * 20, "prediction": list("abc") * 20}
PATIENTS = {"patient_id": [1, 1, 2, 3], "y": [1, 1, 0, 0], "p": [0.9, 0.3, 0.3, 0.2]}


@pytest.mark.parametrize(
    ("data", "options", "said", "noted"),
    [
        ({"y": ["yes", "no", "open"], "p": [0.9, 0.1, 0.2]}, {"positive": "yes"}, "'open'", True),
        ({"y": ["yes", "no", "no"], "p": [0.9, 0.1, 0.2]}, {"positive": "yes"}, "counts as negative", False),
        (SHARES, {"task": "regression"}, "--score", True),
        (SHARES | {"prediction": [0, 1, 1, 0.5] * 10}, {"task": "regression"}, "--score", False),
        (SHARES | {"prediction": [1] * 40}, {"task": "regression"}, "--score", False),
        (NUMBERS, {"score": "prediction", "task": "regression"}, "not used", False),
        (NUMBERS, {}, "--task", True),
        (NUMBERS, {"task": "classification"}, "--task", False),
        ({"y": ["1a", "2", "3"] * 9, "prediction": ["1a", "2", "3"] * 9}, {}, "--task", False),
        ({"y": [1, 2] * 9, "prediction": [1, 2] * 9}, {}, "--task", False),
        (
            LABELS | {"score": [0.1, 0.2, 0.3] * 20},
            {"score": "score"},
            "'score' are not used; --positive",
            True,
        ),
        (LABELS | {"score": [0.1, 0.2, 0.3] * 20}, {}, "'score'", False),
        (LABELS | {"mine": list("abb") * 20}, {"prediction": "mine"}, "'prediction'", True),
        ({"y": list("abca"), "prediction": list("adaa")}, {}, "'d'", True),
        ({"y": list("abcd"), "prediction": list("adaa")}, {}, "'d'", False),
        (PATIENTS, {}, "--group patient_id", True),
        (PATIENTS | {"patient_id": range(4)}, {}, "--group", False),
        (PATIENTS, {"group": "patient_id"}, "--group", False),
    ],
)
def test_what_may_be_meant_otherwise_is_noted(data, options, said, noted):
    notes = score(pd.DataFrame(data), **options).result.warnings
    assert any(said in note for note in notes) == noted


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
    assert "occurs in no case" in score(frame).result.areas["macro_roc_auc"].reason
