"""Drawing the four counts is drawing the rows: the same distribution, worked out exactly for small test sets."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
from scipy.stats import chisquare

from nontrivial_study.experiments.imbalance.rates import SWEPT_MEASURES, Rates
from nontrivial_study.experiments.imbalance.sweep import draw_tables, sweep_imbalance


def exact_distribution(tpr: Fraction, fpr: Fraction, size: int, minority: int, flips: int) -> dict:
    """Enumerate every bootstrap outcome and every choice of flipped rows, row by row."""
    chances = Counter()
    majority = size - minority
    choices_of = {n: [set(c) for c in _subsets(n, flips)] for n in (minority, majority)}
    for called in product([True, False], repeat=size):
        weight = Fraction(1)
        for row, positive in enumerate(called):
            rate = tpr if row < minority else fpr
            weight *= rate if positive else 1 - rate
        for flipped_minority in choices_of[minority]:
            for flipped_majority in choices_of[majority]:
                truth = [row not in flipped_minority for row in range(minority)]
                truth += [row in flipped_majority for row in range(majority)]
                cells = Counter(zip(truth, called, strict=True))
                table = tuple(cells[key] for key in ((True, True), (False, True), (True, False), (False, False)))
                chances[table] += weight / (comb(minority, flips) * comb(majority, flips))
    return chances


def _subsets(n, k):
    return [[i for i in range(n) if mask >> i & 1] for mask in range(2**n) if mask.bit_count() == k]


def test_counts_have_the_distribution_of_the_rows():
    rates, size, minority, flips = (Fraction(3, 4), Fraction(1, 5)), 6, 2, 1
    exact = exact_distribution(*rates, size, minority, flips)
    assert sum(exact.values()) == 1
    draws = 200_000
    tables = draw_tables(Rates(*map(float, rates)), size, minority, flips, draws, np.random.default_rng(1))
    frequencies = Counter(zip(*(column.tolist() for column in tables), strict=True))
    assert set(frequencies) <= set(exact)
    keys = sorted(exact)
    p_value = chisquare([frequencies[key] for key in keys], [draws * float(exact[key]) for key in keys]).pvalue
    assert p_value > 1e-4


def sweep(**changes):
    settings = {"names": ["test"], "noises": [0.2], "shares": [0.05, 0.1, 0.5]}
    settings |= {"size": 100, "replicates": 400}
    return sweep_imbalance(Rates(1.0, 0.0), **settings | changes)


def test_impossible_points_are_absent_with_the_reason():
    table = sweep().set_index(["minority_share", "measure"])
    absent = table.loc[0.05]
    assert absent["mean"].isna().all()
    assert absent["replicates"].eq(0).all()
    assert set(absent["reason"]) == {"impossible: 20% noise flips 10 of each class, the minority has 5"}
    assert table.loc[0.1, "mean"].notna().any()  # all of the minority is flipped: possible
    assert table.loc[0.5, "reason"].eq("").all()


def test_a_perfect_classifier_under_noise_is_known_exactly():
    point = sweep().query("minority_share == 0.5").set_index("measure")
    expected = dict.fromkeys(["accuracy", "balanced_accuracy", "f_beta"], 0.8)
    expected |= dict.fromkeys(["cohen_kappa", "prediction_advantage"], 0.6)
    for name, value in expected.items():
        np.testing.assert_allclose(point.loc[name, ["mean", "low", "high"]].astype(float), value, rtol=1e-12)
    assert set(point.index) == set(SWEPT_MEASURES)


def test_points_do_not_depend_on_the_other_points():
    few, many = sweep(shares=[0.3]), sweep(shares=[0.1, 0.3, 0.4], noises=[0.0, 0.2])
    same = many[(many["noise"] == 0.2) & (many["minority_share"] == 0.3)].reset_index(drop=True)
    assert few.equals(same)


def test_band_is_of_the_test_sets():
    """At 50 % minority and no noise, accuracy is a binomial share: its mean and quantiles are known."""
    table = sweep_imbalance(
        Rates(0.9, 0.1), names=["t"], noises=[0.0], shares=[0.5], size=1000, replicates=20_000
    ).set_index("measure")
    low, high = 0.9 - 1.96 * np.sqrt(0.09 / 1000), 0.9 + 1.96 * np.sqrt(0.09 / 1000)
    np.testing.assert_allclose(
        table.loc["accuracy", ["mean", "low", "high"]].astype(float), [0.9, low, high], atol=0.002
    )


def test_the_order_of_draws_says_nothing():
    tp, fp, _, _ = draw_tables(Rates(0.9, 0.1), 1000, 300, 50, 20_000, np.random.default_rng(3))
    assert abs(np.corrcoef(tp, fp)[0, 1]) < 0.03
    for counts in (tp, fp):
        assert abs(np.corrcoef(counts[1:], counts[:-1])[0, 1]) < 0.03
