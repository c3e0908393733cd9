"""The command for printed numbers: what it reads, and what it says of them."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any

from nontrivial._validation import ALIASES
from nontrivial.files import no_formula
from nontrivial.measures.published.feasibility import ENDS, LINEAR
from nontrivial.measures.published.printed import PublishedAdvantage, published_advantage, read_printed
from nontrivial.measures.published.tables import NAMES
from nontrivial.measures.published.verdict import PublishedVerdict, published_verdict
from nontrivial.measures.sign_verdict import LEVEL
from nontrivial.terminal import listed, shortened

# Published numbers, as papers print them, from options or from the rows of a CSV file.


# By what papers call them, too.
SCORES = {name: name for name in NAMES} | {other: name for other, name in ALIASES.items() if name in NAMES}
COUNTS = ("positives", "n", "folds")
SHARE = (0.0, 1.0)
# The least and the greatest value of the scores that are not shares.
RANGES: dict[str, tuple[float, float]] = {
    **dict.fromkeys(["cohen_kappa", "matthews_corrcoef", "informedness", "markedness"], (-1, 1)),
    **dict.fromkeys(["positive_likelihood_ratio", "negative_likelihood_ratio"], (0, math.inf)),
    **dict.fromkeys(["diagnostic_odds_ratio", "lift"], (0, math.inf)),
    **dict.fromkeys(["prediction_advantage", "precision_gain", "recall_gain", "f_beta_gain"], (-math.inf, 1)),
}
RULES = {
    SHARE: "a share from 0 to 1, or a percentage with its sign, from 0% to 100%",
    (-1, 1): "a number from -1 to 1",
    (-math.inf, 1): "a number of at most 1",
    (0, math.inf): "a number of at least 0",
}
TYPESET = str.maketrans("\u00b7\u2212\u2264\u2265", ".-<>")  # as journals print points, signs and limits
MISSING = {
    "",
    "-",
    "\u2013",
    "\u2014",
    "\u2212",
    "na",
    "n/a",
    "n.a.",
    "nr",
    "n/r",
}  # as tables print no number
MOST_BYTES = 50_000_000  # of a CSV file


@dataclass(frozen=True)
class Published:
    """The printed scores of one classifier, by the names given and by those of this package, and its cases."""

    printed: dict[str, str]
    scores: dict[str, str]
    cases: dict[str, Any]

    @property
    def counts(self) -> list[int]:
        if "classes" in self.cases:
            return list(self.cases["classes"])
        return [self.cases["positives"], self.cases["n"] - self.cases["positives"]]

    @cached_property
    def verdict(self) -> PublishedVerdict:
        """What the scores are worth."""
        return published_verdict(self.scores, **self.cases)

    def fits_without(self) -> list[str] | None:
        """Return the scores each of which, left out, lets a table fit the others.

        None if a table fits all of them, or if the others leave too many tables to try.
        """
        if len(self.printed) == 1 or self.verdict.errors is not None:
            return None
        found = []
        for name in self.printed:
            others = {score: text for score, text in self.scores.items() if score != SCORES[name]}
            try:
                verdict = published_verdict(others, **self.cases)
            except ValueError:  # the numbers are valid: they were judged together
                return None
            if verdict.errors is not None:
                found.append(name)
        return found

    def by_digits(self) -> PublishedAdvantage | None:
        """Return the advantage that an error rate or an accuracy stands for, if it is the only score."""
        rates = {"error_rate": "error", "accuracy": "accuracy"}
        [(name, score), *others] = self.scores.items()
        if others or name not in rates or score[0] in "<>" or "classes" in self.cases:
            return None
        given: dict[str, Any] = {rates[name]: score}
        return published_advantage(**given, positives=self.cases["positives"], n=self.cases["n"])


def read_published(values: Mapping[str, Any], *, option: str = "") -> Published:
    """Read scores and counts from texts by their names; a text that is None or empty is not given.

    Parameters
    ----------
    values : mapping of str to str, int or None
        By names of scores, ``positives``, ``n``, ``folds`` and ``classes``.
    option : str
        What precedes a name in an error, such as ``--``; names of options have hyphens.

    Raises
    ------
    ValueError
        If there is no score, a score is given twice or is not a valid number, or counts are missing or not valid.
    """

    def called(name: str) -> str:
        return option + (name.replace("_", "-") if option else name)

    given = {name: str(value).strip() for name, value in values.items() if value is not None}
    given = {name: text for name, text in given.items() if text or option}
    printed = {name: text for name, text in given.items() if name in SCORES}
    if not printed:
        raise ValueError(f"Give at least one published score, such as {option}error or {option}recall.")
    scores: dict[str, str] = {}
    for name, text in printed.items():
        if SCORES[name] in scores:
            raise ValueError(f"{called(name)} is given twice, under two names; give it once.")
        scores[SCORES[name]] = _share(text, SCORES[name], called(name))
    cases: dict[str, Any] = {name: _count(given[name], called(name)) for name in COUNTS if name in given}
    if "classes" in given:
        sizes = given["classes"].replace(";", " ").replace(",", " ").split()
        cases["classes"] = tuple(_count(size, f"{option}classes") for size in sizes)
    counts = cases.keys() - {"folds"}
    if counts not in ({"positives", "n"}, {"classes"}):
        found = listed(f"{option}{name}" for name in sorted(counts)) or "none of them"
        raise ValueError(f"Give either {option}positives and {option}n, or {option}classes; given: {found}.")
    return Published(printed, scores, cases)


def _count(text: str, name: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise ValueError(
            f"{name} is {shortened(text, 60)!r}; it must be a whole number of at most 18 digits, without a sign."
        )
    return int(text)


def _share(printed: str, measure: str, name: str) -> str:
    """Turn a printed percentage into a share without losing digits; leave any other number as it is."""
    plain = printed.translate(TYPESET).replace("<=", "<").replace(">=", ">")
    limit = plain[:1] if plain[:1] in ("<", ">") else ""
    text = plain.removeprefix(limit).strip()
    value, _ = read_printed(text.removesuffix("%"), None, name)
    share = text
    if text.endswith("%"):
        sign, digits, exponent = Decimal(text[:-1].strip()).as_tuple()
        assert isinstance(exponent, int)  # as the number is finite
        value, share = value / 100, f"{Decimal((sign, digits, exponent - 2)):f}"
    low, high = RANGES.get(measure, SHARE)
    if not low <= value <= high:
        raise ValueError(f"{name} is {printed!r}; it must be {RULES[low, high]}.")
    return limit + share


def read_rows(path: Path, options: Mapping[str, Any]) -> tuple[list[dict[str, str]], list[Published | str]]:
    """Read the rows of a CSV file and the scores of each; `options` fill in missing cells.

    A row that cannot be judged has the reason in place of its scores.

    Raises
    ------
    ValueError
        With the place in the file, if it is not CSV with names of columns, or no row can be judged.
    """
    rows = _read_cells(path)
    published: list[Published | str] = []
    for number, row in enumerate(rows, start=1):
        cells = {_option(name): cell for name, cell in row.items()}
        given = {
            key: cell for key, cell in cells.items() if cell.strip().removeprefix("'").lower() not in MISSING
        }
        try:
            one = read_published({**options, **given})
            _ = one.verdict  # numbers may contradict the counts
            published.append(one)
        except ValueError as error:
            unread = listed(map(repr, unread_columns(rows)))
            lacks = not given.keys() & SCORES.keys()
            other = f" Columns that are neither scores nor counts: {unread}." if unread and lacks else ""
            published.append(f"Row {number} of {path.name}: {error}{other}")
    reasons = [each for each in published if isinstance(each, str)]
    if len(reasons) == len(rows):
        raise ValueError(reasons[0])
    return rows, published


def unread_columns(rows: list[dict[str, str]]) -> list[str]:
    """Return the columns of `read_rows` whose names are neither scores nor counts."""
    return [name for name in rows[0] if _option(name) not in {*SCORES, *COUNTS, "classes"}]


def _option(column: str) -> str:
    return column.strip().lower().replace("-", "_").replace(" ", "_")


def _read_cells(path: Path) -> list[dict[str, str]]:
    if not path.is_file():
        raise ValueError(f"{path} is not a file; a CSV file of published scores is needed.")
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"{path.name} has more than {MOST_BYTES:,} bytes; at most that many are read.")
    try:
        text = path.read_bytes().decode("utf-8-sig")
        separator = max(",;\t", key=text.partition("\n")[0].count)
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        lines = [line for line in reader if line]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path.name} cannot be read as CSV in UTF-8: {error}.") from None
    if len(lines) < 2:
        raise ValueError(f"{path.name} needs the names of its columns and at least one row.")
    names, *cells = lines
    if len(set(names)) < len(names):
        raise ValueError(f"{path.name} names a column twice: {listed(names)}.")
    for number, row in enumerate(cells, start=1):
        if len(row) != len(names):
            raise ValueError(
                f"Row {number} of {path.name} has {len(row)} cells, but there are {len(names)} columns."
            )
    return [dict(zip(names, row, strict=True)) for row in cells]


# What published scores are worth, as lines of text, as fields of JSON and as columns of a CSV file.


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


def to_json_rows(rows: list[dict[str, str]], published: list[Published | str]) -> list[dict[str, Any]]:
    """Return what `to_json` gives for each row, or the reason against it, with the given row under ``row``."""
    return [
        {
            "row": row,
            **({"verdict": "not judged", "not_judged": each} if isinstance(each, str) else to_json(each)),
        }
        for row, each in zip(rows, published, strict=True)
    ]


def to_csv(rows: list[dict[str, str]], published: list[Published | str]) -> str:
    """Return the rows with more columns for what `describe` says; no spreadsheet takes a cell for a formula."""
    names = next(_columns(each) for each in published if isinstance(each, Published))
    unjudged = dict.fromkeys(names, "")
    results = [
        unjudged | {"verdict": "not judged", "not_judged": each} if isinstance(each, str) else _columns(each)
        for each in published
    ]
    table = [
        {_without_formula(name): _without_formula(cell) for name, cell in row.items() if name not in result}
        | result
        for row, result in zip(rows, results, strict=True)
    ]
    stream = io.StringIO()
    writer = csv.DictWriter(stream, table[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return stream.getvalue()


def _without_formula(text: str) -> str:
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
    columns["not_judged"] = None
    return {name: _cell(value) for name, value in columns.items()}


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.12g}" if isinstance(value, float) else str(value)
