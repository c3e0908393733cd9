"""What published scores are worth, as lines of text, as fields of JSON and as columns of a CSV file."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

from nontrivial.files import no_formula
from nontrivial.measures.published.fold_means import LINEAR
from nontrivial.measures.published.fold_tables import ENDS
from nontrivial.measures.published.printed import read_printed
from nontrivial.measures.published.verdict import PublishedVerdict
from nontrivial.measures.sign_verdict import LEVEL
from nontrivial.published.stated_numbers import RANGES, SCORES, SHARE, Published

LEAST_P = 0.0001  # as it is printed
RULE = "always predicting the majority"
SHOWN = {
    "better": f"better than {RULE}",
    "worse": f"worse than {RULE}",
    "not shown": f"not shown to be better or worse than {RULE}",
}


def describe(published: Published) -> Iterator[str]:
    """Say in lines what published scores are worth."""
    verdict, digits = published.verdict, published.by_digits()
    rows = {f"published {name}": _digits(text, SCORES[name]) for name, text in published.printed.items()}
    first = next(iter(rows))
    rows[first] += f", {_cases(published)}"
    rows["trivial error"] = f"{verdict.trivial_error:.4f} ({RULE})"
    if digits is not None:
        rows["prediction advantage"] = (
            f"{digits.advantage:z.4f} ({digits.low:z.4f} to {digits.high:z.4f} by its digits)"
        )
    rows |= _of_tables(published, verdict)
    width = max(map(len, rows)) + 1
    return (f"{title + ':':{width}}  {text}" for title, text in rows.items())


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
        of_folds = len(published.counts) == 2 and published.scores.keys() <= {*LINEAR, *ENDS}
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
        "rule": f"shown if an exact sign test has p of at most {LEVEL} for every table that fits{independent}",
    }
    if verdict.cases_needed is not None:
        rows["would be shown by"] = f"about {verdict.cases_needed:,} cases with exactly the same rates"
    elif verdict.verdict == "not shown":
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


def _span(span: tuple[float, float], text: Callable[[float], str]) -> str:
    low, high = map(text, span)
    return low if low == high else f"{low} to {high}"


def to_json(published: Published) -> dict[str, Any]:
    """Return what `describe` says, as fields of JSON."""
    digits = published.by_digits()
    advantage = (
        None if digits is None else {name: getattr(digits, name) for name in ("advantage", "low", "high")}
    )
    return {
        "published": published.printed,
        **published.cases,
        "level": LEVEL,
        "by_digits": advantage,
        **asdict(published.verdict),
        "fits_without": published.fits_without(),
    }


def to_json_rows(rows: list[dict[str, str]], published: list[Published]) -> list[dict[str, Any]]:
    """Return what `to_json` gives for each row, with the given row under ``row``."""
    return [{"row": row, **to_json(each)} for row, each in zip(rows, published, strict=True)]


def to_csv(rows: list[dict[str, str]], published: list[Published]) -> str:
    """Return the rows with more columns for what `describe` says; no spreadsheet takes a cell for a formula."""
    results = [_columns(each) for each in published]
    table = [
        {_kept(name): _kept(cell) for name, cell in row.items() if name not in result} | result
        for row, result in zip(rows, results, strict=True)
    ]
    stream = io.StringIO()
    writer = csv.DictWriter(stream, table[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return stream.getvalue()


def _kept(text: str) -> str:
    """Return a cell that is no formula; one that this function has written stays as it is."""
    return text if text.startswith("'") else no_formula(text)


def _columns(published: Published) -> dict[str, str]:
    verdict = published.verdict
    columns: dict[str, Any] = {"trivial_error": verdict.trivial_error, "tables": verdict.tables}
    columns["fewest_errors"], columns["most_errors"] = verdict.errors or (None, None)
    for name in ("advantage", "p_better", "p_worse"):
        columns[f"{name}_low"], columns[f"{name}_high"] = getattr(verdict, name) or (None, None)
    columns["verdict"] = verdict.verdict or "no table fits"
    columns["cases_needed"] = verdict.cases_needed
    columns["fits_without"] = " or ".join(published.fits_without() or [])
    return {name: _cell(value) for name, value in columns.items()}


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.12g}" if isinstance(value, float) else str(value)
