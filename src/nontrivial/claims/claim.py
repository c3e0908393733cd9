"""A claim of a document, and whether its parts fit each other."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from nontrivial.claims.domains import Domain
from nontrivial.claims.formulas import Formula
from nontrivial.claims.over import Source, read_over

GROUPS = ("claim", "definition", "step", "repair", "replication", "beyond")
_ANCHOR = 6  # words


@dataclass(frozen=True)
class Claim:
    """One testable statement of a document: the keys of its entry, which ``claims.schema.json`` describes.

    Attributes
    ----------
    source, section : str
        The document, and the section in which it is.
    place : int
        Its place among the document's claims.
    presupposed : mapping of str to str
        Of what is `given`, that which the document does not say in the sentence, with the place where it does.
    command : str
        The command that makes the results that it reads.
    because : str
        Why no computation settles it: it is an opinion, or rests on what nobody published. It then has no `claim`.
    """

    id: str
    source: str
    section: str
    locator: str
    statement: str
    kind: str
    place: int
    figure: int = 0
    anchor: str = ""
    over: str | Mapping[str, Any] = ""
    given: Sequence[str] = ()
    presupposed: Mapping[str, str] = field(default_factory=dict)
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
    def about(self) -> Domain | Source:
        """What it is about."""
        return read_over(self.over, {name: Formula.number(str(text)) for name, text in self.define.items()})

    @property
    def data(self) -> tuple[str, ...]:
        """The files of the results that it reads."""
        return self.about.files if self.over and isinstance(self.about, Source) else ()

    @property
    def stated(self) -> str:
        """What is stated, in one line; empty where no computation settles it."""
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
    check_claim(claim)
    return claim


def check_claim(claim: Claim) -> None:
    """Raise ValueError if the parts of a claim do not fit each other."""
    if claim.main and claim.group not in ("claim", "definition"):
        raise ValueError("only what the document itself claims has the key 'main'.")
    if len(claim.anchor.split()) > _ANCHOR:
        raise ValueError(f"the anchor has {len(claim.anchor.split())} words; {_ANCHOR} are allowed.")
    if claim.because or claim.kind == "opinion":
        if claim.over or claim.claim:
            raise ValueError("'over' and 'claim' are for what a computation settles, not for an opinion.")
        if not claim.because:
            raise ValueError("the key 'because' is missing; an opinion says why no computation settles it.")
        return
    for key in ("over", "claim"):
        if not getattr(claim, key):
            raise ValueError(f"the key {key!r} is missing; what goes without says why under 'because'.")
    about = claim.about
    for formula in filter(None, (claim.formula, *claim.conditions, claim.proposed)):
        for name in formula.names:
            if about.names is not None and name not in about.names:
                raise ValueError(f"{name!r} is unknown; known about {about.kind}: {', '.join(about.names)}.")
    if claim.proposed is not None and isinstance(about, Source):
        raise ValueError("'exactly_when' is for claims about cases of any size.")
    if claim.data and not claim.command:
        raise ValueError("the key 'study' is missing, as it reads results.")
