"""Docstrings that code makes are the same text on every Python."""

import inspect

import pytest

from nontrivial import curves, measures
from nontrivial.curves.points import operating_points
from nontrivial.curves.scoring import ranking_curve, ranking_score

# Of each kind of function that gets its docstring from code, one.
MADE = [
    measures.p4_score,
    measures.confusion_measures,
    curves.prg_auc_score,
    curves.precision_recall_gain_curve,
]


@pytest.mark.parametrize("decorate", [ranking_score(), ranking_curve(operating_points, lambda: None)])
def test_it_does_not_matter_whether_python_removes_the_indentation_of_the_source(decorate):
    def number():
        """Return a number.

        Returns
        -------
        In [0, 1].
        """

    number.__doc__ = inspect.cleandoc(number.__doc__)
    removed = decorate(number).__doc__
    number.__doc__ = number.__doc__.replace("\n", "\n    ")
    assert decorate(number).__doc__ == removed
    assert "\nReturns\n" in removed
    assert "\nWarns\n" in removed


@pytest.mark.parametrize("function", MADE)
def test_made_docstrings_are_not_indented(function):
    assert function.__doc__ == inspect.cleandoc(function.__doc__)
