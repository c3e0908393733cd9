"""How many errors a score of several classes leaves, against all tables of few cases."""

import functools
import itertools
from fractions import Fraction

import pytest
from measures.published.sign_tests import p_values

from nontrivial.measures import published_verdict
from nontrivial.measures.published.verdict import errors_between
from nontrivial.measures.sign_verdict import verdict_of


def rows_of(count, classes):
    """All ways to predict so many cases to be of the classes."""
    for cuts in itertools.combinations_with_replacement(range(count + 1), classes - 1):
        ends = (0, *cuts, count)
        yield [end - start for start, end in itertools.pairwise(ends)]


def tables_of(counts):
    """The errors of each class with cases and the scores, for all tables in which another label may be predicted."""
    rows, held, n = [], [count for count in counts if count], sum(counts)
    for place, count in enumerate(counts):
        if count:  # tables with the same errors and the same agreement by chance have the same scores
            sizes = [*counts, 0]
            rows.append(
                {
                    (count - row[place], sum(size * cases for size, cases in zip(sizes, row, strict=True)))
                    for row in rows_of(count, len(sizes))
                }
            )
    for table in set(itertools.product(*rows)):
        wrong, chance = zip(*table, strict=True)
        recalls = [1 - Fraction(errors, count) for errors, count in zip(wrong, held, strict=True)]
        yield (
            wrong,
            {
                "accuracy": 1 - Fraction(sum(wrong), n),
                "error_rate": Fraction(sum(wrong), n),
                "balanced_accuracy": sum(recalls) / len(held),
                "cohen_kappa": 1 - Fraction(n * sum(wrong), n * n - sum(chance)),
            },
        )


@pytest.mark.parametrize("counts", [(4, 3, 2), (1, 5, 0, 2), (3, 3, 2), (4, 1, 1), (2, 1, 0), (2, 2, 1, 1)])
def test_the_fewest_and_the_most_errors_are_those_of_all_tables(counts):
    ends = {}  # the least and the greatest score by errors
    for wrong, scores in tables_of(counts):
        errors = sum(wrong)
        for name, value in scores.items():
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


@pytest.mark.parametrize(("counts", "digits"), [((4, 3, 3), 2), ((5, 0, 2), 3)])
def test_no_table_with_a_printed_kappa_is_left_out(counts, digits):
    tested = functools.cache(functools.partial(p_values, list(filter(None, counts))))
    half, by_kappa = Fraction(1, 2 * 10**digits), {}
    for wrong, scores in tables_of(counts):
        by_kappa.setdefault(scores["cohen_kappa"], set()).add(wrong)
    for printed in {f"{float(kappa):.{digits}f}" for kappa in by_kappa}:
        fits = set().union(*(by_kappa[kappa] for kappa in by_kappa if abs(kappa - Fraction(printed)) <= half))
        record = published_verdict({"cohen_kappa": printed}, classes=counts)
        assert record.errors[0] <= min(map(sum, fits)) <= max(map(sum, fits)) <= record.errors[1]
        better, worse = map(max, zip(*map(tested, fits), strict=True))
        assert record.p_better[1] > better - 1e-12
        assert record.p_worse[1] > worse - 1e-12
        assert record.verdict in ("not shown", verdict_of(better, worse))


def test_what_a_label_of_no_case_can_make_possible():
    """If 9 cases of the class of 30 are predicted to be of no class of the list, kappa is 0.7305."""
    record = published_verdict({"cohen_kappa": "0.73"}, classes=[30, 10, 10])
    assert (record.errors, record.verdict) == ((7, 9), "not shown")
    assert record.p_better[1] == pytest.approx(0.0307, abs=1e-4)
    assert published_verdict({"cohen_kappa": "0.73"}, classes=[0, 30, 10, 10]) == record
    binary = published_verdict({"cohen_kappa": "0.73"}, classes=[30, 20])
    assert published_verdict({"cohen_kappa": "0.73"}, classes=[30, 20, 0]).errors == (7, 7)
    assert binary.errors is None  # either of the two classes is predicted


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
