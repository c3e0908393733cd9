"""Where the two compared models are found: in the plan, and in the record of an archived batch."""

import copy

import pytest

from nontrivial.config import read_yaml
from nontrivial.study.compared import archived_models, compared_batch
from nontrivial.study.plan import make_plan

DATASETS, MODELS = (read_yaml(f"config/{name}.yaml") for name in ("datasets", "models"))
PAPER = read_yaml("config/config.yaml") | read_yaml("config/paper.yaml")
PAPER["imbalance"] = read_yaml("config/config.yaml")["imbalance"]


def batch_of(**openml):
    config = copy.deepcopy(PAPER)
    models = openml.pop("study_models", "all")
    config["openml"] |= openml
    config["models"] = models
    return compared_batch(config, make_plan(config, DATASETS, MODELS))


def test_our_models_are_in_the_batch_of_the_task():
    assert batch_of(mode="train", tasks=[1, 2, 3, 3872], chunk_tasks=3) == "openml-01"
    assert batch_of(mode="train", tasks=[1, 2]) is None
    few = ["logistic_regression", "decision_tree", "random_forest", "gaussian_naive_bayes", "decision_stump"]
    few += ["linear_discriminant", "chance_prior"]
    assert batch_of(mode="train", tasks=[3872], study_models=few) is None
    assert batch_of(mode="train", tasks=[3872], study_models=[*few, "adaboost"]) == "openml-00"


def test_archived_runs_are_in_the_batch_of_their_place():
    always = [{"task": 5, "runs": []}, {"task": 3872, "runs": [145651, 267741, 9]}]
    archive = PAPER["openml"]["archive"] | {"task_count": 9, "always": always}
    assert batch_of(mode="archive", archive=archive | {"chunk_tasks": 4}) == "archive-00"
    assert batch_of(mode="archive", archive=archive | {"chunk_tasks": 1}) == "archive-01"
    archive["always"] = [{"task": 3872, "runs": [145651]}]
    assert batch_of(mode="archive", archive=archive) is None
    archive["always"] = []
    assert batch_of(mode="archive", archive=archive) is None


def test_the_default_study_has_no_such_models():
    config = read_yaml("config/config.yaml")
    assert compared_batch(config, make_plan(config, DATASETS, MODELS)) is None


def test_a_model_that_does_not_exist_is_named():
    with pytest.raises(ValueError, match=r"openml\.compared\.models"):
        batch_of(compared={"task": 3872, "models": ["adabost"], "runs": [1]})


def test_archived_runs_by_name_and_those_that_could_not_serve():
    batch = [
        {"name": "openml_5", "taken": [], "replaced": []},
        {
            "name": "openml_3872",
            "taken": [{"run": 145651, "flow_name": "weka.AdaBoostM1(1)"}, {"run": 7, "flow_name": "other"}],
            "replaced": [
                {"run": 267741, "flow_name": "weka.Logistic(1)", "reason": "has no predictions file", "by": 7}
            ],
        },
    ]
    assert archived_models(batch, 3872, [145651, 267741]) == {
        "run 145651, weka.AdaBoostM1(1)": ("weka.AdaBoostM1(1)", "ok"),
        "run 267741, weka.Logistic(1)": (None, "has no predictions file"),
    }
