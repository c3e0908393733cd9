"""The files that follow from other files of the results: they are made again and compared."""

import importlib.util
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import nontrivial
import nontrivial_study
from nontrivial.claims.registry import read_registry
from nontrivial.files import find_files, json_value, read_json
from nontrivial.terminal import listed
from nontrivial_study.documents.evidence import verdict_table
from nontrivial_study.provenance.recorded import MISMATCH, Findings, RecordedStudy
from nontrivial_study.provenance.run import CODE, CRATE, differing_files, environment_changes, files_below
from nontrivial_study.tables import write_table

_PAGE, _TABLE = "report/index.html", "claims/verdicts.csv"
# The bytes of the page and the crate depend on these packages.
_RENDERING_PACKAGES = {"jinja2", "markupsafe", "numpy", "pandas", "rocrate"}
_CAPTIONS = ("workflow/report/*.rst", "src/nontrivial_study/experiments/*/captions/*.rst")


def check_derived(findings: Findings, study: RecordedStudy, leftovers: Sequence[str]) -> None:
    """Make the table of verdicts, the page and the crate again, and report what differs.

    Another version of a package can change the page and the crate, and files left from an earlier configuration can
    change the page. A difference is then a note, because the results may be right.
    """
    if study.verdicts:
        _report_difference(findings, _TABLE, findings.read(_TABLE, partial(_check_table, study)))
    packages = [Path(package.__path__[0]) for package in (nontrivial, nontrivial_study)]
    installed = {f"{path.name}/{name}": file for path in packages for name, file in files_below(path).items()}
    if differing := differing_files(installed, files_below(study.code / "src")):
        reason = f"the package installed here is not the one in {CODE}: {listed(differing)}"
        findings.note("report", f"and {CRATE} were not made again: {reason}.")
        return
    changes = environment_changes(study.run)
    versions = [text for name, text in changes.items() if name.lower() in _RENDERING_PACKAGES]
    page_text = findings.read(_PAGE, partial(_check_page, study.config_path("claims"), study.code))
    _report_difference(findings, _PAGE, page_text, [*versions, *leftovers])
    if importlib.util.find_spec("rocrate"):
        _report_difference(findings, CRATE, findings.read(CRATE, _check_crate), versions)
    else:
        findings.note(CRATE, "was not made again, which takes the package rocrate.")


def _report_difference(findings: Findings, name: str, text: str | None, reasons: Sequence[str] = ()) -> None:
    """Add what is wrong with a file as a problem, or as a note if there are reasons that may explain it."""
    if text and reasons:
        findings.note(name, f"{text} This may come from {listed(reasons)}.")
    elif text:
        findings.add(MISMATCH, name, text)


def _check_table(study: RecordedStudy, path: Path) -> str:
    """Return what is wrong with the table of verdicts, or an empty text."""
    again = study.code / path.name
    write_table(again, verdict_table(list(study.verdicts.values())))
    return "" if again.read_bytes() == path.read_bytes() else "does not say what verdicts.json says."


def _check_page(registry: Path, code: Path, path: Path) -> str:
    """Return what is wrong with the page, or an empty text."""
    from nontrivial_study.report.page import render_page  # slow

    captions = {file.stem: file.read_text() for pattern in _CAPTIONS for file in find_files(code, pattern)}
    page = render_page(path.parents[1], captions, read_registry(registry)[0])
    is_same = page == path.read_text(encoding="utf-8")
    return "" if is_same else "is not the page that follows from the other files."


def _check_crate(path: Path) -> str:
    """Return which entities of the crate differ, or an empty text."""
    from nontrivial_study.provenance.crate import make_crate  # slow

    stored = {entity["@id"]: entity for entity in read_json(path)["@graph"]}
    made = [part["@id"] for part in stored["#run"]["result"] if (path.parent / part["@id"]).exists()]
    again = {entity["@id"]: entity for entity in json_value(make_crate(path.parent, made))["@graph"]}
    names = sorted(name for name in stored | again if stored.get(name) != again.get(name))
    return f"does not follow from run.json and the other files: {listed(names)}." if names else ""
