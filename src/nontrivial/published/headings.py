"""What the columns of a review hold, by their headings."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from nontrivial.measures.published.tables import SCORES
from nontrivial.published.names import NAMES

INTERVAL = "interval"  # beside a score other than the area under the ROC curve; it is not read
UNDECIDED = "cases"  # all cases, or the positive ones beside controls
_BRACKETS = re.compile(r"[(\[]\s*([^()\[\]]*?)\s*[)\]]")
_PERCENT = re.compile(r"(in )?(%|percent|‰)([,;]? .*)?|n ?/ ?n.*%.*")
# Such as "Malignant, n (%)" over "30 (33.3)".
_COUNT_AND_SHARE = re.compile(r"\b(n|no\.?|number)\s*[(\[]\s*%")
_BESIDE = re.compile(
    r".*\bci\b.*|.*confidence.*|(mean )?(±|\+/-)? ?(sd|std|se)|mean|n|no\.?|count|counts|range|[a-z]+ ?/ ?[a-z+ ]+"
    r"|tp|fp|fn|tn|sens|spec|ppv|sensitivity|recall"
)
_LEVEL = re.compile(
    r"\(?\[?\b\d+ ?% ?-?(ci|confidence)\b[^)\]]*[)\]]?|\b(ci|confidence interval)s?\b( ?\d+ ?%)?"
)
_ENDS = re.compile(r"\b(lower|upper|lcl|ucl|ll|ul|low|high)\b( (limit|bound|end))?")
_DASH = r"[-\u2212\u2013]"
_SIGNS = [
    (re.compile(r"\+ ?ves?\b|(?<=true|alse) ?\+(?!\w)|\bpos\.(?=\s|$)"), " positive "),
    (re.compile(rf"{_DASH} ?ves?\b|(?<=true|alse) ?{_DASH}(?!\w)|\bneg\.(?=\s|$)"), " negative "),
]
_COUNT_OF = re.compile(r"^(no|nr|num|number|n|total|count|all)_(of_)?(the_)?")
_UNITS = (
    "cases|patients|subjects|participants|individuals|lesions|nodules|images|samples|instances|eyes|scans"
    "|tumours|tumors"
)
_AFTER = re.compile(rf"_({_UNITS}|n|no|number|count|total)$")


class Heading(NamedTuple):
    """A column: the score, count or interval that it holds, if any, and whether its numbers are percentages."""

    text: str
    role: str | None
    is_percent: bool


def read_heading(text: str) -> tuple[str | None, bool]:
    """Return what a heading names, if it is a score or a count, and whether its numbers are percentages.

    Examples
    --------
    >>> [read_heading(text) for text in ("Accuracy (%)", "AUC (95 % CI)", "Malignant, n (%)", "F1 (macro)")]
    [('accuracy', True), ('auc', False), ('positives', False), (None, False)]
    """
    plain = text.casefold().replace("\u2019", "'").strip(" *†‡§")
    for sign, word in _SIGNS:
        plain = sign.sub(word, plain)
    notes = _BRACKETS.findall(plain)
    bare = _LEVEL.sub(" ", _BRACKETS.sub(" ", plain))
    if not all(_PERCENT.fullmatch(note) or _BESIDE.fullmatch(note) for note in notes):
        return None, False  # such as "F1 (macro)"
    # Words and no more: what follows a comma or ± is a unit, a spread or an interval.
    words = re.sub(r"(±|\+/-|,).*|\bn ?/ ?n\b|\bin %|[%‰']", " ", bare).replace(".", " ")
    name = _known("_".join(re.sub(r"[-\u2212\u2013_#:/]", " ", words).split()))
    is_percent = any(sign in bare for sign in "%‰") or any(map(_PERCENT.fullmatch, notes))
    is_count = name not in SCORES and _COUNT_AND_SHARE.search(plain) is not None
    return name, is_percent and not is_count


def _known(words: str) -> str | None:
    """Return the name of a score or count for words, also with "number of" before or "patients" behind them."""
    words = words.removeprefix("mean_").removeprefix("average_")
    without_number = _COUNT_OF.sub("", words)
    for shorter in (words, without_number, _AFTER.sub("", words), _AFTER.sub("", without_number)):
        for name in (shorter, shorter.removesuffix("s")):
            if name in ("cases", "n_cases", "case"):
                return UNDECIDED
            if name in NAMES or name in SCORES:
                return NAMES.get(name, name)
    return None


def read_headings(texts: Sequence[str], file: str) -> list[Heading]:
    """Return what the columns of a file hold; ValueError if two may be the same, or one may be two things."""
    headings: list[Heading] = []
    scores_alone = {read_heading(text)[0] for text in texts if not _has_interval(text)}
    for text in texts:
        name, is_percent = read_heading(text)
        end = _ENDS.search(text.casefold())
        score_of_end = read_heading(_ENDS.sub("", text.casefold()))[0] if end else None
        if not re.sub(r"\W+", "", _LEVEL.sub("", text.casefold())) and _has_interval(text):
            name = "auc_interval" if headings and headings[-1].role == "auc" else INTERVAL
        elif name is None and end and score_of_end in SCORES:
            side = "low" if end[1][0] == "l" else "high"
            name = f"auc_{side}" if score_of_end == "auc" else INTERVAL
        elif name is not None and name in scores_alone and _has_interval(text):
            name = "auc_interval" if name == "auc" else INTERVAL
        headings.append(Heading(text, name, is_percent))
    roles = {heading.role for heading in headings}
    for place, heading in enumerate(headings):
        if heading.role == UNDECIDED:
            if not roles & {"positives", "negatives", "n"}:
                raise ValueError(
                    f"{heading.text!r} of {file} may be all cases or the positive ones; call it 'n' or 'positives'."
                )
            heading = heading._replace(role="n" if "positives" in roles else "positives")
            headings[place] = heading
    for place, heading in enumerate(headings):
        for other in headings[:place]:
            if other.role == heading.role not in (None, INTERVAL):
                role = "number of all cases" if heading.role == "n" else heading.role
                raise ValueError(
                    f"{other.text!r} and {heading.text!r} of {file} may both be the {role}; keep one of them, or "
                    "rename the other."
                )
    return headings


def _has_interval(text: str) -> bool:
    """Tell whether a heading has the words for a confidence interval, not in brackets."""
    outside = _BRACKETS.sub("", text)
    return _LEVEL.search((outside if outside.strip() else text).casefold()) is not None
