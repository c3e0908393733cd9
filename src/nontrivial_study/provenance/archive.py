"""Reading ``code.zip``: the configuration and texts that results follow from, and how its code differs from another."""

import posixpath
import re
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

import nontrivial
import nontrivial_study
from nontrivial.claims.registry import read_registry
from nontrivial.files import plain
from nontrivial_study.data.bundled import expand_originals
from nontrivial_study.provenance.run import README, files_below, is_byproduct

Entries = dict[str, dict[str, Any]]
_CAPTION = re.compile(r"(?:workflow/report|src/nontrivial_study/experiments/\w+/captions)/(\w+)\.rst")


class Code(NamedTuple):
    """What verification needs of the archive."""

    datasets: Entries  # the entries of the data sets,
    models: Entries  # and of the models, by name
    claims: Entries  # as plain data, by name
    sources: Mapping[str, Mapping[str, str]]  # the documents
    captions: dict[str, str]
    readme: bytes | None  # of the results
    not_installed: list[str]  # files of the package that are not as they are installed here


def read_code(path: Path, run: Mapping[str, Any]) -> Code:
    """Read the archive of the code that made a run."""
    places = {kind: posixpath.normpath(place) for kind, place in run["config"]["files"].items()}
    with zipfile.ZipFile(path) as archive, tempfile.TemporaryDirectory() as folder:
        names = archive.namelist()
        archive.extractall(folder, [name for name in names if name.startswith(places["claims"])])
        registry = Path(folder, places["claims"])
        sources, claims = read_registry(registry) if registry.exists() else ({}, [])
        datasets, boxed, models = (
            yaml.safe_load(archive.read(places[kind])) if places.get(kind) in names else {}
            for kind in ("datasets", "common_datasets", "models")
        )
        captions = {
            match[1]: archive.read(match[0]).decode()
            for match in filter(None, map(_CAPTION.fullmatch, names))
        }
        readme = archive.read(f"results/{README}") if f"results/{README}" in names else None
    return Code(
        datasets | expand_originals(boxed),
        models | run["config"].get("own", {}).get("models", {}),
        {claim.id: plain(claim.to_json()) for claim in claims},
        sources,
        captions,
        readme,
        find_other_code(path, _installed_files(), ("src/nontrivial/", "src/nontrivial_study/")),
    )


def find_other_code(path: Path, ours: Mapping[str, Path], places: tuple[str, ...]) -> list[str]:
    """Return the paths at these places whose files are not as in the archive."""
    with zipfile.ZipFile(path) as archive:
        theirs = {name for name in archive.namelist() if name.startswith(places)}
        same = {name for name in theirs & ours.keys() if archive.read(name) == ours[name].read_bytes()}
    return sorted((ours.keys() | theirs) - same)


def _installed_files() -> dict[str, Path]:
    files = {
        f"src/{package.__name__}/{name}": file
        for package in (nontrivial, nontrivial_study)
        for name, file in files_below(Path(package.__path__[0])).items()
    }
    return {name: file for name, file in files.items() if not is_byproduct(name)}
