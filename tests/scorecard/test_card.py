"""The scorecard, against counts worked by hand and what must hold for every file."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import balanced_accuracy_score, matthews_corrcoef, roc_auc_score

from nontrivial.scorecard.evaluate import make_scorecard
from nontrivial.scorecard.page import render_page
from nontrivial.scorecard.predictions import read_predictions
from nontrivial.scorecard.text import render_text


def test_hand_worked_counts(predictions):
    read, frame = predictions()
    card = make_scorecard(read)
    assert card.table == {"fp": 10, "tp": 35, "fn": 15, "tn": 140}
    assert (card.cases, card.positives, card.trivial_error, card.error) == (200, 50, 0.25, 0.125)
    assert card.advantage[0] == 0.5
    assert card.measures["prediction_advantage"][0] == 0.5
    assert card.measures["precision"][0] == pytest.approx(35 / 45)
    truth, prediction = frame["truth"], frame["prediction"]
    assert card.measures["balanced_accuracy"][0] == pytest.approx(balanced_accuracy_score(truth, prediction))
    assert card.measures["matthews_corrcoef"][0] == pytest.approx(matthews_corrcoef(truth, prediction))
    assert card.areas["roc_auc"][0] == pytest.approx(roc_auc_score(truth, frame["score"]))
    assert card.verdict == "better than trivial"


def test_the_advantage_has_one_interval(predictions):
    card = make_scorecard(predictions()[0])
    assert card.measures["prediction_advantage"] == card.advantage
    assert card.measures["goodman_kruskal_lambda"] == card.advantage


def test_the_same_file_gives_the_same_card(predictions):
    read, _ = predictions()
    assert make_scorecard(read) == make_scorecard(read)


def test_what_is_undefined_stays_so(predictions):
    read, _ = predictions(tp=0, fn=50, fp=0, tn=150)
    card = make_scorecard(read)
    assert np.isnan(card.measures["precision"][:3]).all()
    assert re.search(r"^precision +undefined ", render_text(card, every=True), re.M)
    plain = json.loads(json.dumps(card.to_json(), allow_nan=False))
    assert plain["measures"]["precision"] == {
        "value": None,
        "low": None,
        "high": None,
        "method": "",
        "assumes": None,
        "reason": "no case is predicted positive",
    }
    assert plain["measures"]["recall"].keys() == {"value", "low", "high", "method", "assumes"}
    assert plain["measures"]["precision_gain"]["value"] == "-inf"


@pytest.mark.usefixtures("unrendered")
def test_without_a_value_there_is_no_interval_but_a_reason_in_every_format(tmp_path):
    """All three negatives score above the 4.9 true positives of recall gain 0, so nothing is left to draw from."""
    scores = [0.92, 0.71, 0.35, 0.64, 0.41, 0.30, 0.22, 0.18, 0.07, 0.05]
    frame = pd.DataFrame({"y": ["ill"] * 3 + ["well"] * 7, "p": scores})
    frame.to_csv(tmp_path / "a.csv", index=False)
    read = read_predictions(tmp_path / "a.csv")
    card = make_scorecard(read)
    reason = "no negative case scores below the threshold at which recall equals the prevalence"
    assert np.isnan(card.areas["expected_f1_gain"][:3]).all()
    assert card.to_json()["areas"]["expected_f1_gain"] == {
        "value": None,
        "low": None,
        "high": None,
        "method": "",
        "assumes": None,
        "reason": reason,
    }
    note = f"Undefined (0/0), because {reason}: expected_f1_gain."
    text = render_text(card, every=True, explain=True)
    for output in (text, render_page(card, read)):
        assert note in " ".join(output.split())


@pytest.mark.usefixtures("unrendered")
def test_what_has_no_interval_has_a_reason_in_every_format(predictions):
    read, _ = predictions()
    card = make_scorecard(read)
    assert list(card.no_interval) == ["cost_curve_area"]
    reason = card.no_interval["cost_curve_area"]
    plain = card.to_json()["areas"]
    assert [name for name, each in plain.items() if each.get("reason") == reason] == ["cost_curve_area"]
    for output in (render_text(card, every=True, explain=True), render_page(card, read)):
        assert reason in " ".join(output.split())
