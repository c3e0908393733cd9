"""What a reader is told before the numbers are used."""

import itertools
import re
from html import unescape

import pandas as pd
import pytest
from scorecard.valid import score

import nontrivial
from nontrivial.measures import confusion_measures
from nontrivial.scorecard.estimates.classes import why_undefined


def test_every_undefined_measure_of_every_small_table_has_the_right_reason():
    """What is undefined is so by an empty margin, or, for P4, by having neither TP nor TN."""
    for fp, tp, fn, tn in itertools.product(range(3), repeat=4):
        table = {"fp": fp, "tp": tp, "fn": fn, "tn": tn}
        if not (tp + fn and fp + tn):
            continue
        values = confusion_measures(**table).iloc[0]
        empty = {"no case is predicted positive": tp + fp, "no case is predicted negative": tn + fn}
        empty["every prediction is wrong"] = tp + tn
        assert not any(empty[why_undefined(name, table)] for name in values.index[values.isna()]), table


@pytest.mark.usefixtures("unrendered")
@pytest.mark.parametrize("models", [["good"], ["good", "weak"]])
def test_every_note_of_the_json_is_in_the_text_and_on_the_page(cases, models):
    labels = cases["y"].replace({"ill": "yes", "well": "no"})
    scored = score(cases.assign(y=labels, mine=cases["weak"] / 2, pred=labels), score=models)
    plain = scored.to_json()
    noted = {note for card in plain.get("models", [plain]) for note in card["warnings"]}
    assert len(noted) > 1
    text, page = (" ".join(text.split()) for text in (scored.to_text(explain=True), unescape(scored.to_html())))
    assert "&lt;span" not in scored.to_html()
    page = re.sub("</?span[^>]*>", "", page)  # around options
    assert all(scored.words(note) in text and scored.words(note) in page for note in noted)
    if len(models) == 1:  # the screen and the JSON say once that the label is assumed
        assert scored.to_text().count("positive names another") == 1
        assert sum("--positive names another" in note for note in noted) == 1


CHANCES = {"y": ["yes", "no", "open"], "p": [0.9, 0.1, 0.2]}
NUMBERS = {"y": [1, 2, 3, 4] * 10, "prediction": [1, 2, 4, 4] * 10}
SHARES = {"y": [0.1, 0.6, 0.9, 0.4] * 10, "prediction": [0, 1, 1, 0] * 10}
LABELS = {"y": list("abc") * 20, "prediction": list("abc") * 20}
SCORED = LABELS | {"score": [0.1, 0.2, 0.3] * 20}
PATIENTS = {"patient_id": [1, 1, 2, 3], "y": [1, 1, 0, 0], "p": [0.9, 0.3, 0.3, 0.2]}
OTHER_LABEL = {"truth": ["fraud", "ok"] * 40, "score": [0.9, 0.2] * 40}
SMALL = {"truth": ["fraud", "ok"] * 2, "score": [0.9, 0.2] * 2}  # chance may rank so few
OF_MODELS = {"y": [1, 0, 1, 0], "p": [0.9, 0.1, 0.4, 0.6]}
REGRESSION = {"task": "regression"}
NOTES = [  # a table, options, and what is noted or, if it does not hold, is not
    (CHANCES, {"positive": "yes"}, "Every label but 'yes' counts as negative: 'no', 'open'", True),
    (CHANCES | {"y": ["yes", "no", "no"]}, {"positive": "yes"}, "counts as negative", False),
    (OTHER_LABEL, {"positive": "ok"}, "not labelled 'ok' have higher scores", True),
    (OTHER_LABEL, {"positive": "fraud"}, "higher scores", False),
    (SMALL, {"positive": "ok"}, "higher scores", False),
    (OF_MODELS | {"pred": [1, 0, 0, 1]}, {}, "No threshold", False),
    (OF_MODELS | {"pred": [1, 0, 1, 0]}, {}, "No threshold on 'p'", True),
    (SHARES, REGRESSION, "--score", True),
    (SHARES | {"prediction": [0, 1, 1, 0.5] * 10}, REGRESSION, "--score", False),
    (SHARES | {"prediction": [1] * 40}, REGRESSION, "--score", False),
    (NUMBERS, REGRESSION | {"score": "prediction"}, "not used", False),
    (NUMBERS, {}, "--task", True),
    (NUMBERS, {"task": "classification"}, "--task", False),
    ({"y": ["1a", "2", "3"] * 9, "prediction": ["1a", "2", "3"] * 9}, {}, "--task", False),
    ({"y": [1, 2] * 9, "prediction": [1, 2] * 9}, {"positive": 2}, "--task", False),
    (SCORED, {"score": "score", "prediction": "prediction"}, "'score' are not used; --positive", True),
    (SCORED, {}, "'score'", True),
    (LABELS | {"mine": list("abb") * 20}, {"prediction": "mine"}, "'prediction'", True),
    ({"y": list("abca"), "prediction": list("adaa")}, {}, "'d'", True),
    ({"y": list("abcd"), "prediction": list("adaa")}, {}, "'d'", False),
    (PATIENTS | {"patient_id": range(4)}, {}, "--group", False),
    (PATIENTS, {"group": "patient_id"}, "--group", False),
]


@pytest.mark.parametrize(("data", "options", "words", "is_noted"), NOTES)
def test_what_may_be_meant_otherwise_is_noted(data, options, words, is_noted):
    notes = score(pd.DataFrame(data), **options).result.notes
    assert any(words in note for note in notes) == is_noted


def test_a_class_without_cases_leaves_the_mean_area_undefined():
    chances = {"p_a": [0.5, 0.1, 0.2], "p_b": [0.3, 0.8, 0.2], "p_c": [0.2, 0.1, 0.6], "p_d": [0.0] * 3}
    areas = nontrivial.score(list("abc"), pd.DataFrame(chances).to_numpy(), labels=list("abcd")).result.areas
    assert "occurs in no case" in areas["macro_roc_auc"].reason
