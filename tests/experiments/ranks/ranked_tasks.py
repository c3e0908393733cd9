"""Tasks of a few models whose ranks are known by hand."""

import pandas as pd

from nontrivial_study.declarations import load_experiments

PAIRS = load_experiments()["ranks"].defaults["ranking"]["pairs"]
PUBLISHED = {pair: {"top1_disagreement": 0.1, "top3_disagreement": 0.2, "rank_correlation": 0.3} for pair in PAIRS}


def areas(*tasks):
    """Build the table of areas: each task maps a measure to the areas of its models a, b, c, ...

    Every two tasks are made of one data set.
    """
    parts = []
    for number, task in enumerate(tasks):
        columns = {"pr_auc": task["pr"], "prg_auc": task["prg"], "roc_auc": task["roc"]}
        names = list("abcdefgh"[: len(task["pr"])])
        about = {"task": f"t{number}", "rows_of": f"d{number // 2}", "model": names, "status": "ok"}
        parts.append(pd.DataFrame(about | columns))
    return pd.concat(parts, ignore_index=True)


SAME = {"pr": [0.9, 0.8, 0.7, 0.6], "prg": [0.4, 0.3, 0.2, 0.1], "roc": [0.99, 0.98, 0.97, 0.96]}
THIRD = {"pr": [0.9, 0.8, 0.7, 0.6], "prg": [0.4, 0.3, 0.1, 0.2], "roc": [0.99, 0.98, 0.97, 0.96]}
FIRST = {"pr": [0.9, 0.8, 0.7, 0.6], "prg": [0.3, 0.4, 0.2, 0.1], "roc": [0.99, 0.98, 0.97, 0.96]}
SECOND = {"pr": [0.9, 0.8, 0.7, 0.6], "prg": [0.4, 0.3, 0.2, 0.35], "roc": [0.99, 0.98, 0.97, 0.96]}
FOURTH = {"pr": [0.9, 0.8, 0.7, 0.6, 0.5], "prg": [0.9, 0.8, 0.7, 0.5, 0.6], "roc": [0.9, 0.8, 0.7, 0.6, 0.5]}
