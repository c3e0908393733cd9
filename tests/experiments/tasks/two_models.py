"""The predictions of two models on a task of 60 rows."""

import numpy as np
import pandas as pd

RNG = np.random.default_rng(0)
TRUTH = np.arange(60) % 3 == 0
FOLD = np.arange(60) // 3 % 4
PREDICTIONS = pd.concat(
    pd.DataFrame(
        {"task": "t", "model": name, "fold": FOLD, "truth": TRUTH, "prediction": s > 0.6, "score": s}
    )
    for name, s in [("one", RNG.random(60)), ("two", RNG.random(60).round(1) + TRUTH)]
)
