"""The figures of a study, embedded as far as a page may weigh."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from nontrivial.report.captions import DOCUMENTS

BUDGET = 3_000_000  # bytes of embedded pictures; what is beyond is linked, so that the page stays under 5 MB
_TYPES = {".svg": "image/svg+xml", ".png": "image/png"}


@dataclass(frozen=True)
class Picture:
    """A figure: its name, the picture as a data address or None, and its files by kind."""

    name: str
    address: str | None
    files: Mapping[str, str]


def read_pictures(results: Path, budget: int = BUDGET) -> list[Picture]:
    """Read the figures by document and name, each in its smaller form; the largest go first if not all fit."""
    folder = results / "figures"
    names = {path.stem for path in folder.glob("*") if path.suffix in _TYPES}
    smallest = {
        name: min(
            (path for path in (folder / f"{name}{ending}" for ending in _TYPES) if path.is_file()),
            key=lambda path: path.stat().st_size,
        )
        for name in names
    }
    addresses = {}
    for name in sorted(names, key=lambda name: (smallest[name].stat().st_size, name)):
        address = _data_address(smallest[name])
        budget -= len(address)
        if budget >= 0:
            addresses[name] = address
    return [Picture(name, addresses.get(name), _files(folder, name)) for name in sorted(names, key=_rank)]


def _files(folder: Path, name: str) -> dict[str, str]:
    endings = [ending for ending in ("svg", "pdf", "png", "csv") if (folder / f"{name}.{ending}").is_file()]
    return {ending: f"figures/{name}.{ending}" for ending in endings}


def _data_address(path: Path) -> str:
    data = base64.b64encode(path.read_bytes()).decode("ascii")
    return f"data:{_TYPES[path.suffix]};base64,{data}"


def _rank(name: str) -> tuple[int, bool, str]:
    """Sort by document, and in it the document's own figures before what was added to them."""
    known, first = list(DOCUMENTS), name.split("_")[0]
    place = known.index(first) if first in known else len(known)
    return place, "_figure_" not in name, name
