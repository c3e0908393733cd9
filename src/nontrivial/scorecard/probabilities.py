"""Columns of probabilities, one for each class."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nontrivial._arrays import Floats, Mask
from nontrivial.labels import Classes
from nontrivial.scorecard.cells import Labels, Numbers, Spare
from nontrivial.scorecard.columns import Model
from nontrivial.scorecard.reading import Table, read_pieces
from nontrivial.terminal import listed

# How much a probability of two decimals may lack, and all those of a case together.
ROUNDED, MOST_ROUNDED = 0.005, 0.05


@dataclass(frozen=True)
class Probabilities:
    """The columns of the classes in their order, and then the columns of classes that no case has."""

    columns: list[str]
    of_cases: Floats
    others: list[str]


def are_shares(said: Floats) -> bool:
    """Tell whether the scores of each class are their probabilities."""
    return not no_shares(said).any()


def no_shares(said: Floats) -> Mask:
    """Tell in which cases the scores of the classes are negative, or do not add up to 1."""
    lacking = min(ROUNDED * said.shape[1], MOST_ROUNDED) + 1e-9
    wrong: Mask = (said.min(axis=1) < 0) | (np.abs(said.sum(axis=1) - 1) > lacking)
    return wrong


def columns_named_as_classes(table: Table, truth: str, names: Sequence[str]) -> dict[str, str]:
    """Return the columns with the names of classes, by the class; none unless there are two.

    Parameters
    ----------
    table : Table
    truth : str
        The column of true labels. It is read to its end only if one of its first labels is the name of a column.
    names : sequence of str
        The other columns.
    """
    labels = _labels(table, truth)
    with read_pieces(table, [truth], plain=True) as pieces:
        for before, piece in pieces:
            labels.add(piece.column(0), before)
            classes = Classes.of(labels.texts)
            found = {name: name for name in names if classes.find(name) is not None}
            if labels.overfull or not found:
                return {}
    return found if len(found) > 1 else {}


def first_classes(table: Table, truth: str) -> Classes:
    """Return the classes of the first cases of a table."""
    labels = _labels(table, truth)
    labels.add(_first_piece(table, [truth])[truth], 0)
    return Classes.of(labels.texts)


def find_spare(table: Table, truth: str, names: Sequence[str], decimal: str) -> dict[str, Spare]:
    """Return the columns that may hold answers of a model, as far as the first cases tell."""
    classes = first_classes(table, truth)
    try:
        first = _first_piece(table, names)
    except ValueError:  # one of them cannot be read, or all of them take too much memory at once
        first = {}
        for name in names:
            with contextlib.suppress(ValueError):
                first |= _first_piece(table, [name])
    spare = {name: Spare(decimal) for name in first}
    for name, column in spare.items():
        column.add(first[name], 0)
    return {name: Spare(decimal) for name, column in spare.items() if column.may_serve(classes)}


def _first_piece(table: Table, names: Sequence[str]) -> dict[str, Any]:
    if not names:
        return {}
    with read_pieces(table, names, plain=True) as pieces:
        _, piece = next(pieces)
    return dict(zip(names, piece.columns, strict=True))


def _labels(table: Table, truth: str) -> Labels:
    return Labels(f"Column {truth!r} of {table.name}", "name a column of classes with --truth")


def find_probabilities(
    named: Mapping[str, str], numbers: Mapping[str, Numbers], classes: Classes, model: Model, file: str
) -> Probabilities | None:
    """Return a column for each class, if there are such columns.

    Parameters
    ----------
    named : mapping of str to str
        Columns by the labels that they name.
    numbers : mapping of str to Numbers
        The contents of the columns.
    classes : Classes
    model : Model
        The other columns of the model.
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
            f"{file} {listed(named.values())}, but the classes {listed(classes.names)}; give each class a column of "
            "probabilities, or name the columns of models with --score or --prediction."
        )
    columns = [found[place] for place in range(len(classes.names))] + [named[text] for text in others]
    of_cases = np.column_stack([numbers[column].cases for column in columns])
    if all(text == column for text, column in named.items()):  # then nothing else says what they hold
        only_ends = bool(((of_cases == 0) | (of_cases == 1)).all())
        if only_ends or not are_shares(of_cases):
            if model.prediction:
                return None
            lack = (
                "hold only 0 and 1, so they may be the truth"
                if only_ends
                else "are negative or do not add up to 1 in some cases"
            )
            raise ValueError(
                f"{file} {listed(columns)}, named as the classes, but they {lack}; if they hold probabilities or "
                "scores, rename them to p_ and the class."
            )
    return Probabilities(columns, of_cases, others)
