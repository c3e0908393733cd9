"""Resamples are weights of cases, groups and classes."""

import numpy as np
import pytest
from curves.rankings import random_case

from nontrivial.curves.points import find_positive_steps
from nontrivial.curves.resampling import Sample, bin_ends

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning")


def test_stratified_resamples_keep_the_weight_of_the_classes():
    labels, scores, _ = random_case(6)
    sample = Sample.of_counts(find_positive_steps(labels, scores))
    [(worst, best)] = sample.resamples(np.random.default_rng(0), 5, stratify=True)
    for model in (*worst, *best):
        assert model.positives == pytest.approx(np.full((5, 1), 36))
        assert model.negatives == pytest.approx(np.full((5, 1), 84))


def test_rises_are_held_together_by_half_a_percent_of_their_rank():
    assert bin_ends(400).tolist() == list(range(1, 401))
    ends = bin_ends(10**6)
    assert ends[-1] == 10**6
    assert (np.diff(ends) <= np.maximum(ends[:-1] / 200, 1)).all()
    assert len(ends) < 2500


def test_of_two_models_pseudo_cases_count_as_a_twelfth():
    labels, scores, _ = random_case(0, n=40)
    rises = find_positive_steps(labels, scores)
    sample = Sample.of_cases(labels, [scores] * 2, [rises] * 2, None, None)
    [(worst, _)] = sample.resamples(np.random.default_rng(0), 3, stratify=False)
    rng = np.random.default_rng(0)
    rng.standard_exponential((3, 40))
    pseudo = rng.standard_gamma(1 / 12, (3, 2))
    for model in worst:
        assert model.gained[:, -1] == pytest.approx(pseudo[:, 0])
