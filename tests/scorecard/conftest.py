"""Files of predictions, and cases with the scores of two models."""

import numpy as np
import pandas as pd
import pytest
from scorecard.valid import read_predictions


@pytest.fixture(autouse=True)
def width(monkeypatch):
    """The widest screen, whatever terminal runs the tests."""
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def predictions(tmp_path):
    """200 cases, 50 positive: FP 10, TP 35, FN 15, TN 140, so 25 errors against 50."""

    def read(tp=35, fn=15, fp=10, tn=140, name="a.csv", **columns):
        truth = np.repeat([1, 1, 0, 0], [tp, fn, fp, tn])
        prediction = np.repeat([1, 0, 1, 0], [tp, fn, fp, tn])
        score = 0.6 * prediction + 0.1 * truth + np.linspace(0, 0.2, len(truth))
        frame = pd.DataFrame({"truth": truth, "prediction": prediction, "score": score, **columns})
        frame.to_csv(tmp_path / name, index=False)
        return read_predictions(tmp_path / name), frame

    return read


@pytest.fixture(scope="module")
def cases():
    """200 cases of 40 patients, with scores of a good and of a weak model."""
    draw = np.random.default_rng(5)
    truth = np.arange(200) % 3 == 0
    good, weak = (np.clip(draw.normal(0.4 + d * truth, 0.2), 0.01, 0.99) for d in (0.35, 0.1))
    return pd.DataFrame(
        {
            "y": np.where(truth, "ill", "well"),
            "good": good,
            "weak": weak,
            "w": draw.integers(1, 5, 200),
            "clinic": np.arange(200) // 5,
        }
    )


@pytest.fixture(scope="module")
def long(cases):
    """The same in rows of task, model and fold."""
    parts = [
        cases[["y"]].assign(p=cases[name], model=name, fold=np.arange(200) % 2, row_id=np.arange(200))
        for name in ("good", "weak")
    ]
    return pd.concat([parts[0], parts[1].iloc[::-1]])


@pytest.fixture
def unrendered(monkeypatch):
    """The pictures of a page are drawn, but not laid out and written as SVG: for what looks at its words alone."""
    monkeypatch.setattr("nontrivial.scorecard.rendering.plots._write_svg", lambda figure: "")


@pytest.fixture
def write(tmp_path):
    def write_file(data, name="predictions.csv"):
        path = tmp_path / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    return write_file
