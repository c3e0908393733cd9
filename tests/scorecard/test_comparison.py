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
    comparison = score(cases, score=["weak", "good"], positive="ill").result
    assert isinstance(comparison, Comparison)
    assert [card.model for card in comparison.cards] == ["good", "weak"]
    truth = cases["y"] == "ill"
    differences = {(difference.measure, difference.loss): difference for difference in comparison.differences}
    assert {difference.model for difference in comparison.differences} == {"weak"}
    guesses = [cases[name] >= 0.5 for name in ("weak", "good")]
    expected = compare_models(truth, *guesses)
    labels = differences["prediction_advantage", "zero_one"]
    assert (labels.value, labels.low, labels.high, labels.p_value) == tuple(expected)
    areas = bootstrap_curve_areas(truth, cases["weak"], compared_with=cases["good"])
    assert differences["roc_auc", None].low == areas.loc["low", "roc_auc"]
    assert not comparison.is_selected  # of two models


def test_models_with_the_same_scores_do_not_differ_and_labels_show_less(cases):
    twice = cases.assign(same=cases["good"], a=cases["y"], b=cases["y"])
    comparison = score(twice, score=["good", "same"], positive="ill").result
    for difference in comparison.differences:
        assert (difference.value, difference.low, difference.high, difference.p_value) == (0, 0, 0, 1)
    (labels,) = score(twice, prediction=["a", "b"], positive="ill").result.differences
    assert labels.low < labels.value == 0 < labels.high


def test_models_of_several_classes_are_compared_by_brier_if_a_probability_of_0_was_wrong():
    draws = np.random.default_rng(0)
    shares = draws.dirichlet([1, 1, 1], 200)
    truth = (shares.cumsum(axis=1) > draws.random((200, 1))).argmax(axis=1)
    certain = shares.copy()
    certain[0] = np.eye(3)[(truth[0] + 1) % 3]
    frames = [
        pd.DataFrame({f"p_{name}": column for name, column in zip("abc", chances.T, strict=True)}).assign(
            truth=list(map("abc".__getitem__, truth)), model=model
        )
        for model, chances in (("shares", shares), ("certain", certain))
    ]
    comparison = score(pd.concat(frames), by="model").result
    one_hot = np.eye(3)[truth]
    answers = shares, certain, one_hot.mean(axis=0)
    risks = [((one_hot - chances) ** 2).sum(axis=1).mean() for chances in answers]
    (brier,) = (difference for difference in comparison.differences if difference.loss == "squared")
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
    scored = score(cases, **columns, **kind)
    for difference in scored.result.differences:
        if difference.test == "paired_t":  # groups have five cases each
            assert difference.test_assumes == ("alike_mistakes" if "weight" in kind else "no_rare_loss")
        else:
            assert difference.test_assumes == (None if difference.test == "mcnemar" else "alike_mistakes")
        if difference.test == "mcnemar":
            assert difference.assumes == "one_more_case"
    tests = [difference["test"] for difference in scored.to_json()["differences"]]
    assert list(dict.fromkeys(tests)) == expected
    _, _, table = scored.to_text(every=True).partition("p-values are two-sided")
    assert set(table.partition("\n\n")[0].split()).intersection(get_args(DifferenceTest)) == set(expected)


@pytest.mark.usefixtures("unrendered")
@pytest.mark.parametrize("equal", [True, False])
def test_models_of_one_advantage_are_equal_in_first_place(equal):
    """The two err in as many cases, but in others; a third one errs in more."""
    truth = [1] * 20 + [0] * 20
    first, second, third = ([abs(y - (place in wrong)) for place, y in enumerate(truth)]
                       for wrong in ([0, 1], [2, 30] if equal else [2, 3, 4], range(15)))  # fmt: skip
    data = {"y": truth, "one": first, "two": second, "three": third}
    scored = score(data, prediction=["one", "two", "three"])
    assert [card.model for card in scored.result.first] == (["one", "two"] if equal else ["one"])
    assert scored.to_json()["best_is_selected"] != equal
    for output in (scored.to_text(every=True, explain=True), scored.to_html()):
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


@pytest.mark.parametrize("units", [{}, {"weight": "w"}, {"group": "clinic"}])
def test_models_are_shown_to_be_worse_by_holm_over_all_pairs_of_all_questions(cases, units):
    names = ["weak", "good", "mid", "twin"]
    blunt = np.round(0.7 * cases["good"] + 0.3 * cases["weak"], 2)
    frame = cases.assign(mid=blunt, twin=cases["good"], one=1.0, row=cases.index)
    comparison = score(frame, score=names, positive="ill", **units).result
    truth, weights = (frame["y"] == "ill").to_numpy(), frame[units.get("weight", "one")].to_numpy(dtype=float)
    groups, share = frame[units.get("group", "row")].to_numpy(), weights / weights.sum()
    size = by_group(share, groups).sum() ** 2 / (by_group(share, groups) ** 2).sum()
    parts = {question: {} for question in comparison.leads}
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
            gains = by_group(of_model[pair[0]] - of_model[pair[1]], groups)
            squares = (gains - gains.sum() * by_group(share, groups)) ** 2
            if not gains.any():
                p_values[question, *pair] = 1.0
            elif question == "labels" and not units:
                p_values[question, *pair] = binomtest((gains > 0).sum(), (gains != 0).sum()).pvalue
            else:
                statistic = gains.sum() / np.sqrt(squares.sum() * size / (size - 1))
                p_values[question, *pair] = 2 * t.sf(abs(statistic), squares.sum() ** 2 / (squares**2).sum())
    corrected, greatest = {}, 0.0
    for place, key in enumerate(sorted(p_values, key=p_values.get)):
        greatest = max(greatest, min((18 - place) * p_values[key], 1.0))
        corrected[key] = corrected[key[0], key[2], key[1]] = greatest
    assert list(comparison.leads) == ["probabilities", "ranking", "labels"]
    for question, lead in comparison.leads.items():
        totals = {name: parts[question][name].sum() for name in names}
        assert totals[lead.model] == pytest.approx(max(totals.values()))
        expected = {name: corrected[question, lead.model, name] for name in names if name != lead.model}
        assert lead.p_values == pytest.approx(expected)
        assert set(lead.worse) == {name for name, p_value in expected.items() if p_value <= 0.05}
    assert comparison.leads["ranking"].worse == ("weak",)


def test_a_ranking_of_few_positives_shows_no_model_to_be_worse():
    truth = np.arange(40) < 9
    scored = score(
        {"y": truth, "a": truth + 0.0, "b": np.sin(np.arange(40)), "c": np.arange(40)}, score=["a", "b", "c"]
    )
    lead = scored.result.leads["ranking"]
    assert (lead.model, lead.worse) == ("a", ())
    assert np.isnan([*lead.p_values.values()]).all()
    assert "not tested" in scored.to_text()


@pytest.mark.parametrize("units", [{}, {"weight": "w"}, {"group": "clinic"}])
def test_the_areas_of_subgroups_are_compared_by_cochrans_q(cases, units):
    frame = cases.assign(ward=np.repeat([0, 1, 2], [60, 90, 50]), one=1.0, row=cases.index)
    (equal_rankings,) = score(frame, score="weak", by="ward", positive="ill", **units).result.rankings
    areas, sizes, squares, of_cases, of_units = [], [], [], [], []
    for _, part in frame.groupby("ward"):
        truth = (part["y"] == "ill").to_numpy()
        weights = part[units.get("weight", "one")].to_numpy(dtype=float)
        groups = part[units.get("group", "row")].to_numpy()
        area, shares = placements(truth, part["weak"].to_numpy(), weights)
        parts = [np.where(side, weights, 0) / weights[side].sum() for side in (~truth, truth)]
        errors = (shares - area) * sum(parts)
        masses = by_group(weights, groups)
        size = masses.sum() ** 2 / (masses**2).sum()
        areas.append(area)
        sizes.append([1 / (class_shares**2).sum() for class_shares in parts])
        sides = zip((~truth, truth), sizes[-1], strict=True)
        squares.append([((errors[side] * size_of_class) ** 2).sum() for side, size_of_class in sides])
        of_cases.append(len(part) ** 2 * (errors**2).sum())
        of_units.append(len(part) ** 2 * (by_group(errors, groups) ** 2).sum() * size / (size - 1))
    spreads = np.sum(squares, axis=0) / (np.array(sizes) - 1).sum(axis=0)
    variances = (spreads / sizes).sum(axis=1)
    if "group" in units:
        variances *= np.sum(of_units) / np.sum(of_cases)
    centre = np.average(areas, weights=1 / variances)
    statistic = ((areas - centre) ** 2 / variances).sum()
    assert (equal_rankings.subgroups, equal_rankings.statistic) == (3, pytest.approx(statistic))
    assert equal_rankings.p_value == pytest.approx(chi2.sf(statistic, 2))


def test_rankings_are_compared_where_they_can_be(cases):
    frame = cases.assign(half=np.arange(200) // 100, sure=cases["y"] == "ill")
    perfect, _good = score(frame, score=["sure", "good"], by="half", positive="ill").result.rankings
    assert np.isnan(perfect.p_value)
    frame["some"] = np.where(frame["half"] == 1, frame["sure"] + 0.1, frame["weak"])
    (different,) = score(frame, score="some", by="half", positive="ill").result.rankings
    assert different.p_value < 1e-6
    by_class = score(frame.assign(p=frame["y"]), prediction="p", by="half", positive="ill")
    assert by_class.result.rankings == ()
    assert "have different baselines" in by_class.to_text()
