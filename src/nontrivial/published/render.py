"""What published numbers are worth, as text, CSV and a page."""

import csv
import io
from collections import Counter
from collections.abc import Callable
from importlib import resources
from textwrap import wrap
from typing import Any

from nontrivial.files import no_formula
from nontrivial.measures.published.folds import BOUNDED, LINEAR
from nontrivial.measures.published.printed import read_printed
from nontrivial.measures.published.tables import BOUNDS, SCORES
from nontrivial.measures.sign_verdict import LEVEL
from nontrivial.published.read import NOT_JUDGED, RESULTS, PublishedRows
from nontrivial.terminal import count_of, listed, shortened, visible

LEAST_P = 0.0001  # as it is printed
LONGEST_LABEL = 28  # of a row
WIDTH = 100  # of the text
RULE = "always predicting the majority"
IMPOSSIBLE = "impossible"
SHOWN = {
    "better": f"better than {RULE}",
    "inconclusive": f"inconclusive: shown neither better nor worse than {RULE}",
    "worse": f"worse than {RULE}",
}


def describe(fields: dict[str, Any]) -> str:
    """Say in lines what published scores are worth."""
    rows = {}
    for name, text in fields["published"].items():
        digits = ""
        if text.removeprefix("-").isdecimal():  # few expect what a 0 or a 1 stands for
            interval = read_printed(text, name, BOUNDS[SCORES[name]])
            digits = f" ({float(interval.low):g} to {float(interval.high):g} by its digits)"
        rows[f"published {name}"] = text + digits
    if "condition" in fields:
        rows["condition"] = fields["condition"]
        rows["verdict"] = "none: give the positives and n (--positives, --n), or --dataset"
    else:
        n = fields["n"] if "n" in fields else sum(fields["classes"])
        rows[next(iter(rows))] += f", {_cases(fields, n)}"
        trivial = _span(fields["trivial_errors"], lambda errors: f"{errors / n:.4f}")
        rows["trivial error"] = f"{trivial} ({RULE})"
        if fields["by_digits"]:
            form = "{advantage:z.4f} ({low:z.4f} to {high:z.4f} by its digits)"
            rows["prediction advantage"] = form.format(**fields["by_digits"])
        rows |= _of_tables(fields) if fields["verdict"] else _of_none(fields)
    rows |= {f"note {number}": text for number, text in enumerate(fields["judged_as"], start=1)}
    width = max(map(len, rows)) + 1
    return "\n".join(f"{title + ':':{width}}  {text}" for title, text in rows.items())


def _cases(fields: dict[str, Any], n: int) -> str:
    mean = f"as the mean over {fields['folds']} folds " if "folds" in fields else ""
    classes = fields.get("classes", [])
    if len(classes) > 2:
        return f"{mean}on {n:,} cases in {len(classes)} classes ({', '.join(map(str, classes))})"
    positives = classes[0] if classes else fields["positives"]
    text = f"{positives[0]} to {positives[1]}" if isinstance(positives, list) else str(positives)
    return f"{mean}on {n:,} cases with {text} positive{'' if text == '1' else 's'}"


def _of_none(fields: dict[str, Any]) -> dict[str, str]:
    tables, missing = "none", "no table fits the numbers as printed"
    if "folds" in fields:
        tables, missing = "none with such means", "no folds have means as printed"
    elif len(fields.get("classes", [])) <= 2:
        scores = {SCORES[name] for name in fields["published"]}
        if scores <= {*LINEAR, *BOUNDED}:
            tables = "none; --folds tries means over folds"
    rows = {"tables that fit": tables}
    if fields["fits_without"] is not None:
        *names, last = fields["fits_without"] or ["no single number"]
        rows["would fit without"] = f"{', '.join(names)} or {last}" if names else last
    return rows | {"verdict": f"none: {missing}"}


def _of_tables(fields: dict[str, Any]) -> dict[str, str]:
    (fewest, most), exact = fields["errors"], fields["exact"]
    errors = count_of(most, "error") if fewest == most else f"{fewest:,} to {count_of(most, 'error')}"
    if fields["tables"] is None:
        tables = "some" if exact else "some or none"
    else:
        tables = f"{'' if exact else 'at most '}{fields['tables']:,}"
    trivial = _span(fields["trivial_errors"], "{:,}".format)
    independent = "; cases of several folds count as independent" if "folds" in fields else ""
    rows = {
        "tables that fit": f"{tables}, with {errors}; {RULE} makes {trivial}",
        "their advantage": _span(fields["advantage"], "{:z.4f}".format),
        "verdict": SHOWN[fields["verdict"]] + ("" if exact else ", if any table fits"),
        "p-values": f"better {_p_span(fields['p_better'])}, worse {_p_span(fields['p_worse'])}",
        "rule": f"an exact sign test must have p <= {LEVEL} for every table that fits{independent}",
    }
    if fields["verdict"] == "inconclusive":
        needed = "no number of cases: the tables that fit are neither all better than trivial nor all worse"
        if fields["cases_needed"] is not None:
            needed = f"about {fields['cases_needed']:,} cases with exactly the same rates"
        elif fewest == most and fields["trivial_errors"] == fields["errors"]:
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


def to_csv(table: PublishedRows) -> str:
    """Return the rows with more columns for the fields; no spreadsheet takes a cell for a formula."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([*map(no_formula, table.rows[0]["row"]), *RESULTS])
    for fields in table.rows:
        added = dict(fields)
        added["fewest_errors"], added["most_errors"] = fields.get("errors") or (None, None)
        for name in ("advantage", "p_better", "p_worse"):
            added[f"{name}_low"], added[f"{name}_high"] = fields.get(name) or (None, None)
        added["verdict"] = fields["verdict"] or "no table fits"
        added["fits_without"] = " or ".join(fields.get("fits_without") or [])
        added["judged_as"] = "; ".join(fields.get("judged_as", []))
        results = (added.get(name) for name in RESULTS)
        cells = [f"{value:.12g}" if isinstance(value, float) else value for value in results]
        writer.writerow([*map(no_formula, fields["row"].values()), *cells])
    return stream.getvalue()


def _summary(table: PublishedRows) -> str:
    """Count the verdicts in one sentence."""
    counts = Counter(fields["verdict"] or IMPOSSIBLE for fields in table.rows)
    parts = [f"{counts[word]:,} {word}" for word in (*SHOWN, IMPOSSIBLE, NOT_JUDGED) if counts[word]]
    return f"{table.name}, {count_of(len(table.rows), 'row')}: {', '.join(parts)}."


def _short_rows(table: PublishedRows) -> list[tuple[str, ...]]:
    head = ("row", table.label or "scores", "verdict", "errors", "trivial", "advantage")
    rows: list[tuple[str, ...]] = [head]
    for number, fields in enumerate(table.rows, start=1):
        label = fields["row"][table.label].strip() if table.label else ""
        label = label or ", ".join(f"{name} {text}" for name, text in fields.get("published", {}).items())
        spans = [("errors", "{:,}"), ("trivial_errors", "{:,}"), ("advantage", "{:z.2f}")]
        cells = [_span(fields[name], form.format) if fields.get(name) else "" for name, form in spans]
        word = fields["verdict"] or IMPOSSIBLE
        rows.append((str(number), shortened(visible(label), LONGEST_LABEL), word, *cells))
    return rows


def _notes(table: PublishedRows) -> list[str]:
    """Return the reasons of rows that were not judged, and how others were read; a remark on several rows once."""
    notes = [fields["not_judged"] for fields in table.rows if "not_judged" in fields]
    rows_of: dict[str, list[str]] = {}
    for number, fields in enumerate(table.rows, start=1):
        if not fields["verdict"]:
            rows_of.setdefault(_why_impossible(fields), []).append(str(number))
        for remark in fields.get("judged_as", []):
            rows_of.setdefault(remark, []).append(str(number))
    for text, rows in rows_of.items():
        notes.append(f"Row{'s' if len(rows) > 1 else ''} {listed(rows, 8)}: {text}.")
    return notes


def _why_impossible(fields: dict[str, Any]) -> str:
    if fields["fits_without"]:
        return f"no table fits all numbers; one does without {' or '.join(fields['fits_without'])}"
    if "folds" in fields:
        return "the numbers cannot be those of the folds that are given"
    return "the numbers cannot be those of one table; give the folds to try means"


RULE_OF_TABLE = (
    "Better or worse: for every confusion table whose scores would be printed so, an exact sign test against "
    f"{RULE} has p <= {LEVEL}. Impossible: no table has such scores. Errors and advantage (Prediction Advantage) are "
    "those of the tables that fit; trivial is the number of errors of that guess."
)


def to_text(table: PublishedRows) -> str:
    """Return a summary, a line for each row, and what was not judged or is not plain."""
    rows = _short_rows(table)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [_summary(table), ""]
    for row in rows:
        cells = zip(row, "><<>>>", widths, strict=True)  # numbers to the right
        lines.append("  ".join(f"{cell:{align}{width}}" for cell, align, width in cells).rstrip())
    lines.append("")
    notes = _notes(table)
    for note in notes:
        lines += wrap(visible(note), WIDTH, subsequent_indent="  ")
    if notes:
        lines.append("")
    lines += [*wrap(RULE_OF_TABLE, WIDTH), "More: --format csv (every column, p-values), json or html."]
    return "\n".join(lines)


def to_page(table: PublishedRows) -> str:
    """Return the same as one page of HTML that needs no other file."""
    from nontrivial.pages import policy, style, templates  # of the extra for cards

    look = style() + resources.files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    escaped = templates(
        "nontrivial.published", finalize=lambda value: visible(value) if type(value) is str else value
    )
    head, *rows = _short_rows(table)
    return escaped.get_template("page.html").render(
        name=table.name,
        style=look,
        policy=policy(look),
        summary=_summary(table),
        head=head,
        rows=rows,
        notes=_notes(table),
        rule=RULE_OF_TABLE,
    )


WRITERS = {"text": to_text, "csv": to_csv, "html": to_page}
