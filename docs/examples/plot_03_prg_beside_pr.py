"""
Precision-Recall-Gain beside precision-recall
=============================================

A precision-recall curve has no common baseline: calling everything positive has the precision of the share of
positives, which differs from data set to data set. Linear averages of precision and of F1 mean nothing
either, as both are harmonic. Precision gain and recall gain put 0 at that baseline and 1 at perfection, on a
harmonic scale.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from nontrivial.curves import curve_areas
from nontrivial.displays import HyperbolicPrecisionRecallDisplay, PrecisionRecallGainDisplay

X, y = load_breast_cancer(return_X_y=True)
y = 1 - y  # malignant is positive
features = {"all features": slice(None), "the first two": slice(0, 2)}
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.5), layout="constrained")
for place, (name, columns) in enumerate(features.items()):
    model = make_pipeline(StandardScaler(), LogisticRegression())
    scores = cross_val_predict(model, X[:, columns], y, cv=10, method="predict_proba")[:, 1]
    once = {"plot_baseline": place == 0, "plot_isometrics": place == 0}
    HyperbolicPrecisionRecallDisplay.from_predictions(y, scores, name=name, ax=left, **once)
    PrecisionRecallGainDisplay.from_predictions(y, scores, name=name, ax=right, **once)
    print(name, {key: round(value, 3) for key, value in curve_areas(y, scores).items()})
left.set_title("precision and recall")
right.set_title("their gains")
plt.show()

# %%
# Lines of equal F1 are hyperbolas on the left and straight lines on the right. So the area under the right
# curve is, up to a linear function, the mean F1 gain of a random threshold. The area on the left has no such
# meaning.
