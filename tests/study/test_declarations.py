"""What experiments declare: their rules make it, functions draw it, and defaults have the form of their settings."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from nontrivial.schemas import check_schema
from nontrivial_study import declarations
from nontrivial_study.config import find_missing, read_defaults, read_schema
from nontrivial_study.declarations import load_experiments
from nontrivial_study.experiments.problems import find_known_names, setting_value

ROOT = Path(__file__).parents[2]
EXPERIMENTS = pytest.mark.parametrize("experiment", load_experiments().values(), ids=load_experiments())


@EXPERIMENTS
def test_the_rules_of_an_experiment_make_what_it_declares(experiment):
    rules = (ROOT / "workflow" / "rules" / f"{experiment.name}.smk").read_text(encoding="utf-8")
    assert set(re.findall(r'add_table\("(\w+)"\)', rules)) == experiment.tables.keys()
    figures = {name for every in load_experiments().values() for name in every.figures}
    assert set(re.findall(r'"(\w+)"', rules)) & figures == experiment.figures.keys()


@EXPERIMENTS
def test_each_figure_has_a_function_that_draws_it_and_the_tables_that_this_needs(experiment):
    folder = f"nontrivial_study.experiments.{experiment.name}"
    for figure in experiment.figures.values():
        assert callable(getattr(import_module(f"{folder}.{experiment.name}_figures"), figure["draw"]))
    assert set(experiment.drawn_with) <= experiment.tables.keys()


def test_no_two_experiments_declare_the_same_setting_or_result():
    for kind in ("settings", "results"):
        names = [name for experiment in load_experiments().values() for name in getattr(experiment, kind)]
        assert len(names) == len(set(names)), kind


@EXPERIMENTS
def test_every_setting_that_an_experiment_does_not_require_has_a_default(experiment):
    schema = read_schema(ROOT)
    own_schema = {"$defs": schema["$defs"], "properties": experiment.settings, "additionalProperties": False}
    check_schema(experiment.defaults, own_schema)
    if experiment.name != "own":  # nothing of one's own is there by default
        declared_keys = {key: schema["properties"].keys() for key, schema in experiment.settings.items()}
        assert {key: values.keys() for key, values in experiment.defaults.items()} == declared_keys
    assert set(experiment.names.values()) <= find_known_names({"tasks": [], "models": []}, {}, {}).by_kind.keys()
    assert all(setting_value(read_defaults(), setting) is not None for setting in experiment.names)


def test_defaults_can_be_changed_without_changing_them_for_others():
    read_defaults()["venn"]["noise"] = 2
    assert read_defaults()["venn"]["noise"] != 2


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of experiments that has one, which declares a table and has nothing else."""
    monkeypatch.setattr(declarations, "_FOLDER", tmp_path)
    load_experiments.cache_clear()
    (tmp_path / "coins").mkdir()
    (tmp_path / "coins" / "experiment.yaml").write_text("document: A paper\ntables: {heads: {}}\n")
    yield tmp_path
    load_experiments.cache_clear()


def test_each_file_that_an_experiment_lacks_is_a_sentence(folder, tmp_path):
    caption, rules = (
        f"{folder}/coins/captions/heads.rst is missing",
        f"{tmp_path}/workflow/rules/coins.smk is missing",
    )
    messages = [str(problem) for problem in find_missing(["coins"], str(tmp_path))]
    assert [sentence.partition(";")[0] for sentence in messages] == [caption, rules]
    assert list(find_missing([], str(tmp_path))) == []


@pytest.mark.parametrize(
    ("text", "message"), [("documents: x", "key documents"), ("tables: {}", "document is missing")]
)
def test_a_declaration_with_another_key_or_without_a_document_is_refused(text, message, folder):
    (folder / "coins" / "experiment.yaml").write_text(text)
    with pytest.raises(ValueError, match=rf"coins/experiment\.yaml: .*{message}"):
        load_experiments()
