"""The area under the Precision-Recall-Gain curve."""

import itertools
import warnings
from fractions import Fraction

import numpy as np
import pytest
from curves.rankings import worst
from reference.exact_curves import ExactRanking

from nontrivial.curves import (
    ExtrapolatedAreaWarning,
    expected_f_gain_score,
    mean_random_prg_auc,
    prg_auc_score,
)

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning")


@pytest.mark.parametrize(("positives", "negatives"), [(1, 1), (1, 99), (7, 3), (50, 50)])
def test_the_signed_area_reaches_its_bounds(positives, negatives):
    labels, scores = worst(positives, negatives)
    assert prg_auc_score(labels, scores) == pytest.approx(-negatives / (2 * positives), rel=1e-12)
    assert prg_auc_score(labels, scores, clip=True) == 0
    assert prg_auc_score(labels, -scores) == prg_auc_score(labels, -scores, clip=True) == 1


@pytest.mark.parametrize(("positives", "negatives"), [(1, 1), (1, 6), (2, 5), (3, 3), (4, 3), (6, 1)])
def test_the_mean_of_random_rankings_is_that_of_all_rankings(positives, negatives):
    rankings = itertools.combinations(range(positives + negatives), positives)
    areas = [
        ExactRanking([(1, 0) if i in places else (0, 1) for i in range(positives + negatives)]).auprg()
        for places in rankings
    ]
    assert mean_random_prg_auc(positives, negatives) == pytest.approx(
        float(sum(areas) / len(areas)), rel=1e-12
    )


def test_random_rankings_do_not_have_area_zero_on_average():
    assert mean_random_prg_auc(1, 99) == pytest.approx(-24.25)
    assert mean_random_prg_auc(np.int32(2000), np.int32(2000)) == mean_random_prg_auc(2000, 2000)
    for positives, negatives in ((10**6, 3), (2**53, 1000)):  # nearly 1 / 2P where negatives are few
        assert mean_random_prg_auc(positives, negatives) == pytest.approx(1 / (2 * positives), rel=1e-4)
    rng = np.random.default_rng(0)
    for positives, mean in ((10, -0.23), (50, 0.0)):
        labels = np.arange(100) < positives
        areas = [prg_auc_score(rng.permutation(labels), np.arange(100)) for _ in range(2000)]
        assert mean_random_prg_auc(positives, 100 - positives) == pytest.approx(mean, abs=0.005)
        assert np.mean(areas) == pytest.approx(mean, abs=4 * np.std(areas) / np.sqrt(2000) + 0.005)


@pytest.mark.parametrize("counts", [(0, 5), (5, 0), (2.5, 5), (-1, 3), (10**30, 5), (5, 2**53 + 1)])
def test_the_mean_of_random_rankings_needs_whole_numbers(counts):
    with pytest.raises(ValueError, match="whole number"):
        mean_random_prg_auc(*counts)


@pytest.mark.filterwarnings("always::nontrivial.curves.ExtrapolatedAreaWarning")
@pytest.mark.parametrize("score", [prg_auc_score, expected_f_gain_score])
def test_an_extrapolated_area_says_so(score):
    few = np.arange(100) < 3
    with pytest.warns(ExtrapolatedAreaWarning, match=r"extrapolated.*mean_random_prg_auc") as caught:
        score(few, -np.arange(100))
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        score(np.arange(100) < 10, -np.arange(100))  # recall gain 0 is at TP = 1, a point


@pytest.mark.parametrize(("positives", "negatives"), [(1, 99), (20, 30), (21, 2), (49, 99), (300, 700)])
def test_the_mean_of_random_rankings_is_that_of_its_terms(positives, negatives):
    """Precision gain falls short of 1 by (P/N) FP/TP, with t N / (P + 1) false positives before the t-th true one."""
    first = Fraction(positives**2, positives + negatives)
    shortfall = sum(
        t * (1 / max(Fraction(t - 1), first) ** 2 - Fraction(1, t * t)) / 2
        for t in range(int(first) + 1, positives + 1)
    )
    expected = 1 - Fraction(positives**3, negatives * (positives + 1)) * shortfall
    assert mean_random_prg_auc(positives, negatives) == pytest.approx(float(expected), rel=1e-12, abs=1e-15)


def test_recall_gain_0_is_found_behind_a_table_that_a_float_takes_for_it():
    """The first positive has all but a part in 10^9 of the weight, and recall gain 0 lies a little beyond it."""
    share = 1 - 1e-9
    found = prg_auc_score(
        [1, 0, 1, 0], [4, 3, 2, 1], sample_weight=[1, 1, 1.00000005e-9, 1], prevalence=share
    )
    assert found == pytest.approx(
        (1 - 0.5 / share + 0.5) / 2, rel=1e-12
    )  # with half of the negatives before it


def test_clip_is_true_or_false():
    with pytest.raises(ValueError, match="clip is 'no'"):
        prg_auc_score([0, 1], [0, 1], clip="no")
