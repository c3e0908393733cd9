"""Published numbers from options, or from the rows of a file, with what they are worth."""

import re
from collections import Counter
from collections.abc import Callable, Container, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from nontrivial.measures.published.printed import (
    MARKS,
    SPREAD,
    Interval,
    advantage_of_error,
    class_sizes,
    find_dataset,
    read_count,
)
from nontrivial.measures.published.tables import SCORES, Ranges, read_ranges
from nontrivial.measures.published.verdict import Published, judge
from nontrivial.measures.sign_verdict import LEVEL
from nontrivial.numerals import MISSING_NUMBERS
from nontrivial.published.names import NAMES
from nontrivial.terminal import listed

COUNTS = ("positives", "negatives", "n", "folds", "classes", "dataset")
CASES = {"dataset", "classes", "positives"}  # one of these says how many cases there are
# Weka and scikit-learn print their means weighted by the classes.
AVERAGED = ("recall", "precision", "f_beta")
OF_THE_NEGATIVES = ("specificity", "negative_predictive_value", "false_positive_rate")


def judge_numbers(values: Mapping[str, Any], called: Callable[[str], str] = str) -> dict[str, Any]:
    """Judge scores and counts, given as texts, and return the fields of the JSON; errors name each as `called` says."""
    given = {name: str(value).strip() for name, value in values.items() if value is not None}
    # The prevalence is the share of positives, where nothing else says how many there are.
    if "prevalence" in given and not given.keys() & CASES:
        given["positives"] = given.pop("prevalence")
    printed = {name: text for name, text in given.items() if name in SCORES}
    if not printed:
        raise ValueError(
            f"Give at least one published score, such as {called('error')} or {called('recall')}."
        )
    folds = read_count(given["folds"], called("folds")) if "folds" in given else None
    result = Published(read_ranges(printed, called), class_sizes(given, called), folds)
    remarks = [find_dataset(given["dataset"]).describe()] if "dataset" in given else []
    if folds is None and any(map(SPREAD.search, printed.values())):
        remarks.append("a number with ± is usually a mean over folds or runs; give the folds to judge it so")
    fields: dict[str, Any] = {"published": printed}
    if result.sizes:
        by_class = "classes" in given or len(result.sizes[0]) > 2
        fields |= _judge(printed, result, by_class, remarks)
    elif condition := _condition(result.ranges):
        fields |= {
            "level": LEVEL,
            "by_digits": None,
            "verdict": None,
            "condition": condition,
            "fits_without": None,
        }
    else:
        names = listed(called(name) for name in COUNTS if name in given) or "none of them"
        raise ValueError(
            f"Give {called('positives')} and {called('n')}, {called('classes')} or {called('dataset')}; given: {names}."
        )
    return fields | {"judged_as": remarks}


def _judge(
    printed: Mapping[str, str], result: Published, by_class: bool, remarks: list[str]
) -> dict[str, Any]:
    """Return as fields what the cases are and what the scores are worth; add to the remarks how they are read."""
    sizes = result.sizes
    first, last, n = sizes[0][0], sizes[-1][0], sum(sizes[0])
    if len(sizes) > 1:
        remarks.append(f"{first:,} to {last:,} positives would be printed so; all are judged")
    fields: dict[str, Any] = {} if result.folds is None else {"folds": result.folds}
    if by_class:
        fields["classes"] = sizes[0]
    else:
        fields |= {"positives": first if first == last else [first, last], "n": n}
    if _are_weighted(result, by_class):
        result = result.without(AVERAGED)
        left = listed(name for name in printed if SCORES[name] in AVERAGED)
        said = "recall equals the accuracy, as a mean weighted by the classes does (Weka, scikit-learn)"
        remarks.append(f"{said}; left out: {left}")
    fields |= {"level": LEVEL, "by_digits": None}
    accuracy = _accuracy(result.ranges)
    if accuracy and len(result.ranges) == len(sizes) == 1 and not by_class:
        digits = advantage_of_error(accuracy.complement(), first, n)
        fields["by_digits"] = {"advantage": digits.advantage, "low": digits.low, "high": digits.high}
    trivial = [n - max(counts) for counts in sizes]
    verdict = judge(result)
    fields |= {"trivial_errors": (min(trivial), max(trivial))} | asdict(verdict)
    is_question = verdict.errors is None and len(result.ranges) > 1
    return fields | {"fits_without": _fits_without(printed, result) if is_question else None}


def _are_weighted(result: Published, by_class: bool) -> bool:
    """Tell whether recall, precision and F1 are means weighted by the classes: such a recall is the accuracy."""
    recall, accuracy, error = map(result.ranges.get, ("recall", "accuracy", "error_rate"))
    accuracies = [accuracy and accuracy.value, error and 1 - error.value]
    if recall is None or recall.value not in accuracies:
        return False
    may_be_plain = not by_class and result.ranges.keys() & set(OF_THE_NEGATIVES)
    return not may_be_plain or judge(result).errors is None


def _fits_without(printed: Mapping[str, str], result: Published) -> list[str] | None:
    """Return the scores each of which, left out, lets a table fit the others."""
    names = []
    for name in printed:
        if SCORES[name] in result.ranges:
            try:
                if judge(result.without([SCORES[name]])).errors:
                    names.append(name)
            except ValueError:  # the others leave too many tables to try
                return None
    return names


def _accuracy(ranges: Ranges) -> Interval | None:
    accuracy, error = ranges.get("accuracy"), ranges.get("error_rate")
    accuracy = accuracy or (error and error.complement())
    return None if accuracy is None or accuracy.is_limit else accuracy


def _condition(ranges: Ranges) -> str | None:
    """Say for which data scores are better than trivial."""
    accuracy, recall, specificity = _accuracy(ranges), ranges.get("recall"), ranges.get("specificity")
    if accuracy is not None:
        if recall and specificity:
            is_below = accuracy.high < min(recall.low, specificity.low)
            if is_below or accuracy.low > max(recall.high, specificity.high):
                return "impossible for any data: the accuracy lies between recall and specificity"
        return (
            f"better than trivial only if the majority's share is below {_percent(accuracy.value)} "
            f"({_percent(accuracy.low)} to {_percent(accuracy.high)} by its digits)"
        )
    if recall is None or specificity is None:
        return None
    hits, rejections = recall.value, specificity.value
    if hits + rejections <= 1:
        return "worse than trivial for every share of positives: recall plus specificity is at most 1"
    least = (1 - rejections) / (1 - rejections + hits)
    most = rejections / (rejections + 1 - hits)
    return f"better than trivial only if from {_percent(least)} to {_percent(most)} of the cases are positive"


def _percent(share: Fraction | float) -> str:
    return f"{float(100 * share):.5g} %"


# A table of papers.


NOT_JUDGED = "not judged"
# The columns that `nontrivial published` adds.
RESULTS = [
    *("trivial_error", "tables", "fewest_errors", "most_errors", "advantage_low", "advantage_high"),
    *("p_better_low", "p_better_high", "p_worse_low", "p_worse_high"),
    *("verdict", "cases_needed", "fits_without", "judged_as", "not_judged"),
]
_BRACKETS = re.compile(r"[(\[]\s*([^()\[\]]*?)\s*[)\]]")
_PERCENT = re.compile(r"(in )?(%|percent)")
_BESIDE = re.compile(r".*\bci\b.*|(mean )?(\u00b1|\+/-)? ?(sd|std|se)|mean|n|range")  # in brackets
_MISSING = {"", "nr", "n/r", "n.r.", *MISSING_NUMBERS}
_THOUSANDS = re.compile(r"\d,\d{3}(?!\d)")
_LONG = re.compile(r"-?[0-9]*\.[0-9]{15,}(e-?[0-9]+)?")
_NUMBER = re.compile(r"[\s<>=']*([0-9]*\.?[0-9]+)")
# Of these, a percentage below 1 is likely.
SMALL = (
    *("error", "false_positive_rate", "false_negative_rate", "false_discovery_rate", "false_omission_rate"),
    "positives",
)


@dataclass(frozen=True)
class PublishedRows:
    """The rows of a file: the fields of each, with its cells as ``row``, or the reason why it cannot be judged."""

    name: str
    rows: list[dict[str, Any]]
    unread: list[str]  # columns that are neither scores nor counts
    label: str | None  # the one of them that names the rows


def read_heading(heading: str) -> tuple[str | None, bool]:
    """Return what a heading names, if it is a score or a count, and whether its numbers are percentages.

    Examples
    --------
    >>> [read_heading(each) for each in ("Accuracy (%)", "Sens., %", "AUC (95 % CI)", "F1-score", "F1 (macro)")]
    [('accuracy', True), ('recall', True), ('auc', False), ('f1', False), (None, False)]
    """
    text = heading.casefold().replace("\u2019", "'")
    notes = _BRACKETS.findall(text)
    if not all(_PERCENT.fullmatch(note) or _BESIDE.fullmatch(note) for note in notes):
        return None, False  # such as "F1 (macro)"
    bare = re.sub(r"\b\d+ ?% ?(ci|confidence).*", "", _BRACKETS.sub(" ", text))
    plain = re.sub(r"(\u00b1|\+/-|,).*|\bin %|[%']", " ", bare).replace(".", " ")
    words = re.sub(r"^(no|nr|num|number|n)_of_", "", "_".join(re.sub(r"[-_#:]", " ", plain).split()))
    words = words.removeprefix("mean_").removeprefix("average_")
    name = NAMES.get(words, words if words in SCORES else None)
    return name, "%" in bare or any(map(_PERCENT.fullmatch, notes))


def judge_file(
    path: Path, options: Mapping[str, Any], how: Mapping[str, str | None] | None = None
) -> PublishedRows:
    """Judge the rows of a file, read as `how` says; `options` fill in missing cells. ValueError: none can be judged."""
    rows, has_commas = _read_rows(path, how or {})
    headings = {heading: read_heading(heading) for heading in rows[0]}
    sure = {heading for heading in headings if any(_is_percentage(row[heading]) for row in rows)}
    unread = [heading for heading, (name, _) in headings.items() if name is None]
    judged: list[dict[str, Any]] = []
    for number, row in enumerate(rows, start=1):
        try:
            fields = _judge_row(row, headings, sure, has_commas, options)
        except ValueError as error:
            fields = {"verdict": NOT_JUDGED, "not_judged": f"Row {number} of {path.name}: {error}"}
        judged.append({"row": row} | fields)
    if all("not_judged" in fields for fields in judged):
        other = f" Columns that are neither scores nor counts: {listed(map(repr, unread))}." if unread else ""
        raise ValueError(f"{judged[0]['not_judged']}{other}")
    label = next((each for each in unread if any(row[each].strip() for row in rows)), None)
    return PublishedRows(path.name, judged, unread, label)


def _judge_row(
    row: Mapping[str, str],
    headings: Mapping[str, tuple[str | None, bool]],
    sure: Container[str],
    has_commas: bool,
    options: Mapping[str, Any],
) -> dict[str, Any]:
    """Judge a row; the numbers of a sure column are percentages if its heading has the sign, even those below 1."""
    given, named = dict[str, str](), dict[str, str]()
    for heading, (name, is_percent) in headings.items():
        cell = row[heading].strip(MARKS)
        if name is None or cell.strip().removeprefix("'").lower() in _MISSING:
            continue
        if name in given:
            raise ValueError(f"{named[name]!r} and {heading!r} are one score; keep one of them.")
        if name in SCORES and (has_commas or ("." not in cell and not _THOUSANDS.search(cell))):
            cell = re.sub(r"(?<=\d),(?=\d)", ".", cell)
        if is_percent and "%" not in cell and _NUMBER.match(cell):
            if not ((heading in sure and name in SMALL) or _is_percentage(cell)):
                raise ValueError(
                    f"{heading!r} is {cell!r}, which may be a share or a percentage; write 91%, or 0.91 without the "
                    "sign in the heading."
                )
            cell = f"{cell} %"
        named[name], given[name] = heading, cell
    own = given.keys() & CASES
    if own - {"dataset"}:  # numbers come before the name of a data set, which may be any
        given.pop("dataset", None)
    usual = {name: value for name, value in options.items() if not (own and name in CASES)}
    fields = judge_numbers({**usual, **given}, lambda name: named.get(name, name))
    if "condition" in fields:
        condition = fields["condition"]
        raise ValueError(f"without the numbers of cases, {condition}; give the positives and n to judge it.")
    return fields


def _is_percentage(cell: str) -> bool:
    """Tell whether a cell can only be a percentage."""
    number = _NUMBER.match(cell)
    return number is not None and ("%" in cell or float(number[1]) > 1)


def _read_rows(path: Path, how: Mapping[str, str | None]) -> tuple[list[dict[str, str]], bool]:
    """Return the rows with their cells as texts, and whether a comma may be the decimal mark, as it parts no cells."""
    from nontrivial.reading.cells import Column
    from nontrivial.reading.files import open_table

    table = open_table(path, **how)
    twice = [name for name, times in Counter([*table.names, *RESULTS]).items() if times > 1]
    if twice:
        names = listed(twice)
        raise ValueError(f"{path.name} has {names} twice, or the output adds such a column; rename it.")
    columns = {}
    for name, cells in table.read(table.names).items():
        texts, places = Column(name, cells).written
        if table.form != "CSV":  # then the cell may have been a number, of which 15 digits are sure
            texts = [f"{float(text):.15g}" if _LONG.fullmatch(text) else text for text in texts]
        columns[name] = [texts[place] for place in places]
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return [row for row in rows if any(row.values())], table.separator != ","
