"""Six areas from one sort; their values on every small ranking are in test_exact.py."""

import itertools
import tracemalloc
import warnings

import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning

from nontrivial.curves import ExtrapolatedAreaWarning, bootstrap_curve_areas, curve_areas, prg_auc_score
from nontrivial.seeds import generator_for

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning")


def test_a_perfect_ranking_has_its_areas_exactly_however_its_scores_are_tied():
    perfect = [1.0, 1.0, 1.0, 1.0, 0.75, 0.0]
    rng = np.random.default_rng(0)
    for positives, negatives in itertools.product([1, 2, 3, 7, 10, 49, 1000], repeat=2):
        for weights in (None, rng.random(positives + negatives) + 0.01):
            scores = np.concatenate([
                np.sort(rng.integers(5, 5 + rng.integers(1, 20), positives)),
                rng.integers(0, rng.integers(1, 5), negatives),
            ])  # fmt: skip
            labels = np.repeat([1, 0], [positives, negatives])
            areas = curve_areas(labels, scores, sample_weight=weights)
            assert list(areas.values()) == (perfect if weights is None else pytest.approx(perfect, abs=1e-14))
            names = [name for name in areas if name != "expected_f1_gain"]
            assert [areas[name] for name in names] == [1.0, 1.0, 1.0, 1.0, 0.0]


def test_an_extrapolated_area_is_announced_once():
    labels, scores = np.repeat([0, 1, 0], [1, 1, 98]), np.arange(100)
    with pytest.warns(ExtrapolatedAreaWarning, match="extrapolated") as caught:
        curve_areas(labels, scores)
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        curve_areas(np.repeat([0, 1], 50), np.arange(100))


@pytest.mark.parametrize("area", [prg_auc_score, curve_areas])
def test_memory_is_that_of_a_few_arrays_of_scores(area):
    rng = generator_for("memory of curves")
    labels = rng.random(10**5) < 0.3
    scores = rng.normal(size=labels.size) + labels
    area(labels[:100], scores[:100])  # whatever the first call of all needs
    tracemalloc.start()
    area(labels, scores)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak <= 8 * scores.nbytes


def test_an_expected_gain_that_is_undefined_is_announced():
    for areas in (curve_areas, bootstrap_curve_areas):
        with pytest.warns(UndefinedMetricWarning, match="expected F gain is set to NaN"):
            found = areas([1, 1, 1, 0], [1, 2, 3, 4])
        assert np.isnan(np.ravel(found["expected_f1_gain"])[0])
