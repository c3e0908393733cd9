"""What models predicted for the cases of files."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nontrivial._arrays import Floats, Ints, Mask
from nontrivial._draws import Units
from nontrivial.reading.scores import are_probabilities, not_adding_to_1

TruthArray = NDArray[Any]  # booleans, or the places of labels, or numbers

SEEM_LABELS = "they seem to be labels"


@dataclass(frozen=True, eq=False)
class Answers:
    """What one model predicted for the n cases of a file."""

    name: str  # of the file, without its folder
    columns: dict[str, str]  # that were read, by what they hold
    truth: TruthArray
    prediction: Any  # an array like the truth; None if scores have no threshold
    model: str = ""  # empty if it is the only one of its file
    sha256: str = ""
    weights: Floats | None = None  # above 0; None if all cases count the same
    groups: Ints | None = None  # the group of each case; None if the cases were drawn one by one
    # Columns that may number the cases, as whole numbers.
    keys: Mapping[str, Ints] = field(default_factory=dict)
    case: str | None = None  # the one of these that the user or a layout names
    is_incomplete: Mask | None = None  # cases with a missing value, which hold the values of another case
    parts: Ints | None = None  # the subgroup of each case, as its place in `part_names`
    part_names: tuple[str, ...] = ()
    folds: Ints | None = (
        None  # the fold of each case, if each fold has a model of its own: scores rank within one
    )
    notes: tuple[str, ...] = ()  # what a reader must know before the numbers are used

    @property
    def units(self) -> Units:
        """What was drawn: cases or groups, with their weights."""
        return Units(len(self.truth), self.weights, self.groups)

    def select_cases(self, chosen: Mask | Ints, **changes: Any) -> Any:
        """Return the answers for some of the cases, or for all of them in another order; every array is of cases."""
        arrays = {name: value for name, value in vars(self).items() if isinstance(value, np.ndarray)}
        selected: dict[str, Any] = {name: value[chosen] for name, value in arrays.items()}
        selected["keys"] = {name: value[chosen] for name, value in self.keys.items()}
        return replace(self, **(selected | changes))

    def noted(self, *notes: str) -> Any:
        """Return the answers with more notes."""
        return replace(self, notes=(*self.notes, *notes))


@dataclass(frozen=True, eq=False)
class Predictions(Answers):
    """Predicted classes. With a positive label, True is positive; otherwise classes are numbered as in `labels`."""

    score: Floats | None = None  # the greater, the more positive
    probabilities: Floats | None = None  # of several classes, in the order of `labels`, of shape (n, k)
    positive: str | None = None  # None for more than two classes without one
    assumed: bool = False  # no positive label was named
    labels: tuple[str, ...] = ()  # first the true labels in order, and then those that are only predicted
    n_classes: int = 0  # how many of the labels are true
    rule: str = ""  # how predictions were made from scores
    threshold: float | None = None  # the score from which on cases are predicted positive
    is_threshold_best: bool = False  # it is the one that costs least, chosen once all cases are known
    cost: float | None = None  # of a missed positive, in false alarms

    @property
    def chances(self) -> Floats | None:
        """The probabilities of the classes, or of the positive one, as losses take them; None without any."""
        if self.probabilities is not None:
            shares = self.probabilities
            return None if not_adding_to_1(shares).any() else shares / shares.sum(axis=1, keepdims=True)
        if self.score is None or not are_probabilities(self.score):
            return None
        return np.clip(self.score, 0, 1)

    def truth_under(self, loss: str) -> TruthArray:
        """The truth as a loss takes it: the place of the class; for the Brier score of several, 1 at this place."""
        truth: TruthArray = self.truth.astype(np.intp)
        if loss == "squared" and self.probabilities is not None:
            truth = np.eye(self.probabilities.shape[1])[truth]
        return truth


@dataclass(frozen=True, eq=False)
class Forecasts(Answers):
    """Predicted numbers."""

    quantile: float | None = None  # that they forecast, if one was given

    def truth_under(self, loss: str) -> TruthArray:
        """The truth as a loss takes it."""
        return self.truth
