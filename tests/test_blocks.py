"""Cases that are drawn in blocks."""

import numpy as np

from nontrivial._draws import BLOCKS, MOST_UNITS, assign_blocks


def test_intervals_from_blocks_hold_the_true_mean_as_often_as_they_say():
    """Of 400 samples of a skewed quantity, 95 % intervals hold the truth in about 380."""
    draw = np.random.default_rng(0)
    n = MOST_UNITS + 1
    units, n_blocks = assign_blocks(None, n)
    assert n_blocks == BLOCKS
    held = 0
    for _ in range(400):
        values = draw.exponential(size=n)
        sums, sizes = np.bincount(units, weights=values), np.bincount(units)
        weights = draw.standard_exponential((400, BLOCKS))
        means = (weights @ sums) / (weights @ sizes)
        low, high = np.quantile(means, [0.025, 0.975])
        held += low <= 1 <= high
    assert 366 <= held <= 392


def test_a_group_stays_whole_and_few_units_stay_as_they_are():
    groups = np.repeat(np.arange(MOST_UNITS + 1), 2)
    blocks, n_blocks = assign_blocks(groups, len(groups))
    assert n_blocks == BLOCKS
    assert (blocks[::2] == blocks[1::2]).all()
    few, n_few = assign_blocks(None, 5)
    assert (few.tolist(), n_few) == ([0, 1, 2, 3, 4], 5)
