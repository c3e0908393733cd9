"""The study as an RO-Crate 1.1: every file of the results, and the run that made them, with parameters and sources."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from rocrate.model import ContextEntity, Entity
from rocrate.rocrate import ROCrate

from nontrivial.files import read_json
from nontrivial_study.provenance.run import CODE, README, RUN

_PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": "Workflow RO-Crate",
}
_TYPES = {bool: "Boolean", int: "Integer", float: "Float"}
_LICENCES = {
    "CC BY 4.0": "https://creativecommons.org/licenses/by/4.0/",
    "BSD-3-Clause": "https://spdx.org/licenses/BSD-3-Clause",
}
# What the workflow is run for.
_OUTPUTS = ("report/index.html", "claims/verdicts.json", "claims/verdicts.csv")
_MEDIA = {"csv": "text/csv", "html": "text/html", "md": "text/markdown", "svg": "image/svg+xml"}
_MEDIA |= {"json": "application/json", "parquet": "application/vnd.apache.parquet", "pdf": "application/pdf"}
_MEDIA |= {"png": "image/png", "zip": "application/zip"}


def make_crate(results: Path, made: Sequence[str]) -> dict[str, Any]:
    """Return ``ro-crate-metadata.json`` of a folder of results that has ``run.json`` and ``code.zip``.

    `made` has the paths in it of the files that the study made; FileNotFoundError if one of them is not there.
    """
    crate, run = ROCrate(version="1.1"), read_json(results / RUN)
    developers = _add(crate, "#developers", "Organization", name="the nontrivial developers")
    text = "Not named: there is no name of a person in these results."
    operator = _add(crate, "#operator", "Person", name="Whoever ran the study", description=text)
    root = crate.root_dataset
    root["name"] = "Results of the nontrivial study"
    root["description"] = (
        "Measures, curves and experiments on which a worthless model scores nothing, and a verdict on each claim "
        "of the documents behind them, with the data, the code and the parameters that they follow from."
    )
    root["datePublished"], root["license"] = run["finished"], _licence(crate, "BSD-3-Clause")
    root["author"] = developers
    root["conformsTo"] = [
        _add(crate, address, "CreativeWork", name=name, version=PurePosixPath(address).name)
        for address, name in _PROFILES.items()
    ]
    files = _add_files(crate, results, made, run["packages"]["snakemake"])
    workflow = files[CODE]
    workflow["creator"], workflow["sdPublisher"] = developers, operator
    values = _describe_workflow(crate, run, files)
    root["mentions"] = _add(
        crate,
        "#run",
        "CreateAction",
        name="Run of the study",
        description="All jobs of the workflow, with the configuration as it stands in its parameters.",
        instrument=workflow,
        object=[*values, *_add_sources(crate, results, files)],
        result=[files[name] for name in made],
        startTime=run["started"],
        endTime=run["finished"],
        actionStatus="http://schema.org/CompletedActionStatus",
        agent=operator,
    )
    metadata: dict[str, Any] = crate.metadata.generate()
    return metadata


def _add_files(crate: ROCrate, results: Path, made: Sequence[str], engine: str) -> dict[str, Entity]:
    """Add what the study made, its code, and what it says of itself."""
    files = {}
    for name in [*made, *(name for name in (README, RUN, CODE) if (results / name).is_file())]:
        path = results / name
        file = {"name": name, "contentSize": str(path.stat().st_size)}
        file["encodingFormat"] = _MEDIA.get(path.suffix[1:], "application/octet-stream")
        if name == CODE:
            language = {"lang": "snakemake", "lang_version": engine}
            files[name] = crate.add_workflow(path, name, main=True, properties=file, **language)
        else:
            files[name] = crate.add_file(path, name, properties=file)
    if README in files:
        files[README]["about"] = crate.root_dataset
    return files


def _add_sources(crate: ROCrate, results: Path, files: Mapping[str, Entity]) -> list[Entity]:
    """Add where data sets come from, by their records, and say so of their files."""
    sources = {}
    for name in files:
        content = read_json(results / name) if re.match(r"(data|openml)/.*\.json$", name) else None
        for record in content.get("tasks", [content]) if isinstance(content, dict) else ():
            if "address" not in record:
                continue
            licence, title = _licence(crate, record["licence"]), record["title"]
            source = _add(crate, record["address"], "CreativeWork", name=title, license=licence)
            sources[source.id] = source
            for file in (files.get(f"data/{record['name']}.{ending}") for ending in ("parquet", "json")):
                if file:
                    file["license"], file["isBasedOn"], file["description"] = licence, source, title
    return list(sources.values())


def _describe_workflow(crate: ROCrate, run: Mapping[str, Any], files: Mapping[str, Entity]) -> list[Entity]:
    """Say of the code what software it takes and what parameters; return the values of these."""
    workflow, values = files[CODE], []
    workflow["name"], workflow["version"] = "nontrivial", run["packages"]["nontrivial"]
    workflow["license"], workflow["url"] = _licence(crate, "BSD-3-Clause"), workflow
    workflow["conformsTo"] = {"@id": "https://bioschemas.org/profiles/ComputationalWorkflow/1.0-RELEASE"}
    workflow["description"] = "The workflow, in the file Snakefile, with the package and the configuration."
    workflow["dateCreated"] = run["finished"]
    if commit := run["commit"]:
        name = "commit, with changes" if commit["altered"] else "commit"
        workflow["identifier"] = _add(crate, "#commit", "PropertyValue", name=name, value=commit["id"])
    for name, version in {"python": run["python"], **run["packages"]}.items():
        pages = {"python": "https://www.python.org/", "nontrivial": workflow}
        about = {"name": name, "softwareVersion": version}
        about["url"] = pages.get(name, f"https://pypi.org/project/{name}/{version}/")
        identifier = f"pkg:{'generic' if name == 'python' else 'pypi'}/{name}@{version}"
        workflow.append_to("softwareRequirements", _add(crate, identifier, "SoftwareApplication", **about))
    for key, value in _leaves(run["config"]):
        parameter = crate.add_formal_parameter(key, _TYPES.get(type(value), "Text"), f"#parameter/{key}")
        about = {"name": key, "value": value, "exampleOfWork": parameter}
        values.append(_add(crate, f"#value/{key}", "PropertyValue", **about))
        parameter["workExample"] = values[-1]
        workflow.append_to("input", parameter)
    for path in filter(files.__contains__, _OUTPUTS):
        output = crate.add_formal_parameter(path, "File", f"#output/{path}")
        output["workExample"], files[path]["exampleOfWork"] = files[path], output
        workflow.append_to("output", output)
    return values


def _leaves(config: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Go through a configuration: dotted keys, and values as a property can hold them, lists as JSON."""
    for key, value in config.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{prefix}{key}.")
        else:
            plain = isinstance(value, str | bool | int | float)
            yield f"{prefix}{key}", value if plain else json.dumps(value, sort_keys=True, ensure_ascii=False)


def _add(crate: ROCrate, identifier: str, kind: str, **properties: Any) -> Entity:
    """Add what is not a file, or give what is there already under that identifier."""
    entity = crate.get(identifier)
    return entity or crate.add(ContextEntity(crate, identifier, {"@type": kind, **properties}))


def _licence(crate: ROCrate, text: str) -> Entity | str:
    """Refer to a licence that has an address; give any other in its own words."""
    if text not in _LICENCES:
        return text
    return _add(crate, _LICENCES[text], "CreativeWork", name=text, description=f"The licence {text}.")
