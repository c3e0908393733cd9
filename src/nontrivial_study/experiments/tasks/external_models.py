"""Estimators of other packages and of files in the working folder, by ``package.module:Class``."""

import importlib
import importlib.metadata
import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

from nontrivial._estimators import SCORE_METHODS
from nontrivial.files import sha256_of

_ESTIMATOR_METHODS = ("fit", "predict", "get_params", "set_params")


def _allow_imports_from_working_folder() -> None:
    """Let files of the working folder be imported; an installed package of the same name comes first."""
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())


def is_external(estimator: str) -> bool:
    """Return whether an estimator is named by a package, as in ``package.module:Class``."""
    return ":" in estimator


def import_estimator(estimator: str, kind: str = "classifier") -> Any:
    """Import the class of an estimator; ValueError unless it can be trained and, as a classifier, gives scores."""
    module, _, name = estimator.partition(":")
    _allow_imports_from_working_folder()
    try:
        imported = getattr(importlib.import_module(module), name)
    except Exception as error:  # an import runs any code of the package
        reason = " ".join(str(error).split()).rstrip(".")
        raise ValueError(f"estimator {estimator!r} cannot be imported: {reason}.") from error
    if not isinstance(imported, type) or not all(hasattr(imported, method) for method in _ESTIMATOR_METHODS):
        raise ValueError(f"estimator {estimator!r} is not a class with {', '.join(_ESTIMATOR_METHODS)}.")
    if kind == "classifier" and not any(hasattr(imported, method) for method in SCORE_METHODS):
        raise ValueError(
            f"estimator {estimator!r} gives no scores: it lacks {' and '.join(SCORE_METHODS)}; write kind: "
            "regressor if it predicts numbers."
        )
    return imported


def version_or_digest(estimator: str) -> str:
    """Return the version of an estimator's package, or a digest of its file; empty if neither is found.

    The package is not imported.
    """
    package = estimator.partition(":")[0].partition(".")[0]
    _allow_imports_from_working_folder()
    try:
        return importlib.metadata.version(package)
    except (importlib.metadata.PackageNotFoundError, ValueError):
        pass
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return ""
    return sha256_of(spec.origin) if spec and spec.origin and Path(spec.origin).is_file() else ""
