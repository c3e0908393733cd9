"""Several models beside each other."""

from itertools import combinations
from typing import get_args

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest, chi2, t
from scorecard.valid import score

from nontrivial.curves import bootstrap_curve_areas
from nontrivial.measures import compare_models
from nontrivial.scorecard.compare import Comparison
from nontrivial.scorecard.differences import DifferenceTest


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
    assert set(table.partition("\n\n")[0].split()).intersection(get_args(DifferenceTest)) == set(expected)


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


def placements(truth, scores, weights):
    """The area, and the share of the other class that each case is ranked right against, by all pairs of cases."""
    right = np.sign(np.subtract.outer(scores, scores)) / 2 + 0.5
    above, below = (np.average(part, axis=1, weights=weights[side])
                    for part, side in ((right[:, ~truth], ~truth), (right.T[:, truth], truth)))  # fmt: skip
    shares = np.where(truth, above, below)
    return np.average(shares[truth], weights=weights[truth]), shares


def by_group(values, groups):
    return np.array([values[groups == group].sum() for group in np.unique(groups)])


@pytest.mark.parametrize("how", [{}, {"weight": "w"}, {"group": "clinic"}])
def test_models_are_shown_to_be_worse_by_holm_over_all_pairs_of_all_questions(cases, how):
    names = ["weak", "good", "mid", "twin"]
    blunt = np.round(0.7 * cases["good"] + 0.3 * cases["weak"], 2)
    frame = cases.assign(mid=blunt, twin=cases["good"], one=1.0, row=cases.index)
    found = score(frame, score=names, positive="ill", **how).result
    truth, weights = (frame["y"] == "ill").to_numpy(), frame[how.get("weight", "one")].to_numpy(dtype=float)
    groups, share = frame[how.get("group", "row")].to_numpy(), weights / weights.sum()
    size = by_group(share, groups).sum() ** 2 / (by_group(share, groups) ** 2).sum()
    parts = {question: {} for question in found.leads}
    for name in names:
        chances = frame[name].to_numpy()
        parts["probabilities"][name] = share * np.log(np.where(truth, chances, 1 - chances))
        parts["labels"][name] = share * ((chances >= 0.5) == truth)
        area, shares = placements(truth, chances, weights)
        of_class = np.where(truth, weights[truth].sum(), weights[~truth].sum())
        parts["ranking"][name] = weights * (shares - area) / of_class + share * area
    p_values = {}
    for question, of_model in parts.items():
        for pair in combinations(names, 2):
            gained = by_group(of_model[pair[0]] - of_model[pair[1]], groups)
            off = (gained - gained.sum() * by_group(share, groups)) ** 2
            if not gained.any():
                p_values[question, *pair] = 1.0
            elif question == "labels" and not how:
                p_values[question, *pair] = binomtest((gained > 0).sum(), (gained != 0).sum()).pvalue
            else:
                statistic = gained.sum() / np.sqrt(off.sum() * size / (size - 1))
                p_values[question, *pair] = 2 * t.sf(abs(statistic), off.sum() ** 2 / (off**2).sum())
    corrected, greatest = {}, 0.0
    for place, key in enumerate(sorted(p_values, key=p_values.get)):
        greatest = max(greatest, min((18 - place) * p_values[key], 1.0))
        corrected[key] = corrected[key[0], key[2], key[1]] = greatest
    assert list(found.leads) == ["probabilities", "ranking", "labels"]
    for question, lead in found.leads.items():
        totals = {name: parts[question][name].sum() for name in names}
        assert totals[lead.model] == pytest.approx(max(totals.values()))
        expected = {name: corrected[question, lead.model, name] for name in names if name != lead.model}
        assert lead.p_values == pytest.approx(expected)
        assert set(lead.worse) == {name for name, p_value in expected.items() if p_value <= 0.05}
    assert found.leads["ranking"].worse == ("weak",)


def test_a_ranking_of_few_positives_shows_no_model_to_be_worse():
    truth = np.arange(40) < 9
    found = score(
        {"y": truth, "a": truth + 0.0, "b": np.sin(np.arange(40)), "c": np.arange(40)}, score=["a", "b", "c"]
    )
    lead = found.result.leads["ranking"]
    assert (lead.model, lead.worse) == ("a", ())
    assert np.isnan([*lead.p_values.values()]).all()
    assert "not tested" in found.to_text()


@pytest.mark.parametrize("how", [{}, {"weight": "w"}, {"group": "clinic"}])
def test_the_areas_of_subgroups_are_compared_by_cochrans_q(cases, how):
    frame = cases.assign(ward=np.repeat([0, 1, 2], [60, 90, 50]), one=1.0, row=cases.index)
    (found,) = score(frame, score="weak", by="ward", positive="ill", **how).result.rankings
    areas, sizes, squares, of_cases, of_units = [], [], [], [], []
    for _, part in frame.groupby("ward"):
        truth, weights = (part["y"] == "ill").to_numpy(), part[how.get("weight", "one")].to_numpy(dtype=float)
        groups = part[how.get("group", "row")].to_numpy()
        area, shares = placements(truth, part["weak"].to_numpy(), weights)
        parts = [np.where(side, weights, 0) / weights[side].sum() for side in (~truth, truth)]
        errors = (shares - area) * sum(parts)
        masses = by_group(weights, groups)
        size = masses.sum() ** 2 / (masses**2).sum()
        areas.append(area)
        sizes.append([1 / (each**2).sum() for each in parts])
        squares.append(
            [
                ((errors[side] * number) ** 2).sum()
                for side, number in zip((~truth, truth), sizes[-1], strict=False)
            ]
        )
        of_cases.append(len(part) ** 2 * (errors**2).sum())
        of_units.append(len(part) ** 2 * (by_group(errors, groups) ** 2).sum() * size / (size - 1))
    spreads = np.sum(squares, axis=0) / (np.array(sizes) - 1).sum(axis=0)
    variances = (spreads / sizes).sum(axis=1) * (np.sum(of_units) / np.sum(of_cases) if "group" in how else 1)
    centre = np.average(areas, weights=1 / variances)
    statistic = ((areas - centre) ** 2 / variances).sum()
    assert (found.subgroups, found.statistic) == (3, pytest.approx(statistic))
    assert found.p_value == pytest.approx(chi2.sf(statistic, 2))


def test_rankings_are_compared_where_they_can_be(cases):
    frame = cases.assign(half=np.arange(200) // 100, sure=cases["y"] == "ill")
    perfect, _good = score(
        frame.assign(good=frame["good"]), score=["sure", "good"], by="half", positive="ill"
    ).result.rankings
    assert np.isnan(perfect.p_value)
    frame["some"] = np.where(frame["half"] == 1, frame["sure"] + 0.1, frame["weak"])
    (found,) = score(frame, score="some", by="half", positive="ill").result.rankings
    assert found.p_value < 1e-6
    by_class = score(frame.assign(p=frame["y"]), prediction="p", by="half", positive="ill")
    assert by_class.result.rankings == ()
    assert "have different baselines" in by_class.to_text()
