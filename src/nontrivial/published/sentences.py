"""One sentence for each verdict, for readers who know no statistics."""

import math
from collections.abc import Mapping
from typing import Any

from nontrivial.terminal import count_of, joined

MOST_NAMED = 4  # printed numbers in a sentence
TRIVIAL = "always predicting the more frequent class"


def sentence_of(fields: Mapping[str, Any]) -> str:
    """Say what the fields of a classifier show."""
    if fields["verdict"] == "impossible":
        return _of_impossible(fields)
    if fields.get("question") == "ranking":
        return ranking_sentence(fields["ranking"])
    return _of_tables(fields) if "errors" in fields else _of_shares(fields)


def ranking_sentence(ranking: Mapping[str, Any]) -> str:
    """Say what an area under the ROC curve shows of the ranking."""
    if not ranking["method"]:
        return "The area alone leaves open whether the ranking is better than chance: it has no interval."
    ends = f"{ranking['method']}, {ranking['low']:.3g} to {ranking['high']:.3g},"
    place = {"better": "lies above 1/2", "worse": "lies below 1/2", "inconclusive": "does not exclude 1/2"}
    worth = {
        "better": "the ranking is better than chance",
        "worse": "the ranking is worse than chance",
        "inconclusive": "it is open whether the ranking is better than chance",
    }
    return f"{ends[0].upper()}{ends[1:]} {place[ranking['verdict']]}: {worth[ranking['verdict']]}."


def _of_impossible(fields: Mapping[str, Any]) -> str:
    if "reason" in fields:
        return f"These numbers cannot be right: {fields['reason']}."
    printed = fields["published"]
    named = [f"{name} {text}" for name, text in printed.items()]
    subject = joined(named) if len(named) <= MOST_NAMED else f"These {len(named)} numbers"
    subject = subject[0].upper() + subject[1:]
    if "folds" in fields:
        sentence = f"{subject} cannot be means over {fields['folds']} folds of {_cases(fields)}"
    elif "trivial_errors" in fields:
        sentence = f"{subject} cannot come from one table of {_cases(fields)}"
    else:
        sentence = f"{subject} cannot come from one table of any data"
    hints = []
    without = fields.get("fits_without")
    if without:
        hints.append(f"without {' or '.join(without)}, a table fits the others")
    if fields.get("fits_cut_off"):
        groups = [joined(group) for group in fields["fits_cut_off"]]
        hints.append(f"a table fits if {' or '.join(groups)} was cut off instead of rounded")
    return "; ".join([sentence, *hints]) + "."


def _cases(fields: Mapping[str, Any]) -> str:
    n = fields["n"] if "n" in fields else sum(fields["classes"])
    classes = fields.get("classes", [])
    if len(classes) > 2:
        return f"{n:,} cases in {len(classes)} classes"
    positives = classes[0] if classes else fields["positives"]
    if isinstance(positives, list):
        return f"{n:,} cases"
    return f"{n:,} cases, {positives:,} of them positive"


def _of_tables(fields: Mapping[str, Any]) -> str:
    n = fields["n"] if "n" in fields else sum(fields["classes"])
    (fewest, most), (least_trivial, most_trivial) = fields["errors"], fields["trivial_errors"]
    errors = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
    trivial = (
        f"{least_trivial:,}" if least_trivial == most_trivial else f"{least_trivial:,} to {most_trivial:,}"
    )
    verb = "was" if errors == "1" else "were"
    over = f"Over all {fields['folds']} folds, " if isinstance(fields.get("folds"), int) else ""
    guess = _guess(fields, n)
    beginning = f"{over}{errors} of {count_of(n, 'case')} {verb} misjudged, and {guess} misjudges {trivial}"
    if fields["verdict"] != "inconclusive":
        return f"{beginning}: {fields['verdict']} than trivial."
    if fewest == most == least_trivial == most_trivial:
        return f"{beginning}, just as many: neither better nor worse than trivial."
    if most < least_trivial:
        return (
            f"{beginning}: fewer errors, but perhaps only by chance, so not shown to be better than trivial."
        )
    if fewest > most_trivial:
        return f"{beginning}: more errors, but perhaps only by chance, so not shown to be worse than trivial."
    return f"{beginning}: the printed numbers leave open which is better."


def _guess(fields: Mapping[str, Any], n: int) -> str:
    classes = fields.get("classes", [])
    if len(classes) > 2:
        return "calling all of them the most frequent class"
    positives = classes[0] if classes else fields["positives"]
    least, greatest = positives if isinstance(positives, list) else (positives, positives)
    if 2 * greatest < n:
        return "calling all of them negative"
    if 2 * least > n:
        return "calling all of them positive"
    return "calling all of them the same"


def _of_shares(fields: Mapping[str, Any]) -> str:
    advantage, prevalence = fields["advantage"], fields["prevalence"]
    if advantage is None:
        return "These numbers leave open whether it is better than trivial, and whether any data fit them."
    # The errors per error of the trivial guess.
    least, most = 1 - advantage[1], None if advantage[0] is None else 1 - advantage[0]
    if most is None:
        times = f"at least {_floor(least)} times" if least >= 0.01 else "any number of times"
    else:
        times = f"{_floor(least)} to {_ceiling(most)} times"
    shares = f"{_floor(100 * prevalence[0])} to {_ceiling(100 * prevalence[1])} % of the cases are positive"
    sentence = f"Whatever the number of cases, {shares}, with {times} as many errors as {TRIVIAL}"
    if fields["verdict"] == "inconclusive":
        return f"{sentence}: this leaves open whether it is better than trivial."
    return f"{sentence}: {fields['verdict']} than trivial."


def _floor(number: float) -> str:
    return f"{math.floor(100 * number + 1e-9) / 100:g}"


def _ceiling(number: float) -> str:
    return f"{math.ceil(100 * number - 1e-9) / 100:,.10g}"
