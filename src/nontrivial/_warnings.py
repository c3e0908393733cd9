"""Warnings that point to the user's line, however deep in the package they arise."""

from __future__ import annotations

import inspect
import os
import warnings

_PACKAGE = os.path.join(os.path.dirname(__file__), "")  # ends in a slash: others may begin like it


def warn_user(message: str, category: type[Warning]) -> None:
    """Warn at the innermost line outside the package."""
    frame, stacklevel = inspect.currentframe(), 1
    while frame is not None and frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, stacklevel = frame.f_back, stacklevel + 1
    warnings.warn(message, category, stacklevel=stacklevel)


def warn_undefined(message: str) -> None:
    """Warn as scikit-learn does where a score is undefined."""
    from sklearn.exceptions import UndefinedMetricWarning  # all of scikit-learn comes with it: half a second

    warn_user(message, UndefinedMetricWarning)


def warn_column(name: str, shape: tuple[int, ...]) -> None:
    """Warn as scikit-learn does where a column is passed for a vector."""
    from sklearn.exceptions import DataConversionWarning  # as above

    warn_user(f"{name} is a column of shape {shape}; pass it as {name}.ravel().", DataConversionWarning)
