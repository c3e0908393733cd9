"""The claims by document and section, and where each one leads: its document, figure, table and job."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from nontrivial.claims.verdict import VERDICT_WORDS
from nontrivial_study.report.captions import DOCUMENTS, display_name, document_rank
from nontrivial_study.report.claims import ShownClaim

# What is counted apart from the documents' claims, by name.
APART = {
    "definition": "definition",
    "step": "proof step",
    "repair": "repaired reading",
    "replication": "replication on other data",
    "beyond": "theorem of our own",
}
BEYOND = "Beyond the documents"


@dataclass(frozen=True)
class Places:
    """Where a claim leads on the page; empty where there is no such place.

    Attributes
    ----------
    figure, table, job : str
        The names of a figure, of a table and of the rule that made what the claim was judged by.
    """

    figure: str
    table: str
    job: str


@dataclass(frozen=True)
class Section:
    """A section of a document with its entries."""

    name: str
    entries: Sequence[ShownClaim]

    @property
    def short(self) -> str:
        """The name as it stands before a row of squares."""
        return self.name.removeprefix("Section ")

    @property
    def counts(self) -> dict[str, int]:
        """How many claims there are of each verdict; what is counted apart is left out."""
        return count_verdicts(self.entries)


@dataclass(frozen=True)
class Document:
    """A document with its sections, in its order."""

    name: str
    title: str
    address: str
    sections: Sequence[Section]

    @property
    def heading(self) -> str:
        """The name as a heading."""
        return display_name(self.name)

    @property
    def entries(self) -> list[ShownClaim]:
        """All entries of all sections."""
        return [claim for section in self.sections for claim in section.entries]

    @property
    def counts(self) -> dict[str, int]:
        """How many claims there are of each verdict; what is counted apart is left out."""
        return count_verdicts(self.entries)

    @property
    def apart(self) -> int:
        """How many entries are counted apart."""
        return len(self.entries) - sum(self.counts.values())


def count_verdicts(claims: Iterable[ShownClaim]) -> dict[str, int]:
    """Count the documents' claims by verdict, without what is counted apart."""
    counts = dict.fromkeys(VERDICT_WORDS, 0)
    for claim in claims:
        if claim.record["group"] not in APART:
            counts[claim.record["verdict"]] += 1
    return counts


def group_claims(claims: Sequence[ShownClaim], sources: Mapping[str, Mapping[str, str]]) -> list[Document]:
    """Group claims by document and section; what no document states comes last, by the document that it is near to."""
    found: dict[str, dict[str, list[ShownClaim]]] = {}
    document, section = "", ""
    for claim in claims:
        record = claim.record
        if claim.level == 0:  # what belongs to a claim stands with it
            is_ours = record["group"] == "beyond"
            document = BEYOND if is_ours else record["source"]
            section = display_name(record["source"]) if is_ours else record["section"]
        found.setdefault(document, {}).setdefault(section, []).append(claim)
    return [
        Document(
            name,
            sources.get(name, {}).get("title", ""),
            sources.get(name, {}).get("address", ""),
            [Section(heading, entries) for heading, entries in found[name].items()],
        )
        for name in sorted(found, key=lambda name: (name == BEYOND, document_rank(name)))
    ]


def find_places(
    claim: ShownClaim, figures: Iterable[str], tables: Iterable[str], rules: Mapping[str, Any]
) -> Places:
    """Find where a claim leads.

    Parameters
    ----------
    claim : ShownClaim
    figures, tables : iterable of str
        The names of those on the page.
    rules : mapping
        By name, which rules each ``reads`` from and which tables of the results it ``makes``.
    """
    record, shown = claim.record, list(figures)
    read = [PurePath(name).stem for name in record["data"] if name.startswith("tables/")]
    table = next((name for name in read if name in tables), "")
    makers = [rule for rule, step in rules.items() if set(record["data"]) & set(step["makes"])]
    job = next(iter(makers), "judge_claims")
    made = [name for rule in makers for name in rules[rule]["makes"]]
    drawn = {PurePath(name).stem for name in made if name.startswith("figures/")}
    prefix = next((key for key, document in DOCUMENTS.items() if document == record["source"]), "")
    own = f"{prefix}_figure_{claim.figure}"
    figure = own if own in shown else next((name for name in shown if name in drawn), "")
    return Places(figure, table, job if job in rules else "")
