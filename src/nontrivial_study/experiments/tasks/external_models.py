"""Estimators of other packages and of files in the folder of work, by ``package.module:Class``."""

import importlib
import importlib.metadata
import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

from nontrivial._estimators import METHODS as SCORE_METHODS
from nontrivial.files import sha256_of

_METHODS = ("fit", "predict", "get_params", "set_params")


def _reach_own_files() -> None:
    """Let files of the folder of work be imported, where no installed package has their name."""
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())


def is_external(estimator: str) -> bool:
    """Tell whether an estimator is named by its place in a package."""
    return ":" in estimator


def import_estimator(estimator: str, kind: str = "classifier") -> Any:
    """Return the class of that name."""
    module, _, name = estimator.partition(":")
    _reach_own_files()
    try:
        found = getattr(importlib.import_module(module), name)
    except Exception as error:  # whatever a package does when it is imported
        reason = " ".join(str(error).split()).rstrip(".")
        raise ValueError(f"estimator {estimator!r} cannot be imported: {reason}.") from error
    if not isinstance(found, type) or not all(hasattr(found, method) for method in _METHODS):
        raise ValueError(f"estimator {estimator!r} is no class with {', '.join(_METHODS)}.")
    if kind == "classifier" and not any(hasattr(found, method) for method in SCORE_METHODS):
        raise ValueError(
            f"estimator {estimator!r} gives no scores: it lacks {' and '.join(SCORE_METHODS)}; write kind: "
            "regressor if it predicts numbers."
        )
    return found


def version_of(estimator: str) -> str:
    """Return the version of an estimator's package, or a digest of its file, without importing it; else nothing."""
    package = estimator.partition(":")[0].partition(".")[0]
    _reach_own_files()
    try:
        return importlib.metadata.version(package)
    except (importlib.metadata.PackageNotFoundError, ValueError):
        pass
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return ""
    return sha256_of(spec.origin) if spec and spec.origin and Path(spec.origin).is_file() else ""
