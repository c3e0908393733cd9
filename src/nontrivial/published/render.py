"""What published numbers are worth, as text, JSON, CSV and a page."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import resources
from textwrap import wrap
from typing import Any

from nontrivial.files import no_formula
from nontrivial.measures.published.folds import BOUNDED, LINEAR
from nontrivial.measures.published.tables import SCORES
from nontrivial.measures.sign_verdict import LEVEL
from nontrivial.published.read import RESULTS, Published, Table
from nontrivial.terminal import count_of, shortened, visible

LEAST_P = 0.0001  # as it is printed
LONGEST_LABEL = 28  # of a row
WIDTH = 100  # of the text
RULE = "always predicting the majority"
IMPOSSIBLE, NOT_JUDGED = "impossible", "not judged"
SHOWN = {
    "better": f"better than {RULE}",
    "inconclusive": f"inconclusive: shown neither better nor worse than {RULE}",
    "worse": f"worse than {RULE}",
}


# One classifier.


def describe(published: Published) -> list[str]:
    """Say in lines what published scores are worth."""
    fields, rows = published.fields(), {}
    for name, text in published.printed.items():
        rows[f"published {name}"] = text
        interval = published.ranges.get(SCORES[name])
        if interval and text.removeprefix("-").isdecimal():  # few expect what a 0 or a 1 stands for
            rows[f"published {name}"] += (
                f" ({float(interval.low):g} to {float(interval.high):g} by its digits)"
            )
    if published.sizes:
        rows[next(iter(rows))] += f", {_cases(published)}"
        n = sum(published.counts)
        rows["trivial error"] = f"{_span(published.trivial, lambda errors: f'{errors / n:.4f}')} ({RULE})"
        if digits := published.by_digits:
            rows["prediction advantage"] = (
                f"{digits.advantage:z.4f} ({digits.low:z.4f} to {digits.high:z.4f} by its digits)"
            )
        rows |= _of_tables(published, fields) if fields["verdict"] else _of_none(published, fields)
    else:
        rows["condition"] = fields["condition"]
        rows["verdict"] = "none: give the positives and n (--positives, --n), or --dataset"
    rows |= {f"note {number}": text for number, text in enumerate(published.remarks, start=1)}
    width = max(map(len, rows)) + 1
    return [f"{title + ':':{width}}  {text}" for title, text in rows.items()]


def _cases(published: Published) -> str:
    counts = published.counts
    mean = f"as the mean over {published.folds} folds " if published.folds else ""
    if len(counts) > 2:
        of = f"in {len(counts)} classes ({', '.join(map(str, counts))})"
    else:
        positives = _span((published.sizes[0][0], published.sizes[-1][0]), str)
        of = f"with {positives} positive{'' if positives == '1' else 's'}"
    return f"{mean}on {sum(counts):,} cases {of}"


def _of_none(published: Published, fields: dict[str, Any]) -> dict[str, str]:
    if published.folds is not None:
        tables, missing = "none with such means", "no folds have means as printed"
    else:
        may_be_means = len(published.counts) == 2 and published.ranges.keys() <= {*LINEAR, *BOUNDED}
        tables = "none; --folds tries means over folds" if may_be_means else "none"
        missing = "no table fits the numbers as printed"
    rows = {"tables that fit": tables}
    if fields["fits_without"] is not None:
        *names, last = fields["fits_without"] or ["no single number"]
        rows["would fit without"] = f"{', '.join(names)} or {last}" if names else last
    return rows | {"verdict": f"none: {missing}"}


def _of_tables(published: Published, fields: dict[str, Any]) -> dict[str, str]:
    (fewest, most), exact = fields["errors"], fields["exact"]
    errors = count_of(most, "error") if fewest == most else f"{fewest:,} to {count_of(most, 'error')}"
    if fields["tables"] is None:
        tables = "some" if exact else "some or none"
    else:
        tables = f"{'' if exact else 'at most '}{fields['tables']:,}"
    independent = "; cases of several folds count as independent" if published.folds else ""
    rows = {
        "tables that fit": f"{tables}, with {errors}; {RULE} makes {_span(published.trivial, '{:,}'.format)}",
        "their advantage": _span(fields["advantage"], "{:z.4f}".format),
        "verdict": SHOWN[fields["verdict"]] + ("" if exact else ", if any table fits"),
        "p-values": f"better {_p_span(fields['p_better'])}, worse {_p_span(fields['p_worse'])}",
        "rule": f"an exact sign test must have p <= {LEVEL} for every table that fits{independent}",
    }
    if fields["verdict"] == "inconclusive":
        needed = "no number of cases: the tables that fit are neither all better than trivial nor all worse"
        if fields["cases_needed"] is not None:
            needed = f"about {fields['cases_needed']:,} cases with exactly the same rates"
        elif fewest == most and published.trivial == (fewest, most):
            needed = f"no number of cases: every table that fits makes as many errors as {RULE}"
        rows["would be shown by"] = needed
    return rows


def _p_span(span: tuple[float, float]) -> str:
    low, high = span
    return f"up to {_p_text(high)}" if low < LEAST_P <= high else _span(span, _p_text)


def _p_text(p_value: float) -> str:
    return f"below {LEAST_P}" if p_value < LEAST_P else f"{p_value:.4f}"


def _span(span: tuple[Any, Any], text: Callable[[Any], str]) -> str:
    low, high = map(text, span)
    return low if low == high else f"{low} to {high}"


# A table of papers.


def to_json_rows(table: Table) -> list[dict[str, Any]]:
    """Return the fields of each row, or the reason against it, with the given row under ``row``."""
    return [
        {"row": row}
        | ({"verdict": NOT_JUDGED, "not_judged": each} if isinstance(each, str) else each.fields())
        for row, each in zip(table.rows, table.published, strict=True)
    ]


def to_csv(table: Table) -> str:
    """Return the rows with more columns for the fields; no spreadsheet takes a cell for a formula."""
    stream = io.StringIO()
    names = [_without_formula(name) for name in table.rows[0] if name not in RESULTS]
    writer = csv.DictWriter(stream, [*names, *RESULTS], lineterminator="\n")
    writer.writeheader()
    for fields in to_json_rows(table):
        copied = {_without_formula(name): _without_formula(cell) for name, cell in fields["row"].items()}
        fields["fewest_errors"], fields["most_errors"] = fields.get("errors") or (None, None)
        for name in ("advantage", "p_better", "p_worse"):
            fields[f"{name}_low"], fields[f"{name}_high"] = fields.get(name) or (None, None)
        fields["verdict"] = fields["verdict"] or "no table fits"
        fields["fits_without"] = " or ".join(fields.get("fits_without") or [])
        fields["judged_as"] = "; ".join(fields.get("judged_as", []))
        writer.writerow(copied | {name: _cell(fields.get(name)) for name in RESULTS})
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
    parts = [f"{counts[word]:,} {word}" for word in (*SHOWN, IMPOSSIBLE, NOT_JUDGED) if counts[word]]
    return f"{table.name}, {count_of(len(table.rows), 'row')}: {', '.join(parts)}."


def _short_rows(table: Table) -> Iterator[tuple[str, ...]]:
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
    reasons, rows_of = [], dict[str, list[str]]()
    for number, each in enumerate(table.published, start=1):
        if isinstance(each, str):
            reasons.append(each)
            continue
        impossible = [_why_impossible(each)] if _word(each) == IMPOSSIBLE else []
        for remark in (*impossible, *each.remarks):
            rows_of.setdefault(remark, []).append(str(number))
    notes = []
    for text, rows in rows_of.items():
        more = f" and {len(rows) - 8} more" if len(rows) > 8 else ""
        notes.append(f"Row{'s' if len(rows) > 1 else ''} {', '.join(rows[:8])}{more}: {text}.")
    return reasons + notes


def _why_impossible(published: Published) -> str:
    if published.fits_without:
        return f"no table fits all numbers; one does without {' or '.join(published.fits_without)}"
    if published.folds is not None:
        return "the numbers cannot be those of the folds that are given"
    return "the numbers cannot be those of one table; give the folds to try means"


RULE_OF_TABLE = (
    "Better or worse: for every confusion table whose scores would be printed so, an exact sign test against "
    f"{RULE} has p <= {LEVEL}. Impossible: no table has such scores. Errors and advantage (Prediction Advantage) are "
    "those of the tables that fit; trivial is the number of errors of that guess."
)


def to_text(table: Table) -> list[str]:
    """Return a summary, a line for each row, and what was not judged or is not plain."""
    rows = list(_short_rows(table))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = zip(row, "><<>>>", widths, strict=True)  # numbers to the right
        lines.append("  ".join(f"{cell:{align}{width}}" for cell, align, width in cells).rstrip())
    notes = [line for note in remarks(table) for line in wrap(visible(note), WIDTH, subsequent_indent="  ")]
    return [
        *(summary(table), "", *lines, ""),
        *(notes and [*notes, ""]),
        *wrap(RULE_OF_TABLE, WIDTH),
        "More: --format csv (every column, p-values), json or html.",
    ]


_STYLE = """td, th { text-align: left; padding: 0.2rem 0.8rem 0.2rem 0; }
[data-verdict=better] { --verdict: var(--reproduced); }
[data-verdict=worse], [data-verdict=impossible] { --verdict: var(--contradicted); }
[data-verdict=inconclusive] { --verdict: var(--caveat); }
[data-verdict^=not] { --verdict: var(--not_evaluated); }
td:nth-child(3) { padding-left: 0.5rem; border-left: 0.35rem solid var(--verdict); white-space: nowrap; }"""


def to_page(table: Table) -> str:
    """Return the same as one page of HTML that needs no other file."""
    from jinja2 import Environment  # of the extra for cards

    from nontrivial.pages import policy, style

    head, *rows = _short_rows(table)
    look = style() + _STYLE
    template = resources.files(__package__).joinpath("page.html").read_text(encoding="utf-8")
    environment = Environment(
        autoescape=True, trim_blocks=True, finalize=lambda each: visible(each) if type(each) is str else each
    )
    return environment.from_string(template).render(
        name=table.name,
        style=look,
        policy=policy(look),
        summary=summary(table),
        head=head,
        rows=rows,
        notes=remarks(table),
        rule=RULE_OF_TABLE,
    )
