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
    verdict_sections,
    verdict_sentences,
)
from nontrivial.terminal import columns_of, cut, visible

WIDTH, HEIGHT = 100, 24
NARROW = 80
MORE = (
    "More: --all (every measure), --explain (tests, methods, assumptions), --output card.html",
    "More: --all, --explain, --output card.html",
)


def render_text(
    result: Any, *, every: bool = False, explain: bool = False, words: Callable[[str], str] = str
) -> str:
    """Write a result for a terminal; control characters that come from the data are escaped."""
    lines = _screen(result, words)
    for section in detail_sections(result):
        lines += _details(section, every, explain, words)
    return "\n".join(map(visible, lines)).rstrip() + "\n"


def _details(section: Section, every: bool, explain: bool, words: Callable[[str], str]) -> list[str]:
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
    return listing(rows, indent) if section.id in ("verdicts", "use") else grid([titles, *rows], indent)


# Lines that fit the terminal.

_TIE, _FILLER = "\x00", "\x01"  # no data holds these, as control characters are escaped
_TIED = re.compile(r"(?<=[0-9]) %|(?<=\[0), (?=1\])|\bp [=<]+ |(?<=[0-9]) to (?=-?[0-9.]+\))")
NUMERIC = re.compile(r"-?[\d.,]+(e[+-]?\d+)?%?|-?inf|< [\d.]+|undefined|0/0")


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


def rows_of(section: Section) -> list[list[str]]:
    """The rows of a table without its titles."""
    return [] if section.table is None else section.table[1]


def listing(rows: Sequence[Sequence[str]], indent: str = "") -> list[str]:
    """Lines of columns of which the last holds sentences; what goes on stands below their start, or near the left."""
    lines = []
    for line, row in zip(grid([[*row[:-1], "|"] for row in rows], indent), rows, strict=True):
        start = line.removesuffix("|")
        lines += wrapped(start + row[-1], " " * (4 if screen_width() < NARROW else columns_of(start)))
    return lines


# The screen.


def _screen(result: Any, words: Callable[[str], str]) -> list[str]:
    """The lines of the screen; of one model at most `HEIGHT`, and what has no room is left to the options."""
    if not isinstance(result, Scorecard):
        return _screen_of_rows(result, words)
    for brevity in range(5):
        lines = _screen_of_card(result, brevity, words)
        if len(lines) <= HEIGHT:
            break
    return lines


def _screen_of_card(card: Scorecard, brevity: int, words: Callable[[str], str]) -> list[str]:
    """The screen of one model; the briefer, the less: blank lines, words, worth in use and notes go one by one."""
    (verdicts,) = verdict_sections(card)
    rows = rows_of(verdicts)
    if brevity > 1:
        rows = [[*start, said if "no interval" in said else said.partition(";")[0]] for *start, said in rows]
    table, use, notes = counts(card, screen_width()), in_use(card), note_lines(card, words)
    if brevity > 3:
        notes = [words(f"{len(card.notes)} note{'s' * (len(card.notes) > 1)}: --explain")]
    blocks = [
        paragraphs(map(words, heading(card))),
        [
            "Better than trivial?",
            *listing(rows, "  "),
            *paragraphs(f"  {words(said)}" for said in verdict_sentences(card)),
        ],
        [*paragraphs(table.sentences), *_table(table, "  ")] if table else [],
        listing(rows_of(use)) if use and brevity < 3 else [],
    ]
    gap = [""] if brevity < 1 else []
    return [line for block in blocks if block for line in (*block, *gap)] + notes + _foot(card, words)


def _screen_of_rows(result: Any, words: Callable[[str], str]) -> list[str]:
    """The screen of several models or of subgroups."""
    return [
        *paragraphs(map(words, heading(result))),
        "",
        "Better than trivial?",
        *_answers(verdict_sections(result)),
        "",
        *paragraphs(map(words, verdict_sentences(result)), indent=""),
        *note_lines(result, words),
        *_foot(cards_of(result)[0], words),
    ]


def note_lines(result: Any, words: Callable[[str], str]) -> list[str]:
    """The notes, each from a line of its own on."""
    return paragraphs(f"Note: {words(note)}" for note in notes_of(result))


def _foot(card: Scorecard, words: Callable[[str], str]) -> list[str]:
    offers = [words(each) for each in MORE]
    more = next((each for each in offers if len(each) <= screen_width()), offers[-1])
    return paragraphs([assumed_words(card), more], indent="")


def _answers(sections: Sequence[Section]) -> list[str]:
    """For each question, a row for each model or subgroup, with its difference from the first: beside it, or below.

    A narrow terminal shows no differences.
    """
    rows = [row for section in sections for row in rows_of(section)]
    differences = [more for *_, more in rows if more and not more.startswith("no interval")]
    size = max(map(len, [COMPARED, *differences])) + 2 if differences else 0
    room = (
        screen_width()
        - 8
        - max(len(answer) for _, answer, _, _ in rows)
        - max(len(value) for *_, value, _ in rows)
    )
    is_below = 0 < size > room - 12
    names = [cut(name, min(room - (0 if is_below else size), 34)) for name, *_ in rows]
    starts = grid(
        [["", "", ""], *([name, *row[1:3]] for name, row in zip(names, rows, strict=True))], "    "
    )[1:]
    at = max(map(columns_of, starts)) + 2
    lines, left = [], iter(zip(starts, rows, strict=True))
    for section in sections:
        title = f"  {section.title}"
        compared = any(more in differences for *_, more in rows_of(section))
        shown = COMPARED if compared and not is_below else ""
        lines += wrapped(f"{title:{at}}{shown}".rstrip(), " " * 4)
        for start, (*_, more) in itertools.islice(left, len(rows_of(section))):
            if more.startswith("no interval"):
                lines += wrapped(f"{start}, {more}", indent=" " * 8)
            elif not is_below:
                lines.append((start + " " * (at - columns_of(start)) + more).rstrip())
            else:
                below = (
                    wrapped(f"      {COMPARED}: {more}", " " * 8) if more and screen_width() >= NARROW else []
                )
                lines += [start, *below]
    return lines
