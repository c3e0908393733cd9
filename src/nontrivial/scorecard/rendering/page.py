"""A result as a page of one file; it shows the verdicts, the counts and three figures, and folds the rest."""

import base64
import re
from collections.abc import Callable, Sequence
from functools import partial
from importlib import resources
from typing import Any

import numpy as np
from markupsafe import Markup, escape
from sklearn.metrics import RocCurveDisplay

from nontrivial.displays import (
    CostCurveDisplay,
    HyperbolicPrecisionRecallDisplay,
    NetBenefitDisplay,
    PrecisionRecallGainDisplay,
)
from nontrivial.pages import load_style, load_templates, security_policy
from nontrivial.scorecard.answers.answers import Forecasts
from nontrivial.scorecard.answers.pairing import drop_uncounted
from nontrivial.scorecard.card import Scorecard, origin
from nontrivial.scorecard.compare import Comparison, Subgroups, cards_of
from nontrivial.scorecard.rendering import plots, sections, verdict_lines
from nontrivial.scorecard.rendering.details import detail_sections, glossary_terms
from nontrivial.scorecard.rendering.glossary import label_of, meaning_of
from nontrivial.scorecard.rendering.text import NUMERIC_CELL
from nontrivial.terminal import printable

PlannedFigure = tuple[str, Callable[[], str]]  # the caption, and the function that draws it as SVG
DrawnFigure = tuple[str, str]  # the caption, and the figure as an address
N_UNFOLDED_FIGURES = 3
MAX_MODELS_IN_FIGURE = 6
MAX_SUBGROUPS_WITH_FIGURES = 6
FOREST_CAPTION = "Forest plot of the subgroups; the line marks what is trivial"
CURVE_DISPLAYS = {
    "Precision-Recall-Gain curve": PrecisionRecallGainDisplay,
    "ROC curve": RocCurveDisplay,
    "Cost curve": CostCurveDisplay,
    "Precision-recall curve": HyperbolicPrecisionRecallDisplay,
}


def render_page(result: Any, answers: Sequence[Any], *, head: bool = False, words: Callable[[str], str] = str) -> str:
    """Render a result as HTML that needs no other file, or only its head: the verdicts and the counts.

    Everything that comes from the data is escaped. The answers belong to the models, in the order of the cards of
    all cases; `words` is as in `Scored`.
    """
    cards = cards_of(result)
    whole = result.whole if isinstance(result, Subgroups) else result
    planned, n_unfolded = [] if head else _plan_figures(whole, answers), N_UNFOLDED_FIGURES
    if isinstance(result, Subgroups) and not head:
        planned.insert(0, (FOREST_CAPTION, partial(plots.forest_svg, result)))
        n_unfolded += 1
    tables: list[sections.Section | None] = []
    if isinstance(result, Scorecard):
        tables = [sections.count_section(result), sections.use_section(result)]
    elif isinstance(result, Comparison):
        tables = [verdict_lines.lead_section(result)]
    terms = ["prediction_advantage"]
    for scored in cards:
        terms += [*scored.measures, *scored.areas, *scored.losses]
        terms += [*scored.classes[0].measures, *scored.classes[0].areas] if scored.classes else []
    terms += glossary_terms(result)

    def escape_controls(value: object) -> object:
        """Escape characters that no page should hold, such as marks that turn the text around; trust our markup."""
        is_text = isinstance(value, str) and not isinstance(value, Markup)
        return printable(words(str(value))) if is_text else value

    environment = load_templates("nontrivial.scorecard.rendering", finalize=escape_controls)
    environment.filters["label"] = label_of
    # A browser would break options of the command after their hyphens.
    environment.filters["options"] = lambda text: Markup(
        re.sub("--[a-z]+", r'<span class="option">\g<0></span>', str(escape(escape_controls(text))))
    )
    environment.tests["numeric"] = NUMERIC_CELL.fullmatch
    card_style = resources.files("nontrivial.scorecard.rendering").joinpath("card.css")
    page_style = load_style() + Markup(card_style.read_text(encoding="utf-8"))
    page = environment.get_template("page.html").render(
        style=page_style,
        policy=security_policy(page_style),
        head=head,
        heading=sections.heading(result),
        answers={word: verdict for verdict, word in verdict_lines.ANSWER_WORDS.items()},
        verdicts=verdict_lines.verdict_sections(result),
        sentences=verdict_lines.verdict_sentences(result),
        tables=[table for table in tables if table],
        notes=sections.shared_notes(result),
        assumed=sections.assumption_line(cards[0]),
        figures=_draw_figures(planned[:n_unfolded]),
        more=_draw_figures(planned[n_unfolded:]),
        details=detail_sections(result),
        of_cards={} if head or isinstance(result, Scorecard) else _figures_by_section(result, answers),
        glossary={name: meaning_of(name) for name in dict.fromkeys(terms)},
        files=list({(card.file, card.sha256): card for card in cards}.values()),
        origin=origin(),
    )
    return page.strip("\n") + "\n"


def _plan_figures(result: Any, answers: Sequence[Any]) -> list[PlannedFigure]:
    """Plan the figures of a model, or of several models at once, the most important first."""
    is_alone = isinstance(result, Scorecard)
    if is_alone and isinstance(answers[0], Forecasts):
        return [("Predictions against true values", partial(plots.forecasts_svg, answers[0]))]
    with_scores = [model for model in answers if getattr(model, "score", None) is not None]
    drawn = with_scores[:MAX_MODELS_IN_FIGURE]
    if not is_alone and (result.pairing is None or len(drawn) < 2):
        return []
    planned: list[PlannedFigure] = []
    if drawn and drawn[0].folds is None:
        planned = [(caption, partial(plots.curves_svg, display, drawn)) for caption, display in CURVE_DISPLAYS.items()]
    calibrations = {card.model: card.calibration for card in cards_of(result) if card.calibration is not None}
    with_chances = [model for model in drawn if model.model in calibrations]
    if with_chances:
        calibrations = {model.model: calibrations[model.model] for model in with_chances}
        # One model of several may have far greater probabilities than all shares.
        shares = [row["share"] for calibration in calibrations.values() for row in calibration.reliability]
        end = max(*shares, min(np.quantile(model.score, 0.99) for model in with_chances))
        benefit = partial(plots.curves_svg, NetBenefitDisplay, with_chances, end)
        planned.insert(0, ("Calibration", partial(plots.reliability_svg, calibrations, end)))
        planned.insert(2, ("Net benefit by threshold", benefit))
    return planned


def _draw_figures(planned: Sequence[PlannedFigure]) -> list[DrawnFigure]:
    return [
        (caption, f"data:image/svg+xml;base64,{base64.b64encode(draw().encode()).decode('ascii')}")
        for caption, draw in planned
    ]


def _figures_by_section(result: Any, answers: Sequence[Any]) -> dict[str, list[DrawnFigure]]:
    """Draw the figures of each model, or of the first subgroups, by the `id` of the section of their card."""
    answers_of_cards = [[model] for model in answers]
    if isinstance(result, Subgroups):
        for name in result.parts:
            for model in answers:
                is_inside = model.parts == model.part_names.index(name)
                answers_of_cards.append([drop_uncounted(model.select_cases(is_inside, parts=None))])
    figures = {}
    for number, (card, drawn) in enumerate(zip(cards_of(result), answers_of_cards, strict=True), 1):
        is_of_first = number <= MAX_SUBGROUPS_WITH_FIGURES + 1
        # The figures of all cases of one model are at the top of the page.
        if isinstance(result, Comparison) or (is_of_first and card is not result.whole):
            figures[f"card-{number}"] = _draw_figures(_plan_figures(card, drawn)[:N_UNFOLDED_FIGURES])
    return figures
