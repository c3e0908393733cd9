"""Pairs of models that areas order differently, and where the compared models are found."""

import copy
from itertools import permutations

import numpy as np
import pandas as pd
from configuration import DATASETS, DEFAULT, MODELS, PAPER
from snakemake.utils import update_config

from nontrivial_study.experiments.plan import make_plan
from nontrivial_study.experiments.ranks.compared import archived_models, find_compared, find_opposed


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
            for first, second in permutations(good[good["task"] == task].itertuples(), 2):
                tried[task, first.model, second.model] = min(
                    first.pr_auc - second.pr_auc, second.prg_auc - first.prg_auc
                )
        best = max(tried, key=tried.get)
        assert find_opposed(areas, ["x", "y"]) == (best[0], list(best[1:]))


def test_no_pair():
    areas = table(0).assign(status="ok")
    assert find_opposed(areas.assign(pr_auc=areas["prg_auc"]), ["x"]) is None
    assert find_opposed(areas, []) is None


def find(**openml):
    config = copy.deepcopy(DEFAULT)
    update_config(config, PAPER)
    config["models"] = openml.pop("study_models", "all")
    config["openml"] |= openml
    return find_compared(config, make_plan(config, DATASETS, MODELS))


ABSENT = "not evaluated: task 3872 of OpenML is not among those of this study"


def test_our_models_are_in_the_batch_of_the_task():
    assert find(mode="train", tasks=[1, 2, 3, 3872], chunk_tasks=3) == ("openml-01", "")
    assert find(mode="train", tasks=[1, 2]) == (None, ABSENT)
    few = ["logistic_regression", "decision_tree", "random_forest", "gaussian_naive_bayes", "decision_stump"]
    few += ["linear_discriminant", "chance_prior"]
    reason = "not evaluated: model adaboost is not among those of this study"
    assert find(mode="train", tasks=[3872], study_models=few) == (None, reason)
    assert find(mode="train", tasks=[3872], study_models=[*few, "adaboost"]) == ("openml-00", "")


def test_archived_runs_are_in_the_batch_of_their_place():
    always = [{"task": 5, "runs": []}, {"task": 3872, "runs": [145651, 267741, 9]}]
    archive = PAPER["openml"]["archive"] | {"task_count": 9, "always": always}
    assert find(mode="archive", archive=archive | {"chunk_tasks": 4}) == ("archive-00", "")
    assert find(mode="archive", archive=archive | {"chunk_tasks": 1}) == ("archive-01", "")
    archive["always"] = [{"task": 3872, "runs": [145651]}]
    reason = "not evaluated: run 267741 is not among those of this study"
    assert find(mode="archive", archive=archive) == (None, reason)
    archive["always"] = []
    assert find(mode="archive", archive=archive) == (None, ABSENT)


def test_the_default_study_has_no_such_models_and_says_which_has():
    compared = find_compared(DEFAULT, make_plan(DEFAULT, DATASETS, MODELS))
    assert compared == (None, f"{ABSENT}, but among those of config/paper.yaml")


def test_archived_runs_by_name_and_those_that_could_not_serve():
    lost = {"run": 267741, "flow_name": "weka.Logistic(1)", "reason": "has no predictions file", "by": 7}
    record = {
        "taken": [{"run": 145651, "flow_name": "weka.AdaBoostM1(1)"}, {"run": 7, "flow_name": "other"}],
        "replaced": [lost],
    }
    assert archived_models(record, [145651, 267741]) == {
        "run 145651, weka.AdaBoostM1(1)": ("weka.AdaBoostM1(1)", "ok"),
        "run 267741, weka.Logistic(1)": (None, "has no predictions file"),
    }
    assert archived_models({"name": "openml_3872", "reason": "The task is gone."}, [1, 2]) == {
        "run 1": (None, "The task is gone."),
        "run 2": (None, "The task is gone."),
    }
