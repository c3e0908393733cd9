"""
Compare two models on the same cases
====================================

Two models that are scored on the same cases make many of the same errors. A paired comparison uses this, and
is much sharper than a look at two intervals that overlap.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import nontrivial
from nontrivial.curves import bootstrap_curve_areas
from nontrivial.displays import PrecisionRecallGainDisplay

rng = np.random.default_rng(1)
hidden = rng.normal(-1.5, 1.5, 1500)
truth = (rng.random(1500) < 1 / (1 + np.exp(-hidden))).astype(int)
first = hidden + rng.normal(0, 1.0, 1500)
second = first + rng.normal(0, 0.8, 1500)  # the first, seen through more noise

# %%
# Two columns of scores in a frame are scored as two models. The differences are paired.

frame = pd.DataFrame({"died": truth, "first": first, "second": second})
print(nontrivial.score_predictions(frame, truth="died", score=["first", "second"], threshold=0))

# %%
# Compare the areas under curves in the same way, with an interval for each difference:

areas = bootstrap_curve_areas(truth, first, compared_with=second, random_state=0)
print(areas.round(3).to_string())

# %%
figure, axes = plt.subplots(figsize=(5.5, 5), layout="constrained")
for place, (name, scores) in enumerate({"first": first, "second": second}.items()):
    once = {"plot_baseline": place == 0, "plot_isometrics": place == 0}
    PrecisionRecallGainDisplay.from_predictions(truth, scores, name=name, ax=axes, **once)
plt.show()
