"""What models said of the cases of files: the classes of cases, or numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from numpy.typing import NDArray

from nontrivial._arrays import Floats, Ints, Mask

Places = NDArray[Any]  # booleans, or the places of labels


@dataclass(frozen=True, eq=False)
class Answers:
    """What one model said of the cases of a file.

    Attributes
    ----------
    name : str
        The file's name, without its folder.
    model : str
        What to call the model beside others of the same file; empty if there is no other.
    sha256 : str
        The digest of the file.
    columns : dict of str to str
        The columns that were read, by what they hold.
    truth, prediction : ndarray of shape (n,)
    weights : ndarray of shape (n,) or None
        Greater than 0; None if all cases count the same.
    groups : int array of shape (n,) or None
        What the cases were drawn by; None if one by one.
    cases : int array of shape (n,) or None
        Digests of the numbers of the cases in the file, where it has them.
    unread : str
        The column that is not read, though its name is a usual one, as another was named; empty if there is none.
    notes : tuple of str
        What to know of how the file was read.
    """

    name: str
    columns: dict[str, str]
    truth: Places
    prediction: Places
    model: str = ""
    sha256: str = ""
    weights: Floats | None = None
    groups: Ints | None = None
    cases: Ints | None = None
    unread: str = ""
    notes: tuple[str, ...] = ()

    def only(self, chosen: Mask | Ints, **changes: Any) -> Any:
        """Return the same of some of the cases, or in another order."""
        per_case = ("truth", "prediction", "weights", "groups", "cases", "score", "probabilities")
        values = {name: getattr(self, name, None) for name in per_case}
        parts = {name: value[chosen] for name, value in values.items() if value is not None}
        return replace(self, **parts, **changes)


@dataclass(frozen=True, eq=False)
class Predictions(Answers):
    """Classes: for two of them, or one against the rest, True is positive; else the places of the labels in `labels`.

    Attributes
    ----------
    score : ndarray of shape (n,) or None
        The greater, the more positive.
    probabilities : ndarray of shape (n, k) or None
        For more than two classes, those of the first k labels.
    positive : str or None
        The positive label; None for more than two classes without one.
    assumed : bool
        Whether nobody said that it is.
    labels : tuple of str
        The labels as they are printed: the true ones in their order, which are numbered as in `truth`, and then those
        that are only predicted.
    n_classes : int
        How many of these are true labels.
    may_be_numbers : bool
        Whether all labels are numbers, and nobody said that they are classes.
    rule : str
        How predictions were made of scores, where they were; otherwise empty.
    merged, alike : tuple of tuples of str
        Labels that count as one, as they are the same number; and such that do not, though they differ only by blanks.
    """

    score: Floats | None = None
    probabilities: Floats | None = None
    positive: str | None = None
    assumed: bool = False
    labels: tuple[str, ...] = ()
    n_classes: int = 0
    may_be_numbers: bool = False
    rule: str = ""
    merged: tuple[tuple[str, ...], ...] = ()
    alike: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, eq=False)
class Forecasts(Answers):
    """Numbers.

    Attributes
    ----------
    quantile : float or None
        The quantile that they forecast, if that was said.
    """

    quantile: float | None = None
