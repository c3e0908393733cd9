"""What the workflow costs beside the fits: the study retrained on 40 data sets, against a plain joblib script.

The sets are downloaded first, from a server on this machine; then both ways start from the same tables, on the same
cores, one after the other, and what they computed is compared. The workflow's time ends with its tables of areas,
measures and rank disagreement. Without FOLDER, which has the form that the server reads (index.csv, openml/), the sets
are made up: 150 to 1,000 rows, 4 to 24 columns, every third set with texts and missing values. Of a folder's sets
those of two classes and fewest rows are taken. The times go to results/benchmarks/retrained.csv.
Usage: PYTHONPATH=src:tests python tests/benchmarks/bench_retrained.py [--folder FOLDER] [--sets 40] [--cores 2]
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from servers.server import Server
from sklearn.datasets import make_classification
from tiny_study import ROOT, copy_project

from nontrivial.csv_tables import write_table

TABLES = [f"results/tables/{name}.csv" for name in ("curve_areas", "measures", "rank_disagreement")]
COLOURS = np.array(["red", "green", "blue", "?"])


def make_sets(folder: Path, count: int) -> None:
    """Write ARFF files of different sizes, and the index that the server reads."""
    (folder / "openml").mkdir()
    index = ["name,file,format,rows,features,target_column,classes_and_counts,license"]
    for number in range(count):
        generator = np.random.default_rng([5, number])
        rows, columns = int(generator.integers(150, 1000)), int(generator.integers(4, 24))
        values, labels = make_classification(
            rows, columns, n_informative=3, n_redundant=1, weights=[0.5 + 0.4 * generator.random()],
            flip_y=0.1, random_state=number,
        )  # fmt: skip
        cells = np.char.mod("%.4f", values).astype(object)
        kinds = ["numeric"] * columns
        if number % 3 == 0:
            cells[generator.random(cells.shape) < 0.05] = "?"
            cells[:, 0] = COLOURS[np.clip(np.digitize(values[:, 0], [-1, 0, 1]), 0, 3)]
            kinds[0] = "{red,green,blue}"
        header = [f"@relation made_{number}", *(f"@attribute x{i} {kind}" for i, kind in enumerate(kinds))]
        lines = [",".join([*row, ("no", "yes")[label]]) for row, label in zip(cells, labels, strict=True)]
        text = "\n".join([*header, "@attribute class {no,yes}", "@data", *lines, ""])
        (folder / "openml" / f"made-{number}.arff").write_text(text, encoding="ascii")
        classes = f"no={rows - labels.sum()}; yes={labels.sum()}"
        index.append(f"made-{number},openml/made-{number}.arff,arff,{rows},{columns},class,{classes},CC0")
    (folder / "index.csv").write_text("\n".join(index) + "\n", encoding="ascii")


def suitable_tasks(server: Server, count: int) -> list[int]:
    """Return the tasks of two classes with fewest rows."""
    binary = [
        member for member in server.openml.tasks.values() if len(member.counts) == 2 and member.rows < 6000
    ]
    if len(binary) < count:
        sys.exit(
            f"The folder has {len(binary)} sets of two classes and under 6,000 rows; {count} are needed."
        )
    return [
        member.task_id for member in sorted(binary, key=lambda member: (member.rows, member.name))[:count]
    ]


def configuration(address: str, tasks: list[int]) -> dict:
    """Return what is changed of the default configuration: little but OpenML's tasks."""
    paper = yaml.safe_load((ROOT / "config" / "paper.yaml").read_text("utf-8"))
    services = {"api_url": f"{address}/api/v1/xml", "data_url": address, "tasks": tasks}
    return {
        "datasets": ["wdbc", "diabetes"],
        "tasks": ["wdbc"],
        "imbalance": {"small_multiples": ["wdbc"]},
        "losses": {"classification": ["wdbc"]},
        "downloads": {"folder": "downloads", "rate": 1000, "timeout": 60, "patience": 300},
        "openml": paper["openml"] | services,
    }


def timed(command: list[str], folder: Path) -> float:
    """Run a command and return its wall time in seconds."""
    environment = os.environ | {"PYTHONPATH": str(folder / "src")}
    started = time.perf_counter()
    done = subprocess.run(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout[-3000:]}")
    return time.perf_counter() - started


def compare(ours: Path, theirs: Path) -> None:
    """Require that both ways computed the same for the same models."""
    columns = ["task", "model", "roc_auc", "pr_auc", "prg_auc"]
    one, other = (
        pd.read_csv(path).sort_values(["task", "model"], ignore_index=True) for path in (ours, theirs)
    )
    pd.testing.assert_frame_equal(one[columns], other[columns], rtol=1e-9)
    print(f"{one['task'].nunique()} tasks, {len(one)} models, {(one['status'] != 'ok').sum()} of them failed")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--sets", type=int, default=40)
    parser.add_argument("--cores", default="2")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        project = copy_project(Path(temporary, "project"))
        folder = arguments.folder or Path(temporary, "sets")
        if not arguments.folder:
            folder.mkdir()
            make_sets(folder, arguments.sets)
        snakemake = [sys.executable, "-m", "snakemake", "--configfile", "retrained.yaml"]
        snakemake += ["--cores", arguments.cores]
        with Server(folder.resolve()) as server:
            tasks = suitable_tasks(server, arguments.sets)
            text = yaml.safe_dump(configuration(server.address, tasks))
            (project.folder / "retrained.yaml").write_text(text, encoding="utf-8")
            data = [f"results/data/openml_{number}.parquet" for number in tasks]
            download = timed([*snakemake, "results/data/wdbc.parquet", *data], project.folder)
        plain = [sys.executable, str(ROOT / "tests/benchmarks/plain_retrained.py"), arguments.cores]
        joblib = timed([*plain, str(project.folder), str(Path(temporary, "plain.csv"))], project.folder)
        workflow = timed([*snakemake, *TABLES], project.folder)
        compare(project.folder / TABLES[0], Path(temporary, "plain.csv"))
    table = pd.DataFrame(
        [{"sets": arguments.sets, "download": download, "joblib": joblib, "workflow": workflow}]
    )
    table["ratio"] = table["workflow"] / table["joblib"]
    print(table.round(3).to_string(index=False))
    write_table(ROOT / "results" / "benchmarks" / "retrained.csv", table.round(3))


if __name__ == "__main__":
    main()
