"""What an installation without extras lacks, and which extra brings it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

EXTRAS = {
    "matplotlib": "plot",
    "jinja2": "cards",
    "pyarrow": "cards",
    "arff": "cards",
    "python_calamine": "cards",
    "tqdm": "cards",
    "jsonschema": "claims",
    "yaml": "claims",
    "z3": "claims",
    "mlscorecheck": "published",
}


@contextlib.contextmanager
def naming_extras() -> Iterator[None]:
    """Let an import that fails for want of an extra say which.

    Raises
    ------
    ModuleNotFoundError
        With one sentence, where the module is of an extra; any other comes through as it is.

    Examples
    --------
    >>> with naming_extras():
    ...     raise ModuleNotFoundError(name="pyarrow.csv")
    Traceback (most recent call last):
    ModuleNotFoundError: pyarrow is not installed; install it with: pip install 'nontrivial[cards]'
    """
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if module not in EXTRAS:
            raise
        sentence = f"{module} is not installed; install it with: pip install 'nontrivial[{EXTRAS[module]}]'"
        raise ModuleNotFoundError(sentence, name=error.name) from None
