"""What the workflow costs beside its fits: the study up to its tables, beside a plain joblib script that makes them.

Both start from the same prepared data sets, on the same cores, and what they computed is compared. The studies are the
default one, that on all data sets in the box, and one that is trained on data sets that a server on this machine
hands out as OpenML does: made up, of 150 to 1,000 rows and 4 to 24 columns, every third with texts and missing values.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml
from sklearn.datasets import make_classification

from benchmarks.turns import Row, processor_time, row

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tests"))

from servers.server import Server  # noqa: E402
from tiny_study import PARTS  # noqa: E402

TABLES = [f"results/tables/{name}.csv" for name in ("curve_areas", "measures", "rank_disagreement")]
GOALS = {"default study": 1.3, "collection": 1.15, "retrained study": 1.15}
COLOURS = np.array(["red", "green", "blue", "?"])


def make_sets(folder: Path, count: int) -> None:
    """Write ARFF files of different sizes, and the index that the server reads."""
    (folder / "openml").mkdir(parents=True)
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


def trained_on(server: Server) -> dict[str, Any]:
    """Return what is changed of the default configuration: little but OpenML's tasks."""
    default, paper = (
        yaml.safe_load((ROOT / "config" / f"{name}.yaml").read_text("utf-8")) for name in ("config", "paper")
    )
    tasks = [member.task_id for member in server.openml.tasks.values()]
    services = {"api_url": f"{server.address}/api/v1/xml", "data_url": server.address, "tasks": tasks}
    return {
        "datasets": ["wdbc", "diabetes"],
        "tasks": ["wdbc"],
        "imbalance": default["imbalance"] | {"small_multiples": ["wdbc"]},
        "losses": {"classification": ["wdbc"]},
        "downloads": {"folder": "downloads", "rate": 1000, "timeout": 60, "patience": 300},
        "openml": paper["openml"] | services,
    }


def used(project: Path, *command: str) -> float:
    """Run a command of Python's in a project and return the processor time that it takes."""
    started = processor_time()
    done = subprocess.run(
        [sys.executable, *command], cwd=project, env=os.environ | {"PYTHONPATH": str(project / "src")},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout[-3000:]}")
    return processor_time() - started


def beside_joblib(study: str, settings: Mapping[str, Any], folder: Path, cores: int) -> Row:
    project, plain = folder / "project", folder / "plain"
    for place in (project, plain):
        place.mkdir(parents=True)
    for part in PARTS:
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy2
        copy(ROOT / part, project / part)
    (project / "settings.yaml").write_text(yaml.safe_dump(dict(settings)), encoding="utf-8")
    snakemake = ["-m", "snakemake", "--configfile", "settings.yaml", "--cores", str(cores), *TABLES]
    used(project, *snakemake, "--omit-from", "train_models")
    joblib = used(
        project, str(ROOT / "benchmarks" / "plain_study.py"), str(cores), "settings.yaml", str(plain)
    )
    workflow = used(project, *snakemake)
    ours, theirs = (
        pd.read_csv(path).sort_values(["task", "model"], ignore_index=True)
        for path in (project / TABLES[0], plain / "curve_areas.csv")
    )
    columns = ["task", "model", "roc_auc", "pr_auc", "prg_auc"]
    pd.testing.assert_frame_equal(ours[columns], theirs[columns], rtol=1e-9)
    case = f"up to its tables, {ours['task'].nunique()} tasks, on {cores} core{'s' * (cores > 1)}"
    return row(study, case, len(ours), "joblib", seconds=workflow, peer_seconds=joblib, goal=GOALS[study])


def rows(settings: Mapping[str, Any] | None = None, sets: int = 40, cores: int = 1) -> Iterator[Row]:
    """Yield the rows; `settings` are further ones of both studies."""
    further = settings or {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield beside_joblib("default study", further, folder / "default", cores)
        collection = yaml.safe_load((ROOT / "config" / "collection.yaml").read_text("utf-8"))
        yield beside_joblib("collection", collection | further, folder / "collection", cores)
        make_sets(folder / "sets", sets)
        with Server(folder / "sets") as server:
            yield beside_joblib("retrained study", further | trained_on(server), folder / "retrained", cores)
