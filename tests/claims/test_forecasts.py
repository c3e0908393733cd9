"""Forecasts under cross-entropy, against likelihoods multiplied case by case."""

import math
from fractions import Fraction

import pytest

from nontrivial.claims.domains import NAMES, Forecasts
from nontrivial.claims.language import Formula
from nontrivial.claims.search import decide, is_hit

SOME = [Formula.condition("cases >= 1"), Formula.condition("guesses >= 1")]


def reference(labels, guess):
    """Every named number of one case, by going through the cases one by one."""
    truths = [label for label, count in enumerate(labels) for _ in range(count)]
    n, guesses = len(truths), sum(guess)
    found = {"cases": Fraction(n), "guesses": Fraction(guesses)}
    for name, forecast in (("shares_likelihood", labels), ("guess_likelihood", guess)):
        shares = [Fraction(count, sum(forecast)) for count in forecast]
        found[name] = math.prod((shares[true] for true in truths), start=Fraction(1))
    # By their definitions, as sums over the labels: of p log p, and of p log (q/p).
    shares = [
        (count, Fraction(count, n), Fraction(said, guesses))
        for count, said in zip(labels, guess, strict=True)
    ]
    found["entropy_likelihood"] = math.prod((p**count for count, p, _ in shares), start=Fraction(1))
    divergences = ((q / p) ** count for count, p, q in shares if count)
    found["divergence_likelihood"] = math.prod(divergences, start=Fraction(1))
    return found


def test_every_number_is_what_multiplying_gives():
    for part in Forecasts(3, 2, 2).small():
        columns = {name: part.cases.value(name).fractions() for name in NAMES}
        for place in range(part.count):
            labels, guess = part.case(place)[:3], part.case(place)[3:]
            if sum(labels) and sum(guess):
                found = {name: column[place] for name, column in columns.items()}
                assert found == reference(labels, guess), (labels, guess)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("guess_likelihood <= shares_likelihood", True),
        ("shares_likelihood <= guess_likelihood", False),
        ("shares_likelihood == entropy_likelihood", True),
        ("guess_likelihood / shares_likelihood == divergence_likelihood", True),
        ("guess_likelihood == divergence_likelihood", False),
    ],
)
def test_known_claims(text, holds):
    domain, claim = Forecasts(3, 3, 3), Formula.condition(text)
    found = decide(claim, SOME, domain)
    assert found.status == ("searched" if holds else "refuted")
    assert (found.checked, found.undefined, found.proved_of) == (63**2, 0, "")
    assert not is_hit(claim, SOME, domain, (1, 2, 0, 0, 1, 4))  # more guesses than there are in it
    if not holds:
        assert is_hit(claim, SOME, domain, found.witness)
        assert not is_hit(claim, SOME, domain, (*found.witness[:-1], True))


def test_the_smallest_counterexample_worked_by_hand():
    # Only label 1 occurs: the shares have likelihood 1, the forecast of 0 alone 0.
    found = decide(Formula.condition("guess_likelihood >= shares_likelihood"), SOME, Forecasts(2, 2, 2))
    assert (found.witness, found.smallest) == ((0, 1, 1, 0), True)
    assert found.values == {"guess_likelihood": "0", "shares_likelihood": "1"}


def test_too_many_are_refused():
    with pytest.raises(ValueError, match="more than 1,000,000 combinations"):
        Forecasts(9, 9, 9)
