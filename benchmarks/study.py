"""What the workflow costs beside its fits: the study up to its tables, beside a plain joblib script that makes them.

Both start from the same prepared data sets, on the same cores, and what they computed is compared. The studies are the
default one and that on all data sets in the box.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from benchmarks.turns import Row, processor_time, row

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tests"))

from tiny_study import PARTS  # noqa: E402

TABLES = [f"results/tables/{name}.csv" for name in ("curve_areas", "measures", "rank_disagreement")]
GOALS = {"default study": 1.3, "collection": 1.15}


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
    joblib = used(project, str(ROOT / "benchmarks" / "plain_study.py"), str(cores), "settings.yaml", str(plain))
    workflow = used(project, *snakemake)
    ours, theirs = (
        pd.read_csv(path).sort_values(["task", "model"], ignore_index=True)
        for path in (project / TABLES[0], plain / "curve_areas.csv")
    )
    columns = ["task", "model", "roc_auc", "pr_auc", "prg_auc"]
    pd.testing.assert_frame_equal(ours[columns], theirs[columns], rtol=1e-9)
    case = f"up to its tables, {ours['task'].nunique()} tasks, on {cores} core{'s' * (cores > 1)}"
    return row(study, case, len(ours), "joblib", seconds=workflow, peer_seconds=joblib, goal=GOALS[study])


def rows(settings: Mapping[str, Any] | None = None, cores: int = 1) -> Iterator[Row]:
    """Yield the rows; `settings` are further ones of both studies."""
    further = settings or {}
    collection = yaml.safe_load((ROOT / "config" / "collection.yaml").read_text("utf-8"))
    with tempfile.TemporaryDirectory() as name:
        yield beside_joblib("default study", further, Path(name) / "default", cores)
        yield beside_joblib("collection", collection | further, Path(name) / "collection", cores)
