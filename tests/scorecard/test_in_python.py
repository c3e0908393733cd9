"""Python gives what the command gives."""

import numpy as np
import pandas as pd
import pytest
from scorecard.valid import score

from nontrivial import score_predictions


def test_python_gives_what_the_command_gives(cases, tmp_path):
    path = tmp_path / "a.csv"
    cases.to_csv(path, index=False)
    of_file = score(path, score="good", positive="ill")
    of_frame = score(cases, score="good", positive="ill")
    assert of_file.to_json() | {"file": "", "sha256": ""} == of_frame.to_json() | {"file": "", "sha256": ""}
    assert str(of_frame).startswith("the table: 200 cases")
    assert of_frame._repr_html_().startswith("<iframe")


@pytest.mark.parametrize("positive", [1, True, 1.0, np.int64(1), "1"])
def test_labels_may_be_of_any_type(positive):
    table = {"truth": [0, 1, 0, 1], "prediction": [0, 1, 1, 1]}
    assert score_predictions(table, positive=positive).answers[0].positive == "1"


@pytest.mark.parametrize(
    ("data", "named"),
    [
        ([], "empty list"),
        (np.ones(3), "ndarray"),
        (None, "NoneType"),
        ({"y": ["a", "b"], "p": [0.1]}, "'y' has 2, 'p' has 1"),
        (pd.DataFrame(), "it has none; name the column"),
        (["a.csv", 3], "holds something of type int"),
        ([pd.DataFrame()], "DataFrame"),
    ],
)
def test_what_is_no_table_is_refused_with_its_reason(data, named):
    with pytest.raises(ValueError, match=named):
        score_predictions(data)
