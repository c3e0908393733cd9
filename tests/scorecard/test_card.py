"""The scorecard, against counts worked by hand and what must hold for every file."""

import dataclasses
import itertools
import json
import re
import time
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest
from sklearn.metrics import (
    balanced_accuracy_score,
    cohen_kappa_score,
    f1_score,
    matthews_corrcoef,
    precision_score,
    recall_score,
    roc_auc_score,
)

from nontrivial.measures import (
    confusion_measures,
    p4_score,
    prediction_advantage_interval,
    prediction_advantage_score,
    published_verdict,
    triviality_test,
)
from nontrivial.scorecard import plots
from nontrivial.scorecard.card import make_scorecard
from nontrivial.scorecard.classes import class_rows, estimate_classes
from nontrivial.scorecard.estimates import Estimate
from nontrivial.scorecard.glossary import label_of
from nontrivial.scorecard.notes import why_undefined
from nontrivial.scorecard.page import render_page
from nontrivial.scorecard.predictions import read_predictions
from nontrivial.scorecard.text import render_text


@pytest.fixture
def predictions(tmp_path):
    """200 cases, 50 positive: FP 10, TP 35, FN 15, TN 140, so 25 errors against 50."""

    def read(tp=35, fn=15, fp=10, tn=140, name="a.csv", **columns):
        truth = np.repeat([1, 1, 0, 0], [tp, fn, fp, tn])
        prediction = np.repeat([1, 0, 1, 0], [tp, fn, fp, tn])
        score = 0.6 * prediction + 0.1 * truth + np.linspace(0, 0.2, len(truth))
        frame = pd.DataFrame({"truth": truth, "prediction": prediction, "score": score, **columns})
        frame.to_csv(tmp_path / name, index=False)
        return read_predictions(tmp_path / name), frame

    return read


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


def test_every_interval_holds_its_value(predictions):
    card = make_scorecard(predictions()[0])
    estimates = {**card.measures, **card.areas, "advantage": card.advantage}
    assert [name for name, each in estimates.items() if not each.method] == ["cost_curve_area"]
    del estimates["cost_curve_area"]
    for name, each in estimates.items():
        assert each.low <= each.value <= each.high, name
    assert card.advantage.low > 0


@pytest.mark.parametrize("n_classes", [2, 3])
def test_an_interval_holds_the_value_that_no_draw_reaches(n_classes):
    """Every prediction is wrong, and of two classes rounding leaves less than no true negatives."""
    truth, groups = np.tile(np.arange(n_classes), 5), np.repeat(np.arange(5), n_classes)
    kappa = estimate_classes(truth, (truth + 1) % n_classes, n_classes, groups=groups)["cohen_kappa"]
    assert kappa.low == kappa.value == pytest.approx(-1 / (n_classes - 1))


@pytest.mark.parametrize(("tp", "fn", "fp", "tn"), [(35, 15, 10, 140), (10, 0, 0, 190), (1, 9, 0, 40)])
def test_the_interval_of_a_proportion_is_that_of_scipy(predictions, tp, fn, fp, tn):
    measures = make_scorecard(predictions(tp=tp, fn=fn, fp=fp, tn=tn)[0]).measures
    trials = {
        "accuracy": (tp + tn, tp + fn + fp + tn),
        "recall": (tp, tp + fn),
        "precision": (tp, tp + fp),
        "false_positive_rate": (fp, fp + tn),
        "jaccard": (tp, tp + fn + fp),
    }
    for name, (successes, n) in trials.items():
        expected = binomtest(successes, n).proportion_ci(method="exact")
        assert measures[name][:3] == pytest.approx((successes / n, expected.low, expected.high), rel=1e-9), (
            name
        )
        assert measures[name].method == "clopper_pearson"


def test_the_advantage_has_one_interval(predictions):
    card = make_scorecard(predictions()[0])
    assert card.measures["prediction_advantage"] == card.advantage
    assert card.measures["goodman_kruskal_lambda"] == card.advantage


def test_resamples_in_which_a_measure_is_undefined_or_infinite_do_not_spoil_its_interval(predictions):
    value, low, high, _ = make_scorecard(predictions(tp=35, fn=15, fp=1, tn=149)[0]).measures[
        "positive_likelihood_ratio"
    ]
    assert value == pytest.approx(0.7 * 150)
    assert 10 < low < value < high
    perfect = make_scorecard(predictions(tp=50, fn=0, fp=0, tn=150)[0]).measures["diagnostic_odds_ratio"]
    assert 100 < perfect.low < perfect.high == np.inf


def test_a_useless_classifier_is_not_better_than_trivial(predictions):
    # FP 30, TP 30: 50 errors, as many as always predicting the negative class makes.
    card = make_scorecard(predictions(tp=30, fn=20, fp=30, tn=120)[0])
    assert card.advantage[0] == 0
    assert card.judgement.verdict == "not shown"
    # TP 20, FP 19: better in the sample, but by chance.
    card = make_scorecard(predictions(tp=20, fn=30, fp=19, tn=131)[0])
    assert card.advantage[0] > 0
    assert card.judgement.verdict == "not shown"


@pytest.mark.parametrize(
    ("tp", "fn", "fp", "tn", "end"),
    [(9, 0, 0, 6, "low"), (1, 9, 7, 1, "high"), (35, 15, 10, 140, None), (3, 2, 2, 3, None)],
)
def test_a_verdict_beside_an_interval_that_ends_at_0_says_that_0_is_excluded(
    predictions, tp, fn, fp, tn, end
):
    card = make_scorecard(predictions(tp=tp, fn=fn, fp=fp, tn=tn)[0])
    assert [name for name in ("low", "high") if getattr(card.advantage, name) == 0] == [end] * (
        end is not None
    )
    assert any("0 is not part of the interval" in note for note in card.warnings) == (end is not None)


def test_the_same_file_gives_the_same_card(predictions):
    read, _ = predictions()
    assert make_scorecard(read) == make_scorecard(read)


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
    text = render_text(card)
    assert re.search(r"^a +4 +5 +0\.8000 +1\.0000 +0\.7500 +0\.8889 +0\.8727 +0\.7500 \(", text, re.MULTILINE)
    assert re.search(r"^c +1 +1 +0\.0000 +0\.0000 +0\.8571", text, re.MULTILINE)


@pytest.mark.parametrize("only_predicted", [0, 5, 6])
def test_few_classes_have_a_table_of_counts_and_many_their_mistakes(tmp_path, only_predicted):
    """Three true classes and some that are only predicted; up to eight labels in all make a table."""
    truth = ["a"] * 4 + ["b"] * 3 + ["c"] * (5 + only_predicted)
    guess = list("aabc") + list("bcc") + list("ccccc") + [f"x{place}" for place in range(only_predicted)]
    frame = pd.DataFrame({"truth": truth, "prediction": guess, "w": 2.5})
    frame.to_csv(tmp_path / "a.csv", index=False)
    read = read_predictions(tmp_path / "a.csv")
    card = make_scorecard(read)
    plain, text, page = card.to_json()["confusion"], render_text(card), render_page(card, read)
    assert plain["labels"] == ["a", "b", "c", *(f"x{place}" for place in range(only_predicted))]
    assert plain["mistakes"][0] == {"truth": "b", "predicted": "c", "cases": 2}
    assert sum(each["cases"] for each in plain["mistakes"]) == 4 + only_predicted
    none = [0] * only_predicted
    if only_predicted > 5:
        assert plain["counts"] == []
        assert "mistakes: 2 of 'b' taken for 'c', 1 of 'a' taken for 'b', 1 of 'a' taken for 'c'" in text
        assert '<tr><th scope="row">b</th><td>c</td><td class="number">2</td></tr>' in page
    else:
        assert plain["counts"] == [[2, 1, 1, *none], [0, 1, 2, *none], [0, 0, 5, *(1 for _ in none)]]
        lines = text.splitlines()
        assert [line.split() for line in lines[5:8]] == [
            [label, *map(str, row)] for label, row in zip("abc", plain["counts"], strict=True)
        ]
        assert '<th scope="row">b</th><td class="number">0</td><td class="number">1</td>' in page


def test_a_thousand_classes_have_exact_intervals_and_tests_in_seconds():
    generator, names = np.random.default_rng(0), list(map(str, range(1000)))
    truth = np.concatenate([np.arange(1000), generator.integers(0, 1000, 50_000)])
    prediction = np.where(generator.random(len(truth)) < 0.6, truth, generator.integers(0, 1100, len(truth)))
    started = time.process_time()
    rows = class_rows(truth, prediction, names)
    assert time.process_time() - started < 3
    for place in (0, 500, 999):
        is_class, as_class = truth == place, prediction == place
        assert rows[place].advantage == (
            pytest.approx(prediction_advantage_score(is_class, as_class), rel=1e-12),
            *prediction_advantage_interval(is_class, as_class, method="exact"),
            "exact",
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


@pytest.mark.parametrize(("tp", "fn", "fp", "tn"), [(1, 9, 40, 150), (0, 1, 29, 0), (35, 15, 10, 140)])
def test_the_picture_of_the_measures_has_the_advantage_however_low(predictions, monkeypatch, tp, fn, fp, tn):
    card = make_scorecard(predictions(tp=tp, fn=fn, fp=fp, tn=tn)[0])
    figures = []
    monkeypatch.setattr(plots, "_svg", lambda figure: figures.append(figure) or "")
    plots.measures_svg(card)
    (axes,) = figures[0].axes
    names = [tick.get_text() for tick in axes.get_yticklabels()]
    place = axes.get_yticks()[names.index("Prediction Advantage (PA)")]
    shown = {
        y: x for line in axes.lines if line.get_marker() == "o" for x, y in zip(*line.get_data(), strict=True)
    }
    assert shown[place] == card.advantage.value
    left, right = axes.get_xlim()
    assert left < card.advantage[1] < card.advantage[2] < right
    assert (axes.get_xscale() == "symlog") == (card.advantage[1] < -1)


@pytest.mark.parametrize(("tp", "fn", "fp", "tn"), [(35, 15, 10, 140), (35, 65, 65, 35), (1, 9, 40, 150)])
def test_the_picture_draws_each_interval_from_end_to_end(predictions, monkeypatch, tp, fn, fp, tn):
    """Of the second, ends lie between -1 and 0; of the third, one lies below -1."""
    card = make_scorecard(predictions(tp=tp, fn=fn, fp=fp, tn=tn)[0])
    figures = []
    monkeypatch.setattr(plots, "_svg", lambda figure: figures.append(figure) or "")
    plots.measures_svg(card)
    (axes,) = figures[0].axes
    (bars,) = axes.collections
    of_label = {label_of(name): name for name in card.measures}
    names = [of_label[tick.get_text()] for tick in axes.get_yticklabels()]
    drawn = {names[place]: segment[:, 0] for place, segment in enumerate(bars.get_segments())}
    assert "prediction_advantage" in drawn
    assert not any(name.endswith("_ratio") for name in drawn)
    assert len(drawn.keys() & card.measures.keys()) > 10
    for name, ends in drawn.items():
        np.testing.assert_array_equal(ends, card.measures[name][1:3], err_msg=name)


def test_an_interval_without_a_lower_end_is_an_arrow(predictions, monkeypatch):
    card = make_scorecard(predictions()[0])
    endless = {
        "accuracy": card.measures["accuracy"],
        "prediction_advantage": Estimate(-3.0, -np.inf, 0.5, "exact"),
    }
    figures = []
    monkeypatch.setattr(plots, "_svg", lambda figure: figures.append(figure) or "")
    plots.measures_svg(dataclasses.replace(card, measures=endless))
    (axes,) = figures[0].axes
    (arrow,) = [line for line in axes.lines if line.get_marker() == "<"]
    assert arrow.get_xydata().tolist() == [[axes.get_xlim()[0], 0]]


def test_what_is_undefined_stays_so(predictions):
    read, _ = predictions(tp=0, fn=50, fp=0, tn=150)
    card = make_scorecard(read)
    assert np.isnan(card.measures["precision"][:3]).all()
    assert "precision                      undefined   undefined\n" in render_text(card)
    plain = json.loads(json.dumps(card.to_json(), allow_nan=False))
    assert plain["measures"]["precision"] == {
        "value": None,
        "low": None,
        "high": None,
        "method": "",
        "reason": "no case is predicted positive",
    }
    assert plain["measures"]["recall"].keys() == {"value", "low", "high", "method"}
    assert plain["measures"]["precision_gain"]["value"] == "-inf"


def test_without_a_value_there_is_no_interval_but_a_reason_in_every_format(tmp_path):
    """All three negatives score above the 4.9 true positives of recall gain 0, so nothing is left to draw from."""
    scores = [0.92, 0.71, 0.35, 0.64, 0.41, 0.30, 0.22, 0.18, 0.07, 0.05]
    frame = pd.DataFrame({"y": ["ill"] * 3 + ["well"] * 7, "p": scores})
    frame.to_csv(tmp_path / "a.csv", index=False)
    read = read_predictions(tmp_path / "a.csv")
    card = make_scorecard(read)
    reason = "no negative case scores below the point where recall gain is 0"
    assert np.isnan(card.areas["expected_f1_gain"][:3]).all()
    assert card.to_json()["areas"]["expected_f1_gain"] == {
        "value": None,
        "low": None,
        "high": None,
        "method": "",
        "reason": reason,
    }
    note = f"Undefined (0/0), and so without an interval, because {reason}: expected_f1_gain."
    text = render_text(card)
    assert "expected_f1_gain               undefined   undefined\n" in text
    for output in (text, render_page(card, read)):
        assert note in output


def test_what_has_no_interval_has_a_reason_in_every_format(predictions):
    read, _ = predictions()
    card = make_scorecard(read)
    assert list(card.no_interval) == ["cost_curve_area"]
    reason = card.no_interval["cost_curve_area"]
    plain = card.to_json()["areas"]
    assert [name for name, each in plain.items() if each.get("reason") == reason] == ["cost_curve_area"]
    for output in (render_text(card), render_page(card, read)):
        assert reason in output


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


def test_an_undefined_mean_names_the_classes_it_lacks(tmp_path):
    frame = pd.DataFrame({"truth": list("aabbc"), "prediction": list("aaaba")})
    frame.to_csv(tmp_path / "a.csv", index=False)
    card = make_scorecard(read_predictions(tmp_path / "a.csv"))
    assert card.undefined == {"macro_precision": "no case is predicted to be of c"}
    frame["prediction"] = "a"
    frame.to_csv(tmp_path / "a.csv", index=False)
    card = make_scorecard(read_predictions(tmp_path / "a.csv"))
    assert card.undefined == {
        "macro_precision": "no case is predicted to be of b, c",
        "matthews_corrcoef": "every case is predicted to be of one class",
    }
    assert len([note for note in card.warnings if note.startswith("Undefined")]) == 2
    # c is told from the rest wrongly in all four cases; a and b rightly where the other is.
    pd.DataFrame({"truth": list("abcc"), "prediction": list("ccab")}).to_csv(tmp_path / "a.csv", index=False)
    card = make_scorecard(read_predictions(tmp_path / "a.csv"))
    assert card.undefined == {"macro_p4": "no case is a true positive or true negative of c"}


@pytest.mark.parametrize(
    ("scores", "noted"), [([0.4, 0.2, 0.1], True), ([0.6, 0.9, 0.7], True), ([0.6, 0.2, 0.1], False)]
)
def test_a_threshold_on_one_side_of_all_scores_is_noted(tmp_path, scores, noted):
    pd.DataFrame({"y": [1, 0, 0], "p": scores}).to_csv(tmp_path / "a.csv", index=False)
    card = make_scorecard(read_predictions(tmp_path / "a.csv"))
    assert any("no case is predicted" in note and "threshold" in note for note in card.warnings) == noted


@pytest.mark.parametrize(
    ("table", "verdict"),
    [
        ({"tp": 35, "fn": 15, "fp": 10, "tn": 140}, "better"),
        ({"tp": 1, "fn": 49, "fp": 60, "tn": 90}, "worse"),
        ({"tp": 5, "fn": 5, "fp": 4, "tn": 86}, "not shown"),
    ],
)
def test_the_verdict_is_that_of_the_same_errors_in_print(predictions, table, verdict):
    card = make_scorecard(predictions(**table)[0])
    n, errors = sum(table.values()), table["fn"] + table["fp"]
    positives, hits = table["tp"] + table["fn"], table["tp"]
    printed = published_verdict(
        {"error_rate": f"{errors / n:.6f}", "recall": f"{hits / positives:.6f}"},
        positives=positives,
        n=n,
    )
    assert card.judgement.verdict == printed.verdict == verdict
    assert card.judgement.p_better == pytest.approx(printed.p_better[0])
    assert card.judgement.p_worse == pytest.approx(printed.p_worse[0])
    assert card.judgement.cases_needed == printed.cases_needed
    truth = np.repeat([1, 1, 0, 0], [table["tp"], table["fn"], table["fp"], table["tn"]])
    prediction = np.repeat([1, 0, 1, 0], [table["tp"], table["fn"], table["fp"], table["tn"]])
    assert card.judgement.p_better == pytest.approx(triviality_test(truth, prediction).pvalue)


def test_what_is_shown_says_the_beta_of_f(predictions):
    read, _ = predictions()
    card = make_scorecard(read)
    text, page = render_text(card), render_page(card, read)
    assert re.search(r"^f1 +0\.7368 ", text, re.MULTILINE)  # 70 / 95
    assert re.search(r"^f1_gain ", text, re.MULTILINE)
    assert '<th scope="row">F1 gain</th>' in page
    assert "f_beta" not in text + page


@pytest.mark.parametrize(("positive", "told"), [("1", False), ("ill", True)])
def test_the_page_says_which_label_its_curves_call_1(predictions, positive, told):
    read = dataclasses.replace(predictions()[0], positive=positive)
    page = render_page(make_scorecard(read), read)
    assert "precision-recall, ROC and cost curve" in page
    assert ("the positive label, ill, is called 1" in page) == told
    assert "1 is 1" not in page


def test_text_says_the_verdict_first(predictions):
    text = render_text(make_scorecard(predictions()[0]))
    lines = text.splitlines()
    assert lines[0] == "a.csv: 200 cases, 50 of them positive (1, assumed)."
    assert lines[1].startswith("Verdict: better than trivial (Prediction Advantage 0.5000, 95 % interval ")
    assert [line.split() for line in lines[3:6]] == [
        ["predicted", "1", "predicted", "0"],
        ["1", "35", "15"],
        ["0", "10", "140"],
    ]
    assert lines[7] == (
        "The predictions err in 12.50% of the cases; always predicting the most frequent class errs in 25.00%."
    )
    assert re.search(r"^accuracy +0\.8750 +0\.8\d+ to 0\.9\d+ +Clopper-Pearson$", text, re.MULTILINE)
    assert re.search(r"^prg_auc +[\d.-]+ +[\d.-]+ to [\d.-]+ +Bayesian bootstrap$", text, re.MULTILINE)


def test_the_page_is_one_file_in_which_data_is_escaped(predictions, tmp_path):
    evil = "<script>alert(1)</script>"
    name = "a<b>.csv"
    pd.DataFrame({"truth": [evil, "b"] * 20, "prediction": [evil, "b"] * 20, "score": [2, 1] * 20}).to_csv(
        tmp_path / name, index=False
    )
    read = read_predictions(tmp_path / name, positive=evil)
    page = render_page(make_scorecard(read), read)
    assert evil not in page
    assert "&lt;script&gt;" in page
    assert "a&lt;b&gt;.csv" in page

    tags: list[tuple[str, dict]] = []

    class Collector(HTMLParser):
        def handle_starttag(self, tag, attrs):
            tags.append((tag, dict(attrs)))

    Collector().feed(page)
    assert not [tag for tag, _ in tags if tag in ("script", "link", "iframe")]
    sources = [attributes["src"] for tag, attributes in tags if tag == "img"]
    assert len(sources) == 5  # four curves and the measures
    assert all(source.startswith("data:image/svg+xml;base64,") for source in sources)
    assert all(attributes["alt"] for tag, attributes in tags if tag == "img")


def test_the_page_has_a_row_for_each_class(tmp_path):
    evil = "<b>c</b>"
    frame = pd.DataFrame({"truth": ["a", "b", evil] * 9, "prediction": ["a", "b", "a"] * 9})
    frame.to_csv(tmp_path / "three.csv", index=False)
    read = read_predictions(tmp_path / "three.csv")
    page = render_page(make_scorecard(read), read)
    assert evil not in page
    rows = re.search(r"<caption class=.unseen.>Classes.*?</table>", page, re.DOTALL)[0].split("<tr>")[2:]
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows]
    assert sorted(row[0] for row in cells) == ["&lt;b&gt;c&lt;/b&gt;", "a", "b"]
    assert next(row for row in cells if row[0] == "a")[1:4] == ["9", "18", "0.5000"]


def test_a_long_file_makes_a_short_page(tmp_path):
    generator = np.random.default_rng(1)
    truth = generator.integers(2, size=5_000)
    frame = pd.DataFrame({"truth": truth, "score": truth + generator.normal(size=5_000)})
    frame.to_parquet(tmp_path / "long.parquet")
    read = read_predictions(tmp_path / "long.parquet")
    assert len(render_page(make_scorecard(read), read)) < 1_000_000


@pytest.mark.parametrize(("positive", "told"), [(None, True), ("fraud", False)])
def test_scores_for_the_other_label_are_noticed(tmp_path, positive, told):
    """Of two texts the greater is positive by default, and "fraud" sorts before "ok"."""
    truth = ["fraud", "ok"] * 40
    path = tmp_path / "fraud.csv"
    pd.DataFrame({"truth": truth, "score": [0.9, 0.2] * 40}).to_csv(path, index=False)
    notes = make_scorecard(read_predictions(path, positive=positive)).warnings
    assert (
        any("meant for the label that is not ok, name it with --positive" in note for note in notes) == told
    )
