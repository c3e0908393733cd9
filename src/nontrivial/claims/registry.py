"""The registry of claims: reading it, and saying in one sentence what is wrong with it."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from nontrivial.audit import tests
from nontrivial.audit.stated import Stated, parse_stated
from nontrivial.config import check, read_yaml
from nontrivial.files import find_files

_MARKS = ("main", "beyond")
_BEYOND = "Beyond the "  # as what is our own begins, so that no reader takes it for the document's


@dataclass(frozen=True)
class Claim:
    """One testable statement of a document.

    Attributes
    ----------
    id, source, locator, statement, kind : str
        Its name, where it stands, and what it says in our words; kinds are number, lemma, inequality, order,
        experiment and opinion.
    stated_text : str
        The stated value or relation as the registry has it; empty for an opinion.
    tolerance : str
        Which numbers agree with a stated one: exact, rounded or interval.
    test : str
        Name of the test; empty for an opinion.
    parameters : dict
        Its arguments, as plain data.
    data : tuple of str
        The files under the results folder that the test reads.
    command : str
        The command that makes those files.
    holds_where : str
        For a claim that fails, the condition under which it was derived to hold, which its search tries.
    repairs : str
        For a repaired reading, the id of the claim as printed.
    because : str
        For an opinion, or for a report of other work, why no computation settles it.
    note : str
        How the document was read.
    main : bool
        Whether it is one of the few that the document is about; a summary shows these.
    beyond : bool
        Whether no document states it: a theorem of our own, counted apart.
    """

    id: str
    source: str
    locator: str
    statement: str
    kind: str
    stated_text: str = ""
    tolerance: str = "rounded"
    test: str = ""
    parameters: dict[str, Any] = field(default_factory=dict)
    data: tuple[str, ...] = ()
    command: str = ""
    holds_where: str = ""
    repairs: str = ""
    because: str = ""
    note: str = ""
    main: bool = False
    beyond: bool = False

    @functools.cached_property
    def stated(self) -> Stated | None:
        """What is stated, parsed; None for an opinion."""
        return parse_stated(self.stated_text) if self.stated_text else None

    @functools.cached_property
    def arguments(self) -> dict[str, Any]:
        """The arguments of the test."""
        proposed = {"holds_where": self.holds_where} if self.holds_where else {}
        return tests.bind(self.test, {**self.parameters, **proposed}, self.stated)

    def to_json(self) -> dict[str, Any]:
        """Plain data from which `claim_from_json` makes an equal claim; ``main`` and ``beyond`` only if they are so."""
        return {key: item for key, item in asdict(self).items() if key not in _MARKS or item}


def claim_from_json(value: Mapping[str, Any]) -> Claim:
    """Make a claim of stored plain data; ValueError where it is none."""
    try:
        claim = Claim(**{**value, "data": tuple(value["data"])})
    except (TypeError, KeyError) as error:
        raise ValueError("the stored claim lacks a field or has an unknown one.") from error
    _check_claim(claim)
    return claim


def load_claims(folder: str | Path) -> list[Claim]:
    """Read and check a registry of claims.

    Parameters
    ----------
    folder : path
        A folder of YAML files, say one a document, that together are one registry. Each is of the form that
        ``claims.schema.json`` beside this module describes; a source, a study or an id may stand in one alone.

    Returns
    -------
    list of Claim
        Sorted by id.

    Raises
    ------
    ValueError
        With one sentence that names the file, the key and what is allowed.
    """
    parts = _read_parts(Path(folder))
    known = {key: _declared(parts, key) for key in ("sources", "studies")}
    claims: dict[str, Claim] = {}
    places: dict[str, str] = {}
    for path, part in parts.items():
        for entry in part.get("claims", ()):
            place = f"{path}: claim {entry['id']!r}"
            check(entry, _schema()["$defs"]["claim"], place)
            if entry["id"] in claims:
                raise ValueError(f"{place} stands there twice; each id is allowed once.")
            try:
                claims[entry["id"]] = _claim(entry, known)
            except ValueError as wrong:
                raise ValueError(f"{place}: {wrong}") from wrong
            places[entry["id"]] = place
    for claim in claims.values():
        if claim.repairs and claim.repairs not in claims.keys() - {claim.id}:
            place = places[claim.id]
            raise ValueError(f"{place}: repairs is {claim.repairs!r}; the id of another claim is allowed.")
    return [claims[name] for name in sorted(claims)]


def _read_parts(folder: Path) -> dict[Path, dict[str, Any]]:
    parts = {path: read_yaml(path) for path in find_files(folder, "*.yaml")}
    for path, part in parts.items():
        check(part, _schema(), str(path))
    if not any("claims" in part for part in parts.values()):
        raise ValueError(f"{folder} holds no YAML file of claims; at least one is needed.")
    return parts


def _declared(parts: Mapping[Path, Mapping[str, Any]], key: str) -> dict[str, str]:
    """What all files together declare under a key; ValueError where two declare the same name."""
    declared: dict[str, str] = {}
    for path, part in parts.items():
        for name, text in part.get(key, {}).items():
            if name in declared:
                raise ValueError(f"{path}: {key} has {name!r}, as another file has; once is allowed.")
            declared[name] = text
    return declared


def _claim(entry: Mapping[str, Any], registry: Mapping[str, Any]) -> Claim:
    for key, known in (("source", registry["sources"]), ("study", registry["studies"])):
        if key in entry and entry[key] not in known:
            raise ValueError(f"{key} is {entry[key]!r}; the known ones are {', '.join(known)}.")
    fields = {key: value for key, value in entry.items() if key not in ("stated", "study", "data")}
    claim = Claim(
        **fields,
        stated_text=entry.get("stated", ""),
        data=tuple(entry.get("data", ())),
        command=registry["studies"].get(entry.get("study"), ""),
    )
    _check_claim(claim)
    return claim


def _check_claim(claim: Claim) -> None:
    """Raise ValueError if the parts of a claim do not fit each other."""
    if claim.main and claim.repairs:
        raise ValueError("a repaired reading cannot have the key 'main'; the claim as printed can.")
    if claim.beyond != claim.statement.startswith(_BEYOND):
        raise ValueError(f"the key 'beyond' and a statement that begins with {_BEYOND!r} go together.")
    if claim.main and claim.beyond:
        raise ValueError("what is beyond the document cannot have the key 'main'.")
    if claim.kind == "opinion":
        if claim.test or claim.stated_text or claim.holds_where:
            raise ValueError("an opinion has no 'test', no 'stated' and no 'holds_where'.")
        if not claim.because:
            raise ValueError("the key 'because' is missing; an opinion says why no computation settles it.")
        return
    if claim.because:
        raise ValueError("the key 'because' is for an opinion, which has no test.")
    for key, value in (("test", claim.test), ("stated", claim.stated_text)):
        if not value:
            raise ValueError(f"the key {key!r} is missing; only an opinion goes without.")
    arguments = claim.arguments
    if not tests.answers(claim.test, claim.stated):
        raise ValueError(f"test {claim.test!r} cannot answer the stated {claim.stated_text!r}.")
    if tests.needs_results(claim.test):
        if not claim.data or not claim.command:
            raise ValueError(f"test {claim.test!r} reads results: the keys 'data' and 'study' are needed.")
        if arguments.get("table", claim.data[0]) not in claim.data:
            raise ValueError(
                f"parameter 'table' is {arguments['table']!r}; allowed: {', '.join(claim.data)}."
            )


@functools.cache
def _schema() -> dict[str, Any]:
    return json.loads(resources.files(__package__).joinpath("claims.schema.json").read_text(encoding="utf-8"))
