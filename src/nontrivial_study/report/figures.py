"""The figures of a study, embedded as far as a page may weigh, and their captions."""

import base64
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from nontrivial.files import find_files
from nontrivial_study.declarations import experiment_of, load_experiments
from nontrivial_study.experiments.results import NOT_EVALUATED
from nontrivial_study.report.tables import show_table
from nontrivial_study.tables import read_texts

_OUTLINE = re.compile(r' d="[^"]*"')
_DECIMALS = re.compile(r"(\.[0-9]{2})[0-9]+")
_FIGURE_ROWS = 8  # of a figure's numbers that are shown under it
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


def origin_of(name: str) -> str:
    """Say where a figure comes from: the document, and the number it has there.

    Examples
    --------
    >>> origin_of("prg_figure_4"), origin_of("pa_figure_1_other_data"), origin_of("pa_losses"), origin_of("other")
    ('PRG paper, Figure 4', 'PA paper, after Figure 1', 'PA paper', '')
    """
    experiment = experiment_of(name)
    figure = experiment.figures.get(name, {})
    places = {"number": "Figure {}", "after": "after Figure {}"}
    there = [place.format(figure[key]) for key, place in places.items() if key in figure]
    return ", ".join([display_name(experiment.document), *there])


def figure_of(document: str, number: int) -> str:
    """Return the name of the figure that is a document's figure of this number; empty without one."""
    figures = (
        name
        for experiment in load_experiments().values()
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
    experiment = experiment_of(name)
    is_added = not {"number", "after"} & experiment.figures.get(name, {}).keys()
    return document_rank(experiment.document, documents), is_added, name


def show_figures(
    results: Path, captions: Mapping[str, str], sources: Mapping[str, Mapping[str, str]], budget: int
) -> dict[str, dict[str, Any]]:
    """Return what the page says of each figure, by name, with its picture as far as the budget of bytes lasts."""
    return {
        picture.name: {
            "picture": picture,
            "caption": read_caption(picture.name, captions.get(picture.name)),
            "origin": origin_of(picture.name),
            "address": sources.get(experiment_of(picture.name).document, {}).get("address", ""),
            **_show_numbers(results, picture),
        }
        for picture in read_pictures(results, budget, list(sources))
    }


def _show_numbers(results: Path, picture: Picture) -> dict[str, Any]:
    """The first of a figure's numbers, and why it shows nothing where they say that nothing was evaluated for it."""
    if "csv" not in picture.files:
        return {"numbers": None, "why_not": ""}
    numbers = read_texts(results / picture.files["csv"])
    reasons = set(numbers["status"]) if "status" in numbers else set()
    reason = str(reasons.pop()) if len(reasons) == 1 else ""
    return {
        "numbers": show_table(f"figure-{picture.name}", numbers.head(_FIGURE_ROWS), total=len(numbers)),
        "why_not": reason.removeprefix(f"{NOT_EVALUATED}: ") if reason.startswith(NOT_EVALUATED) else "",
    }
