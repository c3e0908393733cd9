"""How often 95 % intervals hold the true value, by simulation.

For each family of intervals a grid of the number of cases, the share of positives and the skill of the model. A row
of docs/interval_coverage.csv is one quantity over its grid: the least and the median coverage, at how many points
coverage is below 94 % by more than the simulation's error (a binomial test at 0.001), and the median width. A row
of docs/interval_widths.csv compares the widths of one quantity with those of a well-known interval. The grid of a
family goes to results/benchmarks/interval_coverage_FAMILY.csv. The rows of families that are run replace the old ones.
Usage: python -m benchmarks.interval_coverage [--simulations 400] [--only FAMILY ...]
"""

import argparse
import itertools
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import binom

from benchmarks.coverage_points import (
    CASES,
    DISTANCES,
    NEARLY_PERFECT,
    RATES,
    Row,
    points,
    rows_of,
    samples,
    shares_of,
    true_areas,
)
from benchmarks.differences import (
    of_differences,
    of_misplaced,
    of_rare_mistakes,
    of_units_differences,
)
from benchmarks.few_groups import of_few_groups
from benchmarks.macro_coverage import (
    of_macro,
    of_misplaced_macro,
    of_several_labels,
    of_units_macro,
)
from benchmarks.number_coverage import of_constant_chances, of_constants, of_unbounded
from benchmarks.peer_intervals import NAMES, known_areas, of_table
from benchmarks.score_coverage import (
    of_chances,
    of_confident,
    of_grouped,
    of_heavy_areas,
    of_numbers,
    of_units_areas,
    of_verdicts,
    of_weighted,
    of_wild_areas,
)
from nontrivial.curves import bootstrap_curve_areas
from nontrivial.measures import (
    confusion_intervals,
    confusion_measures,
    prediction_advantage_interval,
)
from nontrivial.seeds import generator_for, seed_for
from nontrivial_study.tables import write_table

PROJECT = Path(__file__).parents[1]
GRID = PROJECT / "results" / "benchmarks" / "interval_coverage.csv"
SUMMARY = PROJECT / "docs" / "interval_coverage.csv"
WIDTHS = PROJECT / "docs" / "interval_widths.csv"
LEAST, ALLOWED = 0.94, 0.001


def of_tables(simulations: int) -> Iterator[Row]:
    """Every measure of a confusion table."""
    for point in points(CASES, RATES | NEARLY_PERFECT):
        n, share, skill = point
        cells = np.array(list(shares_of(share, skill).values()))
        draw = generator_for("interval_coverage", "tables", *point)
        tables, times = np.unique(draw.multinomial(n, cells, size=simulations), axis=0, return_counts=True)
        both = (tables[:, [0, 2]].sum(axis=1) > 0) & (tables[:, [1, 3]].sum(axis=1) > 0)
        found = [confusion_intervals(*map(int, table), n_resamples=1000).T for table in tables[both]]
        true = confusion_measures(*cells).iloc[0].to_dict()
        yield from rows_of("table", point, true, found, times[both])
        # The cells are TP, FP, FN and TN.
        known = [of_table(table[::-1][[0, 2, 1, 3]]) for table in tables[both]]
        for name in known[0]:
            peer = NAMES.get(name, "Wilson")
            yield from rows_of("table", point, {name: true[name]}, known, times[both], known=peer)


def scores_of(draw: np.random.Generator, positive: np.ndarray, distance: float) -> np.ndarray:
    if np.isinf(distance):
        return draw.random(len(positive)) + 2 * positive
    return draw.normal(size=len(positive)) + distance * positive


def of_areas(simulations: int) -> Iterator[Row]:
    """Every area under a curve, of normal scores."""
    for point in points(CASES, DISTANCES):
        n, share, skill = point
        draw, found, known = generator_for("interval_coverage", "areas", *point), [], []
        for positive in samples(draw, n, share, simulations):
            scores = scores_of(draw, positive, DISTANCES[skill])
            found.append(bootstrap_curve_areas(positive, scores, n_resamples=300))
            known.append(known_areas(positive, scores))
        true = true_areas(share, DISTANCES[skill])
        yield from rows_of("area", point, true, found)
        for peer in known[0]:
            of_peer = [each[peer] for each in known]
            known_true = {name: true[name] for name in of_peer[0]}
            yield from rows_of("area", point, known_true, of_peer, known=peer)


def of_advantages(simulations: int) -> Iterator[Row]:
    """The Prediction Advantage under 0/1 loss, by each method; the skill is the share of errors of either class.

    Where the classes are about as frequent, the models are constants, too, or nearly.
    """
    skills = {
        f"{miss} {alarm}": (miss, alarm) for miss in (0.0, 0.05, 0.3, 0.7) for alarm in (0.0, 1 / 3, 1.0)
    }
    near_ties = [
        (n, share, f"{miss} {alarm:g}")
        for n, share, (miss, alarm) in itertools.product(
            CASES, [0.45, 0.48], [(0.0, 1.0), (0.02, 0.9), (0.3, 0.0), (1.0, 0.0)]
        )
    ]
    for point in [*points(CASES, skills), *near_ties]:
        n, share, skill = point
        if skill in skills:
            miss, multiple = skills[skill]
            wrong = multiple * miss * share
        else:
            miss, alarm = map(float, skill.split())
            wrong = alarm * (1 - share)
        cells = [1 - share - wrong, wrong, miss * share, (1 - miss) * share]  # TN, FP, FN, TP
        draw = generator_for("interval_coverage", n, share, miss, wrong)
        tables, times = np.unique(draw.multinomial(n, cells, size=simulations), axis=0, return_counts=True)
        both = (tables[:, :2].sum(axis=1) > 0) & (tables[:, 2:].sum(axis=1) > 0)
        found = []
        for table in tables[both]:
            labels = np.repeat([0, 0, 1, 1], table), np.repeat([0, 1, 0, 1], table)
            seed = seed_for(*table.tolist())
            found.append(
                pd.DataFrame(
                    {
                        method: prediction_advantage_interval(
                            *labels, method=method, n_resamples=1000, random_state=seed
                        )
                        for method in ("bootstrap", "exact", "concentration")
                    },
                    index=["low", "high"],
                )
            )
        yield from rows_of(
            "prediction advantage",
            point,
            dict.fromkeys(found[0], 1 - miss - wrong / share),
            found,
            times[both],
        )


def of_several_classes(simulations: int) -> Iterator[Row]:
    """The Prediction Advantage of three, five or eight classes; the skill is the shape of their shares and the recall.

    A wrong prediction may be any other class.
    """
    rights = {"none": 1 / 3, "weak": 0.6, "good": 0.95, "perfect": 1.0}
    for n, k, shape, (skill, right) in itertools.product(
        CASES, [3, 5, 8], ["alike", "one great", "two great"], rights.items()
    ):
        shares = np.full(k, 1 / k)
        if shape != "alike":
            n_great = 1 if shape == "one great" else 2
            shares = np.full(k, 0.05)
            shares[:n_great] = (1 - 0.05 * (k - n_great)) / n_great
        draw, found = generator_for("interval_coverage", "several classes", n, k, shape, skill), []
        for _ in range(simulations):
            truth = draw.choice(k, n, p=shares)
            prediction = np.where(draw.random(n) < right, truth, (truth + draw.integers(1, k, n)) % k)
            interval = prediction_advantage_interval(truth, prediction, n_resamples=1000, random_state=draw)
            found.append(pd.DataFrame({"bootstrap, three or more classes": interval}, index=["low", "high"]))
        true = 1 - (1 - right) / (1 - shares.max())
        point = (n, k, f"{shape}, {skill}")
        yield from rows_of("prediction advantage", point, {"bootstrap, three or more classes": true}, found)


FAMILIES = {
    "tables": of_tables,
    "areas": of_areas,
    "differences": of_differences,
    "misplaced": of_misplaced,
    "rare_mistakes": of_rare_mistakes,
    "differences_of_units": of_units_differences,
    "few_groups": of_few_groups,
    "advantages": lambda simulations: itertools.chain(
        of_advantages(simulations), of_several_classes(simulations)
    ),
    "unbounded": of_unbounded,
    "constants": lambda simulations: itertools.chain(
        of_constants(simulations), of_constant_chances(simulations)
    ),
    "weighted": of_weighted,
    "grouped": of_grouped,
    "areas_of_units": of_units_areas,
    "heavy_areas": of_heavy_areas,
    "wild_areas": of_wild_areas,
    "verdicts": lambda simulations: itertools.chain(of_verdicts(simulations), of_numbers(simulations)),
    "probabilities": lambda simulations: itertools.chain(of_chances(simulations), of_confident(simulations)),
    "several_labels": of_several_labels,
    "macro": lambda simulations: itertools.chain(
        of_macro(simulations), of_units_macro(simulations), of_misplaced_macro(simulations)
    ),
}


def summary(grid: pd.DataFrame) -> pd.DataFrame:
    grid = grid.assign(
        coverage=grid["held"] / grid["samples"],
        short=binom.cdf(grid["held"], grid["samples"], LEAST) < ALLOWED,
    )
    by = grid.groupby(["family", "quantity"], sort=False)
    table = by.agg(
        points=("coverage", "size"),
        samples=("samples", "median"),
        least_coverage=("coverage", "min"),
        median_coverage=("coverage", "median"),
        points_shown_below_94=("short", "sum"),
        median_width=("median_width", "median"),
    )
    return table.round(3).astype({"samples": int}).reset_index()


def widths(grid: pd.DataFrame) -> pd.DataFrame:
    """Compare median widths with those of the narrowest well-known interval that covers, at the points that have one.

    Such an interval covers if it is no point in at least 95 of 100 samples, and coverage is not below 94 % by more
    than the simulation's error.
    """
    covers = (binom.cdf(grid["held"], grid["samples"], LEAST) >= ALLOWED) & (grid["offered"] >= 0.95)
    where = ["family", "quantity", "n", "share", "skill"]
    known = grid[(grid["known"] != "") & covers & np.isfinite(grid["median_width"])]
    narrowest = known.sort_values("median_width").drop_duplicates(where)
    ours = grid[(grid["known"] == "") & np.isfinite(grid["median_width"])]
    both = ours.drop(columns="known").merge(narrowest, on=where, suffixes=("", "_known"))
    by = both.assign(ratio=both["median_width"] / both["median_width_known"]).groupby(where[:2], sort=False)
    table = by.agg(
        known=("known", lambda names: " or ".join(sorted(set(names)))),
        points=("ratio", "size"),
        median_ratio=("ratio", "median"),
        greatest_ratio=("ratio", "max"),
        points_above_1_5=("ratio", lambda ratios: (ratios > 1.5).sum()),
    )
    return table.round(3).reset_index()


def replaced(path: Path, table: pd.DataFrame) -> pd.DataFrame:
    """Return a table that is stored, with the rows that there are now in the place of those of their families."""
    if not path.exists():
        return table
    old = pd.read_csv(path)
    return pd.concat([old[~old["family"].isin(table["family"])], table])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--simulations", type=int, default=400)
    parser.add_argument("--only", nargs="+", choices=FAMILIES, default=list(FAMILIES))
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    for family in arguments.only:
        grid = pd.DataFrame(FAMILIES[family](arguments.simulations))
        table = summary(grid[grid["known"] == ""])
        print(table.to_string(), flush=True)
        write_table(GRID.with_stem(f"{GRID.stem}_{family}"), grid)
        write_table(SUMMARY, replaced(SUMMARY, table))
        if (grid["known"] != "").any():
            write_table(WIDTHS, replaced(WIDTHS, widths(grid)))


if __name__ == "__main__":
    main()
