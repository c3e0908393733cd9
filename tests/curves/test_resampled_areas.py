"""Areas of many sets of weights at once are those of the weighted cases."""

import numpy as np
import pytest
from curves.rankings import random_case

from nontrivial.curves import curve_areas
from nontrivial.curves.points import find_positive_steps
from nontrivial.curves.resampling import Sample, WeightedPositiveSteps, resampled_areas

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning")
AREAS = ["roc_auc", "average_precision", "pr_auc", "prg_auc", "expected_f1_gain"]  # those with intervals


@pytest.mark.parametrize("seed", range(8))
def test_cells_have_the_areas_of_their_cases(seed):
    labels, scores, weights = random_case(seed, decimals=seed % 3)
    for w in (None, weights):
        rises = find_positive_steps(labels, scores, sample_weight=w)
        sample = Sample.of_cases(labels, [scores], [rises], w, None)
        (model,) = sample.without_resampling()
        expected = curve_areas(labels, scores, sample_weight=w)
        found = {name: area[0] for name, area in resampled_areas(model).items()}
        assert found == pytest.approx({name: expected[name] for name in AREAS}, rel=1e-9)
        if w is None:
            assert Sample.of_counts(rises).cells[0] == pytest.approx(sample.cells[0])


def test_a_pseudo_case_that_is_lost_in_a_sum_changes_no_area():
    gained, fp, negatives = np.array([[5.0, 5.0, 1e-18]]), np.array([[0.0, 2.0, 90.0]]), np.array([[90.0]])
    with_it, without = (
        {name: area[0] for name, area in resampled_areas(WeightedPositiveSteps(g, f, f, negatives)).items()}
        for g, f in ((gained, fp), (gained[:, :2], fp[:, :2]))
    )
    assert with_it == pytest.approx(without)


@pytest.mark.parametrize("seed", range(4))
def test_resamples_are_weights_of_cases_with_one_more_of_each_class(seed):
    """The areas of a resample are those of the weighted cases, with the pseudo-cases at the ends of the ranking."""
    labels, scores, weights = random_case(seed, n=40)
    rises = find_positive_steps(labels, scores, sample_weight=weights)
    sample = Sample.of_cases(labels, [scores], [rises], weights, None)
    [(worst, best)] = sample.resamples(np.random.default_rng(seed), 3, stratify=False)
    rng = np.random.default_rng(seed)
    drawn = rng.standard_exponential((3, 40)) * weights
    pseudo = rng.standard_gamma(1 / 2, (3, 2)) * [
        (each**2).sum() / each.sum() for each in (weights[labels], weights[~labels])
    ]
    for models, ends in ((worst, [-9, 9]), (best, [9, -9])):
        areas = resampled_areas(models[0])
        for row in range(3):
            expected = curve_areas(
                np.r_[labels, True, False], np.r_[scores, ends], sample_weight=np.r_[drawn[row], pseudo[row]]
            )
            for name in AREAS:
                assert areas[name][row] == pytest.approx(expected[name], rel=1e-9), name
