"""Curves, areas and bootstrap intervals beside scikit-learn, NumPy's argsort and pyprg, and how their time grows.

pyprg 0.1.1b7 does not run on NumPy 2, which has no `alen`; here it is given one. To have it:
pip install --no-deps --target FOLDER pyprg==0.1.1b7, with FOLDER in PYTHONPATH.
"""

import importlib
import itertools
import json
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from sklearn.metrics import auc, average_precision_score, precision_recall_curve, roc_auc_score

from benchmarks.turns import Row, row, simd_features, take_turns, version_of
from nontrivial.curves.areas import curve_areas
from nontrivial.curves.bootstrap import bootstrap_curve_areas
from nontrivial.curves.gain import ExtrapolatedAreaWarning, precision_recall_gain_curve, prg_auc_score
from nontrivial.seeds import generator_for

SIZES = (10**4, 10**6)
SHARES = (0.5, 0.03)
KINDS = ("good scores", "good scores with ties")
GOALS = {  # the most that ours / theirs should be
    ("precision_recall_gain_curve", "scikit-learn: precision_recall_curve"): 0.28,
    ("prg_auc_score", "scikit-learn: precision_recall_curve"): 0.2,
    ("prg_auc_score", "numpy: argsort"): 1.0,
    ("curve_areas, six areas", "nontrivial: prg_auc_score"): 2.0,
    ("curve_areas, six areas", "scikit-learn: roc_auc_score, average_precision_score"): 1.0,
}
PYPRG_GOALS = {"good scores": 1 / 10, "random scores": 1 / 300}
BOOTSTRAP_GOAL = 1 / 20


def draw_case(n: int, share: float, kind: str, draw: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Draw labels, and scores that tell the classes apart or do not; with ties, of 1,000 values at most."""
    rng = generator_for("benchmark", "curves", n, share, kind, draw)
    labels = (rng.random(n) < share).astype(np.int64)
    labels[:2] = 0, 1
    scores = rng.normal(size=n) + (0.0 if kind == "random scores" else 2.0 * labels)
    return labels, scores.round(2) if "ties" in kind else scores


def curve_with_area(labels: np.ndarray, scores: np.ndarray) -> float:
    """Return the area of the curve, from the curve."""
    precision_gain, recall_gain, _ = precision_recall_gain_curve(labels, scores)
    start = np.searchsorted(recall_gain, 0.0)
    return float(np.trapezoid(precision_gain[start:], recall_gain[start:]))


def beside_others(sizes: Sequence[int], rounds: int) -> Iterator[Row]:
    for share, kind, n in itertools.product(SHARES, KINDS, sizes):
        labels, scores = draw_case(n, share, kind)
        calls = {
            "precision_recall_gain_curve": lambda y=labels, s=scores: precision_recall_gain_curve(y, s),
            "prg_auc_score": lambda y=labels, s=scores: prg_auc_score(y, s),
            "curve_areas, six areas": lambda y=labels, s=scores: curve_areas(y, s),
            "numpy: argsort": lambda s=scores: np.argsort(s),
            "scikit-learn: precision_recall_curve": lambda y=labels, s=scores: precision_recall_curve(y, s),
            "scikit-learn: roc_auc_score, average_precision_score": lambda y=labels, s=scores: (
                roc_auc_score(y, s),
                average_precision_score(y, s),
            ),
        }
        times = take_turns(calls, rounds if n > sizes[0] else 50 * rounds)
        times["nontrivial: prg_auc_score"] = times["prg_auc_score"]
        for (ours, peer), goal in GOALS.items():
            case = f"{share:.0%} positive, {kind}"
            yield row(ours, case, n, peer, seconds=times[ours], peer_seconds=times[peer], goal=goal)


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


def growth(smallest: int, largest: int, share: float, rounds: int) -> Iterator[Row]:
    """Compare the time of the largest case with that of the smallest, grown as n log n."""
    few, many = (draw_case(n, share, KINDS[0]) for n in (smallest, largest))
    grown = largest * np.log(largest) / (smallest * np.log(smallest))
    for call in (precision_recall_gain_curve, prg_auc_score):
        before = take_turns({"": lambda call=call: call(*few)}, 10 * rounds)[""]
        after = take_turns({"": lambda call=call: call(*many)}, rounds)[""]
        case = f"{share:.0%} positive, {KINDS[0]}"
        peer = f"itself at {smallest:,}, times the growth of n log n"
        yield row(call.__name__, case, largest, peer, version="", seconds=after, peer_seconds=before * grown)


def area_by_pyprg(labels: np.ndarray, scores: np.ndarray) -> float:
    np.alen = lambda a: len(a) if hasattr(a, "__len__") else 1
    pyprg = importlib.import_module("prg.prg")
    return pyprg.calc_auprg(pyprg.create_prg_curve(labels, scores))


def beside_pyprg(n: int, draws: int, rounds: int) -> Iterator[Row]:
    """Compare with pyprg, whose time for random scores varies much from draw to draw: several are taken together."""
    for kind, goal in PYPRG_GOALS.items():
        cases = [draw_case(n, 0.5, kind, draw) for draw in range(draws)]
        times = {}
        if version_of("pyprg") != "absent":
            one = draw_case(n // 10, 0.5, kind)
            np.testing.assert_allclose(area_by_pyprg(*one), curve_with_area(*one), rtol=1e-9)
            ways = {"seconds": (curve_with_area, rounds), "peer_seconds": (area_by_pyprg, 1)}
            for name, (area, turns) in ways.items():
                times |= take_turns({name: lambda a=area, c=cases: [a(*case) for case in c]}, turns)
        case = f"50% positive, {kind}, {draws} draw{'s' * (draws > 1)}"
        yield row("PRG curve and its area", case, n, "pyprg", goal=goal, **times)


def bootstrap(n: int, share: float, resamples: int, rounds: int) -> Row:
    """Compare resampling by counts with resampling rows for the three areas that scikit-learn has."""
    labels, scores = draw_case(n, share, KINDS[0])
    few = max(1, resamples // 10)

    def by_rows() -> None:
        rng = np.random.default_rng(0)
        for _ in range(few):
            draw = rng.integers(n, size=n)
            roc_auc_score(labels[draw], scores[draw])
            average_precision_score(labels[draw], scores[draw])
            precision, recall, _ = precision_recall_curve(labels[draw], scores[draw])
            auc(recall, precision)

    def by_counts() -> None:
        bootstrap_curve_areas(labels, scores, n_resamples=resamples, random_state=0)

    times = take_turns({"ours": by_counts, "theirs": by_rows}, rounds)
    return row(
        "bootstrap_curve_areas, one resample, six areas",
        f"{share:.0%} positive, {KINDS[0]}",
        n,
        "scikit-learn: three areas of resampled rows",
        seconds=times["ours"] / resamples,
        peer_seconds=times["theirs"] / few,
        goal=BOOTSTRAP_GOAL,
    )


def rows(
    sizes: Sequence[int] = SIZES,
    largest: int = 10**7,
    rounds: int = 3,
    resamples: int = 300,
    peer_size: int = 10**5,
    draws: int = 1,
) -> Iterator[Row]:
    warnings.simplefilter("ignore", ExtrapolatedAreaWarning)
    yield from beside_others(sizes, rounds)
    yield from without_avx512(sizes, rounds)
    for share in SHARES:
        yield from growth(sizes[0], largest, share, max(rounds - 1, 1))
        yield bootstrap(sizes[0], share, resamples, rounds)
    yield from beside_pyprg(peer_size, draws, rounds)


if __name__ == "__main__":
    warnings.simplefilter("ignore", ExtrapolatedAreaWarning)
    json.dump([*beside_others(json.loads(sys.argv[1]), int(sys.argv[2]))], sys.stdout)
