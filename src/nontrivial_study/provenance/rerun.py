"""A second run of a study in a temporary folder; its tables are compared by numbers, other files by bytes."""

import filecmp
import json
import os
import posixpath
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Set
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

import nontrivial_study
from nontrivial.files import sha256_of
from nontrivial.schemas import read_yaml
from nontrivial.terminal import announce_long_work, count_of, listed
from nontrivial_study.data.canonical import Record
from nontrivial_study.provenance import run
from nontrivial_study.provenance.recorded import INCOMPLETE, MISMATCH, ROUNDING, Findings, RecordedStudy
from nontrivial_study.tables import read_parquet, read_texts

# Rounding changes a number by at most this share of the number, or by at most this amount below 1.
ROUNDING_ERROR = 1e-9
_CONFIGURATION = "config/config.yaml"
_DOWNLOADS = "downloads"
_REASON_LINE = re.compile(r"\w+ failed: |The study cannot start\. ")
# These files differ between any two runs. `check_derived` compares the page in another way.
_RUN_SPECIFIC = {run.RUN, run.CODE, run.CRATE, "report/about.json", "report/index.html"}
# The second stage uses results of the first. If rounding explains differences in the first stage, the
# second is computed from the recorded files.
_STAGES = ("predictions/", ("tables/", "figures/"))
_IMAGE = re.compile(r"figures/.*\.(svg|pdf|png)$")


@dataclass(frozen=True)
class FileDifference:
    """The difference between two files in words, and whether rounding on another processor can explain all of it."""

    text: str
    is_rounding: bool


def find_checkout() -> Path:
    """Return the checkout around the current folder, or else around this package. Raise ValueError without one."""
    current = Path.cwd()
    for folder in (current, *current.parents, Path(nontrivial_study.__path__[0]).parents[1]):
        if (folder / "Snakefile").is_file() and (folder / "src" / "nontrivial_study").is_dir():
            return folder
    raise ValueError(f"--rerun runs the code of a checkout of the project, and {current} is in none; go to one.")


def run_again(findings: Findings, study: RecordedStudy, names: Set[str], checkout: Path) -> Record | None:
    """Run a study again with the code of a checkout. Report which of the files `names` differ, and count the files."""
    if missing := list(_find_missing_inputs(study, checkout)):
        findings.add(INCOMPLETE, "", *(f"cannot be made again without {sentence}" for sentence in missing))
        return None
    changes = run.environment_changes(study.run)
    models = read_yaml(study.config_path("models")) | study.run["config"].get("own", {}).get("models", {})
    unstable = {name for name, model in models.items() if "rounding" in model}
    rounded: dict[str, FileDifference] = {}
    with tempfile.TemporaryDirectory() as scratch:
        results = Path(scratch, "results")
        _prepare_folder(Path(scratch), study, checkout)
        try:
            _run_study(Path(scratch), checkout)
            for stage in _STAGES if changes else ():
                explained = {
                    name: difference
                    for name, difference in _compare_files(findings.folder, results, unstable).items()
                    if name.startswith(stage) and difference and difference.is_rounding
                }
                for name in explained:
                    shutil.copyfile(findings.folder / name, results / name)
                if explained:
                    _run_study(Path(scratch), checkout)
                rounded |= explained
        except RuntimeError as failure:
            findings.add(INCOMPLETE, "", f"cannot be made again: {failure}")
            return None
        made = run.listed_files(results).keys() - _RUN_SPECIFIC
        compared = _compare_files(findings.folder, results, unstable)
    for name in sorted(names - made - _RUN_SPECIFIC):
        findings.add(MISMATCH, name, "is nothing that the study run again makes.")
    for name in sorted(made - names):
        findings.add(INCOMPLETE, name, "is missing: it is something that the study run again makes.")
    for name, difference in rounded.items():
        text = f"{difference.text} Rounding may explain it; the rest was made from this file."
        findings.note(name, text, ROUNDING)
    different = {name: difference for name, difference in compared.items() if difference}
    versions = [text for name, text in changes.items() if name in study.run["packages"]]
    for name, difference in different.items():
        if _IMAGE.match(name) and versions:
            findings.note(name, f"is drawn otherwise; {listed(versions)} may be the reason.")
        else:
            findings.add(MISMATCH, name, difference.text)
    return {
        "compared": len(made),
        "same_bytes": len(made & names) - len(rounded) - len(compared),
        "same_numbers": len(compared) - len(different),
        "rounding": len(rounded),
        "differ": len(different),
        "changed": list(changes.values()),
        "other_code": run.differing_files(run.project_files(checkout), run.project_files(study.code)),
    }


def _compare_files(recorded: Path, again: Path, unstable: set[str]) -> dict[str, FileDifference | None]:
    """Return the difference of each file whose bytes differ. It is None for a table with the same values."""
    names = sorted(run.listed_files(again).keys() - _RUN_SPECIFIC)
    _, differing, _ = filecmp.cmpfiles(recorded, again, names, shallow=False)
    return {name: find_difference(recorded / name, again / name, unstable) for name in differing}


def _find_missing_inputs(study: RecordedStudy, checkout: Path) -> Iterator[str]:
    """Name the inputs from outside the results that are missing here or have changed."""
    for path, digest in study.run.get("own_files", {}).items():
        if not (file := _find_input(path, checkout)).is_file():
            yield f"{path} (sha256 {digest}), which is neither in the current folder nor in the checkout."
        elif sha256_of(file) != digest:
            yield f"{path} as it was (sha256 {digest}); {file} has another content."
    config, datasets = study.run["config"], study.datasets or {}
    downloaded = [name for name in config["datasets"] if datasets.get(name, {}).get("source") == "UCI"]
    openml = config.get("openml", {})
    if openml.get("tasks") or openml.get("mode") == "archive":
        downloaded.append("what it takes from OpenML")
    if downloaded and not _find_input(_DOWNLOADS, checkout).exists():
        yield f"the study's folder downloads: {listed(downloaded)}."


def _prepare_folder(folder: Path, study: RecordedStudy, checkout: Path) -> None:
    """Put the configuration and the user's own files into an empty folder, in which the study will run."""
    settings = {**study.run["config"], "results": "results"}
    for path in study.run.get("own_files", {}):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).symlink_to(_find_input(path, checkout))
    if _DOWNLOADS in settings:  # the record leaves out their folder
        settings[_DOWNLOADS] = {**settings[_DOWNLOADS], "folder": str(_find_input(_DOWNLOADS, checkout))}
    (folder / "rerun.yaml").write_text(json.dumps(settings), encoding="utf-8")
    configuration = tuple(map(posixpath.normpath, (_CONFIGURATION, *settings["files"].values())))
    for name, file in run.files_below(study.code).items():  # the archived code itself is never run
        if name.startswith(configuration):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, folder / name)


def _run_study(folder: Path, checkout: Path) -> None:
    """Make the results that are missing or out of date in a folder. Raise RuntimeError with the reason of a failure."""
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(checkout / "Snakefile"), "--cores=all"]
    command += ["--configfile=rerun.yaml", "--quiet=rules", "--profile=none", "--workflow-profile=none"]
    paths = [str(checkout / "src"), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    with announce_long_work("running the study again"):
        process = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True)
    if process.returncode:
        lines = (process.stdout + process.stderr).decode(errors="replace").splitlines()
        reasons = list(filter(_REASON_LINE.match, lines)) or lines[-1:] or ["it says nothing."]
        raise RuntimeError(" ".join(reasons))


def _find_input(path: str, checkout: Path) -> Path:
    """Return a path in the current folder, or in the checkout if it does not exist there."""
    return Path(path if os.path.exists(path) else checkout / path).absolute()


def find_difference(recorded: Path, again: Path, unstable: set[str]) -> FileDifference | None:
    """Compare two files with different bytes. Return None if they are tables with the same values.

    Rounding can explain a difference up to `ROUNDING_ERROR`, and any difference in a row of an unstable model.
    """
    if recorded.suffix not in (".csv", ".parquet"):
        return FileDifference("is not what the study run again gives.", False)
    old, new = map(_read_values, (recorded, again))
    if list(old) != list(new) or len(old) != len(new):
        return FileDifference("has other rows or columns than the study run again gives.", False)
    is_same = (old == new) | (old.isna() & new.isna())
    if is_same.all(axis=None):
        return None
    numbers = [table.apply(pd.to_numeric, errors="coerce").astype(float) for table in (old, new)]
    gaps = (numbers[0] - numbers[1]).abs().fillna(np.inf).mask(is_same, 0)  # infinite between texts
    sizes = gaps.to_numpy()
    number_gaps = sizes[np.isfinite(sizes) & (sizes > 0)]
    counts = {"number": len(number_gaps), "text": int(np.isinf(sizes).sum())}
    parts = " and ".join(count_of(count, noun) for noun, count in counts.items() if count)
    verb = "differs" if sum(counts.values()) == 1 else "differ"
    text = f"{parts} in {count_of(int(sizes.any(axis=1).sum()), 'row')} {verb}"
    text += f", at most by {number_gaps.max():.3g}" if len(number_gaps) else ""
    is_large = gaps > ROUNDING_ERROR * numbers[0].abs().clip(lower=1).fillna(1)
    rows = old[is_large.any(axis=1)]
    models = sorted(set(rows["model"])) if "model" in rows else []
    text += f" (rows of {listed(models)})." if models else "."
    return FileDifference(text, rows.empty or ("model" in rows and unstable.issuperset(models)))


def _read_values(path: Path) -> pd.DataFrame:
    """Read a table. The numbers of a Parquet file stay numbers, and all other cells become texts."""
    table = read_parquet(path) if path.suffix == ".parquet" else read_texts(path)
    return table.astype({name: "str" for name in table if not pd.api.types.is_float_dtype(table[name])})
