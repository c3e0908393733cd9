"""
A rare event: probabilities, ranking and labels
===============================================

A good model of a rare event gives nearly everybody a low probability. At the threshold 0.5 it flags almost
nobody, so its labels are hardly better than "nobody". Its probabilities and its ranking may still be very
good. `nontrivial.score` asks the three questions one by one.
"""

import matplotlib.pyplot as plt
import numpy as np

import nontrivial
from nontrivial.displays import NetBenefitDisplay, PrecisionRecallGainDisplay

# %%
# About one in twenty-five of two thousand patients dies. The model predicts each patient's true risk.

rng = np.random.default_rng(7)
risk = 1 / (1 + np.exp(-rng.normal(-4, 1.6, 2000)))
died = (rng.random(2000) < risk).astype(int)

card = nontrivial.score(died, risk)
print(card)

# %%
# The probabilities are better than the base rate, and the ranking is better than chance. The data do not show
# that the labels at 0.5 are better than calling nobody positive. The right threshold depends on the costs: if a
# missed death is as bad as 23 false alarms, the threshold is 1/24, and labels at this threshold are judged
# under these costs.

labels = nontrivial.score(died, risk, cost=23).verdicts["labels"]
print(f"{labels.verdict}: {labels.value:.2f} ({labels.low:.2f} to {labels.high:.2f})")

# %%
# The curves show the same: the gains of precision and recall over "call everybody positive", and the net
# benefit over "treat all" and "treat none" at the thresholds that make sense for a rare event.

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
PrecisionRecallGainDisplay.from_predictions(died, risk, name="model", ax=left)
NetBenefitDisplay.from_predictions(died, risk, name="model", ax=right)
plt.show()
