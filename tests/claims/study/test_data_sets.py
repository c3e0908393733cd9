"""Numbers of a data set's own files."""

from fractions import Fraction

from nontrivial.claims.domains import judge_point
from nontrivial.claims.language import Formula
from nontrivial.files import write_json
from nontrivial_study.documents.kinds import classes


def test_the_share_of_the_smallest_class(tmp_path):
    write_json(tmp_path / "d.json", {"classes": {"yes": 81, "no": 225}})
    (point,) = classes(tmp_path, record="d.json")
    found = judge_point(Formula.condition("smallest_share == 0.2647"), [], {}, point)
    assert found.value == found.low == found.high == Fraction(9, 34)
