"""The figures of a study with their captions, embedded as far as the size of the page allows."""

import base64
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from nontrivial.files import find_files
from nontrivial_study.declarations import experiment_of, load_experiments
from nontrivial_study.experiments.results import NOT_EVALUATED_OUTCOME
from nontrivial_study.report.tables import show_table
from nontrivial_study.tables import read_texts

Sources = Mapping[str, Mapping[str, str]]  # the title and the address of each document

_SVG_OUTLINE = re.compile(r' d="[^"]*"')
_DECIMALS_BEYOND_TWO = re.compile(r"(\.[0-9]{2})[0-9]+")
_MAX_SHOWN_ROWS = 8  # rows of a figure's numbers that are shown under it
_UNQUOTED = " /:=;,()+!*@$-._~"  # characters that need no quoting in a picture's address


@dataclass(frozen=True)
class Caption:
    """A caption's first paragraph, which is the heading, and its other text."""

    title: str
    text: str


def read_caption(name: str, text: str | None) -> Caption:
    """Split a caption after its first paragraph; without a caption the name is the heading."""
    title, _, body = (text or "").strip().partition("\n\n")
    title, body = " ".join(title.split()), " ".join(body.split())
    return Caption(title.removesuffix(".") or display_name(name.replace("_", " ")), body)


def origin_of(name: str) -> str:
    """Name the document that a figure belongs to, and the document's figure that it shows or extends.

    Examples
    --------
    >>> origin_of("prg_figure_4"), origin_of("pa_figure_1_other_data"), origin_of("pa_losses"), origin_of("other")
    ('PRG paper, Figure 4', 'PA paper, after Figure 1', 'PA paper', '')
    """
    experiment = experiment_of(name)
    figure = experiment.figures.get(name, {})
    formats = {"number": "Figure {}", "after": "after Figure {}"}
    numbers = [text.format(figure[key]) for key, text in formats.items() if key in figure]
    return ", ".join([display_name(experiment.document), *numbers])


def figure_of(document: str, number: int) -> str:
    """Return the name of the study's figure that has a number in a document; empty without one."""
    figures = (
        name
        for experiment in load_experiments().values()
        for name, figure in experiment.figures.items()
        if (experiment.document, figure.get("number")) == (document, number)
    )
    return next(figures, "")


def display_name(name: str) -> str:
    """Write a name with a capital, as in a heading."""
    return name[:1].upper() + name[1:]


def document_rank(document: str, documents: Sequence[str]) -> tuple[int, str]:
    """Return a key that sorts the given documents by their order, and puts all others after them, by name."""
    return (documents.index(document) if document in documents else len(documents)), document


@dataclass(frozen=True)
class Picture:
    """A figure with its files by ending, and its picture as a ``data:`` address if it is embedded."""

    name: str
    address: str | None
    files: Mapping[str, str]


def read_pictures(results: Path, budget: int, documents: Sequence[str] = ()) -> list[Picture]:
    """Read the figures, by document and name; the shortest are embedded, up to a budget of bytes."""
    folder = results / "figures"
    names = {path.stem for ending in ("svg", "png") for path in find_files(folder, f"*.{ending}")}
    shortest = {name: min(_data_addresses(folder, name), key=len) for name in sorted(names)}
    embedded = {}
    for name, address in sorted(shortest.items(), key=lambda item: len(item[1])):
        budget -= len(address)
        if budget >= 0:
            embedded[name] = address
    # By document, and in it the document's own figures before what was added to them.
    by_name = sorted(names)
    own_first = sorted(
        by_name, key=lambda name: not {"number", "after"} & experiment_of(name).figures.get(name, {}).keys()
    )
    by_document = sorted(own_first, key=lambda name: document_rank(experiment_of(name).document, documents))
    return [Picture(name, embedded.get(name), _files_by_ending(folder, name)) for name in by_document]


def _files_by_ending(folder: Path, name: str) -> dict[str, str]:
    endings = [ending for ending in ("svg", "pdf", "png", "csv") if (folder / f"{name}.{ending}").is_file()]
    return {ending: f"figures/{name}.{ending}" for ending in endings}


def _data_addresses(folder: Path, name: str) -> list[str]:
    """Return the ``data:`` addresses of a figure's drawing (SVG) and bitmap (PNG), if it has them."""
    addresses = []
    vector, bitmap = folder / f"{name}.svg", folder / f"{name}.png"
    if vector.is_file():
        # Quoted, a drawing is a fifth shorter than in base64. Two decimals are enough for outlines.
        drawing = re.sub(r"\s+", " ", vector.read_text(encoding="utf-8"))
        drawing = _SVG_OUTLINE.sub(lambda outline: _DECIMALS_BEYOND_TWO.sub(r"\1", outline[0]), drawing)
        addresses.append(f"data:image/svg+xml,{quote(drawing, safe=_UNQUOTED)}")
    if bitmap.is_file():
        addresses.append(f"data:image/png;base64,{base64.b64encode(bitmap.read_bytes()).decode('ascii')}")
    return addresses


def show_figures(
    results: Path, captions: Mapping[str, str], sources: Sources, budget: int
) -> dict[str, dict[str, Any]]:
    """Return what the page shows of each figure, by name; the pictures are embedded up to a budget of bytes."""
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
    """Show the first of a figure's numbers; if all have one reason why nothing was evaluated, it is `why_not`."""
    if "csv" not in picture.files:
        return {"numbers": None, "why_not": ""}
    numbers = read_texts(results / picture.files["csv"])
    statuses = set(numbers["status"]) if "status" in numbers else set()
    status = str(statuses.pop()) if len(statuses) == 1 else ""
    return {
        "numbers": show_table(f"figure-{picture.name}", numbers.head(_MAX_SHOWN_ROWS), total=len(numbers)),
        "why_not": status.removeprefix(f"{NOT_EVALUATED_OUTCOME}: ")
        if status.startswith(NOT_EVALUATED_OUTCOME)
        else "",
    }
