"""Numbers of a data set's own files."""

from fractions import Fraction

import pandas as pd
import pytest

from nontrivial.claims.domains import judge_point
from nontrivial.claims.language import Formula
from nontrivial.files import write_json
from nontrivial_study.documents.kinds import classes, column
from nontrivial_study.tables import write_parquet


def test_the_share_of_the_smallest_class(tmp_path):
    write_json(tmp_path / "d.json", {"classes": {"yes": 81, "no": 225}})
    (point,) = classes(tmp_path, record="d.json")
    found = judge_point(Formula.condition("smallest_share == 0.2647"), [], {}, point)
    assert found.value == found.low == found.high == Fraction(9, 34)


def test_the_ends_of_a_column(tmp_path):
    write_parquet(tmp_path / "d.parquet", pd.DataFrame({"year": [64, 58, 69]}))
    (point,) = column(tmp_path, table="d.parquet", column="year")
    assert judge_point(Formula.condition("58 <= first <= last <= 70"), [], {}, point).holds
    assert not judge_point(Formula.condition("first >= 60"), [], {}, point).holds
    with pytest.raises(ValueError, match=r"d\.parquet has no column 'age'; it has year"):
        column(tmp_path, table="d.parquet", column="age")
