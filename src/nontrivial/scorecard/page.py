"""A scorecard as a page of one file."""

from __future__ import annotations

import base64
from importlib import resources

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape

from nontrivial.report.assets import asset, policy
from nontrivial.scorecard import plots
from nontrivial.scorecard.card import Scorecard
from nontrivial.scorecard.predictions import Predictions
from nontrivial.scorecard.text import METHODS, NAMES, headline, number, p_text, span
from nontrivial.terminal import visible

# A name may go over several lines where its table would otherwise be wider than the screen.
_STYLE = "th { white-space: normal; }\n"


def render_page(card: Scorecard, predictions: Predictions) -> str:
    """Render a scorecard as HTML that needs no other file; everything that came from the data is escaped."""
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_shown
    )
    environment.filters |= {"number": number, "breakable": _breakable}
    pictures = []
    if predictions.score is not None:
        text = "Precision-Recall-Gain, precision-recall, ROC and cost curve"
        if card.positive != "1":
            text += f"; the positive label, {card.positive}, is called 1"
        pictures.append((text, _data_uri(plots.curves_svg(predictions.truth, predictions.score))))
    if card.measures:
        text = "The measures on a scale that ends at 1, with their intervals"
        pictures.append((text, _data_uri(plots.measures_svg(card))))
    template = resources.files(__package__).joinpath("page.html").read_text(encoding="utf-8")
    style = asset("page.css") + _STYLE
    page = environment.from_string(template).render(
        style=style,
        policy=policy(style),
        card=card,
        sentences=headline(card),
        groups=[(title, rows) for title, rows in (("Measure", card.measures), ("Area", card.areas)) if rows],
        pictures=pictures,
        names=NAMES,
        methods=METHODS,
        p_text=p_text,
        span=span,
    )
    return page.rstrip("\n") + "\n"


def _shown(value: object) -> object:
    """Show what no page should hold, such as marks that turn the text around; markup is ours, and stays as it is."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _breakable(name: str) -> Markup:
    return escape(name).replace("_", Markup("_<wbr>"))


def _data_uri(svg: str) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode("ascii")
