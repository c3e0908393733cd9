"""Running a study again in a temporary folder, and comparing the tables by numbers, not by bytes."""

import filecmp
import json
import os
import posixpath
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import nontrivial_study
from nontrivial.files import sha256_of
from nontrivial.schemas import read_yaml
from nontrivial.terminal import count_of, listed, waiting
from nontrivial_study.provenance.findings import INCOMPLETE, MISMATCH, ROUNDING, Findings
from nontrivial_study.provenance.manifest import CRATE, listed_files
from nontrivial_study.provenance.run import (
    CODE,
    RUN,
    files_below,
    find_changes,
    find_other_code,
    project_files,
)
from nontrivial_study.tables import read_parquet, read_texts

Record = Mapping[str, Any]
# Rounding alone moves a number by less than this, as a share of the number, or absolutely if the number is below 1.
ROUNDING_ERROR = 1e-9
_SETTINGS = "config/config.yaml"
_DOWNLOADS = "downloads"
_TELLS_WHY = re.compile(r"\w+ failed: |The study cannot start\. ")
# The page names the commit and the files of the configuration, as about.json does; `check_derived` makes it again.
_OF_ONE_RUN = {RUN, CODE, CRATE, "report/about.json", "report/index.html"}
# What is made from other results comes after these. Where rounding explains what differs in the first, the rest is made
# again from what was recorded.
_LAYERS = ("predictions/", ("tables/", "figures/"))
_DRAWN = re.compile(r"figures/.*\.(svg|pdf|png)$")


@dataclass(frozen=True)
class Difference:
    """What differs between two files, and whether rounding on another processor can explain all of it."""

    text: str
    is_rounding: bool


def find_checkout() -> Path:
    """Return the checkout that the current folder is in, or else that of this package; ValueError without one."""
    here = Path.cwd()
    for folder in (here, *here.parents, Path(nontrivial_study.__path__[0]).parents[1]):
        if (folder / "Snakefile").is_file() and (folder / "src" / "nontrivial_study").is_dir():
            return folder
    raise ValueError(f"--rerun runs the code of a checkout of the project, and {here} is in none; go to one.")


def run_again(
    findings: Findings, run: Record, pins: Record, names: Set[str], code: Path, checkout: Path
) -> dict[str, Any] | None:
    """Run the study again, and name the results that differ.

    `names` has the files of the study, `code` the unpacked code.
    """
    if lacking := list(_find_lacking(run, pins, checkout)):
        findings.add(INCOMPLETE, "", *(f"cannot be made again without {sentence}" for sentence in lacking))
        return None
    changed = find_changes(run)
    versions = [text for name, text in changed.items() if name in run["packages"]]
    models = read_yaml(code / run["config"]["files"]["models"])
    models |= run["config"].get("own", {}).get("models", {})
    unstable = {name for name, model in models.items() if "rounding" in model}
    rounded: dict[str, Difference] = {}
    with tempfile.TemporaryDirectory() as scratch:
        again = Path(scratch, "results")
        _prepare(Path(scratch), code, run, checkout)
        try:
            _run(Path(scratch), checkout)
            for layer in _LAYERS if changed else ():
                explained = {
                    name: difference
                    for name, difference in _compare(findings.folder, again, unstable).items()
                    if name.startswith(layer) and difference and difference.is_rounding
                }
                for name in explained:
                    shutil.copyfile(findings.folder / name, again / name)
                if explained:
                    _run(Path(scratch), checkout)
                rounded |= explained
        except RuntimeError as failure:
            findings.add(INCOMPLETE, "", f"cannot be made again: {failure}")
            return None
        made = listed_files(again).keys() - _OF_ONE_RUN
        compared = _compare(findings.folder, again, unstable)
    for name in sorted(names - made - _OF_ONE_RUN):
        findings.add(MISMATCH, name, "is nothing that the study run again makes.")
    for name in sorted(made - names):
        findings.add(INCOMPLETE, name, "is missing: it is something that the study run again makes.")
    for name, difference in rounded.items():
        text = f"{difference.text} Rounding may explain it; the rest was made from this file."
        findings.note(name, text, ROUNDING)
    different = {name: difference for name, difference in compared.items() if difference}
    for name, difference in different.items():
        if _DRAWN.match(name) and versions:
            findings.note(name, f"is drawn otherwise; {listed(versions)} may be the reason.")
        else:
            findings.add(MISMATCH, name, difference.text)
    return {
        "compared": len(made),
        "same_bytes": len(made & names) - len(rounded) - len(compared),
        "same_numbers": len(compared) - len(different),
        "rounding": len(rounded),
        "differ": len(different),
        "changed": list(changed.values()),
        "other_code": find_other_code(project_files(checkout), project_files(code)),
    }


def _compare(recorded: Path, again: Path, unstable: set[str]) -> dict[str, Difference | None]:
    """Return what differs between files whose bytes differ; None if their numbers are the same."""
    names = sorted(listed_files(again).keys() - _OF_ONE_RUN)
    _, others, _ = filecmp.cmpfiles(recorded, again, names, shallow=False)
    return {name: find_difference(recorded / name, again / name, unstable) for name in others}


def _find_lacking(run: Record, pins: Record, checkout: Path) -> Iterator[str]:
    """Name what a study reads from outside its results and is not here, or has changed."""
    for path, digest in run.get("own_files", {}).items():
        if not (place := _place_of(path, checkout)).is_file():
            yield f"{path} (sha256 {digest}), which is neither in the current folder nor in the checkout."
        elif sha256_of(place) != digest:
            yield f"{path} as it was (sha256 {digest}); {place} has another content."
    config = run["config"]
    names = [name for name in config["datasets"] if pins.get(name, {}).get("source") == "UCI"]
    openml = config.get("openml", {})
    names += ["what it takes from OpenML"] if openml.get("tasks") or openml.get("mode") == "archive" else []
    if names and not _place_of(_DOWNLOADS, checkout).exists():
        yield f"the study's folder downloads: {listed(names)}."


def _prepare(folder: Path, code: Path, run: Record, checkout: Path) -> None:
    """Put into an empty folder what the study reads there: the configuration, and the user's own files."""
    settings = {**run["config"], "results": "results"}
    for path in run.get("own_files", {}):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).symlink_to(_place_of(path, checkout))
    if _DOWNLOADS in settings:  # the record does not say where they are
        settings[_DOWNLOADS] = {**settings[_DOWNLOADS], "folder": str(_place_of(_DOWNLOADS, checkout))}
    (folder / "rerun.yaml").write_text(json.dumps(settings), encoding="utf-8")
    recorded = tuple(map(posixpath.normpath, (_SETTINGS, *settings["files"].values())))
    for name, file in files_below(code).items():  # no code is run
        if name.startswith(recorded):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, folder / name)


def _run(folder: Path, checkout: Path) -> None:
    """Run what is not made yet of the study in a folder; RuntimeError says why that failed."""
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(checkout / "Snakefile"), "--cores=all"]
    command += ["--configfile=rerun.yaml", "--quiet=rules", "--profile=none", "--workflow-profile=none"]
    paths = [str(checkout / "src"), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    with waiting("running the study again"):
        done = subprocess.run(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True
        )
    if done.returncode:
        lines = (done.stdout + done.stderr).decode(errors="replace").splitlines()
        reasons = list(filter(_TELLS_WHY.match, lines)) or lines[-1:] or ["it says nothing."]
        raise RuntimeError(" ".join(reasons))


def _place_of(path: str, checkout: Path) -> Path:
    """Return a path in the current folder, or in the checkout if it is not there."""
    return Path(path if os.path.exists(path) else checkout / path).absolute()


def find_difference(recorded: Path, again: Path, unstable: set[str]) -> Difference | None:
    """Compare two files that have different bytes; None if they are tables with the same values.

    A difference can come from rounding if it is at most `ROUNDING_ERROR`, or in a row of one of the `unstable` models.
    """
    if recorded.suffix not in (".csv", ".parquet"):
        return Difference("is not what the study run again gives.", False)
    first, second = map(_read_values, (recorded, again))
    if list(first) != list(second) or len(first) != len(second):
        return Difference("has other rows or columns than the study run again gives.", False)
    numbers, others = (table.apply(pd.to_numeric, errors="coerce").astype(float) for table in (first, second))
    is_same = (first == second) | (first.isna() & second.isna())
    gaps = (numbers - others).abs().fillna(np.inf).mask(is_same, 0)
    if is_same.all(axis=None):
        return None
    sizes = gaps.to_numpy()
    of_numbers = sizes[np.isfinite(sizes) & (sizes > 0)]
    counts = {"number": len(of_numbers), "text": int(np.isinf(sizes).sum())}
    parts = " and ".join(count_of(count, thing) for thing, count in counts.items() if count)
    verb = "differs" if sum(counts.values()) == 1 else "differ"
    text = f"{parts} in {count_of(int(sizes.any(axis=1).sum()), 'row')} {verb}"
    text += f", at most by {of_numbers.max():.3g}" if len(of_numbers) else ""
    rows = first[(gaps > ROUNDING_ERROR * numbers.abs().clip(lower=1).fillna(1)).any(axis=1)]
    models = sorted(set(rows["model"])) if "model" in rows else []
    text += f" (rows of {listed(models)})." if models else "."
    return Difference(text, rows.empty or ("model" in rows and unstable.issuperset(models)))


def _read_values(path: Path) -> pd.DataFrame:
    table = read_parquet(path) if path.suffix == ".parquet" else read_texts(path)
    return table.astype({name: "str" for name in table if not pd.api.types.is_float_dtype(table[name])})
