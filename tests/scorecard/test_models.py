"""Several models, weights, groups, numbers and probabilities of each class."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scorecard.valid import SCHEMA, VALIDATOR, score

from nontrivial.curves import bootstrap_curve_areas
from nontrivial.measures import confusion_intervals, prediction_advantage_interval
from nontrivial.measures.sign_verdict import SIGNIFICANCE_LEVEL


def test_the_schema_is_one():
    VALIDATOR.check_schema(SCHEMA)


def test_whole_weights_count_like_rows(cases):
    weighted = score(cases, score="good", weight="w", positive="ill").result
    rows = cases.loc[cases.index.repeat(cases["w"])].reset_index(drop=True)
    repeated = score(rows, score="good", positive="ill").result
    assert weighted.table == repeated.table
    for name, estimate in repeated.measures.items():
        assert weighted.measures[name].value == pytest.approx(estimate.value), name
    for name, estimate in repeated.areas.items():
        assert weighted.areas[name].value == pytest.approx(estimate.value), name
    assert [row.loss for row in weighted.losses.values()] == pytest.approx(
        [row.loss for row in repeated.losses.values()]
    )
    # Fewer cases than rows: the intervals are wider.
    widths = [card.measures["f_beta"].high - card.measures["f_beta"].low for card in (weighted, repeated)]
    assert widths[0] > 1.2 * widths[1]
    assert (weighted.test, repeated.test) == ("bootstrap", "sign")


@pytest.mark.parametrize("units", [{"weight": "w"}, {"group": "g"}, {"weight": "w", "group": "g"}])
@pytest.mark.parametrize("kind", ["two classes", "three classes", "numbers"])
def test_a_verdict_is_that_of_the_interval_beside_it(units, kind):
    verdicts = set()
    for right in (0.2, 0.4, 0.45, 0.5, 0.55, 0.6, 0.8):
        draw = np.random.default_rng(round(100 * right))
        truth = draw.integers({"two classes": 2, "three classes": 3, "numbers": 9}[kind], size=120)
        drift = draw.permutation(truth)
        guess = np.where(draw.random(120) < right, truth, drift)
        frame = pd.DataFrame({"y": truth, "p": guess, "w": 10 ** draw.random(120), "g": np.arange(120) // 4})
        options = {"prediction": "p", "positive": "1"} if kind == "two classes" else {"prediction": "p"}
        options["task"] = "regression" if kind == "numbers" else "classification"
        card = score(frame, **options, **units).result
        low, high = card.prediction_advantage.low, card.prediction_advantage.high
        assert low < card.prediction_advantage.value < high
        (verdict,) = card.verdicts.values()
        assert (verdict.p_better <= SIGNIFICANCE_LEVEL) == (low > 0)
        assert (verdict.p_worse <= SIGNIFICANCE_LEVEL) == (high < 0)
        verdicts.add(verdict.verdict)
        for row in card.classes:
            assert (row.p_value <= SIGNIFICANCE_LEVEL) == (row.prediction_advantage.low > 0)
    assert {"better", "inconclusive"} <= verdicts


@pytest.mark.parametrize(("labels", "units"), [("y", {"weight": "heavy"}), ("grade", {"group": "ward"})])
def test_fewer_than_five_units_have_no_interval_but_a_reason(cases, labels, units):
    """Four wards; or four cases that weigh as much as ten thousand others each, and so as four of one weight."""
    ward, grade = np.arange(200) % 4, np.array(["low", "mid", "high"])[np.arange(200) % 3]
    frame = cases.assign(ward=ward, grade=grade, heavy=np.where(np.arange(200) < 4, 1e6, 1.0), p=grade)
    columns = {"score": "good", "positive": "ill"} if labels == "y" else {"prediction": "p"}
    scored = score(frame, truth=labels, **columns, **units)
    card, plain = scored.result, scored.to_json()
    assert (card.verdicts["labels"].verdict, plain["p_value"], plain["p_worse"]) == ("inconclusive", None, None)
    assert (card.prediction_advantage.method, np.isnan(card.prediction_advantage.low)) == ("", True)
    assert all(estimate.reason and not estimate.method for estimate in (card.measures | card.areas).values())
    reason = card.measures["accuracy"].reason
    assert plain["measures"]["accuracy"]["reason"] == reason
    assert reason in " ".join(scored.to_text(explain=True).split())
    frame["ward"] = np.arange(200) % 5
    assert score(frame, truth=labels, **columns, group="ward").result.measures["accuracy"].method


def test_a_class_whose_cases_have_no_weight_has_no_advantage():
    frame = pd.DataFrame({"y": [0, 1, 2] * 20, "p": [0, 1, 2, 0, 0, 1] * 10, "w": [1.0, 2.0, 0.0] * 20})
    *rest, absent = score(frame, prediction="p", weight="w").result.classes
    assert np.isnan(absent.prediction_advantage.value)
    assert absent.prediction_advantage.method == ""
    assert np.isnan(absent.p_value)
    assert all(
        row.prediction_advantage.low < row.prediction_advantage.value < row.prediction_advantage.high for row in rest
    )


def test_cases_without_weight_are_none_and_equal_weights_are_no_weights(cases):
    frame = cases.assign(w=[0] * 50 + [2] * 150)
    some, alone = (score(estimate, score="good", positive="ill", **options).result for estimate, options in
                   ((frame, {"weight": "w"}), (cases.iloc[50:], {})))  # fmt: skip
    assert (some.cases, some.weight) == (150, None)
    for name, estimate in alone.measures.items():
        assert replace(some.measures[name], assumes=estimate.assumes) == estimate, name
    assert (some.prediction_advantage.assumes, alone.prediction_advantage.assumes) == (
        "alike_mistakes",
        "one_more_case",
    )
    assert sum(note.endswith(" 50 of 200.") for note in some.warnings) == 1
    with pytest.raises(ValueError, match="'w' of the table has negative"):
        score(cases.assign(w=-1), score="good", weight="w", positive="ill")


@pytest.mark.parametrize("positive", ["ill", "well"])
@pytest.mark.parametrize(
    "options", [{}, {"sample_weight": "w"}, {"groups": "clinic"}, {"sample_weight": "w", "groups": "clinic"}]
)
def test_the_functions_of_the_package_give_the_same_intervals(cases, options, positive):
    names = {"sample_weight": "weight", "groups": "group"}
    arguments = {names[option]: column for option, column in options.items()}
    scored = score(cases, score="good", positive=positive, threshold=0.6, **arguments)
    card = scored.result
    units = {option: cases[column] for option, column in options.items()}
    predicted = np.where(cases["good"] >= 0.6, positive, {"ill": "well", "well": "ill"}[positive])
    advantage = prediction_advantage_interval(cases["y"], predicted, **units)
    assert (card.prediction_advantage.low, card.prediction_advantage.high, card.prediction_advantage.assumes) == (
        *advantage,
        advantage.assumes,
    )
    assert advantage.assumes in scored.to_text(explain=True).split()
    for seed in ({}, {"random_state": card.to_json()["seed"]}):
        areas = bootstrap_curve_areas(cases["y"], cases["good"], pos_label=positive, **seed, **units)
        for name, area in card.areas.items():
            interval = tuple(areas.loc[["low", "high"], name])
            assert (area.low, area.high) == pytest.approx(interval, nan_ok=True)
    if not options:
        for name, row in confusion_intervals(**card.table).iterrows():
            assert (card.measures[name].low, card.measures[name].high) == (row["low"], row["high"])


@pytest.mark.parametrize(
    ("truth", "task"),
    [
        (np.arange(300) % 51, "regression"),
        (np.arange(300) % 50, "classification"),
        (np.arange(300) % 3 / 2, "regression"),
    ],
)
def test_numbers_are_classes_if_they_are_whole_and_few_whatever_is_predicted(truth, task):
    for shift in (0, 1):
        frame = pd.DataFrame({"y": truth, "pred": np.roll(truth, shift)})
        assert score(frame).result.task == task
        assert score(frame, task="regression").result.task == "regression"
