"""Types of the arrays that functions take and return."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.integer]
Mask = NDArray[np.bool_]
Counts = NDArray[np.floating | np.integer]  # of cases, or sums of their weights
Scores = NDArray[np.floating | np.integer]  # in the type they came in
Labels = NDArray[Any]  # all of one kind: booleans, numbers, or Python strings
