"""Which modules of the package, with their files of data, a script of the workflow depends on."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

from nontrivial.files import sha256_of


@cache
def modules(project: str, script: str, *also: str) -> list[str]:
    """Return every module of the project that a script depends on, so that a change in one reruns its rule.

    A module reached through another counts, and so does a YAML file of a module's name beside it, which the module
    reads. The packages' own __init__ files gather names for users; they name no modules, so the package and the
    scripts import from the modules themselves.

    Parameters
    ----------
    project : str
        The project's folder, empty if it is the folder of work.
    script : str
        The script's name.
    *also : str
        Paths in the project of modules that it imports by names that it is given.
    """
    found = {os.path.join(project, path) for path in also}
    waiting = [os.path.join(project, "workflow", "scripts", f"{script}.py"), *found]
    while waiting:
        new = set(_imported(project, waiting.pop())) - found
        found |= new
        waiting += new
    beside = {str(Path(path).with_suffix(".yaml")) for path in found}
    return sorted(found.union(filter(os.path.isfile, beside)))


@cache
def digest_of_code(project: str, script: str) -> str:
    """Return what changes with any module that a script depends on.

    For a rule of so many jobs that its modules as inputs of each would be most of what the engine plans with.
    """
    return digest_of_files(modules(project, script))


def digest_of_files(paths: Iterable[str | Path]) -> str:
    """Return what changes with any of the files."""
    return sha256("".join(map(sha256_of, paths)).encode("ascii")).hexdigest()


@cache
def _imported(project: str, path: str) -> list[str]:
    """Return the project's modules that a Python file imports."""
    names: set[str] = set()
    for node in _statements(ast.parse(Path(path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    folders = {"nontrivial": Path(project, "src"), "benchmarks": Path(project)}
    stems = [
        folders[name.partition(".")[0]].joinpath(*name.split("."))
        for name in names
        if name.partition(".")[0] in folders
    ]
    files = [file for stem in stems for file in (stem.with_suffix(".py"), stem / "__init__.py")]
    return [str(file) for file in files if file.is_file()]


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements below a node; imports are statements, and most of a program are expressions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
            yield child
            yield from _statements(child)
