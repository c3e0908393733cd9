"""What a study's jobs used, beside what they ask a cluster for: python tests/slurm/used.py [snakemake arguments]

Prints a row for each rule and fails if a job that has run used more than it asks for at its first attempt.
"""

import re
import subprocess
import sys
from pathlib import Path

import pandas as pd

ENGINE_MB = 350  # what Snakemake itself takes in a job on a cluster


def asked(printed: str) -> pd.DataFrame:
    """Read from a dry run what its jobs ask for: None where that is nothing, <TBD> where a download decides."""
    rows = []
    for rule, block in re.findall(r"^(?:local)?rule (\w+):\n((?:    .*\n)+)", printed, re.MULTILINE):
        patterns = {
            "benchmark": r" benchmark: (.+)",
            "mem_mb": r"\bmem_mb=(\d+|<TBD>)",
            "runtime": r"\bruntime=(\d+|<TBD>)",
        }
        found = {name: re.search(pattern, block) for name, pattern in patterns.items()}
        rows.append({"rule": rule} | {name: match and match[1] for name, match in found.items()})
    return pd.DataFrame(rows)[lambda jobs: jobs["rule"] != "all"]


def used(jobs: pd.DataFrame, folder: Path) -> pd.DataFrame:
    """Return the jobs that ask and have run, with ``peak_mb`` and ``seconds`` of a core; NaN if too short to tell."""
    asking = jobs.dropna()
    run = asking[[(folder / path).exists() for path in asking["benchmark"]]]
    records = [pd.read_csv(folder / path, sep="\t").iloc[-1] for path in run["benchmark"]]
    return run.astype({"mem_mb": int, "runtime": int}).assign(
        peak_mb=[pd.to_numeric(record["max_rss"], errors="coerce") for record in records],
        seconds=[pd.to_numeric(record["cpu_time"], errors="coerce") for record in records],
    )


def beyond(jobs: pd.DataFrame) -> pd.DataFrame:
    """Return the jobs that used more than they ask for."""
    return jobs[(jobs["peak_mb"] + ENGINE_MB > jobs["mem_mb"]) | (jobs["seconds"] > 60 * jobs["runtime"])]


def main(arguments: list[str]) -> int:
    command = [sys.executable, "-m", "snakemake", "-n", "--forceall", "--quiet", "reason", *arguments]
    jobs = used(asked(subprocess.run(command, check=True, capture_output=True, text=True).stdout), Path())
    print(jobs.groupby("rule")[["mem_mb", "peak_mb", "runtime", "seconds"]].max().to_string())
    over = beyond(jobs)
    print(f"{len(jobs)} jobs; {len(over)} of them used more than they ask for.")
    print(over.to_string(index=False) if len(over) else "", end="")
    return int(len(over) > 0 or jobs.empty)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
