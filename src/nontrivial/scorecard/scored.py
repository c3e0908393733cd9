"""The result of scoring files or tables in memory, and its forms: text, plain data, page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd

from nontrivial.reading.options import options_of
from nontrivial.scorecard.answers.reading import read_answers
from nontrivial.scorecard.card import Scorecard
from nontrivial.scorecard.compare import Comparison, Subgroups, cards_of, named_cards, score_models
from nontrivial.scorecard.estimates.judging import BETTER, INCONCLUSIVE, first_common_question
from nontrivial.scorecard.rendering.text import render_text
from nontrivial.terminal import announce_long_work


@dataclass(frozen=True, eq=False)
class Scored:
    """The result of `score_predictions`, to be written as text, as plain data or as a page.

    A notebook shows the head of the page.

    Attributes
    ----------
    result : Scorecard, Comparison or Subgroups
        The result for one model; for several, with their `cards`, `differences` and `leads`; or for all cases and each
        subgroup.
    answers : tuple
        What each model predicted, in the order of the cards.
    words : callable
        Replaces the names of the command's options in a text by the names that the caller knows.
    """

    result: Scorecard | Comparison | Subgroups
    answers: tuple[Any, ...]
    words: Callable[[str], str] = str

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return self.to_text().rstrip()

    def to_text(self, *, every: bool = False, explain: bool = False) -> str:
        """Return what ``nontrivial score`` prints, optionally with every measure, and every test and assumption."""
        return render_text(self.result, every=every, explain=explain, words=self.words)

    @property
    def verdicts(self) -> dict[str, Any]:
        """The verdicts on one model by question; or on several models or subgroups, by name."""
        return self.result.verdicts

    def failing(self, require: str, question: str | None = None) -> list[str]:
        """Name the models and subgroups that are not "better", or not "not-worse", by a question or the first one."""
        question = question or first_common_question(cards_of(self.result))
        good = {"better": (BETTER,), "not-worse": (BETTER, INCONCLUSIVE)}[require]
        failing = []
        for named in named_cards(self.result):
            verdict = named.card.verdicts[question]
            name = named.name or named.card.file
            if verdict.reason:  # without an interval nothing shows that a model is not worse
                failing.append(f"{name}: no interval for {question}, as {verdict.reason}")
            elif verdict.verdict not in good:
                failing.append(f"{name}: {verdict.verdict} by {question}")
        left_out = self.result.left_out if isinstance(self.result, Subgroups) else {}
        return failing + [f"{name}: not scored" for name in left_out]

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each subgroup, model and estimate: the verdicts, measures, areas and losses."""
        rows = []
        for subgroup, card, _ in named_cards(self.result):
            advantages = {loss: row.prediction_advantage for loss, row in card.losses.items()}
            kinds: list[tuple[str, dict[str, Any]]] = [("verdict", card.verdicts), ("measure", card.measures)]
            kinds += [("area", card.areas), ("loss", advantages)]
            for kind, estimates in kinds:
                for name, estimate in estimates.items():
                    row = {"subgroup": subgroup, "model": card.model, "kind": kind, "name": name}
                    row |= {end: getattr(estimate, end) for end in ("value", "low", "high", "method")}
                    row |= {"verdict": getattr(estimate, "verdict", "")}
                    row |= {"loss": name if kind == "loss" else getattr(estimate, "loss", None) or ""}
                    rows.append(row | {"cases": card.cases, "positives": card.positives})
        frame = pd.DataFrame(rows)
        frame["positives"] = frame["positives"].astype("Int64")
        return frame if isinstance(self.result, Subgroups) else frame.drop(columns="subgroup")

    def to_json(self) -> dict[str, Any]:
        """Return plain data, as `nontrivial/scorecard/score.schema.json` describes."""
        return self.result.to_json()

    def to_html(self) -> str:
        """Return the page as HTML that needs no other file."""
        return self._render_page(head=False)

    def _repr_html_(self) -> str:
        """Return the head of the page, with the verdicts and the table."""
        style = "width: 100%; height: 30rem; border: 0"
        return f'<iframe title="Scorecard" style="{style}" srcdoc="{escape(self._render_page(head=True))}"></iframe>'

    def _render_page(self, *, head: bool) -> str:
        from nontrivial.scorecard.rendering.page import render_page  # slow, as it draws

        return render_page(self.result, self.answers, head=head, words=self.words)


def score_files(
    files: Sequence[str | Path | pd.DataFrame], *, progress: bool = False, question: str | None = None, **options: Any
) -> Scored:
    """Score files, as `score_predictions` does; with `progress`, a terminal shows which step is running."""
    chosen = options_of(**options)
    aligned = read_answers(files, chosen, progress=progress)
    answers = aligned.members
    models = "the model" if len(answers) == 1 else f"{len(answers)} models"
    with announce_long_work(f"Scoring {models}", shown=progress):
        result = score_models(aligned, chosen.by, question)
    answers_by_model = {model.model: model for model in answers}
    whole = result.whole if isinstance(result, Subgroups) else result
    return Scored(result, tuple(answers_by_model[card.model] for card in cards_of(whole)))
