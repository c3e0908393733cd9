"""A model of 300 cases, and rankings of all kinds."""

import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

X, y = make_classification(300, weights=[0.8], flip_y=0.1, random_state=0)
MODEL = LogisticRegression().fit(X, y)
SCORES = MODEL.predict_proba(X)[:, 1]
RANKINGS = {
    "good": (y, SCORES),
    "near zero": (y, np.random.default_rng(1).random(300)),
    "below zero": (y, -SCORES),
    "coarse": ([1, 0, 1, 0, 0, 0], [3, 3, 2, 2, 1, 1]),
}
