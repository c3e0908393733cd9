"""Comparing the copy of the code in the results with the code that is installed here, which the verifier trusts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import nontrivial
from nontrivial.files import sha256_of
from nontrivial.terminal import listed
from nontrivial_study.provenance.manifest import RESULTS
from nontrivial_study.provenance.problems import MISMATCH, UNCHECKED, Problem
from nontrivial_study.provenance.project import COPY, PLACES, project_files, walk, without_byproducts
from nontrivial_study.provenance.verify_files import compare

SOURCE = Path(nontrivial.__file__).parents[1]
_PACKAGES = ("nontrivial", "nontrivial_study")
_USERS = "config/"  # the user's to change


def checkout() -> Path | None:
    """The checkout of the project from which the package is installed; None if it is installed without the workflow."""
    return SOURCE.parent if (SOURCE.parent / "Snakefile").is_file() else None


def same_version(run: Mapping[str, Any]) -> bool:
    """Tell whether results are of the version that is installed."""
    return bool(run["packages"].get("nontrivial") == version("nontrivial"))


def check_code(results: Path, run: Mapping[str, Any]) -> Iterator[Problem]:
    """Compare ``code/`` with the installed package, and with the workflow where that is installed, too."""
    if not same_version(run):
        made, here = run["packages"].get("nontrivial"), version("nontrivial")
        text = f"is of nontrivial {made}, not the installed {here}: it was not compared, and no page was rendered."
        yield Problem(UNCHECKED, f"{RESULTS}{COPY}", text)
        return
    installed = _installed()
    parts = tuple(PLACES) if checkout() else tuple(f"src/{name}/" for name in _PACKAGES)
    present = {
        name: path
        for name, path in without_byproducts(dict(walk(results / COPY, ""))).items()
        if name.startswith(parts) and not name.startswith(_USERS)
    }
    yield from compare(
        {f"{RESULTS}{COPY}/{name}": path for name, path in present.items()},
        {f"{RESULTS}{COPY}/{name}": sha256_of(path) for name, path in installed.items()},
        "the installed package",
    )
    yield from _check_readme(results)
    yield from _check_workflow(results)


def _check_readme(results: Path) -> Iterator[Problem]:
    """Compare the page that says what is where with the one in the copy of the code."""
    readme, origin = results / "README.md", results / COPY / "workflow" / "report" / "results.md"
    if readme.is_file() and origin.is_file() and sha256_of(readme) != sha256_of(origin):
        text = f"is not {RESULTS}{COPY}/workflow/report/results.md, of which it is a copy."
        yield Problem(MISMATCH, f"{RESULTS}README.md", text)


def _check_workflow(results: Path) -> Iterator[Problem]:
    """Say what of the copy cannot be compared with what is installed, or is the user's to change."""
    here = checkout()
    if here is None:
        text = "was not compared: the package is not installed from a checkout, which would have it."
        yield Problem(UNCHECKED, f"{RESULTS}{COPY}/workflow", text)
        return
    ours = {name: sha256_of(path) for name, path in project_files(here).items() if name.startswith(_USERS)}
    copy = {name: sha256_of(path) for name, path in walk(results / COPY / "config", "config/")}
    other = sorted(name for name in ours.keys() | copy.keys() if ours.get(name) != copy.get(name))
    if other:
        text = f"is not that of the installed checkout, and was taken as it is: {listed(other)}."
        yield Problem(UNCHECKED, f"{RESULTS}{COPY}/config", text)


def _installed() -> dict[str, Path]:
    """The files of the installed code, by their paths in the project."""
    if here := checkout():
        return {name: path for name, path in project_files(here).items() if not name.startswith(_USERS)}
    return without_byproducts(
        {name: path for package in _PACKAGES for name, path in walk(SOURCE / package, f"src/{package}/")}
    )
