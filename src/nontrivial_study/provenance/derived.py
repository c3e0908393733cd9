"""What follows from other files of the results is made again and compared."""

import importlib.util
from collections.abc import Mapping, Sequence
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
from nontrivial_study.provenance.run import CODE, files_below, find_changes, find_other_code
from nontrivial_study.tables import write_table

_PAGE, _TABLE = "report/index.html", "claims/verdicts.csv"
# The packages on which the bytes of the page and the crate depend.
_RENDERING = {"jinja2", "markupsafe", "numpy", "pandas", "rocrate"}
_CAPTIONS = ("workflow/report/*.rst", "src/nontrivial_study/experiments/*/captions/*.rst")


def check_derived(
    findings: Findings,
    code: Path,
    registry: Path,
    verdicts: Sequence[dict[str, Any]],
    run: Mapping[str, Any],
    left: Sequence[str],
) -> None:
    """Make the table of verdicts, the page and the crate again, and name what differs.

    `code` has the unpacked code, `registry` its claims. Other versions of packages than in the record of the `run`, and
    files `left` from an earlier configuration, may change the page of honest results.
    """
    if verdicts and (text := findings.read(_TABLE, partial(_check_table, code, verdicts))):
        findings.add(MISMATCH, _TABLE, text)
    packages = [Path(package.__path__[0]) for package in (nontrivial, nontrivial_study)]
    installed = {f"{path.name}/{name}": file for path in packages for name, file in files_below(path).items()}
    if other := find_other_code(installed, files_below(code / "src")):
        reason = f"the package installed here is not the one in {CODE}: {listed(other)}"
        findings.note("report", f"and {CRATE} were not made again: {reason}.")
        return
    versions = [text for name, text in find_changes(run).items() if name.lower() in _RENDERING]
    checks = [(_PAGE, partial(_check_page, code, registry), [*versions, *left])]
    if importlib.util.find_spec("rocrate"):
        checks.append((CRATE, partial(_check_crate), versions))
    else:
        findings.note(CRATE, "was not made again, which takes the package rocrate.")
    for name, check, reasons in checks:
        text = findings.read(name, check)
        if text and reasons:
            findings.note(name, f"{text} This may come from {listed(reasons)}.")
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
    is_same = page == path.read_text(encoding="utf-8")
    return "" if is_same else "is not the page that follows from the other files."


def _check_crate(path: Path) -> str:
    """Describe the files again, and name the entities that differ."""
    from nontrivial_study.provenance.crate import make_crate  # slow

    stored = {entity["@id"]: entity for entity in read_json(path)["@graph"]}
    made = [part["@id"] for part in stored["#run"]["result"] if (path.parent / part["@id"]).exists()]
    again = {entity["@id"]: entity for entity in plain(make_crate(path.parent, made))["@graph"]}
    names = sorted(name for name in stored | again if stored.get(name) != again.get(name))
    return f"does not follow from run.json and the other files: {listed(names)}." if names else ""
