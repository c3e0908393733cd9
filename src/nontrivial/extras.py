"""Modules that an installation without extras lacks, and the extras that install them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

EXTRAS = {
    "matplotlib": "plot",
    "jinja2": "cards",
    "pyarrow": "cards",
    "python_calamine": "cards",
    "tqdm": "cards",
    "jsonschema": "claims",
    "yaml": "claims",
    "z3": "claims",
    "mlscorecheck": "published",
}


@contextlib.contextmanager
def naming_extras() -> Iterator[None]:
    """Make an import that fails because an extra is missing name that extra.

    Raises
    ------
    ModuleNotFoundError
        With one sentence, if the module belongs to an extra; other errors pass unchanged.

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
