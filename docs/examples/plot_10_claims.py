"""
Claims of your own
==================

A claim about measures can be proved for tables of any size, or refuted by a smallest counterexample. Write each
claim as an entry of a YAML file. The command ``nontrivial claims notes.yaml`` judges the file; here Python calls it.
"""

import tempfile
from contextlib import chdir
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from click.testing import CliRunner

from nontrivial.cli import main
from nontrivial.measures import confusion_measures

registry = """
sources:
  notes: {title: My own notes}
source: notes
sections:
- section: Correlation and advantage
  claims:
  - id: correlated-is-better
    statement: If the Matthews correlation is positive, the model makes fewer errors than the majority guess.
    kind: inequality
    over: tables
    given: [matthews_corrcoef > 0]
    claim: prediction_advantage > 0
  - id: better-is-correlated
    statement: If the model makes fewer errors than the majority guess, the Matthews correlation is positive.
    kind: inequality
    over: tables
    given: [prediction_advantage > 0]
    claim: matthews_corrcoef > 0
"""
with tempfile.TemporaryDirectory() as folder, chdir(folder):
    Path("notes.yaml").write_text(registry)
    print(CliRunner().invoke(main, ["claims", "notes.yaml"]).output)

# %%
# One direction holds for every table. The other does not, and the picture shows where. With one positive in
# ten, every point is a table. The tables in the corner between the two lines are correlated, and yet no better
# than the majority.

tp, fp = (grid.ravel() for grid in np.meshgrid(np.arange(11), np.arange(41)))
tables = confusion_measures(tp=tp, fp=fp, fn=10 - tp, tn=90 - fp)
correlated, better = tables["matthews_corrcoef"] > 0, tables["prediction_advantage"] > 0
figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
for chosen, label in {
    "neither": (~correlated & ~better, "neither"),
    "correlated": (correlated & ~better, "correlated, but not better"),
    "better": (better, "better than the majority guess"),
}.values():
    axes.scatter(fp[chosen], tp[chosen], s=14, label=label)
axes.set(xlabel="false positives", ylabel="true positives")
axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()
