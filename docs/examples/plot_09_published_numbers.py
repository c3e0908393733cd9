"""
Published numbers: better than trivial?
=======================================

A paper prints an accuracy, perhaps also recall and specificity, and the size of its data. These numbers often
decide whether the model is better than the majority guess, and sometimes that the numbers cannot be right.
"""

import matplotlib.pyplot as plt

from nontrivial.measures import published_tables, published_verdict

# %%
# In the Haberman data, 81 of 306 patients died. The literature prints these errors, with these digits:

printed = ["0.27", "0.3", "0.273", "0.2742", "0.266"]
for error in printed:
    judged = published_verdict({"error_rate": error}, positives=81, n=306)
    if judged.tables:
        fewest, most = judged.errors
        print(f"error {error:6}  {judged.verdict}: {fewest} to {most} errors, {judged.tables:,} tables fit")
    else:
        print(f"error {error:6}  impossible: no table fits")

# %%
# No number of errors among 306 cases gives one of the last three: they are means over folds or runs, or wrong.
#
# The more a paper prints, the fewer confusion tables fit. Each point is a table whose scores round to the
# printed ones.

figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
steps = {
    "accuracy 0.85": {"accuracy": "0.85"},
    "and recall 0.62": {"accuracy": "0.85", "recall": "0.62"},
    "and precision 0.76": {"accuracy": "0.85", "recall": "0.62", "precision": "0.76"},
}
for marker, (name, scores) in zip("so*", steps.items(), strict=True):
    tables = published_tables(scores, positives=81, n=306)
    axes.plot(tables["fp"], tables["tp"], marker, label=f"{name}: {len(tables):,} tables", markersize=6, alpha=0.7)
axes.plot([0, 81], [0, 81], color="gray", linewidth=1)
axes.annotate("as many errors as\ncalling nobody positive", (30, 30), xytext=(34, 20), color="gray")
axes.set(xlabel="false positives", ylabel="true positives", xlim=(0, 85), ylim=(0, 85))
axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()
