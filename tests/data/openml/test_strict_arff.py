"""The names of liac-arff that are changed are those that it uses."""

import pytest

from nontrivial.data.openml import strict_arff
from nontrivial.data.openml.strict_arff import arff

TEXT = "@relation r\n@attribute a {kind}\n@data\n{cell}\n"


def test_liac_arff_uses_what_is_changed():
    assert "_RE_TYPE_NOMINAL" in arff.ArffDecoder._decode_attribute.__code__.co_names
    assert {"float", "decode_rows"} <= set(arff.ArffDecoder._decode.__code__.co_names)
    for data in (arff._get_data_object_for_decoding(kind) for kind in (arff.DENSE, arff.DENSE_GEN)):
        assert isinstance(data, arff.DenseGeneratorData)


def test_sparse_rows_are_filled_up_within_a_bound(monkeypatch):
    text = "@relation r\n@attribute a numeric\n@attribute b {no,yes}\n@data\n{1 yes}\n2,yes\n  { }\n"
    monkeypatch.setattr(strict_arff, "MOST_FILLED", 4)
    assert arff.loads(text)["data"] == [[0, "yes"], [2, "yes"], [0, "no"]]
    monkeypatch.setattr(strict_arff, "MOST_FILLED", 3)
    with pytest.raises(ValueError, match="more than 3 cells"):
        arff.loads(text)


@pytest.mark.parametrize("kind", ["numeric", "real", "integer"])
@pytest.mark.parametrize("cell", ["1_0", "\N{FULLWIDTH DIGIT ONE}"])
def test_numbers_are_ascii_without_underscores(kind, cell):
    text = TEXT.replace("{kind}", kind)
    assert arff.loads(text.replace("{cell}", "10"))["data"] == [[10]]
    with pytest.raises(arff.BadNumericalValue):
        arff.loads(text.replace("{cell}", cell))


def test_labels_may_look_like_numbers():
    text = TEXT.replace("{kind}", "{1_0, 'a b'}").replace("{cell}", "1_0\n'a b'")
    assert arff.loads(text)["data"] == [["1_0"], ["a b"]]
