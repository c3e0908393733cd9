"""Several models beside each other."""

from typing import get_args

import numpy as np
import pandas as pd
import pytest
from scorecard.valid import score

from nontrivial._draws import MOST_UNITS
from nontrivial.curves import bootstrap_curve_areas
from nontrivial.measures import compare_models
from nontrivial.scorecard.compare import Comparison, Test


def test_several_columns_are_compared_case_by_case(cases):
    found = score(cases, score=["weak", "good"], positive="ill").result
    assert isinstance(found, Comparison)
    assert [card.model for card in found.cards] == ["good", "weak"]
    truth = cases["y"] == "ill"
    differences = {each.measure: each for each in found.differences if each.loss in (None, "zero_one")}
    assert {each.model for each in found.differences} == {"weak"}
    guesses = [cases[name] >= 0.5 for name in ("weak", "good")]
    expected = compare_models(truth, *guesses)
    labels = differences["prediction_advantage"]
    assert (labels.value, labels.low, labels.high, labels.p_value) == tuple(expected)
    areas = bootstrap_curve_areas(truth, cases["weak"], compared_with=cases["good"])
    assert differences["roc_auc"].low == areas.loc["low", "roc_auc"]
    for measure in ("roc_auc", "squared", "cost_curve_area"):
        assert found.picks[measure] == ("good",)
    assert not found.is_selected  # of two models


def test_models_with_the_same_scores_do_not_differ_and_labels_show_less(cases):
    twice = cases.assign(same=cases["good"], a=cases["y"], b=cases["y"])
    found = score(twice, score=["good", "same"], positive="ill").result
    assert {(each.value, each.low, each.high, each.p_value) for each in found.differences} == {(0, 0, 0, 1)}
    (labels,) = score(twice, prediction=["a", "b"], positive="ill").result.differences
    assert labels.low < labels.value == 0 < labels.high


def test_models_of_several_classes_are_compared_by_brier_if_a_probability_of_0_was_wrong():
    draws = np.random.default_rng(0)
    shares = draws.dirichlet([1, 1, 1], 200)
    truth = (shares.cumsum(axis=1) > draws.random((200, 1))).argmax(axis=1)
    certain = shares.copy()
    certain[0] = np.eye(3)[(truth[0] + 1) % 3]
    frames = [
        pd.DataFrame({f"p_{name}": column for name, column in zip("abc", each.T, strict=True)}).assign(
            truth=list(map("abc".__getitem__, truth)), model=model
        )
        for model, each in (("shares", shares), ("certain", certain))
    ]
    found = score(pd.concat(frames), by="model").result
    one = np.eye(3)[truth]
    risks = [((one - each) ** 2).sum(axis=1).mean() for each in (shares, certain, one.mean(axis=0))]
    (brier,) = (each for each in found.differences if each.loss == "squared")
    assert brier.value == pytest.approx((risks[0] - risks[1]) / risks[2])


@pytest.mark.usefixtures("unrendered")
@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ({"positive": "ill"}, ["mcnemar", "paired_t", "exchange_or_bootstrap"]),
        ({"positive": "ill", "weight": "w"}, ["exchange_or_bootstrap", "paired_t"]),
        ({"positive": "ill", "group": "clinic"}, ["exchange_or_bootstrap", "paired_t"]),
        ({"truth": "w", "task": "regression"}, ["paired_t"]),
    ],
)
def test_each_difference_names_its_test_and_what_that_assumes(cases, kind, expected):
    columns = {"prediction" if "task" in kind else "score": ["weak", "good"]}
    found = score(cases, **columns, **kind)
    for each in found.result.differences:
        if each.test == "paired_t":  # groups have five cases each
            assert each.test_assumes == ("alike_mistakes" if "weight" in kind else "no_rare_loss")
        else:
            assert each.test_assumes == (None if each.test == "mcnemar" else "alike_mistakes")
        if each.test == "mcnemar":
            assert each.assumes == "one_more_case"
    tests = [each["test"] for each in found.to_json()["differences"]]
    assert list(dict.fromkeys(tests)) == expected
    _, _, table = found.to_text(every=True).partition("p-values are two-sided")
    assert set(table.partition("\n\n")[0].split()).intersection(get_args(Test)) == set(expected)


@pytest.mark.parametrize(("kind", "test"), [({}, "mcnemar"), ({"weight": "w"}, "exchange_or_bootstrap")])
def test_cases_without_weights_have_an_exact_test_however_many(kind, test):
    """The one model is right in five cases in which the other is wrong: a chance of 2 in 2^5."""
    places = np.arange(MOST_UNITS + 1)
    truth = places % 2
    frame = {"y": truth, "one": truth, "two": np.where(places < 10, 0, truth), "w": 1 + truth}
    (difference,) = score(frame, prediction=["one", "two"], **kind).result.differences
    assert difference.test == test
    if test == "mcnemar":
        assert difference.p_value == pytest.approx(2 / 2**5)


@pytest.mark.usefixtures("unrendered")
@pytest.mark.parametrize("equal", [True, False])
def test_models_of_one_advantage_are_equal_in_first_place(equal):
    """The two err in as many cases, but in others; a third one errs in more."""
    truth = [1] * 20 + [0] * 20
    one, two, three = ([abs(y - (place in wrong)) for place, y in enumerate(truth)]
                       for wrong in ([0, 1], [2, 30] if equal else [2, 3, 4], range(15)))  # fmt: skip
    found = score({"y": truth, "one": one, "two": two, "three": three}, prediction=["one", "two", "three"])
    assert [card.model for card in found.result.first] == (["one", "two"] if equal else ["one"])
    assert found.to_json()["best_is_selected"] != equal
    for output in (found.to_text(every=True, explain=True), found.to_html()):
        assert ("Equal by labels: one, two." in output) == equal
        assert ("the best of" in output) != equal


def test_measures_that_pick_different_models_are_said_to():
    """One is right more often; the other ranks perfectly but its threshold calls everything negative."""
    truth = [1] * 5 + [0] * 15
    frame = pd.DataFrame({"y": truth, "a": [0.9] * 4 + [0.1] * 16, "b": np.linspace(0.4, 0.1, 20)})
    found = score(frame, score=["a", "b"])
    assert not found.to_json()["measures_agree"]
    assert found.result.picks["accuracy"] == ("a",)
    assert found.result.picks["roc_auc"] == ("b",)
