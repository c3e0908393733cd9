"""All files of versions say the same, fit pyproject.toml, and name no registry."""

import itertools
import re
import tomllib
from pathlib import Path

import yaml
from packaging.requirements import Requirement

from nontrivial_study.provenance.run import PLACES

ROOT = Path(__file__).parents[2]


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(lines) -> dict[str, str]:
    return {canonical(name): version for name, version in (line.strip().split("==") for line in lines)}


def constraints() -> dict[str, str]:
    lines = (ROOT / "envs" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return pins(line for line in lines if line and not line.startswith("#"))


def requirements() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted, found = [*project["dependencies"], "nontrivial[workflow]"], set()
    while wanted:
        requirement = Requirement(wanted.pop())
        if requirement.name == "nontrivial":
            wanted += itertools.chain(*map(project["optional-dependencies"].get, requirement.extras))
        else:
            found.add(canonical(requirement.name))
    return found


def conda_pins() -> dict[str, str]:
    dependencies = yaml.safe_load((ROOT / "envs" / "nontrivial.yaml").read_text(encoding="utf-8"))[
        "dependencies"
    ]
    return pins(next(entry["pip"] for entry in dependencies if isinstance(entry, dict)))


def test_conda_file_has_the_constraints_versions():
    pinned = constraints()
    assert conda_pins() == {name: pinned[name] for name in conda_pins()}


def test_conda_file_has_all_that_the_workflow_needs():
    assert requirements() == set(conda_pins())


def locked(name: str) -> dict[str, str]:
    text = (ROOT / "envs" / name).read_text(encoding="utf-8")
    return pins(re.findall(r"^[\w.-]+==[^\s;]+", text, flags=re.MULTILINE))


def test_digests_are_of_the_constraints_versions():
    assert locked("requirements.txt") == constraints()


def test_every_pin_has_a_digest():
    text = (ROOT / "envs" / "requirements.txt").read_text(encoding="utf-8")
    for entry in re.split(r"\n(?=\w)", text)[1:]:
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry


def test_pins_and_lowest_versions_fit_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *itertools.chain(*project["optional-dependencies"].values())]
    pinned, lowest = constraints(), locked("lowest.txt")
    for requirement in map(Requirement, wanted):
        if requirement.name != "nontrivial":
            assert requirement.specifier.contains(pinned[canonical(requirement.name)]), requirement
            assert requirement.specifier.contains(lowest[canonical(requirement.name)]), requirement


def test_no_registry_address():
    for path in (ROOT / "envs").iterdir():
        assert not re.search(r"https?:|index.url|find.links", path.read_text(encoding="utf-8")), path.name


def test_the_container_has_the_constraints_versions_and_the_python_of_the_conda_file():
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert "--constraint envs/constraints.txt '.[workflow]'" in text
    dependencies = yaml.safe_load((ROOT / "envs" / "nontrivial.yaml").read_text(encoding="utf-8"))[
        "dependencies"
    ]
    version = next(entry for entry in dependencies if "python=" in entry).removeprefix("python=")
    assert f"FROM python:{version}-" in text


def test_the_container_gets_the_files_that_a_study_depends_on():
    lines = [line.split() for line in (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()]
    copied = {name for first, *names in filter(None, lines) if first == "COPY" for name in names[:-1]}
    kept = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert copied == set(PLACES) == {line[1:] for line in kept if line.startswith("!")}


def test_every_rule_names_the_conda_file():
    for path in (ROOT / "workflow" / "rules").glob("*.smk"):
        text = path.read_text(encoding="utf-8")
        rules = re.findall(r"^ *rule\b.*:$", text, flags=re.MULTILINE)  # those made in a loop, too
        assert len(rules) == text.count('"../../envs/nontrivial.yaml"'), path.name
