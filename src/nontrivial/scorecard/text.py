"""A result as text: the screen, and under it what ``--all`` and ``--explain`` add."""

import itertools
import re
import shutil
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from nontrivial.scorecard import sections
from nontrivial.scorecard.compare import Comparison, cards_of
from nontrivial.scorecard.evaluate import Scorecard
from nontrivial.scorecard.glossary import meaning_of
from nontrivial.scorecard.sections import Section
from nontrivial.terminal import columns_of, count_of, cut, visible

WIDTH, HEIGHT = 100, 24
BROADEST = 34  # columns of a cell that is no sentence
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
        for section in sections.detail_sections(result):
            lines += _details(section, every, explain, words)
    if explain:
        meanings = [(name, meaning_of(name)) for name in sections.terms_of(result)]
        lines += ["", "Methods, tests and assumptions", *grid(meanings)]
    return "\n".join(map(visible, lines)).rstrip() + "\n"


def _details(section: Section, every: bool, explain: bool, words: Words) -> list[str]:
    if section.parts:
        lines = [line for part in section.parts for line in _details(part, every, explain, words)]
        return ["", *wrapped(f"{section.title}:"), *lines] if lines else []
    if not (explain if section.id == sections.EXPLAINED else every):
        return []
    return ["", *wrapped(section.title), *paragraphs(section.sentences, words), *_table(section)]


def _table(section: Section) -> list[str]:
    """The lines of a table; columns for which there is no room stand below, beside the names of the rows."""
    if not section.rows:
        return []
    names, *columns = zip(*_with_titles(section), strict=True)
    blocks = [[names]]
    for column in columns:
        sizes = [max(map(columns_of, each)) for each in (*blocks[-1], column)]
        if len(blocks[-1]) > 1 and sum(min(size, BROADEST) + 2 for size in sizes) > screen_width() + 2:
            blocks.append([names])
        blocks[-1].append(column)
    return [line for block in blocks for line in grid(list(zip(*block, strict=True)))]


def _with_titles(section: Section) -> Sequence[Sequence[str]]:
    return [section.titles, *section.rows] if any(section.titles) else section.rows


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
    tied = re.sub(_TIED, lambda found: found[0].replace(" ", _TIE), visible(text))
    spread = "".join(_FILLER * (columns_of(each) == 2) + each for each in tied)
    width = screen_width() - (_FILLER in spread)  # a line may end after a filler
    lines = textwrap.wrap(spread, width, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace(_TIE, " ").replace(_FILLER, "") for line in lines]


def paragraphs(sentences: Iterable[str], words: Words, indent: str = "  ") -> list[str]:
    """The lines of sentences, each from a line of its own on."""
    return [line for sentence in sentences for line in wrapped(words(sentence), indent)]


def rows_of_lines(rows: Sequence[Sequence[str]], indent: str = "") -> list[list[str]]:
    """The lines of each row, of columns below their titles; the last cell may hold sentences, which go on below it.

    Columns of numbers stand at the right, but for the first.
    """
    *columns, last = ([visible(cell) for cell in column] for column in zip(*rows, strict=True))
    columns = [[cut(cell, BROADEST) for cell in column] for column in columns]
    padded = [_padded(column, place > 0 and _is_numeric(column)) for place, column in enumerate(columns)]
    starts = [indent + "  ".join(row) + "  " for row in zip(*padded, strict=True)]
    if _is_numeric(last):
        last = _padded(last, at_right=True)
    start = columns_of(starts[0])
    below = start if screen_width() >= start + 36 else 6
    return [wrapped((first + more).rstrip(), " " * below) for first, more in zip(starts, last, strict=True)]


def _is_numeric(column: Sequence[str]) -> bool:
    return all(map(NUMERIC.fullmatch, column[1:]))


def _padded(column: Sequence[str], at_right: bool) -> list[str]:
    size = max(map(columns_of, column))
    blanks = [" " * (size - columns_of(cell)) for cell in column]
    return [
        f"{blank}{cell}" if at_right else f"{cell}{blank}" for cell, blank in zip(column, blanks, strict=True)
    ]


def grid(rows: Sequence[Sequence[str]], indent: str = "") -> list[str]:
    """The lines of all rows, as `rows_of_lines` gives them."""
    return list(itertools.chain.from_iterable(rows_of_lines(rows, indent))) if rows else []


# The screen.


def _screen(result: Any, words: Words) -> list[str]:
    head = paragraphs(sections.heading(result), words)
    notes = paragraphs((f"Note: {note}" for note in sections.notes_of(result)), words)
    foot = paragraphs([sections.assumed_words(cards_of(result)[0]), MORE], words, indent="")
    if isinstance(result, Scorecard):
        return [*_screen_of_card(result, head, notes, HEIGHT - len(foot), words), *foot]
    leads = sections.lead_section(result) if isinstance(result, Comparison) else None
    best = ["", *wrapped(*leads.sentences), *grid(_with_titles(leads), "    ")] if leads else []
    said = paragraphs(sections.verdict_sentences(result), words, indent="")
    return [*head, "", *_verdicts_of_several(result), *best, "", *said, *notes, *foot]


def _screen_of_card(
    card: Scorecard, head: list[str], notes: list[str], height: int, words: Words
) -> list[str]:
    """The screen of one model; where there is no room for all, what matters least goes first."""
    (verdicts,) = sections.verdict_sections(card)
    table, use = sections.counts(card, screen_width()), sections.in_use(card)
    said = paragraphs((f"  {each}" for each in sections.verdict_sentences(card)), words)

    def answers(rows: Sequence[Sequence[str]]) -> list[str]:
        return ["Better than trivial?", *grid(rows, "  "), *said]

    first = [
        [*start, numbers if "no interval" in numbers else numbers.partition(";")[0]]
        for *start, numbers in verdicts.rows
    ]
    counted = [*paragraphs(table.sentences, words), *grid(_with_titles(table), "  ")] if table else []
    worth = grid(use.rows) if use else []
    fewer = paragraphs([f"{count_of(len(card.notes), 'note')}: --explain"] if notes else [], words)
    blocks = [head, answers(verdicts.rows), counted, worth]
    layouts = (
        [*(line for block in blocks if block for line in (*block, "")), *notes],
        [*itertools.chain(*blocks), *notes],
        [*itertools.chain(*blocks[:-1]), *notes],
        [*itertools.chain(*blocks[:-1]), *fewer],
        [*head, *answers(first), *counted, *fewer],
    )
    return next((lines for lines in layouts if len(lines) <= height), layouts[-1])


def _verdicts_of_several(result: Any) -> list[str]:
    """A row for each model or subgroup; differences stand beside the values or, where there is no room, below."""
    of_questions = sections.verdict_sections(result)
    n_sizes = len(of_questions[0].titles) - 4  # columns of cases and positives, which only subgroups have
    most = max(min(screen_width() - 42 - 9 * n_sizes, BROADEST), 10)
    header = [[*of_questions[0].titles[:-1], ""]] if n_sizes and screen_width() >= 60 else []
    rows = header + [[cut(name, most), *more] for section in of_questions for name, *more in section.rows]
    compared = any(section.titles[-1] for section in of_questions)
    title, lines = "Better than trivial?", rows_of_lines(rows, "    ")
    if compared and max(map(len, lines)) == 1:
        title += f" Value and {sections.COMPARED}:"
    elif compared:
        lines = rows_of_lines([row[:-1] for row in rows], "    ")
        for each, (*_, more) in zip(lines, rows, strict=True):
            named = more if more.startswith("no interval") else f"{sections.COMPARED}: {more}"
            each += wrapped(f"      {named}", " " * 8) if more else []
    shown, found = iter(lines), [title]
    for section in of_questions:
        found += wrapped(f"  {section.title}", " " * 4)
        for each in itertools.islice(shown, len(header) + len(section.rows)):
            found += each
    return found
