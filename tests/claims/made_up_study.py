"""Results of a study that was never run, small and made up so that what the registry says of results is true of them.

The columns are those that the study writes. A count is of a million cases, so that sampling leaves little open.
"""

from fractions import Fraction

import pandas as pd

from nontrivial.files import write_json
from nontrivial.measures import confusion_measures
from nontrivial_study.tables import write_parquet, write_table

FOREST = {"dataset": "wdbc", "model": "random_forest"}
CELLS = {"tp": 350_000, "fp": 16_000, "fn": 22_000, "tn": 612_000}  # 0.038 of them are errors
MEASURES = ("accuracy", "balanced_accuracy", "f_beta", "cohen_kappa", "prediction_advantage")
# Noise and minority share. At the first point every case of the minority is flipped, and kappa is negative.
POINTS = [("0.2", "0.1"), ("0.2", "0.12"), ("0.2", "0.5"), ("0.1", "0.06"), ("0", "0.3"), ("0", "0.5")]
# Figure 3 of the PRG paper, as the study reconstructs it.
SEGMENTS = """\
segment,positives,negatives,tp,fp,d
1,1,0,1,0,
2,6,2,7,2,0.992957746479
3,10,24,17,26,0.760517799353
4,22,97,39,123,0.489815253434
5,2,36,41,159,0.0750798722045
6,6,183,47,342,0.0388
"""
RANKS = {
    "pr_auc/prg_auc": (0.24, 0.58, 0.95, 0.944, 0.991),
    "pr_auc/roc_auc": (0.29, 0.65, 0.95, 0.9, 0.9),
    "prg_auc/roc_auc": (0.22, 0.57, 0.96, 0.9, 0.9),
}
RUNS = {"weka.AdaBoostM1": (145651, 0.724, 0.714), "weka.Logistic": (267741, 0.773, 0.687)}


def write_study(results, worse_than_random):
    """Write all of it; in the task of this number, and in no other, a model is worse than random."""
    tables = {
        "measures": [{**FOREST, "positive": "malignant", **CELLS}],
        "imbalance_noise": list(imbalance()),
        "crossings": list(crossings()),
        "haberman_published": [
            *[{"advantage": -0.1, "low": -0.2, "high": -0.01}] * 8,
            {"advantage": 0.06, "low": 0.02, "high": 0.09},  # better, but near
        ],
        "rank_disagreement": list(ranks()),
        "model_choice": [
            {"yardstick": "held_out_f1", "of": "all", "area": "prg_auc", "tasks": 886}
            | ranged("more_than_pr_auc", 0.01)
        ],
        "curve_areas": list(areas(worse_than_random)),
    }
    for name, rows in tables.items():
        write_table(results / "tables" / f"{name}.csv", pd.DataFrame(rows))
    (results / "tables" / "running_example.csv").write_text(SEGMENTS)
    write_json(results / "openml" / "selection.json", selection())
    write_json(results / "data" / "haberman.json", {"classes": {"survived": 225, "died": 81}})
    write_parquet(results / "data" / "haberman.parquet", pd.DataFrame({"Year": [58, 64, 70]}))


def imbalance():
    """The measures of the expected tables, malignant cases being the minority, and then benign ones."""
    rates = Fraction(350, 372), Fraction(16, 628)
    for positive, (recall, alarms) in (("malignant", rates), ("benign", (1 - rates[1], 1 - rates[0]))):
        for noise, share in POINTS:
            flipped, minority = Fraction(noise) / 2, Fraction(share)
            tp = (minority - flipped) * recall + flipped * alarms
            fp = (1 - minority - flipped) * alarms + flipped * recall
            table = confusion_measures(
                tp=float(tp), fp=float(fp), fn=float(minority - tp), tn=float(1 - minority - fp)
            )
            front = {**FOREST, "positive": positive, "noise": noise, "minority_share": share}
            for measure in MEASURES:
                yield front | {"measure": measure, "mean": round(table[measure].item(), 12)}


def crossings():
    """Into imbalance from one half, and into noise from none; all last longer than the Prediction Advantage."""
    walks = [
        ("noise", 0.2, "minority_share", 0.22, 0.11, *[0.105] * 3),
        ("minority_share", 0.1, "noise", 0.07, 0.18, *[0.19] * 3),
    ]
    measures = ("prediction_advantage", "cohen_kappa", "f_beta", "balanced_accuracy", "accuracy")
    for held, at, moves, *ends in walks:
        front = {**FOREST, "positive": "malignant", "reading": "zero", "held": held, "at": at, "moves": moves}
        for measure, end in zip(measures, ends, strict=True):
            ranged = {"crossing": end, "low": end - 0.001, "high": end + 0.001}
            yield front | {"measure": measure, "outcome": "crosses"} | ranged


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


def areas(worse_than_random):
    """Of both archived tasks, and of a model that the study trained itself, which is none of the archive's."""
    worst = {worse_than_random: -0.1}
    for task in (3872, 3896):
        found = {flow: (pr, prg) for flow, (_, pr, prg) in RUNS.items()}
        found |= {"weka.ZeroR": (0.3, worst.get(task, 0.1)), "dummy": (0.1, -1)}
        for flow, (pr, prg) in found.items():
            of_task = {"task": f"openml_{task}", "model": flow, "status": "ok"}
            yield of_task | {"roc_auc": 0.5, "pr_auc": pr, "prg_auc": prg}


def selection():
    """886 tasks of 426 data sets."""
    runs = [{"run": run, "flow_name": flow} for flow, (run, *_) in RUNS.items()]
    runs.append({"run": 1, "flow_name": "weka.ZeroR"})
    tasks = [{"task": 1 + place, "data": place % 426, "runs": []} for place in range(886)]
    for place, task in enumerate((3872, 3896)):
        tasks[place] |= {"task": task, "runs": runs}
    settings = {"flows": 30, "cutoff_date": "2015-07-31", "run_id_bound": 463902, "leave_out": {"tasks": []}}
    return {"source": "https://www.openml.org", "settings": settings, "tasks": tasks}
