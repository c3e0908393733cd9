"""What the public packages offer, who imports whom, and that a job of seconds loads nothing that it has no use for."""

import ast
import importlib
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = {
    ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__"): path
    for package in ("nontrivial", "nontrivial_study")
    for path in (ROOT / "src" / package).rglob("*.py")
}


def imported(name):
    """The modules of ours that a module imports anywhere, whether when it is loaded, later, or for its types."""
    for node in ast.walk(ast.parse(FILES[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name in FILES)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{name}: imports have whole names"
            inner = [f"{node.module}.{each.name}" for each in node.names]
            yield from (each if each in FILES else node.module for each in inner if node.module in FILES)


IMPORTS = {name: set(imported(name)) for name in FILES}


def part(name):
    """The folder that a module is in, or its file at the top of the study and for the command."""
    package, _, rest = name.partition(".")
    first = rest.partition(".")[0]
    if (ROOT / "src" / package / first).joinpath("__init__.py").is_file():
        return f"{package}/{first}" if first else package
    if first == "__main__":
        first = "cli"
    return package if package == "nontrivial" and first != "cli" else f"{package}/{first}.py"


def test_the_library_never_imports_the_study():
    for name, others in IMPORTS.items():
        of_study = {other for other in others if other.startswith("nontrivial_study")}
        assert name.startswith("nontrivial_study") or not of_study, name


def test_no_modules_import_each_other_in_a_circle():
    TopologicalSorter(IMPORTS).prepare()


def test_the_table_of_the_design_says_who_imports_whom():
    page = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `src/(nontrivial\S*?)/?` \|.*\|([^|]*)\|$", page, re.MULTILINE)
    documented = {place: set(re.findall(r"`([^`]+)`", others)) for place, others in rows}
    imported = {part(name): set() for name in FILES if part(name) != "nontrivial_study"}
    for name, others in IMPORTS.items():
        for other in map(part, others):
            if other not in (part(name), "nontrivial", "nontrivial_study"):
                imported[part(name)].add(other.rpartition("/")[2])
    assert documented == imported


def test_the_design_names_functions_that_exist():
    page = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    nodes = (node for file in FILES.values() for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    functions = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    assert set(re.findall(r"`(\w+)\(\)`", page)) <= functions


@pytest.mark.parametrize("name", ["nontrivial.measures", "nontrivial.curves"])
def test_every_public_name_is_there(name):
    package = importlib.import_module(name)
    assert package.__all__
    assert set(package.__all__) <= set(dir(package))
    for public in package.__all__:
        assert getattr(package, public) is not None
    with pytest.raises(AttributeError, match="no_such_measure"):
        package.no_such_measure  # noqa: B018


# In the order in which one process imports them; what it has loaded by then is looked for after each.
UNUSED = {
    "nontrivial.displays": "matplotlib",
    "nontrivial_study.experiments.imbalance.imbalance, nontrivial_study.experiments.ranks.ranks": "scipy.optimize",
    "nontrivial_study.experiments.tasks.scores, nontrivial_study.experiments.tasks.scores": "sklearn",
    "nontrivial_study.provenance.run, nontrivial_study.config": "sklearn",
}


def test_a_job_does_not_load_what_it_has_no_use_for():
    steps = [f"import {modules}\nprint({slow!r} in sys.modules)" for modules, slow in UNUSED.items()]
    code = "\n".join(["import sys", *steps])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"] * len(UNUSED)


def test_the_library_is_there_by_its_name():
    code = "import nontrivial as n; print(n.measures.p4_score([1, 0], [1, 0]), n.curves.prg_auc_score([1, 0], [1, 0]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1.0", "1.0"]
