"""
Choose a threshold by costs
===========================

If a missed positive costs as much as `c` false alarms, a calibrated probability of at least ``1 / (1 + c)``
calls for action. This example computes the cost of every threshold, and compares it with the costs of always
and never acting.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

from nontrivial.displays import CostCurveDisplay
from nontrivial.measures import prediction_advantage_score

X, y = make_classification(
    6000, n_features=8, n_informative=5, weights=[0.9], class_sep=0.8, flip_y=0.02, random_state=3
)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0, stratify=y)
probability = LogisticRegression().fit(X_train, y_train).predict_proba(X_test)[:, 1]

# %%
# `cost[i][j]` is the cost of predicting class i when the truth is j: here a missed positive costs 9 false
# alarms.

cost = [[0, 9], [1, 0]]
thresholds = np.linspace(0.01, 0.9, 90)
advantages = [
    prediction_advantage_score(y_test, (probability >= threshold).astype(int), loss="cost", cost=cost)
    for threshold in thresholds
]
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
left.plot(thresholds, advantages)
left.axhline(0, color="gray", linewidth=1)
left.axvline(1 / 10, color="gray", linestyle="--", linewidth=1, label="1 / (1 + 9)")
left.set(xlabel="threshold", ylabel="Prediction Advantage under these costs")
left.legend()
CostCurveDisplay.from_predictions(y_test, probability, name="logistic regression", ax=right)
plt.show()

# %%
# The curve on the left is greatest near 0.1, the threshold that fits the costs, and far below 0 at some others:
# at a wrong threshold, the same probabilities are worse than always acting. The cost curve on the right shows
# every ratio of costs at once: below the triangle, the model is better than both constant guesses.
