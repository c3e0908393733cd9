"""What follows from other files of the results is made again and compared."""

import importlib.util
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import nontrivial
import nontrivial_study
from nontrivial.claims.registry import read_registry
from nontrivial.files import find_files, plain, read_json
from nontrivial.terminal import listed
from nontrivial_study.documents.evidence import verdict_table
from nontrivial_study.provenance.findings import MISMATCH, Findings
from nontrivial_study.provenance.manifest import CRATE
from nontrivial_study.provenance.run import CODE, files_below, find_other_code, without_byproducts
from nontrivial_study.tables import write_table

_PAGE, _TABLE = "report/index.html", "claims/verdicts.csv"
_RENDERING = {
    "jinja2",
    "markupsafe",
    "numpy",
    "pandas",
    "rocrate",
}  # packages on which the page and crate depend
_CAPTIONS = ("workflow/report/*.rst", "src/nontrivial_study/experiments/*/captions/*.rst")


def check_derived(
    findings: Findings,
    code: Path,
    registry: Path,
    verdicts: Sequence[dict[str, Any]],
    versions: Sequence[str],
    left: Sequence[str],
) -> None:
    """Make the table of verdicts, the page and the crate again, and name what differs.

    `code` has the unpacked code, `registry` its claims. Honest results may be rendered differently by packages of other
    `versions` than in the record, and from files that are `left` from an earlier configuration.
    """
    checks: dict[str, Callable[[Path], str]] = {}
    if verdicts:
        checks[_TABLE] = partial(_check_table, code, verdicts)
    packages = [Path(package.__path__[0]) for package in (nontrivial, nontrivial_study)]
    installed = {f"{path.name}/{name}": file for path in packages for name, file in files_below(path).items()}
    if other := find_other_code(without_byproducts(installed), files_below(code / "src")):
        reason = f"the package installed here is not the one in {CODE}: {listed(other)}"
        findings.note("report", f"and {CRATE} were not made again: {reason}.")
    else:
        checks[_PAGE] = partial(_check_page, code, registry)
        if importlib.util.find_spec("rocrate"):
            checks[CRATE] = _check_crate
        else:
            findings.note(CRATE, "was not made again, which takes the package rocrate.")
    rendering = [version for version in versions if version.partition(" ")[0].lower() in _RENDERING]
    reasons = {_PAGE: [*rendering, *left], CRATE: rendering}
    for name, check in checks.items():
        text = findings.read(name, check)
        if text and reasons.get(name):
            findings.note(name, f"{text} This may come from {listed(reasons[name])}.")
        elif text:
            findings.add(MISMATCH, name, text)


def _check_table(code: Path, verdicts: Sequence[dict[str, Any]], path: Path) -> str:
    write_table(code / path.name, verdict_table(verdicts))
    is_same = (code / path.name).read_bytes() == path.read_bytes()
    return "" if is_same else "does not say what verdicts.json says."


def _check_page(code: Path, registry: Path, path: Path) -> str:
    from nontrivial_study.report.page import render_page  # slow

    captions = {file.stem: file.read_text() for pattern in _CAPTIONS for file in find_files(code, pattern)}
    page = render_page(path.parents[1], captions, read_registry(registry)[0])
    return (
        ""
        if page == path.read_text(encoding="utf-8")
        else "is not the page that follows from the other files."
    )


def _check_crate(path: Path) -> str:
    """Describe the files again, and name the entities that differ."""
    from nontrivial_study.provenance.crate import make_crate  # slow

    stored = _entities(read_json(path))
    made = [part["@id"] for part in stored["#run"]["result"] if (path.parent / part["@id"]).exists()]
    again = _entities(plain(make_crate(path.parent, made)))
    names = sorted(name for name in stored | again if stored.get(name) != again.get(name))
    return f"does not follow from run.json and the other files: {listed(names)}." if names else ""


def _entities(crate: dict[str, Any]) -> dict[str, Any]:
    return {entity["@id"]: entity for entity in crate["@graph"]}
