"""The figures of a study, embedded as far as a page may weigh."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from nontrivial.files import find_files
from nontrivial_study.report.captions import document_of, document_rank

_OUTLINE = re.compile(r' d="[^"]*"')
_DECIMALS = re.compile(r"(\.[0-9]{2})[0-9]+")
_UNQUOTED = " /:=;,()+!*@$-._~"  # besides letters and digits, what needs no quoting in a picture's address


@dataclass(frozen=True)
class Picture:
    """A figure: its name, the picture as a data address or None, and its files by kind."""

    name: str
    address: str | None
    files: Mapping[str, str]


def read_pictures(results: Path, budget: int) -> list[Picture]:
    """Read the figures by document and name, each embedded in its shorter form.

    Parameters
    ----------
    results : path
    budget : int
        Bytes that all addresses may have together; the longest are left out if not all fit.
    """
    folder = results / "figures"
    names = {path.stem for ending in ("svg", "png") for path in find_files(folder, f"*.{ending}")}
    shortest = {name: min(_addresses(folder, name), key=len) for name in sorted(names)}
    embedded = {}
    for name, address in sorted(shortest.items(), key=lambda item: len(item[1])):
        budget -= len(address)
        if budget >= 0:
            embedded[name] = address
    return [Picture(name, embedded.get(name), _files(folder, name)) for name in sorted(names, key=_rank)]


def _files(folder: Path, name: str) -> dict[str, str]:
    endings = [ending for ending in ("svg", "pdf", "png", "csv") if (folder / f"{name}.{ending}").is_file()]
    return {ending: f"figures/{name}.{ending}" for ending in endings}


def _addresses(folder: Path, name: str) -> list[str]:
    addresses = []
    vector, bitmap = folder / f"{name}.svg", folder / f"{name}.png"
    if vector.is_file():
        # A fifth shorter than in base64, since most of a drawing is digits and spaces; outlines need no more of these.
        drawing = re.sub(r"\s+", " ", vector.read_text(encoding="utf-8"))
        drawing = _OUTLINE.sub(lambda outline: _DECIMALS.sub(r"\1", outline[0]), drawing)
        addresses.append(f"data:image/svg+xml,{quote(drawing, safe=_UNQUOTED)}")
    if bitmap.is_file():
        addresses.append(f"data:image/png;base64,{base64.b64encode(bitmap.read_bytes()).decode('ascii')}")
    return addresses


def _rank(name: str) -> tuple[int, bool, str]:
    """Sort by document, and in it the document's own figures before what was added to them."""
    place, _ = document_rank(document_of(name) or "")
    return place, "_figure_" not in name, name
