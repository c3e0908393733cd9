"""Scorecards as a page of one file."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from nontrivial.measures.sign_verdict import LEVEL as LEVEL_OF_TEST
from nontrivial.pages import policy, style
from nontrivial.scorecard import plots
from nontrivial.scorecard.answers import Forecasts
from nontrivial.scorecard.compare import Comparison, chosen_by
from nontrivial.scorecard.evaluate import Scorecard, header
from nontrivial.scorecard.notes import GLOSSARY, label_of, meaning_of
from nontrivial.scorecard.text import (
    INTERVAL,
    METHODS,
    common_notes,
    comparison_heading,
    comparison_sentences,
    detail_sentences,
    difference_rows,
    heading,
    model_rows,
    number,
    p_number,
    picked_by,
    reason_clause,
    span,
    span_by_method,
    table_labels,
    tests_sentence,
    verdict_lines,
)
from nontrivial.terminal import listed, visible

_CURVES = "Precision-Recall-Gain, precision-recall, ROC and cost curve"
MOST_DRAWN = 6  # models in one picture
# Names and reasons may wrap where a table would be wider than the screen.
_STYLE = """th { white-space: normal; }
td small { display: inline-block; max-width: 9rem; white-space: normal; }
thead th { min-width: 4rem; }
thead th::first-letter { text-transform: uppercase; }
dt { font-weight: 600; } dd { margin: 0 0 0.5rem; max-width: 48rem; }
.scroll { max-height: none; }
figure { margin: 1rem 0; max-width: 46rem; } figure img { max-width: 100%; height: auto; }
details { margin: 1rem 0; } summary { font-weight: 600; cursor: pointer; padding: 0.25rem 0; }
"""


def render_page(card: Scorecard, answers: Any) -> str:
    """Render a scorecard as HTML that needs no other file; everything that comes from the data is escaped."""
    return _render([card], [answers], sentences=[*heading(card), *verdict_lines(card)])


def render_comparison_page(comparison: Comparison, answers: Sequence[Any]) -> str:
    """Render a comparison, and the card of each model, in the same way."""
    choices = {model: ", ".join(map(_label, measures)) for model, measures in picked_by(comparison).items()}
    differences = f"Differences from {comparison.best.model}, on the same cases"
    tables = [
        ("Models", model_rows(comparison), ""),
        (differences, difference_rows(comparison), tests_sentence(comparison)),
    ]
    return _render(
        comparison.cards,
        answers,
        comparison=comparison,
        sentences=[*comparison_heading(comparison), *comparison_sentences(comparison)],
        notes=common_notes(comparison, assumptions=True),
        tables=[each for each in tables if each[1][1]],
        choices=choices,
        pictures=_common_pictures(comparison, answers),
    )


def _render(cards: Sequence[Scorecard], answers: Sequence[Any], **values: Any) -> str:
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
        loader=PackageLoader("nontrivial.scorecard", ""),
    )
    environment.filters |= {
        "number": number,
        "label": _label,
        "meaning": meaning_of,
        "count": "{:,.10g}".format,
    }
    look = style() + _STYLE
    names = dict.fromkeys(name for card in cards for name in _named(card))
    page = environment.get_template("page.html").render(
        {"comparison": None, "notes": [], "tables": [], "choices": {}, "pictures": []} | values,
        style=look,
        policy=policy(look),
        files=list({(card.name, card.sha256): card for card in cards}.values()),
        cards=[(card, _pictures(card, each)) for card, each in zip(cards, answers, strict=True)],
        glossary=names,
        header=header(),
        method=method,
        because=reason_clause,
        labels=table_labels,
        details=detail_sentences,
        p_number=p_number,
        span=span,
        span_by_method=span_by_method,
        methods=METHODS,
        level_of_test=LEVEL_OF_TEST,
    )
    return page.strip("\n") + "\n"


def method(card: Scorecard, name: str) -> str:
    """How the interval of a measure or an area was found, or why there is none; empty if the value is undefined."""
    reason = card.no_interval.get(name)
    return METHODS[(card.measures | card.areas)[name].method] or (f"because {reason}" if reason else "")


def _named(card: Scorecard) -> list[str]:
    """The measures of a card, and the methods of their intervals."""
    of_classes = [*card.classes[0].measures, *card.classes[0].areas] if card.classes else []
    estimates = [card.advantage, *card.measures.values(), *card.areas.values()]
    estimates += [row.advantage for row in card.losses]
    methods = (each.method for each in estimates if each.method)
    return ["prediction_advantage", *card.measures, *chosen_by(card), *of_classes, *methods]


def _label(name: str) -> str:
    """What a measure is called; anything else as it is."""
    return label_of(name) if name.removeprefix("macro_") in GLOSSARY or name in GLOSSARY else name


def _pictures(card: Scorecard, answers: Any) -> list[tuple[str, list[str]]]:
    """The captions, and the pictures of each."""
    if isinstance(answers, Forecasts):
        return [("Predictions against true values", [_data_uri(plots.numbers_svg(answers))])]
    drawn = []
    if answers.score is not None:
        drawn.append((_CURVES, plots.curves_svg(answers)))
    if card.calibration is not None:
        # With weights or groups, no row has an interval; otherwise all have the same one.
        by = METHODS[card.calibration.reliability[0].method]
        bars = f" with {INTERVAL}s ({by})" if by else ""
        text = f"Calibration of the probabilities{bars}, and the decision curve"
        drawn.append((text, plots.calibration_svg(card.calibration, answers)))
    if card.measures and card.advantage.method:
        text = "The Prediction Advantage, and the measures whose intervals lie between -1 and 1"
        drawn.append((text, [plots.measures_svg(card)]))
    return [(text, list(map(_data_uri, pictures))) for text, pictures in drawn]


def _common_pictures(comparison: Comparison, answers: Sequence[Any]) -> list[tuple[str, list[str]]]:
    """The curves of the first models in the same pictures, if there are several on the same cases."""
    of_model = {each.model: each for each in answers}
    first = [of_model[card.model] for card in comparison.cards[:MOST_DRAWN] if card.areas]
    ranked = [each for each in first if getattr(each, "score", None) is not None]
    if comparison.pairing is None or len(ranked) < 2:
        return []
    which = "the models" if len(ranked) == len(comparison.cards) else listed(each.model for each in ranked)
    return [(f"{_CURVES} of {which}", list(map(_data_uri, plots.curves_svg(*ranked))))]


def _shown(value: object) -> object:
    """Show what no page should hold, such as marks that turn the text around; markup is ours, and stays as it is."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _data_uri(svg: str) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode("ascii")
