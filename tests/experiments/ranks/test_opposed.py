"""The pair of models about which two areas disagree most, against trying all pairs."""

from itertools import permutations

import numpy as np
import pandas as pd

from nontrivial_study.experiments.ranks.model_choice import find_opposed


def table(seed):
    generator = np.random.default_rng(seed)
    rows = [(task, model) for task in "xyz" for model in "abcdef"]
    areas = pd.DataFrame(rows, columns=["task", "model"])
    areas["status"] = generator.choice(["ok", "failed"], len(areas), p=[0.9, 0.1])
    areas["extrapolated"] = generator.random(len(areas)) < 0.2
    areas["pr_auc"], areas["prg_auc"] = generator.random(len(areas)), generator.random(len(areas)) - 0.1
    return areas


def test_against_trying_all_pairs():
    for seed in range(10):
        areas = table(seed)
        good = areas[(areas["status"] == "ok") & ~areas["extrapolated"] & (areas["prg_auc"] >= 0)]
        tried = {}
        for task in "xy":
            for one, other in permutations(good[good["task"] == task].itertuples(), 2):
                tried[task, one.model, other.model] = min(
                    one.pr_auc - other.pr_auc, other.prg_auc - one.prg_auc
                )
        best = max(tried, key=tried.get)
        assert find_opposed(areas, ["x", "y"]) == (best[0], list(best[1:]))


def test_no_pair():
    areas = table(0).assign(status="ok")
    assert find_opposed(areas.assign(pr_auc=areas["prg_auc"]), ["x"]) is None
    assert find_opposed(areas, []) is None
