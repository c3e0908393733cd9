"""What follows from other files of the results is made again and compared."""

import importlib.util
import tempfile
from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import Any

from nontrivial.files import read_json
from nontrivial.terminal import listed
from nontrivial_study.documents.evidence import verdict_table
from nontrivial_study.provenance.archive import Code
from nontrivial_study.provenance.findings import MISMATCH, Findings
from nontrivial_study.provenance.manifest import CRATE
from nontrivial_study.provenance.run import CODE, README
from nontrivial_study.tables import write_table

_PAGE, _TABLE = "report/index.html", "claims/verdicts.csv"


def check_derived(
    findings: Findings,
    code: Code,
    described: Collection[str],
    verdicts: list[dict[str, Any]],
    versions: list[str],
) -> None:
    """Make again the table of verdicts, the page, the crate and the text about the files, and name what differs.

    `described` has the files of the study itself, without those that an earlier configuration left. If this package,
    or the `versions` of others, are not those that made the results, the page and the crate may differ honestly.
    """
    texts: dict[str, str | None] = {}
    with tempfile.TemporaryDirectory() as scratch:
        again = Path(scratch)
        for name in described:
            (again / name).parent.mkdir(parents=True, exist_ok=True)
            (again / name).symlink_to((findings.folder / name).absolute())
        checks = {README: partial(_check_readme, code), _TABLE: partial(_check_table, verdicts, again)}
        for name, check in checks.items():
            text = findings.read(name, check) if name in described else None
            findings.add(MISMATCH, name, *([text] if text else []))
        if code.not_installed:
            reason = f"the package installed here is not the one in {CODE}: {listed(code.not_installed)}"
            findings.note("report", f"and {CRATE} were not made again: {reason}.")
            return
        if _PAGE in described:
            texts[_PAGE] = findings.read(_PAGE, partial(_check_page, code, again))
        if importlib.util.find_spec("rocrate") is None:
            findings.note(CRATE, "was not made again, which takes the package rocrate.")
        elif CRATE in described:
            texts[CRATE] = findings.read(CRATE, partial(_check_crate, again))
    for name, text in texts.items():
        if text and versions:
            findings.note(name, f"{text} Other versions of packages made it: {listed(versions)}.")
        elif text:
            findings.add(MISMATCH, name, text)


def _check_readme(code: Code, path: Path) -> str:
    return "" if path.read_bytes() == code.readme else f"is not the results/{README} in {CODE}."


def _check_table(verdicts: list[dict[str, Any]], again: Path, path: Path) -> str:
    write_table(again / "verdicts.csv", verdict_table(verdicts))
    is_same = (again / "verdicts.csv").read_bytes() == path.read_bytes()
    return "" if is_same else "does not say what verdicts.json says."


def _check_page(code: Code, again: Path, path: Path) -> str:
    """Render the page of the study's own files, or with what lay there from before."""
    from nontrivial_study.report.page import render_page  # slow

    page = path.read_text(encoding="utf-8")
    is_same = any(
        render_page(folder, code.captions, code.sources) == page for folder in (again, path.parents[1])
    )
    return "" if is_same else "is not the page that follows from the other files."


def _check_crate(again: Path, path: Path) -> str:
    """Describe the files again, and name the entities that differ."""
    from nontrivial_study.provenance.crate import write_crate  # slow

    stored = _entities(path)
    made = [part["@id"] for part in stored["#run"]["result"]]
    (again / CRATE).unlink()
    write_crate(again, [name for name in made if (again / name).exists()])
    described = _entities(again / CRATE)
    names = sorted(name for name in stored | described if stored.get(name) != described.get(name))
    return f"does not follow from run.json and the other files: {listed(names)}." if names else ""


def _entities(path: Path) -> dict[str, Any]:
    return {entity["@id"]: entity for entity in read_json(path)["@graph"]}
