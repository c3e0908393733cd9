"""Several classes: a row each, and the measures of all."""

import re
import time

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score, f1_score, matthews_corrcoef, precision_score, recall_score

from nontrivial import score_predictions
from nontrivial._draws import Units
from nontrivial.measures import (
    p4_score,
    prediction_advantage_interval,
    prediction_advantage_score,
    triviality_test,
)
from nontrivial.scorecard.estimates import class_rows, estimate_classes
from nontrivial.scorecard.evaluate import make_scorecard
from nontrivial.scorecard.page import render_page
from nontrivial.scorecard.predictions import read_predictions
from nontrivial.scorecard.text import render_text


@pytest.mark.parametrize("n_classes", [2, 3])
def test_an_interval_holds_the_value_that_no_draw_reaches(n_classes):
    """Every prediction is wrong, and of two classes rounding leaves less than no true negatives."""
    truth, groups = np.tile(np.arange(n_classes), 5), np.repeat(np.arange(5), n_classes)
    kappa = estimate_classes(truth, (truth + 1) % n_classes, n_classes, Units(len(truth), None, groups))[
        "cohen_kappa"
    ]
    assert kappa.low == kappa.value == pytest.approx(-1 / (n_classes - 1))


def test_several_classes_have_an_advantage_and_a_row_each(tmp_path):
    pd.DataFrame({"truth": list("aaaabbbc"), "prediction": list("aaaabbca")}).to_csv(
        tmp_path / "b.csv", index=False
    )
    card = make_scorecard(read_predictions(tmp_path / "b.csv"))
    # 2 errors, and 4 of always predicting a
    assert (card.trivial_error, card.error, card.advantage[0]) == (0.5, 0.25, 0.5)
    assert (card.table, card.areas, card.positives) == ({}, {}, None)
    # a: TP 4, FP 1 of 4 others; b: TP 2, FN 1; c: FP 1, FN 1
    assert [(row.label, row.cases, row.predicted) for row in card.classes] == [
        ("a", 4, 5),
        ("b", 3, 2),
        ("c", 1, 1),
    ]
    a, b, c = card.classes
    assert a.measures == {
        "precision": 0.8,
        "recall": 1,
        "specificity": 0.75,
        "f_beta": pytest.approx(8 / 9),
        "p4": 48 / 55,
    }
    assert [row.advantage[0] for row in card.classes] == pytest.approx([3 / 4, 2 / 3, -1])
    assert (c.measures["precision"], c.measures["p4"]) == (0, 0)
    # right against always predicting "rest": won in TP, lost in FP; against always predicting b: TN 5 against FN 1
    assert b.p_value == pytest.approx(max(1 / 4, 7 / 64))
    text = render_text(card, every=True, explain=True)
    assert re.search(r"^a +4 +5 +0\.8000 +1\.0000 +0\.7500 +0\.8889 +0\.8727 +0\.7500 ", text, re.MULTILINE)
    assert re.search(r"^c +1 +1 +0\.0000 +0\.0000 +0\.8571", text, re.MULTILINE)


@pytest.mark.usefixtures("unrendered")
@pytest.mark.parametrize("only_predicted", [0, 5, 6])
def test_few_classes_have_a_table_of_counts_and_many_their_mistakes(tmp_path, only_predicted):
    """Three true classes and some that are only predicted; up to eight labels in all make a table."""
    truth = ["a"] * 4 + ["b"] * 3 + ["c"] * (5 + only_predicted)
    guess = list("aabc") + list("bcc") + list("ccccc") + [f"x{place}" for place in range(only_predicted)]
    frame = pd.DataFrame({"truth": truth, "prediction": guess, "w": 2.5})
    frame.to_csv(tmp_path / "a.csv", index=False)
    read = read_predictions(tmp_path / "a.csv")
    card = make_scorecard(read)
    plain, page = card.to_json()["confusion"], render_page(card, read)
    text = render_text(card, every=True, explain=True)
    assert plain["labels"] == ["a", "b", "c", *(f"x{place}" for place in range(only_predicted))]
    assert plain["mistakes"][0] == {"truth": "b", "predicted": "c", "cases": 2}
    assert sum(each["cases"] for each in plain["mistakes"]) == 4 + only_predicted
    none = [0] * only_predicted
    if only_predicted > 5:
        assert plain["counts"] == []
        said = "mistakes: 2 of 'b' predicted as 'c', 1 of 'a' predicted as 'b', 1 of 'a' predicted as 'c'"
        assert said in " ".join(text.split())
        assert re.search("^b +c +2$", text, re.MULTILINE)
        assert '<tr><th scope="row">b</th><td>c</td><td class="number">2</td></tr>' in page
    else:
        assert plain["counts"] == [[2, 1, 1, *none], [0, 1, 2, *none], [0, 0, 5, *(1 for _ in none)]]
        rows = [[label, *map(str, row)] for label, row in zip("abc", plain["counts"], strict=True)]
        lines = [line.split() for line in text.splitlines()]
        assert all(row in lines for row in rows)
        assert '<th scope="row">b</th><td class="number">0</td><td class="number">1</td>' in page


def test_a_thousand_classes_have_intervals_and_tests_in_seconds():
    generator, names = np.random.default_rng(0), list(map(str, range(1000)))
    truth = np.concatenate([np.arange(1000), generator.integers(0, 1000, 50_000)])
    prediction = np.where(generator.random(len(truth)) < 0.6, truth, generator.integers(0, 1100, len(truth)))
    started = time.process_time()
    rows = class_rows(truth, prediction, names, Units(len(truth)))
    assert time.process_time() - started < 3
    for place in (0, 500, 999):
        is_class, as_class = truth == place, prediction == place
        assert rows[place].advantage == (
            pytest.approx(prediction_advantage_score(is_class, as_class), rel=1e-12),
            *prediction_advantage_interval(is_class, as_class),
            "bootstrap",
        )
        assert rows[place].p_value == triviality_test(is_class, as_class).pvalue


def test_measures_of_several_classes_are_those_of_scikit_learn(tmp_path):
    generator = np.random.default_rng(3)
    truth = generator.choice(["a", "b", "c", "d"], size=300, p=[0.5, 0.3, 0.15, 0.05])
    prediction = np.where(
        generator.random(300) < 0.6, truth, generator.choice(["a", "b", "c", "d"], size=300)
    )
    prediction = prediction.astype(object)
    prediction[:3] = "other"
    pd.DataFrame({"truth": truth, "prediction": prediction}).to_csv(tmp_path / "d.csv", index=False)
    card = make_scorecard(read_predictions(tmp_path / "d.csv"))
    of_classes = {"labels": ["a", "b", "c", "d"], "average": "macro"}
    expected = {
        "accuracy": np.mean(truth == prediction),
        "error_rate": np.mean(truth != prediction),
        "balanced_accuracy": recall_score(truth, prediction, **of_classes),
        "macro_precision": precision_score(truth, prediction, **of_classes),
        "macro_f1": f1_score(truth, prediction, **of_classes),
        "macro_p4": np.mean([p4_score(truth == label, prediction == label) for label in "abcd"]),
        "cohen_kappa": cohen_kappa_score(truth, prediction),
        "matthews_corrcoef": matthews_corrcoef(truth, prediction),
        "prediction_advantage": prediction_advantage_score(
            truth, prediction, labels=["a", "b", "c", "d", "other"]
        ),
    }
    assert {name: each.value for name, each in card.measures.items()} == pytest.approx(expected, rel=1e-12)
    for name, each in card.measures.items():
        assert each.low < each.value < each.high, name
    error = np.sqrt(expected["accuracy"] * expected["error_rate"] / 300)
    assert card.measures["accuracy"][1:3] == pytest.approx(
        [expected["accuracy"] - 1.96 * error, expected["accuracy"] + 1.96 * error], abs=0.01
    )


def test_an_undefined_mean_names_the_classes_it_lacks(tmp_path):
    frame = pd.DataFrame({"truth": list("aabbc"), "prediction": list("aaaba")})
    frame.to_csv(tmp_path / "a.csv", index=False)
    card = make_scorecard(read_predictions(tmp_path / "a.csv"))
    assert card.undefined == {"macro_precision": "it is undefined for c"}
    frame["prediction"] = "a"
    frame.to_csv(tmp_path / "a.csv", index=False)
    card = make_scorecard(read_predictions(tmp_path / "a.csv"))
    assert card.undefined == {
        "macro_precision": "it is undefined for b, c",
        "matthews_corrcoef": "all cases are predicted to be of the same class",
    }
    # c is told from the rest wrongly in all four cases; a and b rightly where the other is.
    pd.DataFrame({"truth": list("abcc"), "prediction": list("ccab")}).to_csv(tmp_path / "a.csv", index=False)
    card = make_scorecard(read_predictions(tmp_path / "a.csv"))
    assert card.undefined == {"macro_p4": "it is undefined for c"}


@pytest.mark.parametrize(("weight", "heading"), [(None, "cases"), ("w", "weight")])
def test_tables_of_classes_say_what_they_count(weight, heading):
    frame = pd.DataFrame({"y": list("abc") * 20, "p": list("abcaab") * 10, "w": np.arange(1.0, 61)})
    found = score_predictions(frame, prediction="p", weight=weight)
    headings = re.findall(r"<th [^>]*>(cases|weight)</th>", found.to_html())
    assert headings == [heading]
    assert (
        re.search(r"^class +(\w+) ", found.to_text(every=True, explain=True), re.MULTILINE).group(1)
        == heading
    )
