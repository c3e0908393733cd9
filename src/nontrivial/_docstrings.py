"""Docstrings that code makes: the same text on every Python, and none under ``python -OO``."""

import inspect
import sys
from typing import Any


def docstring_of(function: Any) -> str:
    """Return a docstring without the indentation of the source, which only Python 3.13 and later remove themselves."""
    return inspect.getdoc(function) or ""


def set_docstring(function: Any, text: str) -> None:
    """Give a function a docstring, indented in any way; none under ``python -OO``, which removes all others, too."""
    function.__doc__ = None if sys.flags.optimize > 1 else inspect.cleandoc(text)
