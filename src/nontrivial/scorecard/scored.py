"""The one way from files, or tables in memory, to scorecards: for the command and for Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd

from nontrivial.scorecard.compare import Comparison, compare
from nontrivial.scorecard.evaluate import Scorecard, make_scorecard
from nontrivial.scorecard.predictions import read_answers
from nontrivial.scorecard.roles import options_of
from nontrivial.scorecard.text import render_comparison, render_text
from nontrivial.terminal import waiting


@dataclass(frozen=True, eq=False)
class Scored:
    """The result of `score_predictions`, as text, as plain data or as a page; a notebook shows the page.

    Attributes
    ----------
    result : Scorecard or Comparison
        The scorecard of one model; or the comparison of several, with their `cards`, `differences` and `picks`.
    answers : tuple
        The answers of the models, in the order of the cards.
    """

    result: Scorecard | Comparison
    answers: tuple[Any, ...]

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self) -> str:
        """What ``nontrivial score`` prints."""
        if isinstance(self.result, Comparison):
            return render_comparison(self.result)
        return render_text(self.result)

    def to_json(self) -> dict[str, Any]:
        """Plain data, as `nontrivial/scorecard/score.schema.json` says."""
        return self.result.to_json()

    def to_html(self) -> str:
        """A page that needs no other file."""
        from nontrivial.scorecard.page import render_comparison_page, render_page

        if isinstance(self.result, Comparison):
            return render_comparison_page(self.result, self.answers)
        return render_page(self.result, self.answers[0])

    def _repr_html_(self) -> str:
        style = "width: 100%; height: 40rem; border: 0"
        return f'<iframe title="Scorecard" style="{style}" srcdoc="{escape(self.to_html())}"></iframe>'


def score_files(
    files: Sequence[str | Path | pd.DataFrame], *, progress: bool = False, **options: Any
) -> Scored:
    """Score files, as `score_predictions` does; with `progress`, a terminal shows what takes long."""
    chosen = options_of(**options)
    answers = read_answers(files, chosen, progress=progress)
    models = "the model" if len(answers) == 1 else f"{len(answers)} models"
    with waiting(f"Scoring {models}", shown=progress):
        if len(answers) == 1:
            return Scored(make_scorecard(answers[0]), (answers[0],))
        found = compare(answers, chosen.by)
    of_model = {each.model: each for each in answers}
    return Scored(found, tuple(of_model[card.model] for card in found.cards))
