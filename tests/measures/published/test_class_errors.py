"""How many errors a score of several classes leaves, against all tables of few cases."""

import itertools
from fractions import Fraction

import pytest

from nontrivial.measures import published_verdict
from nontrivial.measures.published.class_errors import errors_between


def rows_of(count, classes):
    """All ways to predict so many cases to be of the classes."""
    for cuts in itertools.combinations_with_replacement(range(count + 1), classes - 1):
        ends = (0, *cuts, count)
        yield [end - start for start, end in itertools.pairwise(ends)]


def scores_of(table, counts):
    n = sum(counts)
    hits = [table[place][place] for place in range(len(counts))]
    chance = sum(count * sum(row[place] for row in table) for place, count in enumerate(counts))
    recalls = [Fraction(hit, count) for hit, count in zip(hits, counts, strict=True)]
    return {
        "accuracy": Fraction(sum(hits), n),
        "error_rate": 1 - Fraction(sum(hits), n),
        "balanced_accuracy": sum(recalls) / len(counts),
        "cohen_kappa": Fraction(n * sum(hits) - chance, n * n - chance),
    }


@pytest.mark.parametrize("counts", [(4, 3, 2), (1, 5, 2), (3, 3, 2), (4, 1, 1), (2, 2, 1, 1)])
def test_the_fewest_and_the_most_errors_are_those_of_all_tables(counts):
    ends = {}  # the least and the greatest score by errors
    for table in itertools.product(*(rows_of(count, len(counts)) for count in counts)):
        errors = sum(counts) - sum(table[place][place] for place in range(len(counts)))
        for name, value in scores_of(table, counts).items():
            low, high = ends.setdefault(name, {}).get(errors, (value, value))
            ends[name][errors] = min(low, value), max(high, value)
    for name, by_errors in ends.items():
        for low in (Fraction(place, 12) for place in range(-6, 13)):
            for high in (low, low + Fraction(1, 7)):
                fewest = [errors for errors, (least, _) in by_errors.items() if least <= high]
                most = [errors for errors, (_, greatest) in by_errors.items() if greatest >= low]
                found = errors_between(name, low, high, counts)
                if name in ("accuracy", "error_rate"):
                    within = [errors for errors, (value, _) in by_errors.items() if low <= value <= high]
                    assert found == ((min(within), max(within)) if within else None), (name, low, high)
                elif fewest and most and min(fewest) <= max(most):
                    assert found == (min(fewest), max(most)), (name, low, high)
                else:
                    assert found is None, (name, low, high)


def test_scores_of_several_classes_are_judged_together():
    kappa = published_verdict({"cohen_kappa": "0.90"}, classes=[50, 30, 20])
    assert (kappa.verdict, kappa.tables) == ("better", None)
    both = published_verdict({"cohen_kappa": "0.90", "accuracy": "0.94"}, classes=[50, 30, 20])
    assert both.errors == (6, 6)
    assert kappa.errors[0] <= 6 <= kappa.errors[1]
    assert published_verdict({"cohen_kappa": "0.90", "accuracy": "0.80"}, classes=[50, 30, 20]).errors is None
    assert published_verdict({"balanced_accuracy": "0.33"}, classes=[50, 30, 20]).verdict == "not shown"
    with pytest.raises(ValueError, match=r"3 classes, f_beta .* cohen_kappa"):
        published_verdict({"f1": "0.9"}, classes=[50, 30, 20])
