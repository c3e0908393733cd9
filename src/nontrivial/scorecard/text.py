"""A result as text: the screen, and under it what ``--all`` and ``--explain`` add."""

from __future__ import annotations

import itertools
import re
import shutil
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from nontrivial.scorecard.compare import cards_of
from nontrivial.scorecard.evaluate import Scorecard
from nontrivial.scorecard.glossary import meaning_of
from nontrivial.scorecard.sections import (
    COMPARED,
    EXPLAINED,
    Section,
    assumed_words,
    counts,
    detail_sections,
    heading,
    in_use,
    notes_of,
    terms_of,
    verdict_sections,
    verdict_sentences,
)
from nontrivial.terminal import columns_of, cut, visible

WIDTH, HEIGHT = 100, 24
NARROW = 80
MORE = "More: --all (every measure), --explain (tests, assumptions), --output card.html"
Words = Callable[[str], str]


def render_text(result: Any, *, every: bool = False, explain: bool = False, words: Words = str) -> str:
    """Write a result for a terminal; control characters that come from the data are escaped."""
    lines = _screen(result, words)
    if every or explain:
        for section in detail_sections(result):
            lines += _details(section, every, explain, words)
    if explain:
        meanings = [[name, meaning_of(name)] for name in terms_of(result)]
        lines += ["", "Methods, tests and assumptions", *listing(meanings)]
    return "\n".join(map(visible, lines)).rstrip() + "\n"


def _details(section: Section, every: bool, explain: bool, words: Words) -> list[str]:
    if section.parts:
        lines = [line for part in section.parts for line in _details(part, every, explain, words)]
        return ["", f"{section.title}:", *lines] if lines else []
    if not (explain if section.id == EXPLAINED else every):
        return []
    return ["", section.title, *paragraphs(map(words, section.sentences)), *_table(section)]


def _table(section: Section, indent: str = "") -> list[str]:
    if section.table is None:
        return []
    titles, rows = section.table
    if titles[-1]:
        return grid([titles, *rows], indent)
    return listing([titles, *rows] if any(titles) else rows, indent)


def rows_of(section: Section) -> list[list[str]]:
    """The rows of a table without its titles."""
    return [] if section.table is None else section.table[1]


# Lines that fit the terminal.

_TIE, _FILLER = "\x00", "\x01"  # no data holds these, as control characters are escaped
_TIED = re.compile(
    r"(?<=[0-9]) %|(?<=\[0), (?=1\])|(?<=[0-9]) to (?=-?[0-9.]+\))|(?<=[0-9]) (?=\(-?[0-9])|(?:(?<=\)), )?\bp [=<] "
)
NUMERIC = re.compile(r"-?[\d.,]+(e[+-]?\d+)?%?|-?inf|p [=<] [\d.]+|undefined")


def screen_width() -> int:
    """The columns of the terminal, from 40 to `WIDTH`."""
    return max(min(shutil.get_terminal_size((WIDTH, HEIGHT)).columns, WIDTH), 40)


def wrapped(text: str, indent: str = "  ") -> list[str]:
    """Break a sentence into lines of the terminal's width, none of which parts a number from its unit."""
    tied = re.sub(_TIED, lambda found: found[0].replace(" ", _TIE), visible(text))
    spread = "".join(_FILLER * (columns_of(each) == 2) + each for each in tied)
    width = screen_width() - (_FILLER in spread)  # a line may end after a filler
    lines = textwrap.wrap(spread, width, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace(_TIE, " ").replace(_FILLER, "") for line in lines]


def paragraphs(sentences: Iterable[str], indent: str = "  ") -> list[str]:
    """The lines of sentences, each from a line of its own on."""
    return [line for sentence in sentences for line in wrapped(sentence, indent)]


def grid(rows: Sequence[Sequence[str]], indent: str = "") -> list[str]:
    """Lines of columns below their titles; columns of numbers stand at the right, but for the first."""
    columns = [[visible(cell) for cell in column] for column in zip(*rows, strict=True)]
    sizes = [max(map(columns_of, column)) for column in columns]
    numeric = [all(map(NUMERIC.fullmatch, column[1:])) for column in columns]
    numeric[0] = False

    def padded(cell: str, size: int, at_right: bool) -> str:
        blanks = " " * (size - columns_of(cell))
        return blanks + cell if at_right else cell + blanks

    lines = (map(padded, row, sizes, numeric) for row in zip(*columns, strict=True))
    return [(indent + "  ".join(line)).rstrip() for line in lines]


def beside(rows: Sequence[Sequence[str]], indent: str = "") -> list[list[str]]:
    """The lines of each row, whose last cell holds sentences; these go on below their start, or near the left."""
    found = []
    for line, row in zip(grid([[*row[:-1], "|"] for row in rows], indent), rows, strict=True):
        start = line.removesuffix("|")
        below = 6 if screen_width() < max(NARROW, columns_of(start) + 36) else columns_of(start)
        found.append(wrapped((start + row[-1]).rstrip(), " " * below))
    return found


def listing(rows: Sequence[Sequence[str]], indent: str = "") -> list[str]:
    """The lines of all rows, as `beside` gives them."""
    return list(itertools.chain.from_iterable(beside(rows, indent)))


# The screen.


def _screen(result: Any, words: Words) -> list[str]:
    foot = paragraphs([assumed_words(cards_of(result)[0]), words(MORE)], indent="")
    if isinstance(result, Scorecard):
        return _screen_of_card(result, words, HEIGHT - len(foot)) + foot
    return _screen_of_rows(result, words) + foot


def _screen_of_card(card: Scorecard, words: Words, height: int) -> list[str]:
    """The screen of one model; where there is no room for all, the worth in use goes first, then the notes."""
    narrow = screen_width() < NARROW
    (verdicts,), table, use = verdict_sections(card), counts(card, screen_width()), in_use(card)
    rows = rows_of(verdicts)
    if narrow:
        rows = [[*start, said if "no interval" in said else said.partition(";")[0]] for *start, said in rows]
    said = [f"  {words(each)}" for each in verdict_sentences(card)]
    blocks = [
        paragraphs(map(words, heading(card))),
        ["Better than trivial?", *listing(rows, "  "), *paragraphs(said)],
        [*paragraphs(table.sentences), *_table(table, "  ")] if table else [],
    ]
    in_words, notes = listing(rows_of(use)) if use else [], _notes(card, words)
    counted = [words(f"{len(card.notes)} note{'s' * (len(card.notes) > 1)}: --explain")]
    layouts = [([""], in_words, notes), ([], in_words, notes), ([], [], notes), ([], [], counted)]
    for gap, shown, noted in layouts[1:] if narrow else layouts:
        lines = [line for block in (*blocks, shown) if block for line in (*block, *gap)] + noted
        if len(lines) <= height:
            break
    return lines


def _screen_of_rows(result: Any, words: Words) -> list[str]:
    """The screen of several models or of subgroups; a narrow terminal shows no differences between models."""
    sections, width = verdict_sections(result), screen_width()
    rows = [row for section in sections for row in rows_of(section)]
    compared = any(section.table[0][-1] for section in sections if section.table)
    if width < NARROW:
        compared = False
        rows = [
            [*start, f"{value}, {more}" if more.startswith("no interval") else value]
            for *start, value, more in rows
        ]
    most = max(min(width - 42, 34), 10)
    shown = iter(beside([[cut(name, most), *more] for name, *more in rows], "    "))
    lines = [f"Better than trivial?{f' Value and {COMPARED}:' if compared else ''}"]
    for section in sections:
        lines += wrapped(f"  {section.title}", " " * 4)
        for _ in rows_of(section):
            lines += next(shown)
    said = paragraphs(map(words, verdict_sentences(result)), indent="")
    return [*paragraphs(map(words, heading(result))), "", *lines, "", *said, *_notes(result, words)]


def _notes(result: Any, words: Words) -> list[str]:
    """The notes, each from a line of its own on."""
    return paragraphs(f"Note: {words(note)}" for note in notes_of(result))
