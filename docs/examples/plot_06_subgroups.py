"""
Subgroups: is the model good everywhere?
========================================

A model may be better than trivial on all cases and worthless in one hospital. `by` scores each subgroup, and
all cases together. Subgroups contain different cases, so they are not ranked against each other.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import nontrivial

rng = np.random.default_rng(4)
site = rng.choice(["Hull", "Leeds", "York"], 1500, p=[0.2, 0.5, 0.3])
risk = 1 / (1 + np.exp(-rng.normal(-1.5, 1.4, 1500)))
died = (rng.random(1500) < np.where(site == "York", 0.22, risk)).astype(
    int
)  # in York, the score knows nothing
frame = pd.DataFrame({"site": site, "died": died, "score": risk})

card = nontrivial.score_predictions(frame, truth="died", score="score", by="site")
print(card)

# %%
table = card.to_frame()
print(table.head(12).to_string())

# %%
# The Prediction Advantage of the probabilities, by site, with its interval:

sites, rows = [], []
for name, cases in [("all", frame), *frame.groupby("site")]:
    sites.append(name)
    rows.append(nontrivial.score(cases["died"], cases["score"]).verdicts["probabilities"])
figure, axes = plt.subplots(figsize=(6, 2.6), layout="constrained")
values = np.array([row.value for row in rows])
ends = np.array([[row.low, row.high] for row in rows]).T
axes.errorbar(values, sites, xerr=abs(ends - values), fmt="o", capsize=3)
axes.axvline(0, color="gray", linewidth=1)
axes.set(xlabel="Prediction Advantage under log loss")
axes.invert_yaxis()
plt.show()
