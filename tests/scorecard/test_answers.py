"""What models said is read in parts."""

import numpy as np
import pandas as pd
import pytest

from nontrivial.scorecard.predictions import read_answers
from nontrivial.scorecard.reading import sources
from nontrivial.scorecard.roles import options_of


@pytest.mark.parametrize(
    ("columns", "options", "most"),
    [
        ({"y": [0, 1] * 20, "p": [0.5] * 40}, {}, 35),
        ({"y": [0, 1] * 20, "p": [0.5] * 40, "prediction": [0, 1] * 20}, {}, 35),
        ({"y": [0, 1] * 20, "p": [0.5] * 40, "w": [1.0, 2.0] * 20}, {"weight": "w"}, 25),
        ({"y": [0, 1] * 20, "p": [0.5] * 40, "g": range(40)}, {"group": "g"}, 25),
        ({"y": [0, 1] * 20, "p": [0.5] * 40, "q": [0.5] * 40}, {"score": ("p", "q")}, 25),
        ({"y": [0, 1, 2, 3] * 10, "prediction": [0] * 40}, {}, 25),
        ({"y": np.linspace(0, 1, 40), "prediction": [0.5] * 40}, {}, 25),
    ],
    ids=["scores", "predictions, too", "weights", "groups", "two models", "classes", "numbers"],
)
def test_how_many_rows_are_read_depends_on_what_they_hold(columns, options, most, tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "MOST_ROWS", 25)
    monkeypatch.setattr(sources, "MOST_PLAIN_ROWS", 35)
    frame = pd.DataFrame(columns)
    for rows in (most, most + 1):
        frame.iloc[:rows].to_csv(tmp_path / "rows.csv", index=False)
        if rows == most:
            assert len(read_answers([tmp_path / "rows.csv"], options_of(**options))[0].truth) == most
        else:
            with pytest.raises(
                ValueError, match=r"rows\.csv has more than.*may not fit into memory"
            ) as error:
                read_answers([tmp_path / "rows.csv"], options_of(**options))
            assert ("are kept for each row" in str(error.value)) == (most == 25)
