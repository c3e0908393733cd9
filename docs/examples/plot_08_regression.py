"""
Regression: better than the mean?
=================================

For numbers, the Prediction Advantage under squared loss is R squared: one minus the mean squared error over the
error of the best constant, the mean. Under absolute loss the best constant is the median. A model may be
better under one loss and worse under the other.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import cross_val_predict

import nontrivial
from nontrivial.measures import prediction_advantage_interval, prediction_advantage_score

X, y = load_diabetes(return_X_y=True)
predicted = cross_val_predict(LinearRegression(), X, y, cv=10)
print(nontrivial.score(y, y_pred=predicted))

# %%
# A few wild predictions ruin the squared loss, and hurt the absolute one much less. Fieller's interval
# assumes that no rare case has a loss much greater than those seen. A warning says so:

wild = predicted.copy()
wild[::60] += 400
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    prediction_advantage_interval(y, wild, loss="squared", method="fieller")
print(caught[0].message if caught else "no warning")

# %%
# Draw both losses of both models, with their intervals:

losses = ["squared", "absolute"]
figure, axes = plt.subplots(figsize=(6, 2.6), layout="constrained")
for shift, (name, values) in zip((-0.1, 0.1), {"model": predicted, "with wild values": wild}.items(), strict=True):
    center = [prediction_advantage_score(y, values, loss=loss) for loss in losses]
    with warnings.catch_warnings(action="ignore"):  # the sentence above says it
        intervals = [prediction_advantage_interval(y, values, loss=loss, method="fieller") for loss in losses]
    ends = np.array([[interval.low, interval.high] for interval in intervals]).T
    axes.errorbar(center, np.arange(2) + shift, xerr=abs(ends - center), fmt="o", capsize=3, label=name)
axes.axvline(0, color="gray", linewidth=1)
axes.set(yticks=[0, 1], yticklabels=losses, xlabel="Prediction Advantage", ylim=(1.5, -0.5))
axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()
