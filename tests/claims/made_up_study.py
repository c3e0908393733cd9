"""Results of a study that was never run, small and made up so that what the registry says of results is true of them.

The columns are those that the study writes. A count is of a million cases, so that sampling leaves little open.
"""

from fractions import Fraction

import pandas as pd

from nontrivial.files import write_json
from nontrivial.measures import confusion_measures
from nontrivial_study.tables import write_table

FOREST = {"dataset": "wdbc", "model": "random_forest"}
CELLS = {"tp": 350_000, "fp": 16_000, "fn": 22_000, "tn": 612_000}  # 0.038 of them are errors
MEASURES = ("accuracy", "balanced_accuracy", "f_beta", "cohen_kappa", "prediction_advantage")
# Noise and minority share. At the first point every case of the minority is flipped, and kappa is negative.
POINTS = [("0.2", "0.1"), ("0.2", "0.12"), ("0.2", "0.5"), ("0.1", "0.06"), ("0", "0.3"), ("0", "0.5")]
RANKS = {
    "pr_auc/prg_auc": (0.24, 0.58, 0.95, 0.944, 0.991),
    "pr_auc/roc_auc": (0.29, 0.65, 0.95, 0.9, 0.9),
    "prg_auc/roc_auc": (0.22, 0.57, 0.96, 0.9, 0.9),
}
RUNS = {"weka.AdaBoostM1": (145651, 0.724, 0.714), "weka.Logistic": (267741, 0.773, 0.687)}


def write_study(results):
    tables = {
        "measures": [{**FOREST, "positive": "malignant", **CELLS}],
        "imbalance_noise": imbalance(),
        "crossings": crossings(),
        "running_example": [{"nearest_break_even": True, "d": 0.760517799353}],
        "rank_disagreement": ranks(),
        "model_choice": [
            {"yardstick": "held_out_f1", "of": "all", "area": "prg_auc", "tasks": 886}
            | ranged("more_than_pr_auc", 0.01),
            {"yardstick": "expected_f1_gain", "of": "pr_auc and prg_auc disagree", "area": "prg_auc"}
            | ranged("agreement", 0.9),
        ],
        "curve_areas": [
            {"task": "openml_3872", "model": flow, "pr_auc": pr, "prg_auc": prg} for flow, (_, pr, prg) in RUNS.items()
        ],
    }
    for name, rows in tables.items():
        write_table(results / "tables" / f"{name}.csv", pd.DataFrame(rows))
    write_json(results / "openml" / "selection.json", selection())
    write_json(results / "data" / "haberman.json", {"classes": {"survived": 225, "died": 81}})


def imbalance():
    """The measures of the expected tables, malignant cases being the minority."""
    recall, alarms = Fraction(350, 372), Fraction(16, 628)
    for noise, share in POINTS:
        flipped, minority = Fraction(noise) / 2, Fraction(share)
        tp = (minority - flipped) * recall + flipped * alarms
        fp = (1 - minority - flipped) * alarms + flipped * recall
        cells = tp, fp, minority - tp, 1 - minority - fp
        table = confusion_measures(*map(float, cells))
        front = {**FOREST, "positive": "malignant", "noise": noise, "minority_share": share}
        for measure in MEASURES:
            yield front | {"measure": measure, "mean": round(table[measure].item(), 12)}


def crossings():
    """Into imbalance, and into noise; all last longer than the Prediction Advantage."""
    front = {**FOREST, "positive": "malignant", "reading": "zero", "outcome": "crosses"}
    for held, at in (("noise", 0.2), ("minority_share", 0.1)):
        for measure in ("cohen_kappa", "f_beta", "balanced_accuracy", "accuracy"):
            yield front | {"held": held, "at": at, "measure": measure} | ranged("width", 0.1)


def ranks():
    names = ("top1_disagreement", "top3_disagreement", "rank_correlation")
    names += ("task_correlation_lower_quartile", "task_correlation_upper_quartile")
    for pair, numbers in RANKS.items():
        row = {"pair": pair, "tasks": 886}
        for name, number in zip(names, numbers, strict=True):
            row |= ranged(name, number)
        yield row


def ranged(name, number):
    """A number that sampling leaves hardly in doubt."""
    return {name: number, f"{name}_low": round(number - 1e-5, 5), f"{name}_high": round(number + 1e-5, 5)}


def selection():
    """886 tasks of 426 data sets; only one task is described."""
    runs = [{"run": run, "flow_name": flow} for flow, (run, *_) in RUNS.items()]
    return {
        "source": "https://www.openml.org/api/v1/xml",
        "settings": {"flows": 30, "cutoff_date": "2015-07-31", "run_id_bound": 463902},
        "chosen": {"tasks": 886, "data_sets": 426, "left_out": 0},
        "tasks": [{"task": 3872, "runs": runs}],
    }
