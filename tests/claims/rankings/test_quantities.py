"""The exact quantities of rankings, against the package's own curves and against loops over points in fractions."""

import numpy as np
import pytest

from nontrivial.claims.rankings import calibration, shapes
from nontrivial.claims.rankings.enumeration import Rankings, all_rankings, classes
from nontrivial.claims.rankings.quantities import LARGEST_PART, QUANTITIES, quantity

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.gain.ExtrapolatedAreaWarning")
# Quantities that are 0 for every ranking, and what makes them greater: a hull that is none.
WRONG_HULLS = {
    "isotonic_mismatches": (calibration, "every point"),
    "f_vertices_not_best": (calibration, "every point"),
    "vertices_not_best_exchanged": (calibration, "every point"),
    "front_vertices_not_best": (shapes, "every point"),
    "above_hull": (shapes, "the diagonal"),
}


@pytest.mark.parametrize("name", WRONG_HULLS)
def test_what_no_ranking_has_would_be_noticed(name, monkeypatch):
    rankings = all_rankings(3, 3)
    tp, fp = rankings.tp.astype(np.int8), rankings.fp.astype(np.int8)
    corner = np.arange(rankings.n + 1) > 0
    hulls = {
        "every point": shapes.Hulls(tp, fp),
        "the diagonal": shapes.Hulls(np.where(corner, tp[:, -1:], 0), np.where(corner, fp[:, -1:], 0)),
    }
    assert not quantity(rankings, name)[0].any()
    module, hull = WRONG_HULLS[name]
    monkeypatch.setattr(module, "hulls", lambda _: hulls[hull])
    assert QUANTITIES[name](rankings)[0].any()


def test_a_path_that_turns_back_is_noticed():
    """Points (TP, FP): all positive, then fewer, then as many as before but others."""
    back = Rankings(2, 2, np.array([[0, 2, 1, 0, 2]]), np.array([[0, 2, 0, 1, 2]]), groups=np.array([4]))
    assert QUANTITIES["delta_falls"](back)[0].tolist() == [1]


def test_no_number_outgrows_64_bits():
    """The same computation in Python's integers, on the blocks with the most cases."""
    for counts in ((4, 4), (7, 1), (1, 7), (5, 3)):
        rankings = all_rankings(*counts)
        wide = type(rankings)(
            rankings.positives,
            rankings.negatives,
            rankings.tp[::101].astype(object),
            rankings.fp[::101].astype(object),
            rankings.groups[::101],
        )
        for name in ("prg_auc", "expected_f1_gain", "mean_f1_gain", "average_precision", "expected_accuracy"):
            exact = QUANTITIES[name](wide)
            numerators, denominators = quantity(rankings, name)
            for part, whole, one, two in zip(
                *np.broadcast_arrays(*exact), numerators[::101], denominators[::101], strict=True
            ):
                assert part * int(two) == whole * int(one)


def test_parts_are_small_or_python_integers():
    for counts in classes(6):
        rankings = all_rankings(*counts)
        for name in QUANTITIES:
            for part in quantity(rankings, name):
                assert part.shape == (len(rankings),)
                assert part.dtype == object or (np.abs(part) < LARGEST_PART).all()
