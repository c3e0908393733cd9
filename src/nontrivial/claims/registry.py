"""The registry of claims: reading it, and saying in one sentence what is wrong with it."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from nontrivial.claims.claim import Claim, check_claim
from nontrivial.claims.formulas import Formula
from nontrivial.files import find_files
from nontrivial.schemas import check, read_yaml


def load_claims(registry: str | Path) -> list[Claim]:
    """Read and check a registry of claims.

    Parameters
    ----------
    registry : path
        A YAML file, or a folder of YAML files, say one a document, that together are one registry. Each is of the form
        that ``claims.schema.json`` beside this module describes.

    Returns
    -------
    list of Claim
        Main claims first, then in the order of the documents.

    Raises
    ------
    ValueError
        With one sentence that names the file, the key and what is allowed.
    """
    claims, wrong = read_entries(registry)
    if wrong:
        raise ValueError(str(wrong[0]))
    return claims


@dataclass(frozen=True)
class WrongEntry:
    """An entry of a registry that cannot be judged.

    Attributes
    ----------
    path : Path
        The file.
    place : int
        Its place among the file's claims, from 1 on.
    id, sentence : str
        Its id, and what is wrong with it.
    """

    path: Path
    place: int
    id: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.path}: claim {self.id!r}: {self.sentence}"


def read_entries(registry: str | Path) -> tuple[list[Claim], list[WrongEntry]]:
    """Read a registry's entries: those that can be judged, in the order of `load_claims`, and those that cannot.

    Raises
    ------
    ValueError
        With one sentence, for a file that is no registry.
    """
    parts = _read_parts(Path(registry))
    sources, studies = (_declared(parts, key) for key in ("sources", "studies"))
    claims: dict[str, tuple[Claim, Path]] = {}
    wrong = []
    for path, part in parts.items():
        entries = [(section, entry) for section in part.get("sections", ()) for entry in section["claims"]]
        presupposed = _presupposed(part, path)
        if entries and part.get("source") not in sources:
            given = f"source is {part['source']!r}" if "source" in part else "the key 'source' is missing"
            allowed = ", ".join(sources) or "none; the key 'sources' declares documents"
            raise ValueError(f"{path}: {given}; known: {allowed}.")
        for place, (section, entry) in enumerate(entries, start=1):
            there = {"source": part["source"]} | {key: section[key] for key in section if key != "claims"}
            try:
                check(entry, _schema()["$defs"]["claim"])
                if entry["id"] in claims:
                    raise ValueError("it has an id that another claim has; each id is allowed once.")
                claim = _claim(there | entry, place, presupposed, studies)
                claims[claim.id] = claim, path
            except ValueError as error:
                wrong.append(WrongEntry(path, place, entry["id"], str(error)))
    known = dict.fromkeys(entry.id for entry in wrong) | {name: claim for name, (claim, _) in claims.items()}
    for claim, path in claims.values():
        if problem := _parent_problem(claim, known):
            wrong.append(WrongEntry(path, claim.place, claim.id, problem))
    order = list(sources)
    judged = sorted(
        (claim for claim, _ in claims.values()),
        key=lambda claim: (not claim.main, order.index(claim.source), claim.place),
    )
    return judged, wrong


def _parent_problem(claim: Claim, known: Mapping[str, Claim | None]) -> str:
    """Say what is wrong with the claim that one repairs or is a step of; empty if nothing is."""
    for key, other in (("repairs", claim.repairs), ("step_of", claim.step_of)):
        if other and other not in known.keys() - {claim.id}:
            return f"{key} is {other!r}; the id of another claim is allowed."
    above, parent = {claim.id}, claim.repairs or claim.step_of
    while parent:
        if parent in above:
            return "it repairs, or is a step of, a claim that depends on it."
        above.add(parent)
        there = known.get(parent)
        parent = there.repairs or there.step_of if there else ""
    return ""


def read_sources(registry: str | Path) -> dict[str, dict[str, str]]:
    """Read the documents of a registry: by their short names ``title`` and ``address``."""
    return _declared(_read_parts(Path(registry)), "sources")


def _read_parts(registry: Path) -> dict[Path, dict[str, Any]]:
    paths = find_files(registry, "*.yaml") if registry.is_dir() else [registry]
    parts = {path: read_yaml(path) for path in paths}
    for path, part in parts.items():
        check(part, _schema(), str(path))
    if not any("sections" in part for part in parts.values()):
        raise ValueError(f"{registry} holds no claims; at least one is needed, under the key sections.")
    return parts


def _declared(parts: Mapping[Path, Mapping[str, Any]], key: str) -> dict[str, Any]:
    """What all files together declare under a key; ValueError where two declare the same name."""
    declared: dict[str, Any] = {}
    for path, part in parts.items():
        for name, value in part.get(key, {}).items():
            if name in declared:
                raise ValueError(
                    f"{path}: {key} has {name!r}, which another file has too; each is allowed once."
                )
            declared[name] = value
    return declared


def _presupposed(part: Mapping[str, Any], path: Path) -> dict[str, str]:
    """Return where a document presupposes a condition, by the condition."""
    places: dict[str, str] = {}
    for place, texts in part.get("presupposed", {}).items():
        for text in texts:
            try:
                Formula.condition(text)
            except ValueError as error:
                raise ValueError(f"{path}: presupposed, {place!r}: {error}") from error
            if places.setdefault(text, place) != place:
                raise ValueError(f"{path}: presupposed has {text!r} at two places; one is allowed.")
    return places


def _claim(
    fields: dict[str, Any], place: int, presupposed: Mapping[str, str], studies: Mapping[str, str]
) -> Claim:
    study = fields.pop("study", None)
    if study is not None and study not in studies:
        raise ValueError(f"study is {study!r}; known: {', '.join(studies)}.")
    fields = {"locator": fields["section"], "place": place, "command": studies.get(study, "")} | fields
    given = fields.get("given", ())
    claim = Claim(**fields, presupposed={text: presupposed[text] for text in given if text in presupposed})
    check_claim(claim)
    return claim


@functools.cache
def _schema() -> dict[str, Any]:
    text = resources.files(__package__).joinpath("claims.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
