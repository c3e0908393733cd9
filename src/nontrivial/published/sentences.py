"""One sentence for each verdict, for readers who know no statistics."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from nontrivial.terminal import count_of, join_with_and

MAX_NUMBERS_NAMED = 4  # more numbers are only counted
TRIVIAL_GUESS = "always predicting the more frequent class"


def sentence_of(fields: Mapping[str, Any]) -> str:
    """Return the sentence on the verdict of a classifier."""
    if fields["verdict"] == "impossible":
        return _describe_impossible(fields)
    if fields.get("question") == "ranking":
        return ranking_sentence(fields["ranking"])
    return _describe_errors(fields) if "errors" in fields else _describe_shares(fields)


def ranking_sentence(ranking: Mapping[str, Any]) -> str:
    """Return the sentence on whether the ranking is better than chance, by the interval of its area."""
    if not ranking["method"]:
        return "The area alone leaves open whether the ranking is better than chance: it has no interval."
    worth = {
        "better": "lies above 1/2: the ranking is better than chance",
        "worse": "lies below 1/2: the ranking is worse than chance",
        "inconclusive": "does not exclude 1/2: it is open whether the ranking is better than chance",
    }[ranking["verdict"]]
    return capitalize(f"{ranking['method']}, {ranking['low']:.3g} to {ranking['high']:.3g}, {worth}.")


def capitalize(text: str) -> str:
    """Write the first letter as a capital, and leave the others as they are."""
    return text[:1].upper() + text[1:]


def span_text(span: tuple[Any, Any], text: Callable[[Any], str] = "{:,}".format) -> str:
    """Write a range as "low to high", or as one number if both ends have the same text."""
    low, high = map(text, span)
    return low if low == high else f"{low} to {high}"


def _describe_impossible(fields: Mapping[str, Any]) -> str:
    """Return the sentence on impossible numbers; it names the numbers that may be wrong or cut off."""
    if "reason" in fields:
        return f"These numbers cannot be right: {fields['reason']}."
    numbers = [f"{score_label(name)} {text}" for name, text in fields["published"].items()]
    subject = join_with_and(numbers) if len(numbers) <= MAX_NUMBERS_NAMED else f"These {len(numbers)} numbers"
    source = f"means over {fields['folds']} folds of" if "folds" in fields else "from one table of"
    cases = "any data"
    if "n" in fields:
        cases = f"{fields['n']:,} cases"
        if len(fields.get("classes", [])) > 2:
            cases += f" in {len(fields['classes'])} classes"
        elif not isinstance(fields["positives"], list):
            cases += f", {fields['positives']:,} of them positive"
    verb = "be" if "folds" in fields else "come"
    hints = [f"{capitalize(subject)} cannot {verb} {source} {cases}"]
    if fields.get("fits_without"):
        scores = " or ".join(map(score_label, fields["fits_without"]))
        hints.append(f"without {scores}, a table fits the others")
    if fields.get("fits_cut_off"):
        groups = " or ".join(map(join_with_and, fields["fits_cut_off"]))
        hints.append(f"a table fits if {groups} was cut off instead of rounded")
    return "; ".join(hints) + "."


def score_label(name: str) -> str:
    return name.upper() if name in ("auc", "f1", "mcc", "npv", "ppv") else name


def _describe_errors(fields: Mapping[str, Any]) -> str:
    """Return the sentence that compares the errors with the errors of the trivial guess."""
    n, (fewest, most), (least_trivial, most_trivial) = fields["n"], fields["errors"], fields["trivial_errors"]
    positives = fields.get("positives", [0, n])
    least, greatest = positives if isinstance(positives, list) else (positives, positives)
    guess = "negative" if 2 * greatest < n else "positive" if 2 * least > n else "the same"
    if "positives" not in fields:
        guess = "the most frequent class"
    over = f"Over all {fields['folds']} folds, " if isinstance(fields.get("folds"), int) else ""
    verb = "was" if fewest == most == 1 else "were"
    beginning = (
        f"{over}{span_text(fields['errors'])} of {count_of(n, 'case')} {verb} misjudged, and calling all of them "
        f"{guess} misjudges {span_text(fields['trivial_errors'])}"
    )
    if fields["verdict"] != "inconclusive":
        return f"{beginning}: {fields['verdict']} than trivial."
    if fewest == most == least_trivial == most_trivial:
        return f"{beginning}, just as many: neither better nor worse than trivial."
    if most < least_trivial or fewest > most_trivial:
        number, worth = ("fewer", "better") if most < least_trivial else ("more", "worse")
        chance = f"{number} errors, but perhaps only by chance, so not shown to be {worth} than trivial"
        return f"{beginning}: {chance}."
    return f"{beginning}: the printed numbers leave open which is better."


def _describe_shares(fields: Mapping[str, Any]) -> str:
    """Return the sentence on a classifier with an unknown number of cases: the share of positives and of errors."""
    advantage, prevalence = fields["advantage"], fields["prevalence"]
    if advantage is None:
        return "These numbers leave open whether it is better than trivial, and whether any data fit them."
    least_ratio = 1 - advantage[1]  # errors per error of the trivial guess
    if advantage[0] is not None:
        times = f"{_floor_text(least_ratio)} to {_ceil_text(1 - advantage[0])} times"
    else:
        times = f"at least {_floor_text(least_ratio)} times" if least_ratio >= 0.01 else "any number of times"
    shares = f"{_floor_text(100 * prevalence[0])} and {_ceil_text(100 * prevalence[1])} % of the cases are positive"
    text = f"Whatever the number of cases, between {shares}, with {times} as many errors as {TRIVIAL_GUESS}"
    if fields["verdict"] == "inconclusive":
        return f"{text}: this leaves open whether it is better than trivial."
    return f"{text}: {fields['verdict']} than trivial."


def _floor_text(number: float) -> str:
    """Write a number rounded down to two decimals."""
    return f"{math.floor(100 * number + 1e-9) / 100:g}"


def _ceil_text(number: float) -> str:
    """Write a number rounded up to two decimals."""
    return f"{math.ceil(100 * number - 1e-9) / 100:,.10g}"
