"""
A confusion table, to scale
===========================

Figure 2 of the Prediction Advantage paper shows a confusion table as a Venn diagram. `VennDisplay` draws its areas to
scale, and shows which cases each measure counts.
"""

import matplotlib.pyplot as plt

from nontrivial.displays import VennDisplay
from nontrivial.measures import confusion_measures

# %%
# Of 300 cases 60 are positive. The model finds 45 of them, and raises 30 false alarms.

truth = [1] * 60 + [0] * 240
predicted = [1] * 45 + [0] * 15 + [1] * 30 + [0] * 210
VennDisplay.from_predictions(truth, predicted)
plt.show()

# %%
# Precision and recall depend only on the two circles. Calling nobody positive makes 60 errors. The true negatives
# around the circles decide whether 45 errors are fewer than that.

measures = confusion_measures(tp=45, fp=30, fn=15, tn=210).iloc[0]
print(measures[["precision", "recall", "f_beta", "accuracy", "prediction_advantage"]].round(3).to_string())
