"""How often 95 % intervals for the Prediction Advantage hold the true one, by simulation under 0/1 loss.

Two classes; the grid is n, the share of the minority, the share of errors among it, and the errors of the majority as
a multiple of those. The table goes to results/benchmarks/interval_coverage.csv.
Usage: python tests/benchmarks/interval_coverage.py [--simulations 1000]
"""

import argparse
import itertools
from pathlib import Path

import numpy as np
import pandas as pd

from nontrivial.csv_tables import write_table
from nontrivial.measures import prediction_advantage_interval
from nontrivial.seeds import generator_for

TABLE = Path(__file__).parents[2] / "results" / "benchmarks" / "interval_coverage.csv"


def simulate(method: str, n: int, share: float, miss: float, multiple: float, simulations: int) -> dict:
    """Draw tables, compute the interval of each different one once, and count those that hold the truth."""
    false_positive = multiple * miss * share
    cells = [1 - share - false_positive, false_positive, miss * share, (1 - miss) * share]  # TN, FP, FN, TP
    advantage = 1 - miss - multiple * miss
    draw = generator_for("interval_coverage", n, share, miss, multiple)
    tables, times = np.unique(draw.multinomial(n, cells, size=simulations), axis=0, return_counts=True)
    both_classes = (tables[:, :2].sum(axis=1) > 0) & (tables[:, 2:].sum(axis=1) > 0)
    tables, times = tables[both_classes], times[both_classes]
    bounds = np.array(
        [
            prediction_advantage_interval(
                np.repeat([0, 0, 1, 1], table),
                np.repeat([0, 1, 0, 1], table),
                method=method,
                random_state=draw,
            )
            for table in tables
        ]
    )
    holds = (bounds[:, 0] <= advantage + 1e-12) & (advantage - 1e-12 <= bounds[:, 1])
    return {
        "method": method,
        "n": n,
        "minority_share": share,
        "miss_rate": miss,
        "majority_errors": multiple,
        "advantage": advantage,
        "coverage": times[holds].sum() / times.sum(),
        "median_width": np.median(np.repeat(bounds[:, 1] - bounds[:, 0], times)),
        "simulations": times.sum(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--simulations", type=int, default=1000)
    simulations = parser.parse_args().simulations
    rows = [
        simulate(method, n, share, miss, multiple, simulations)
        for method in ("bootstrap", "exact", "concentration")
        for n, share, miss, multiple in itertools.product(
            [30, 100, 300, 1000], [0.5, 0.3, 0.1], [0.05, 0.3, 0.7], [1, 1 / 3]
        )
        if n * share >= 5
    ]
    table = pd.DataFrame(rows)
    write_table(TABLE, table)
    print(
        table.groupby("method", sort=False)[["coverage", "median_width"]]
        .agg(["min", "median", "max"])
        .round(3)
    )


if __name__ == "__main__":
    main()
