"""What the workflow costs beside its work: the default study up to its tables against a plain joblib script.

Both run in turn on the same cores, each from nothing; the tables of both are compared first, so that the same
fits and scores are timed. Then the rest of the default study, figures and page included. The times go to
results/benchmarks/study.csv.
Usage: python tests/benchmarks/bench_study.py [--cores 2] [--rounds 1]
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pandas as pd

from nontrivial.csv_tables import write_table

ROOT = Path(__file__).parents[1]
TABLES = [
    "curve_areas",
    "measures",
    "rank_disagreement",
    "imbalance_noise",
    "exam",
    "p4_examples",
    "haberman_published",
]


def timed(command: list[str], folder: Path) -> float:
    """Run a command in a folder and return its wall time in seconds."""
    environment = os.environ | {"PYTHONPATH": str(folder / "src")}
    start = time.perf_counter()
    subprocess.run(
        command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT
    )
    return time.perf_counter() - start


def run_round(cores: int) -> dict[str, float]:
    """Time both ways once, each in a folder of its own, and compare what they computed."""
    with tempfile.TemporaryDirectory() as temporary:
        project, plain = Path(temporary, "project"), Path(temporary, "plain")
        plain.mkdir()
        project.mkdir()
        for part in ("workflow", "config", "src", "envs"):
            shutil.copytree(ROOT / part, project / part)
        shutil.copy(ROOT / "Snakefile", project)
        joblib = timed(
            [sys.executable, str(ROOT / "tests/benchmarks/plain_study.py"), str(cores), str(plain)], project
        )
        snakemake = [sys.executable, "-m", "snakemake", "--cores", str(cores)]
        tables = timed([*snakemake, *(f"results/tables/{name}.csv" for name in TABLES)], project)
        rest = timed(snakemake, project)
        ours = pd.read_csv(project / "results/tables/curve_areas.csv")
        theirs = pd.read_csv(plain / "curve_areas.csv")
        columns = ["task", "model", "roc_auc", "pr_auc", "prg_auc"]
        pd.testing.assert_frame_equal(ours[columns], theirs[columns], rtol=1e-9)
    return {"joblib": joblib, "to_tables": tables, "whole": tables + rest}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=1)
    arguments = parser.parse_args()
    rounds = pd.DataFrame([run_round(arguments.cores) for _ in range(arguments.rounds)])
    rounds.insert(0, "cores", arguments.cores)
    rounds["ratio_to_tables"] = rounds["to_tables"] / rounds["joblib"]
    print(rounds.round(2).to_string(index=False))
    write_table(ROOT / "results" / "benchmarks" / "study.csv", rounds.round(3))


if __name__ == "__main__":
    main()
