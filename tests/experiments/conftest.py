"""The predictions of two models, a good one and a weak one, on one task."""

import numpy as np
import pandas as pd
import pytest


@pytest.fixture(scope="module")
def predictions():
    generator = np.random.default_rng(6)
    truth = np.arange(120) < 40
    parts = []
    for name, spread in (("good", 0.9), ("weak", 1.8)):
        score = np.where(truth, 1.0, -1.0) + generator.normal(size=120) * spread
        rows = {"task": "t", "model": name, "fold": np.arange(120) % 4, "truth": truth}
        parts.append(pd.DataFrame(rows | {"prediction": score > 0, "score": score.round(2)}))
    return pd.concat(parts, ignore_index=True)
