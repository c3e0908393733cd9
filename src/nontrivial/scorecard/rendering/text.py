"""A result as text: the screen, and the measures, tests and methods that ``--all`` and ``--explain`` add."""

import itertools
import re
import shutil
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from nontrivial.scorecard.card import Scorecard
from nontrivial.scorecard.compare import Comparison, cards_of
from nontrivial.scorecard.rendering import sections, verdict_lines
from nontrivial.scorecard.rendering.details import TESTS_ID, detail_sections, glossary_terms
from nontrivial.scorecard.rendering.glossary import meaning_of
from nontrivial.terminal import count_of, cut_middle, printable, text_width

MAX_SCREEN_WIDTH, SCREEN_HEIGHT = 100, 24
MAX_CELL_WIDTH = 34
QUESTION_LINE = "Better than trivial?"
MORE_LINE = "More: --all (every measure), --explain (tests, methods, assumptions), --output card.html"
NAMES_NOTE = (
    "Names are as in Python: f_beta is F1, squared is the squared loss (of probabilities, the Brier score), and "
    "cross_entropy the log loss. --explain describes the methods, such as clopper_pearson."
)
Words = Callable[[str], str]


def render_text(result: Any, *, every: bool = False, explain: bool = False, words: Words = str) -> str:
    """Write a result for a terminal; control characters that come from the data are escaped."""
    lines = _screen_lines(result, words)
    if every:
        lines += ["", *wrap_sentences([NAMES_NOTE], words)]
    if every or explain:
        for section in detail_sections(result):
            lines += _detail_lines(section, every, explain, words)
    if explain:
        meanings = [(name, meaning_of(name)) for name in glossary_terms(result)]
        lines += ["", "Methods, tests and assumptions", *table_lines(meanings)]
    return "\n".join(map(printable, lines)).rstrip() + "\n"


def _detail_lines(section: sections.Section, every: bool, explain: bool, words: Words) -> list[str]:
    """Write a section and its parts; tests if `explain`, all else if `every`."""
    if section.parts:
        lines = [line for part in section.parts for line in _detail_lines(part, every, explain, words)]
        return ["", *wrap(f"{section.title}:"), *lines] if lines else []
    if not (explain if section.id == TESTS_ID else every):
        return []
    lines = ["", *wrap(section.title), *wrap_sentences(section.sentences, words)]
    return lines + _divide_table(_rows_with_header(section)) if section.rows else lines


def _divide_table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Write a table; columns that do not fit stand in a further table below, beside the first column."""
    names, *columns = zip(*rows, strict=True)
    tables = [[names]]
    for column in columns:
        widths = [max(map(text_width, cells)) for cells in (*tables[-1], column)]
        total = sum(min(width, MAX_CELL_WIDTH) + 2 for width in widths) - 2
        if len(tables[-1]) > 1 and total > screen_width():
            tables.append([names])
        tables[-1].append(column)
    return [line for table in tables for line in table_lines(list(zip(*table, strict=True)))]


def _rows_with_header(section: sections.Section) -> Sequence[Sequence[str]]:
    return [section.header, *section.rows] if any(section.header) else section.rows


# Lines that fit the terminal.

# Stand-ins that no data holds, as control characters are escaped.
_UNBREAKABLE_BLANK, _FILLER = "\x00", "\x01"
_UNBREAKABLE = re.compile(
    r"(?<=[0-9]) %|(?<=\[0), (?=1\])|(?<=[0-9]) to (?=-?[0-9.]+\))|(?<=[0-9]) (?=\(-?[0-9])|\bp <?[=<] "
    r"|(?<=--cost) |(?<=AUPRG) "
)
NUMERIC_CELL = re.compile(r"-?[\d.,]+(e[+-]?\d+)?%?|-?inf|p [=<] [\d.]+|undefined")


def screen_width() -> int:
    """Return the number of columns of the terminal, at least 40 and at most `MAX_SCREEN_WIDTH`."""
    return max(min(shutil.get_terminal_size((MAX_SCREEN_WIDTH, SCREEN_HEIGHT)).columns, MAX_SCREEN_WIDTH), 40)


def wrap(text: str, indent: str = "  ") -> list[str]:
    """Break a sentence into lines of the terminal's width; a number stays in one line with its unit."""
    joined = re.sub(_UNBREAKABLE, lambda match: match[0].replace(" ", _UNBREAKABLE_BLANK), printable(text))
    # A letter that is two columns wide gets a filler, so that `textwrap` counts columns.
    padded = "".join(_FILLER * (text_width(letter) == 2) + letter for letter in joined)
    width = screen_width() - (_FILLER in padded)  # a line may end after a filler
    lines = textwrap.wrap(padded, width, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace(_UNBREAKABLE_BLANK, " ").replace(_FILLER, "") for line in lines]


def wrap_sentences(sentences: Iterable[str], words: Words, indent: str = "  ") -> list[str]:
    """Break sentences into lines; each sentence begins a line."""
    return [line for sentence in sentences for line in wrap(words(sentence), indent)]


def wrap_rows(rows: Sequence[Sequence[str]], indent: str = "") -> list[list[str]]:
    """Return the lines of each row of a table; the last cell may hold sentences, which continue below it.

    Columns of numbers are aligned at the right, except the first column.
    """
    columns = [[printable(cell) for cell in column] for column in zip(*rows, strict=True)]
    for place, column in enumerate(columns):
        is_last = place == len(columns) - 1
        is_numeric = place > 0 and all(map(NUMERIC_CELL.fullmatch, column[1:]))
        if is_last and not is_numeric:
            break
        cells = column if is_last else [cut_middle(cell, MAX_CELL_WIDTH) for cell in column]
        width = max(map(text_width, cells))
        blanks = [" " * (width - text_width(cell)) for cell in cells]
        pairs = zip(blanks, cells, strict=True)
        columns[place] = [blank + cell if is_numeric else cell + blank for blank, cell in pairs]
    starts = [indent + "  ".join(row) + "  " for row in zip(*columns[:-1], strict=True)]
    start_width = text_width(starts[0])
    continuation = " " * (start_width if screen_width() >= start_width + 36 else 6)
    pairs = zip(starts, columns[-1], strict=True)
    return [wrap((start + last_cell).rstrip(), continuation) for start, last_cell in pairs]


def table_lines(rows: Sequence[Sequence[str]], indent: str = "") -> list[str]:
    """Return the lines of all rows of a table."""
    return list(itertools.chain.from_iterable(wrap_rows(rows, indent))) if rows else []


# The screen.


def _screen_lines(result: Any, words: Words) -> list[str]:
    head = wrap_sentences(sections.heading(result), words)
    notes = wrap_sentences((f"Note: {note}" for note in sections.shared_notes(result)), words)
    foot = wrap_sentences([sections.assumption_line(cards_of(result)[0]), MORE_LINE], words, indent="")
    if isinstance(result, Scorecard):
        return [*_fit_card_on_screen(result, head, notes, SCREEN_HEIGHT - len(foot), words), *foot]
    leads = verdict_lines.lead_section(result) if isinstance(result, Comparison) else None
    best = ["", *wrap(*leads.sentences), *table_lines(_rows_with_header(leads), "    ")] if leads else []
    sentences = wrap_sentences(verdict_lines.verdict_sentences(result), words, indent="")
    return [*head, "", *_verdict_lines(result), *best, "", *sentences, *notes, *foot]


def _fit_card_on_screen(card: Scorecard, head: list[str], notes: list[str], height: int, words: Words) -> list[str]:
    """Write the screen of one model; if the lines do not fit the height, the least important are left out."""
    (verdicts,) = verdict_lines.verdict_sections(card)
    counts, use = sections.count_section(card, screen_width()), sections.use_section(card)
    sentences = wrap_sentences((f"  {sentence}" for sentence in verdict_lines.verdict_sentences(card)), words)
    answers = [QUESTION_LINE, *table_lines(verdicts.rows, "  "), *sentences]
    short_rows = [
        [*cells, numbers if "no interval" in numbers else numbers.partition(";")[0]]
        for *cells, numbers in verdicts.rows
    ]
    short_answers = [QUESTION_LINE, *table_lines(short_rows, "  "), *sentences]
    count_lines = []
    if counts:
        count_lines = wrap_sentences(counts.sentences, words) + table_lines(_rows_with_header(counts), "  ")
    use_lines = table_lines(use.rows) if use else []
    short_notes = wrap_sentences([f"{count_of(len(card.notes), 'note')}: --explain"] if notes else [], words)
    blocks = [block for block in (head, answers, count_lines, use_lines) if block]
    layouts = (
        [*(line for block in blocks for line in (*block, "")), *notes],
        [*head, *answers, *count_lines, *use_lines, *notes],
        [*head, *answers, *count_lines, *notes],
        [*head, *answers, *count_lines, *short_notes],
        [*head, *short_answers, *count_lines, *short_notes],
    )
    return next((lines for lines in layouts if len(lines) <= height), layouts[-1])


def _verdict_lines(result: Any) -> list[str]:
    """Write the verdicts on several models or subgroups, in columns that all questions share."""
    verdicts = verdict_lines.verdict_sections(result)
    n_sizes = len(verdicts[0].header) - 4  # subgroups have columns of cases and positives
    name_width = max(min(screen_width() - 42 - 9 * n_sizes, MAX_CELL_WIDTH), 10)
    header = [[*verdicts[0].header[:-1], ""]] if n_sizes and screen_width() >= 60 else []
    rows = header + [[cut_middle(name, name_width), *cells] for section in verdicts for name, *cells in section.rows]
    title = QUESTION_LINE
    if any(section.header[-1] for section in verdicts):
        title += f" Value and {verdict_lines.DIFFERENCE_TITLE}:"
    remaining, lines = iter(wrap_rows(rows, "    ")), wrap(title)
    for section in verdicts:
        lines += wrap(f"  {section.title}", " " * 4)
        n_rows = len(header) + len(section.rows)
        lines += itertools.chain.from_iterable(itertools.islice(remaining, n_rows))
    return lines
