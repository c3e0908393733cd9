"""The scorecard of one model: counts worked by hand, peers' values, one name for one thing, reasons for gaps."""

import re

import numpy as np
import pandas as pd
import pytest
from scorecard.valid import class_probabilities, score
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, brier_score_loss, log_loss, matthews_corrcoef, roc_auc_score

from nontrivial import measures
from nontrivial.measures import net_benefit_score, published_verdict, triviality_test
from nontrivial.measures.catalogue import ALIASES
from nontrivial.scorecard.card import score_answers
from nontrivial.scorecard.estimates.estimate import Estimate
from nontrivial.scorecard.rendering.numbers import count_text, interval_text, number_text, p_text


@pytest.mark.parametrize(("positive", "ratio"), [("rare", 24), ("frequent", None)])
def test_a_cost_is_suggested_where_it_is_above_1(positive, ratio):
    """At the default threshold no case, or every case, is flagged; the ranking is good."""
    frame = pd.DataFrame({"y": ["rare"] * 40 + ["frequent"] * 960, "p": np.linspace(0.3, 0.1, 1000)})
    text = str(score(frame if ratio else frame.assign(p=1 - frame["p"]), positive=positive))
    assert "labels at 0.5  INCONCLUSIVE" in text
    assert (f"cost={ratio}" in text) if ratio else ("cost=" not in text)


def test_hand_worked_counts(predictions):
    answers, frame = predictions()
    card = score_answers(answers)
    assert card.table == {"fp": 10, "tp": 35, "fn": 15, "tn": 140}
    assert (card.cases, card.positives, card.trivial_error, card.error) == (200, 50, 0.25, 0.125)
    assert card.prediction_advantage == card.measures["prediction_advantage"]
    assert card.prediction_advantage.low == card.measures["goodman_kruskal_lambda"].low
    truth, predicted = frame["truth"], frame["prediction"]
    expected = {
        "prediction_advantage": 0.5,
        "precision": 35 / 45,
        "balanced_accuracy": balanced_accuracy_score(truth, predicted),
        "matthews_corrcoef": matthews_corrcoef(truth, predicted),
    }
    assert {name: card.measures[name].value for name in expected} == pytest.approx(expected)
    assert card.areas["roc_auc"].value == pytest.approx(roc_auc_score(truth, frame["score"]))
    estimates = {**card.measures, **card.areas}
    assert [name for name, estimate in estimates.items() if not estimate.method] == ["cost_curve_area"]
    bounded = [estimate for estimate in estimates.values() if estimate.method]
    assert all(estimate.low <= estimate.value <= estimate.high for estimate in bounded)
    assert card.verdicts["labels"].verdict == "better"


@pytest.mark.parametrize(
    ("table", "verdict"),
    [
        ({"tp": 35, "fn": 15, "fp": 10, "tn": 140}, "better"),
        ({"tp": 1, "fn": 49, "fp": 60, "tn": 90}, "worse"),
        ({"tp": 5, "fn": 5, "fp": 4, "tn": 86}, "inconclusive"),
        ({"tp": 30, "fn": 20, "fp": 30, "tn": 120}, "inconclusive"),  # 50 errors, as many as nobody
    ],
)
def test_the_verdict_is_that_of_the_same_errors_in_print(predictions, table, verdict):
    card = score_answers(predictions(**table)[0])
    judged = card.verdicts["labels"]
    n, positives = sum(table.values()), table["tp"] + table["fn"]
    rates = {"error_rate": (table["fn"] + table["fp"]) / n, "recall": table["tp"] / positives}
    printed = published_verdict({name: f"{rate:.6f}" for name, rate in rates.items()}, positives=positives, n=n)
    assert judged.verdict == printed.verdict == verdict
    assert (judged.p_better, judged.p_worse) == pytest.approx((printed.p_better[0], printed.p_worse[0]))
    assert card.cases_needed == printed.cases_needed
    truth, predicted = (np.repeat(labels, list(table.values())) for labels in ([1, 1, 0, 0], [1, 0, 1, 0]))
    assert judged.p_better == pytest.approx(triviality_test(truth, predicted).pvalue)


CHANCES = {"y": [0, 1] * 9, "p": [0.2, 0.7] * 9}
# The three negatives score above the 4.9 true positives of recall gain 0, so nothing is left to draw from.
ABOVE = {"y": [0] * 3 + [1] * 7, "p": [0.92, 0.71, 0.35, 0.64, 0.41, 0.3, 0.22, 0.18, 0.07, 0.05]}


@pytest.mark.usefixtures("unrendered")
@pytest.mark.parametrize(
    ("data", "kind", "name", "reason"),
    [
        ({"y": [0, 1] * 9, "prediction": [0] * 18}, "measures", "precision", "no case is predicted positive"),
        (ABOVE, "areas", "expected_f1_gain", "no negative case scores below the threshold at which recall equals "
         "the prevalence"),
        (CHANCES, "areas", "cost_curve_area", "thresholds were tuned on these cases"),
    ],
)  # fmt: skip
def test_without_an_interval_there_is_a_reason_in_every_format(data, kind, name, reason):
    scored = score(data)
    estimate, plain = getattr(scored.result, kind)[name], scored.to_json()[kind][name]
    assert np.isnan([estimate.low, estimate.high]).all()
    assert (plain["value"] is None) == np.isnan(estimate.value)
    assert (plain["low"], plain["high"], plain["method"], plain["reason"]) == (None, None, "", reason)
    for output in (scored.to_text(every=True, explain=True), scored.to_html()):
        assert f"no interval: {reason}" in " ".join(output.split())


def test_probabilities_are_judged_as_such(cases):
    card = score(cases, score="good", positive="ill").result
    truth, chance = cases["y"] == "ill", cases["good"]
    losses = card.losses
    assert losses["squared"].loss == pytest.approx(brier_score_loss(truth, chance))
    assert losses["cross_entropy"].loss == pytest.approx(log_loss(truth, chance))
    share = truth.mean()
    assert losses["squared"].trivial == pytest.approx(share * (1 - share))
    calibration = card.calibration
    assert sum(row["cases"] for row in calibration.reliability) == 200
    assert sum(row["cases"] * row["mean"] for row in calibration.reliability) == pytest.approx(chance.sum())
    for row in calibration.net_benefit:
        threshold = row["threshold"]
        assert row["model"] == pytest.approx(net_benefit_score(truth, chance, threshold=threshold)), row
        assert row["everybody"] == pytest.approx(share - (1 - share) * threshold / (1 - threshold))
    logit = np.log(chance / (1 - chance)).to_numpy()[:, None]
    fitted = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(logit, truth)
    assert calibration.slope.value == pytest.approx(fitted.coef_[0, 0], rel=1e-4)
    assert calibration.slope.low < calibration.slope.value < calibration.slope.high
    for probabilities in ([0.2, 0.8], [0.8, 0.2]):
        separated = score({"y": [0, 1] * 20, "p": probabilities * 20}, score="p").result.calibration
        assert separated.slope.reason == "the probabilities separate the classes"


@pytest.mark.parametrize(
    ("positives", "group", "reason"),
    [
        (9, None, "a class has fewer than 10 cases"),
        (10, None, ""),
        (27, "g", "the effective sample size of a class is below 10 groups"),
    ],
)
def test_losses_of_probabilities_have_an_interval_from_ten_of_each_class_on(positives, group, reason):
    truth = np.arange(200) < positives
    frame = pd.DataFrame({"y": truth.astype(int), "p": 0.2 + 0.6 * truth, "g": np.arange(200) // 3})
    for row in score(frame, score="p", positive="1", group=group).result.losses.values():
        advantage = row.prediction_advantage
        assert (advantage.method != "") == bool(np.isfinite(advantage.low)) == (not reason)
        assert advantage.reason == reason


@pytest.mark.usefixtures("unrendered")
@pytest.mark.parametrize("kind", ["two classes", "three classes", "numbers"])
def test_text_json_page_and_python_have_the_same_names(cases, kind):
    scored = {
        "two classes": lambda: score(cases, score="good", positive="ill"),
        "three classes": lambda: score(class_probabilities(3)[0]),
        "numbers": lambda: score({"y": np.arange(100.0), "pred": np.arange(100.0) ** 1.1}, quantile=0.4),
    }[kind]()
    card, plain, page = scored.result, scored.to_json(), scored.to_html()
    names = [*card.measures, *card.areas, *card.losses]
    tables = re.findall(r"^(?:measure|area|loss) .*\n((?:[a-z].*\n?)+)", scored.to_text(every=True), re.M)
    assert names == [line.split()[0] for table in tables for line in table.splitlines()]
    assert names == [*plain["measures"], *plain["areas"], *plain["losses"]]
    assert all(f"<code>{name}</code></dt>" in page for name in names)
    rows = [plain["prediction_advantage"], *(plain["measures"] | plain["areas"]).values()]
    assert ALIASES.keys().isdisjoint([*names, plain["loss"], *(row["method"] for row in rows)])


def test_python_takes_the_other_names(cases):
    card = score(cases, score="good", positive="ill").result
    assert (card.measures["f1"], card.areas["auc"]) == (card.measures["f_beta"], card.areas["roc_auc"])
    with pytest.raises(KeyError, match="f2"):
        card.measures["f2"]
    truth, probabilities = np.array([0, 1] * 20), np.array([0.2, 0.7] * 20)
    for alias, options in (("log_loss", {}), ("quantile", {"quantile": 0.3})):
        value, value_by_name = (
            measures.prediction_advantage_score(truth, probabilities, loss=loss, **options)
            for loss in (alias, ALIASES[alias])
        )
        assert value == value_by_name
    interval = measures.prediction_advantage_interval(truth, truth, method="bayesian_bootstrap")
    assert interval.method == "bootstrap"
    assert measures.get_scorer("f1_gain")._score_func is measures.f_gain_score


def test_no_number_is_less_than_nothing_and_no_p_value_is_0_by_its_rounding():
    assert [number_text(value) for value in (-0.00001, -0.0, -0.00006)] == ["0.0000", "0.0000", "-0.0001"]
    intervals = [interval_text(Estimate(0.01, *bounds, "fieller"), 0) for bounds in ((0.004, 0.02), (-0.004, 0.02))]
    assert intervals == ["0.01 (0.0040 to 0.02)", "0.01 (-0.0040 to 0.02)"]
    assert list(map(count_text, (1_304_500, 1_000_001.25, 3.5))) == ["1,304,500", "1,000,001", "3.5"]
    assert [p_text(value) for value in (0.00009, 0.0001, 1.0)] == ["p < 0.0001", "p = 0.0001", "p = 1.0000"]
