"""A registry of one's own, judged without a study: its verdicts, or all that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from nontrivial.claims.claim import Claim
from nontrivial.claims.domains import Domain
from nontrivial.claims.judge import judge_claim
from nontrivial.claims.over import DOMAINS
from nontrivial.claims.registry import WrongEntry, read_entries, read_sources
from nontrivial.claims.verdict import VERDICTS
from nontrivial.files import sha256_of

_FIELDS = (  # of a record: what does not depend on a study
    *("id", "source", "section", "locator", "anchor", "statement", "kind", "group", "verdict", "reason"),
    *("stated", "found", "counterexample", "witness", "holds_where", "domain", "repairs", "step_of", "note"),
)


@dataclass(frozen=True)
class JudgedFile:
    """What is known of a registry.

    Attributes
    ----------
    path : Path
    sources : mapping of str to mapping
        The documents by their short names: title and, if it has one, address.
    records : sequence of dict
        As `nontrivial.claims.judge.make_record` makes them, in the order of the file; none if an entry is wrong.
    wrong : sequence of str
        A sentence for each wrong entry: file, line, id, what is there and what is allowed.
    """

    path: Path
    sources: Mapping[str, Mapping[str, str]]
    records: Sequence[dict[str, Any]] = ()
    wrong: Sequence[str] = ()

    def counts(self) -> dict[str, int]:
        """How many claims got each verdict."""
        verdicts = [record["verdict"] for record in self.records]
        return {verdict: verdicts.count(verdict) for verdict in VERDICTS}

    def to_json(self) -> dict[str, Any]:
        """Plain data: the file with its digest, the counts, and for each claim its record with what was found."""
        return {
            "format": 1,
            "file": self.path.name,
            "sha256": sha256_of(self.path),
            "sources": dict(self.sources),
            "verdicts": self.counts(),
            "claims": [_plain(record) for record in self.records],
        }


def judge_file(path: Path) -> JudgedFile:
    """Judge every claim of a file.

    Raises
    ------
    ValueError
        With one sentence, if the file is no registry.
    """
    if path.is_dir():
        raise ValueError(f"{path} is a folder; it must be one YAML file of claims.")
    claims, wrong = read_entries(path)
    records = []
    for claim in sorted(claims, key=lambda claim: claim.place):
        try:
            _check(claim)
            if not wrong:  # else nothing is shown, and what takes time is not done
                records.append(judge_claim(claim, Path()))
        except ValueError as error:
            sentence = str(error).removeprefix(f"claim {claim.id!r}: ")
            wrong.append(WrongEntry(path, claim.place, claim.id, sentence))
    if wrong:
        return JudgedFile(path, read_sources(path), wrong=list(_with_lines(path, wrong)))
    return JudgedFile(path, read_sources(path), records)


def _check(claim: Claim) -> None:
    """Raise ValueError for a claim that reads a study, or whose formulas have no value on the first cases."""
    about = claim.about if claim.over else None
    if isinstance(about, Domain):
        first = next(iter(about.small()))
        for formula in filter(None, (claim.formula, *claim.conditions, claim.proposed)):
            formula.truth(first.cases)
    if claim.data:
        raise ValueError(
            f"it reads {', '.join(claim.data)}, which a study makes; it may read {', '.join(DOMAINS)} and numbers."
        )


def _with_lines(path: Path, wrong: Sequence[WrongEntry]) -> Iterator[str]:
    """Say what is wrong with entries, by the lines on which they begin."""
    content: Any = yaml.compose(path.read_text(encoding="utf-8-sig"), yaml.CSafeLoader)
    sections = dict(_items(content))["sections"].value
    entries = [entry for section in sections for entry in dict(_items(section))["claims"].value]
    for one in sorted(wrong, key=lambda one: one.place):
        line = entries[one.place - 1].start_mark.line + 1
        yield f"{path}, line {line}: claim {one.id!r}: {one.sentence}"


def _items(mapping: yaml.MappingNode) -> Iterator[tuple[str, Any]]:
    return ((key.value, value) for key, value in mapping.value)


def _plain(record: Mapping[str, Any]) -> dict[str, Any]:
    trail = record["trail"]
    return {
        **{name: record[name] for name in _FIELDS},
        "reason_code": trail["reason"]["code"],
        "evidence": {key: trail[key] for key in ("found", "witness")},
    }
