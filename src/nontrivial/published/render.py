"""What published numbers are worth, as text, JSON, CSV and a page."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from html import escape
from textwrap import wrap
from typing import Any

from nontrivial.files import no_formula
from nontrivial.measures.published.feasibility import ENDS, LINEAR
from nontrivial.measures.published.printed import read_printed
from nontrivial.measures.published.verdict import PublishedVerdict
from nontrivial.measures.sign_verdict import LEVEL
from nontrivial.published.files import RESULTS, Table
from nontrivial.published.numbers import RANGES, SCORES, SHARE, Published
from nontrivial.terminal import shortened, visible

LEAST_P = 0.0001  # as it is printed
LONGEST_LABEL = 28  # of a row
WIDTH = 100  # of the text
RULE = "always predicting the majority"
IMPOSSIBLE, NOT_JUDGED = "impossible", "not judged"
WORDS = ("better", "inconclusive", "worse", IMPOSSIBLE, NOT_JUDGED)
SHOWN = {
    "better": f"better than {RULE}",
    "worse": f"worse than {RULE}",
    "inconclusive": f"inconclusive: shown neither better nor worse than {RULE}",
}


def describe(published: Published) -> list[str]:
    """Say in lines what published scores are worth."""
    verdict, digits = published.verdict, published.by_digits()
    rows = {f"published {name}": _digits(text, SCORES[name]) for name, text in published.printed.items()}
    first = next(iter(rows))
    if verdict is None:
        rows["condition"] = published.condition() or ""
        rows["verdict"] = "none: give the positives and n (--positives, --n), or --dataset"
    else:
        rows[first] += f", {_cases(published)}"
        rows["trivial error"] = f"{verdict.trivial_error:.4f} ({RULE})"
        if digits is not None:
            rows["prediction advantage"] = (
                f"{digits.advantage:z.4f} ({digits.low:z.4f} to {digits.high:z.4f} by its digits)"
            )
        rows |= _of_tables(published, verdict)
    rows |= {f"note {number}": text for number, text in enumerate(published.remarks(), start=1)}
    width = max(map(len, rows)) + 1
    return [f"{title + ':':{width}}  {text}" for title, text in rows.items()]


def _digits(text: str, measure: str) -> str:
    """Say what a number without decimals stands for, which few expect of a 0 or a 1."""
    if not text.removeprefix("-").isdecimal():
        return text
    least, greatest = RANGES.get(measure, SHARE)
    value, half_unit = read_printed(text, None, "the number")
    low, high = max(float(value - half_unit), least), min(float(value + half_unit), greatest)
    return f"{text} ({low:g} to {high:g} by its digits)"


def _cases(published: Published) -> str:
    folds = published.cases.get("folds")
    mean = f"as the mean over {folds} folds " if folds else ""
    if len(published.counts) > 2:
        sizes = ", ".join(map(str, published.counts))
        return f"{mean}on {sum(published.counts):,} cases in {len(published.counts)} classes ({sizes})"
    positives = published.counts[0]
    return (
        f"{mean}on {sum(published.counts):,} cases with {positives} positive{'' if positives == 1 else 's'}"
    )


def _of_tables(published: Published, verdict: PublishedVerdict) -> dict[str, str]:
    if verdict.errors is None or verdict.advantage is None:
        of_folds = len(published.counts) == 2 and published.judged.keys() <= {*LINEAR, *ENDS}
        tried = "; --folds tries means over folds" if of_folds else ""
        if "folds" in published.cases:
            rows = {"tables that fit": "none with such means"}
            missing = "no folds have means as printed"
        else:
            rows = {"tables that fit": f"none{tried}"}
            missing = "no table fits the numbers as printed"
        without = published.fits_without()
        if without is not None:
            *names, last = without or ["no single number"]
            rows["would fit without"] = f"{', '.join(names)} or {last}" if names else last
        return rows | {"verdict": f"none: {missing}"}
    assert verdict.p_better is not None
    assert verdict.p_worse is not None
    assert verdict.verdict is not None
    fewest, most = verdict.errors
    trivial = sum(published.counts) - max(published.counts)
    independent = "; cases of several folds count as independent" if "folds" in published.cases else ""
    errors = f"{most:,} error{'' if most == 1 else 's'}"
    errors = f"with {errors if fewest == most else f'{fewest:,} to {errors}'}; {RULE} makes {trivial:,}"
    rows = {
        "tables that fit": f"{_counted(verdict)}, {errors}",
        "their advantage": _span(verdict.advantage, "{:z.4f}".format),
        "verdict": SHOWN[verdict.verdict] + ("" if verdict.exact else ", if any table fits"),
        "p-values": f"better {_p_span(verdict.p_better)}, worse {_p_span(verdict.p_worse)}",
        "rule": f"an exact sign test must have p <= {LEVEL} for every table that fits{independent}",
    }
    if verdict.cases_needed is not None:
        rows["would be shown by"] = f"about {verdict.cases_needed:,} cases with exactly the same rates"
    elif verdict.verdict == "inconclusive":
        why = "the tables that fit are neither all better than trivial nor all worse"
        if fewest == most == trivial:
            why = f"every table that fits makes as many errors as {RULE}"
        rows["would be shown by"] = f"no number of cases: {why}"
    return rows


def _counted(verdict: PublishedVerdict) -> str:
    if verdict.tables is None:
        return "some" if verdict.exact else "some or none"
    return f"{verdict.tables:,}" if verdict.exact else f"at most {verdict.tables:,}"


def _p_span(span: tuple[float, float]) -> str:
    low, high = span
    return f"up to {_p_text(high)}" if low < LEAST_P <= high else _span(span, _p_text)


def _p_text(p_value: float) -> str:
    return f"below {LEAST_P}" if p_value < LEAST_P else f"{p_value:.4f}"


def _span(span: tuple[Any, Any], text: Callable[[Any], str]) -> str:
    low, high = map(text, span)
    return low if low == high else f"{low} to {high}"


def to_json(published: Published) -> dict[str, Any]:
    """Return what `describe` says, as fields of JSON."""
    digits, verdict = published.by_digits(), published.verdict
    advantage = (
        None if digits is None else {name: getattr(digits, name) for name in ("advantage", "low", "high")}
    )
    cases = dict(published.cases)
    if "positives" in cases:
        counts = cases["positives"]
        cases["positives"] = counts[0] if len(counts) == 1 else [counts[0], counts[-1]]
    return {
        "published": published.printed,
        **cases,
        "level": LEVEL,
        "by_digits": advantage,
        **({"verdict": None, "condition": published.condition()} if verdict is None else asdict(verdict)),
        "fits_without": published.fits_without(),
        "judged_as": published.remarks(),
    }


def to_json_rows(table: Table) -> list[dict[str, Any]]:
    """Return what `to_json` gives for each row, or the reason against it, with the given row under ``row``."""
    return [
        {
            "row": row,
            **({"verdict": NOT_JUDGED, "not_judged": each} if isinstance(each, str) else to_json(each)),
        }
        for row, each in zip(table.rows, table.published, strict=True)
    ]


def to_csv(table: Table) -> str:
    """Return the rows with more columns for what `describe` says; no spreadsheet takes a cell for a formula."""
    unjudged = dict.fromkeys(RESULTS, "")
    stream = io.StringIO()
    names = [_without_formula(name) for name in table.rows[0] if name not in RESULTS]
    writer = csv.DictWriter(stream, [*names, *RESULTS], lineterminator="\n")
    writer.writeheader()
    for row, each in zip(table.rows, table.published, strict=True):
        copied = {_without_formula(name): _without_formula(cell) for name, cell in row.items()}
        result = (
            unjudged | {"verdict": NOT_JUDGED, "not_judged": each}
            if isinstance(each, str)
            else _columns(each)
        )
        writer.writerow(copied | result)
    return stream.getvalue()


def _without_formula(text: str) -> str:
    """Return a cell that is no formula; one that this function has written stays as it is."""
    return text if text.startswith("'") else no_formula(text)


def _columns(published: Published) -> dict[str, str]:
    verdict = published.verdict
    assert verdict is not None
    columns: dict[str, Any] = {"trivial_error": verdict.trivial_error, "tables": verdict.tables}
    columns["fewest_errors"], columns["most_errors"] = verdict.errors or (None, None)
    for name in ("advantage", "p_better", "p_worse"):
        columns[f"{name}_low"], columns[f"{name}_high"] = getattr(verdict, name) or (None, None)
    columns["verdict"] = verdict.verdict or "no table fits"
    columns["cases_needed"] = verdict.cases_needed
    columns["fits_without"] = " or ".join(published.fits_without() or [])
    columns["judged_as"] = "; ".join(published.remarks())
    columns["not_judged"] = None
    return {name: _cell(value) for name, value in columns.items()}


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.12g}" if isinstance(value, float) else str(value)


# A table of papers on one screen.


def summary(table: Table) -> str:
    """Count the verdicts in one sentence."""
    counts = Counter(_word(each) for each in table.published)
    parts = [f"{counts[word]:,} {word}" for word in WORDS if counts[word]]
    rows = f"{len(table.rows):,} row{'' if len(table.rows) == 1 else 's'}"
    return f"{table.name}, {rows}: {', '.join(parts)}."


def _word(published: Published | str) -> str:
    if isinstance(published, str):
        return NOT_JUDGED
    assert published.verdict is not None
    return published.verdict.verdict or IMPOSSIBLE


def _short_rows(table: Table) -> Iterable[tuple[str, ...]]:
    yield "row", table.label or "scores", "verdict", "errors", "trivial", "advantage"
    for number, (row, each) in enumerate(zip(table.rows, table.published, strict=True), start=1):
        label = row[table.label].strip() if table.label else ""
        errors = trivial = advantage = ""
        if isinstance(each, Published) and each.verdict is not None:
            trivial = f"{sum(each.counts) - max(each.counts):,}"
            label = label or ", ".join(f"{name} {text}" for name, text in each.printed.items())
            if each.verdict.errors and each.verdict.advantage:
                errors = _span(each.verdict.errors, "{:,}".format)
                advantage = _span(each.verdict.advantage, "{:z.2f}".format)
        yield str(number), shortened(visible(label), LONGEST_LABEL), _word(each), errors, trivial, advantage


def remarks(table: Table) -> list[str]:
    """Return the reasons of rows that were not judged, and how others were read; a remark on several rows once."""
    said: dict[str, list[str]] = {}
    for number, each in enumerate(table.published, start=1):
        if isinstance(each, str):
            continue
        for remark in (*_why_impossible(each), *each.remarks()):
            said.setdefault(remark, []).append(str(number))
    notes = [f"Row{'s' if len(rows) > 1 else ''} {_ranges(rows)}: {text}." for text, rows in said.items()]
    return [each for each in table.published if isinstance(each, str)] + notes


def _why_impossible(published: Published) -> list[str]:
    if published.verdict is None or published.verdict.errors is not None:
        return []
    without = published.fits_without()
    if without:
        return [f"no table fits all numbers; one does without {' or '.join(without)}"]
    tried = (
        "the folds that are given" if "folds" in published.cases else "one table; give the folds to try means"
    )
    return [f"the numbers cannot be those of {tried}"]


def _ranges(numbers: Sequence[str]) -> str:
    return ", ".join(numbers[:8]) + (f" and {len(numbers) - 8} more" if len(numbers) > 8 else "")


RULE_OF_TABLE = (
    "Better or worse: for every confusion table whose scores would be printed so, an exact sign test against "
    f"{RULE} has p <= {LEVEL}. Impossible: no table has such scores. Errors and advantage (Prediction Advantage) are "
    "those of the tables that fit; trivial is the number of errors of that guess."
)


def to_text(table: Table) -> list[str]:
    """Return a summary, a line for each row, and what was not judged or is not plain."""
    rows = [*_short_rows(table)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if place in (1, 2) else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    notes = remarks(table)
    return [
        summary(table),
        "",
        *lines,
        "",
        *(line for note in notes for line in wrap(visible(note), WIDTH, subsequent_indent="  ")),
        *[""] * bool(notes),
        *wrap(RULE_OF_TABLE, WIDTH),
        "More: --format csv (every column, p-values), json or html.",
    ]


_STYLE = """td, th { text-align: left; padding: 0.2rem 0.8rem 0.2rem 0; }
[data-verdict="better"] { --verdict: var(--reproduced); }
[data-verdict="worse"], [data-verdict="impossible"] { --verdict: var(--contradicted); }
[data-verdict="inconclusive"] { --verdict: var(--caveat); }
[data-verdict="not judged"] { --verdict: var(--not_evaluated); }
td.answer { padding-left: 0.5rem; border-left: 0.35rem solid var(--verdict); white-space: nowrap; }"""


def to_page(table: Table) -> str:
    """Return the same as one page of HTML that needs no other file."""
    from nontrivial.pages import policy, style  # of the extra for cards

    head, *rows = _short_rows(table)
    body = "\n".join(
        f'<tr data-verdict="{row[2]}">'
        + "".join(
            f"<td{' class=answer' if place == 2 else ''}>{escape(cell)}</td>"
            for place, cell in enumerate(row)
        )
        + "</tr>"
        for row in rows
    )
    notes = "\n".join(f"<li>{escape(visible(each))}</li>" for each in remarks(table))
    css = str(style()) + _STYLE
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy(css)}">
<title>{escape(visible(table.name))}: better than trivial?</title>
<style>{css}</style>
</head>
<body>
<main>
<h1>{escape(visible(summary(table)))}</h1>
<div class="scroll" tabindex="0"><table>
<thead><tr>{"".join(f'<th scope="col">{escape(visible(each)).capitalize()}</th>' for each in head)}</tr></thead>
<tbody>
{body}
</tbody>
</table></div>
<ul>
{notes}
</ul>
<p class="quiet">{escape(RULE_OF_TABLE)}</p>
</main>
</body>
</html>
"""
