"""Data sets that are made of one original."""

import pytest

from nontrivial_study.data.originals import expand_originals


def test_two_sets_of_one_name_are_refused():
    sets = {"sets": {"a1": {}}}
    with pytest.raises(ValueError, match="a1"):
        expand_originals({"a": sets, "b": sets})
