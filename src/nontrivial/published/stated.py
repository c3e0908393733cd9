"""Parse the scores, counts and numbers of cases that a paper states about one classifier."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from nontrivial.measures.published.numbers import ImpossibleNumber, RoundingInterval, parse_printed
from nontrivial.measures.published.sizes import (
    SIZE_SOURCES,
    ClassSizes,
    Spelling,
    check_counts,
    is_share,
    parse_count,
    possible_class_sizes,
)
from nontrivial.measures.published.tables import SCORE_NAMES
from nontrivial.published.cells import add_percent_signs, parse_fraction, parse_score
from nontrivial.published.counts import COUNTED_CELLS, COUNTED_SHARES, Count, infer_counts
from nontrivial.terminal import listed


class StatedNumbers(NamedTuple):
    """The numbers that a paper states about one classifier.

    `scores` are the printed texts of the scores, and `intervals` their rounding intervals. If the number of cases is
    unknown, `class_sizes` is empty, but `positive_share` may be known.
    """

    texts: Mapping[str, str]
    scores: dict[str, str]
    intervals: dict[str, RoundingInterval]
    counts: dict[str, Count]
    class_sizes: list[ClassSizes]
    positive_share: RoundingInterval | None
    folds: Any

    @property
    def has_whole_table(self) -> bool:
        return self.counts.keys() >= set(COUNTED_CELLS)


def read_stated_numbers(texts: Mapping[str, str], spelling: Spelling) -> StatedNumbers:
    """Parse scores, counts and cases. Raise ImpossibleNumber if no table has these numbers."""
    scores = {name: text for name, text in texts.items() if name in SCORE_NAMES}
    counts, texts = _read_counts(texts, spelling)
    numbers = {}
    for name, text in scores.items():
        fraction = parse_fraction(text)
        if fraction is None or fraction.beside:
            numbers[name] = text if fraction is None else fraction.beside
    intervals = {
        name: parse_score(text, SCORE_NAMES[name], spelling(name)) for name, text in add_percent_signs(numbers).items()
    }
    sources = {name: texts[name] for name in (*SIZE_SOURCES, "n") if name in texts}
    if "n" in counts:
        sources["n"] = str(counts["n"].value)
    positive_share = None
    if "positives" in counts and "negatives" in counts and len(sources.keys() - {"n"}) < 2:
        positives, n = check_counts(counts["positives"].value, counts["n"].value, spelling)
        class_sizes: list[ClassSizes] = [(positives, n - positives)]
    elif sources.keys() == {"positives"} and sources["positives"]:
        class_sizes = []
        if is_share(sources["positives"]):
            positive_share = parse_printed(sources["positives"], spelling("positives"), may_be_limit=False)
    else:
        class_sizes = possible_class_sizes(sources, spelling)
        if len(class_sizes) == 1 and len(class_sizes[0]) == 2:
            source = (listed(f"{spelling(name)} {text}" for name, text in sources.items()),)
            positive, negative = (Count(size, source) for size in class_sizes[0])
            counts = infer_counts([*counts.items(), ("positives", positive), ("negatives", negative)])
    folds: Any = texts.get("folds")
    if folds is not None and folds != "any":
        folds = parse_count(folds, spelling("folds"))
    return StatedNumbers(texts, scores, intervals, counts, class_sizes, positive_share, folds)


def _read_counts(texts: Mapping[str, str], spelling: Spelling) -> tuple[dict[str, Count], dict[str, str]]:
    """Infer all counts from the counts and fractions in texts; return also the texts, with counts as plain digits."""
    stated: list[tuple[str, Count]] = []
    plain_texts = dict(texts)
    scores = [name for name in texts if name in SCORE_NAMES]
    for name in (*COUNTED_CELLS, "negatives", "n", "positives", *scores):
        text = texts.get(name, "")
        # Drop "n =" before a count, and the share in brackets behind the count.
        plain = re.sub(r"(?i)^n ?= ?|\s*[(\[][0-9.,\s]+[%\u2030]?\s*[)\]]$", "", text)
        fraction = parse_fraction(text)
        if fraction is not None:
            if name in SCORE_NAMES and SCORE_NAMES[name] not in COUNTED_SHARES:
                raise ValueError(f"{spelling(name)} is {text!r}, but the score is not a ratio of counts.")
            if fraction.part > fraction.whole:
                raise ImpossibleNumber(f"{spelling(name)} is {fraction.text}, which is more than all.")
            source = (f"{spelling(name)} {fraction.text}",)
            part, whole = COUNTED_SHARES.get(SCORE_NAMES.get(name, ""), (name, "n"))
            stated += [(part, Count(fraction.part, source)), (whole, Count(fraction.whole, source))]
            if name not in SCORE_NAMES:
                plain_texts[name] = str(fraction.part)
        elif plain and name not in SCORE_NAMES and not (name == "positives" and is_share(plain)):
            value = parse_count(plain, spelling(name))
            stated.append((name, Count(value, (f"{spelling(name)} {value}",))))
            plain_texts[name] = str(value)
    return infer_counts(stated), plain_texts
