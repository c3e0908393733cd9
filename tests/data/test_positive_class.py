"""The class that counts as positive."""

from nontrivial_study.data.positive_class import minority_class


def test_minority_is_the_rarest_and_of_equals_the_last():
    assert minority_class({"a": 3, "b": 2, "c": 4}) == "b"
    assert minority_class({"b": 2, "a": 2}) == "b"
