"""No entry that ships is true whatever it says: a relation turned round, or a digit moved, has another verdict."""

import ast
import copy
import dataclasses
import decimal
from fractions import Fraction

import pytest

from nontrivial.claims.formulas import all_true
from nontrivial.claims.judge import judge_claim
from nontrivial.claims.over import Source
from nontrivial.claims.printed import Printed
from nontrivial.claims.verdict import CAVEAT, CONTRADICTED, NOT_EVALUATED, REPRODUCED

NEGATED = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}


def relations_negated(text):
    """The claim once for each relation in it, with that one negated."""
    tree = ast.parse(text.strip(), mode="eval")
    places = [
        (number, link)
        for number, node in enumerate(ast.walk(tree))
        if isinstance(node, ast.Compare)
        for link in range(len(node.ops))
    ]
    for number, link in places:
        mutant = copy.deepcopy(tree)
        node = list(ast.walk(mutant))[number]
        node.ops[link] = NEGATED[type(node.ops[link])]()
        yield ast.unparse(mutant)


def complement(formula):
    """Of what is always so that it sometimes is not, and the other way round."""
    inner = ast.unparse(formula.tree)
    return f"not ({inner})" if formula.sometimes else f"sometimes(not ({inner}))"


def moved(digits):
    """A printed number with its last digit, of a fraction the numerator, one higher and one lower."""
    number = Printed.parse(digits)
    if not number.unit:
        above, below = digits.split("/")
        return [f"{int(above) + step}/{below}" for step in (1, -1)]
    return [as_printed(number.value + step * number.unit, digits) for step in (1, -1)]


def as_printed(number, digits):
    """A number in as many decimals as another has."""
    decimals = len(digits.partition(".")[2])
    return format(decimal.Decimal(round(number * 10**decimals)).scaleb(-decimals), "f")


def verdict_on(claim, results, text):
    """The verdict on a claim that says something else; a case that settles it is looked for first."""
    mutant = dataclasses.replace(claim, claim=text, exactly_when="")
    about, _ = mutant.about
    if not isinstance(about, Source):
        for part in about.small():
            truth = mutant.formula.truth(part.cases)
            hit = truth.true if mutant.formula.sometimes else truth.false
            if (hit & all_true(mutant.conditions, part.cases, part.count)).any():
                return (REPRODUCED if mutant.formula.sometimes else CONTRADICTED), ""
    return own_verdict(judge_claim(mutant, results))


def own_verdict(record):
    """With the cause of a caveat: what rounding leaves open in pa-haberman-14 has room for the digits beside it."""
    return record["verdict"], record["trail"]["reason"]["code"] if record["verdict"] == CAVEAT else ""


def mutants(claim, record):
    """What a claim is to have another verdict for than its own; and, contradicted, what it is reproduced for."""
    formula, is_number = claim.formula, record["trail"]["found"]["type"] == "number"
    if is_number:
        digits = formula.printed[1]
        left = ast.unparse(formula.printed[0])
        if record["verdict"] == CONTRADICTED:
            found = Fraction(record["trail"]["found"]["value"])
            text = as_printed(found, digits) if Printed.parse(digits).unit else str(found)
            yield f"{left} == {text}", True
        else:
            yield from ((f"{left} == {text}", False) for text in moved(digits))
    elif formula.sometimes or record["verdict"] == CONTRADICTED:
        is_point = record["trail"]["found"]["type"] == "numbers"
        yield f"not ({formula.text})" if is_point else complement(formula), False
    else:
        yield from ((text, False) for text in relations_negated(claim.claim))


def survivors(claim, record, results):
    for text, is_to_hold in mutants(claim, record):
        verdict = verdict_on(claim, results, text)
        if verdict[0] != REPRODUCED if is_to_hold else verdict == own_verdict(record):
            yield claim.id, text, verdict[0]


def test_every_entry_can_fail(shipped_claims, shipped_records, tmp_path):
    alive, tried = [], 0
    for name, claim in shipped_claims.items():
        if shipped_records[name]["verdict"] != NOT_EVALUATED:
            tried += 1
            alive += survivors(claim, shipped_records[name], tmp_path)
    assert alive == []
    assert tried > 350


def test_an_entry_that_cannot_fail_survives(shipped_claims, shipped_records, tmp_path):
    claim = dataclasses.replace(shipped_claims["pa-bounded-by-one"], claim="f1 >= 0 or errors >= 0")
    record = judge_claim(claim, tmp_path)
    assert [text for _, text, _ in survivors(claim, record, tmp_path)] == [
        "f1 < 0 or errors >= 0",
        "f1 >= 0 or errors < 0",
    ]


@pytest.mark.parametrize(
    ("digits", "texts"),
    [
        ("0.46", ["0.47", "0.45"]),
        ("-0.02", ["-0.01", "-0.03"]),
        ("9", ["10", "8"]),
        ("7/15", ["8/15", "6/15"]),
    ],
)
def test_digits_are_moved(digits, texts):
    assert moved(digits) == texts


def test_each_relation_is_negated_by_itself():
    assert list(relations_negated("0 <= a < 1 and b == c")) == [
        "0 > a < 1 and b == c",
        "0 <= a >= 1 and b == c",
        "0 <= a < 1 and b != c",
    ]
    assert next(relations_negated("(a > 0) == (b > 0)")) == "(a > 0) != (b > 0)"
