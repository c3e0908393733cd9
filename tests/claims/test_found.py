"""What was found, stored and read back."""

import json
from fractions import Fraction

import pytest

from nontrivial.claims.verdict import (
    Absent,
    Decision,
    ExactlyWhen,
    Number,
    Numbers,
    Survey,
    found_from_json,
    found_to_json,
)

THIRD = (Fraction(1, 3), Fraction(0), Fraction(1))
RANGES = {"over": "numbers", "ranges": {"a": [0, 4]}, "open": False}
FOUND = [
    Number(*THIRD),
    Numbers({"b": THIRD, "a": (Fraction(-2),) * 3}, False, "some"),
    Survey(3, 2, 1, 1, 4, {"noise": "0.2"}, {"a": "1/2"}),
    Survey(0, 0, 0, 0, 0),
    Absent("no data", {"files": ["t.csv"]}),
    Absent("another study", {"wanted": "886", "numbers": {"x": "0.2"}}),
    Decision("proved", "any size", {"over": "tables", "cases": 12}, 10, 1, 0, undefined_somewhere=True),
    Decision("not shown", "", RANGES, 0, 0, 0, vacuous=True),
    Decision(
        "refuted",
        "",
        {"over": "tables", "cases": 12},
        10,
        0,
        2,
        witness=(1, 1, 0, 0),
        values={"f1": "2/3", "matthews_corrcoef": "undefined"},
        smallest=False,
        exactly_when=ExactlyWhen("fp > 0", "proved", 3, 0, 3),
    ),
]


@pytest.mark.parametrize("found", FOUND, ids=lambda found: type(found).__name__)
def test_what_was_found_survives_storage(found):
    stored = json.loads(json.dumps(found_to_json(found)))
    assert found_from_json(stored) == found


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"type": "else"},
        {"type": "number", "value": "1"},
        {"type": "number", "value": "1/0", "low": "0", "high": "0"},
        {"type": "number", "value": "1", "low": "0", "high": "0", "extra": "1"},
        {"type": "numbers", "values": {"a": 3}, "holds": True, "at_ends": "all"},
        {"type": "decision", "witness": None},
        found_to_json(FOUND[-1]) | {"exactly_when": {"condition": "fp > 0"}},
        [],
        None,
    ],
)
def test_damaged_evidence_is_refused(value):
    with pytest.raises(ValueError, match="a stored result"):
        found_from_json(value)
