"""Every measure, test and method of a result, which ``--all`` and ``--explain`` print, and the page folds."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nontrivial.measures.sign_verdict import SIGNIFICANCE_LEVEL
from nontrivial.scorecard.card import CROSS_VALIDATED, Scorecard
from nontrivial.scorecard.compare import Comparison, Subgroups, cards_of, named_cards, results_by_subgroup
from nontrivial.scorecard.estimates.estimate import Estimate
from nontrivial.scorecard.estimates.judging import QUESTION_NAMES
from nontrivial.scorecard.rendering import verdict_lines
from nontrivial.scorecard.rendering.numbers import INTERVAL_NAME, number_text, p_text
from nontrivial.scorecard.rendering.sections import Section, count_section, use_section

TESTS_ID = "tests"
UNROUNDED_FIELDS = ("cases", "predicted", "threshold")
TABLE_SENTENCES = {
    "Net benefit": "The net benefit of acting on the cases at or above a threshold: true positives minus false "
    "positives times the odds of the threshold, per case. Acting on nobody is worth 0.",
    "Classes": f"Each class against the rest; one-sided p <= {SIGNIFICANCE_LEVEL} is better than trivial.",
}
DIFFERENCES_SENTENCE = (
    "Differences in areas, and in the Prediction Advantage under each loss. The p-values are two-sided and not "
    "corrected for the number of comparisons."
)
# The card names the test of the other questions.
TEST_OF_QUESTION = {"probabilities": "paired_t", "ranking": "mann_whitney"}
GLOSSARY_FIELDS = ("method", "test", "assumes", "test_assumes")


def detail_sections(result: Any) -> list[Section]:
    """Return every measure and test of one model. For several models or subgroups, return a section for each card."""
    if isinstance(result, Scorecard):
        return _card_sections(result)
    sections: list[Section] = []
    if isinstance(result, Subgroups):
        sections += verdict_lines.question_sections(
            result, [name for name in QUESTION_NAMES if name != result.question]
        )
    for subgroup, part in results_by_subgroup(result).items():
        if isinstance(part, Comparison):
            sections += _model_sections(part, f" ({subgroup})" if subgroup else "")
    for number, named in enumerate(named_cards(result), 1):
        card = named.card
        (verdicts,) = verdict_lines.verdict_sections(card)
        verdicts = verdicts._replace(sentences=verdict_lines.verdict_sentences(card))
        screen = [section for section in (verdicts, count_section(card), use_section(card)) if section]
        sections.append(Section(f"card-{number}", named.name, parts=[*screen, *_card_sections(card)]))
    return sections


def glossary_terms(result: Any) -> list[str]:
    """Return the names of the methods, tests and assumptions behind a result, which the glossary explains."""
    tests = [row[1] for card in cards_of(result) for row in _test_rows(card)]
    return list(dict.fromkeys([*tests, *_find_glossary_terms(result.to_json())]))


def _find_glossary_terms(plain: Any) -> Iterator[str]:
    """Find the values of `GLOSSARY_FIELDS` in nested lists and dicts."""
    if isinstance(plain, list):
        plain = dict(enumerate(plain))
    if isinstance(plain, dict):
        for key, value in plain.items():
            if key in GLOSSARY_FIELDS and value:
                yield value
            yield from _find_glossary_terms(value)


def _table_section(title: str, rows: Sequence[Mapping[str, Any]], sentence: str = "") -> Section:
    """Return a table of fields; their names are its header."""
    cells = [_cell_texts(row) for row in rows]
    sentence = sentence or TABLE_SENTENCES.get(title, "")
    sentences = [sentence] if sentence else ()
    return Section("table", title, sentences, list(cells[0]), [list(row.values()) for row in cells])


def _cell_texts(fields: Mapping[str, Any]) -> dict[str, str]:
    """Write the fields of a row; an estimate also gives its interval and method, or the reason for no interval."""
    cells: dict[str, str] = {}
    for name, value in fields.items():
        if isinstance(value, Mapping):
            cells |= _cell_texts(value)
        elif isinstance(value, Estimate):
            cells[name] = number_text(value.value)
            interval = f"{number_text(value.low)} to {number_text(value.high)}"
            cells[INTERVAL_NAME] = interval if value.method else "none"
            cells["method"] = value.method or (f"no interval: {value.reason}" if value.reason else "none")
        elif isinstance(value, str):
            cells[name] = value
        elif name in UNROUNDED_FIELDS:
            cells[name] = f"{value:,.10g}"
        else:
            cells[name] = p_text(value) if name == "p_value" else number_text(value)
    return cells


def _model_sections(comparison: Comparison, suffix: str) -> list[Section]:
    """Return the measures of models, with a column for each model, and the differences between the models."""
    columns = []
    for card in comparison.cards:
        errors = {} if card.error is None else {"error": card.error, "trivial_error": card.trivial_error}
        fields = {"cases": card.cases, **errors, "prediction_advantage": card.prediction_advantage.value}
        fields |= {area: estimate.value for area, estimate in card.areas.items()}
        columns.append(_cell_texts(fields | {loss: row.loss for loss, row in card.losses.items()}))
    measures = dict.fromkeys(measure for column in columns for measure in column)
    rows = [[measure, *(column.get(measure, "none") for column in columns)] for measure in measures]
    header = ["measure", *(card.model for card in comparison.cards)]
    sections = [Section("models", f"Errors, areas and losses{suffix}", (), header, rows)]
    if suffix and (leads := verdict_lines.lead_section(comparison)):
        sections.append(leads._replace(title=leads.title + suffix))
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
            title = f"{card.model} minus {comparison.best.model}, on the same cases{suffix}"
            sections.append(_table_section(title, differences, DIFFERENCES_SENTENCE))
    return sections


def _card_sections(card: Scorecard) -> list[Section]:
    losses: list[dict[str, Any]] = []
    for name, row in card.losses.items():
        means = {"loss": name, "mean": row.loss, "trivial": row.trivial}
        losses.append({**means, "prediction_advantage": row.prediction_advantage})
    reliability: list[dict[str, Any]] = []
    for tenth in card.calibration.reliability if card.calibration else ():
        share = Estimate(*(tenth[name] for name in ("share", "low", "high", "method")))
        fields = {name: tenth[name] for name in ("cases", "least", "greatest", "mean")}
        reliability.append({**fields, "share": share})
    tables = {
        "Measures": [{"measure": name, "value": estimate} for name, estimate in card.measures.items()],
        "Areas": [{"area": name, "value": estimate} for name, estimate in card.areas.items()],
        "Losses beside the best constant": losses,
        "Calibration": reliability,
        "Net benefit": card.calibration.net_benefit if card.calibration else (),
        "Classes": list(map(vars, card.classes)),
        "Mistakes": card.confusion["mistakes"] if card.confusion else (),
    }
    return [*(_table_section(title, rows) for title, rows in tables.items() if rows), _tests_section(card)]


def _test_rows(card: Scorecard) -> list[list[str]]:
    """Return a row for each question that was tested: the test and its p-values."""
    tests = {} if card.test == CROSS_VALIDATED else TEST_OF_QUESTION
    return [
        [question, tests.get(question, card.test), p_text(verdict.p_better), p_text(verdict.p_worse)]
        for question, verdict in card.verdicts.items()
        if not math.isnan(verdict.p_better)
    ]


def _tests_section(card: Scorecard) -> Section:
    """Return the tests of one model, the rule behind its labels, its columns and notes."""
    rows = _test_rows(card)
    sentences = [f"One-sided p <= {SIGNIFICANCE_LEVEL} is significant."]
    if card.cost is not None:
        sentences.append("Labels under costs are judged by their interval.")
    elif not rows:
        sentences = [f"There is no test: {card.prediction_advantage.reason}."]
    if card.cost is None and card.cases_needed is not None:
        side = "better" if (card.error or 0.0) < (card.trivial_error or 0.0) else "worse"
        sentences.append(
            f"At these error rates, about {card.cases_needed:,} cases would be needed to show it is {side}."
        )
    if card.rule:
        hint = "" if card.positive is None else "; --threshold sets another threshold"
        sentences.append(f"The predictions are made from the scores: {card.rule}{hint}.")
    columns = ", ".join(f"{role} from {name!r}" for role, name in card.columns.items())
    sentences += [f"Columns: {columns}.", *(f"Note: {note}" for note in card.warnings)]
    return Section(TESTS_ID, "Tests", sentences, ("question", "test", "p_better", "p_worse"), rows)
