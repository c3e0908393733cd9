"""What published numbers are worth, as text, JSON, CSV and a page."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict
from html import escape
from textwrap import wrap
from typing import Any

from nontrivial.files import no_formula
from nontrivial.measures.published.feasibility import BOUNDED, LINEAR
from nontrivial.measures.published.printed import read_interval
from nontrivial.measures.published.tables import BOUNDS
from nontrivial.measures.sign_verdict import LEVEL
from nontrivial.published.files import RESULTS, Table
from nontrivial.published.numbers import SCORES, Published
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


# One classifier.


def describe(published: Published) -> list[str]:
    """Say in lines what published scores are worth."""
    verdict, digits = published.verdict, published.by_digits()
    rows = {f"published {name}": _digits(text, SCORES[name]) for name, text in published.printed.items()}
    if verdict is None:
        rows["condition"] = published.condition() or ""
        rows["verdict"] = "none: give the positives and n (--positives, --n), or --dataset"
    else:
        rows[next(iter(rows))] += f", {_cases(published)}"
        n = sum(published.cases.counts)
        shares = dict.fromkeys(f"{errors / n:.4f}" for errors in _trivial_errors(published))
        rows["trivial error"] = f"{' to '.join(shares)} ({RULE})"
        if digits is not None:
            rows["prediction advantage"] = (
                f"{digits.advantage:z.4f} ({digits.low:z.4f} to {digits.high:z.4f} by its digits)"
            )
        rows |= _of_none(published) if verdict.verdict is None else _of_tables(published, **asdict(verdict))
    rows |= {f"note {number}": text for number, text in enumerate(published.remarks(), start=1)}
    width = max(map(len, rows)) + 1
    return [f"{title + ':':{width}}  {text}" for title, text in rows.items()]


def _digits(text: str, measure: str) -> str:
    """Say what a number without decimals stands for, which few expect of a 0 or a 1."""
    if not text.removeprefix("-").isdecimal():
        return text
    low, high = read_interval(text, measure).cut(*BOUNDS[measure])
    return f"{text} ({float(low):g} to {float(high):g} by its digits)"


def _cases(published: Published) -> str:
    counts, folds = published.cases.counts, published.cases.folds
    mean = f"as the mean over {folds} folds " if folds else ""
    if len(counts) > 2:
        of = f"in {len(counts)} classes ({', '.join(map(str, counts))})"
    else:
        few, many = (sizes[0] for sizes in (published.cases.sizes[0], published.cases.sizes[-1]))
        of = f"with {_plural(few, 'positive', '')}" if few == many else f"with {few} to {many} positives"
    return f"{mean}on {sum(counts):,} cases {of}"


def _trivial_errors(published: Published) -> tuple[int, int]:
    """The fewest and the most errors of the trivial rule, over all counts of positives that would be printed so."""
    errors = [sum(sizes) - max(sizes) for sizes in published.cases.sizes]
    return min(errors), max(errors)


def _plural(count: int, noun: str, form: str = ",") -> str:
    return f"{count:{form}} {noun}{'' if count == 1 else 's'}"


def _of_none(published: Published) -> dict[str, str]:
    """Say that no table fits, and what may be tried."""
    if published.cases.folds is not None:
        rows = {"tables that fit": "none with such means"}
        missing = "no folds have means as printed"
    else:
        of_folds = len(published.cases.counts) == 2 and published.judged.keys() <= {*LINEAR, *BOUNDED}
        rows = {"tables that fit": "none; --folds tries means over folds" if of_folds else "none"}
        missing = "no table fits the numbers as printed"
    without = published.fits_without()
    if without is not None:
        *names, last = without or ["no single number"]
        rows["would fit without"] = f"{', '.join(names)} or {last}" if names else last
    return rows | {"verdict": f"none: {missing}"}


def _of_tables(published: Published, **found: Any) -> dict[str, str]:
    """Say what the tables that fit are worth."""
    fewest, most = found["errors"]
    least, greatest = _trivial_errors(published)
    trivial = f"{least:,}" if least == greatest else f"{least:,} to {greatest:,}"
    errors = _plural(most, "error") if fewest == most else f"{fewest:,} to {_plural(most, 'error')}"
    independent = "" if published.cases.folds is None else "; cases of several folds count as independent"
    if found["tables"] is None:
        tables = "some" if found["exact"] else "some or none"
    else:
        tables = f"{'' if found['exact'] else 'at most '}{found['tables']:,}"
    if found["cases_needed"] is not None:
        needed = f"about {found['cases_needed']:,} cases with exactly the same rates"
    elif fewest == most == least == greatest:
        needed = f"no number of cases: every table that fits makes as many errors as {RULE}"
    else:
        needed = "no number of cases: the tables that fit are neither all better than trivial nor all worse"
    rows = {
        "tables that fit": f"{tables}, with {errors}; {RULE} makes {trivial}",
        "their advantage": _span(found["advantage"], "{:z.4f}".format),
        "verdict": SHOWN[found["verdict"]] + ("" if found["exact"] else ", if any table fits"),
        "p-values": f"better {_p_span(found['p_better'])}, worse {_p_span(found['p_worse'])}",
        "rule": f"an exact sign test must have p <= {LEVEL} for every table that fits{independent}",
    }
    return rows | ({"would be shown by": needed} if found["verdict"] == "inconclusive" else {})


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
    digits, verdict, cases = published.by_digits(), published.verdict, published.cases
    facts: dict[str, Any] = {"published": published.printed}
    if cases.folds is not None:
        facts["folds"] = cases.folds
    if cases.by_class:
        facts["classes"] = cases.counts
    elif cases.sizes:
        first, last = cases.sizes[0][0], cases.sizes[-1][0]
        facts |= {"positives": first if first == last else [first, last], "n": sum(cases.counts)}
    facts["level"] = LEVEL
    facts["by_digits"] = digits and {"advantage": digits.advantage, "low": digits.low, "high": digits.high}
    facts |= asdict(verdict) if verdict else {"verdict": None, "condition": published.condition()}
    return facts | {"fits_without": published.fits_without(), "judged_as": published.remarks()}


# A table of papers.


def to_json_rows(table: Table) -> list[dict[str, Any]]:
    """Return what `to_json` gives for each row, or the reason against it, with the given row under ``row``."""
    return [
        {"row": row}
        | ({"verdict": NOT_JUDGED, "not_judged": each} if isinstance(each, str) else to_json(each))
        for row, each in zip(table.rows, table.published, strict=True)
    ]


def to_csv(table: Table) -> str:
    """Return the rows with more columns for what `describe` says; no spreadsheet takes a cell for a formula."""
    stream = io.StringIO()
    names = [_without_formula(name) for name in table.rows[0] if name not in RESULTS]
    writer = csv.DictWriter(stream, [*names, *RESULTS], lineterminator="\n")
    writer.writeheader()
    for facts in to_json_rows(table):
        copied = {_without_formula(name): _without_formula(cell) for name, cell in facts["row"].items()}
        facts["fewest_errors"], facts["most_errors"] = facts.get("errors") or (None, None)
        for name in ("advantage", "p_better", "p_worse"):
            facts[f"{name}_low"], facts[f"{name}_high"] = facts.get(name) or (None, None)
        facts["verdict"] = facts["verdict"] or "no table fits"
        facts["fits_without"] = " or ".join(facts.get("fits_without") or [])
        facts["judged_as"] = "; ".join(facts.get("judged_as", []))
        writer.writerow(copied | {name: _cell(facts.get(name)) for name in RESULTS})
    return stream.getvalue()


def _without_formula(text: str) -> str:
    """Return a cell that is no formula; one that this function has written stays as it is."""
    return text if text.startswith("'") else no_formula(text)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _word(published: Published | str) -> str:
    if isinstance(published, str) or published.verdict is None:
        return NOT_JUDGED
    return published.verdict.verdict or IMPOSSIBLE


def summary(table: Table) -> str:
    """Count the verdicts in one sentence."""
    counts = Counter(map(_word, table.published))
    parts = [f"{counts[word]:,} {word}" for word in WORDS if counts[word]]
    return f"{table.name}, {_plural(len(table.rows), 'row')}: {', '.join(parts)}."


def _short_rows(table: Table) -> Iterator[tuple[str, ...]]:
    yield "row", table.label or "scores", "verdict", "errors", "trivial", "advantage"
    for number, (row, each) in enumerate(zip(table.rows, table.published, strict=True), start=1):
        label = row[table.label].strip() if table.label else ""
        errors = trivial = advantage = ""
        if isinstance(each, Published) and each.verdict is not None:
            trivial = f"{sum(each.cases.counts) - max(each.cases.counts):,}"
            label = label or ", ".join(f"{name} {text}" for name, text in each.printed.items())
            if each.verdict.errors and each.verdict.advantage:
                errors = _span(each.verdict.errors, "{:,}".format)
                advantage = _span(each.verdict.advantage, "{:z.2f}".format)
        yield str(number), shortened(visible(label), LONGEST_LABEL), _word(each), errors, trivial, advantage


def remarks(table: Table) -> list[str]:
    """Return the reasons of rows that were not judged, and how others were read; a remark on several rows once."""
    said: dict[str, list[str]] = {}
    for number, each in enumerate(table.published, start=1):
        if isinstance(each, Published):
            impossible = [_why_impossible(each)] if _word(each) == IMPOSSIBLE else []
            for remark in (*impossible, *each.remarks()):
                said.setdefault(remark, []).append(str(number))
    notes = []
    for text, rows in said.items():
        more = f" and {len(rows) - 8} more" if len(rows) > 8 else ""
        notes.append(f"Row{'s' if len(rows) > 1 else ''} {', '.join(rows[:8])}{more}: {text}.")
    return [each for each in table.published if isinstance(each, str)] + notes


def _why_impossible(published: Published) -> str:
    without = published.fits_without()
    if without:
        return f"no table fits all numbers; one does without {' or '.join(without)}"
    if published.cases.folds is not None:
        return "the numbers cannot be those of the folds that are given"
    return "the numbers cannot be those of one table; give the folds to try means"


RULE_OF_TABLE = (
    "Better or worse: for every confusion table whose scores would be printed so, an exact sign test against "
    f"{RULE} has p <= {LEVEL}. Impossible: no table has such scores. Errors and advantage (Prediction Advantage) are "
    "those of the tables that fit; trivial is the number of errors of that guess."
)


def to_text(table: Table) -> list[str]:
    """Return a summary, a line for each row, and what was not judged or is not plain."""
    rows = [*_short_rows(table)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    aligned = "><<>>>"  # numbers to the right
    lines = [
        "  ".join(
            f"{cell:{align}{width}}" for cell, align, width in zip(row, aligned, widths, strict=True)
        ).rstrip()
        for row in rows
    ]
    notes = [line for note in remarks(table) for line in wrap(visible(note), WIDTH, subsequent_indent="  ")]
    return [
        *(summary(table), "", *lines, ""),
        *(notes and [*notes, ""]),
        *wrap(RULE_OF_TABLE, WIDTH),
        "More: --format csv (every column, p-values), json or html.",
    ]


_STYLE = """td, th { text-align: left; padding: 0.2rem 0.8rem 0.2rem 0; }
[data-verdict="better"] { --verdict: var(--reproduced); }
[data-verdict="worse"], [data-verdict="impossible"] { --verdict: var(--contradicted); }
[data-verdict="inconclusive"] { --verdict: var(--caveat); }
[data-verdict="not judged"] { --verdict: var(--not_evaluated); }
td:nth-child(3) { padding-left: 0.5rem; border-left: 0.35rem solid var(--verdict); white-space: nowrap; }"""


def to_page(table: Table) -> str:
    """Return the same as one page of HTML that needs no other file."""
    from nontrivial.pages import policy, style  # of the extra for cards

    def line(cells: tuple[str, ...]) -> str:
        return "".join(f"<td>{escape(cell)}</td>" for cell in cells)

    head, *rows = _short_rows(table)
    body = "\n".join(f'<tr data-verdict="{row[2]}">{line(row)}</tr>' for row in rows)
    titles = "".join(f'<th scope="col">{escape(visible(each)).capitalize()}</th>' for each in head)
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
<thead><tr>{titles}</tr></thead>
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
