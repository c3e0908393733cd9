"""The cost of curves, areas and bootstrap intervals beside that of scikit-learn, NumPy's argsort and pyprg.

Each ratio comes from one process on the same arrays: the calls take turns, and the least processor time of each
counts, so that other work on the machine matters little. Memory is the peak that tracemalloc sees. The ratios and
what they should be go to results/benchmarks/curves.csv.

pyprg 0.1.1b7 does not run on NumPy 2, which has no `alen`; here it is given one. It need not be installed: the table
then says that it was absent. To have it: pip install --no-deps --target FOLDER pyprg==0.1.1b7, FOLDER in PYTHONPATH.
Usage: python tests/benchmarks/bench_curves.py [--largest 10000000] [--rounds 5] [--resamples 1000]
"""

import argparse
import importlib
import itertools
import time
import tracemalloc
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import auc, average_precision_score, precision_recall_curve, roc_auc_score

from nontrivial.csv_tables import write_table
from nontrivial.curves import (
    ExtrapolatedAreaWarning,
    bootstrap_curve_areas,
    curve_areas,
    precision_recall_gain_curve,
    prg_auc_score,
)
from nontrivial.seeds import generator_for

RESULT = Path(__file__).parents[2] / "results" / "benchmarks" / "curves.csv"
SHARES = (0.5, 0.1, 0.001)
FROM = 10_000  # below, the fixed cost of a call is all that shows


def draw_case(n: int, share: float, kind: str, *, tied: bool, draw: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Draw labels, and scores that tell the classes apart ("good") or do not ("random"); tied: 1,000 values at most."""
    rng = generator_for("benchmark", "curves", n, share, kind, draw)
    labels = (rng.random(n) < share).astype(np.int64)
    labels[:2] = 0, 1
    scores = rng.normal(size=n) + (2.0 * labels if kind == "good" else 0.0)
    return labels, scores.round(2) if tied else scores


def curve_with_area(labels: np.ndarray, scores: np.ndarray) -> float:
    """Return the area of the curve, from the curve."""
    precision_gain, recall_gain, _ = precision_recall_gain_curve(labels, scores)
    start = np.searchsorted(recall_gain, 0.0)
    return float(np.trapezoid(precision_gain[start:], recall_gain[start:]))


def best_times(calls: dict[str, Callable], rounds: int) -> dict[str, float]:
    """Return the least processor time of each call, in seconds; they take turns."""
    best = dict.fromkeys(calls, np.inf)
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.process_time()
            call()
            best[name] = min(best[name], time.process_time() - start)
    return best


def peak_memory(call: Callable) -> int:
    """Return the bytes that a call needs on top of what was there, its result included."""
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def ratio_rows(case: dict, calls: dict[str, Callable], rounds: int) -> list[dict]:
    """Time one case and return a row for each ratio."""
    seconds = best_times(calls, rounds)
    curve, area = seconds["curve"], seconds["area"]
    large = case["n"] >= FROM
    ratios = [
        (
            "PRG curve and area / precision_recall_curve",
            curve / seconds["pr_curve"],
            1.0 if large else None,
        ),
        ("prg_auc_score / precision_recall_curve", area / seconds["pr_curve"], 0.6 if large else None),
        (
            "prg_auc_score / argsort",
            area / seconds["argsort"],
            1.0 if (case["minority_share"], case["n"]) == (0.1, 10**6) else None,
        ),
        ("curve_areas / prg_auc_score", seconds["six_areas"] / area, 2.0 if large else None),
    ]
    times = {f"{name}_seconds": value for name, value in seconds.items()}
    return [
        {"what": what, **case, "value": value, "at_most": limit, **times} for what, value, limit in ratios
    ]


def cost_rows(largest: int, rounds: int) -> list[dict]:
    """Compare times and memory at n = 1e3, 1e4, ... for all kinds of scores."""
    rows = []
    sizes = [10**k for k in range(3, 8) if 10**k <= largest]
    for share, kind, tied, n in itertools.product(SHARES, ("good", "random"), (False, True), sizes):
        labels, scores = draw_case(n, share, kind, tied=tied)
        case = {"scores": kind, "tied": tied, "minority_share": share, "n": n}
        calls = {
            "argsort": lambda s=scores: np.argsort(s),
            "pr_curve": lambda y=labels, s=scores: precision_recall_curve(y, s),
            "curve": lambda y=labels, s=scores: curve_with_area(y, s),
            "area": lambda y=labels, s=scores: prg_auc_score(y, s),
            "six_areas": lambda y=labels, s=scores: curve_areas(y, s),
        }
        rows += ratio_rows(case, calls, rounds if n <= 10**6 else 2)
        for name in ("curve", "area", "six_areas", "pr_curve") if n == 10**6 else ():
            limit = None if name == "pr_curve" else 8.0
            value = peak_memory(calls[name]) / scores.nbytes
            rows.append(
                {"what": f"peak memory of {name} / score array", **case, "value": value, "at_most": limit}
            )
    return rows


def growth_rows(rows: list[dict]) -> list[dict]:
    """Compare the growth of time from n to 10 n with that of n log n."""
    table = (
        pd.DataFrame(rows)
        .dropna(subset="area_seconds")
        .drop_duplicates(["scores", "tied", "minority_share", "n"])
    )
    found = []
    for keys, group in table.groupby(["scores", "tied", "minority_share"]):
        group = group.set_index("n")
        for n in group.index.intersection(group.index * 10):
            before = n // 10
            expected = 10 * np.log(n) / np.log(before)
            for name in ("curve", "area"):
                value = group.loc[n, f"{name}_seconds"] / group.loc[before, f"{name}_seconds"] / expected
                case = dict(zip(("scores", "tied", "minority_share"), keys, strict=True))
                found.append(
                    {"what": f"growth of {name} to n / growth of n log n", **case, "n": n, "value": value}
                )
    return found


def pyprg_rows(rounds: int) -> list[dict]:
    """Compare with pyprg at n = 1e5, areas checked against each other.

    Its time for random scores goes with the number of times that precision gain crosses 0, which varies much from
    draw to draw: eight are taken together.
    """
    np.alen = lambda a: len(a) if hasattr(a, "__len__") else 1
    try:
        pyprg = importlib.import_module("prg.prg")
    except ImportError:
        print("pyprg is not installed: the comparison with it was left out.")
        return [{"what": "pyprg / PRG curve and area: pyprg is absent", "n": 10**5}]
    rows = []
    for kind, least in (("good", 10), ("random", 300)):
        cases = [draw_case(10**5, 0.5, kind, tied=False, draw=draw) for draw in range(8)]
        areas = [pyprg.calc_auprg(pyprg.create_prg_curve(*case)) for case in cases]
        np.testing.assert_allclose(areas, [curve_with_area(*case) for case in cases], rtol=1e-9)
        ours = best_times({"": lambda c=cases: [curve_with_area(*x) for x in c]}, rounds)
        peer = best_times({"": lambda c=cases: [pyprg.calc_auprg(pyprg.create_prg_curve(*x)) for x in c]}, 1)
        case = {"scores": kind, "tied": False, "minority_share": 0.5, "n": 10**5}
        what = "pyprg / PRG curve and area, 8 draws"
        rows.append({"what": what, **case, "value": peer[""] / ours[""], "at_least": least})
    return rows


def bootstrap_rows(resamples: int) -> list[dict]:
    """Compare resampling by counts with resampling rows for the three areas that scikit-learn has."""

    def by_rows(y: np.ndarray, s: np.ndarray, times: int) -> None:
        rng = np.random.default_rng(0)
        for _ in range(times):
            draw = rng.integers(len(y), size=len(y))
            roc_auc_score(y[draw], s[draw])
            average_precision_score(y[draw], s[draw])
            precision, recall, _ = precision_recall_curve(y[draw], s[draw])
            auc(recall, precision)

    rows = []
    for share in SHARES[:2]:
        labels, scores = draw_case(10**4, share, "good", tied=False)
        few = max(1, resamples // 10)
        seconds = best_times(
            {
                "ours": lambda y=labels, s=scores: bootstrap_curve_areas(
                    y, s, n_resamples=resamples, random_state=0
                ),
                "rows": lambda y=labels, s=scores, times=few: by_rows(y, s, times),
            },
            3,
        )
        value = (seconds["rows"] / few) / (seconds["ours"] / resamples)
        what = (
            f"scikit-learn on resampled rows, 3 areas / bootstrap_curve_areas, 6 areas, {resamples} resamples"
        )
        case = {"scores": "good", "tied": False, "minority_share": share, "n": 10**4}
        rows.append({"what": what, **case, "value": value, "at_least": 20})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--largest", type=int, default=10**7)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--resamples", type=int, default=1000)
    options = parser.parse_args()

    warnings.simplefilter("ignore", ExtrapolatedAreaWarning)
    rows = cost_rows(options.largest, options.rounds)
    rows += growth_rows(rows) + pyprg_rows(options.rounds) + bootstrap_rows(options.resamples)
    result = pd.DataFrame(rows)
    for limit in ("value", "at_most", "at_least"):
        result[limit] = result.get(limit, np.nan).astype(float)
    missed = (result["value"] > result["at_most"]) | (result["value"] < result["at_least"])
    result.insert(
        6,
        "met",
        np.where(result[["at_most", "at_least"]].isna().all(axis=1), "", np.where(missed, "no", "yes")),
    )
    write_table(RESULT, result)
    summary = result.groupby(["what", "met"], sort=False)["value"].describe()[["count", "min", "50%", "max"]]
    print(summary.to_string(float_format="%.3g"))
    if missed.any():
        print(
            result.loc[missed, ["what", "scores", "tied", "minority_share", "n", "value"]].to_string(
                index=False
            )
        )


if __name__ == "__main__":
    main()
