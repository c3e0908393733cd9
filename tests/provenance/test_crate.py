"""The crate: valid as what it says it is, complete, equal from description to description, and nobody's."""

import json
from importlib import resources

import pytest
from provenance.small_study import CONFIG, RUN, describe, made_in
from reference.ro_crate import TERMS, ids, issues

from nontrivial.files import sha256_of, write_json
from nontrivial_study.provenance.crate import NAME, write_crate
from nontrivial_study.provenance.manifest import read_manifest

# What is recommended, and why a crate of ours goes without it.
GAPS = {
    "process-run-crate-0.5_5.1": "the check asks for a web address, which a script in the crate cannot have",
    "ro-crate-1.1_22.3": "whoever hands the results on is not known when they are written",
    "ro-crate-1.1_31.2": "the project has no address yet",
}


@pytest.fixture
def graph(study):
    """The entities by their identifiers."""
    return {entity["@id"]: entity for entity in json.loads((study / NAME).read_text())["@graph"]}


def test_it_is_valid_and_has_what_is_recommended_but_for_the_known_gaps(study, tmp_path):
    assert {check for check, _ in issues(study, tmp_path, "RECOMMENDED")} == set(GAPS)


TAKEN_AWAY = {  # and what the validator says of it; all at once, as it goes through the whole crate each time
    ("./", "license"): "The Root Data Entity MUST have a `license` property",
    ("./", "conformsTo"): "versioned permalink of the Workflow Run Crate profile",
    ("code/Snakefile", "programmingLanguage"): "programmingLanguage",
    ("#run", "instrument"): "The Action MUST have an instrument property",
    ("#parameter/folds", "additionalType"): "FormalParameter MUST have an additionalType",
}


def test_the_validator_notices_what_is_taken_away(study, tmp_path):
    crate = json.loads((study / NAME).read_text())
    entities = {entity["@id"]: entity for entity in crate["@graph"]}
    for identifier, key in TAKEN_AWAY:
        del entities[identifier][key]
    write_json(study / NAME, crate)
    (study / "figures" / "one.svg").unlink()
    said = [text for _, text in issues(study, tmp_path)]
    for says in [*TAKEN_AWAY.values(), "'figures/one.svg'"]:
        assert any(says in text for text in said), says


def test_the_terms_the_validator_is_given_are_those_of_the_library():
    carried = json.loads(resources.files("rocrate").joinpath("data/ro-crate.jsonld").read_text("utf-8"))[
        "@context"
    ]
    # To other addresses after RO-Crate 1.1.
    moved = {"ComputationalWorkflow", "FormalParameter", "input", "output"}
    assert {term: carried[term] for term in TERMS.keys() - moved} == {
        term: address for term, address in TERMS.items() if term not in moved
    }
    assert all("//bioschemas.org/" in TERMS[term] for term in moved)


def test_every_file_is_described_with_its_digest(study, graph):
    described = {name: entity["sha256"] for name, entity in graph.items() if "sha256" in entity}
    listed = read_manifest(study / "manifest-sha256.txt")
    inside = {name.removeprefix("results/"): digest for name, digest in listed.items() if "results/" in name}
    del inside[NAME]
    assert described == inside | {"run.json": sha256_of(study / "run.json")}
    assert ids(graph["./"]["hasPart"]) == described.keys()
    assert graph["tables/ranks.csv"]["contentSize"] == str((study / "tables" / "ranks.csv").stat().st_size)


def test_the_run_made_the_results_from_data_with_a_configuration(study, graph):
    assert ids(graph["./"]["mentions"]) == {"#run"}
    run = graph["#run"]
    assert (run["@type"], ids(run["instrument"])) == ("CreateAction", {"code/Snakefile"})
    assert ids(run["result"]) == set(made_in(study))
    assert {"#value/folds", "code/config/models.yaml", "https://example.org/toy"} <= ids(run["object"])
    assert (run["startTime"], run["endTime"]) == (RUN["started"], RUN["finished"])
    assert ids(run["agent"]) == {"#operator"}
    assert graph["#operator"]["name"] == "Whoever ran the study"


def test_where_data_come_from_and_under_which_licence(graph):
    assert ids(graph["data/toy.parquet"]["isBasedOn"]) == {"https://example.org/toy"}
    assert ids(graph["data/toy.parquet"]["license"]) == {"https://creativecommons.org/licenses/by/4.0/"}
    assert graph["https://example.org/toy"]["name"] == "Toy"


def test_a_licence_without_an_address_stands_in_its_own_words(study):
    record = json.loads((study / "data" / "toy.json").read_text())
    write_json(study / "data" / "toy.json", record | {"licence": "ask the authors"})
    describe(study)
    crate = json.loads((study / NAME).read_text())["@graph"]
    assert next(one for one in crate if one["@id"] == "data/toy.parquet")["license"] == "ask the authors"


def test_files_say_what_they_hold(graph):
    assert graph["tables/ranks.csv"]["description"] == "Ranks of models."
    assert graph["claims/guess.json"]["description"].endswith("the claim: A guess among three.")
    assert graph["tables/ranks.csv"]["encodingFormat"] == "text/csv"
    assert graph["README.md"]["about"] == {"@id": "./"}


def test_the_workflow_its_language_software_and_parameters(graph):
    workflow = graph["code/Snakefile"]
    assert graph["./"]["mainEntity"] == {"@id": "code/Snakefile"}
    assert set(workflow["@type"]) == {"File", "SoftwareSourceCode", "ComputationalWorkflow"}
    assert graph[workflow["programmingLanguage"]["@id"]]["name"] == "Snakemake"
    assert ids(workflow["license"]) == {"https://spdx.org/licenses/BSD-3-Clause"}
    software = {
        graph[one]["name"]: graph[one]["softwareVersion"] for one in ids(workflow["softwareRequirements"])
    }
    assert software == {"python": RUN["python"], **RUN["packages"]}
    pages = {graph[one]["name"]: graph[one].get("url") for one in ids(workflow["softwareRequirements"])}
    assert pages == {
        "python": "https://www.python.org/",
        "nontrivial": {"@id": "code/README.md"},
        **RUN["pages"],
    }
    values = {
        graph[one]["name"]: graph[graph[one]["workExample"]["@id"]]["value"] for one in ids(workflow["input"])
    }
    assert values == {
        "folds": 3,
        "model_seconds": 60,
        "datasets": '["toy"]',
        "tasks": '["toy"]',
        **{f"files.{kind}": path for kind, path in CONFIG["files"].items()},
        "models": "all",
        "noise.shares": "[0.1, 0.2]",
        "noise.last": 0.5,
        "noise.shuffle": False,
    }
    types = {graph[one]["name"]: graph[one]["additionalType"] for one in ids(workflow["input"])}
    assert types["folds"] == "Integer"
    assert types["noise.last"] == "Float"
    assert types["noise.shuffle"] == "Boolean"
    assert types["models"] == types["noise.shares"] == "Text"


def test_it_has_what_workflowhub_shows_and_asks_for(graph):
    """As its Workflow RO-Crate 1.0 says, and Bioschemas' profile of a workflow, to which that refers."""
    assert ids(graph[NAME]["conformsTo"]) == {
        "https://w3id.org/ro/crate/1.1",
        "https://w3id.org/workflowhub/workflow-ro-crate/1.0",
    }
    assert {"name", "description", "author", "license", "keywords"} <= graph["./"].keys()
    assert graph["README.md"]["encodingFormat"] == "text/markdown"
    workflow = graph["code/Snakefile"]
    minimum = {
        "creator",
        "dateCreated",
        "license",
        "name",
        "programmingLanguage",
        "sdPublisher",
        "url",
        "version",
    }
    assert minimum | {"input", "output"} <= workflow.keys()
    language = "https://w3id.org/workflowhub/workflow-ro-crate#snakemake"
    assert ids(workflow["programmingLanguage"]) == {language}
    outputs = {graph[one]["workExample"]["@id"] for one in ids(workflow["output"])}
    assert outputs == {"report/index.html", "claims/verdicts.json", "claims/verdicts.csv"}
    assert all(ids(graph[name]["exampleOfWork"]) <= ids(workflow["output"]) for name in outputs)


def test_the_commit_is_named_with_whether_it_is_all(study, graph):
    assert ids(graph["code/Snakefile"]["identifier"]) == {"#commit"}
    assert (graph["#commit"]["name"], graph["#commit"]["value"]) == ("commit", RUN["commit"]["id"])
    for commit, name in (({**RUN["commit"], "altered": True}, "commit, with changes"), ({}, None)):
        write_json(study / "run.json", RUN | {"commit": commit})
        write_crate(study, made_in(study))
        crate = {entity["@id"]: entity for entity in json.loads((study / NAME).read_text())["@graph"]}
        assert crate.get("#commit", {}).get("name") == name


def test_times_are_those_of_the_run_and_a_second_description_is_equal(study):
    whole = (study / NAME).read_bytes()
    write_crate(study, made_in(study))
    assert (study / NAME).read_bytes() == whole
    write_json(study / "run.json", RUN | {"finished": "2027-01-01T00:00:00+00:00"})
    write_crate(study, made_in(study))
    changed = (study / NAME).read_text()
    graph = {entity["@id"]: entity for entity in json.loads(changed)["@graph"]}
    assert graph["./"]["datePublished"] == graph["#run"]["endTime"] == "2027-01-01T00:00:00+00:00"


def test_it_names_no_folder_and_no_person(study):
    text = (study / NAME).read_text()
    assert str(study.parent) not in text
    assert "someone@example.org" not in text


def test_a_file_that_is_not_there_is_an_error(study):
    (study / "figures" / "one.svg").unlink()
    with pytest.raises(FileNotFoundError, match=r"one\.svg"):
        write_crate(study, made_in(study))
