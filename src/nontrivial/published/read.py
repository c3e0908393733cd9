"""Published numbers from options, or from the rows of a CSV file, with what they are worth."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from nontrivial.measures.published.printed import (
    MARKS,
    SPREAD,
    Interval,
    Sizes,
    advantage_of_error,
    class_sizes,
    find_dataset,
    is_share,
    read_count,
    read_printed,
)
from nontrivial.measures.published.tables import SCORES, Ranges, read_ranges
from nontrivial.measures.published.verdict import judge
from nontrivial.measures.sign_verdict import LEVEL
from nontrivial.numerals import MISSING_NUMBERS
from nontrivial.terminal import listed

COUNTS = ("positives", "negatives", "n", "folds", "classes", "dataset")
CASES = ("dataset", "classes", "positives")  # one of these says how many cases there are
# Weka and scikit-learn print their means weighted by the classes.
AVERAGED = ("recall", "precision", "f_beta")
OF_THE_NEGATIVES = ("specificity", "negative_predictive_value", "false_positive_rate")


def read_published(values: Mapping[str, Any], called: Callable[[str], str] = str) -> dict[str, Any]:
    """Judge scores and counts that are given as texts, by their names; None is not given.

    Return plain fields, those of the JSON. Errors name each score or count as `called` says.
    """
    given = {name: str(value).strip() for name, value in values.items() if value is not None}
    printed = {name: text for name, text in given.items() if name in SCORES}
    # The prevalence is the share of positives, where nothing else says how many there are.
    if "prevalence" in printed and not given.keys() & set(CASES):
        given["positives"] = printed.pop("prevalence")
    if not printed:
        raise ValueError(
            f"Give at least one published score, such as {called('error')} or {called('recall')}."
        )
    ranges = read_ranges(printed, called)
    folds = read_count(given["folds"], called("folds")) if "folds" in given else None
    sizes, share = _read_cases(given, called)
    by_class = "classes" in given or (bool(sizes) and len(sizes[0]) > 2)
    remarks = [find_dataset(given["dataset"]).describe()] if "dataset" in given else []
    if _are_weighted(ranges, [] if by_class else sizes, folds):
        ranges = {name: interval for name, interval in ranges.items() if name not in AVERAGED}
        left = listed(name for name in printed if SCORES[name] in AVERAGED)
        remarks.append(
            "recall equals the accuracy, as a mean weighted by the classes does (Weka, scikit-learn); left out: "
            + left
        )
    if folds is None and any(map(SPREAD.search, printed.values())):
        remarks.append("a number with ± is usually a mean over folds or runs; give the folds to judge it so")
    if len(sizes) > 1:
        remarks.append(f"{sizes[0][0]:,} to {sizes[-1][0]:,} positives would be printed so; all are judged")
    if sizes:
        found = _judge(printed, ranges, sizes, folds, by_class)
    else:
        condition = _condition(ranges, share)
        if condition is None:
            names = listed(called(name) for name in COUNTS if name in given) or "none of them"
            raise ValueError(
                f"Give {called('positives')} and {called('n')}, {called('classes')} or {called('dataset')}; given: "
                f"{names}."
            )
        found = {
            "level": LEVEL,
            "by_digits": None,
            "verdict": None,
            "condition": condition,
            "fits_without": None,
        }
    return {"published": printed} | found | {"judged_as": remarks}


def _judge(
    printed: Mapping[str, str], ranges: Ranges, sizes: Sizes, folds: int | None, by_class: bool
) -> dict[str, Any]:
    """Return as fields what the cases are and what the scores are worth."""
    fields: dict[str, Any] = {} if folds is None else {"folds": folds}
    first, last = sizes[0][0], sizes[-1][0]
    if by_class:
        fields["classes"] = sizes[0]
    else:
        fields |= {"positives": first if first == last else [first, last], "n": sum(sizes[0])}
    fields |= {"level": LEVEL, "by_digits": None}
    accuracy = _accuracy(ranges)
    if accuracy and len(ranges) == len(sizes) == 1 and not by_class:
        digits = advantage_of_error(accuracy.complement(), first, sum(sizes[0]))
        fields["by_digits"] = {"advantage": digits.advantage, "low": digits.low, "high": digits.high}
    trivial = [sum(counts) - max(counts) for counts in sizes]
    verdict = judge(ranges, sizes, folds)
    fields |= {"trivial_errors": (min(trivial), max(trivial))} | asdict(verdict)
    is_question = verdict.errors is None and len(ranges) > 1
    return fields | {"fits_without": _fits_without(printed, ranges, sizes, folds) if is_question else None}


def _are_weighted(ranges: Ranges, sizes: Sizes, folds: int | None) -> bool:
    """Tell whether recall, precision and F1 are means weighted by the classes: such a recall is the accuracy."""
    recall, accuracy, error = map(ranges.get, ("recall", "accuracy", "error_rate"))
    accuracies = [accuracy and accuracy.value, error and 1 - error.value]
    if recall is None or recall.value not in accuracies:
        return False
    may_be_plain = sizes and ranges.keys() & set(OF_THE_NEGATIVES)
    return not may_be_plain or judge(ranges, sizes, folds).errors is None


def _fits_without(
    printed: Mapping[str, str], ranges: Ranges, sizes: Sizes, folds: int | None
) -> list[str] | None:
    """Return the scores each of which, left out, lets a table fit the others."""
    found = []
    for name in printed:
        others = {score: interval for score, interval in ranges.items() if score != SCORES[name]}
        try:
            if len(others) < len(ranges) and judge(others, sizes, folds).errors:
                found.append(name)
        except ValueError:  # the others leave too many tables to try
            return None
    return found


def _accuracy(ranges: Ranges) -> Interval | None:
    accuracy, error = ranges.get("accuracy"), ranges.get("error_rate")
    found = accuracy or (error and error.complement())
    return None if found is None or found.is_limit else found


def _condition(ranges: Ranges, share: Interval | None) -> str | None:
    """Say for which data scores are better than trivial, from the share of positives, if it is known."""
    accuracy, recall, specificity = _accuracy(ranges), ranges.get("recall"), ranges.get("specificity")
    if accuracy is None:
        return _condition_of_rates(recall.value, specificity.value) if recall and specificity else None
    low, high = accuracy.low, accuracy.high
    if recall and specificity:
        is_below = high < min(recall.low, specificity.low)
        if is_below or low > max(recall.high, specificity.high):
            return "impossible for any data: the accuracy lies between recall and specificity"
    if share is None:
        return (
            f"better than trivial only if the majority's share is below {_percent(accuracy.value)} "
            f"({_percent(low)} to {_percent(high)} by its digits)"
        )
    least, greatest = sorted(max(each, 1 - each) for each in (share.low, share.high))
    majority = _percent((least + greatest) / 2)
    if least <= high and low <= greatest:
        return f"about as accurate as always predicting the majority ({majority})"
    return (
        f"{'above' if low > greatest else 'below'} the accuracy of always predicting the majority ({majority}); "
        "whether chance explains this depends on the number of cases"
    )


def _condition_of_rates(recall: Fraction, specificity: Fraction) -> str:
    if recall + specificity <= 1:
        return "worse than trivial for every share of positives: recall plus specificity is at most 1"
    least = (1 - specificity) / (1 - specificity + recall)
    most = specificity / (specificity + 1 - recall)
    return f"better than trivial only if from {_percent(least)} to {_percent(most)} of the cases are positive"


def _percent(share: Fraction | float) -> str:
    return f"{float(100 * share):.5g} %"


def _read_cases(given: Mapping[str, str], called: Callable[[str], str]) -> tuple[Sizes, Interval | None]:
    """Return the sizes of the classes, or the share of the positives where the sizes are not known."""
    ways = [name for name in CASES if name in given]
    if len(ways) > 1:
        raise ValueError(f"Give only one of {' and '.join(map(called, ways))}.")
    if "positives" not in given:
        return (class_sizes(**{name: given[name] for name in ways}) if ways else []), None
    name = called("positives")
    n, negatives = (
        read_count(given[each], called(each)) if each in given else None for each in ("n", "negatives")
    )
    positives: Any = re.sub(r"\s*\([0-9.]+\s*%\)$", "", given["positives"])  # without its share
    if not is_share(positives):
        positives = read_count(positives, name)
    if negatives is not None:
        if is_share(positives) or n not in (None, positives + negatives):
            raise ValueError(
                f"{name}, {called('negatives')} and {called('n')} do not add up; give two of them."
            )
        n = positives + negatives
    if n is not None:
        return class_sizes(positives, n), None
    if not is_share(positives):
        raise ValueError(f"{name} is given without {called('n')}; give both.")
    return [], read_printed(positives, name, may_be_limit=False)


# A table of papers.


NOT_JUDGED = "not judged"
# The columns that `nontrivial published` adds; it reads its own files again.
RESULTS = [
    *("trivial_error", "tables", "fewest_errors", "most_errors", "advantage_low", "advantage_high"),
    *("p_better_low", "p_better_high", "p_worse_low", "p_worse_high"),
    *("verdict", "cases_needed", "fits_without", "judged_as", "not_judged"),
]
# What papers call scores and counts in headings, beside the names of the options; without punctuation.
_HEADINGS = {
    "error_rate": "err misclassification_rate classification_error test_error error_rate",
    "accuracy": "acc classification_accuracy overall_accuracy test_accuracy correct correctly_classified",
    "recall": "sens tpr true_positive_rate hit_rate sn se",
    "specificity": "spec tnr true_negative_rate sp",
    "precision": "prec positive_predictive_value",
    "f_beta": "f1_score f_score f_measure f1_measure fscore fmeasure dice",
    "cohen_kappa": "cohens_kappa kappa_statistic \u03ba",
    "matthews_corrcoef": "matthews_correlation_coefficient matthews_correlation",
    "roc_auc": "auroc auc_roc roc_area roc area_under_the_roc_curve area_under_curve c_statistic c_index",
    "balanced_accuracy": "bacc bac bal_acc balanced_acc",
    "geometric_mean": "gmean g_measure gm",
    "informedness": "youdens_j youden_index youdens_index j bookmaker_informedness",
    "false_positive_rate": "fpr fp_rate fall_out",
    "false_negative_rate": "fnr fn_rate miss_rate",
    "false_discovery_rate": "fdr",
    "positive_likelihood_ratio": "lr_plus lr+ plr",
    "negative_likelihood_ratio": "lr_minus nlr",
    "diagnostic_odds_ratio": "dor",
    "positives": "positive positive_cases n_positive n_positives events positives_n npos",
    "negatives": "negative negative_cases n_negative n_negatives controls nneg",
    "prevalence": "positive_rate share_of_positives",
    "n": "total n_total sample_size samples instances patients subjects n_patients size n_cases",
    "folds": "k_folds cv_folds n_folds",
    "classes": "class_sizes class_counts",
    "dataset": "data_set data",
}
_NAMES = {heading: name for name, headings in _HEADINGS.items() for heading in headings.split()}
_NAMES |= {name: name for name in (*SCORES, *COUNTS)}
_BRACKETS = re.compile(r"[(\[]\s*([^()\[\]]*?)\s*[)\]]")
_PERCENT = re.compile(r"(in )?(%|percent)")
_BESIDE = re.compile(r".*\bci\b.*|(mean )?(\u00b1|\+/-)? ?(sd|std|se)|mean|n|range")  # in brackets
_MISSING = {"", "nr", "n/r", "n.r.", *MISSING_NUMBERS}
# Of these, a percentage below 1 is likely.
SMALL = (
    *("error_rate", "false_positive_rate", "false_negative_rate", "false_discovery_rate"),
    *("false_omission_rate", "positives"),
)


@dataclass(frozen=True)
class Table:
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
    [('accuracy', True), ('recall', True), ('auc', False), ('f_beta', False), (None, False)]
    """
    text = heading.casefold().replace("\u2019", "'")
    notes = _BRACKETS.findall(text)
    if not all(_PERCENT.fullmatch(note) or _BESIDE.fullmatch(note) for note in notes):
        return None, False  # such as "F1 (macro)"
    bare = re.sub(r"\b\d+ ?% ?(ci|confidence).*", "", _BRACKETS.sub(" ", text))
    plain = re.sub(r"(\u00b1|\+/-|,).*|\bin %|[%']", " ", bare).replace(".", " ")
    words = re.sub(r"^(no|nr|num|number|n)_of_", "", "_".join(re.sub(r"[-_#:]", " ", plain).split()))
    name = _NAMES.get(words.removeprefix("mean_").removeprefix("average_"))
    return name, "%" in bare or any(map(_PERCENT.fullmatch, notes))


def read_table(path: Path, options: Mapping[str, Any]) -> Table:
    """Read a CSV file; `options` fill in missing cells. If no row can be judged, that is an error."""
    rows, has_commas = _read_cells(path)
    names: dict[str, str] = {}
    percentages: dict[str, bool] = {}  # of a heading: whether its cells surely are
    for heading in rows[0]:
        name, is_percent = read_heading(heading)
        if name:
            names[heading] = name
        if is_percent:
            percentages[heading] = any(_is_percentage(row[heading]) for row in rows)
    judged: list[dict[str, Any]] = []
    for number, row in enumerate(rows, start=1):
        try:
            fields = _read_row(row, names, percentages, has_commas, options)
        except ValueError as error:
            fields = {"verdict": NOT_JUDGED, "not_judged": f"Row {number} of {path.name}: {error}"}
        judged.append({"row": row} | fields)
    unread = [heading for heading in rows[0] if heading not in names and heading not in RESULTS]
    if all("not_judged" in fields for fields in judged):
        other = f" Columns that are neither scores nor counts: {listed(map(repr, unread))}." if unread else ""
        raise ValueError(f"{judged[0]['not_judged']}{other}")
    label = next((each for each in unread if any(row[each].strip() for row in rows)), None)
    return Table(path.name, judged, unread, label)


def _read_row(
    row: Mapping[str, str],
    names: Mapping[str, str],
    percentages: Mapping[str, bool],
    has_commas: bool,
    options: Mapping[str, Any],
) -> dict[str, Any]:
    given: dict[str, str] = {}
    headings: dict[str, str] = {}
    for heading, name in names.items():
        cell = row[heading].strip(MARKS)
        if _is_missing(cell):
            continue
        if name in given:
            raise ValueError(f"{headings[name]!r} and {heading!r} are one score; keep one of them.")
        if has_commas and name in SCORES:
            cell = re.sub(r"(?<=\d),(?=\d)", ".", cell)
        if heading in percentages:
            may_be_small = percentages[heading] and SCORES.get(name, name) in SMALL
            if not (may_be_small or _is_percentage(cell)):
                raise ValueError(
                    f"{heading!r} is {cell!r}, which may be a share or a percentage; write 91%, or 0.91 without the "
                    "sign in the heading."
                )
            cell = cell if "%" in cell else f"{cell} %"
        headings[name], given[name] = heading, cell
    own = given.keys() & set(CASES)
    if own - {"dataset"}:  # numbers come before the name of a data set, which may be any
        given.pop("dataset", None)
    usual = {name: value for name, value in options.items() if not (own and name in CASES)}
    fields = read_published({**usual, **given}, lambda name: headings.get(name, name))
    if "condition" in fields:
        raise ValueError(
            f"without the numbers of cases, {fields['condition']}; give the positives and n to judge it."
        )
    return fields


def _is_missing(cell: str) -> bool:
    return cell.strip().removeprefix("'").lower() in _MISSING


def _is_percentage(cell: str) -> bool:
    """Tell whether a cell can only be a percentage, or is text."""
    found = re.match(r"[\s<>=']*([0-9]*\.?[0-9]+)", cell)
    return not _is_missing(cell) and ("%" in cell or found is None or float(found[1]) > 1)


def _read_cells(path: Path) -> tuple[list[dict[str, str]], bool]:
    """Return the rows, and whether a comma may be the decimal mark, as it does not part cells."""
    if not path.is_file():
        raise ValueError(f"{path} is not a file; a CSV file of published scores is needed.")
    try:
        text = path.read_bytes().decode("utf-8-sig")
        separator = max(",;\t", key=text.partition("\n")[0].count)
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        lines = [line for line in reader if any(line)]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path.name} cannot be read as CSV in UTF-8: {error}.") from None
    if len(lines) < 2:
        raise ValueError(f"{path.name} needs the names of its columns and at least one row.")
    names, *cells = lines
    if len(set(names)) < len(names):
        raise ValueError(f"{path.name} names a column twice: {listed(names)}.")
    taken = [name for name in names if name in RESULTS]
    if taken and len(taken) < len(RESULTS):
        raise ValueError(
            f"{path.name} has the columns {listed(taken)}, which the output adds; rename them or leave them out."
        )
    for number, row in enumerate(cells, start=1):
        if len(row) != len(names):
            raise ValueError(
                f"Row {number} of {path.name} has {len(row)} cells, but there are {len(names)} columns."
            )
    return [dict(zip(names, row, strict=True)) for row in cells], separator != ","
