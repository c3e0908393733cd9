"""
A worthless model that looks good
=================================

A rule that never fires is right about every negative. The rarer the positives are, the better it looks. This
example draws seven measures of such rules against the share of positives.
"""

import matplotlib.pyplot as plt
import numpy as np

from nontrivial.displays import MeasureImbalanceDisplay
from nontrivial.measures import confusion_measures

# %%
# One case in a hundred is positive, and the rule calls nobody positive. Its accuracy is 0.99. Its Prediction
# Advantage is 0: it makes exactly as many errors as the best constant guess, because it is that guess.

never = confusion_measures(tp=0, fp=0, fn=10, tn=990).iloc[0]
print(never[["accuracy", "balanced_accuracy", "prediction_advantage", "cohen_kappa"]].round(3).to_string())

# %%
# A rule that fires at random for a tenth of the cases is no better. It has no skill, and yet its F1 rises with
# the share of positives. Its Prediction Advantage is never above 0.

shares = np.linspace(0.01, 0.99, 99)
fires = 0.1
tables = confusion_measures(
    tp=shares * fires, fn=shares * (1 - fires), fp=(1 - shares) * fires, tn=(1 - shares) * (1 - fires)
)
figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
for name, label in {
    "accuracy": "accuracy",
    "f_beta": "F1",
    "balanced_accuracy": "balanced accuracy",
    "p4": "P4",
    "prediction_advantage": "Prediction Advantage",
}.items():
    axes.plot(shares, tables[name], label=label)
axes.set(xlabel="share of positives", ylabel="value", ylim=(-1, 1), title="A rule that fires at random")
axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()

# %%
# Now draw the same for a rule with skill: it is right about nine in ten cases of either class.
# `MeasureImbalanceDisplay` keeps these two rates and changes how common the positives are. Below a tenth of
# positives, the rule makes more errors than calling nobody positive. Of these measures only the Prediction
# Advantage shows it.

truth = [1] * 10 + [0] * 90
rule = [1] * 9 + [0] + [1] * 9 + [0] * 81
display = MeasureImbalanceDisplay.from_predictions(truth, rule)
display.figure_.set_size_inches(7, 4)
plt.show()
