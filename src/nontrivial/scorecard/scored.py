"""The one way from files, or tables in memory, to scorecards: for the command and for Python."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd

from nontrivial.extras import naming_extras
from nontrivial.scorecard.card import Scorecard, make_scorecard
from nontrivial.scorecard.comparison import Comparison, compare
from nontrivial.scorecard.comparison_text import render_comparison
from nontrivial.scorecard.predictions import options_of, read_answers
from nontrivial.scorecard.text import render_text
from nontrivial.terminal import progress_of


@dataclass(frozen=True, eq=False)
class Scored:
    """What `score_predictions` found: as text, as plain data or as a page; a notebook shows the page.

    Attributes
    ----------
    result : Scorecard or Comparison
        Of one model, or of several.
    answers : tuple
        What the models said of the cases, in the order of the cards.
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


def score_predictions(data: Any, **options: Any) -> Scored:
    """Score predictions: every measure with its interval, and whether they are better than trivial.

    Parameters
    ----------
    data : path, list of paths, pandas.DataFrame or mapping of str to array-like of shape (n,)
        What ``nontrivial score`` takes, or columns in memory, one row per case.
    truth : str, optional
        The column of the true labels; by default one with a usual name, such as "truth" or "y".
    score, prediction : str or list of str, optional
        The columns of scores and of predictions of one model, or of several; by default those with a usual name.
    by : str or list of str, optional
        Score the rows of each value of these columns apart.
    weight, group : str, optional
        The column of weights, and that of what the cases were drawn by.
    positive : str, optional
        The positive label; of two, the greater is assumed, and a note says so.
    threshold : float, optional
        Predict positive from this score on.
    task : {"classification", "regression"}, optional
        Whether classes are predicted, or numbers.
    quantile : float in (0, 1), optional
        The quantile that predicted numbers forecast.
    separator, decimal, encoding : str, optional
        Of text files.

    Returns
    -------
    Scored
        Its ``result`` has the numbers; ``str()`` gives text, ``to_json()`` plain data and ``to_html()`` a page, which a
        notebook shows. An estimate that is 0/0 is NaN, with the reason in ``result.undefined``.

    Raises
    ------
    ValueError
        If a file cannot be read, a column is not there or holds what it cannot, or a value is missing.
    ModuleNotFoundError
        Without the extra ``cards``.

    See Also
    --------
    nontrivial.measures : Every measure by itself, of arrays.

    Examples
    --------
    >>> import nontrivial
    >>> found = nontrivial.score_predictions({"truth": [0, 1] * 20, "prediction": [0, 1] * 18 + [1, 0] * 2})
    >>> found.result.advantage.value, found.result.judgement.verdict
    (0.8, 'better')
    """
    with naming_extras():
        if isinstance(data, (str, os.PathLike)):
            return score_files([data], **options)
        if isinstance(data, (pd.DataFrame, Mapping)):
            return score_files([pd.DataFrame(data)], **options)
        return score_files(list(data), **options)


def score_files(
    files: Sequence[str | Path | pd.DataFrame], *, progress: bool = False, **options: Any
) -> Scored:
    """Score files, as `score_predictions` does; `progress` may draw a bar on a terminal."""
    chosen = options_of(**options)
    bar = progress_of if progress else _silent
    answers = read_answers(files, chosen, bar)
    if len(answers) == 1:
        return Scored(make_scorecard(answers[0]), (answers[0],))
    found = compare(answers, chosen.by, bar)
    of_model = {each.model: each for each in answers}
    return Scored(found, tuple(of_model[card.model] for card in found.cards))


def _silent(items: Any, **_: Any) -> Any:
    return items
