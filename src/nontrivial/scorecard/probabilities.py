"""Columns of probabilities, one for each class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from nontrivial._arrays import Floats
from nontrivial.scorecard.cells import Numbers
from nontrivial.scorecard.columns import Model
from nontrivial.scorecard.labels import Classes
from nontrivial.terminal import listed


@dataclass(frozen=True)
class Probabilities:
    """Columns of the classes in their order, and then of others that no case is of."""

    columns: list[str]
    of_cases: Floats
    others: list[str]


def find_probabilities(
    named: Mapping[str, str], numbers: Mapping[str, Numbers], classes: Classes, model: Model, file: str
) -> Probabilities | None:
    """Return a column for each class, if there are such columns.

    Parameters
    ----------
    named : mapping of str to str
        Columns by the labels that they name.
    numbers : mapping of str to Numbers
        What the columns hold.
    classes : Classes
    model : Model
        The columns that the model has besides.
    file : str
        The beginning of an error.
    """
    two = len(classes.names) == 2
    if not named or (two and model.score is not None):
        return None
    found = {classes.find(text): column for text, column in named.items()}
    others = [text for text in named if classes.find(text) is None]
    if not set(range(len(classes.names))) <= found.keys() or (two and others):
        if model.score or model.prediction:
            return None
        raise ValueError(
            f"{file} {listed(named.values())}, and the classes {listed(classes.names)}; one column of probabilities "
            "for each class is needed, or columns of models that are named with --score or --prediction."
        )
    columns = [found[place] for place in range(len(classes.names))] + [named[text] for text in others]
    return Probabilities(columns, np.column_stack([numbers[column].cases for column in columns]), others)
