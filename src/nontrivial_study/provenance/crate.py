"""The study as an RO-Crate 1.1: every file of the results, and the run that made them, with its parameters and sources.

It keeps to the Process and Workflow Run Crate profiles 0.5. The results folder is the crate. All times and versions in
it are those of ``run.json``, and the rest follows from the files: describing the same results again gives the same
bytes. This takes the package rocrate, which comes with the extra ``workflow``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rocrate.model import ContextEntity, Entity
from rocrate.rocrate import ROCrate

from nontrivial.files import read_json, write_json
from nontrivial_study.provenance.crate_files import LICENCES, file_properties, source_records
from nontrivial_study.provenance.crate_values import leaves, package_url
from nontrivial_study.provenance.project import COPY, walk

NAME = "ro-crate-metadata.json"
_PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": ("Process Run Crate", "0.5"),
    "https://w3id.org/ro/wfrun/workflow/0.5": ("Workflow Run Crate", "0.5"),
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": ("Workflow RO-Crate", "1.0"),
}
_BIOSCHEMAS = "https://bioschemas.org/profiles/{}/1.0-RELEASE"
_TERMS = {"sha256": "https://w3id.org/ro/terms/workflow-run#sha256"}  # RO-Crate 1.1 itself has no word for it
_TYPES = {bool: "Boolean", int: "Integer", float: "Float"}
_DONE = "http://schema.org/CompletedActionStatus"
_WORKFLOW = f"{COPY}/Snakefile"
_KEYWORDS = (
    "machine learning, evaluation, imbalanced classification, prediction advantage, precision-recall-gain, P4"
)
# What the workflow is run for, as its outputs: what each is called, and the file.
_OUTPUTS = {
    "page": "report/index.html",
    "verdicts": "claims/verdicts.json",
    "table of verdicts": "claims/verdicts.csv",
}


def write_crate(results: str | Path, made: Iterable[str]) -> None:
    """Write ``ro-crate-metadata.json`` into a folder of results.

    Parameters
    ----------
    results : path
        The results folder, with ``run.json`` and the copy of the project in ``code/``.
    made : iterable of str
        The paths in it of the files that the study made.

    Raises
    ------
    FileNotFoundError
        If one of them is not there.
    """
    description = _Description(Path(results), list(made))
    description.describe_root()
    description.describe_files()
    description.describe_workflow()
    description.describe_run()
    write_json(Path(results) / NAME, description.crate.metadata.generate())


class _Description:
    """The crate while it grows."""

    def __init__(self, folder: Path, made: list[str]) -> None:
        self.folder, self.made = folder, made
        self.run = read_json(folder / "run.json")
        self.version = self.run["packages"]["nontrivial"]
        self.crate = ROCrate(version="1.1")
        self.crate.metadata.extra_terms = _TERMS
        self.files: dict[str, Entity] = {}
        self.sources: list[Entity] = []  # where the data come from

    def describe_root(self) -> None:
        """Say what all of it is."""
        root = self.crate.root_dataset
        root["name"] = "Results of the nontrivial study"
        root["description"] = (
            "Measures, curves and experiments on which a worthless model scores nothing, and a verdict on each claim "
            "of the documents behind them, with the data, the code and the parameters that they follow from."
        )
        root["datePublished"] = self.run["finished"]
        root["keywords"] = _KEYWORDS
        root["license"] = self.licence("BSD-3-Clause")
        root["author"] = self.developers()
        root["conformsTo"] = [
            self.add(address, "CreativeWork", name=name, version=version)
            for address, (name, version) in _PROFILES.items()
        ]

    def describe_files(self) -> None:
        """Add what the study made, the copy of the project and the record of the run, and where data come from."""
        names = [*self.made, *sorted(name for name, _ in walk(self.folder / COPY, f"{COPY}/"))]
        names += ["README.md", "run.json"]
        for name in dict.fromkeys(names):
            properties = file_properties(self.folder, name)
            if name == _WORKFLOW:
                entity = self.crate.add_workflow(
                    self.folder / name,
                    name,
                    main=True,
                    lang="snakemake",
                    lang_version=self.run["packages"]["snakemake"],
                    properties=properties,
                )
            else:
                entity = self.crate.add_file(self.folder / name, name, properties=properties)
            self.files[name] = entity
        self.files["README.md"]["about"] = self.crate.root_dataset
        records = [record for name in self.made for record in source_records(self.folder / name)]
        self.sources = [self.describe_source(record) for record in records]

    def describe_source(self, record: Mapping[str, Any]) -> Entity:
        """Add where a data set comes from, and say so of its files."""
        licence = self.licence(record["licence"])
        source = self.add(record["address"], "CreativeWork", name=record["title"], license=licence)
        for suffix in (".parquet", ".json"):
            if file := self.files.get(f"data/{record['name']}{suffix}"):
                file["license"], file["isBasedOn"] = licence, source
        return source

    def describe_workflow(self) -> None:
        """Say of the workflow what software it takes and what parameters."""
        workflow = self.files[_WORKFLOW]
        workflow["name"], workflow["version"] = "nontrivial", self.version
        workflow["license"], workflow["url"] = self.licence("BSD-3-Clause"), workflow
        workflow["conformsTo"] = {"@id": _BIOSCHEMAS.format("ComputationalWorkflow")}
        workflow["creator"], workflow["dateCreated"] = self.developers(), self.run["finished"]  # of this copy
        workflow["sdPublisher"] = self.agent()
        if commit := self.run["commit"]:
            name = "commit, with changes" if commit["altered"] else "commit"
            workflow["identifier"] = self.add("#commit", "PropertyValue", name=name, value=commit["id"])
        workflow["softwareRequirements"] = _one_or_all(
            self.describe_package(name, version)
            for name, version in {"python": self.run["python"], **self.run["packages"]}.items()
        )
        workflow["input"] = [self.describe_parameter(*leaf) for leaf in leaves(self.run["config"])]
        workflow["output"] = [self.describe_output(*one) for one in _OUTPUTS.items() if one[1] in self.files]

    def describe_package(self, name: str, version: str) -> Entity:
        """Add software that was there, with its page; this project's own is in the crate."""
        pages = {"python": "https://www.python.org/", **self.run["pages"], "nontrivial": f"{COPY}/README.md"}
        properties = {"name": name, "softwareVersion": version}
        if name in pages:
            properties["url"] = self.files.get(pages[name], pages[name])
        return self.add(package_url(name, version), "SoftwareApplication", **properties)

    def describe_parameter(self, key: str, value: Any) -> Entity:
        """Add a key of the configuration as a parameter of the workflow, with its value."""
        kind = _TYPES.get(type(value), "Text")
        parameter = self.crate.add_formal_parameter(key, kind, f"#parameter/{key}")
        example = self.add(f"#value/{key}", "PropertyValue", name=key, value=value, exampleOfWork=parameter)
        parameter["workExample"] = example
        return parameter

    def describe_output(self, name: str, path: str) -> Entity:
        """Add a file for which the workflow is run as an output of it."""
        parameter = self.crate.add_formal_parameter(name, "File", f"#output/{name.replace(' ', '-')}")
        parameter["workExample"], self.files[path]["exampleOfWork"] = self.files[path], parameter
        return parameter

    def describe_run(self) -> None:
        """Add the run of the workflow: with which parameters and sources it made which files."""
        values = [self.crate.get(f"#value/{key}") for key, _ in leaves(self.run["config"])]
        configuration = [file for name, file in self.files.items() if name.startswith(f"{COPY}/config/")]
        self.crate.root_dataset["mentions"] = self.add(
            "#run",
            "CreateAction",
            name="Run of the study",
            description="All jobs of the workflow, with the configuration as it stands in its parameters.",
            instrument=self.files[_WORKFLOW],
            object=_one_or_all([*values, *configuration, *self.sources]),
            result=_one_or_all(self.files[name] for name in self.made),
            startTime=self.run["started"],
            endTime=self.run["finished"],
            actionStatus=_DONE,
            agent=self.agent(),
        )

    def add(self, identifier: str, kind: str, **properties: Any) -> Entity:
        """Add what is not a file, or give what is there already under that identifier."""
        entity = self.crate.get(identifier)
        return entity or self.crate.add(ContextEntity(self.crate, identifier, {"@type": kind, **properties}))

    def developers(self) -> Entity:
        """Whoever wrote the workflow."""
        return self.add("#developers", "Organization", name="the nontrivial developers")

    def agent(self) -> Entity:
        """Whoever started the run."""
        text = "Not named: there is no name of a person in these results."
        return self.add("#operator", "Person", name="Whoever ran the study", description=text)

    def licence(self, text: str) -> Entity | str:
        """Refer to a licence that has an address; give any other in its own words."""
        if text not in LICENCES:
            return text
        return self.add(LICENCES[text], "CreativeWork", name=text, description=f"The licence {text}.")


def _one_or_all(entities: Iterable[Entity]) -> Any:
    """Each of the entities once; the one alone where there is but one, as JSON-LD in RO-Crate has it."""
    every = list({entity.id: entity for entity in entities}.values())
    return every[0] if len(every) == 1 else every
