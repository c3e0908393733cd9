"""Every measure of a result, and how it was found: what ``--all`` and ``--explain`` add, and the page folds."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nontrivial.measures.sign_verdict import SIGNIFICANCE_LEVEL
from nontrivial.scorecard.card import CROSS_VALIDATED, Scorecard
from nontrivial.scorecard.compare import Comparison, Subgroups, cards_of, named_cards, results_by_subgroup
from nontrivial.scorecard.estimates.estimate import Estimate
from nontrivial.scorecard.estimates.verdicts import QUESTION_NAMES
from nontrivial.scorecard.rendering.numbers import INTERVAL, number, p_text
from nontrivial.scorecard.rendering.sections import Section, counts, usefulness
from nontrivial.scorecard.rendering.verdict_lines import (
    lead_section,
    sections_of_questions,
    verdict_sections,
    verdict_sentences,
)

EXPLAINED = "tests"  # the id of sections that say how the others were found
AS_COUNTED = ("cases", "predicted", "threshold")  # fields whose numbers are not rounded
SENTENCES = {  # below the titles of tables
    "Net benefit": "The net benefit of acting on the cases at or above a threshold: true positives minus false "
    "positives times the odds of the threshold, per case. Acting on nobody is worth 0.",
    "Classes": f"Each class against the rest; one-sided p <= {SIGNIFICANCE_LEVEL} is better than trivial.",
}
DIFFERENCES = (
    "Differences in areas, and in the Prediction Advantage under each loss. The p-values are two-sided and not "
    "corrected for the number of comparisons."
)
TESTS = {"probabilities": "paired_t", "ranking": "mann_whitney"}  # of other questions, the card names it
NAMED = ("method", "test", "assumes", "test_assumes")  # fields whose values the glossary explains


def detail_sections(result: Any) -> list[Section]:
    """Every measure and test of one model; or of several, or of subgroups, beside a section for each."""
    if isinstance(result, Scorecard):
        return _sections_of_card(result)
    sections: list[Section] = []
    if isinstance(result, Subgroups):
        sections += sections_of_questions(
            result, [name for name in QUESTION_NAMES if name != result.question]
        )
    for name, part in results_by_subgroup(result).items():
        if isinstance(part, Comparison):
            sections += _sections_of_models(part, f" ({name})" if name else "")
    for place, named in enumerate(named_cards(result), 1):
        card = named.card
        (verdicts,) = verdict_sections(card)
        answers = verdicts._replace(sentences=verdict_sentences(card))
        screen = [section for section in (answers, counts(card), usefulness(card)) if section]
        sections.append(Section(f"card-{place}", named.name, parts=[*screen, *_sections_of_card(card)]))
    return sections


def terms_of(result: Any) -> list[str]:
    """The names of the methods, tests and assumptions behind a result; the glossary has their meanings."""
    tests = [row[1] for card in cards_of(result) for row in _tested(card)]
    return list(dict.fromkeys([*tests, *_named_in(result.to_json())]))


def _named_in(plain: Any) -> Iterator[str]:
    if isinstance(plain, list):
        plain = dict(enumerate(plain))
    if isinstance(plain, dict):
        for key, value in plain.items():
            if key in NAMED and value:
                yield value
            yield from _named_in(value)


def _section(title: str, rows: Sequence[Mapping[str, Any]], sentence: str = "") -> Section:
    """Return a table of fields, whose names are its header."""
    cells = [_cells(row) for row in rows]
    sentence = sentence or SENTENCES.get(title, "")
    sentences = [sentence] if sentence else ()
    return Section("table", title, sentences, list(cells[0]), [list(row.values()) for row in cells])


def _cells(fields: Mapping[str, Any]) -> dict[str, str]:
    """Write the fields of a row; an estimate has its interval and method beside it, or why there is none."""
    cells: dict[str, str] = {}
    for name, value in fields.items():
        if isinstance(value, Mapping):
            cells |= _cells(value)
        elif isinstance(value, Estimate):
            cells[name] = number(value.value)
            cells[INTERVAL] = f"{number(value.low)} to {number(value.high)}" if value.method else "none"
            cells["method"] = value.method or (f"no interval: {value.reason}" if value.reason else "none")
        elif isinstance(value, str):
            cells[name] = value
        elif name in AS_COUNTED:
            cells[name] = f"{value:,.10g}"
        else:
            cells[name] = p_text(value) if name == "p_value" else number(value)
    return cells


def _sections_of_models(comparison: Comparison, name: str) -> list[Section]:
    """Return what models differ in, with a column for each model."""
    columns = []
    for card in comparison.cards:
        errors = {} if card.error is None else {"error": card.error, "trivial_error": card.trivial_error}
        fields = {"cases": card.cases, **errors, "prediction_advantage": card.prediction_advantage.value}
        fields |= {area: estimate.value for area, estimate in card.areas.items()}
        columns.append(_cells(fields | {loss: row.loss for loss, row in card.losses.items()}))
    measures = dict.fromkeys(measure for column in columns for measure in column)
    rows = [[measure, *(column.get(measure, "none") for column in columns)] for measure in measures]
    header = ["measure", *(card.model for card in comparison.cards)]
    sections = [Section("models", f"Errors, areas and losses{name}", (), header, rows)]
    if name and (leads := lead_section(comparison)):
        sections.append(leads._replace(title=leads.title + name))
    for card in comparison.cards[1:]:
        differences = [
            {
                "measure": difference.loss or difference.measure,
                "value": Estimate(difference.value, difference.low, difference.high, difference.method),
                "p_value": difference.p_value,
                "test": difference.test,
            }
            for difference in comparison.differences
            if difference.model == card.model
        ]
        if differences:
            title = f"{card.model} minus {comparison.best.model}, on the same cases{name}"
            sections.append(_section(title, differences, DIFFERENCES))
    return sections


def _sections_of_card(card: Scorecard) -> list[Section]:
    """Return the tables of one model, and how they were found."""
    losses = [
        {
            "loss": name,
            "mean": row.loss,
            "trivial": row.trivial,
            "prediction_advantage": row.prediction_advantage,
        }
        for name, row in card.losses.items()
    ]
    reliability: list[dict[str, Any]] = []
    for row in card.calibration.reliability if card.calibration else ():
        share = Estimate(*(row[name] for name in ("share", "low", "high", "method")))
        means = {name: row[name] for name in ("cases", "least", "greatest", "mean")}
        reliability.append({**means, "share": share})
    tables = {
        "Measures": [{"measure": name, "value": estimate} for name, estimate in card.measures.items()],
        "Areas": [{"area": name, "value": estimate} for name, estimate in card.areas.items()],
        "Losses beside the best constant": losses,
        "Calibration": reliability,
        "Net benefit": card.calibration.net_benefit if card.calibration else (),
        "Classes": list(map(vars, card.classes)),
        "Mistakes": card.confusion["mistakes"] if card.confusion else (),
    }
    return [*(_section(title, rows) for title, rows in tables.items() if rows), _explain(card)]


def _tested(card: Scorecard) -> list[list[str]]:
    """Return the questions that were tested, by which tests, and the p-values."""
    tests = {} if card.test == CROSS_VALIDATED else TESTS
    return [
        [question, tests.get(question, card.test), p_text(verdict.p_better), p_text(verdict.p_worse)]
        for question, verdict in card.verdicts.items()
        if not math.isnan(verdict.p_better)
    ]


def _explain(card: Scorecard) -> Section:
    """Return the tests of one model, the rule behind its labels, its columns and notes."""
    rows = _tested(card)
    sentences = [f"One-sided p <= {SIGNIFICANCE_LEVEL} is significant."]
    if card.cost is not None:
        sentences.append("Labels under costs are judged by their interval.")
    elif not rows:
        sentences = [f"There is no test: {card.prediction_advantage.reason}."]
    needed = None if card.cost is not None else card.cases_needed
    if needed is not None and card.error is not None and card.trivial_error is not None:
        side = "better" if card.error < card.trivial_error else "worse"
        sentences.append(
            f"At these error rates, about {needed:,} cases would be needed to show it is {side}."
        )
    if card.rule:
        other = "" if card.positive is None else "; --threshold sets another threshold"
        sentences.append(f"The predictions are made from the scores: {card.rule}{other}.")
    columns = ", ".join(f"{role} from {name!r}" for role, name in card.columns.items())
    sentences += [f"Columns: {columns}.", *(f"Note: {note}" for note in card.warnings)]
    return Section(EXPLAINED, "Tests", sentences, ("question", "test", "p_better", "p_worse"), rows)
