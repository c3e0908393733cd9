"""Curves, areas and their bootstrap beside scikit-learn and NumPy's argsort, with AVX-512 and without."""

import json
import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.metrics import auc, average_precision_score, precision_recall_curve, roc_auc_score

from benchmarks.turns import Row, row, simd_features, take_turns
from nontrivial.curves import (
    ExtrapolatedAreaWarning,
    bootstrap_curve_areas,
    curve_areas,
    precision_recall_gain_curve,
    prg_auc_score,
)
from nontrivial.seeds import generator_for

SIZES = (10**3, 10**4, 10**5, 10**6)
SHARES = (0.5, 0.03)
OURS = {
    "precision_recall_gain_curve": precision_recall_gain_curve,
    "prg_auc_score": prg_auc_score,
    "curve_areas, six areas": curve_areas,
}
PEERS = {
    "scikit-learn: precision_recall_curve": precision_recall_curve,
    "numpy: argsort": lambda _, scores: np.argsort(scores),
}
GOALS = {  # the most that ours / theirs should be, and from what size on
    ("precision_recall_gain_curve", "scikit-learn: precision_recall_curve"): (0.28, 0),
    ("prg_auc_score", "scikit-learn: precision_recall_curve"): (0.2, 0),
    ("prg_auc_score", "numpy: argsort"): (1.0, 10**4),
    ("curve_areas, six areas", "nontrivial: prg_auc_score"): (2.0, 0),
}
BALANCED = "nontrivial: prg_auc_score, 50% positive"


def draw_case(n: int, share: float, *, ties: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Draw labels, and scores that tell the classes apart; with ties, of 1,000 values at most."""
    rng = generator_for("benchmark", "curves", n, share)
    labels = (rng.random(n) < share).astype(np.int64)
    labels[:2] = 0, 1
    scores = rng.normal(size=n) + 2.0 * labels
    return labels, scores.round(2) if ties else scores


def beside_others(sizes: Sequence[int], rounds: int) -> Iterator[Row]:
    for n in sizes:
        for ties in (False, True):
            cases = {share: draw_case(n, share, ties=ties) for share in SHARES}
            calls: dict[tuple[str, float], Callable[[], object]] = {
                (name, share): lambda call=call, case=case: call(*case)
                for share, case in cases.items()
                for name, call in (OURS | PEERS).items()
            }
            times = take_turns(calls, rounds * min(max(10**6 // n, 1), 100))
            for share in SHARES:
                of = {name: times[name, share] for name in OURS | PEERS}
                of["nontrivial: prg_auc_score"] = of["prg_auc_score"]
                case = f"{share:.0%} positive{', ties' * ties}"
                for (ours, peer), (goal, least) in GOALS.items():
                    goal = goal if n >= least else np.nan
                    yield row(ours, case, n, peer, seconds=of[ours], peer_seconds=of[peer], goal=goal)
            few, balanced = (times["prg_auc_score", share] for share in (0.03, 0.5))
            yield row("prg_auc_score", case, n, BALANCED, seconds=few, peer_seconds=balanced, goal=1.0)


def without_avx512(sizes: Sequence[int], rounds: int) -> Iterator[Row]:
    """Repeat this where NumPy has AVX-512, without it: its sort is several times slower on AMD's Zen 4."""
    disabled = [name for name in simd_features() if name == "X86_V4" or name.startswith("AVX512")]
    already = os.environ.get("NPY_DISABLE_CPU_FEATURES", "")
    if disabled:
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.curves", json.dumps([*sizes]), str(rounds)],
            env=os.environ | {"NPY_DISABLE_CPU_FEATURES": " ".join([already, *disabled])},
            cwd=Path(__file__).parents[1],
            stdout=subprocess.PIPE,
            check=True,
        )
        yield from json.loads(done.stdout)


def bootstrap(n: int, share: float, resamples: int, rounds: int) -> Row:
    """Compare weights drawn for sorted cases with resampled rows for the three areas that scikit-learn has."""
    labels, scores = draw_case(n, share)
    few = max(1, resamples // 10)

    def by_rows() -> None:
        rng = np.random.default_rng(0)
        for _ in range(few):
            draw = rng.integers(n, size=n)
            roc_auc_score(labels[draw], scores[draw])
            average_precision_score(labels[draw], scores[draw])
            precision, recall, _ = precision_recall_curve(labels[draw], scores[draw])
            auc(recall, precision)

    by_weights = partial(bootstrap_curve_areas, labels, scores, n_resamples=resamples, random_state=0)
    times = take_turns({"ours": by_weights, "theirs": by_rows}, rounds)
    found = {"seconds": times["ours"] / resamples, "peer_seconds": times["theirs"] / few}
    measured, peer = ("bootstrap_curve_areas, one resample, six areas", "scikit-learn: three areas of resampled rows")
    return row(measured, f"{share:.0%} positive", n, peer, goal=1 / 20, **found)


def rows(sizes: Sequence[int] = SIZES, rounds: int = 5, resamples: int = 300) -> Iterator[Row]:
    warnings.simplefilter("ignore", ExtrapolatedAreaWarning)
    yield from beside_others(sizes, rounds)
    yield from without_avx512(sizes, rounds)
    for share in SHARES:
        yield bootstrap(10 * sizes[0], share, resamples, rounds)


if __name__ == "__main__":
    warnings.simplefilter("ignore", ExtrapolatedAreaWarning)
    json.dump([*beside_others(json.loads(sys.argv[1]), int(sys.argv[2]))], sys.stdout)
