"""Lines of least squares, against NumPy's."""

import itertools

import numpy as np
import pytest

from nontrivial.audit.families.regression import TESTS, search_lines
from nontrivial.audit.samples import Samples
from nontrivial.audit.stated import Order, Statement

SPREAD = (Order.parse("spread_of_x > 0"), Order.parse("spread_of_y > 0"))


def test_numbers_of_a_line():
    domain = Samples(3, 2)
    for case in itertools.product(range(3), repeat=6):
        x, y = np.array(case[:3], dtype=float), np.array(case[3:], dtype=float)
        cases = domain.cases(case)
        assert (cases.value("spread_of_x").fraction() > 0) == (x.std() > 0)
        if x.std() > 0 and y.std() > 0:
            line = np.polyval(np.polyfit(x, y, 1), x)
            advantage = 1 - ((y - line) ** 2).mean() / y.var()
            assert float(cases.value("prediction_advantage").fraction()) == pytest.approx(
                advantage, abs=1e-12
            )
            squared = np.corrcoef(x, y)[0, 1] ** 2
            assert float(cases.value("squared_correlation").fraction()) == pytest.approx(squared, abs=1e-12)


def test_known_statements():
    arguments = {"points": 3, "largest": 2, "where": SPREAD}
    true = search_lines(stated=Statement.parse("prediction_advantage = squared_correlation"), **arguments)
    assert (true.hits, true.undefined, true.checked) == (0, 0, 24 * 24)
    wrong = Statement.parse("prediction_advantage < squared_correlation")
    false = search_lines(stated=wrong, **arguments)
    assert false.hits == false.checked
    assert TESTS["least_squares_lines"].is_hit(false.smallest, stated=wrong, **arguments)
    assert not TESTS["least_squares_lines"].is_hit(
        (0, 0, 0, 0, 1, 2), stated=wrong, **arguments
    )  # no spread of x


def test_an_unknown_name_is_named():
    with pytest.raises(
        ValueError, match="'slope' is unknown for a line of least squares; known: prediction_advantage"
    ):
        Samples(3, 2).check_names(["slope"])
