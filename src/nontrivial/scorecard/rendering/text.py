"""A result as text: the screen, and under it what ``--all`` and ``--explain`` add."""

import itertools
import re
import shutil
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from nontrivial.scorecard.card import Scorecard
from nontrivial.scorecard.compare import Comparison, cards_of
from nontrivial.scorecard.rendering.details import EXPLAINED, detail_sections, terms_of
from nontrivial.scorecard.rendering.glossary import meaning_of
from nontrivial.scorecard.rendering.sections import (
    Section,
    assumed_words,
    counts,
    heading,
    notes_of,
    usefulness,
)
from nontrivial.scorecard.rendering.verdict_lines import (
    COMPARED,
    lead_section,
    verdict_sections,
    verdict_sentences,
)
from nontrivial.terminal import columns_of, count_of, cut, visible

WIDTH, HEIGHT = 100, 24
BROADEST = 34  # columns of a cell that is not a sentence
MORE = "More: --all (every measure), --explain (tests, methods, assumptions), --output card.html"
NAMES = (
    "Names are as in Python: f_beta is F1, squared is the squared loss (of probabilities, the Brier score), and "
    "cross_entropy the log loss. --explain describes the methods, such as clopper_pearson."
)
Words = Callable[[str], str]


def render_text(result: Any, *, every: bool = False, explain: bool = False, words: Words = str) -> str:
    """Write a result for a terminal; control characters that come from the data are escaped."""
    lines = _screen(result, words)
    if every:
        lines += ["", *paragraphs([NAMES], words)]
    if every or explain:
        for section in detail_sections(result):
            lines += _details(section, every, explain, words)
    if explain:
        meanings = [(name, meaning_of(name)) for name in terms_of(result)]
        lines += ["", "Methods, tests and assumptions", *grid(meanings)]
    return "\n".join(map(visible, lines)).rstrip() + "\n"


def _details(section: Section, every: bool, explain: bool, words: Words) -> list[str]:
    if section.parts:
        lines = [line for part in section.parts for line in _details(part, every, explain, words)]
        return ["", *wrapped(f"{section.title}:"), *lines] if lines else []
    if not (explain if section.id == EXPLAINED else every):
        return []
    lines = ["", *wrapped(section.title), *paragraphs(section.sentences, words)]
    if section.rows:
        # Columns for which there is no room stand below, beside the names of the rows.
        names, *columns = zip(*_with_header(section), strict=True)
        blocks = [[names]]
        for column in columns:
            sizes = [max(map(columns_of, cells)) for cells in (*blocks[-1], column)]
            width = sum(min(size, BROADEST) + 2 for size in sizes) - 2
            if len(blocks[-1]) > 1 and width > screen_width():
                blocks.append([names])
            blocks[-1].append(column)
        lines += [line for block in blocks for line in grid(list(zip(*block, strict=True)))]
    return lines


def _with_header(section: Section) -> Sequence[Sequence[str]]:
    return [section.header, *section.rows] if any(section.header) else section.rows


# Lines that fit the terminal.

_TIE, _FILLER = "\x00", "\x01"  # no data holds these, as control characters are escaped
_TIED = re.compile(
    r"(?<=[0-9]) %|(?<=\[0), (?=1\])|(?<=[0-9]) to (?=-?[0-9.]+\))|(?<=[0-9]) (?=\(-?[0-9])|\bp <?[=<] "
    r"|(?<=--cost) |(?<=AUPRG) "
)
NUMERIC = re.compile(r"-?[\d.,]+(e[+-]?\d+)?%?|-?inf|p [=<] [\d.]+|undefined")


def screen_width() -> int:
    """The columns of the terminal, from 40 to `WIDTH`."""
    return max(min(shutil.get_terminal_size((WIDTH, HEIGHT)).columns, WIDTH), 40)


def wrapped(text: str, indent: str = "  ") -> list[str]:
    """Break a sentence into lines of the terminal's width, none of which parts a number from its unit."""
    tied = re.sub(_TIED, lambda match: match[0].replace(" ", _TIE), visible(text))
    spread = "".join(_FILLER * (columns_of(letter) == 2) + letter for letter in tied)
    width = screen_width() - (_FILLER in spread)  # a line may end after a filler
    lines = textwrap.wrap(spread, width, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace(_TIE, " ").replace(_FILLER, "") for line in lines]


def paragraphs(sentences: Iterable[str], words: Words, indent: str = "  ") -> list[str]:
    """Break sentences into lines; each sentence begins a line."""
    return [line for sentence in sentences for line in wrapped(words(sentence), indent)]


def rows_of_lines(rows: Sequence[Sequence[str]], indent: str = "") -> list[list[str]]:
    """Return the lines of each row; the last cell may hold sentences, which go on below it.

    Columns of numbers stand at the right, but for the first.
    """
    columns = [[visible(cell) for cell in column] for column in zip(*rows, strict=True)]
    for place, column in enumerate(columns):
        is_last = place == len(columns) - 1
        is_numeric = place > 0 and all(map(NUMERIC.fullmatch, column[1:]))
        if is_last and not is_numeric:
            break
        cells = column if is_last else [cut(cell, BROADEST) for cell in column]
        size = max(map(columns_of, cells))
        blanks = [" " * (size - columns_of(cell)) for cell in cells]
        pairs = zip(blanks, cells, strict=True)
        columns[place] = [blank + cell if is_numeric else cell + blank for blank, cell in pairs]
    starts = [indent + "  ".join(row) + "  " for row in zip(*columns[:-1], strict=True)]
    start = columns_of(starts[0])
    below = start if screen_width() >= start + 36 else 6
    return [
        wrapped((first + last).rstrip(), " " * below) for first, last in zip(starts, columns[-1], strict=True)
    ]


def grid(rows: Sequence[Sequence[str]], indent: str = "") -> list[str]:
    """Return the lines of all rows."""
    return list(itertools.chain.from_iterable(rows_of_lines(rows, indent))) if rows else []


# The screen.


def _screen(result: Any, words: Words) -> list[str]:
    head = paragraphs(heading(result), words)
    notes = paragraphs((f"Note: {note}" for note in notes_of(result)), words)
    foot = paragraphs([assumed_words(cards_of(result)[0]), MORE], words, indent="")
    if isinstance(result, Scorecard):
        return [*_screen_of_card(result, head, notes, HEIGHT - len(foot), words), *foot]
    leads = lead_section(result) if isinstance(result, Comparison) else None
    best = ["", *wrapped(*leads.sentences), *grid(_with_header(leads), "    ")] if leads else []
    sentences = paragraphs(verdict_sentences(result), words, indent="")
    return [*head, "", *_verdicts_of_several(result), *best, "", *sentences, *notes, *foot]


def _screen_of_card(
    card: Scorecard, head: list[str], notes: list[str], height: int, words: Words
) -> list[str]:
    """Return the screen of one model; if there is no room for all, what matters least goes first."""
    (verdicts,) = verdict_sections(card)
    table, use = counts(card, screen_width()), usefulness(card)
    sentences = paragraphs((f"  {sentence}" for sentence in verdict_sentences(card)), words)
    title = "Better than trivial?"
    answers = [title, *grid(verdicts.rows, "  "), *sentences]
    short_rows = [
        [*start, numbers if "no interval" in numbers else numbers.partition(";")[0]]
        for *start, numbers in verdicts.rows
    ]
    counted = [*paragraphs(table.sentences, words), *grid(_with_header(table), "  ")] if table else []
    worth = grid(use.rows) if use else []
    fewer = paragraphs([f"{count_of(len(card.notes), 'note')}: --explain"] if notes else [], words)
    layouts = (
        [*(line for block in (head, answers, counted, worth) if block for line in (*block, "")), *notes],
        [*head, *answers, *counted, *worth, *notes],
        [*head, *answers, *counted, *notes],
        [*head, *answers, *counted, *fewer],
        [*head, title, *grid(short_rows, "  "), *sentences, *counted, *fewer],
    )
    return next((lines for lines in layouts if len(lines) <= height), layouts[-1])


def _verdicts_of_several(result: Any) -> list[str]:
    """Return a row for each model or subgroup; a difference for which there is no room goes on below."""
    sections = verdict_sections(result)
    n_sizes = len(sections[0].header) - 4  # columns of cases and positives, which only subgroups have
    most = max(min(screen_width() - 42 - 9 * n_sizes, BROADEST), 10)
    header = [[*sections[0].header[:-1], ""]] if n_sizes and screen_width() >= 60 else []
    rows = header + [[cut(name, most), *more] for section in sections for name, *more in section.rows]
    title, lines_of_rows = "Better than trivial?", rows_of_lines(rows, "    ")
    if any(section.header[-1] for section in sections):
        title += f" Value and {COMPARED}:"
    remaining, screen = iter(lines_of_rows), wrapped(title)
    for section in sections:
        screen += wrapped(f"  {section.title}", " " * 4)
        for lines in itertools.islice(remaining, len(header) + len(section.rows)):
            screen += lines
    return screen
