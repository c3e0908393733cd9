"""
Several classes
===============

With several classes the best constant guess is the most frequent class, and each class has a ranking against
the rest.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.model_selection import cross_val_predict
from sklearn.tree import DecisionTreeClassifier

import nontrivial
from nontrivial.curves import prg_auc_score
from nontrivial.displays import PrecisionRecallGainDisplay

X, y = load_wine(return_X_y=True)
tree = DecisionTreeClassifier(max_depth=2, random_state=0)
probabilities = cross_val_predict(tree, X[:, :4], y, cv=10, method="predict_proba")

card = nontrivial.score(y, probabilities)
print(card)

# %%
# The area under the Precision-Recall-Gain curve of each class against the rest, and their mean:

print(prg_auc_score(y, probabilities, average=None).round(3), round(prg_auc_score(y, probabilities), 3))

# %%
figure, axes = plt.subplots(figsize=(5.5, 5), layout="constrained")
for label in range(3):
    once = {"plot_baseline": label == 0, "plot_isometrics": label == 0}
    PrecisionRecallGainDisplay.from_predictions(
        y == label, probabilities[:, label], name=f"class {label}", ax=axes, **once
    )
plt.show()
