"""What is computed a stretch at a time is what is computed at once."""

import numpy as np
import pandas as pd
import pytest

from nontrivial import _arrays
from nontrivial.curves import gain, points
from nontrivial.scorecard.scored import score_files

N = 60


@pytest.fixture
def short(monkeypatch):
    """Make stretches of seven."""

    def shorten():
        monkeypatch.setattr(_arrays, "CHUNK_LENGTH", 7)
        for module in (points, gain):
            monkeypatch.setattr(module, "CACHED_LENGTH", 7)

    return shorten


def table(kind):
    draw = np.random.default_rng(5)
    truth = draw.random(N) < 0.6
    score = 1 / (1 + np.exp(-draw.normal(size=N) - truth))
    tied = pd.DataFrame({"truth": truth, "score": score.round(1), "w": draw.random(N) + 0.5, "g": np.arange(N) // 3})
    if kind == "classes":
        chances = draw.dirichlet([1, 2, 3], N)
        return pd.DataFrame(chances, columns=["p_a", "p_b", "p_c"]).assign(
            truth=np.array(list("abc"))[np.arange(N) % 3]
        )
    return tied if kind == "tied" else tied.assign(score=score)


@pytest.mark.parametrize("also", [{}, {"weight": "w"}, {"group": "g"}], ids=["plain", "weights", "groups"])
@pytest.mark.parametrize("kind", ["distinct", "tied", "classes"])
def test_a_scorecard(kind, also, short):
    if kind == "classes" and also:
        return
    whole = score_files([table(kind)], **also).result
    short()
    result = score_files([table(kind)], **also).result
    assert result.table == pytest.approx(whole.table, rel=1e-12)
    estimates = [
        each.measures | each.areas | {name: row.prediction_advantage for name, row in each.losses.items()}
        for each in (result, whole)
    ]
    for (name, again), estimate in zip(estimates[0].items(), estimates[1].values(), strict=True):
        expected = estimate.value, estimate.low, estimate.high
        assert (again.value, again.low, again.high) == pytest.approx(expected, rel=1e-12, nan_ok=True), name
    for row, other in zip(result.losses.values(), whole.losses.values(), strict=True):
        assert (row.loss, row.trivial) == pytest.approx((other.loss, other.trivial), rel=1e-12)
    if whole.calibration:
        rows = (pd.DataFrame(each.calibration.reliability) for each in (result, whole))
        pd.testing.assert_frame_equal(*rows, rtol=1e-12)
        assert result.calibration.net_benefit == whole.calibration.net_benefit or also
