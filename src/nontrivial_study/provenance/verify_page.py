"""Rendering the page again, from the results that it shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any

from jinja2 import TemplateError

from nontrivial.claims.registry import read_sources
from nontrivial_study.provenance.manifest import RESULTS
from nontrivial_study.provenance.problems import DAMAGE, INCOMPLETE, MISMATCH, Problem
from nontrivial_study.provenance.project import find_listed
from nontrivial_study.provenance.verify_registry import registry_files, registry_place
from nontrivial_study.report.about import FILE as ABOUT
from nontrivial_study.report.about import read_about
from nontrivial_study.report.page import render_page

PAGE = "report/index.html"
_CAPTIONS = "workflow/report/"


def check_page(results: Path, run: Mapping[str, Any], listed: Mapping[str, str]) -> Iterator[Problem]:
    """Compare the page, byte by byte, with what the installed package renders of the results and their captions."""
    place = RESULTS + PAGE
    captions = {n: digest for n, digest in listed.items() if n.startswith(_CAPTIONS) and n.endswith(".rst")}
    root = find_listed(results, captions | registry_files(results))
    if root is None or not (results / PAGE).is_file():
        yield Problem(
            INCOMPLETE, place, "or what it is rendered from is missing, so it was not rendered again."
        )
        return
    try:
        about = results / "report" / ABOUT
        if about.is_file() and read_about(results)["version"] != run["packages"]["nontrivial"]:
            yield Problem(MISMATCH, f"{RESULTS}report/{ABOUT}", "names another version than run.json.")
        texts = {Path(name).stem: (root / name).read_text(encoding="utf-8") for name in captions}
        again = render_page(results, texts, read_sources(root / registry_place(results))).encode()
    except (TemplateError, *DAMAGE) as error:
        told = " ".join(str(error).split()) or type(error).__name__
        yield Problem(MISMATCH, place, f"cannot be rendered again: {told}")
        return
    stored = (results / PAGE).read_bytes()
    if stored != again:
        lines = enumerate(zip_longest(stored.split(b"\n"), again.split(b"\n")), start=1)
        line = next(number for number, (one, other) in lines if one != other)
        yield Problem(
            MISMATCH, place, f"is not what these results give: rendered again, it differs in line {line}."
        )
