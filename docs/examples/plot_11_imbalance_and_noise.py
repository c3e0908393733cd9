"""
Imbalance and noise
===================

Figure 1 of the Prediction Advantage paper asks how measures change if positives become rarer, and if labels are
noisy. This example is a small version: it draws test sets from the predictions of one model.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_predict
from sklearn.tree import DecisionTreeClassifier

from nontrivial.measures import confusion_measures

X, y = load_breast_cancer(return_X_y=True)
y = 1 - y  # malignant is positive
predicted = cross_val_predict(DecisionTreeClassifier(max_depth=2, random_state=0), X[:, :2], y, cv=10)

# %%
# With the true labels, the rates of the two kinds of errors stay the same, and only the shares of the classes
# change. Noise flips a share of the true labels: right predictions become wrong, and wrong ones right.

shares = np.linspace(0.02, 0.5, 49)
recall, fpr = predicted[y == 1].mean(), predicted[y == 0].mean()
figure, panels = plt.subplots(1, 3, figsize=(11, 3.6), layout="constrained", sharey=True)
for axes, noise in zip(panels, (0.0, 0.1, 0.2), strict=True):
    tp, fn = shares * recall, shares * (1 - recall)
    fp, tn = (1 - shares) * fpr, (1 - shares) * (1 - fpr)
    tables = confusion_measures(
        tp=tp * (1 - noise) + fp * noise,
        fp=fp * (1 - noise) + tp * noise,
        fn=fn * (1 - noise) + tn * noise,
        tn=tn * (1 - noise) + fn * noise,
    )
    for name, label in {
        "accuracy": "accuracy",
        "balanced_accuracy": "balanced accuracy",
        "f_beta": "F1",
        "prediction_advantage": "Prediction Advantage",
    }.items():
        axes.plot(shares, tables[name], label=label)
    axes.axhline(0, color="gray", linewidth=1)
    axes.set(title=f"{noise:.0%} of labels flipped", xlabel="share of positives", ylim=(-1, 1))
panels[0].set_ylabel("value")
panels[-1].legend(loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()

# %%
# Where positives are rare, the tree makes more errors than the majority guess. Its accuracy rises there.
