"""
Subgroups: is the model good everywhere?
========================================

A model may be better than trivial on all cases and worthless in one hospital. `by` scores each subgroup, and
all cases together. A test says whether the ranking is equally good in all of them.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import nontrivial
from nontrivial.scorecard.rendering.plots import draw_forest

rng = np.random.default_rng(4)
site = rng.choice(["Hull", "Leeds", "York"], 1500, p=[0.2, 0.5, 0.3])
risk = 1 / (1 + np.exp(-rng.normal(-1.5, 1.4, 1500)))
died = (rng.random(1500) < np.where(site == "York", 0.22, risk)).astype(int)  # in York, the score knows nothing
frame = pd.DataFrame({"site": site, "died": died, "score": risk})

card = nontrivial.score_predictions(frame, truth="died", score="score", by="site")
print(card)

# %%
table = card.to_frame()
print(table.query("kind == 'verdict'").drop(columns=["model", "kind", "method"]).to_string(index=False))

# %%
# The Prediction Advantage of the probabilities, by site, with its interval:

figure, axes = plt.subplots(figsize=(6, 2.6), layout="constrained")
draw_forest(axes, card.result)
plt.show()
