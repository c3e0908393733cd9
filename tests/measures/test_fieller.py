"""The best constants that the cases do not rule out, by Student's intervals."""

import numpy as np
from scipy.stats import t, ttest_1samp

from nontrivial.measures.fieller import plausible_means, plausible_shares


def test_other_means_are_the_ends_of_students_intervals_of_each():
    values = np.random.default_rng(0).normal(size=(12, 2))
    center = values.mean(axis=0)
    found = ttest_1samp(values, 0).confidence_interval(0.9)
    (low, other_low), (high, other_high) = found.low, found.high
    ends = plausible_means(center, (values - center).T, 12.0, center + np.array([-1, 1]), 0.9)
    np.testing.assert_allclose(ends, [[high, other_low], [low, other_high]])


def test_other_shares_add_up_to_1_and_none_is_0():
    """One case of 50 is of the first class, so that its share may be nearly 0, or greater and that of the others less.

    The predictions are the shares of the sample, but for digits without which they do not quite add up to 1.
    """
    classes = np.eye(3)[np.repeat([0, 1, 2], [1, 9, 40])]
    center = np.array([0.02, 0.18, 0.8])
    error = t.isf(0.025, 49) * np.sqrt(center * (1 - center) / 49)
    ends = [0.02 + error[0], *(center - error)[1:]], [0.02 / 50, *(center + error)[1:]]
    found = plausible_shares(center, (classes - center).T, 50.0, center - 1e-5, 0.95)
    np.testing.assert_allclose(list(found), [np.divide(end, sum(end)) for end in ends])
