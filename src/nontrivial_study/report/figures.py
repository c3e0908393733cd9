"""The figures of a study, embedded as far as a page may weigh, and their captions."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import quote

from nontrivial.files import find_files
from nontrivial_study.declarations import declared, declaring

_OUTLINE = re.compile(r' d="[^"]*"')
_DECIMALS = re.compile(r"(\.[0-9]{2})[0-9]+")
_UNQUOTED = " /:=;,()+!*@$-._~"  # besides letters and digits, what needs no quoting in a picture's address


@dataclass(frozen=True)
class Caption:
    """A caption's first paragraph, which serves as heading, and the rest."""

    title: str
    text: str


def read_caption(name: str, text: str | None) -> Caption:
    """Split a caption after its first paragraph; without a caption the name is the heading."""
    title, _, rest = (text or "").strip().partition("\n\n")
    title, rest = " ".join(title.split()), " ".join(rest.split())
    return Caption(title.removesuffix(".") or display_name(name.replace("_", " ")), rest)


def document_of(name: str) -> str | None:
    """Return the document that a figure belongs to, if an experiment declares the figure."""
    experiment = declaring(name)
    return experiment.document_of(name) if experiment else None


def origin_of(name: str) -> str:
    """Say where a figure comes from: the document, and the number it has there.

    Examples
    --------
    >>> origin_of("prg_figure_4"), origin_of("pa_figure_1_other_data"), origin_of("pa_losses"), origin_of("other")
    ('PRG paper, Figure 4', 'PA paper, after Figure 1', 'PA paper', '')
    """
    experiment = declaring(name)
    if experiment is None:
        return ""
    figure = experiment.figures.get(name, {})
    places = (
        f"{word}Figure {figure[key]}" for key, word in (("number", ""), ("after", "after ")) if key in figure
    )
    return ", ".join([display_name(experiment.document), *places])


def figure_of(document: str, number: int) -> str:
    """Return the name of the figure that is a document's figure of this number; empty without one."""
    figures = (
        name
        for experiment in declared().values()
        for name, figure in experiment.figures.items()
        if (experiment.document, figure.get("number")) == (document, number)
    )
    return next(figures, "")


def display_name(name: str) -> str:
    """Write a name as a heading, with a capital."""
    return name[:1].upper() + name[1:]


def document_rank(document: str, documents: Sequence[str]) -> tuple[int, str]:
    """Sort documents: those given in their order, then the others by name."""
    return (documents.index(document) if document in documents else len(documents)), document


@dataclass(frozen=True)
class Picture:
    """A figure: its name, the picture as a data address or None, and its files by kind."""

    name: str
    address: str | None
    files: Mapping[str, str]


def read_pictures(results: Path, budget: int, documents: Sequence[str] = ()) -> list[Picture]:
    """Read the figures by document and name, each embedded in its shorter form while the budget lasts."""
    folder = results / "figures"
    names = {path.stem for ending in ("svg", "png") for path in find_files(folder, f"*.{ending}")}
    shortest = {name: min(_addresses(folder, name), key=len) for name in sorted(names)}
    embedded = {}
    for name, address in sorted(shortest.items(), key=lambda item: len(item[1])):
        budget -= len(address)
        if budget >= 0:
            embedded[name] = address
    return [
        Picture(name, embedded.get(name), _files(folder, name))
        for name in sorted(names, key=partial(_rank, documents))
    ]


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


def _rank(documents: Sequence[str], name: str) -> tuple[tuple[int, str], bool, str]:
    """Sort by document, and in it the document's own figures before what was added to them."""
    experiment = declaring(name)
    figure = experiment.figures.get(name, {}) if experiment else {}
    return document_rank(document_of(name) or "", documents), not {"number", "after"} & figure.keys(), name
