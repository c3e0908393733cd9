"""What the printed scores and counts of one classifier are worth, as the fields of the results."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict
from itertools import combinations
from typing import Any

from nontrivial.measures.published.printed import (
    SPREAD,
    ImpossibleNumber,
    Interval,
    advantage_of_error,
    check_counts,
    class_sizes,
    find_dataset,
    is_share,
    read_count,
    read_printed,
)
from nontrivial.measures.published.shares import bound_shares
from nontrivial.measures.published.tables import AREA, SCORES, Ranges
from nontrivial.measures.published.verdict import Cases, judge
from nontrivial.measures.sign_verdict import SIGNIFICANCE_LEVEL
from nontrivial.published.cells import interval_in, read_fraction, read_score, with_percent_signs
from nontrivial.published.counts import CELLS, COUNTED, Count, add_up, exact_shares, find_departure
from nontrivial.published.ranking import judge_ranking
from nontrivial.published.sentences import sentence_of
from nontrivial.terminal import listed

CASES = ("dataset", "classes", "positives")  # one of these says how many cases there are
IMPOSSIBLE = "impossible"
LONGEST = 200  # characters of a printed number with all that stands beside it
MOST_BOUNDED = 4  # scores without the number of cases of which some are left out
MOST_TRIED = 100_000  # cases for which it is tried which scores may have been cut off
MOST_CUT_OFF = 3  # scores together, besides all
# Weka and scikit-learn print their means weighted by the classes.
AVERAGED = ("recall", "precision", "f_beta")
OF_THE_NEGATIVES = {"specificity", "negative_predictive_value", "false_positive_rate"}
OF_A_CLASS = {"recall", "specificity", "precision", "negative_predictive_value"}
Called = Callable[[str], str]


def judge_numbers(
    values: Mapping[str, Any], names: Mapping[str, str] | None = None, *, stratified: bool = False
) -> dict[str, Any]:
    """Judge scores and counts, given as texts, and return the fields of the JSON; errors use the `names`."""

    def called(name: str) -> str:
        return (names or {}).get(name, name)

    given = {name: str(value).strip() for name, value in values.items() if value is not None}
    # The prevalence is the share of positives, if nothing else says how many there are.
    if "prevalence" in given and not given.keys() & set(CASES) and read_fraction(given["prevalence"]) is None:
        given["positives"] = given.pop("prevalence")
    printed = {name: text for name, text in given.items() if name in SCORES}
    for name, text in given.items():
        if name in SCORES and not text:
            raise ValueError(f"{called(name)} is empty; it must be a number, such as 0.91 or 91%.")
        if len(text) > LONGEST and name not in ("dataset", "classes"):
            raise ValueError(
                f"{called(name)} has {len(text):,} characters; it must be a number, such as 0.91."
            )
    if not printed and not given.keys() & set(CELLS):
        raise ValueError(
            f"Give at least one published score, such as {called('error')} or {called('recall')}, or counts, such as "
            f"{', '.join(map(called, CELLS))}."
        )
    remarks = [find_dataset(given["dataset"]).describe()] if "dataset" in given else []
    fields: dict[str, Any] = {
        "published": printed,
        "level": SIGNIFICANCE_LEVEL,
        "by_digits": None,
        "judged_as": remarks,
    }
    try:
        fields |= _judge(given, printed, called, remarks, stratified)
    except ImpossibleNumber as error:
        fields |= {"verdict": IMPOSSIBLE, "reason": str(error).rstrip("."), "fits_without": None}
    return fields | {"sentence": sentence_of(fields)}


def _judge(
    given: dict[str, str], printed: Mapping[str, str], called: Called, remarks: list[str], stratified: bool
) -> dict[str, Any]:
    """Return as fields what the cases are and what the scores are worth; add to the remarks how they are read."""
    counts = _read_counts(given, called)
    fractions = {name: read_fraction(text) for name, text in printed.items()}
    texts = {
        name: text if (fraction := fractions[name]) is None else fraction.beside
        for name, text in printed.items()
    }
    shares = {
        name: read_score(text, SCORES[name], called(name))
        for name, text in with_percent_signs(texts).items()
        if text
    }
    sizes, share = _read_sizes(given, counts, called)
    folds: Any = given.get("folds")
    if folds is not None and folds != "any":
        folds = read_count(folds, called("folds"))
    exact = exact_shares(counts)
    exact.pop("prevalence", None)  # which the sizes of the classes say
    is_whole = counts.keys() >= set(CELLS)
    fields: dict[str, Any] = {}
    cells = [called(cell) for cell in CELLS if cell in given]
    if cells and not exact.keys() & OF_A_CLASS:
        raise ValueError(
            f"{listed(cells)} alone does not say how many cases of its class there are; give more counts."
        )
    if cells or is_whole:
        fields["counts"] = {cell: counts[cell].value for cell in CELLS if cell in counts}
    if is_whole and folds is not None:
        remarks.append("the counts decide; means over folds need not follow from them")
        folds = None
    elif exact and folds is not None and {SCORES[name] for name in printed} & exact.keys():
        raise ValueError(
            "Counts of all cases and means over folds are judged together only if all four are given."
        )
    elif counts:
        departures = (find_departure(name, printed[name], shares[name], counts) for name in shares)
        fields["departures"] = [departure._asdict() for departure in departures if departure is not None]
    ranges: dict[str, Interval] = exact if folds is None else {}
    if not is_whole:
        for name, interval in shares.items():
            ranges.setdefault(SCORES[name], interval)
        if folds is None and any(map(SPREAD.search, printed.values())):
            remarks.append(
                "a number with ± is usually a mean over folds or runs; give the folds to judge it so"
            )
    ranking = _judge_area(given, shares, sizes, called)
    if ranking is not None:
        fields["ranking"] = ranking
    if sizes:
        if "classes" in given or len(sizes[0]) > 2:
            fields["classes"] = sizes[0]
        fields |= _judge_cases(printed, ranges, Cases(sizes, folds, stratified), "classes" in fields, remarks)
    else:
        fields |= _judge_any_data(printed, ranges, share)
    if fields["verdict"] != IMPOSSIBLE and ranking is not None and set(ranges) == {AREA}:
        fields |= {"verdict": ranking["verdict"], "question": "ranking"}
    return fields


def _read_counts(given: dict[str, str], called: Called) -> dict[str, Count]:
    """Return all counts that follow from those in the columns and in the fractions of scores; `given` loses these."""
    known: list[tuple[str, Count]] = []
    for name in (*CELLS, "negatives", "n", "positives", *(name for name in given if name in SCORES)):
        text = given.get(name, "")
        # Without "n =" before, or a share in brackets behind.
        plain = re.sub(r"(?i)^n ?= ?|\s*[(\[][0-9.,\s]+[%\u2030]?\s*[)\]]$", "", text)
        fraction = read_fraction(text)
        if fraction is not None:
            if name in SCORES and SCORES[name] not in COUNTED:
                raise ValueError(
                    f"{called(name)} is {text!r}, but it is not the share of one count in another."
                )
            if fraction.part > fraction.whole:
                raise ImpossibleNumber(f"{called(name)} is {fraction.text}, which is more than all.")
            source = (f"{called(name)} {fraction.text}",)
            part, whole = COUNTED.get(SCORES.get(name, ""), (name, "n"))
            known += [(part, Count(fraction.part, source)), (whole, Count(fraction.whole, source))]
            if name not in SCORES:
                given[name] = str(fraction.part)
        elif plain and name not in SCORES and not (name == "positives" and is_share(plain)):
            value = read_count(plain, called(name))
            known.append((name, Count(value, (f"{called(name)} {value}",))))
            given[name] = str(value)
    return add_up(known)


def _read_sizes(
    given: Mapping[str, str], counts: dict[str, Count], called: Called
) -> tuple[list[list[int]], Interval | None]:
    """Return the sizes that the classes may have, if they are known, and the share of positives, if it is printed."""
    positives, share = given.get("positives", ""), None
    ways = {name: given[name] for name in CASES if name in given}
    if "positives" in counts and "negatives" in counts and len(ways) < 2:
        first, n = check_counts(counts["positives"].value, counts["n"].value, called)
        return [[first, n - first]], None
    if "n" in counts:
        ways["n"] = str(counts["n"].value)
    elif "n" in given:
        ways["n"] = given["n"]
    elif positives and len(ways) == 1:
        if is_share(positives):
            share = read_printed(positives, called("positives"), may_be_limit=False)
        ways.pop("positives")
    sizes = class_sizes(ways, called)
    if len(sizes) == 1 and len(sizes[0]) == 2:
        source = (listed(f"{called(name)} {text}" for name, text in ways.items()),)
        positive, negative = (Count(size, source) for size in sizes[0])
        counts |= add_up([*counts.items(), ("positives", positive), ("negatives", negative)])
    return sizes, share


def _judge_area(
    given: Mapping[str, str], shares: Mapping[str, Interval], sizes: list[list[int]], called: Called
) -> dict[str, Any] | None:
    """Return the verdict on the ranking, if an area is printed."""
    name = next((name for name in shares if SCORES[name] == AREA), None)
    if name is None:
        return None
    beside = given.get("auc_interval", "")
    if "auc_low" in given and "auc_high" in given:
        beside = f"{given['auc_low']} to {given['auc_high']}"
    text = beside or (given[name] if re.search(r"[(\[]", given[name]) else "")
    ends = interval_in(text, called(name), "%" in given[name]) if text else None
    if ends is not None and not ends[0].low <= shares[name].value <= ends[1].high:
        place = f"lies outside of its interval {beside}".rstrip()
        raise ImpossibleNumber(f"{called(name)} {given[name]} {place}.")
    return judge_ranking(shares[name], ends, sizes)


def _judge_cases(
    printed: Mapping[str, str], ranges: Ranges, cases: Cases, by_class: bool, remarks: list[str]
) -> dict[str, Any]:
    """Return as fields what the tables show that fit the cases."""
    sizes = cases.sizes
    first, last, n = sizes[0][0], sizes[-1][0], sum(sizes[0])
    trivial = [n - max(counts) for counts in sizes]
    fields: dict[str, Any] = {"n": n, "trivial_errors": (min(trivial), max(trivial))}
    if len(sizes[0]) == 2:
        fields["positives"] = first if first == last else [first, last]
    if cases.folds is not None:
        fields["folds"] = cases.folds
    if len(sizes) > 1:
        remarks.append(f"{first:,} to {last:,} positives would be printed so; all are judged")
    recall, accuracy, error = map(ranges.get, ("recall", "accuracy", "error_rate"))
    accuracy = accuracy or (error and error.complement())
    may_be_plain = not by_class and ranges.keys() & OF_THE_NEGATIVES
    if (
        recall
        and accuracy
        and recall.low != recall.high
        and recall.value in (accuracy.value, error and 1 - error.value)
        and not (may_be_plain and judge(ranges, cases).errors)
    ):
        remarks.append(
            "recall equals the accuracy, as a mean weighted by the classes does (Weka, scikit-learn); left out: "
            f"{listed(name for name in printed if SCORES[name] in AVERAGED)}"
        )
        ranges = {name: interval for name, interval in ranges.items() if name not in AVERAGED}
    is_alone = cases.folds is None and len(ranges) == len(sizes) == 1 and not by_class
    if is_alone and accuracy and not accuracy.is_limit:
        digits = advantage_of_error(accuracy.complement(), first, n)
        fields["by_digits"] = {"advantage": digits.advantage, "low": digits.low, "high": digits.high}
    verdict = judge(ranges, cases)
    fields |= asdict(verdict)
    if verdict.errors is None:
        fields["verdict"] = IMPOSSIBLE
        fields |= find_clashes(ranges, lambda others: judge(others, cases).errors is not None, printed, n)
    return fields


def _judge_any_data(printed: Mapping[str, str], ranges: Ranges, share: Interval | None) -> dict[str, Any]:
    """Return as fields what follows from scores if the numbers of cases are not known."""
    bounds = bound_shares(ranges, share)
    if bounds.possible is False:
        fields = {"verdict": IMPOSSIBLE, "errors": None, "fits_without": None}
        if len(ranges) <= MOST_BOUNDED:
            fields |= find_clashes(
                ranges, lambda others: bound_shares(others, share).possible is not False, printed
            )
        return fields
    return {
        "verdict": bounds.verdict or "inconclusive",
        "prevalence": bounds.prevalence,
        # JSON has no infinity.
        "advantage": bounds.advantage and [end if math.isfinite(end) else None for end in bounds.advantage],
        "points": {name: point._asdict() for name, point in bounds.points.items()},
        "is_tight": bounds.is_tight,
    }


def find_clashes(
    ranges: Ranges, is_possible: Callable[[Ranges], bool], printed: Iterable[str], n: int = 0
) -> dict[str, Any]:
    """Return the scores each of which, left out, lets the others fit, and the smallest sets that may be cut off."""
    names = {name: name for name in ranges} | {SCORES[name]: name for name in printed}
    fields: dict[str, Any] = {"fits_without": None, "fits_cut_off": None}
    with suppress(ValueError):  # some of the scores leave too many tables to try
        if len(ranges) > 1:
            others = {name: {other: ranges[other] for other in ranges if other != name} for name in ranges}
            fields["fits_without"] = [names[name] for name in ranges if is_possible(others[name])]
        cut = {name: interval.as_cut_off() for name, interval in ranges.items() if not interval.is_limit}
        sizes = {*range(1, min(len(cut), MOST_CUT_OFF) + 1), len(cut)} - {0}
        for size in sorted(sizes) if n <= MOST_TRIED else []:
            fields["fits_cut_off"] = [
                [names[name] for name in group]
                for group in combinations(cut, size)
                if is_possible({**ranges, **{name: cut[name] for name in group}})
            ]
            if fields["fits_cut_off"]:
                break
    return fields
