"""Comparing what was judged with what was to be judged: the claims of the registry that the manifest lists."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from nontrivial.claims.claim import Claim
from nontrivial.claims.registry import load_claims
from nontrivial.files import read_json
from nontrivial_study.provenance.manifest import NAME, RESULTS, read_manifest
from nontrivial_study.provenance.problems import DAMAGE, INCOMPLETE, MISMATCH, Problem, damaged
from nontrivial_study.provenance.project import find_listed

VERDICTS = "results/claims/verdicts.json"
USUAL_PLACE = "config/claims"


def registry_files(folder: Path) -> dict[str, str]:
    """The files of the registry with their digests, as the manifest lists them; none where there is no manifest."""
    try:
        listed = read_manifest(folder / NAME)
    except (OSError, ValueError):
        return {}
    place = registry_place(folder)
    return {
        name: digest
        for name, digest in listed.items()
        if PurePosixPath(name).parent == place and name.endswith(".yaml") and not name.startswith(RESULTS)
    }


def read_registry(folder: Path, problems: list[Problem]) -> dict[str, Claim] | None:
    """Read the claims as the manifest lists them, from the project or from the copy that the results carry.

    Without a manifest, which is a problem already, there is nothing to compare with.
    """
    if not (folder / NAME).is_file():
        return None
    files, place = registry_files(folder), registry_place(folder)
    if root := find_listed(folder, files):
        try:
            return {claim.id: claim for claim in load_claims(root / place)}
        except DAMAGE as error:
            problems.append(damaged(str(place), error))
            return None
    text = "was not found as the manifest lists it, so no verdict was checked."
    problems.append(Problem(INCOMPLETE, str(place), text))
    return None


def check_ids(ids: Iterable[str], registry: Mapping[str, Claim]) -> Iterator[Problem]:
    """Name the claims without a verdict, the verdicts on what is no claim, and an order that is not the registry's."""
    ids = list(ids)
    judged = set(ids)
    for name in sorted(registry.keys() - judged):
        yield Problem(MISMATCH, VERDICTS, f"has no verdict on {name!r}, a claim of the registry.")
    for name in sorted(judged - registry.keys()):
        text = f"is a verdict on {name!r}, which is not a claim of the registry."
        yield Problem(MISMATCH, f"results/claims/{name}.json", text)
    if [name for name in ids if name in registry] != [name for name in registry if name in judged]:
        yield Problem(MISMATCH, VERDICTS, "does not keep the order of the registry.")


def registry_place(folder: Path) -> PurePosixPath:
    """Where in the project the registry lies: a setting of the run."""
    try:
        return PurePosixPath(os.path.normpath(read_json(folder / "run.json")["config"]["files"]["claims"]))
    except (OSError, *DAMAGE):
        return PurePosixPath(USUAL_PLACE)
