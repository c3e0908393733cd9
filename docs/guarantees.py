"""Makes the page of what each measure guarantees, and its matrix as CSV: ``python docs/guarantees.py``."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import yaml

from nontrivial.claims.claim import Claim, PointSource
from nontrivial.claims.domains.tables import TABLE_CELLS, TableDomain
from nontrivial.claims.language.formulas import Formula
from nontrivial.claims.least import LeastNumber, narrow
from nontrivial.claims.registry import read_registry
from nontrivial.claims.search import Question, settle
from nontrivial.claims.sentences import domain_text, witness_text
from nontrivial.claims.verdict import Case, Decision
from nontrivial.measures.catalogue import CATALOGUE, Measure

MEASURES = [measure for measure in CATALOGUE.values() if measure.better == 1]
RELATIONS = Path(__file__).parents[1] / "config" / "guarantees"
GROUPS = ("Triviality", "The four rates", "Order and monotonicity", "Imbalance", "Rankings")
BOTH_CLASSES = ("positives >= 1", "negatives >= 1")
SAME_CASES = ("positives_1 == positives_2 >= 1", "negatives_1 == negatives_2 >= 1")
_WIDTH = Fraction(1, 1000)  # of the range that a least value is narrowed down to
_HIGH = 1000  # a high value of a measure without a greatest one
_FEW_OR_MANY = (0, 1, 2, 10**3, 10**5, 10**7)  # cells of the tables that are tried for a high value
_PLAIN = 20  # the largest denominator of a fraction that is shown as one

OPENING = """\
# What each measure guarantees

What the value of a measure promises about a classifier. The solver of [claims](claims.md) proves it for confusion
tables of any size, or a search finds the smallest exception. `python docs/guarantees.py` makes this page and its
matrix, {download}`guarantees.csv`, from the catalogue of measures and from `config/guarantees/`.

## All measures

The rows are the measures for which greater is better. *Proved* means: for all tables with both classes in which the
measure is not 0/0; any other number over 0 is infinite. After *no*, the cell shows the smallest table without the
property, as FP, TP, FN and TN. It shows two tables if the property compares two classifiers of the same cases, and a
factor *k* if it multiplies the negatives.

The last two columns show from which value on, or above which value, a measure keeps the promise in the heading. *From
4/5, not 0.799* means: it is proved from 4/5 on, and refuted at 0.799. *Never* means that the promise fails even at
0.999, or at 1000 if the measure has no greatest value; the cell shows such a table.

"""

PAPERS = """\
## Papers

We read the abstracts of these papers, and derived the relations without them.

- J. Davis and M. Goadrich, [on ROC and Precision-Recall curves](https://doi.org/10.1145/1143844.1143874), ICML 2006.
- Z. C. Lipton, C. Elkan and B. Narayanaswamy, [on thresholds that maximize F1](https://arxiv.org/abs/1402.1892), 2014.
- D. M. W. Powers, [on informedness, markedness and correlation](https://doi.org/10.48550/arXiv.2010.16061), 2011.
"""


class Property(NamedTuple):
    """What a measure may have, as a claim in which ``M`` stands for the measure."""

    heading: str
    claim: str
    given: Sequence[str] = BOTH_CLASSES
    over: str = "tables"

    def put_in(self, measure: Measure) -> tuple[str, list[str]]:
        """Return the claim and its conditions for a measure."""
        claim, *given = (text.replace("M", measure.name) for text in (self.claim, *self.given))
        return claim, given


PROPERTIES = (
    Property(
        "0 for every constant guess", "M == 0", (*BOTH_CLASSES, "min(predicted_positives, predicted_negatives) == 0")
    ),
    Property("1 only without an error", "errors == 0", (*BOTH_CLASSES, "M == 1")),
    Property("same if the classes are exchanged", "M == swap(M)"),
    Property("same if truth and prediction are exchanged", "M == transpose(M)"),
    Property(
        "same at any imbalance with equal rates", "times(M, k) == M", (*BOTH_CLASSES, "k >= 1"), "tables and a factor"
    ),
    Property("never better with more errors", "M_1 <= M_2", (*SAME_CASES, "errors_1 > errors_2"), "pairs of tables"),
)
# Claims about values from a number x on. The second says that the Prediction Advantage is above 0.
PROMISES = (
    Property(
        "each of the four rates is at least 1/2",
        "min(recall, specificity, precision, negative_predictive_value) >= 1/2",
        (*BOTH_CLASSES, "M >= x"),
    ),
    Property("Prediction Advantage above 0", "errors < min(positives, negatives)", (*BOTH_CLASSES, "M > x")),
)


class Cell(NamedTuple):
    """What is known of a property of a measure."""

    measure: str
    property: str
    verdict: str  # "proved", "refuted", "0/0" if the measure always is, or "open"
    value: str = ""  # of a promise, from which value of the measure on, and at which lesser value not
    exception: str = ""  # the cells FP, TP, FN and TN of what refutes the property


class Promise(LeastNumber):
    """A least value that only the solver is asked about, because searches for smallest tables take long."""

    def holds(self, number: Fraction) -> bool | None:
        """Tell whether the claim holds for a number; None if that is open."""
        case = find_by_solver(self.question(number))
        return None if case is None else not case


def find_by_solver(question: Question) -> Case | None:
    """Return a case that refutes a claim about tables, or () if there is none; None if the solver does not know."""
    space = question.solver_space()
    assert space is not None
    exists, case = space.find_case(question.conditions, question.claim.evaluate(space.cases).false)
    if exists is False:
        return ()
    return case if question.is_settled_by(case) else None


def judge_property(wanted: Property, measure: Measure) -> Cell:
    """Judge whether a measure has a property."""
    claim, given = wanted.put_in(measure)
    question = Question(Formula.condition(claim), list(map(Formula.condition, given)), TableDomain(wanted.over))
    decision = settle(question)
    verdict = "0/0" if decision.vacuous else {"searched": "open"}.get(decision.status, decision.status)
    return Cell(measure.label, wanted.heading, verdict, exception=_spaced(decision.witness or ()))


def judge_promise(wanted: Property, measure: Measure) -> Cell:
    """Find the least value of a measure from which on it keeps a promise."""
    promise = Promise("x", *wanted.put_in(measure), TableDomain())
    best = measure.bounds[1]
    highest = Fraction(_HIGH) if math.isinf(best) else best - _WIDTH
    question = promise.question(highest)
    tables = np.array(sorted(product(_FEW_OR_MANY, repeat=len(TABLE_CELLS)), key=sum))
    exception = question.first_settling([TableDomain().make_batch(tables)]) or find_by_solver(question)
    if exception is None:
        return Cell(measure.label, wanted.heading, "open")
    if exception:
        return Cell(measure.label, wanted.heading, "refuted", exception=_spaced(exception))
    least = narrow(promise, Fraction(-1), highest, _WIDTH)
    if least.low == least.high:
        return Cell(measure.label, wanted.heading, "proved", str(least.value))
    low = f"{math.floor(least.low / _WIDTH) * float(_WIDTH):.3f}"
    is_plain = least.high.denominator <= _PLAIN
    high = least.high if is_plain else f"{math.ceil(least.high / _WIDTH) * float(_WIDTH):.3f}"
    return Cell(measure.label, wanted.heading, "proved", f"{high}, not {low}")


def _spaced(case: Case) -> str:
    """Write the cells of a table, of two tables, or of a table and a factor."""
    first, second = (" ".join(map(str, part)) for part in (case[: len(TABLE_CELLS)], case[len(TABLE_CELLS) :]))
    return f"{first}; {'k ' * (len(case) == len(TABLE_CELLS) + 1)}{second}" if second else first


def judge_matrix() -> pd.DataFrame:
    """Judge every property and promise of every measure: a row for each."""
    cells = [judge_property(*pair) for pair in product(PROPERTIES, MEASURES)]
    cells += [judge_promise(*pair) for pair in product(PROMISES, MEASURES)]
    return pd.DataFrame(cells, columns=Cell._fields)


def render_matrix(cells: pd.DataFrame) -> str:
    """Return the matrix as a table of Markdown, with a row for each measure."""
    texts = {(cell.measure, cell.property): _cell_text(cell) for cell in map(Cell._make, cells.to_numpy())}
    headings = [wanted.heading for wanted in (*PROPERTIES, *PROMISES)]
    rows = [["measure", *headings], ["---"] * (1 + len(headings))]
    rows += [[measure.label, *(texts[measure.label, heading] for heading in headings)] for measure in MEASURES]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _cell_text(cell: Cell) -> str:
    words = {promise.heading: ("from" if ">=" in promise.given[-1] else "above") for promise in PROMISES}
    tables = cell.exception.replace(" ", "\N{NO-BREAK SPACE}").replace(";\N{NO-BREAK SPACE}", "; ")
    match cell.verdict:
        case "proved" if cell.value:
            return f"**{words[cell.property]} {cell.value}**"
        case "refuted":
            return f"{'never' if cell.property in words else 'no'}: {tables}"
        case "0/0":
            return "always 0/0"
    return f"**{cell.verdict}**"


def render_relations(folder: Path) -> Iterator[str]:
    """Yield the headings of the groups, and below each its relations."""
    _, relations = read_registry(folder)
    for group in GROUPS:
        yield f"## {group}\n"
        yield from (render_relation(relation) for relation in relations if relation.section == group)


def render_relation(relation: Claim) -> str:
    """Return a relation after its verdict, and below it its formula."""
    assert not isinstance(relation.about, PointSource)
    verdict, shown = _verdict_and_case(settle(Question(relation.formula, relation.conditions, relation.about)))
    places = {place: set(texts) for place, texts in _named_conditions().items() if {*texts} <= {*relation.given}}
    conditions = [f"`{text}`" for text in relation.given if not any(text in texts for texts in places.values())]
    definitions = [f"`{name} = {text}`" for name, text in relation.define.items()]
    formula = f"`{relation.claim}`" + (f" if {' and '.join(conditions)}" if conditions else "")
    formula += f", with {', '.join(definitions)}" if definitions else ""
    sentences = " ".join(filter(None, [f"**{verdict}.**", relation.statement, shown, relation.note]))
    return f"- {sentences}\\\n  {', '.join([formula, *(f'for {place}' for place in places)])}\n"


@cache
def _named_conditions() -> dict[str, list[str]]:
    """Return the lists of conditions that have a name in the files of relations, by their names."""
    files = map(yaml.safe_load, (path.read_text(encoding="utf-8") for path in sorted(RELATIONS.glob("*.yaml"))))
    return {place: texts for file in files for place, texts in file.get("presupposed", {}).items()}


def _verdict_and_case(decision: Decision) -> tuple[str, str]:
    """Return the verdict in words, and a sentence with the case that settles a relation."""
    if decision.proved_of:
        return f"{'Proved' if decision.status == 'proved' else 'False'} for {decision.proved_of}", ""
    if decision.witness is None:
        return "Open", f"Searched without an exception: {domain_text(decision.domain)}."
    text = witness_text(decision.domain, decision.witness).removeprefix("first: ").replace("; second:", ", beside")
    verdict, role = ("Shown", "example") if decision.status == "shown" else ("False", "exception")
    return verdict, f"{'The smallest' if decision.smallest else 'An'} {role}: {text}."


def write_page(docs: Path, relations: Path) -> None:
    """Judge everything, and write the page and its matrix into a folder."""
    cells = judge_matrix()
    cells.to_csv(docs / "guarantees.csv", index=False)
    page = "\n".join([OPENING + render_matrix(cells), *render_relations(relations), PAPERS])
    (docs / "guarantees.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    write_page(Path(__file__).parent, RELATIONS)
