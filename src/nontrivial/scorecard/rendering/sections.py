"""Sections of sentences and tables, for the text and the page alike: what was scored, the counts, and use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from nontrivial.numerals import is_decimal
from nontrivial.scorecard.card import Scorecard
from nontrivial.scorecard.compare import Subgroups, cards_of
from nontrivial.scorecard.rendering.numbers import INTERVAL, count_text, ends, percent
from nontrivial.terminal import count_of, cut, listed

FEWEST_RANKED = 50  # cases whose top tenth says something
LEAST_WIDTH = 6  # of a class in a table


class Section(NamedTuple):
    """Sentences, a table and further sections under a title; `id` says what kind of section it is.

    The first cell of a row is its name. Only the last cells may hold sentences.
    """

    id: str
    title: str
    sentences: Sequence[str] = ()
    header: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    parts: Sequence[Section] = ()


# What was scored.


def heading(result: Any) -> list[str]:
    """What was scored, and from what columns."""
    result = result.whole if isinstance(result, Subgroups) else result
    card = cards_of(result)[0]
    columns = [f'truth "{cut(card.columns["truth"])}"']
    if card.positive is not None:
        assumed = " (assumed; --positive names another)" if card.positive_assumed else ""
        columns.append(f'positive "{cut(card.positive)}"{assumed}')
    if isinstance(result, Scorecard):
        names = [card.model, *(card.columns.get(role) for role in ("score", "confidence", "prediction"))]
        name = next(filter(None, names if not card.sha256 else names[:3]), "")  # predictions name no file
        title = dict.fromkeys([name, card.file] if card.sha256 or not name else [name])
        columns += [f'{role} "{cut(column)}"' for role, column in card.columns.items() if role != "truth"]
        return [f"{', '.join(map(cut, filter(None, title)))}: {_cases(card)}", ", ".join(columns)]
    files = dict.fromkeys(cut(card.file) for card in result.cards)
    models = f"{len(result.cards)} models of {listed(files)}"
    if result.pairing:
        models += f", on the same {_cases(card)}"
        if len(files) > 1:
            models += f", matched by {result.pairing.replace('_', ' ')}"
    return [models, ", ".join(columns)]


def _cases(card: Scorecard) -> str:
    """The number of cases and of positives, and how they were drawn."""
    cases = count_of(card.cases, "case")
    if card.positives is not None:
        cases += f", {card.positives:,} {positive_word(card)}"
        cases += f" ({percent(card.positives / card.cases)})" if card.weight is None else ""
    elif card.confusion is not None:
        cases += f", {len(card.classes)} classes"
    if card.groups is not None:
        cases += f", in {card.groups:,} groups"
    return cases if card.weight is None else f"{cases}, with weights that sum to {count_text(card.weight)}"


def positive_word(card: Scorecard) -> str:
    """The positive label if it can stand in a sentence, else the word positive."""
    label = card.positive or ""
    is_plain = label.lower() in ("true", "false", "yes", "no", "y", "n", "t", "f", "pos", "positive")
    return "positive" if is_plain or is_decimal(label) or len(label) > 30 else label


def assumed_words(card: Scorecard) -> str:
    """What intervals and tests assume, in a few words."""
    return f"{INTERVAL}s; independent {card.unit}s that were not used for fitting."


def notes_of(result: Any) -> list[str]:
    """The notes of all models, each once; a note names its models unless all have it."""
    cards = cards_of(result.whole if isinstance(result, Subgroups) else result)
    models_by_note: dict[str, list[str]] = {}
    for card in cards:
        for note in card.notes:
            models_by_note.setdefault(note, []).append(card.model)
    return [
        note if len(models) == len(cards) else f"For {listed(models)}: {note}"
        for note, models in models_by_note.items()
    ]


# The counts.


def counts(card: Scorecard, width: int = 100) -> Section | None:
    """The table of counts, in lines of some width; of many classes the most frequent mistakes."""
    if card.table:
        most = max(min(width - 42, 24), 5)
        cells = {name: count_text(count) for name, count in card.table.items()}
        recall, precision = (f"{name} {ends(card.measures[name])}" for name in ("recall", "precision"))
        rows = [
            [cut(card.positive or "", most), cells["tp"], cells["fn"], recall],
            [cut(card.negative or "all others", most), cells["fp"], cells["tn"], precision],
        ]
        return Section("counts", "Counts", header=("", "flagged", "not flagged", ""), rows=rows)
    if card.confusion is None:
        return None
    labels, counted = card.confusion["labels"], card.confusion["counts"]
    if counted and LEAST_WIDTH * (len(labels) + 1) <= width:
        most = max(width // (len(labels) + 1) - 3, LEAST_WIDTH - 2)
        names = [cut(label, most) for label in labels]
        rows = [
            [name, *(f"{count:,.10g}" for count in row)]
            for name, row in zip(names, counted, strict=False)  # labels only predicted have no row
        ]
        title = "True classes in rows, predicted classes in columns:"
        return Section("counts", "Counts", [title], ["", *names], rows)
    mistakes = [
        f"{mistake['cases']:,.10g} of {cut(mistake['truth'])!r} predicted as {cut(mistake['predicted'])!r}"
        for mistake in card.confusion["mistakes"][:3]
    ]
    return Section("counts", "Counts", [f"Most frequent mistakes: {', '.join(mistakes) or 'none'}."])


# Use: calibration, the top tenth and net benefit.


def usefulness(card: Scorecard) -> Section | None:
    """What calibration, the top tenth and net benefit say, each with its name."""
    lines = {
        "Calibration": _calibration_line(card),
        _top(card.top_tenth["cases"], card.cases).capitalize() if card.top_tenth else "": _top_line(card),
        "Net benefit": _benefit_line(card),
    }
    rows = [[name, line] for name, line in lines.items() if line]
    return Section("use", "In use", header=("", ""), rows=rows) if rows else None


def _calibration_line(card: Scorecard) -> str:
    calibration = card.calibration
    if calibration is None:
        return ""
    slope = calibration.slope
    facts = [
        f"predicted {percent(calibration.mean)}, {positive_word(card)} {percent(calibration.share)}",
        f"slope {ends(slope)}" if slope.method else f"no slope: {slope.reason}",
    ]
    if len(calibration.reliability) > 1 and card.cases >= FEWEST_RANKED:
        last = calibration.reliability[-1]
        name = _top(last["cases"], card.cases)
        name += ":" if name.endswith("%") else ""
        facts.append(f"{name} {percent(last['mean'])} against {percent(last['share'])}")
    return "; ".join(facts)


def _top_line(card: Scorecard) -> str:
    top = card.top_tenth
    # If all scores are equal, nothing is at the top.
    if top is None or card.positives is None or not FEWEST_RANKED <= card.cases > top["cases"]:
        return ""
    holding = f"{count_of(top['cases'], 'case')} {'holds' if top['cases'] == 1 else 'hold'}"
    return f"{holding} {top['positives']:,} of the {count_of(card.positives, 'positive')}"


def _top(cases: int, of: int) -> str:
    """Name the cases with the highest scores; with equal scores they may be more or fewer than a tenth."""
    is_tenth = abs(cases - of / 10) <= max(1, of / 200)
    return "top tenth" if is_tenth else f"top {percent(cases / of)}"


def _benefit_line(card: Scorecard) -> str:
    if card.calibration is None:
        return ""
    spans = [
        f"from {percent(low)} to {percent(high)}" if low < high else f"at {percent(low)}"
        for low, high in card.calibration.beneficial
    ]
    place = f'above "all" and "none" {listed(spans, 3)}' if spans else 'nowhere above "all" and "none"'
    return f"{place} (without interval)"
