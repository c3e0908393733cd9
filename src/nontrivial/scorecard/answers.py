"""What models predicted for the cases of files: classes or numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from numpy.typing import NDArray

from nontrivial._arrays import Floats, Ints, Mask

Places = NDArray[Any]  # booleans, or the places of labels


@dataclass(frozen=True, eq=False)
class Answers:
    """What one model predicted for the cases of a file.

    Attributes
    ----------
    name : str
        The file's name, without its folder.
    model : str
        The name of the model; empty if it is the only one of its file.
    sha256 : str
        The digest of the file.
    columns : dict of str to str
        The columns that were read, by what they hold.
    truth, prediction : ndarray of shape (n,)
    weights : ndarray of shape (n,) or None
        Greater than 0; None if all cases count the same.
    groups : int array of shape (n,) or None
        The group of each case; None if the cases were drawn one by one.
    cases : int array of shape (n,) or None
        Digests of the case numbers that the file holds; None if it holds none.
    lacks : bool array of shape (n,) or None
        The cases with a missing value, in which the other fields hold those of another case; None if there are none.
    doubtful : bool
        Whether the name of the column of predictions may mean something else.
    rivals : tuple of str
        Columns that may hold the true labels instead.
    notes : tuple of str
        What to know about how the file was read.
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
    lacks: Mask | None = None
    doubtful: bool = False
    rivals: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def only(self, chosen: Mask | Ints, **changes: Any) -> Any:
        """Return the answers for some of the cases, or for all of them in another order."""
        per_case = ("truth", "prediction", "weights", "groups", "cases", "lacks", "score", "probabilities")
        values = {name: getattr(self, name, None) for name in per_case}
        parts = {name: value[chosen] for name, value in values.items() if value is not None}
        return replace(self, **(parts | changes))


@dataclass(frozen=True, eq=False)
class Predictions(Answers):
    """Predicted classes. With a positive label, True is positive; otherwise classes are numbered as in `labels`.

    Attributes
    ----------
    score : ndarray of shape (n,) or None
        The greater, the more positive.
    probabilities : ndarray of shape (n, k) or None
        For more than two classes, the probabilities of the first k labels.
    positive : str or None
        The positive label; None for more than two classes without one.
    assumed : bool
        Whether the positive label was assumed, because none was named.
    labels : tuple of str
        The labels as they are printed: first the true labels in their order, by which `truth` numbers them, and then
        labels that are only predicted.
    n_classes : int
        How many of these are true labels.
    may_be_numbers : bool
        Whether all true labels are numbers, predictions of them are given, and no one said that they are classes.
    unused : str
        A named column of scores that is not used, because no class is positive; empty if there is none.
    rule : str
        How predictions were made from scores; empty if they were not.
    merged, alike : tuple of tuples of str
        Labels that count as one because they are the same number; and labels that count as different although they
        differ only by case or blanks.
    """

    score: Floats | None = None
    probabilities: Floats | None = None
    positive: str | None = None
    assumed: bool = False
    labels: tuple[str, ...] = ()
    n_classes: int = 0
    may_be_numbers: bool = False
    unused: str = ""
    rule: str = ""
    merged: tuple[tuple[str, ...], ...] = ()
    alike: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, eq=False)
class Forecasts(Answers):
    """Predicted numbers.

    Attributes
    ----------
    quantile : float or None
        The quantile that they forecast, if one was given.
    """

    quantile: float | None = None
