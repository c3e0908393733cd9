"""
Do AUPR and AUPRG pick the same model?
======================================

The Precision-Recall-Gain paper says that the area under the precision-recall curve (AUPR) can prefer a model
with a lower expected F1. This example draws many pairs of rankings and counts how often the two areas
disagree, and which of them agrees with the expected F1 gain.
"""

import matplotlib.pyplot as plt
import numpy as np

from nontrivial.curves import expected_f_gain_score, pr_auc_score, prg_auc_score

rng = np.random.default_rng(0)
truth = np.repeat([1, 0], [25, 175])
pairs = []
for _ in range(400):
    strength = rng.uniform(0.3, 1.5, 2)
    spread = rng.uniform(0.5, 2, 2)
    scores = [rng.normal(strength[k] * truth, np.where(truth, spread[k], 1)) for k in range(2)]
    pairs.append(
        [[area(truth, ranking) for ranking in scores] for area in (pr_auc_score, prg_auc_score, expected_f_gain_score)]
    )
difference = np.diff(np.array(pairs), axis=2)[:, :, 0]
pr, prg, f_gain = difference.T
disagree = pr * prg < 0
print(f"the areas disagree in {disagree.sum()} of {len(pr)} pairs")
print(f"of these, AUPRG agrees with the expected F1 gain in {(prg * f_gain > 0)[disagree].sum()}")

# %%
figure, axes = plt.subplots(figsize=(5.5, 4.5), layout="constrained")
axes.scatter(pr[~disagree], prg[~disagree], s=10, color="gray", label="same order")
axes.scatter(pr[disagree], prg[disagree], s=14, label="opposite order")
axes.axhline(0, color="black", linewidth=0.8)
axes.axvline(0, color="black", linewidth=0.8)
axes.set(xlabel="difference of AUPR", ylabel="difference of AUPRG", ylim=(-1.5, 1.5))
axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()

# %%
# AUPRG is a linear function of the expected F1 gain. So this example checks arithmetic. It does not prove that AUPRG
# picks the better model on new data; :doc:`our finding </area-finding>` studies that question.
