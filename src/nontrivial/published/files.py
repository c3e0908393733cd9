"""A table of published numbers, one classifier per row, as a CSV file."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nontrivial.published.numbers import COUNTS, MARKS, SCORES, Published, is_missing, read_published
from nontrivial.terminal import listed

# Of these, a percentage below 1 is likely.
ERRORS = {
    *("error_rate", "false_positive_rate", "false_negative_rate"),
    *("false_discovery_rate", "false_omission_rate"),
}
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
_NAMES |= {name: name for name in (*SCORES, *COUNTS, "classes", "dataset")}
_BRACKETS = re.compile(r"[(\[]\s*([^()\[\]]*?)\s*[)\]]")
_PERCENT = re.compile(r"(in )?(%|percent)")
_BESIDE = re.compile(r".*\bci\b.*|(mean )?(\u00b1|\+/-)? ?(sd|std|se)|mean|n|range")  # in brackets


@dataclass(frozen=True)
class Table:
    """The rows of a file; what each is worth, or the reason why it cannot be judged; the column that names the rows."""

    name: str
    rows: list[dict[str, str]]
    published: list[Published | str]
    label: str | None
    unread: list[str]


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
    headings = {heading: read_heading(heading) for heading in rows[0]}
    unread = [heading for heading, (name, _) in headings.items() if name is None and heading not in RESULTS]
    unclear = [
        heading
        for heading, (name, is_percent) in headings.items()
        if name and is_percent and not any(_is_percentage(row[heading]) for row in rows)
    ]
    published: list[Published | str] = []
    for number, row in enumerate(rows, start=1):
        try:
            published.append(_read_row(row, headings, unclear, has_commas, options))
        except ValueError as error:
            published.append(f"Row {number} of {path.name}: {error}")
    reasons = [each for each in published if isinstance(each, str)]
    if len(reasons) == len(rows):
        other = f" Columns that are neither scores nor counts: {listed(map(repr, unread))}." if unread else ""
        raise ValueError(f"{reasons[0]}{other}")
    label = next((each for each in unread if any(row[each].strip() for row in rows)), None)
    return Table(path.name, rows, published, label, unread)


def _read_row(
    row: Mapping[str, str],
    headings: Mapping[str, tuple[str | None, bool]],
    unclear: Sequence[str],
    has_commas: bool,
    options: Mapping[str, Any],
) -> Published:
    given: dict[str, str] = {}
    places: dict[str, str] = {}
    for heading, (name, is_percent) in headings.items():
        cell = row[heading].strip(MARKS)
        if name is None or is_missing(cell):
            continue
        if has_commas and name in SCORES:
            cell = re.sub(r"(?<=\d),(?=\d)", ".", cell)
        if name in given:
            raise ValueError(f"{places[name]!r} and {heading!r} are one score; keep one of them.")
        if heading in unclear:
            raise ValueError(
                f"{heading!r} has no number above 1, so these may be shares or percentages; write 91% or 0.91 without "
                "the sign in the heading."
            )
        if is_percent and name in SCORES and SCORES[name] not in ERRORS and not _is_percentage(cell):
            raise ValueError(
                f"{heading!r} is {cell!r}, which may be a share; write it as a percentage with its sign."
            )
        places[name] = heading
        given[name] = f"{cell} %" if is_percent and "%" not in cell else cell
    counts = {"positives", "classes", "dataset"}
    own = given.keys() & counts
    if own - {"dataset"}:  # numbers come before the name of a data set, which may be any
        given.pop("dataset", None)
    usual = {name: value for name, value in options.items() if not (own and name in counts)}
    try:
        one = read_published({**usual, **given})
        _ = one.verdict  # numbers may contradict the counts
    except ValueError as error:
        # An error may begin with the name that a column was read as.
        name, space, rest = str(error).partition(" ")
        raise ValueError(f"{places.get(name, name)}{space}{rest}") from None
    if one.verdict is None:
        raise ValueError(
            f"without the numbers of cases, {one.condition()}; give the positives and n to judge it."
        )
    return one


def _is_percentage(cell: str) -> bool:
    """Tell whether a cell can only be a percentage, or is no number."""
    found = re.match(r"[\s<>=']*([0-9]*\.?[0-9]+)", cell)
    return not is_missing(cell) and ("%" in cell or found is None or float(found[1]) > 1)


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
