"""A scorecard as text."""

import re

import pytest

from nontrivial.scorecard.evaluate import make_scorecard
from nontrivial.scorecard.page import render_page
from nontrivial.scorecard.text import number, p_number, p_text, render_text


@pytest.mark.usefixtures("unrendered")
def test_what_is_shown_says_the_beta_of_f(predictions):
    read, _ = predictions()
    card = make_scorecard(read)
    text, page = render_text(card), render_page(card, read)
    assert re.search(r"^f_beta +0\.7368 ", text, re.MULTILINE)  # 70 / 95
    assert "f_beta is F1: beta is 1" in text
    assert '<th scope="row">F1 gain</th>' in page


def test_text_says_the_verdict_first(predictions):
    text = render_text(make_scorecard(predictions()[0]))
    lines = text.splitlines()
    assert lines[0] == "a.csv: 200 cases, 50 of them positive (1, assumed)."
    assert lines[1].startswith("Verdict: better than trivial (Prediction Advantage 0.5000, 95 % interval ")
    assert [line.split() for line in lines[3:6]] == [
        ["predicted", "1", "predicted", "0"],
        ["true", "1", "35", "15"],
        ["true", "0", "10", "140"],
    ]
    assert lines[7] == (
        "The predictions are wrong for 12.50% of the cases; "
        "always predicting the most frequent class is wrong for 25.00%."
    )
    assert re.search(r"^accuracy +0\.8750 +0\.8\d+ to 0\.9\d+ +Clopper-Pearson$", text, re.MULTILINE)
    assert re.search(r"^prg_auc +[\d.-]+ +[\d.-]+ to [\d.-]+ +Bayesian bootstrap$", text, re.MULTILINE)


def test_no_number_is_less_than_nothing_by_its_rounding():
    assert [number(value) for value in (-0.00001, -0.0, -0.00006)] == ["0.0000", "0.0000", "-0.0001"]


@pytest.mark.parametrize(
    ("p_value", "in_sentence", "in_table"),
    [(0.00009, "p < 0.0001", "< 0.0001"), (0.0001, "p = 0.0001", "0.0001"), (1.0, "p = 1.0000", "1.0000")],
)
def test_a_p_value_is_equal_to_a_number_or_less_than_the_least(p_value, in_sentence, in_table):
    assert (p_text(p_value), p_number(p_value)) == (in_sentence, in_table)
