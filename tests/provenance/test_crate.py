"""The crate: valid as what it says it is, complete, equal from description to description, and nobody's."""

import json

import pytest
from provenance.small_study import CONFIG, RUN, edit, made_in
from reference.ro_crate import ids, issues

from nontrivial_study.provenance.crate import make_crate
from nontrivial_study.provenance.run import CRATE, MANIFEST, read_manifest

# What is recommended, and why a crate of ours goes without it.
GAPS = {
    "process-run-crate-0.5_5.1": "the check asks for a web address, which an archive in the crate cannot have",
    "ro-crate-1.1_22.3": "whoever hands the results on is not known when they are written",
    "ro-crate-1.1_31.2": "the project has no address yet",
}


@pytest.fixture
def graph(study):
    """The entities by their identifiers."""
    return {entity["@id"]: entity for entity in json.loads((study / CRATE).read_text())["@graph"]}


def test_it_is_valid_and_has_what_is_recommended_but_for_the_known_gaps(study, tmp_path):
    assert {check for check, _ in issues(study, tmp_path, "RECOMMENDED")} == set(GAPS)


def test_every_file_is_described_and_only_the_manifest_has_its_digest(study, graph):
    assert ids(graph["./"]["hasPart"]) == read_manifest(study / MANIFEST).keys() - {CRATE}
    assert not [name for name, entity in graph.items() if "sha256" in entity]
    assert graph["tables/ranks.csv"]["contentSize"] == str((study / "tables" / "ranks.csv").stat().st_size)
    assert graph["tables/ranks.csv"]["encodingFormat"] == "text/csv"


def test_one_action_made_the_results_from_data_with_a_configuration(study, graph):
    assert [name for name, entity in graph.items() if "Action" in entity["@type"]] == ["#run"]
    run = graph["#run"]
    assert (ids(run["instrument"]), ids(run["agent"])) == ({"code.zip"}, {"#operator"})
    assert ids(run["result"]) == set(made_in(study))
    assert {"#value/folds", "https://example.org/toy"} <= ids(run["object"])
    assert (run["startTime"], run["endTime"]) == (RUN["started"], RUN["finished"])


def test_where_data_come_from_and_under_which_licence(study, graph):
    assert ids(graph["data/toy.parquet"]["isBasedOn"]) == {"https://example.org/toy"}
    assert ids(graph["data/toy.parquet"]["license"]) == {"https://creativecommons.org/licenses/by/4.0/"}
    assert graph["https://example.org/toy"]["name"] == "Toy"
    edit(study, "data/toy.json", lambda record: record.update(licence="ask the authors"))
    crate = json.loads((study / CRATE).read_text())["@graph"]
    assert next(entity for entity in crate if entity["@id"] == "data/toy.parquet")["license"] == "ask the authors"


def test_the_workflow_its_language_and_parameters(graph):
    workflow = graph["code.zip"]
    assert graph["./"]["mainEntity"] == {"@id": "code.zip"}
    assert set(workflow["@type"]) == {"File", "SoftwareSourceCode", "ComputationalWorkflow"}
    assert graph[next(iter(ids(workflow["programmingLanguage"])))]["version"] == "9.27.1"
    values = {name[7:]: entity["value"] for name, entity in graph.items() if name.startswith("#value/")}
    assert values["folds"] == "3"
    assert json.loads(values["noise"]) == CONFIG["noise"]
    assert ids(workflow["input"]) == {f"#parameter/{name}" for name in values}


def test_the_commit_is_named_with_whether_it_is_all(study, graph):
    assert (graph["#commit"]["name"], graph["#commit"]["value"]) == ("commit", RUN["commit"]["id"])
    for commit, name in (({**RUN["commit"], "altered": True}, "commit, with changes"), ({}, None)):
        edit(study, "run.json", lambda run, commit=commit: run.update(commit=commit))
        crate = {entity["@id"]: entity for entity in json.loads((study / CRATE).read_text())["@graph"]}
        assert crate.get("#commit", {}).get("name") == name


def test_a_second_description_is_equal_and_a_missing_file_is_an_error(study):
    crate = make_crate(study, made_in(study))
    assert crate == json.loads((study / CRATE).read_text())
    assert str(study.parent) not in json.dumps(crate)
    with pytest.raises(FileNotFoundError, match=r"one\.svg"):
        make_crate(study, ["figures/one.svg.lost"])
