"""A user's own file becomes a data set, or one sentence says why it cannot."""

import numpy as np
import pandas as pd
import pytest

from nontrivial.data.own import own_entry, read_own

ROWS = pd.DataFrame(
    {"age": [50, 61.5, None, 48], "sex": ["f", "m", None, "f"], "outcome": ["ill", "well", "well", "well"]}
)
SETTING = {"target": "outcome"}


@pytest.mark.parametrize("name", ["a.csv", "semicolons.csv", "tabs.csv", "a.parquet"])
def test_csv_and_parquet_give_the_same_table(name, tmp_path):
    path = tmp_path / name
    if name.endswith(".parquet"):
        ROWS.set_index(pd.Index([4, 7, 8, 9])).to_parquet(path)
    else:
        ROWS.to_csv(path, sep={"a.csv": ",", "semicolons.csv": ";", "tabs.csv": "\t"}[name], index=False)
    entry = own_entry("a", SETTING | {"file": str(path)})
    assert (entry["rows"], entry["features"], entry["classes"]) == (4, 2, {"ill": 1, "well": 3})
    table = read_own(entry)
    assert table.columns.tolist() == ["age", "sex", "target"]
    assert table["target"].tolist() == ROWS["outcome"].tolist()
    np.testing.assert_array_equal(table["age"], ROWS["age"])


def test_labels_are_kept_as_they_are_written_and_a_feature_may_be_called_target(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("target,code,y\n1,a,01\n2,b,1\n3,a,1\n")
    entry = own_entry("a", {"file": str(path), "target": "y"})
    assert entry["classes"] == {"01": 1, "1": 2}
    assert read_own(entry).columns.tolist() == ["target_feature", "code", "target"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "is not a file"),
        ("", "cannot be read"),
        ("age,sex\n1,f\n", "has no column 'outcome'; it has age, sex"),
        ("outcome\nill\nwell\n", "has no column beside 'outcome'"),
        ("age,outcome\n1,ill\n2,\n", "row 2"),
        ("age,outcome\n1,ill\n2,ill\n", "1 different values in 'outcome'; it must have 2 to 50"),
        ("age,outcome\n" + "".join(f"1,{n}\n" for n in range(51)), "51 different values"),
        ("age,age,outcome\n1,1,ill\n", "several columns named 'age'"),
        ("age,outcome\n1,ill,3,4\n1,well\n", "cannot be read"),
        (b"age,outcome\n1,\xff\n", "cannot be read"),
        (b"PAR1 and no more", "cannot be read"),
    ],
)
def test_a_file_that_cannot_serve_is_named(content, said, tmp_path):
    path = tmp_path / "a.csv"
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ValueError, match=f"a.csv .*{said}") as caught:
        own_entry("a", SETTING | {"file": str(path)})
    assert "\n" not in str(caught.value)
