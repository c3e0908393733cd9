"""Constants and guesses, against risks added up case by case."""

import math
from fractions import Fraction

import pytest

from nontrivial.claims.decide import decide, is_hit
from nontrivial.claims.formulas import Formula
from nontrivial.claims.labels import NAMES, Labels

SOME = [Formula.condition("cases >= 1"), Formula.condition("guesses >= 1")]


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


def assert_all_are_those_of_the_reference(domain):
    k = domain.classes
    names = [name for name, (losses, _) in NAMES.items() if domain.loss in losses]
    for part in domain.small():
        columns = {name: part.cases.value(name).fractions() for name in names}
        for place in range(part.count):
            case = part.case(place)
            labels, guess, cost = case[:k], case[k : 2 * k], case[2 * k :]
            if sum(labels) and sum(guess):
                matrix = [cost[k * row : k * row + k] for row in range(k)] if cost else None
                expected = reference(domain.loss, labels, guess, matrix)
                assert {name: column[place] for name, column in columns.items()} == expected, case


@pytest.mark.parametrize("loss", ["zero_one", "squared", "absolute", "cross_entropy"])
def test_every_named_risk_is_what_adding_up_gives(loss):
    assert_all_are_those_of_the_reference(Labels(loss, 3, 2, 2))


def test_costs():
    assert_all_are_those_of_the_reference(Labels("cost", 2, 2, 1, 1))


def test_vectors():
    corners = [(0, 0), (0, 1), (1, 0), (1, 1)]

    def middle(counts):
        """Where the mean of the corners lies under some counts."""
        lines = zip(*corners, strict=True)
        return [
            Fraction(sum(n * x for n, x in zip(counts, line, strict=True)), sum(counts)) for line in lines
        ]

    def risk(point, labels):
        squares = [sum((a - b) ** 2 for a, b in zip(point, corner, strict=True)) for corner in corners]
        return Fraction(sum(n * square for n, square in zip(labels, squares, strict=True))) / sum(labels)

    for part in Labels("squared_plane", 4, 1, 1).small():
        mean, mean_guess, guessed = (
            part.cases.value(name).fractions() for name in ("mean_risk", "mean_guess_risk", "guess_risk")
        )
        for place in range(part.count):
            labels, guess = part.case(place)[:4], part.case(place)[4:]
            if sum(labels) and sum(guess):
                assert mean[place] == risk(middle(labels), labels)
                assert mean_guess[place] == risk(middle(guess), labels)
                said = [count * risk(corner, labels) for count, corner in zip(guess, corners, strict=True)]
                assert guessed[place] == sum(said) / sum(guess)


@pytest.mark.parametrize(
    ("text", "loss", "holds"),
    [
        ("mode_risk <= guess_risk", "zero_one", True),
        ("mode_risk < guess_risk", "zero_one", False),
        ("mode_risk == best_label_risk == one_minus_largest_share", "zero_one", True),
        ("guess_risk <= mode_risk", "zero_one", False),
        ("guess_likelihood <= shares_likelihood", "cross_entropy", True),
        ("shares_likelihood <= guess_likelihood", "cross_entropy", False),
        ("shares_likelihood == entropy_likelihood", "cross_entropy", True),
        ("guess_likelihood / shares_likelihood == divergence_likelihood", "cross_entropy", True),
        ("guess_likelihood == divergence_likelihood", "cross_entropy", False),
        ("mean_risk <= mean_guess_risk <= guess_risk", "squared", True),
        ("mean_risk == variance", "squared", True),
        ("median_risk <= mean_guess_risk", "squared", False),
        ("median_risk <= mean_guess_risk <= guess_risk", "absolute", True),
        ("mean_risk <= mean_guess_risk", "absolute", False),
    ],
)
def test_known_claims(text, loss, holds):
    domain, claim = Labels(loss, 3, 3, 3), Formula.condition(text)
    found = decide(claim, SOME, domain)
    assert found.status == ("searched" if holds else "refuted")
    assert (found.checked, found.undefined, found.proved_of) == (63**2, 0, "")
    assert not is_hit(claim, SOME, domain, (1, 2, 0, 0, 1, 4))  # more guesses than there are in it
    if not holds:
        assert is_hit(claim, SOME, domain, found.witness)
        assert not is_hit(claim, SOME, domain, (*found.witness[:-1], True))


def test_the_smallest_counterexample_worked_by_hand():
    # Numbers 0, 2, 2: the median 2 has squared risk 4/3, the constant 1 only 1.
    found = decide(Formula.condition("median_risk <= mean_guess_risk"), SOME, Labels("squared", 3, 3, 3))
    assert (found.witness, found.smallest) == ((1, 0, 2, 0, 1, 0), True)
    assert found.values == {"median_risk": "4/3", "mean_guess_risk": "1"}


def test_the_most_probable_label_is_not_best_under_unequal_costs():
    domain = Labels("cost", 2, 2, 1, 2)
    assert decide(Formula.condition("mode_risk <= guess_risk"), SOME, domain).status == "refuted"
    assert decide(Formula.condition("best_label_risk <= guess_risk"), SOME, domain).status == "searched"


@pytest.mark.parametrize(
    ("domain", "names", "sentence"),
    [
        (
            Labels("zero_one", 2, 1, 1),
            ["variance"],
            "'variance' is unknown under the loss zero_one; known: cases",
        ),
        (Labels("cost", 2, 1, 1), [], "'cost' goes with the loss cost, and with no other"),
        (Labels("squared", 2, 1, 1, 3), [], "'cost' goes with the loss cost, and with no other"),
        (
            Labels("squared_plane", 3, 1, 1),
            [],
            "there are 3 classes; in the plane the four corners are allowed",
        ),
        (Labels("log", 3, 1, 1), [], "the loss is 'log'; allowed: zero_one"),
    ],
)
def test_what_does_not_fit_is_named(domain, names, sentence):
    with pytest.raises(ValueError, match=sentence):
        domain.check_names(names)
