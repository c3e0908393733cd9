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
from nontrivial.scorecard import plots, sections
from nontrivial.scorecard.answers import Forecasts
from nontrivial.scorecard.compare import Comparison, Subgroups, cards_of
from nontrivial.scorecard.evaluate import Scorecard, header
from nontrivial.scorecard.glossary import label_of, meaning_of
from nontrivial.scorecard.pairing import drop_uncounted
from nontrivial.scorecard.sections import Section
from nontrivial.scorecard.text import NUMERIC
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

    Everything that comes from the data is escaped. The answers are those of the models, in the order of the cards of
    all cases; `words` is as in `Scored`.
    """
    whole = result.whole if isinstance(result, Subgroups) else result
    cards = cards_of(result)
    one = result if isinstance(result, Scorecard) else None
    planned, shown = [] if head else _planned(whole, answers), FIRST
    if isinstance(result, Subgroups) and not head:
        planned.insert(0, (FOREST, partial(plots.forest_svg, result)))
        shown += 1
    tables: list[Section | None] = [sections.counts(one), sections.in_use(one)] if one else []
    if isinstance(result, Comparison):
        tables = [sections.lead_section(result)]
    environment = templates("nontrivial.scorecard", finalize=lambda value: _shown(value, words))
    environment.filters["label"] = label_of
    environment.filters["options"] = lambda text: _options(_shown(text, words))
    environment.tests["numeric"] = NUMERIC.fullmatch
    look = style() + Markup(
        resources.files("nontrivial.scorecard").joinpath("card.css").read_text(encoding="utf-8")
    )
    page = environment.get_template("page.html").render(
        style=look,
        policy=policy(look),
        head=head,
        heading=sections.heading(result),
        answers={word: verdict for verdict, word in sections.ANSWERS.items()},
        verdicts=sections.verdict_sections(result),
        sentences=sections.verdict_sentences(result),
        tables=[each for each in tables if each],
        notes=sections.notes_of(result),
        assumed=sections.assumed_words(cards[0]),
        figures=_drawn(planned[:shown]),
        more=_drawn(planned[shown:]),
        details=sections.detail_sections(result),
        of_cards={} if head or one else _figures_of_cards(result, answers),
        glossary={name: meaning_of(name) for name in _names(result)},
        files=list({(card.file, card.sha256): card for card in cards}.values()),
        header=header(),
    )
    return page.strip("\n") + "\n"


def _options(text: object) -> Markup:
    """Mark options of the command, which a browser would break after their hyphens."""
    return Markup(re.sub("--[a-z]+", r'<span class="option">\g<0></span>', str(escape(text))))


def _shown(value: object, words: Callable[[str], str]) -> object:
    """Show what no page should hold, such as marks that turn the text around; markup is ours, and stays as it is."""
    return visible(words(value)) if isinstance(value, str) and not isinstance(value, Markup) else value


def _names(result: Any) -> dict[str, None]:
    """The names that the glossary explains."""
    names = ["prediction_advantage"]
    for card in cards_of(result):
        names += [*card.measures, *card.areas, *card.losses]
        names += [*card.classes[0].measures, *card.classes[0].areas] if card.classes else []
    return dict.fromkeys([*names, *sections.terms_of(result)])


# The figures.


def _planned(whole: Any, answers: Sequence[Any]) -> list[tuple[str, Any]]:
    """The captions of figures of all models at once, the most important first, and what draws them."""
    one = isinstance(whole, Scorecard)
    if one and isinstance(answers[0], Forecasts):
        return [("Predictions against true values", partial(plots.numbers_svg, answers[0]))]
    ranked = [each for each in answers if getattr(each, "score", None) is not None][:MOST_DRAWN]
    if not one and (whole.pairing is None or len(ranked) < 2):
        return []
    planned = []
    if ranked and ranked[0].folds is None:
        planned = [(name, partial(plots.curve_svg, display, ranked)) for name, display in _CURVES.items()]
    calibrations = {card.model: card.calibration for card in cards_of(whole) if card.calibration is not None}
    chances = [each for each in ranked if each.model in calibrations]
    if chances:
        drawn = {each.model: calibrations[each.model] for each in chances}
        # One model of several may have far greater probabilities than all shares.
        shares = [row["share"] for each in drawn.values() for row in each.reliability]
        end = max(*shares, min(np.quantile(each.score, 0.99) for each in chances))
        benefit = partial(plots.curve_svg, NetBenefitDisplay, chances, end)
        planned.insert(0, ("Calibration", partial(plots.reliability_svg, drawn, end)))
        planned.insert(2, ("Net benefit by threshold", benefit))
    return planned


def _drawn(planned: Sequence[tuple[str, Any]]) -> list[Figure]:
    return [
        (caption, f"data:image/svg+xml;base64,{base64.b64encode(draw().encode()).decode('ascii')}")
        for caption, draw in planned
    ]


def _figures_of_cards(result: Any, answers: Sequence[Any]) -> dict[str, list[Figure]]:
    """The figures of each model, and of the first subgroups; those of all cases of one model are above."""
    of_rows = [[each] for each in answers]
    if isinstance(result, Subgroups):
        for name in result.parts:
            for each in answers:
                chosen = each.parts == each.part_names.index(name)
                of_rows.append([drop_uncounted(each.select_cases(chosen, parts=None))])
    named = enumerate(zip(cards_of(result), of_rows, strict=True), 1)
    return {
        f"card-{place}": _drawn(_planned(card, of)[:FIRST])
        for place, (card, of) in named
        if isinstance(result, Comparison) or (place <= MOST_DRAWN + 1 and card is not result.whole)
    }
