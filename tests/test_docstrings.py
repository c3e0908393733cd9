"""Docstrings that code makes are the same text on every Python."""

import inspect

import pytest

from nontrivial import curves, measures

# Of each kind of function that gets its docstring from code, one.
MADE = [
    measures.p4_score,
    measures.confusion_measures,
    curves.prg_auc_score,
    curves.precision_recall_gain_curve,
]


@pytest.mark.parametrize("function", MADE)
def test_made_docstrings_are_not_indented(function):
    assert function.__doc__ == inspect.cleandoc(function.__doc__)
