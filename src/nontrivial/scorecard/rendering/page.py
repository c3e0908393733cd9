"""A result as a page of one file: the verdicts, the counts and three figures first, the rest folded."""

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
from nontrivial.pages import policy, style, templates
from nontrivial.scorecard.answers.answers import Forecasts
from nontrivial.scorecard.answers.pairing import drop_uncounted
from nontrivial.scorecard.card import Scorecard, origin
from nontrivial.scorecard.compare import Comparison, Subgroups, cards_of
from nontrivial.scorecard.rendering import plots
from nontrivial.scorecard.rendering.details import detail_sections, terms_of
from nontrivial.scorecard.rendering.glossary import label_of, meaning_of
from nontrivial.scorecard.rendering.sections import (
    Section,
    assumed_words,
    counts,
    heading,
    notes_of,
    usefulness,
)
from nontrivial.scorecard.rendering.text import NUMERIC
from nontrivial.scorecard.rendering.verdict_lines import (
    ANSWERS,
    lead_section,
    verdict_sections,
    verdict_sentences,
)
from nontrivial.terminal import visible

Figure = tuple[str, str]  # its caption, and its address
FIRST = 3  # figures that are not folded
MOST_DRAWN = 6  # models in one figure, and subgroups with figures of their own
FOREST = "Forest plot of the subgroups; the line marks what is trivial"
_CURVES = {
    "Precision-Recall-Gain curve": PrecisionRecallGainDisplay,
    "ROC curve": RocCurveDisplay,
    "Cost curve": CostCurveDisplay,
    "Precision-recall curve": HyperbolicPrecisionRecallDisplay,
}


def render_page(
    result: Any, answers: Sequence[Any], *, head: bool = False, words: Callable[[str], str] = str
) -> str:
    """Render a result as HTML that needs no other file, or only its head: the verdicts and the counts.

    Everything that comes from the data is escaped. The answers belong to the models, in the order of the cards of
    all cases; `words` is as in `Scored`.
    """
    whole = result.whole if isinstance(result, Subgroups) else result
    cards = cards_of(result)
    card = result if isinstance(result, Scorecard) else None
    planned, n_shown = [] if head else _plan_figures(whole, answers), FIRST
    if isinstance(result, Subgroups) and not head:
        planned.insert(0, (FOREST, partial(plots.forest_svg, result)))
        n_shown += 1
    tables: list[Section | None] = [counts(card), usefulness(card)] if card else []
    if isinstance(result, Comparison):
        tables = [lead_section(result)]
    names = ["prediction_advantage"]
    for other in cards:
        names += [*other.measures, *other.areas, *other.losses]
        names += [*other.classes[0].measures, *other.classes[0].areas] if other.classes else []

    def shown(value: object) -> object:
        """Escape marks that no page should hold, such as those that turn the text around; markup is ours."""
        is_text = isinstance(value, str) and not isinstance(value, Markup)
        return visible(words(str(value))) if is_text else value

    environment = templates("nontrivial.scorecard.rendering", finalize=shown)
    environment.filters["label"] = label_of
    # A browser would break options of the command after their hyphens.
    environment.filters["options"] = lambda text: Markup(
        re.sub("--[a-z]+", r'<span class="option">\g<0></span>', str(escape(shown(text))))
    )
    environment.tests["numeric"] = NUMERIC.fullmatch
    look = style() + Markup(
        resources.files("nontrivial.scorecard.rendering").joinpath("card.css").read_text(encoding="utf-8")
    )
    page = environment.get_template("page.html").render(
        style=look,
        policy=policy(look),
        head=head,
        heading=heading(result),
        answers={word: verdict for verdict, word in ANSWERS.items()},
        verdicts=verdict_sections(result),
        sentences=verdict_sentences(result),
        tables=[table for table in tables if table],
        notes=notes_of(result),
        assumed=assumed_words(cards[0]),
        figures=_draw(planned[:n_shown]),
        more=_draw(planned[n_shown:]),
        details=detail_sections(result),
        of_cards={} if head or card else _figures_of_cards(result, answers),
        glossary={name: meaning_of(name) for name in dict.fromkeys([*names, *terms_of(result)])},
        files=list({(other.file, other.sha256): other for other in cards}.values()),
        origin=origin(),
    )
    return page.strip("\n") + "\n"


# The figures.


def _plan_figures(whole: Any, answers: Sequence[Any]) -> list[tuple[str, Any]]:
    """Return the captions of figures of all models at once, the most important first, and the functions that draw."""
    is_alone = isinstance(whole, Scorecard)
    if is_alone and isinstance(answers[0], Forecasts):
        return [("Predictions against true values", partial(plots.numbers_svg, answers[0]))]
    ranked = [model for model in answers if getattr(model, "score", None) is not None][:MOST_DRAWN]
    if not is_alone and (whole.pairing is None or len(ranked) < 2):
        return []
    planned = []
    if ranked and ranked[0].folds is None:
        planned = [(name, partial(plots.curve_svg, display, ranked)) for name, display in _CURVES.items()]
    calibrations = {card.model: card.calibration for card in cards_of(whole) if card.calibration is not None}
    chances = [model for model in ranked if model.model in calibrations]
    if chances:
        drawn = {model.model: calibrations[model.model] for model in chances}
        # One model of several may have far greater probabilities than all shares.
        shares = [row["share"] for calibration in drawn.values() for row in calibration.reliability]
        end = max(*shares, min(np.quantile(model.score, 0.99) for model in chances))
        benefit = partial(plots.curve_svg, NetBenefitDisplay, chances, end)
        planned.insert(0, ("Calibration", partial(plots.reliability_svg, drawn, end)))
        planned.insert(2, ("Net benefit by threshold", benefit))
    return planned


def _draw(planned: Sequence[tuple[str, Any]]) -> list[Figure]:
    return [
        (caption, f"data:image/svg+xml;base64,{base64.b64encode(draw().encode()).decode('ascii')}")
        for caption, draw in planned
    ]


def _figures_of_cards(result: Any, answers: Sequence[Any]) -> dict[str, list[Figure]]:
    """Return the figures of each model, and of the first subgroups; all cases of one model have theirs above."""
    of_cards = [[model] for model in answers]
    if isinstance(result, Subgroups):
        for name in result.parts:
            for model in answers:
                chosen = model.parts == model.part_names.index(name)
                of_cards.append([drop_uncounted(model.select_cases(chosen, parts=None))])
    return {
        f"card-{place}": _draw(_plan_figures(card, drawn)[:FIRST])
        for place, (card, drawn) in enumerate(zip(cards_of(result), of_cards, strict=True), 1)
        if isinstance(result, Comparison) or (place <= MOST_DRAWN + 1 and card is not result.whole)
    }
