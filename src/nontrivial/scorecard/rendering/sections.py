"""Sections of sentences and tables for the text and the page: the cases, the counts, and the use of predictions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from nontrivial.numerals import is_decimal
from nontrivial.scorecard.card import Scorecard
from nontrivial.scorecard.compare import Subgroups, cards_of
from nontrivial.scorecard.rendering.numbers import INTERVAL_NAME, count_text, interval_text, percent_text
from nontrivial.terminal import count_of, cut_middle, listed

MIN_CASES_FOR_TOP_TENTH = 50
MIN_COLUMN_WIDTH = 6


class Section(NamedTuple):
    """Sentences, a table and further sections under a title.

    Sections of one kind have the same `id`, such as "table". The first cell of a row is its name. Only the last cells
    may hold sentences.
    """

    id: str
    title: str
    sentences: Sequence[str] = ()
    header: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    parts: Sequence[Section] = ()


def heading(result: Any) -> list[str]:
    """Return a line on the scored model or models and their cases, and a line on the columns that were read."""
    result = result.whole if isinstance(result, Subgroups) else result
    card = cards_of(result)[0]
    columns = [f'truth "{cut_middle(card.columns["truth"])}"']
    if card.positive is not None:
        assumed = " (assumed; --positive names another)" if card.positive_assumed else ""
        columns.append(f'positive "{cut_middle(card.positive)}"{assumed}')
    if isinstance(result, Scorecard):
        columns += [f'{role} "{cut_middle(column)}"' for role, column in card.columns.items() if role != "truth"]
        return [f"{', '.join(map(cut_middle, _names_of_model(card)))}: {_describe_cases(card)}", ", ".join(columns)]
    files = dict.fromkeys(cut_middle(card.file) for card in result.cards)
    models = f"{len(result.cards)} models of {listed(files)}"
    if result.pairing:
        models += f", on the same {_describe_cases(card)}"
        if len(files) > 1:
            models += f", matched by {result.pairing.replace('_', ' ')}"
    return [models, ", ".join(columns)]


def _names_of_model(card: Scorecard) -> list[str]:
    """Return the name of a model, or of the column of its scores, and its file."""
    is_of_file = bool(card.sha256)
    roles = ("score", "confidence") if is_of_file else ("score", "confidence", "prediction")
    names = [card.model, *(card.columns.get(role, "") for role in roles)]
    name = next(filter(None, names), "")
    return list(dict.fromkeys(filter(None, [name, card.file] if is_of_file or not name else [name])))


def _describe_cases(card: Scorecard) -> str:
    """Write the numbers of cases and of positives or classes, and the groups and weights if there are any."""
    cases = count_of(card.cases, "case")
    if card.positives is not None:
        cases += f", {card.positives:,} {positive_word(card)}"
        cases += f" ({percent_text(card.positives / card.cases)})" if card.weight is None else ""
    elif card.confusion is not None:
        cases += f", {len(card.classes)} classes"
    if card.groups is not None:
        cases += f", in {card.groups:,} groups"
    return cases if card.weight is None else f"{cases}, with weights that sum to {count_text(card.weight)}"


def positive_word(card: Scorecard) -> str:
    """Return the positive label if it is a word for a sentence, such as ill; else "positive", as for 1 or yes."""
    label = card.positive or ""
    is_plain = label.lower() in ("true", "false", "yes", "no", "y", "n", "t", "f", "pos", "positive")
    return "positive" if is_plain or is_decimal(label) or len(label) > 30 else label


def assumption_line(card: Scorecard) -> str:
    """Write what intervals and tests assume."""
    units = "cases" if card.groups is None else "groups"
    return f"{INTERVAL_NAME}s; independent {units} that were not used for fitting."


def shared_notes(result: Any) -> list[str]:
    """Return the notes of all models, each once; a note names its models unless all have it."""
    cards = cards_of(result.whole if isinstance(result, Subgroups) else result)
    models_by_note: dict[str, list[str]] = {}
    for card in cards:
        for note in card.notes:
            models_by_note.setdefault(note, []).append(card.model)
    return [
        note if len(models) == len(cards) else f"For {listed(models)}: {note}"
        for note, models in models_by_note.items()
    ]


def count_section(card: Scorecard, width: int = 100) -> Section | None:
    """Return the counts as a table that fits a width; if it does not fit, the most frequent mistakes."""
    if card.table:
        most = max(min(width - 42, 24), 5)
        cells = {name: count_text(count) for name, count in card.table.items()}
        recall = f"recall {interval_text(card.measures['recall'])}"
        precision = f"precision {interval_text(card.measures['precision'])}"
        rows = [
            [cut_middle(card.positive or "", most), cells["tp"], cells["fn"], recall],
            [cut_middle(card.negative or "all others", most), cells["fp"], cells["tn"], precision],
        ]
        return Section("counts", "Counts", header=("", "flagged", "not flagged", ""), rows=rows)
    if card.confusion is None:
        return None
    labels, counted = card.confusion["labels"], card.confusion["counts"]
    if counted and MIN_COLUMN_WIDTH * (len(labels) + 1) <= width:
        most = max(width // (len(labels) + 1) - 3, MIN_COLUMN_WIDTH - 2)
        names = [cut_middle(label, most) for label in labels]
        rows = [
            [name, *(f"{count:,.10g}" for count in row)]
            for name, row in zip(names, counted, strict=False)  # labels only predicted have no row
        ]
        title = "True classes in rows, predicted classes in columns:"
        return Section("counts", "Counts", [title], ["", *names], rows)
    mistakes = [
        f"{mistake['cases']:,.10g} of {cut_middle(mistake['truth'])!r} predicted as "
        f"{cut_middle(mistake['predicted'])!r}"
        for mistake in card.confusion["mistakes"][:3]
    ]
    return Section("counts", "Counts", [f"Most frequent mistakes: {', '.join(mistakes) or 'none'}."])


def use_section(card: Scorecard) -> Section | None:
    """Return calibration, the top tenth and net benefit, a row for each."""
    n_top = card.top_tenth["cases"] if card.top_tenth else 0
    lines = {
        "Calibration": _calibration_line(card),
        _name_top(n_top, card.cases).capitalize(): _top_line(card),
        "Net benefit": _benefit_line(card),
    }
    rows = [[name, line] for name, line in lines.items() if line]
    return Section("use", "In use", header=("", ""), rows=rows) if rows else None


def _calibration_line(card: Scorecard) -> str:
    """Write whether the probabilities are calibrated."""
    calibration = card.calibration
    if calibration is None:
        return ""
    slope = calibration.slope
    facts = [
        f"predicted {percent_text(calibration.mean)}, {positive_word(card)} {percent_text(calibration.share)}",
        f"slope {interval_text(slope)}" if slope.method else f"no slope: {slope.reason}",
    ]
    if len(calibration.reliability) > 1 and card.cases >= MIN_CASES_FOR_TOP_TENTH:
        last = calibration.reliability[-1]
        name = _name_top(last["cases"], card.cases)
        name += ":" if name.endswith("%") else ""
        facts.append(f"{name} {percent_text(last['mean'])} against {percent_text(last['share'])}")
    return "; ".join(facts)


def _top_line(card: Scorecard) -> str:
    """Write how many positives the tenth with the highest scores has."""
    top = card.top_tenth
    if top is None or card.positives is None or card.cases < MIN_CASES_FOR_TOP_TENTH:
        return ""
    if top["cases"] == card.cases:  # all scores are equal
        return ""
    verb = "holds" if top["cases"] == 1 else "hold"
    positives = f"{top['positives']:,} of the {count_of(card.positives, 'positive')}"
    return f"{count_of(top['cases'], 'case')} {verb} {positives}"


def _name_top(n_top: int, n_cases: int) -> str:
    """Name the cases with the highest scores; because of equal scores, they may be more or fewer than a tenth."""
    is_tenth = abs(n_top - n_cases / 10) <= max(1, n_cases / 200)
    return "top tenth" if is_tenth else f"top {percent_text(n_top / n_cases)}"


def _benefit_line(card: Scorecard) -> str:
    """Write for which thresholds the net benefit lies above "all" and "none"."""
    if card.calibration is None:
        return ""
    spans = [
        f"from {percent_text(low)} to {percent_text(high)}" if low < high else f"at {percent_text(low)}"
        for low, high in card.calibration.beneficial
    ]
    where = f'above "all" and "none" {listed(spans, 3)}' if spans else 'nowhere above "all" and "none"'
    return f"{where} (without interval)"
