"""Bootstrap intervals of areas: a resample by weights is a resample of rows."""

import warnings

import numpy as np
import pytest
from scipy.stats import norm

from nontrivial.curves import ExtrapolatedAreaWarning, bootstrap_curve_areas, curve_areas
from nontrivial.curves.resampling import _Cells
from nontrivial.curves.summary import areas_of

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning")


def random_case(seed, n=120, decimals=1, share=0.3):
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.arange(n) < share * n)
    return labels, (rng.normal(size=n) + labels).round(decimals), rng.random(n)


@pytest.mark.parametrize("stratify", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_a_resample_has_the_areas_of_its_rows(seed, stratify):
    labels, scores, weights = random_case(seed, decimals=seed % 3)
    rng = np.random.default_rng(seed)
    for w in (None, weights):
        cells = _Cells.of(labels, scores, None, w)
        for _ in range(10):
            draw = cells.draw(rng, stratify=stratify)
            rows = curve_areas(labels[draw], scores[draw], sample_weight=None if w is None else w[draw])
            found = areas_of(cells.resample(draw))
            assert found == pytest.approx(rows, rel=1e-12 if w is not None else 1e-15, abs=1e-14)
            if stratify:
                assert labels[draw].sum() == labels.sum()


def test_the_bounds_are_quantiles_over_resampled_rows():
    labels, scores, _ = random_case(1)
    rng = np.random.default_rng(7)
    draws = [rng.integers(120, size=120) for _ in range(200)]
    found = bootstrap_curve_areas(labels, scores, n_resamples=200, level=0.8, random_state=7)
    for name, estimate in curve_areas(labels, scores).items():
        values = [curve_areas(labels[draw], scores[draw])[name] for draw in draws]
        low, high = np.quantile(values, [0.1, 0.9])
        assert list(found[name]) == pytest.approx([estimate, low, high, 200], rel=1e-12)


def test_two_models_are_compared_on_the_same_resamples():
    labels, scores, _ = random_case(2)
    other = scores + np.random.default_rng(0).normal(size=120)
    found = bootstrap_curve_areas(labels, scores, compared_with=other, n_resamples=100, random_state=0)
    rng = np.random.default_rng(0)
    differences = []
    for _ in range(100):
        draw = rng.integers(120, size=120)
        one, two = (curve_areas(labels[draw], s[draw])["prg_auc"] for s in (scores, other))
        differences.append(one - two)
    estimate = curve_areas(labels, scores)["prg_auc"] - curve_areas(labels, other)["prg_auc"]
    bounds = np.quantile(differences, [0.025, 0.975])
    assert list(found["prg_auc"][:3]) == pytest.approx([estimate, *bounds], rel=1e-10)
    same = bootstrap_curve_areas(labels, scores, compared_with=scores, n_resamples=20, random_state=0)
    assert (same.loc["estimate":"high"] == 0).all(axis=None)


def test_the_seed_decides_and_a_generator_serves_too():
    labels, scores, _ = random_case(3)
    one = bootstrap_curve_areas(labels, scores, n_resamples=50, random_state=5)
    assert one.equals(bootstrap_curve_areas(labels, scores, n_resamples=50, random_state=5))
    assert one.equals(
        bootstrap_curve_areas(labels, scores, n_resamples=50, random_state=np.random.default_rng(5))
    )
    assert not one.equals(bootstrap_curve_areas(labels, scores, n_resamples=50, random_state=6))


def test_cases_of_weight_zero_are_no_cases():
    labels, scores, weights = random_case(4)
    weights[::3] = 0
    some = weights > 0
    found = bootstrap_curve_areas(labels, scores, sample_weight=weights, n_resamples=30, random_state=0)
    without = bootstrap_curve_areas(
        labels[some], scores[some], sample_weight=weights[some], n_resamples=30, random_state=0
    )
    assert found.equals(without)


def test_resamples_without_a_class_are_left_out_and_counted():
    labels, scores = np.arange(10) < 1, np.arange(10)[::-1]
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        found = bootstrap_curve_areas(labels, scores, n_resamples=1000, random_state=0)
        stratified = bootstrap_curve_areas(labels, scores, n_resamples=1000, stratify=True, random_state=0)
        single = bootstrap_curve_areas(labels, -scores, n_resamples=1, random_state=0)
    assert found.loc["resamples", "roc_auc"] == pytest.approx(1000 * (1 - 0.9**10), abs=60)
    assert stratified.loc["resamples", "roc_auc"] == 1000
    assert np.isnan(single.loc["estimate", "expected_f1_gain"])


def test_95_percent_intervals_of_auroc_cover_the_truth():
    """Binormal scores one standard deviation apart, 60 positives of 200: AUROC is Phi(1/sqrt 2)."""
    covered = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        labels = rng.random(200) < 0.3
        scores = rng.normal(size=200) + labels
        interval = bootstrap_curve_areas(labels, scores, n_resamples=150, random_state=seed)["roc_auc"]
        covered += interval["low"] <= norm.cdf(1 / np.sqrt(2)) <= interval["high"]
    assert covered >= 88  # of 100; at 95 percent fewer have a chance of 1 in 600


@pytest.mark.filterwarnings("always::nontrivial.curves.ExtrapolatedAreaWarning")
def test_an_extrapolated_area_is_announced_once():
    with pytest.warns(ExtrapolatedAreaWarning) as caught:
        bootstrap_curve_areas(np.arange(50) < 2, np.arange(50), n_resamples=5, random_state=0)
    assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 1.0}, "level"),
        ({"n_resamples": 0}, "n_resamples"),
        ({"n_resamples": 2.5}, "n_resamples"),
        ({"compared_with": [1.0, 2.0]}, "lengths differ"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        bootstrap_curve_areas([0, 1, 1], [1.0, 2.0, 3.0], **options)
