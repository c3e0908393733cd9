"""What readers are told of claims, said in one place: no code reads these sentences."""

import decimal
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from nontrivial.claims.verdict import (
    REASONS,
    Absent,
    Decision,
    ExactlyWhen,
    Found,
    Number,
    Numbers,
    Range,
    Verdict,
)

_DIGITS = 12
_STATED = re.compile(r"\w+ (?P<sign>==|[<>]=?) (?P<number>[\d.]+)")
_SIGNS = {"==": "", "<": "below ", "<=": "at most ", ">": "above ", ">=": "at least "}
_CELLS = ("FP", "TP", "FN", "TN")
_OVER = {
    "tables": "confusion tables of any size; tried: all of up to {cases} cases",
    "pairs of tables": "pairs of confusion tables of any size; tried: all of up to {cases} cases in both",
    "tables and a factor": "confusion tables of any size, and any factor; tried: all of up to {cases} cases and factor "
    "together",
    "rankings": "every ranking of up to {cases} cases of both classes, ties included",
    "pairs of rankings": "every pair of rankings with the same classes, of up to {cases} cases, ties included",
    "forecasts": "every distribution of {classes} labels with counts up to {count}, and every forecast with counts "
    "up to {guess}",
}


def number_text(number: Fraction) -> str:
    """Write at most twelve significant digits, and the fraction where they do not suffice: 0.466666666667 (7/15)."""
    with decimal.localcontext(prec=_DIGITS):
        digits = decimal.Decimal(number.numerator) / decimal.Decimal(number.denominator)
    text = format(digits.normalize(), "f")
    exact = Fraction(digits) == number
    # A fraction with a long denominator says less than its digits.
    return text if exact or number.denominator >= 10**_DIGITS else f"{text} ({number})"


def reason_text(
    verdict: Verdict, found: Found, stated: str, number: Callable[[Fraction], str] = number_text
) -> str:
    """Say why a verdict on what is stated is what it is, with its numbers written as `number` does."""
    texts = {name: number(Fraction(text)) for name, text in verdict.about.items()}
    if isinstance(found, Absent):
        texts = {name: plain_text(value) for name, value in found.about.items()}
    if isinstance(found, Number | Numbers) and found.elsewhere:
        texts = _texts_of_both_studies(found, stated)
    return REASONS[verdict.verdict][verdict.reason].format(**texts)


def _texts_of_both_studies(found: Number | Numbers, stated: str) -> dict[str, str]:
    """The sizes of this study and of the document's, the numbers that ours gives, and what the document says."""
    ours, theirs = (
        " and ".join(f"{counts[study]}{other} {name}" for name, counts in found.elsewhere.items())
        for study, other in ((0, ""), (1, " other"))
    )
    spans = [(found.value, found.low, found.high)] if isinstance(found, Number) else found.values.values()
    digits = [[f"{float(number):.3g}" for number in span] for span in spans]
    match = _STATED.fullmatch(stated)
    return {
        "ours": ours,
        "differ": "point the other way" if match and _SIGNS[match["sign"]] else "differ",
        "found": ", ".join(f"{value} ({low} to {high})" for value, low, high in digits),
        "stated": _SIGNS[match["sign"]] + match["number"] if match else stated,
        "theirs": theirs,
    }


def found_text(
    found: Found, number: Callable[[Fraction], str] = number_text, formula: Callable[[str], str] = str
) -> str:
    """Say what was found, with its numbers and formulas written as `number` and `formula` do."""
    match found:
        case Number(value=value, low=low, high=high):
            return _range_text((value, low, high), number)
        case Numbers() if found.points:
            return _points_text(found)
        case Numbers(values=values):
            ranges = sorted(values.items())
            return "; ".join(f"{formula(name)} {_range_text(span, number)}" for name, span in ranges)
        case Decision():
            return _decision_text(found, formula)
    return ""


def domain_text(fields: Mapping[str, Any], proved_of: str = "") -> str:
    """Say which cases a claim was decided on, and which of them were tried."""
    if fields["over"] != "numbers":
        more = f", and of up to {fields['untied']} cases without ties" if "untied" in fields else ""
        if "larger" in fields:
            more = f", then of up to {fields['larger']}"
        if "families" in fields:
            more += f"; then some of up to {fields['families']}: one or two of a class among many, and blocks"
        return _OVER[fields["over"]].format(**fields) + more
    if fields["open"]:
        return f"all positive numbers {', '.join(fields['ranges'])}"
    ranges = ", ".join(f"{name} in {low}..{high}" for name, (low, high) in fields["ranges"].items())
    if proved_of != "any size":
        return f"all whole numbers {ranges}"
    bounds = ", ".join(f"{name} {'>' if low else '>='} 0" for name, (low, _) in fields["ranges"].items())
    return f"all numbers {bounds}; tried: whole numbers {ranges}"


def holds_text(where: ExactlyWhen | None, formula: Callable[[str], str] = str) -> str:
    """Say where a claim that fails does hold, with the condition written as `formula` does."""
    if where is None or where.status == "refuted":
        return "no condition found"
    if where.status == "sufficient":
        return f"at least where {formula(where.condition)}"
    tried = " (tried, not proved)" if where.status == "searched" else ""
    return f"exactly where {formula(where.condition)}{tried}"


def undefined_text(found: Found) -> str:
    """Say where a claim has no meaning (0/0); empty if it has one everywhere."""
    if isinstance(found, Absent):
        return "at the numbers that it is about" if found.reason == "undefined" else ""
    if not isinstance(found, Decision) or not found.undefined_somewhere:
        return ""
    if found.undefined_case is None:
        return "in some cases"
    return f"in some cases, such as {witness_text(found.domain, found.undefined_case)}"


def witness_parts(fields: Mapping[str, Any], witness: Sequence[Any]) -> dict[str, Any]:
    match fields["over"]:
        case "tables" | "tables and a factor":
            return dict(zip((*_CELLS, "k"), witness, strict=False))
        case "pairs of tables":
            first, second = (dict(zip(_CELLS, half, strict=True)) for half in (witness[:4], witness[4:]))
            return {"first": first, "second": second}
        case "numbers":
            return dict(zip(fields["ranges"], witness, strict=True))
        case "forecasts":
            k = fields["classes"]
            return {"labels": list(witness[:k]), "forecast": list(witness[k:])}
    groups = [list(group) for group in zip(witness[::2], witness[1::2], strict=True)]
    if fields["over"] == "rankings":
        return {"ranking": groups}
    half = next(place for place in range(len(groups)) if 2 * sum(map(sum, groups[:place])) >= sum(witness))
    return {"a": groups[:half], "b": groups[half:]}


def witness_text(fields: Mapping[str, Any], witness: Sequence[Any]) -> str:
    """Say what a case is, such as "FP 1, TP 1, FN 0, TN 0"."""
    parts = witness_parts(fields, witness)
    match fields["over"]:
        case "tables" | "tables and a factor":
            return ", ".join(f"{name} {count}" for name, count in parts.items())
        case "pairs of tables":
            tables = (
                ", ".join(f"{name} {count}" for name, count in cells.items()) for cells in parts.values()
            )
            return "; ".join(f"{which}: {cells}" for which, cells in zip(parts, tables, strict=True))
        case "numbers":
            return ", ".join(f"{name} = {number}" for name, number in parts.items())
        case "forecasts":
            return "; ".join(f"{name} {plain_text(counts)}" for name, counts in parts.items())
    return "; ".join(f"{which}, best first: {_signs(groups)}" for which, groups in parts.items())


def _signs(groups: Sequence[Sequence[int]]) -> str:
    """The cases of a ranking, + for a positive and a minus sign for a negative, tied ones in brackets."""
    texts = [" ".join(["+"] * positives + ["\N{MINUS SIGN}"] * negatives) for positives, negatives in groups]
    return " ".join(f"[{text}]" if " " in text else text for text in texts)


def _decision_text(found: Decision, formula: Callable[[str], str]) -> str:
    seeks = "example" if found.status in ("shown", "not shown", "impossible") else "counterexample"
    text = f"{seeks}s: {found.hits:,} among {found.checked:,} small {found.domain['over']}"
    if found.witness is not None and not found.hits:
        text += f", and one {_place_beyond(found)}"
    elif {"larger", "families"} & found.domain.keys():
        text += ", and none among the larger ones tried"
    if found.proved_of:
        text += f"; proved for {found.proved_of}"
    if found.undefined:
        text += f"; undefined in {found.undefined:,}"
    elif found.undefined_somewhere:
        text += "; undefined in larger ones"
    where = found.exactly_when
    if where is not None and where.status == "refuted":
        proposed = formula(where.condition)
        text += f"; the condition proposed, {proposed}, fails in {where.wrong:,} of {where.met:,}"
    return text


def _place_beyond(found: Decision) -> str:
    if "rankings" in found.domain["over"]:
        return "in a family of larger ones"
    return "among larger ones" if found.smallest else "that the solver found"


def _points_text(found: Numbers) -> str:
    of, clearly = found.points, "by more than sampling error"
    text = f"kept at {of['kept']} of {of['points']} points, at {of['clearly_kept']} {clearly}"
    if broken := of["points"] - of["kept"]:
        first = "" if found.holds else f", the first with {plain_text(found.place)}"
        text += f"; broken at {broken}{first}, at {of['clearly_broken']} {clearly}"
    return text + (f"; points that lack a number: {of['absent']}" if of["absent"] else "")


def _range_text(numbers: Range, number: Callable[[Fraction], str]) -> str:
    value, low, high = map(number, numbers)
    return value if low == high else f"{value}, between {low} and {high}"


def plain_text(value: Any) -> str:
    """Say a value, a list of values, or values by their names, which are sorted as files have them."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} = {text}" for name, text in sorted(value.items()))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(str, value))
    return str(value)
