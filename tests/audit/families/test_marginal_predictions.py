"""Constants and guesses, against risks added up case by case."""

import itertools
import math
from fractions import Fraction

import pytest

from nontrivial.audit.families.marginal_predictions import TESTS, search_marginals
from nontrivial.audit.marginals import NAMES, Marginals
from nontrivial.audit.search import search
from nontrivial.audit.stated import Order, Statement

SOME = (Order.parse("cases >= 1"), Order.parse("guesses >= 1"))


def between(loss, said, true):
    return {"squared": (said - true) ** 2, "absolute": abs(said - true)}.get(loss, Fraction(said != true))


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    return Fraction(values[middle]) if len(values) % 2 else Fraction(values[middle - 1] + values[middle], 2)


def reference(loss, labels, guess, cost=None):
    """Every named risk of one case, by going through the cases one by one."""
    truths = [label for label, count in enumerate(labels) for _ in range(count)]
    guesses = [label for label, count in enumerate(guess) for _ in range(count)]
    n, k = len(truths), len(labels)

    def loss_of(said, true):
        return Fraction(cost[said][true] if cost else between(loss, said, true))

    def risk(said):
        return sum(loss_of(said, true) for true in truths) / n

    found = {"cases": Fraction(n), "guesses": Fraction(len(guesses))}
    if loss == "cross_entropy":
        for name, forecast in (("shares_likelihood", labels), ("guess_likelihood", guess)):
            shares = [Fraction(count, sum(forecast)) for count in forecast]
            found[name] = math.prod((shares[true] for true in truths), start=Fraction(1))
        # By their definitions, as sums over the labels: of p log p, and of p log (q/p).
        shares = [
            (count, Fraction(count, n), Fraction(said, len(guesses)))
            for count, said in zip(labels, guess, strict=True)
        ]
        found["entropy_likelihood"] = math.prod((p**count for count, p, _ in shares), start=Fraction(1))
        divergences = ((q / p) ** count for count, p, q in shares if count)
        found["divergence_likelihood"] = math.prod(divergences, start=Fraction(1))
        return found
    found["guess_risk"] = sum(risk(said) for said in guesses) / len(guesses)
    found["best_label_risk"] = min(risk(said) for said in range(k))
    if loss in ("zero_one", "cost"):
        found["mode_risk"] = risk(labels.index(max(labels)))
    if loss == "zero_one":
        found["one_minus_largest_share"] = 1 - Fraction(max(labels), n)
        found["guess_agreement"] = Fraction(
            sum(said == true for said in guesses for true in truths), n * len(guesses)
        )
    if loss in ("squared", "absolute"):
        mean = Fraction(sum(truths), n)
        found["mean_risk"] = risk(mean)
        found["mean_guess_risk"] = risk(Fraction(sum(guesses), len(guesses)))
        found["median_risk"] = risk(median(truths))
        found["mean"], found["median"] = mean, median(truths)
    if loss == "squared":
        found["variance"] = sum((true - mean) ** 2 for true in truths) / n
    return found


@pytest.mark.parametrize("loss", ["zero_one", "squared", "absolute", "cross_entropy"])
def test_every_named_risk_is_what_adding_up_gives(loss):
    domain = Marginals(loss, 3, 3, 2)
    for case in itertools.product(*domain.axes()):
        labels, guess = case[:3], case[3:]
        if sum(labels) and sum(guess):
            cases = domain.cases(case)
            found = {name: cases.value(name).fraction() for name in NAMES if loss in NAMES[name][0]}
            assert found == reference(loss, labels, guess), case


def test_costs():
    domain = Marginals("cost", 2, 2, 2, 2)
    for case in itertools.product(*domain.axes()):
        labels, guess, cost = case[:2], case[2:4], (case[4:6], case[6:8])
        if sum(labels) and sum(guess):
            cases = domain.cases(case)
            found = {name: cases.value(name).fraction() for name in NAMES if "cost" in NAMES[name][0]}
            assert found == reference("cost", labels, guess, cost), case


@pytest.mark.parametrize(
    ("text", "loss", "holds"),
    [
        ("mode_risk <= guess_risk", "zero_one", True),
        ("mode_risk < guess_risk", "zero_one", False),
        ("mode_risk = best_label_risk = one_minus_largest_share", "zero_one", True),
        ("guess_risk <= mode_risk", "zero_one", False),
        ("guess_likelihood <= shares_likelihood", "cross_entropy", True),
        ("shares_likelihood <= guess_likelihood", "cross_entropy", False),
        ("shares_likelihood = entropy_likelihood", "cross_entropy", True),
        ("guess_likelihood / shares_likelihood = divergence_likelihood", "cross_entropy", True),
        ("guess_likelihood = divergence_likelihood", "cross_entropy", False),
        ("mean_risk <= mean_guess_risk <= guess_risk", "squared", True),
        ("mean_risk = variance", "squared", True),
        ("median_risk <= mean_guess_risk", "squared", False),
        ("median_risk <= mean_guess_risk <= guess_risk", "absolute", True),
        ("mean_risk <= mean_guess_risk", "absolute", False),
    ],
)
def test_known_statements(text, loss, holds):
    arguments = {
        "stated": Statement.parse(text),
        "loss": loss,
        "classes": 3,
        "count": 3,
        "guess": 3,
        "where": SOME,
    }
    found = search_marginals(**arguments)
    assert (found.hits == 0) == holds
    assert (found.checked, found.undefined) == (63**2, 0)
    if holds:
        assert not TESTS["marginal_predictions"].is_hit((1, 2, 0, 0, 1, 0), **arguments)
    else:
        assert TESTS["marginal_predictions"].is_hit(found.smallest, **arguments)
        assert not TESTS["marginal_predictions"].is_hit((*found.smallest[:-1], 4), **arguments)


def test_the_smallest_counterexample_worked_by_hand():
    # Numbers 0, 2, 2: the median 2 has squared risk 4/3, the constant 1 only 1.
    found = search(Statement.parse("median_risk <= mean_guess_risk"), SOME, Marginals("squared", 3, 4, 4))
    assert found.smallest == (1, 0, 2, 0, 1, 0)
    assert found.details["values"] == {"median_risk": "4/3", "mean_guess_risk": "1"}


def test_the_most_probable_label_is_not_best_under_unequal_costs():
    arguments = {"loss": "cost", "classes": 2, "count": 2, "guess": 1, "cost": 2, "where": SOME}
    found = search_marginals(stated=Statement.parse("mode_risk <= guess_risk"), **arguments)
    assert found.hits
    assert search_marginals(stated=Statement.parse("best_label_risk <= guess_risk"), **arguments).hits == 0
    assert found.domain.startswith(
        "every distribution of 2 labels by counts in 0..2, and every guess by counts in 0..1, under every cost"
        " matrix with entries in 0..2 where cases >= 1"
    )


def test_vectors():
    domain = Marginals("squared_plane", 4, 2, 1)
    corners = [(0, 0), (0, 1), (1, 0), (1, 1)]
    for case in itertools.product(*domain.axes()):
        labels, guess = case[:4], case[4:]
        if not sum(labels) or not sum(guess):
            continue
        cases = domain.cases(case)

        def risk(point, labels=labels):
            total = sum(
                count * sum((a - b) ** 2 for a, b in zip(point, corner, strict=True))
                for count, corner in zip(labels, corners, strict=True)
            )
            return Fraction(total) / sum(labels)

        for name, counts in (("mean_risk", labels), ("mean_guess_risk", guess)):
            mean = [
                Fraction(
                    sum(n * corner[axis] for n, corner in zip(counts, corners, strict=True)), sum(counts)
                )
                for axis in (0, 1)
            ]
            assert cases.value(name).fraction() == risk(mean), case
        said = [risk(corner) * count for corner, count in zip(corners, guess, strict=True)]
        assert cases.value("guess_risk").fraction() == sum(said) / sum(guess), case
    with pytest.raises(
        ValueError, match="parameter 'classes' is 3; in the plane the four corners are allowed"
    ):
        Marginals("squared_plane", 3, 1, 1).check_names([])


def test_names_and_costs_that_do_not_fit_are_named():
    with pytest.raises(
        ValueError, match="'variance' is unknown under the loss zero_one; known: cases, guesses, "
    ):
        Marginals("zero_one", 2, 1, 1).check_names(["variance"])
    for domain in (Marginals("cost", 2, 1, 1), Marginals("squared", 2, 1, 1, 3)):
        with pytest.raises(ValueError, match="parameter 'cost' goes with the loss cost, and with no other"):
            domain.check_names([])
