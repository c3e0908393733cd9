"""Judge the printed scores and counts of one classifier. Each result is a mapping with the fields of the JSON."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict
from itertools import combinations
from typing import Any

from nontrivial.measures.published.advantage import advantage_of_error
from nontrivial.measures.published.numbers import SPREAD_PATTERN, ImpossibleNumber, RoundingInterval
from nontrivial.measures.published.shares import bound_shares
from nontrivial.measures.published.sizes import SIZE_SOURCES, Spelling, find_dataset
from nontrivial.measures.published.tables import AREA, SCORE_NAMES, Ranges
from nontrivial.measures.published.verdict import StatedCases, judge_scores
from nontrivial.measures.sign_verdict import SIGNIFICANCE_LEVEL
from nontrivial.published.cells import parse_confidence_interval, parse_fraction
from nontrivial.published.counts import COUNTED_CELLS, exact_scores, find_departure
from nontrivial.published.ranking import judge_ranking_by_area
from nontrivial.published.sentences import sentence_of
from nontrivial.published.stated import StatedNumbers, read_stated_numbers
from nontrivial.terminal import listed

Fields = dict[str, Any]
IMPOSSIBLE_VERDICT = "impossible"
MAX_SCORES_WITHOUT_CASES = 4
MAX_CELL_LENGTH = 200  # characters; a longer text is not a number, and takes minutes to parse
MAX_CASES_CUT_OFF = 100_000
MAX_SCORES_CUT_OFF = 3
# Weka and scikit-learn print the mean of such a score over the classes, weighted by the class sizes.
AVERAGED_SCORES = ("recall", "precision", "f_beta")
SCORES_OF_THE_NEGATIVES = {"specificity", "negative_predictive_value", "false_positive_rate"}
SCORES_OF_ONE_CLASS = {"recall", "specificity", "precision", "negative_predictive_value"}


def judge_numbers(
    values: Mapping[str, Any], names: Mapping[str, str] | None = None, *, stratified: bool = False
) -> Fields:
    """Judge the scores and counts of one classifier, and return the fields of the JSON.

    Error messages call the values by their `names`. `stratified` says that StratifiedKFold made the folds.
    """

    def spelling(name: str) -> str:
        return (names or {}).get(name, name)

    texts = {name: str(value).strip() for name, value in values.items() if value is not None}
    # If nothing else states the number of positives, the prevalence states it as a share.
    has_prevalence_alone = "prevalence" in texts and not texts.keys() & set(SIZE_SOURCES)
    if has_prevalence_alone and parse_fraction(texts["prevalence"]) is None:
        texts["positives"] = texts.pop("prevalence")
    for name, text in texts.items():
        if len(text) > MAX_CELL_LENGTH and name not in ("dataset", "classes"):
            raise ValueError(f"{spelling(name)} has {len(text):,} characters; it must be a number, such as 0.91.")
    if not texts.keys() & {*SCORE_NAMES, *COUNTED_CELLS}:
        raise ValueError(
            f"Give at least one published score, such as {spelling('error')} or {spelling('recall')}, or counts, such "
            f"as {', '.join(map(spelling, COUNTED_CELLS))}."
        )
    remarks = [find_dataset(texts["dataset"]).describe()] if "dataset" in texts else []
    fields: Fields = {
        "published": {name: text for name, text in texts.items() if name in SCORE_NAMES},
        "level": SIGNIFICANCE_LEVEL,
        "by_digits": None,
        "judged_as": remarks,
    }
    try:
        fields |= _judge_stated(read_stated_numbers(texts, spelling), spelling, remarks, stratified)
    except ImpossibleNumber as error:
        fields |= {"verdict": IMPOSSIBLE_VERDICT, "reason": str(error).rstrip("."), "fits_without": None}
    return fields | {"sentence": sentence_of(fields)}


def _judge_stated(stated: StatedNumbers, spelling: Spelling, remarks: list[str], stratified: bool) -> Fields:
    """Judge the ranking and the predictions of a classifier; append to `remarks` how the numbers were read."""
    counts, folds = stated.counts, stated.folds
    ranges = exact_scores(counts)
    ranges.pop("prevalence", None)  # the class sizes already state the prevalence
    _check_counts(stated, ranges, spelling)
    fields: Fields = {}
    if stated.has_whole_table or any(cell in stated.texts for cell in COUNTED_CELLS):
        fields["counts"] = {cell: counts[cell].value for cell in COUNTED_CELLS if cell in counts}
    if stated.has_whole_table and folds is not None:
        remarks.append("The counts decide; means over folds need not follow from them")
        folds = None
    elif counts:
        departures = (
            find_departure(name, stated.scores[name], interval, counts) for name, interval in stated.intervals.items()
        )
        fields["departures"] = [departure for departure in departures if departure is not None]
    if folds is not None:
        ranges = {}
    if not stated.has_whole_table:
        for name, interval in stated.intervals.items():
            ranges.setdefault(SCORE_NAMES[name], interval)
        if folds is None and any(map(SPREAD_PATTERN.search, stated.scores.values())):
            remarks.append("A number with ± is usually a mean over folds or runs; give the folds to judge it so")
    ranking = _judge_ranking(stated, spelling)
    if ranking is not None:
        fields["ranking"] = ranking
    if stated.class_sizes:
        if "classes" in stated.texts or len(stated.class_sizes[0]) > 2:
            fields["classes"] = stated.class_sizes[0]
        cases = StatedCases(stated.class_sizes, folds, stratified)
        fields |= _judge_cases(stated.scores, ranges, cases, "classes" in fields, remarks)
    else:
        fields |= _judge_any_data(stated.scores, ranges, stated.positive_share)
    if fields["verdict"] != IMPOSSIBLE_VERDICT and ranking is not None and set(ranges) == {AREA}:
        fields |= {"verdict": ranking["verdict"], "question": "ranking"}
    return fields


def _check_counts(stated: StatedNumbers, exact: Ranges, spelling: Spelling) -> None:
    """Raise ValueError if counts leave the size of their class open, or if only some counts stand beside means."""
    cells = [spelling(cell) for cell in COUNTED_CELLS if cell in stated.texts]
    if cells and not exact.keys() & SCORES_OF_ONE_CLASS:
        raise ValueError(f"{listed(cells)} alone does not say how large its class is; give more counts.")
    has_both = exact.keys() & {SCORE_NAMES[name] for name in stated.scores}
    if stated.folds is not None and has_both and not stated.has_whole_table:
        raise ValueError("Counts and means over folds are judged together only if all four counts are given.")


def _judge_ranking(stated: StatedNumbers, spelling: Spelling) -> Fields | None:
    """Judge the ranking by the printed area and its interval, if any; None if no area is printed."""
    name = next((name for name in stated.intervals if SCORE_NAMES[name] == AREA), None)
    if name is None:
        return None
    area, text = stated.intervals[name], stated.texts[name]
    interval_text = stated.texts.get("auc_interval", "")
    if "auc_low" in stated.texts and "auc_high" in stated.texts:
        interval_text = f"{stated.texts['auc_low']} to {stated.texts['auc_high']}"
    source = interval_text or (text if re.search(r"[(\[]", text) else "")
    ends = parse_confidence_interval(source, spelling(name), is_percent="%" in text) if source else None
    if ends is not None and not ends[0].low <= area.value <= ends[1].high:
        place = f"lies outside of its interval {interval_text}".rstrip()
        raise ImpossibleNumber(f"{spelling(name)} {text} {place}.")
    return judge_ranking_by_area(area, ends, stated.class_sizes)


def _judge_cases(
    score_names: Iterable[str], ranges: Ranges, cases: StatedCases, has_class_list: bool, remarks: list[str]
) -> Fields:
    """Judge the scores by all tables of these cases that fit; append to `remarks` how the scores were read."""
    sizes = cases.class_sizes
    first, last = sizes[0][0], sizes[-1][0]
    fields: Fields = {"n": cases.n, "trivial_errors": (min(cases.trivial_errors), max(cases.trivial_errors))}
    if cases.n_classes == 2:
        fields["positives"] = first if first == last else [first, last]
    if cases.folds is not None:
        fields["folds"] = cases.folds
    if len(sizes) > 1:
        remarks.append(f"{first:,} to {last:,} positives would be printed so; all are judged")
    error = ranges.get("error_rate")
    accuracy = ranges.get("accuracy", error and error.complement())
    if _has_averaged_recall(ranges, accuracy, cases, has_class_list):
        averaged = listed(name for name in score_names if SCORE_NAMES[name] in AVERAGED_SCORES)
        remarks.append(
            "Recall equals the accuracy, as a mean weighted by the classes does (Weka, scikit-learn); left out: "
            f"{averaged}"
        )
        ranges = {name: interval for name, interval in ranges.items() if name not in AVERAGED_SCORES}
    is_alone = cases.folds is None and len(ranges) == len(sizes) == 1 and not has_class_list
    if is_alone and accuracy and not accuracy.is_limit:
        record = advantage_of_error(accuracy.complement(), first, cases.n)
        fields["by_digits"] = {"advantage": record.advantage, "low": record.low, "high": record.high}
    verdict = judge_scores(ranges, cases)
    fields |= asdict(verdict)
    if verdict.errors is None:
        fields["verdict"] = IMPOSSIBLE_VERDICT
        fields |= find_clashes(
            ranges, lambda trial: judge_scores(trial, cases).errors is not None, score_names, cases.n
        )
    return fields


def _has_averaged_recall(
    ranges: Ranges, accuracy: RoundingInterval | None, cases: StatedCases, has_class_list: bool
) -> bool:
    """Tell whether the recall seems to be a mean over classes: it equals the accuracy, and no score refutes this."""
    recall = ranges.get("recall")
    if not recall or not accuracy or recall.low == recall.high or recall.value != accuracy.value:
        return False
    has_scores_of_the_negatives = ranges.keys() & SCORES_OF_THE_NEGATIVES
    return has_class_list or not has_scores_of_the_negatives or not judge_scores(ranges, cases).errors


def _judge_any_data(score_names: Iterable[str], ranges: Ranges, positive_share: RoundingInterval | None) -> Fields:
    """Judge scores for any number of cases, by bounds of the Prediction Advantage."""
    bounds = bound_shares(ranges, positive_share)
    if bounds.possible is False:
        fields = {"verdict": IMPOSSIBLE_VERDICT, "errors": None, "fits_without": None}
        if len(ranges) <= MAX_SCORES_WITHOUT_CASES:

            def is_possible(trial: Ranges) -> bool:
                return bound_shares(trial, positive_share).possible is not False

            fields |= find_clashes(ranges, is_possible, score_names)
        return fields
    return {
        "verdict": bounds.verdict or "inconclusive",
        "prevalence": bounds.prevalence,
        # JSON has no infinity.
        "advantage": bounds.advantage and [end if math.isfinite(end) else None for end in bounds.advantage],
        "points": {name: point._asdict() for name, point in bounds.points.items()},
        "is_tight": bounds.is_tight,
    }


def find_clashes(ranges: Ranges, is_possible: Callable[[Ranges], bool], printed: Iterable[str], n: int = 0) -> Fields:
    """Find each score without which the others fit, and the smallest groups of scores whose digits may be cut off."""
    printed_names = {name: name for name in ranges} | {SCORE_NAMES[name]: name for name in printed}
    fields: Fields = {"fits_without": None, "fits_cut_off": None}
    with suppress(ValueError):  # without one score, there may be too many tables to try
        if len(ranges) > 1:
            fields["fits_without"] = [
                printed_names[left_out]
                for left_out in ranges
                if is_possible({name: interval for name, interval in ranges.items() if name != left_out})
            ]
        if n <= MAX_CASES_CUT_OFF:
            fields["fits_cut_off"] = [
                [printed_names[name] for name in group] for group in _groups_cut_off(ranges, is_possible)
            ]
    return fields


def _groups_cut_off(ranges: Ranges, is_possible: Callable[[Ranges], bool]) -> list[tuple[str, ...]]:
    """Find the smallest groups of scores such that all scores fit if the digits of the group were cut off."""
    cut_off = {name: interval.as_cut_off() for name, interval in ranges.items() if not interval.is_limit}
    groups: list[tuple[str, ...]] = []
    for size in range(1, len(cut_off) + 1):
        if not groups and (size <= MAX_SCORES_CUT_OFF or size == len(cut_off)):
            for group in combinations(cut_off, size):
                if is_possible({**ranges, **{name: cut_off[name] for name in group}}):
                    groups.append(group)
    return groups
