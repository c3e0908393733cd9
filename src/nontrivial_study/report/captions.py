"""Captions: a heading, and what stands under the figure or above the table."""

from __future__ import annotations

import re
from dataclasses import dataclass

# The documents in the order in which they are shown, by the first word of their figures' names.
DOCUMENTS = {"pa": "PA paper", "prg": "PRG paper", "p4": "P4 article", "tutorial": "tutorial"}
_FIGURE = re.compile(r"_figure_(\d+)(?:_|$)")


@dataclass(frozen=True)
class Caption:
    """A caption's first paragraph, which serves as heading, and the rest."""

    title: str
    text: str


def read_caption(name: str, text: str | None) -> Caption:
    """Split a caption after its first paragraph; without a caption the name is the heading.

    Examples
    --------
    >>> read_caption("roc", "ROC curves of two models.\\n\\nThe diagonal is chance.")
    Caption(title='ROC curves of two models', text='The diagonal is chance.')
    >>> read_caption("cost_curve", None)
    Caption(title='Cost curve', text='')
    """
    title, _, rest = (text or "").strip().partition("\n\n")
    title, rest = " ".join(title.split()), " ".join(rest.split())
    return Caption(title.removesuffix(".") or display_name(name.replace("_", " ")), rest)


def document_of(name: str) -> str | None:
    """Return the document that a figure's name begins with, if it does.

    Examples
    --------
    >>> document_of("prg_figure_4"), document_of("calibration")
    ('PRG paper', None)
    """
    return DOCUMENTS.get(name.split("_")[0])


def origin_of(name: str) -> str:
    """Say where a figure comes from: the document, and the number it has there.

    Examples
    --------
    >>> origin_of("prg_figure_4"), origin_of("pa_figure_1_other_data"), origin_of("pa_losses"), origin_of("other")
    ('PRG paper, Figure 4', 'PA paper, after Figure 1', 'PA paper', '')
    """
    document, number = document_of(name), _FIGURE.search(name)
    if document is None:
        return ""
    if number is None:
        return display_name(document)
    after = "" if number.end() == len(name) else "after "
    return f"{display_name(document)}, {after}Figure {number[1]}"


def display_name(name: str) -> str:
    """Write a name as a heading: with a capital.

    Examples
    --------
    >>> display_name("tutorial"), display_name("PA paper")
    ('Tutorial', 'PA paper')
    """
    return name[:1].upper() + name[1:]


def document_rank(document: str) -> tuple[int, str]:
    """Sort documents: the known ones in their order, then the others by name."""
    known = list(DOCUMENTS.values())
    return (known.index(document) if document in known else len(known)), document
