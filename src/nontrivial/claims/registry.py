"""The registry of claims: reading it, and saying in one sentence what is wrong with it."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from nontrivial.claims.domains import Domain
from nontrivial.claims.formulas import Formula
from nontrivial.claims.over import Source, check_formulas, read_over
from nontrivial.claims.printed import Printed
from nontrivial.config import check, read_yaml
from nontrivial.files import find_files

GROUPS = ("claim", "definition", "step", "repair", "replication", "beyond")
_ANCHOR = 6  # words


@dataclass(frozen=True)
class Claim:
    """One testable statement of a document.

    Attributes
    ----------
    id, source, section, locator, anchor, statement, kind : str
        Its name, the document, where it stands in it, words to find it by, and what it says in our words; kinds are
        number, lemma, inequality, order, experiment, replication, definition and opinion.
    place : int
        Its place among the document's claims.
    over, given, define, claim, exactly_when, tolerance
        What is claimed, of what, as the registry says it; see `nontrivial.claims.syntax` and
        `nontrivial.claims.over`. An opinion has none of it.
    command : str
        The command that makes the results that it reads.
    repairs, step_of : str
        The claim that it mends, or to whose proof it belongs as a step.
    because : str
        For an opinion, or for a report of other work, why no computation settles it.
    note : str
        How the document was read.
    main : bool
        Whether it is one of the few that the document is about.
    beyond : bool
        Whether no document states it: a theorem of our own.
    """

    id: str
    source: str
    section: str
    locator: str
    statement: str
    kind: str
    place: int
    anchor: str = ""
    over: str | Mapping[str, Any] = ""
    given: Sequence[str] = ()
    define: Mapping[str, str] = field(default_factory=dict)
    claim: str = ""
    exactly_when: str = ""
    tolerance: str = "rounded"
    command: str = ""
    repairs: str = ""
    step_of: str = ""
    because: str = ""
    note: str = ""
    main: bool = False
    beyond: bool = False

    @property
    def group(self) -> str:
        """The group in which it is counted, one of `GROUPS`."""
        if self.beyond:
            return "beyond"
        if self.repairs:
            return "repair"
        if self.step_of:
            return "step"
        return self.kind if self.kind in ("definition", "replication") else "claim"

    @functools.cached_property
    def formula(self) -> Formula:
        """What is claimed."""
        return Formula.condition(self.claim)

    @functools.cached_property
    def conditions(self) -> tuple[Formula, ...]:
        """What is presupposed."""
        return tuple(map(Formula.condition, self.given))

    @functools.cached_property
    def proposed(self) -> Formula | None:
        """Where the claim was derived to hold."""
        return Formula.condition(self.exactly_when) if self.exactly_when else None

    @functools.cached_property
    def about(self) -> tuple[Domain | Source, Mapping[str, Formula]]:
        """What it is about, and definitions to apply there."""
        return read_over(self.over, {name: Formula.number(str(text)) for name, text in self.define.items()})

    @property
    def data(self) -> tuple[str, ...]:
        """The files of the results that it reads."""
        return self.about[0].files if self.over and isinstance(self.about[0], Source) else ()

    @property
    def stated(self) -> str:
        """What is stated, in one line; empty for an opinion."""
        return " if ".join(filter(None, [self.claim, " and ".join(self.given)]))

    def to_json(self) -> dict[str, Any]:
        """Plain data from which `claim_from_json` makes an equal claim; empty fields are left out."""
        return {
            key: list(item) if isinstance(item, tuple) else item
            for key, item in asdict(self).items()
            if item or key == "place"
        }


def claim_from_json(value: Mapping[str, Any]) -> Claim:
    """Make a claim from stored plain data; ValueError if that is none."""
    try:
        claim = Claim(**value)
    except TypeError as error:
        raise ValueError("the stored claim lacks a field or has an unknown one.") from error
    _check_claim(claim)
    return claim


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
        entries = [
            (section["section"], entry) for section in part.get("sections", ()) for entry in section["claims"]
        ]
        if entries and part.get("source") not in sources:
            raise ValueError(f"{path}: source is {part.get('source')!r}; known: {', '.join(sources)}.")
        for place, (section, entry) in enumerate(entries, start=1):
            try:
                check(entry, _schema()["$defs"]["claim"])
                if entry["id"] in claims:
                    raise ValueError("it has an id that another claim has; each id is allowed once.")
                claim = _claim(entry, source=part["source"], section=section, place=place, studies=studies)
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


def _claim(
    entry: Mapping[str, Any], *, source: str, section: str, place: int, studies: Mapping[str, str]
) -> Claim:
    fields = dict(entry)
    study = fields.pop("study", None)
    if study is not None and study not in studies:
        raise ValueError(f"study is {study!r}; known: {', '.join(studies)}.")
    known: dict[str, Any] = {"source": source, "section": section, "locator": section, "place": place}
    claim = Claim(**(known | fields), command=studies.get(study, ""))
    _check_claim(claim)
    return claim


def _check_claim(claim: Claim) -> None:
    """Raise ValueError if the parts of a claim do not fit each other."""
    if claim.main and claim.group not in ("claim", "definition"):
        raise ValueError("only what the document itself claims has the key 'main'.")
    if len(claim.anchor.split()) > _ANCHOR:
        raise ValueError(f"the anchor has {len(claim.anchor.split())} words; {_ANCHOR} are allowed.")
    if claim.kind == "opinion":
        if claim.over or claim.claim:
            raise ValueError("an opinion has no 'over' and no 'claim'.")
        if not claim.because:
            raise ValueError("the key 'because' is missing; an opinion says why no computation settles it.")
        return
    if claim.because:
        raise ValueError("the key 'because' is for an opinion, which has no 'claim'.")
    for key in ("over", "claim"):
        if not getattr(claim, key):
            raise ValueError(f"the key {key!r} is missing; only an opinion goes without.")
    proposed = [] if claim.proposed is None else [claim.proposed]
    check_formulas(claim.about[0], [claim.formula, *claim.conditions, *proposed], claim.about[1])
    if claim.proposed is not None and isinstance(claim.about[0], Source):
        raise ValueError("'exactly_when' is for claims about cases of any size.")
    if claim.formula.printed is not None and isinstance(claim.about[0], Source) and not claim.about[0].many:
        Printed.parse(claim.formula.printed[1])
    if claim.data and not claim.command:
        raise ValueError("the key 'study' is missing, as it reads results.")


@functools.cache
def _schema() -> dict[str, Any]:
    text = resources.files(__package__).joinpath("claims.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
