"""What means over folds say of all folds together, against folds that have them."""

from fractions import Fraction

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from nontrivial.measures.published.feasibility import fold_sizes, pooled_ranges


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(
    ("positives", "negatives", "folds"), [(7, 10, 3), (10, 10, 10), (81, 225, 10), (5, 31, 4)]
)
def test_pooled_scores_lie_in_the_ranges_that_their_means_leave(seed, positives, negatives, folds):
    generator = np.random.default_rng(seed)
    truth = np.repeat([1, 0], [positives, negatives])
    right = generator.random(len(truth)) < generator.random() ** 0.3
    splits = StratifiedKFold(folds, shuffle=True, random_state=seed).split(truth, truth)
    rates = [rates_of(truth[test], right[test]) for _, test in splits]
    pooled = rates_of(truth, right)
    means = {name: sum(rate[name] for rate in rates) / folds for name in pooled}
    ranges = pooled_ranges(
        {name: (mean, mean) for name, mean in means.items()}, fold_sizes(positives, negatives, folds)
    )
    for name, (low, high) in ranges.items():
        assert low <= pooled[name] <= high
        if positives % folds == negatives % folds == 0:
            assert low == high == pooled[name]


def rates_of(truth, right):
    recall, specificity, accuracy = (
        Fraction(int(right[chosen].sum()), int(chosen.sum()))
        for chosen in (truth == 1, truth == 0, truth >= 0)
    )
    return {
        "recall": recall,
        "specificity": specificity,
        "accuracy": accuracy,
        "error_rate": 1 - accuracy,
        "false_negative_rate": 1 - recall,
        "false_positive_rate": 1 - specificity,
        "balanced_accuracy": (recall + specificity) / 2,
    }


def test_ranges_are_attained_by_the_small_and_by_the_large_folds():
    """Of three folds of 2, 1 and 1 positives, one of two thirds of them right leaves 2 or 3 of 4."""
    mean = Fraction(2, 3)
    assert pooled_ranges({"recall": (mean, mean)}, fold_sizes(4, 9, 3)) == {
        "recall": (Fraction(2, 4), Fraction(3, 4))
    }
    assert pooled_ranges({"recall": (None, Fraction(2))}, fold_sizes(4, 9, 3)) == {
        "recall": (None, Fraction(2))
    }
