"""Parse the headings of columns in reviews: each may name a score, a count or an interval."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from nontrivial.measures.published.tables import SCORE_NAMES
from nontrivial.published.names import NAMES_IN_RESULTS

IGNORED_INTERVAL = "interval"  # we use only the interval of the area under the ROC curve
AMBIGUOUS_CASES = "cases"  # may mean all cases, or only the positive ones if there are controls
_IN_BRACKETS = re.compile(r"[(\[]\s*([^()\[\]]*?)\s*[)\]]")
_PERCENT = re.compile(r"(in )?(%|percent|‰)([,;]? .*)?|n ?/ ?n.*%.*")
_COUNT_AND_SHARE = re.compile(r"\b(n|no\.?|number)\s*[(\[]\s*%")  # "Malignant, n (%)" heads "30 (33.3)"
_UNIT_OR_SPREAD = re.compile(
    r".*\bci\b.*|.*confidence.*|(mean )?(±|\+/-)? ?(sd|std|se)|mean|n|no\.?|count|counts|range|[a-z]+ ?/ ?[a-z+ ]+"
    r"|tp|fp|fn|tn|sens|spec|ppv|sensitivity|recall"
)
_CI_WORDS = re.compile(r"\(?\[?\b\d+ ?% ?-?(ci|confidence)\b[^)\]]*[)\]]?|\b(ci|confidence interval)s?\b( ?\d+ ?%)?")
_INTERVAL_END = re.compile(r"\b(lower|upper|lcl|ucl|ll|ul|low|high)\b( (limit|bound|end))?")
_DASH = r"[-\u2212\u2013]"
_POSITIVE = re.compile(r"\+ ?ves?\b|(?<=true|alse) ?\+(?!\w)|\bpos\.(?=\s|$)")
_NEGATIVE = re.compile(rf"{_DASH} ?ves?\b|(?<=true|alse) ?{_DASH}(?!\w)|\bneg\.(?=\s|$)")
_COUNT_OF = re.compile(r"^(no|nr|num|number|n|total|count|all)_(of_)?(the_)?")
_UNITS = (
    "cases|patients|subjects|participants|individuals|lesions|nodules|images|samples|instances|eyes|scans"
    "|tumours|tumors"
)
_UNIT_BEHIND = re.compile(rf"_({_UNITS}|n|no|number|count|total)$")


class Heading(NamedTuple):
    """The heading of a column; its `role` is the score, count or interval in the column, or None for other columns."""

    text: str
    role: str | None
    is_percent: bool


def parse_heading(text: str) -> tuple[str | None, bool]:
    """Return the name of the score or count in a heading, or None, and whether the column has percentages.

    Examples
    --------
    >>> [parse_heading(text) for text in ("Accuracy (%)", "AUC (95 % CI)", "Malignant, n (%)", "F1 (macro)")]
    [('accuracy', True), ('auc', False), ('positives', False), (None, False)]
    """
    plain = text.casefold().replace("\u2019", "'").strip(" *†‡§")
    plain = _NEGATIVE.sub(" negative ", _POSITIVE.sub(" positive ", plain))
    notes = _IN_BRACKETS.findall(plain)
    bare = _CI_WORDS.sub(" ", _IN_BRACKETS.sub(" ", plain))
    if not all(_PERCENT.fullmatch(note) or _UNIT_OR_SPREAD.fullmatch(note) for note in notes):
        return None, False  # such as "F1 (macro)"
    # Drop what follows a comma or ±: a unit, a spread or an interval.
    words = re.sub(r"(±|\+/-|,).*|\bn ?/ ?n\b|\bin %|[%‰']", " ", bare).replace(".", " ")
    name = _find_name("_".join(re.sub(r"[-\u2212\u2013_#:/]", " ", words).split()))
    is_percent = any(sign in bare for sign in "%‰") or any(map(_PERCENT.fullmatch, notes))
    is_count = name not in SCORE_NAMES and _COUNT_AND_SHARE.search(plain) is not None
    return name, is_percent and not is_count


def _find_name(words: str) -> str | None:
    """Find the score or count that words name; ignore "number_of" before the name and "patients" behind it."""
    words = words.removeprefix("mean_").removeprefix("average_")
    without_number = _COUNT_OF.sub("", words)
    for shorter in (words, without_number, _UNIT_BEHIND.sub("", words), _UNIT_BEHIND.sub("", without_number)):
        for name in (shorter, shorter.removesuffix("s")):
            if name in ("cases", "n_cases", "case"):
                return AMBIGUOUS_CASES
            if name in NAMES_IN_RESULTS or name in SCORE_NAMES:
                return NAMES_IN_RESULTS.get(name, name)
    return None


def parse_headings(texts: Sequence[str], file: str) -> list[Heading]:
    """Parse the headings of a file. Raise ValueError if two name the same score or count, or if one is ambiguous."""
    headings: list[Heading] = []
    plain_scores = {parse_heading(text)[0] for text in texts if not _has_interval(text)}
    for text in texts:
        score_on_the_left = headings[-1].role if headings else None
        headings.append(_parse_heading_beside(text, score_on_the_left, plain_scores))
    roles = {heading.role for heading in headings}
    for place, heading in enumerate(headings):
        if heading.role == AMBIGUOUS_CASES:
            if not roles & {"positives", "negatives", "n"}:
                raise ValueError(
                    f"{heading.text!r} of {file} may be all cases or the positive ones; call it 'n' or 'positives'."
                )
            headings[place] = heading._replace(role="n" if "positives" in roles else "positives")
    first_of_role: dict[str | None, Heading] = {}
    for heading in headings:
        first = first_of_role.setdefault(heading.role, heading)
        if first is not heading and heading.role not in (None, IGNORED_INTERVAL):
            role = "number of all cases" if heading.role == "n" else heading.role
            raise ValueError(
                f"{first.text!r} and {heading.text!r} of {file} may both be the {role}; keep one of them, or rename "
                "the other."
            )
    return headings


def _parse_heading_beside(text: str, score_on_the_left: str | None, plain_scores: set[str | None]) -> Heading:
    """Parse a heading. It may head the interval of the score on its left, or of a score with a column of its own."""
    name, is_percent = parse_heading(text)
    lower = text.casefold()
    end = _INTERVAL_END.search(lower)
    score_of_end = parse_heading(_INTERVAL_END.sub("", lower))[0] if end else None
    has_interval = _has_interval(text)
    if has_interval and not re.sub(r"\W+", "", _CI_WORDS.sub("", lower)):
        name = "auc_interval" if score_on_the_left == "auc" else IGNORED_INTERVAL
    elif name is None and end and score_of_end in SCORE_NAMES:
        side = "low" if end[1].startswith("l") else "high"
        name = f"auc_{side}" if score_of_end == "auc" else IGNORED_INTERVAL
    elif name is not None and has_interval and name in plain_scores:
        name = "auc_interval" if name == "auc" else IGNORED_INTERVAL
    return Heading(text, name, is_percent)


def _has_interval(text: str) -> bool:
    """Tell whether a heading mentions a confidence interval outside brackets, or consists of brackets that do."""
    outside = _IN_BRACKETS.sub("", text)
    return _CI_WORDS.search((outside if outside.strip() else text).casefold()) is not None
