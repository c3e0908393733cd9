"""All files of versions say the same, fit pyproject.toml, and name no registry."""

import itertools
import re
import tomllib
from pathlib import Path

import yaml
from packaging.requirements import Requirement

from nontrivial_study.provenance.run import PROJECT_PATHS

ROOT = Path(__file__).parents[2]
TEXTS = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "envs").iterdir()}
CONDA = yaml.safe_load(TEXTS["nontrivial.yaml"])["dependencies"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DOCKER = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(lines) -> dict[str, str]:
    return {canonical(name): version for name, version in (line.strip().split("==") for line in lines)}


def locked(name: str) -> dict[str, str]:
    return pins(re.findall(r"^[\w.-]+==[^\s;]+", TEXTS[name], flags=re.MULTILINE))


def requirements() -> set[str]:
    wanted, found = [*PROJECT["dependencies"], "nontrivial[workflow]"], set()
    while wanted:
        requirement = Requirement(wanted.pop())
        if requirement.name == "nontrivial":
            wanted += itertools.chain(*map(PROJECT["optional-dependencies"].get, requirement.extras))
        else:
            found.add(canonical(requirement.name))
    return found


def test_conda_file_has_all_that_the_workflow_needs_in_the_constraints_versions():
    conda = pins(next(entry["pip"] for entry in CONDA if isinstance(entry, dict)))
    assert conda.items() <= locked("constraints.txt").items()
    assert requirements() == set(conda)


def test_every_pin_has_a_digest_and_none_an_address():
    assert locked("requirements.txt") == locked("constraints.txt")
    for entry in re.split(r"\n(?=\w)", TEXTS["requirements.txt"])[1:]:
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry
    for name, text in TEXTS.items():
        assert not re.search(r"https?:|index.url|find.links", text), name


def test_pins_and_lowest_versions_fit_the_project():
    wanted = [*PROJECT["dependencies"], *itertools.chain(*PROJECT["optional-dependencies"].values())]
    for requirement in map(Requirement, wanted):
        if requirement.name != "nontrivial":
            for name in ("constraints.txt", "lowest.txt"):
                assert requirement.specifier.contains(locked(name)[canonical(requirement.name)]), requirement


def test_the_container_has_the_same_versions_and_the_files_that_a_study_depends_on():
    assert "--constraint envs/constraints.txt '.[workflow]'" in DOCKER
    version = next(entry for entry in CONDA if "python=" in entry).removeprefix("python=")
    assert f"FROM python:{version}-" in DOCKER
    lines = [line.split() for line in DOCKER.splitlines()]
    copied = {name for first, *names in filter(None, lines) if first == "COPY" for name in names[:-1]}
    kept = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert copied == set(PROJECT_PATHS) == {line[1:] for line in kept if line.startswith("!")}


def test_the_recipe_for_conda_needs_what_the_package_needs():
    recipe = yaml.safe_load(TEXTS["meta.yaml"])
    package = recipe["package"]
    assert (package["name"], package["version"]) == (PROJECT["name"], PROJECT["version"])
    needed = {each.replace(" ", "") for each in recipe["requirements"]["run"]}
    assert needed == {f"python{PROJECT['requires-python']}", *PROJECT["dependencies"]}


def test_tox_runs_every_python_that_the_project_names():
    tox = tomllib.loads((ROOT / "tox.toml").read_text(encoding="utf-8"))
    named = re.findall(r"(?<=Python :: )3\.\d+", "\n".join(PROJECT["classifiers"]))
    assert [f"py{version.replace('.', '')}" for version in named] == tox["env_list"][1:]
