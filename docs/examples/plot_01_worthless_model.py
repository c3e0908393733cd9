"""
A worthless model that looks good
=================================

A rule that never fires is right about every negative. The rarer the positives are, the better it looks. This
example draws five measures of such rules against the share of positives.
"""

import matplotlib.pyplot as plt

from nontrivial.displays import MeasureImbalanceDisplay
from nontrivial.measures import confusion_measures

# %%
# One case in a hundred is positive, and the rule calls nobody positive. Its accuracy is 0.99. Its Prediction
# Advantage is 0: it makes exactly as many errors as the best constant guess, because it is that guess.

never = confusion_measures(tp=0, fp=0, fn=10, tn=990).iloc[0]
print(never[["accuracy", "balanced_accuracy", "prediction_advantage", "cohen_kappa"]].round(3).to_string())

# %%
# A rule that fires at random for a tenth of the cases is no better. `MeasureImbalanceDisplay` keeps its two rates
# and changes how common the positives are. The rule has no skill, and yet its F1 rises with the share of positives.
# Its Prediction Advantage is never above 0.

measures = ["accuracy", "balanced_accuracy", "f_beta", "p4", "prediction_advantage"]
truth = [1] * 10 + [0] * 90
at_random = [1] + [0] * 9 + [1] * 9 + [0] * 81
display = MeasureImbalanceDisplay.from_predictions(truth, at_random, measures=measures)
display.figure_.set_size_inches(7, 4)
plt.show()

# %%
# Now draw the same for a rule with skill: it is right about nine in ten cases of either class. If fewer than a tenth
# of the cases are positive, the rule makes more errors than calling nobody positive. Of these measures, only the
# Prediction Advantage shows it.

skilled = [1] * 9 + [0] + [1] * 9 + [0] * 81
display = MeasureImbalanceDisplay.from_predictions(truth, skilled, measures=measures)
display.figure_.set_size_inches(7, 4)
plt.show()
