"""Two tables are compared by their numbers; rounding may explain small differences, and any in rows of some models."""

import pandas as pd
import pytest

from nontrivial_study.provenance.rerun import FileDifference, find_difference
from nontrivial_study.tables import write_parquet, write_table

TABLE = {"model": ["knn", "tree", "tree"], "score": [0.5, 2.0, 4000.0], "prediction": [True, False, True]}


@pytest.mark.parametrize("write", [write_table, write_parquet])
@pytest.mark.parametrize(
    ("changes", "text", "is_rounding"),
    [
        ({"score": [0.5, 2.0 + 1e-9, 4000.000001]}, "2 numbers in 2 rows differ, at most by 1e-06.", True),
        ({"score": [0.75, 2.0, 4000.0]}, "1 number in 1 row differs, at most by 0.25 (rows of knn).", True),
        ({"score": [0.75, 2.5, 4000.0]}, "2 numbers in 2 rows differ, at most by 0.5 (rows of knn, tree).", False),
        ({"score": [None, 2.0, 4000.0]}, "1 text in 1 row differs (rows of knn).", True),
        ({"name": ["a", "b", "c"]}, "has other rows or columns than the study run again gives.", False),
    ],
)
def test_what_differs_is_counted(write, changes, text, is_rounding, tmp_path):
    def compare(first, second):
        ending = ".csv" if write is write_table else ".parquet"
        paths = [tmp_path / f"{name}{ending}" for name in ("recorded", "again")]
        for path, content in zip(paths, (first, second), strict=True):
            write(path, pd.DataFrame(content))
        return find_difference(*paths, {"knn"})

    assert compare(TABLE, TABLE) is None
    assert compare(TABLE, TABLE | changes) == FileDifference(text, is_rounding)
    anonymous = {name: column for name, column in (TABLE | changes).items() if name != "model"}
    assert compare(pd.DataFrame(TABLE).drop(columns="model"), anonymous).is_rounding == ("1e-06" in text)
