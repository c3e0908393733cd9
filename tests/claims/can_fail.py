"""Whether every entry can fail: a relation negated, or a printed number one unit off, has another verdict.

``python tests/claims/can_fail.py results`` lists what survives on the results of a study, which is to be nothing, and
the entries whose number is moved further: only a range leaves it possible, in which one unit changes nothing.
"""

import ast
import copy
import dataclasses
import decimal
import itertools
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

from nontrivial.claims.claim import PointSource
from nontrivial.claims.judge import judge_claim
from nontrivial.claims.language.formulas import all_true
from nontrivial.claims.language.numbers import PrintedNumber
from nontrivial.claims.registry import load_claims
from nontrivial.claims.verdict import CAVEAT, CONTRADICTED, NOT_EVALUATED, REPRODUCED

REGISTRY = Path(__file__).parents[2] / "config" / "claims"
NEGATED = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}


def relations_negated(text):
    """The condition once for each relation in it, with that one negated; that relation alone; and its negation."""
    tree = ast.parse(" ".join(text.split()), mode="eval")
    places = [
        (number, link)
        for number, node in enumerate(ast.walk(tree))
        if isinstance(node, ast.Compare)
        for link in range(len(node.ops))
    ]
    for number, link in places:
        mutant = copy.deepcopy(tree)
        node = list(ast.walk(mutant))[number]
        left, right = [node.left, *node.comparators][link : link + 2]
        op = node.ops[link]
        node.ops[link] = against = NEGATED[type(op)]()
        alone = (ast.unparse(ast.Compare(left, [relation], [right])) for relation in (op, against))
        yield ast.unparse(mutant), *alone


def moved(digits):
    """A printed number with its last digit, of a fraction the numerator, one higher and one lower."""
    number = PrintedNumber.parse(digits)
    if "/" in digits:
        above, below = digits.split("/")
        return [f"{int(above) + step}/{below}" for step in (1, -1)]
    return [as_printed(number.value + step * (number.high - number.low), digits) for step in (1, -1)]


def outside(digits, finding):
    """Of a number that only sampling or rounding leaves possible: the next ones that they do not."""
    unit = PrintedNumber.parse(digits).high - PrintedNumber.parse(digits).low
    return [as_printed(Fraction(finding[end]) + way * unit, digits) for end, way in (("high", 1), ("low", -1))]


def as_printed(number, digits):
    """A number in as many decimals as another has."""
    decimals = len(digits.partition(".")[2])
    return format(decimal.Decimal(round(number * 10**decimals)).scaleb(-decimals), "f")


def verdict_on(claim, results, text):
    """The verdict on a claim that says something else; a case that settles it is looked for first."""
    mutant = dataclasses.replace(claim, claim=text, exactly_when="")
    about = mutant.about
    if not isinstance(about, PointSource):
        for part in about.small_batches():
            truth = mutant.formula.evaluate(part.cases)
            hit = truth.true if mutant.formula.sometimes else truth.false
            if (hit & all_true(mutant.conditions, part.cases, part.count).true).any():
                return (REPRODUCED if mutant.formula.sometimes else CONTRADICTED), ""
    return own_verdict(judge_claim(mutant, results))


def own_verdict(record):
    """With the cause of a caveat: what rounding leaves open has room for the digits beside it."""
    return record["verdict"], record["trail"]["reason"]["code"] if record["verdict"] == CAVEAT else ""


def survivors(claim, record, results):
    """What a claim could say instead, and have the same verdict."""
    own, finding = own_verdict(record), record["trail"]["found"]
    if finding["type"] == "number":
        left, digits = ast.unparse(claim.formula.printed.number), claim.formula.printed.stated.text
        if own[0] == CONTRADICTED:  # by the number found
            value = Fraction(finding["value"])
            text = f"{left} == {as_printed(value, digits) if '/' not in digits else value}"
            best = CAVEAT if claim.kind == "replication" else REPRODUCED
            if verdict_on(claim, results, text)[0] != best:
                yield text
        else:
            neighbours = outside(digits, finding) if own[1] == "range" else moved(digits)
            texts = (f"{left} == {digits}" for digits in neighbours)
            yield from (text for text in texts if verdict_on(claim, results, text) == own)
        return
    formula, is_point = claim.formula, finding["type"] == "numbers" and not finding["points"]
    for inner, alone, against in relations_negated(ast.unparse(formula.tree)):
        # Of what is contradicted, some relations may hold: each is looked at alone.
        if (own[0] == CONTRADICTED or own[1] in ("scope", "strength")) and not formula.sometimes:
            against = against if is_point else f"sometimes({against})"
            if verdict_on(claim, results, alone)[0] == verdict_on(claim, results, against)[0]:
                yield f"{alone}, and {against}"
        elif verdict_on(claim, results, inner) == own:  # of what sometimes is so, that it never is
            yield inner


def main(results):
    """List what survives in a results folder."""
    alive, further, tried = [], [], 0
    for claim in itertools.chain.from_iterable((entry, *entry.parts) for entry in load_claims(REGISTRY)):
        record = judge_claim(claim, results)
        if record["verdict"] != NOT_EVALUATED:
            tried += 1
            if own_verdict(record)[1] == "range":
                further.append(claim.id)
            for text in survivors(claim, record, results):
                alive.append(f"{claim.id}: {record['verdict']} as {text}, too")
    print("\n".join([*alive, f"{tried} entries were tried; {len(alive)} of their mutants survive."]))
    print(f"Moved out of their range, and not by one unit: {', '.join(further) or 'none'}.")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp()))
