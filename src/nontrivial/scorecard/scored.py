"""The one way from files, or tables in memory, to scorecards: for the command and for Python."""

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
from nontrivial.scorecard.estimates.verdicts import BETTER, INCONCLUSIVE, first_common_question
from nontrivial.scorecard.rendering.text import render_text
from nontrivial.terminal import waiting


@dataclass(frozen=True, eq=False)
class Scored:
    """The result of `score_predictions`, as text, as plain data or as a page; a notebook shows the page's head.

    Attributes
    ----------
    result : Scorecard, Comparison or Subgroups
        Of one model; of several, with their `cards`, `differences` and `leads`; or of all cases and each subgroup.
    answers : tuple
        Of the models, in the order of the cards.
    words : callable
        Puts a text that names options of the command into the words of the caller.
    """

    result: Scorecard | Comparison | Subgroups
    answers: tuple[Any, ...]
    words: Callable[[str], str] = str

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return self.to_text().rstrip()

    def to_text(self, *, every: bool = False, explain: bool = False) -> str:
        """What ``nontrivial score`` prints; with every measure, and with every test, method and assumption."""
        return render_text(self.result, every=every, explain=explain, words=self.words)

    @property
    def verdicts(self) -> dict[str, Any]:
        """The verdicts on one model; on several, or on subgroups, a mapping of these by name."""
        return self.result.verdicts

    def failing(self, require: str, question: str | None = None) -> list[str]:
        """Name the models, and the subgroups, that are not "better", or "not-worse", by a question or the first."""
        asked = question or first_common_question(cards_of(self.result))
        good = {"better": (BETTER,), "not-worse": (BETTER, INCONCLUSIVE)}[require]
        failing = []
        for named in named_cards(self.result):
            verdict = named.card.verdicts[asked]
            name = named.name or named.card.file
            if verdict.reason:  # without an interval nothing shows that a model is not worse
                failing.append(f"{name}: no interval for {asked}, as {verdict.reason}")
            elif verdict.verdict not in good:
                failing.append(f"{name}: {verdict.verdict} by {asked}")
        left_out = self.result.left_out if isinstance(self.result, Subgroups) else {}
        return failing + [f"{name}: not scored" for name in left_out]

    def to_frame(self) -> pd.DataFrame:
        """A row for each subgroup, model and measure, with its interval; verdicts, measures, areas and losses."""
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
        """Plain data, as `nontrivial/scorecard/score.schema.json` says."""
        return self.result.to_json()

    def to_html(self) -> str:
        """A page that needs no other file."""
        return self._page(head=False)

    def _repr_html_(self) -> str:
        """The verdicts and the table of the page."""
        style = "width: 100%; height: 30rem; border: 0"
        return f'<iframe title="Scorecard" style="{style}" srcdoc="{escape(self._page(head=True))}"></iframe>'

    def _page(self, *, head: bool) -> str:
        from nontrivial.scorecard.rendering.page import render_page  # which draws

        return render_page(self.result, self.answers, head=head, words=self.words)


def score_files(
    files: Sequence[str | Path | pd.DataFrame],
    *,
    progress: bool = False,
    question: str | None = None,
    **options: Any,
) -> Scored:
    """Score files, as `score_predictions` does; with `progress`, a terminal shows what takes long."""
    chosen = options_of(**options)
    aligned = read_answers(files, chosen, progress=progress)
    answers = aligned.members
    models = "the model" if len(answers) == 1 else f"{len(answers)} models"
    with waiting(f"Scoring {models}", shown=progress):
        result = score_models(aligned, chosen.by, question)
    of_model = {model.model: model for model in answers}
    whole = result.whole if isinstance(result, Subgroups) else result
    return Scored(result, tuple(of_model[card.model] for card in cards_of(whole)))
