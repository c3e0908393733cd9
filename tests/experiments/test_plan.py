"""The plan: what is trained, downloaded and taken from the archive, known before the first job."""

import functools
import operator
import re
from copy import deepcopy

import pytest
from configuration import BOXED, CONFIG, DATASETS, DEFAULT, MODELS, PAPER
from snakemake.utils import update_config

from nontrivial.schemas import read_yaml
from nontrivial_study.declarations import load_experiments
from nontrivial_study.experiments.plan import make_plan


def plan(*, paper=PAPER, **openml):
    """The plan of the default study with the changes of another file and of OpenML's settings."""
    config = deepcopy(DEFAULT)
    update_config(config, paper)
    if openml:
        config["openml"] |= openml
    return make_plan(config, DATASETS, MODELS)


def test_the_documentation_says_which_settings_name_data_sets_tasks_and_models():
    named = {"data": {"tasks"}, "task": set(), "model": set()}
    for experiment in load_experiments().values():
        for setting, kind in experiment.names.items():
            named[kind.removeprefix("two-class ").split(" ")[0]].add(setting.split(".")[0])
    page = (CONFIG.parent / "docs" / "how-to" / "study.md").read_text(encoding="utf-8")
    documented = {}
    for left_out, change in re.findall(r"^\| one of `(\w+)` \| (.*) \|$", page, re.MULTILINE):
        documented[left_out] = set(re.findall(r"`(\w+)`", change))
    assert documented == {"datasets": named["data"], "tasks": named["task"], "models": named["model"]}


def test_the_collection_is_every_set_of_the_box_with_a_positive_for_each_fold():
    text = (CONFIG / "collection.yaml").read_text(encoding="utf-8")
    made = plan(paper=read_yaml(CONFIG / "collection.yaml"))
    tasks = {task.name for chunk in made.chunks.values() for task in chunk}
    too_few = {name for name, entry in BOXED.items() if min(entry["classes"].values()) < 10}
    assert tasks == (BOXED.keys() | {"wdbc"}) - too_few - {"wdbc_box"}
    assert all(re.search(rf"^#.*\b{name}\b", text, re.MULTILINE) for name in too_few | {"wdbc_box"})
    assert (made.openml, made.archive, made.from_source("UCI")) == ({}, {}, {})
    assert made.models.keys() == MODELS.keys()


def test_the_default_study_has_the_smallest_set_of_each_original_that_is_small():
    cells = {name: entry["rows"] * entry["features"] for name, entry in BOXED.items()}
    smallest = {}
    for name, entry in sorted(BOXED.items(), key=lambda item: cells[item[0]]):
        if min(entry["classes"].values()) >= 10:
            smallest.setdefault(entry["original"], name)
    made = plan(paper={})
    bundled = made.from_source("scikit-learn").keys()
    small = {name for name in smallest.values() if cells[name] <= 12_000} - {"iris0"}
    assert made.datasets.keys() == bundled | small
    tasks = [task for chunk in made.chunks.values() for task in chunk]
    classes = [len(made.datasets[name]["classes"]) for name in DEFAULT["tasks"]]
    assert len(tasks) == sum(1 if number == 2 else number for number in classes)
    assert {"haberman", "wisconsin"} <= small


def test_the_default_study_downloads_nothing():
    made = plan(paper={})
    assert (made.openml, made.archive, made.from_source("UCI")) == ({}, {}, {})
    assert all(name.startswith("chunk-") for name in made.chunks)


def test_training_mode_has_each_task_in_one_batch():
    made = plan(tasks=[3, 9, 27], chunk_tasks=2)
    assert made.openml == {"openml-00": [3, 9], "openml-01": [27]}
    assert made.archive == {}
    assert [task.name for task in made.chunks["openml-01"]] == ["openml_27"]


def test_where_there_are_many_tasks_batches_grow_and_those_before_stay():
    few, many = (plan(tasks=list(range(1, n + 1)), chunk_tasks=4).openml for n in (600, 10_000))
    assert [len(batch) for batch in few.values()] == [4] * 50 + [8] * 50
    assert list(many.items())[: len(few)] == list(few.items())
    assert functools.reduce(operator.iadd, many.values(), []) == list(range(1, 10_001))
    assert len(many) < 400
    assert max(map(len, many.values())) == 64


def test_archive_mode_trains_nothing_on_openml():
    made = plan(mode="archive", archive=PAPER["openml"]["archive"] | {"chunk_tasks": 40})
    assert made.openml == {}
    assert [len(batch) for batch in made.archive.values()] == [40, 40, 20]
    assert all(name.startswith("chunk-") for name in made.chunks)


@pytest.mark.parametrize("mode", ["train", "archive"])
def test_added_tasks_leave_the_batches_that_were_there(mode):
    def batches(count):
        archive = PAPER["openml"]["archive"] | {"task_count": count, "chunk_tasks": 4}
        made = plan(mode=mode, tasks=list(range(1, count + 1)), chunk_tasks=4, archive=archive)
        return {name: made.openml.get(name) or made.archive[name] for name in {**made.openml, **made.archive}}

    fewer, more = batches(10), batches(20)
    assert [name for name in more if more[name] != fewer.get(name)] == list(more)[2:]
    assert more[list(more)[2]][:2] == fewer[list(more)[2]]


def test_one_task_of_openml_joins_the_default_study_in_one_line():
    made = plan(paper={"openml": {"tasks": [31]}})
    assert made.openml == {"openml-00": [31]}
    assert len(made.chunks) == len(plan(paper={}).chunks) + 1


@pytest.mark.parametrize(
    "name", [name for name, experiment in load_experiments().items() if "tasks" not in experiment.needs]
)
def test_the_plan_of_one_experiment_has_only_what_it_names(name):
    made = plan(paper={"experiments": [name]})
    tasks = {task.dataset for chunk in made.chunks.values() for task in chunk}
    kinds = {setting: kind for setting, kind in load_experiments()[name].names.items() if kind.endswith("task")}
    named = {
        DEFAULT[key][inner] for key, inner in (setting.split(".") for setting in kinds) if inner in ("dataset", "task")
    }
    assert named <= tasks
    assert len(tasks) <= 12
    assert tasks <= made.datasets.keys()
    assert (made.are_scored, len(made.models) == len(MODELS)) == (False, "models" in load_experiments()[name].needs)
