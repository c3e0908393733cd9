"""The audit's claims as a page shows them, from the fields of the verdicts and of the evidence beside them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from nontrivial.claims.domains import Domain
from nontrivial.claims.language import Cases, Formula, NamedNumbers, Printed, Value
from nontrivial.claims.registry import Claim, Source
from nontrivial.claims.sentences import found_text, holds_text, reason_text
from nontrivial.claims.verdict import (
    CONTRADICTED,
    VERDICT_WORDS,
    Decision,
    Found,
    Number,
    Numbers,
    Survey,
    found_from_json,
)
from nontrivial.files import DamagedFile, read_json
from nontrivial_study.report.mathml import Link, broken_links, mathml, number_mathml
from nontrivial_study.report.numbers import cut_number, cut_value

# The order in which a reader wants to see them, and their names.
_PARENTS = {"step": "step_of", "repair": "repairs"}  # by group: the field that names the parent
_HELD = "\x00"  # no text of a claim has it


@dataclass(frozen=True)
class ShownClaim:
    """A record of the audit, and what of it is prepared for reading.

    Attributes
    ----------
    record : mapping
        As ``claims/verdicts.json`` has it.
    stated, found, reason : str or Markup
        What is stated, what was found and why the verdict is what it is; formulas as MathML, long decimals cut off.
    links : sequence of Link
        The comparisons that break, with the numbers on both sides.
    witness : str
        What the case is that settles it, such as "Smallest counterexample" or "Example"; empty without one.
    tables : mapping of str to mapping of str to int
        The confusion tables that the case consists of, ``FP, TP, FN, TN``, by "first" and "second" or an empty text.
    values : mapping
        What the measures come to there, by their names.
    holds_where : str or Markup
        Where a claim that fails does hold; empty where that is not known.
    data : mapping of str to str or None
        The sha256 that each file had when the claim was judged; None where it was not there.
    evidence : str or None
        The evidence's path inside the results; None where the file is not there.
    printed, number : Printed and Number, or None
        Of a printed number: what is stated, and what was found.
    place : int
        Its place among the document's claims.
    figure : int
        The number of the document's figure that it is about; 0 for none.
    presupposed : mapping of Markup to str
        What the document presupposes of it elsewhere, and where.
    level : int
        How many claims it stands under, as a step of their proof or a repaired reading.
    """

    record: Mapping[str, Any]
    stated: str
    found: str
    reason: str
    links: tuple[Link, ...] = ()
    witness: str = ""
    tables: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    holds_where: str = ""
    data: Mapping[str, str | None] = field(default_factory=dict)
    evidence: str | None = None
    printed: Printed | None = None
    number: Number | None = None
    place: int = 0
    figure: int = 0
    presupposed: Mapping[str, str] = field(default_factory=dict)
    level: int = 0


def read_claims(results: Path) -> list[ShownClaim] | None:
    """Read the verdicts in the order of each document, what belongs to a claim after it; None without any.

    Raises
    ------
    ValueError
        If a verdict is not one of the four, a proof step or repair is of no entry that is there, or a record does not
        say what its evidence says.
    """
    path = results / "claims" / "verdicts.json"
    if not path.is_file():
        return None
    records = read_json(path)
    for record in records:
        if record["verdict"] not in VERDICT_WORDS:
            raise ValueError(
                f"claims/verdicts.json gives {record['id']!r} the verdict {record['verdict']!r}; "
                f"it must be one of {', '.join(VERDICT_WORDS)}."
            )
    claims = sorted((_show(record, results) for record in records), key=lambda claim: claim.place)
    known = {claim.record["id"] for claim in claims}
    under: dict[str, list[ShownClaim]] = {}
    for claim in claims:
        key = _PARENTS.get(claim.record["group"])
        above = claim.record[key] if key else ""
        if above and above not in known:
            raise ValueError(
                f"claims/verdicts.json: {claim.record['id']!r} has {key} {above!r}; it must be the id of an entry."
            )
        under.setdefault(above, []).append(claim)
    return _in_order(under, "", 0)


def _in_order(under: Mapping[str, list[ShownClaim]], above: str, level: int) -> list[ShownClaim]:
    order = []
    for claim in under.get(above, ()):
        order += [replace(claim, level=level), *_in_order(under, claim.record["id"], level + 1)]
    return order


def _show(record: Mapping[str, Any], results: Path) -> ShownClaim:
    """Prepare a record by its evidence; without that, by the sentences that it has itself."""
    evidence = results / record["evidence"]
    if not evidence.is_file():
        return ShownClaim(
            record, record["stated"], record["found"], record["reason"], data=dict.fromkeys(record["data"])
        )
    whole = read_json(evidence)
    if any(whole.get(name) != value for name, value in record.items()):
        raise DamagedFile(
            results / "claims" / "verdicts.json", f"it does not say what {record['evidence']} says"
        )
    trail = whole["trail"]
    claim, found, reason = trail["claim"], found_from_json(trail["found"]), dict(trail["reason"])
    printed = Formula(claim["claim"]).printed if claim.get("claim") else None
    given = Markup(" and ").join(map(mathml, claim.get("given", ())))
    shown = ShownClaim(
        record,
        stated=Markup(" if ").join(filter(None, [mathml(claim.get("claim", "")), given])),
        found=with_formulas(lambda formula: found_text(found, cut_number, formula)),
        reason=reason_text(reason.pop("code"), reason, found, cut_number),
        links=_links(Claim(**claim), found) if record["verdict"] == CONTRADICTED else (),
        data={name: trail["data_sha256"].get(name) for name in record["data"]},
        evidence=record["evidence"],
        printed=Printed.parse(printed[1]) if printed and isinstance(found, Number) else None,
        number=found if isinstance(found, Number) else None,
        place=claim["place"],
        figure=claim.get("figure", 0),
        presupposed={mathml(condition): at for condition, at in claim.get("presupposed", {}).items()},
    )
    if isinstance(found, Survey) and record["witness"]:
        holds = Formula(claim["claim"]).sometimes
        return replace(shown, witness=f"First point at which it {'holds' if holds else 'fails'}")
    return _show_decision(shown, found, trail["witness"]) if isinstance(found, Decision) else shown


def with_formulas(say: Callable[[Callable[[str], str]], str]) -> Markup:
    """Return a sentence, escaped, with its formulas as MathML; `say` is given what writes a formula into it.

    Examples
    --------
    >>> with_formulas(lambda formula: "x < y & " + formula("tp"))
    Markup('x &lt; y &amp; <math><mi>TP</mi></math>')
    """
    formulas: list[str] = []

    def hold(formula: str) -> str:
        formulas.append(formula)
        return f"{_HELD}{len(formulas) - 1}{_HELD}"

    text = str(escape(say(hold)))
    return Markup(re.sub(f"{_HELD}(\\d+){_HELD}", lambda held: mathml(formulas[int(held[1])]), text))


def _links(claim: Claim, found: Found) -> tuple[Link, ...]:
    """The links of a claim that break: in the counterexample, in the numbers found, or at the first such point."""
    cases: Cases | None = None
    match found:
        case Number(value=value) if claim.formula.printed is not None:
            left, digits = claim.formula.printed
            sign = "<" if value < Printed.parse(digits).value else ">"
            return (Link(number_mathml(left), cut_number(value), sign, mathml(digits), ""),)
        case Decision(witness=tuple(witness)) if isinstance(claim.about, Domain):
            cases = claim.about.one(witness)
        case Numbers(values=values):
            cases = NamedNumbers(
                {name: Value(*one[0].as_integer_ratio()) for name, one in values.items()}, {}
            )
        case Survey(values=values) if values and isinstance(claim.about, Source):
            numbers = {name: Value(*Fraction(text).as_integer_ratio()) for name, text in values.items()}
            cases = NamedNumbers(numbers, claim.about.define)
    if cases is None or claim.formula.sometimes:
        return ()
    return tuple(broken_links(claim.formula.tree, cases))


def _show_decision(shown: ShownClaim, found: Decision, parts: Mapping[str, Any] | None) -> ShownClaim:
    """Add the case that settles a claim, and where one that fails does hold."""
    refuted, where = found.status == "refuted", found.exactly_when
    if where is not None and where.status != "refuted":
        shown = replace(shown, holds_where=with_formulas(partial(holds_text, where)))
    if parts is None:
        return shown
    tables = {"tables": {"": parts}, "pairs of tables": parts}.get(found.domain["over"], {})
    counterexample = "Smallest counterexample" if found.smallest else "Counterexample"
    return replace(
        shown,
        witness=counterexample if refuted else "Example",
        tables=tables,
        values={mathml(name): cut_value(value) for name, value in (found.values or {}).items()},
    )
