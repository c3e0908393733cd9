"""All sentences about claims that people read. No code depends on the wording."""

import decimal
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from nontrivial.claims import verdict as rule
from nontrivial.claims.verdict import Decision, Finding, NothingFound, NumberFinding, RelationFinding

_SIGNIFICANT_DIGITS = 12
_STATED_RELATION = re.compile(r"\w+ (?P<sign>==|[<>]=?) (?P<number>[\d.]+)")
_SIGNS_IN_WORDS = {"==": "", "<": "below ", "<=": "at most ", ">": "above ", ">=": "at least "}
_CELL_LABELS = ("FP", "TP", "FN", "TN")
_DOMAIN_SENTENCES = {
    "tables": "confusion tables of any size; tried: all of up to {cases} cases",
    "pairs of tables": "pairs of confusion tables of any size; tried: all of up to {cases} cases in both",
    "tables and a factor": "confusion tables of any size, and any factor; tried: all of up to {cases} cases and factor "
    "together",
    "rankings": "every ranking of up to {cases} cases of both classes, ties included",
    "pairs of rankings": "every pair of rankings with the same classes, of up to {cases} cases, ties included",
    "forecasts": "every distribution of {classes} labels with counts up to {count}, and every forecast with counts "
    "up to {guess}",
}


def fraction_text(number: Fraction) -> str:
    """Write at most twelve significant digits, and the fraction if they do not suffice: 0.466666666667 (7/15)."""
    with decimal.localcontext(prec=_SIGNIFICANT_DIGITS):
        digits = decimal.Decimal(number.numerator) / decimal.Decimal(number.denominator)
    text = format(digits.normalize(), "f")
    exact = Fraction(digits) == number
    # A fraction with a long denominator says less than its digits.
    return text if exact or number.denominator >= 10**_SIGNIFICANT_DIGITS else f"{text} ({number})"


def reason_text(
    verdict: rule.Verdict, finding: Finding, stated: str, number: Callable[[Fraction], str] = fraction_text
) -> str:
    """Write the sentence of a verdict's reason. The function `number` writes numbers."""
    texts = {name: number(Fraction(text)) for name, text in verdict.about.items()}
    if isinstance(finding, NothingFound):
        texts = {name: plain_text(value) for name, value in finding.about.items()}
    if isinstance(finding, NumberFinding | RelationFinding) and finding.elsewhere:
        texts = _words_on_both_studies(finding, stated)
    return rule.REASONS[verdict.verdict][verdict.reason].format(**texts)


def _words_on_both_studies(finding: NumberFinding | RelationFinding, stated: str) -> dict[str, str]:
    """Return the words for the gaps of a sentence that compares this study with the document's study."""
    ours, theirs = (
        " and ".join(f"{counts[study]}{other} {name}" for name, counts in finding.elsewhere.items())
        for study, other in ((0, ""), (1, " other"))
    )
    ranges = [finding.range] if isinstance(finding, NumberFinding) else finding.values.values()
    digits = [[f"{float(number):.3g}" for number in ends] for ends in ranges]
    match = _STATED_RELATION.fullmatch(stated)
    return {
        "ours": ours,
        "differ": "point the other way" if match and _SIGNS_IN_WORDS[match["sign"]] else "differ",
        "found": ", ".join(f"{value} ({low} to {high})" for value, low, high in digits),
        "stated": _SIGNS_IN_WORDS[match["sign"]] + match["number"] if match else stated,
        "theirs": theirs,
    }


def finding_text(
    finding: Finding, number: Callable[[Fraction], str] = fraction_text, formula: Callable[[str], str] = str
) -> str:
    """Write a finding. The functions `number` and `formula` write numbers and formulas."""
    match finding:
        case NumberFinding():
            return _range_text(finding.range, number)
        case RelationFinding() if finding.points:
            return _points_text(finding)
        case RelationFinding(values=values):
            texts = {name: _range_text(ends, number) for name, ends in sorted(values.items())}
            return "; ".join(f"{formula(name)} {text}" for name, text in texts.items())
        case Decision():
            return _decision_text(finding, formula)
    return ""


def domain_text(fields: Mapping[str, Any], proved_of: str = "") -> str:
    """Write which cases a claim was decided for, and which cases were tried."""
    if fields["over"] != "numbers":
        more = f", and of up to {fields['untied']} cases without ties" if "untied" in fields else ""
        if "larger" in fields:
            more = f", then of up to {fields['larger']}"
        if "families" in fields:
            more += f"; then some of up to {fields['families']}: one or two of a class among many, and blocks"
        return _DOMAIN_SENTENCES[fields["over"]].format(**fields) + more
    if fields["open"]:
        return f"all positive numbers {', '.join(fields['ranges'])}"
    ranges = ", ".join(f"{name} in {low}..{high}" for name, (low, high) in fields["ranges"].items())
    if proved_of != "any size":
        return f"all whole numbers {ranges}"
    bounds = ", ".join(f"{name} {'>' if low else '>='} 0" for name, (low, _) in fields["ranges"].items())
    return f"all numbers {bounds}; tried: whole numbers {ranges}"


def holds_text(where: rule.ExactlyWhen | None, formula: Callable[[str], str] = str) -> str:
    """Write when a refuted claim does hold. The function `formula` writes the condition."""
    if where is None or where.status == "refuted":
        return "no condition found"
    if where.status == "sufficient":
        return f"at least where {formula(where.condition)}"
    tried = " (tried, not proved)" if where.status == "searched" else ""
    return f"exactly where {formula(where.condition)}{tried}"


def undefined_text(finding: Finding) -> str:
    """Write in which cases a claim is undefined (0/0); empty if there are none."""
    if isinstance(finding, NothingFound):
        return "at the numbers that it is about" if finding.reason == "undefined" else ""
    if not isinstance(finding, Decision) or not finding.undefined_somewhere:
        return ""
    if finding.undefined_case is None:
        return "in some cases"
    return f"in some cases, such as {witness_text(finding.domain, finding.undefined_case)}"


def witness_parts(fields: Mapping[str, Any], witness: Sequence[Any]) -> dict[str, Any]:
    """Return the numbers of a case by name. `fields` describe the domain of the case."""
    match fields["over"]:
        case "tables" | "tables and a factor":
            return dict(zip((*_CELL_LABELS, "k"), witness, strict=False))
        case "pairs of tables":
            halves = {"first": witness[:4], "second": witness[4:]}
            return {name: dict(zip(_CELL_LABELS, half, strict=True)) for name, half in halves.items()}
        case "numbers":
            return dict(zip(fields["ranges"], witness, strict=True))
        case "forecasts":
            classes = fields["classes"]
            return {"labels": list(witness[:classes]), "forecast": list(witness[classes:])}
    groups = [list(group) for group in zip(witness[::2], witness[1::2], strict=True)]
    if fields["over"] == "rankings":
        return {"ranking": groups}
    # Both rankings of a pair have the same number of cases.
    half = next(count for count in range(len(groups)) if 2 * sum(map(sum, groups[:count])) >= sum(witness))
    return {"a": groups[:half], "b": groups[half:]}


def witness_text(fields: Mapping[str, Any], witness: Sequence[Any]) -> str:
    """Write a case, such as "FP 1, TP 1, FN 0, TN 0"."""
    parts = witness_parts(fields, witness)
    match fields["over"]:
        case "tables" | "tables and a factor":
            return ", ".join(f"{name} {count}" for name, count in parts.items())
        case "pairs of tables":
            half = {"over": "tables"}
            texts = {which: witness_text(half, [*cells.values()]) for which, cells in parts.items()}
            return "; ".join(f"{which}: {text}" for which, text in texts.items())
        case "numbers":
            return ", ".join(f"{name} = {number}" for name, number in parts.items())
        case "forecasts":
            return "; ".join(f"{name} {plain_text(counts)}" for name, counts in parts.items())
    return "; ".join(f"{which}, best first: {_ranking_text(groups)}" for which, groups in parts.items())


def _ranking_text(groups: Sequence[Sequence[int]]) -> str:
    """Write a ranking: + for a positive, a minus sign for a negative, and brackets around tied cases."""
    texts = [" ".join(["+"] * positives + ["\N{MINUS SIGN}"] * negatives) for positives, negatives in groups]
    return " ".join(f"[{text}]" if " " in text else text for text in texts)


def _decision_text(finding: Decision, formula: Callable[[str], str]) -> str:
    seeks = "example" if finding.status in ("shown", "not shown", "impossible") else "counterexample"
    text = f"{seeks}s: {finding.hits:,} among {finding.checked:,} small {finding.domain['over']}"
    if finding.witness is not None and not finding.hits:
        text += f", and one {_origin_of_larger_witness(finding)}"
    elif {"larger", "families"} & finding.domain.keys():
        text += ", and none among the larger ones tried"
    if finding.proved_of:
        text += f"; proved for {finding.proved_of}"
    if finding.undefined:
        text += f"; undefined in {finding.undefined:,}"
    elif finding.undefined_somewhere:
        text += "; undefined in larger ones"
    where = finding.exactly_when
    if where is not None and where.status == "refuted":
        proposed = formula(where.condition)
        text += f"; the condition proposed, {proposed}, fails in {where.wrong:,} of {where.met:,}"
    return text


def _origin_of_larger_witness(finding: Decision) -> str:
    if "rankings" in finding.domain["over"]:
        return "in a family of larger ones"
    return "among larger ones" if finding.smallest else "that the solver found"


def _points_text(finding: RelationFinding) -> str:
    counts, clearly = finding.points, "by more than sampling error"
    text = f"kept at {counts['kept']} of {counts['points']} points, at {counts['clearly_kept']} {clearly}"
    broken = counts["points"] - counts["kept"]
    if broken:
        first = "" if finding.holds else f", the first with {plain_text(finding.place)}"
        text += f"; broken at {broken}{first}, at {counts['clearly_broken']} {clearly}"
    return text + (f"; points that lack a number: {counts['absent']}" if counts["absent"] else "")


def _range_text(numbers: rule.NumberRange, number: Callable[[Fraction], str]) -> str:
    value, low, high = map(number, numbers)
    return value if low == high else f"{value}, between {low} and {high}"


def plain_text(value: Any) -> str:
    """Write a value, values with commas between them, or pairs such as ``a = 1``, sorted by name."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} = {text}" for name, text in sorted(value.items()))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(str, value))
    return str(value)
