"""Decisions: every status, with claims known to be true and known to be false, and smallest cases worked by hand."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from claims.named import conditions, numbers

from nontrivial.claims import search as module
from nontrivial.claims import solver
from nontrivial.claims.claim import Claim
from nontrivial.claims.domains.domain import NumberDomain
from nontrivial.claims.domains.tables import TableCases, TableDomain
from nontrivial.claims.judge import judge_claim
from nontrivial.claims.language.formulas import Formula
from nontrivial.claims.language.numbers import Ratios
from nontrivial.claims.least import MAX_RANGE_WIDTH
from nontrivial.claims.rankings.domain import RankingDomain
from nontrivial.claims.search import Question, decide, find_condition, settle, try_condition
from nontrivial.claims.sentences import finding_text
from nontrivial.claims.verdict import finding_from_json, verdict_on

MINORITY = "1 <= positives <= negatives"
TABLES, PAIRS = TableDomain(), TableDomain("pairs of tables")
POSITIVE = NumberDomain.positive(["x", "y", "z"], {})
SMALL = [cells for cells in itertools.product(range(13), repeat=4) if sum(cells) <= 12]
ALL = TableCases(*map(Ratios, np.array(SMALL).T))


def decided(claim, *given, domain=TABLES, proposed=None):
    proposed = Formula.condition(proposed) if proposed else None
    return decide(Formula.condition(claim), conditions(*given), domain, proposed)


@pytest.mark.parametrize(
    ("claim", "given", "status", "witness"),
    [
        ("recall <= 1", (), "proved", None),
        ("prediction_advantage <= cohen_kappa", (MINORITY,), "proved", None),
        ("f1 <= balanced_accuracy", (MINORITY,), "refuted", (2, 2, 1, 1)),  # 4/7 > 1/2
        ("balanced_accuracy <= accuracy", (MINORITY,), "refuted", (2, 1, 1, 1)),  # 5/12 > 2/5
        ("prediction_advantage == cohen_kappa", (MINORITY,), "refuted", (1, 1, 1, 2)),  # 0 < 1/6
        ("sometimes(recall < precision)", (), "shown", (1, 1, 2, 1)),
        ("sometimes(recall > 1)", (), "impossible", None),
        ("matthews_corrcoef >= 0", (), "refuted", (1, 1, 2, 1)),
        ("sometimes(matthews_corrcoef == -1/2)", (), "shown", (3, 1, 3, 1)),
        # 13 cases at least, all called positive, one of them rightly: beyond the small tables, and still the smallest.
        ("precision > 1/13 or tn + fn > 0 or tp == 0", (), "refuted", (12, 1, 0, 0)),
        ("(recall > 1/2) != (false_negative_rate >= 1/2)", ("positives >= 1",), "proved", None),
    ],
)
def test_tables(claim, given, status, witness):
    decision = decided(claim, *given)
    assert (decision.status, decision.witness) == (status, witness)
    assert decision.smallest
    assert decision.proved_of == ("any size" if status in ("proved", "impossible") else "")
    assert not decision.vacuous


@pytest.mark.parametrize(
    ("claim", "given", "values"),
    [
        ("f1 <= balanced_accuracy", (MINORITY,), {"f1": "4/7", "balanced_accuracy": "1/2"}),
        (
            "sometimes(matthews_corrcoef < 0 and n > 2*tp + 1)",
            ("positives > 0",),
            {"matthews_corrcoef": "-1/6", "n": "5", "tp": "1"},
        ),
        ("sometimes(recall > 0 or n >= 0)", ("positives == 0",), {"recall": "undefined", "n": "0"}),
        # 5/(5+2+4), and 1.25/(1.25+2+0.25)
        ("f_beta(2) <= f_beta(0.5)", ("tp == 1", "fp == 2", "fn == 1"), {"f_beta(2)": "5/11", "f_beta(0.5)": "5/14"}),
        (
            "swap(f1 + transpose(fp)) == f1",
            ("tp == 2", "fp == 1", "fn == 0", "tn == 1"),
            {"swap(f1)": "2/3", "swap(transpose(fp))": "1", "f1": "4/5"},
        ),
    ],
)
def test_values_are_those_of_the_witness(claim, given, values):
    assert decided(claim, *given).values == values


@pytest.mark.parametrize("claim", ["f1 <= balanced_accuracy", "p4 == f1", "sometimes(recall < accuracy < precision)"])
def test_counts_and_smallest_are_those_of_going_through_every_table(claim):
    formula, given = Formula.condition(claim), "precision >= 1/3"
    truths = {
        cells: formula.evaluate(TableCases(*map(Ratios, cells)))
        for cells in SMALL
        if 2 * cells[1] >= cells[0] < sum(cells[:2])
    }
    hits = [cells for cells, truth in truths.items() if (truth.true if formula.sometimes else truth.false)]
    decision = decided(claim, given)
    defined = sum(bool(truth.is_defined) for truth in truths.values())
    counts = (decision.checked, decision.undefined, decision.hits)
    assert counts == (defined, len(truths) - defined, len(hits))
    assert decision.witness == min(hits, key=lambda cells: (min(cells) == 0, sum(cells), cells))
    for cells in SMALL[::7]:
        assert Question(formula, conditions(given), TABLES).is_settled_by(cells) == (cells in hits)
    for none in ((41, 0, 0), (-1, 1, 0, 0), (1, 1, 0, True), (1.0, 1, 0, 0), (1, 1, 0, 0, 0)):
        assert not Question(formula, conditions(given), TABLES).is_settled_by(none)


def test_beyond_all_that_is_searched_the_witness_is_the_solvers():
    decision = decided("precision != 1/101 or recall == 0")
    assert (decision.status, decision.smallest) == ("refuted", False)
    fp, tp, _, _ = decision.witness
    assert fp == 100 * tp > 0
    assert "the solver found" in finding_text(decision)
    assert "among larger ones" in finding_text(decided("precision > 1/13 or tn + fn > 0 or tp == 0"))
    decision = decided("sometimes(precision == 1/101)")
    assert (decision.status, decision.smallest, decision.hits) == ("shown", False, 0)


@pytest.mark.parametrize(
    ("claim", "given", "witness"),
    [
        # The solver leaves these open, or cannot take them.
        ("matthews_corrcoef <= p4", "n > 0", (0, 1, 18, 26)),  # sqrt(13/418) > 52/295; n = 45
        ("log(tp + fp) < 3", "fn + tn == 0", (0, 21, 0, 0)),  # exp(3) is 20.1
        # A small one has an empty cell, and this one has none: it is shown.
        (
            "min(precision, recall, specificity, negative_predictive_value) >= 1/2",
            "matthews_corrcoef >= 1/2",
            (1, 4, 5, 23),
        ),
    ],
)
def test_larger_tables_are_tried_where_small_ones_do_not_suffice(claim, given, witness):
    decision = decided(claim, given)
    assert (decision.status, decision.witness, decision.smallest) == ("refuted", witness, True)
    assert decision.natural == (0 not in witness)
    assert decision.exactly_when is None or decision.hits  # no small table tells where it fails


@pytest.mark.parametrize(
    ("claim", "status"),
    [
        ("tp**2 >= tp", "searched"),  # false at 1/2
        ("tp**2 != 2 * fp**2 or tp == 0", "searched"),  # false at the square root of 2 only
        ("sometimes(tp**2 == 2)", "not shown"),
    ],
)
def test_whole_numbers_are_not_taken_for_others(claim, status):
    """Cells are real numbers to the solver: it knows of a case, but of none in whole numbers."""
    decision = decided(claim)
    assert (decision.status, decision.witness, decision.hits, decision.proved_of) == (status, None, 0, "")


@pytest.mark.parametrize(
    ("claim", "given", "undefined"),
    [
        ("precision <= 1", (), True),
        ("0 / (tp - 20) == 0", (), True),  # in no small table
        ("0/(2*tp - 1)**2 == 0", (), None),  # at no whole number, which nothing proves
        # Of tables that are not small, only the solver knows.
        ("fp/(1/tp) >= 0", ("n > 20",), False),  # infinite inside
        ("fp*(1/tp) >= 0", ("n > 20",), True),
        ("1/tp + 1/fp > 0", ("n > 20",), False),
        ("1/tp - 1/fp < 0", ("n > 20", "tp == 0"), True),
        ("precision <= 1 and n >= 0", ("n > 20",), True),
        ("precision <= 1 and n < 0", ("n > 20",), False),  # the rest settles it
        ("(precision <= 1) == (n >= 0)", ("n > 20",), True),
        ("0 <= n < precision + n + 1", ("n > 20",), True),  # in a chain
        ("max(min(precision, 1), 0) <= 1", ("n > 20",), True),
        ("swap(precision) <= 1", ("n > 20", "predicted_positives > 0"), True),
        ("swap(precision) <= 1", ("n > 20", "predicted_negatives > 0"), False),
        # What is given must be true, and not merely not false.
        ("precision >= 0", ("n > 20", "precision >= 0 or n >= 0"), True),
        ("precision >= 0", ("n > 20", "precision >= 0"), False),
        ("(tp - 20) / (tp - 20) < -1/20", (), True),  # refuted, too
        ("sometimes(precision == 1)", (), True),
        ("cohen_kappa <= 1", ("positives > 0", "negatives > 0"), False),
    ],
)
def test_where_it_has_no_meaning_is_said(claim, given, undefined):
    assert decided(claim, *given).undefined_somewhere is undefined


@pytest.mark.parametrize(
    ("claim", "given", "status", "vacuous"),
    [
        ("recall <= 1", ("tp > n",), "searched", True),
        ("sometimes(recall <= 1)", ("tp > n",), "not shown", True),
        ("recall <= 1", ("tp > 20",), "proved", False),  # none is small, and there are some
        ("sometimes(recall > 1)", ("tp > 20",), "impossible", False),
        ("precision >= 1", ("predicted_positives == 0",), "searched", True),  # nowhere with a meaning
        ("log(tp) > 0", ("tp > 20",), "searched", False),  # the solver cannot take it
        ("log(tp) > 0", ("tp > n",), "searched", True),
    ],
)
def test_a_claim_that_says_nothing_is_vacuous(claim, given, status, vacuous):
    decision = decided(claim, *given)
    assert (decision.status, decision.vacuous) == (status, vacuous)
    assert (verdict_on(Formula.condition(claim), decision).reason == "vacuous") == vacuous
    assert not (vacuous and "proved" in finding_text(decision))  # nor is it not evaluated and proved


def test_pairs_of_tables():
    same = ("positives_1 == positives_2 >= 1", "negatives_1 == negatives_2 >= 1")
    fewer = "({0}_1 > {0}_2) == (error_rate_1 < error_rate_2)"
    assert decided(fewer.format("prediction_advantage"), *same, domain=PAIRS).status == "proved"
    decision = decided(fewer.format("f1"), *same, domain=PAIRS)
    # The smallest without an empty cell: three positives, three negatives.
    assert (decision.status, decision.witness) == ("refuted", (2, 2, 1, 1, 1, 1, 2, 2))
    assert decided("swap(recall_2) == specificity_2", domain=PAIRS).status == "proved"
    assert decided("swap(recall_2) == specificity_1", domain=PAIRS).status == "refuted"


RANGES = {"x": (0, 3), "y": (1, 3)}


@pytest.mark.parametrize(
    ("claim", "status", "proved_of", "witness", "undefined"),
    [
        ("x + y > x", "proved", "any size", None, False),
        ("x < y or x > y", "refuted", "", (1, 1), False),
        ("sometimes(x > 4)", "impossible", "the ranges", None, False),
        ("2 * x != 3", "proved", "the ranges", None, False),  # of all whole numbers there; 3/2 is none
        ("sometimes(x*x == 4*y*y)", "shown", "", (2, 1), False),
        ("sometimes(x*x == 2*y*y)", "impossible", "the ranges", None, False),
        ("1/(2*x - 1)**2 > 0", "proved", "any size", None, False),  # 0/0 at one half only
        ("(x - 2)**2/(2*x - 4)**2 > 0", "proved", "any size", None, True),
        ("1/(x - 7)**2 > 0", "proved", "any size", None, False),  # beyond the range
        ("1/(x - y) == -(1/(y - x))", "proved", "any size", None, True),  # of either sign where x is y
        ("1/abs(x - y) > 0", "proved", "any size", None, False),
    ],
)
def test_numbers_in_ranges(claim, status, proved_of, witness, undefined):
    decision = decided(claim, domain=numbers(**RANGES))
    assert (decision.status, decision.proved_of, decision.witness) == (status, proved_of, witness)
    assert decision.undefined_somewhere is undefined
    assert decision.exactly_when is None
    assert decided("sometimes(x == y)", "x > 9", domain=numbers(**RANGES)).vacuous


HUGE = "1" + 40 * "0"


@pytest.mark.parametrize(
    ("claim", "given", "reason"),
    [
        (f"log({HUGE} + x) != log({HUGE})", "x > 0", "undecided"),
        (f"log({HUGE} + x) - log({HUGE}) > 0", "x > 0", "undecided"),
        (f"sometimes(log({HUGE} + x) == log({HUGE}))", "x > 0", "undecided"),
        ("x != 3", "log(x*x) == 2*log(x)", "undecided"),
        ("log(x*x) == 2*log(x)", "x > 0", "searched"),
        ("log(x) <= x - 1", "x > 0", "proved"),
        ("log(x) < x - 1", "x > 0", "counterexample"),
    ],
)
def test_what_rounded_logarithms_leave_open_is_neither_proved_nor_refuted(claim, given, reason):
    decision = decided(claim, given, domain=numbers(x=(0, 3)))
    assert verdict_on(Formula.condition(claim), decision).reason == reason


HARMONIC = {"f": "2*p*r/(p + r)", "p": "x/(x + y)", "r": "x/(x + z)"}
AREA = {"area": "integral((1 - t)*x + t*y, t, 0, 1)"}
HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("define", "claim", "status", "witness"),
    [
        ({}, "(x + y)/2 >= 2*x*y/(x + y)", "proved", None),
        (HARMONIC, "f == 2*x/(2*x + y + z)", "proved", None),
        (AREA, "area == (x + y)/2", "proved", None),
        ({}, "x/(x + y) == x/(x + z)", "refuted", (1, 1, 2)),
        ({}, "(x - 1)*(x - 2)/(x - 1) == 0*x", "refuted", (3,)),  # undefined at 1, equal at 2
        # What fails between whole numbers fails; what the solver knows by irrational numbers alone is unconfirmed.
        ({}, "(2*x - 1)**2 > 0", "refuted", (HALF,)),
        ({}, "sometimes(3*x == 2)", "shown", (Fraction(2, 3),)),
        ({}, "x**2 != 2", "searched", "irrational"),
        ({}, "sometimes(x**2 == 2)", "not shown", "irrational"),
        # Logarithms stop the solver: other numbers than small whole ones are tried.
        ({}, "log(x) >= 0", "refuted", (HALF,)),
        ({}, "log(x) * log(y) >= 0", "refuted", (HALF, Fraction(3, 2))),
        ({}, "log(x) <= 2", "refuted", (100,)),
    ],
)
def test_positive_numbers(define, claim, status, witness):
    formulas = {name: Formula.number(text) for name, text in define.items()}
    known = {name for formula in (Formula.condition(claim), *formulas.values()) for name in formula.names}
    decision = decided(claim, domain=NumberDomain.positive(sorted(known - define.keys()), formulas))
    assert (decision.status, decision.unconfirmed) == (status, witness == "irrational")
    assert decision.witness == (None if decision.unconfirmed else witness)


@pytest.mark.parametrize("limit", [{"MAX_SOLVER_STEPS": 1}, {"MAX_ALTERNATIVES": 0}])
def test_beyond_the_solvers_limits_a_claim_is_undecided(limit, monkeypatch):
    monkeypatch.setattr(solver, *next(iter(limit.items())))
    decision = decided("precision <= recall", "fp >= fn")
    assert (decision.status, decision.proved_of, decision.undefined_somewhere) == ("searched", "", True)
    both = "positives > 0", "negatives > 0"
    assert decided("cohen_kappa < 1 or errors == 0", *both).undefined_somewhere is None
    assert decided("sometimes(recall > 1/2)", "recall < 1/2").status == "not shown"
    assert decided("sometimes(cohen_kappa == 1)").status == "shown"
    assert decided("f1 <= accuracy", MINORITY).status == "refuted"


def test_what_the_solver_errs_in_is_no_counterexample(monkeypatch):
    monkeypatch.setattr(solver.SolverSpace, "find_case", lambda *_, **__: solver.SolverAnswer(True, (1, 2, 0, 6)))
    decision = decided("recall <= 1")
    assert (decision.status, decision.witness) == ("searched", None)


# Where a claim that fails holds: decision or derived conditions, against going through every small table.

DERIVED = "positives * fp**2 <= negatives * fn**2 + (negatives - positives) * (positives + tp) * fp"


def masks(*texts):
    return [np.broadcast_to(condition.evaluate(ALL).true, len(SMALL)) for condition in conditions(*texts)]


def found_for(claim, given=MINORITY):
    return find_condition(Question(Formula.condition(claim), conditions(given), TABLES))


def tried(proposed, claim, given=MINORITY, domain=TABLES):
    question = Question(Formula.condition(claim), conditions(given), domain)
    return try_condition(Formula.condition(proposed), question)


@pytest.mark.parametrize(
    ("claim", "given", "condition"),
    [
        # With balanced classes accuracy is balanced accuracy; otherwise it weighs the majority's rate more.
        ("balanced_accuracy <= accuracy", MINORITY, "positives == negatives or recall <= specificity"),
        ("prediction_advantage <= 0", MINORITY, "tp <= fp"),  # 1 - (FP + FN) / (TP + FN)
        ("precision <= recall", "tp > 0", "predicted_positives >= positives"),
        ("f1 <= balanced_accuracy", MINORITY, None),
        ("recall <= specificity ** 2", MINORITY, None),
    ],
)
def test_the_exact_condition_is_found_and_proved_or_the_weakest_that_suffices(claim, given, condition):
    result = found_for(claim, given)
    applies, holds, met = masks(given, claim, result.condition)
    meant = applies & Formula.condition(claim).evaluate(ALL).is_defined
    assert (result.met, result.wrong, result.holds) == ((met & meant).sum(), 0, (holds & meant).sum())
    if condition:
        assert (result.condition, result.status, result.met) == (condition, "proved", result.holds)
        return
    assert result.status == "sufficient"
    assert found_for("tp > 0 and fn > 0", "n >= 0").condition != "fn > 0 and tp > 0"  # which repeats the claim
    atoms = masks(*(atom.text for atom in module.simple_conditions()))
    most = max(
        int((joined & applies).sum())
        for first, second in itertools.combinations_with_replacement(atoms, 2)
        for joined in (first & second, first | second)
        if not (joined & applies & ~holds).any()
    )
    assert 0 < result.met == most < result.holds


@pytest.mark.parametrize(
    ("condition", "status"),
    [
        (DERIVED, "proved"),
        (DERIVED.replace("<=", "<"), "sufficient"),  # too little
        ("fp == 0", "sufficient"),
        (f"{DERIVED} or fn == 0", "refuted"),  # too much
        ("precision <= recall", "refuted"),  # one of each, both called positive
    ],
)
def test_a_derived_condition_is_tried_in_every_case(condition, status, monkeypatch):
    claim = "f1 <= balanced_accuracy"
    result = decided(claim, MINORITY, proposed=condition).exactly_when
    assert (result.condition, result.status) == (condition, status)
    applies, holds, met = masks(MINORITY, claim, condition)
    assert (result.met, result.wrong) == ((applies & met).sum(), (applies & met & ~holds).sum())
    monkeypatch.setattr(solver, "MAX_SOLVER_STEPS", 1)  # the solver leaves it open
    assert tried(condition, claim).status == {"proved": "searched"}.get(status, status)


@pytest.mark.parametrize(
    ("proposed", "claim", "given", "domain", "status"),
    [
        # A condition that fits small tables only is not exact: the solver knows tables of 21 true positives.
        ("errors == 0", "errors == 0 or tp == 20", "n >= 0", TABLES, "sufficient"),
        ("errors == 0 or tp == 20", "errors == 0", "n >= 0", TABLES, "refuted"),
        # In ranges that are gone through it is proved, though between whole numbers the two differ.
        ("x < 3", "x <= 2", "x >= 0", numbers(x=(0, 4)), "proved"),
        ("fp == 0", "accuracy > 1", "n >= 0", TABLES, "refuted"),
        ("fp == 0", "precision == 1", "n >= 0", TABLES, "proved"),  # where precision has a meaning
    ],
)
def test_conditions_of_other_claims(proposed, claim, given, domain, status):
    assert tried(proposed, claim, given, domain).status == status


def test_no_condition():
    assert found_for("accuracy > 1") is None  # holds nowhere
    assert found_for("tp <= fp", "n >= 1").condition != "tp <= fp"  # would repeat the claim
    assert find_condition(Question(Formula.condition("x <= 2"), [], numbers(x=(0, 4)))) is None
    assert decided("f1 <= 1", MINORITY, proposed="fp == 0").exactly_when is None


# The solver's terms: claims that are true by their definitions fail in no real table, and false ones in some.


def fails(claim, *given, domain=TABLES):
    """Whether there is a real case in which a claim is false."""
    space = domain.solver_space()
    return space.find_case(conditions(*given), Formula.condition(claim).evaluate(space.cases).false)[0]


CLAIMS = {
    "chain": ("0 <= recall <= 1", "0 < recall <= 1"),
    "equation": ("accuracy + error_rate == 1", "accuracy == error_rate"),
    "not, and, or": ("not (recall > 1) and recall >= 0 or tp > 0", "not (recall > 1/2 or tp > 0)"),
    "both or neither": ("(errors == 0) == (fp == 0 and fn == 0)", "(errors == 0) == (fp == 0)"),
    "just one": ("(x > y) != (x <= y)", "(x > y) != (x >= y)"),
    "maximum on the smaller side": ("max(x, y) < x + y", "max(x, y) <= x"),
    "minimum on the greater side": ("x <= min(x + y, x + z)", "x <= min(x, y)"),
    "magnitude": ("abs(x - y) == max(x - y, y - x)", "abs(x - y) == x - y"),
    "swap in a sum, and twice": ("swap(recall + 2 * swap(tp)) == specificity + 2 * tp", "swap(transpose(fp)) == fn"),
    "divided by what may be negative": ("x/(x - y) > y/(x - y) or x == y", "1/(x - y) > 0"),
    "sign of a quotient": ("(1/(x - y) > 0) == (x >= y)", "(1/(x - y) > 0) == (x < y)"),
    "magnitude of a quotient": ("abs(1/(x - y)) == max(1/(x - y), 1/(y - x))", "abs(1/(x - y)) == 1/(x - y)"),
    "a negative divisor in a product": ("1/(x - y) * (x - y) == 1", "1/(x - y) * (x - y) == -1"),
    "powers": ("(x - y)**2 >= 0", "(x - y)**3 >= 0"),
    "decimals": ("x + 0.30 == x + 3/10", "x + 0.3 == x + 0.33"),
    "undefined is not false": ("1/tp > 0", "1/tp > 1"),
    "root: sign": ("(matthews_corrcoef < 0) == (informedness < 0)", "(matthews_corrcoef < 0) == (informedness <= 0)"),
    # Fowlkes-Mallows is between F1 and the arithmetic mean of precision and recall.
    "root: with a ratio": ("f1 <= fowlkes_mallows <= (precision + recall) / 2", "fowlkes_mallows <= f1"),
    "root: exchanged": ("transpose(fowlkes_mallows) == fowlkes_mallows", "swap(fowlkes_mallows) == fowlkes_mallows"),
}  # fmt: skip


@pytest.mark.parametrize("name", CLAIMS)
def test_a_true_claim_is_false_nowhere_and_a_false_one_somewhere(name):
    true, false = CLAIMS[name]
    domain = POSITIVE if set(Formula.condition(true).names) <= {"x", "y", "z"} else TABLES
    assert fails(true, domain=domain) is False
    assert fails(false, domain=domain) is True


def test_steps_are_counted_alike_whatever_was_asked_before(monkeypatch):
    """A limit of time would make a verdict depend on the machine."""
    solvers, make_solver = [], solver.SolverSpace._make_solver

    def make_and_keep(*arguments):
        solvers.append(make_solver(*arguments))
        return solvers[-1]

    def count_steps(claim, given):
        solvers.clear()
        fails(claim, given)
        return [solver.statistics().get_key_value("rlimit count") for solver in solvers]

    monkeypatch.setattr(solver.SolverSpace, "_make_solver", make_and_keep)
    hard = "prediction_advantage <= min(precision, recall)", MINORITY
    steps = count_steps(*hard)
    count_steps("f1 <= accuracy", "n >= 1")
    assert count_steps(*hard) == steps
    assert min(steps) > 100


BOTH, FACTOR = ("positives >= 1", "negatives >= 1"), TableDomain("tables and a factor")


@pytest.mark.parametrize(
    ("text", "more", "domain", "status"),
    [
        ("times(precision, k) <= precision", ("k >= 1", "tp >= 1"), FACTOR, "proved"),
        ("times(informedness, k, positives) == informedness", (), FACTOR, "proved"),
        ("times(prevalence, k) == positives/(positives + k*negatives)", (), FACTOR, "proved"),
        ("times(f1, k) == f1", (), FACTOR, "refuted"),
        # Roots are compared by their signs and squares.
        ("min(recall, specificity) > 1/2", ("matthews_corrcoef > 0.7072",), TABLES, "proved"),
        ("min(recall, specificity) > 1/2", ("matthews_corrcoef > 1/2",), TABLES, "refuted"),
        ("matthews_corrcoef < 0", ("informedness*markedness > 0", "informedness < 0"), TABLES, "proved"),
        ("matthews_corrcoef <= informedness", ("informedness < 0", "informedness <= markedness"), TABLES, "refuted"),
        ("matthews_corrcoef >= informedness", ("informedness < 0", "informedness <= markedness"), TABLES, "proved"),
    ],
)  # fmt: skip
def test_classes_may_be_multiplied_and_roots_compared(text, more, domain, status):
    assert settle(Question(Formula.condition(text), conditions(*BOTH, *more), domain)).status == status


def judge_least(text, given):
    """The record of a claim on a least number."""
    claim = f"least x such that {text}"
    asked = Claim("least", "", "", "", "", "lemma", 1, over="tables", given=given, claim=claim)
    return judge_claim(asked, None)


@pytest.mark.parametrize(
    ("text", "given_text", "verdict", "true"),
    [
        ("prediction_advantage > 0 is 2/3", "f1 > x and positives <= negatives", "reproduced", "2/3"),
        ("prediction_advantage > 0 is 0.667", "cohen_kappa > x", "reproduced", "2/3"),
        ("prediction_advantage > 0 is 0.50", "cohen_kappa > x", "contradicted", "2/3"),
        ("min(precision, negative_predictive_value) > 1/2 is 0.707", "matthews_corrcoef > x", "reproduced", "0.7071"),
        ("jaccard >= 1/2 is 2/3", "f1 >= x", "reproduced", "2/3"),
        ("informedness >= 0 - x is 0.9", "n >= 1", "contradicted", "1"),
    ],
)  # fmt: skip
def test_a_least_number_is_exact_or_between_two_fractions(text, given_text, verdict, true):
    record = judge_least(text, (*BOTH, *given_text.split(" and ")))
    number = finding_from_json(record["trail"]["found"])
    assert record["verdict"] == verdict
    assert number.low <= Fraction(true) <= number.high
    assert number.high - number.low <= (0 if "f1 >" in given_text and "jaccard" not in text else MAX_RANGE_WIDTH)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("jaccard > 1/2 is 2/3", "contradicted"),
        ("accuracy < x is 1", "contradicted"),
        ("(x - 1)*(x - 2)*n >= 0 is 2", "not_evaluated"),
    ],
)
def test_a_least_number_holds_itself_and_all_greater_ones_do(text, verdict):
    assert judge_least(text, ("tp >= 1", "f1 >= x"))["verdict"] == verdict


def test_families_refute_what_few_cases_do_not():
    few = RankingDomain(8)
    claim, given = Formula.condition("average_precision >= 1/2"), conditions("roc_auc >= 0.9")
    implied = settle(Question(claim, given, few))
    assert (implied.status, implied.hits, implied.smallest) == ("refuted", 0, False)
    assert "in a family" in finding_text(implied)
    assert settle(Question(Formula.condition("concordance == roc_auc"), [], few)).status == "searched"
