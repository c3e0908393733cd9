"""The answers of one model to the cases of a file: predicted classes, or predicted numbers."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nontrivial._arrays import Floats, Ints, Mask
from nontrivial._draws import Units
from nontrivial.reading.scores import are_probabilities, not_adding_to_1

TruthArray = NDArray[Any]  # booleans, indices of classes, or numbers
SEEM_LABELS = "they seem to be labels"


@dataclass(frozen=True, eq=False)
class Answers:
    """What one model predicted for the n cases of a file; arrays have the shape (n,).

    `name` is the name of the file without its folder, and `columns` are the columns that were read, by what they hold.
    `prediction` is None if the model has scores without a threshold. `model` is empty if its file has no other model.
    `notes` are sentences for the reader of the numbers.

    `keys` are the columns that may number the cases, and `case` is the one that the user or a layout names. Cases with
    a missing value, `is_incomplete`, hold the values of another case. `parts` has the index of each case's subgroup in
    `part_names`. If each fold has a model of its own, `folds` has the fold of each case.
    """

    name: str
    columns: dict[str, str]
    truth: TruthArray
    prediction: Any
    model: str = ""
    sha256: str = ""
    weights: Floats | None = None
    groups: Ints | None = None
    keys: Mapping[str, Ints] = field(default_factory=dict)
    case: str | None = None
    is_incomplete: Mask | None = None
    parts: Ints | None = None
    part_names: tuple[str, ...] = ()
    folds: Ints | None = None
    notes: tuple[str, ...] = ()

    @property
    def units(self) -> Units:
        """The units that were sampled: cases or groups, with their weights."""
        return Units(len(self.truth), self.weights, self.groups)

    def select_cases(self, chosen: Mask | Ints, **changes: Any) -> Any:
        """Return the answers for some of the cases, or for all of them in another order."""
        fields = vars(self).items()
        selected: dict[str, Any] = {name: array[chosen] for name, array in fields if isinstance(array, np.ndarray)}
        selected["keys"] = {name: numbers[chosen] for name, numbers in self.keys.items()}
        return replace(self, **(selected | changes))

    def truth_under(self, loss: str) -> TruthArray:
        """Return the truth in the form that a loss takes."""
        return self.truth

    def with_notes(self, *notes: str) -> Any:
        """Return the answers with more notes."""
        return replace(self, notes=(*self.notes, *notes))


@dataclass(frozen=True, eq=False)
class Predictions(Answers):
    """Predicted classes: with a positive label, True is positive; otherwise, indices of `labels`.

    The greater the `score`, the more positive is the case. `probabilities` of several classes have the shape (n, k).
    `positive` is None if no class is positive; `assumed` says that the user named no positive class. Of the `labels`,
    the first `n_classes` are true labels in order, and the others are only predicted. `rule` says how the predictions
    were made from scores. If `is_threshold_best`, all cases together choose the `threshold`. `cost` is the number of
    false alarms that cost as much as a missed positive.
    """

    score: Floats | None = None
    probabilities: Floats | None = None
    positive: str | None = None
    assumed: bool = False
    labels: tuple[str, ...] = ()
    n_classes: int = 0
    rule: str = ""
    threshold: float | None = None
    is_threshold_best: bool = False
    cost: float | None = None

    @property
    def chances(self) -> Floats | None:
        """The probabilities of all classes or of the positive class, as losses take them, if there are any."""
        if self.probabilities is not None:
            probabilities = self.probabilities
            is_wrong = not_adding_to_1(probabilities).any()
            return None if is_wrong else probabilities / probabilities.sum(axis=1, keepdims=True)
        if self.score is None or not are_probabilities(self.score):
            return None
        return np.clip(self.score, 0, 1)

    def truth_under(self, loss: str) -> TruthArray:
        """Return indices of classes or, for the Brier score of several classes, a row of 0 and 1 for each case."""
        truth: TruthArray = self.truth.astype(np.intp)
        if loss == "squared" and self.probabilities is not None:
            truth = np.eye(self.probabilities.shape[1])[truth]
        return truth


@dataclass(frozen=True, eq=False)
class Forecasts(Answers):
    """Predicted numbers, or forecasts of a `quantile` if one was given."""

    quantile: float | None = None
