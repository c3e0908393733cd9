"""A file's form is known by its first bytes."""

import pytest
from scorecard.reading.forms import FORMS, assert_same

from nontrivial.scorecard.predictions import read_predictions


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_known_by_its_first_bytes_whatever_its_name(tmp_path, form):
    path = tmp_path / "cases.dat"
    path.write_bytes(FORMS[form])
    assert_same(read_predictions(path, positive="ill"))
