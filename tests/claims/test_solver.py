"""The solver: what it is asked, and that it answers alike on every machine and in every order."""

from fractions import Fraction

import z3

from nontrivial.claims import solver
from nontrivial.claims.domains import Tables, WholeNumbers
from nontrivial.claims.language import Formula
from nontrivial.claims.solver import Answer, find_case

NUMBERS = WholeNumbers.positive(["x", "y"], {})
# Takes the solver some two thousand of its steps.
HARD = ("prediction_advantage <= min(precision, recall)", "1 <= positives <= negatives")


def ask(text, given="x > 0", domain=NUMBERS):
    space = domain.space()
    return find_case(space, [Formula.condition(given)], Formula.condition(text).truth(space.cases).true)


def test_a_case_is_given_in_exact_numbers():
    assert ask("x + y == 3 and x - y == 1/3") == Answer(True, (Fraction(5, 3), Fraction(4, 3)))
    assert ask("x + y == 3 and x - y == 4") == Answer(False)  # y would be negative


def test_a_case_that_is_no_fraction_is_known_to_exist_only():
    assert ask("x**2 == 2") == Answer(True)


def test_of_a_disjunction_each_part_is_looked_for():
    assert ask("x < 0 or y < 0 or x == 1/2").case[0] == Fraction(1, 2)
    assert ask("x < 0 or y < 0").exists is False


def test_what_is_given_holds_of_the_case():
    x, y = ask("x < y", given="x > 7").case
    assert 7 < x < y


def false_of(claim, given):
    space = Tables().space()
    return find_case(space, [Formula.condition(given)], Formula.condition(claim).truth(space.cases).false)


def test_beyond_its_steps_a_question_is_open(monkeypatch):
    assert false_of(*HARD) == Answer(False)
    monkeypatch.setattr(solver, "STEPS", 10)
    assert false_of(*HARD) == Answer(None)


def test_one_open_part_leaves_all_open_unless_another_has_a_case(monkeypatch):
    answers, check = [], z3.Solver.check
    monkeypatch.setattr(z3.Solver, "check", lambda solver: answers.pop() if answers else check(solver))
    answers.append(z3.unknown)
    assert ask("x < 0 or y < 0") == Answer(None)
    answers.append(z3.unknown)
    assert ask("x < 0 or y == 1").case[1] == 1


def test_steps_are_limited_and_time_is_not(monkeypatch):
    """A limit of time would make a verdict depend on the machine."""
    options = []

    class Recorded(z3.Solver):
        def set(self, *args, **keys):
            options.append((args, keys))
            super().set(*args, **keys)

    monkeypatch.setattr(z3.z3, "Solver", Recorded)
    for setter in ("set_param", "set_option"):
        monkeypatch.setattr(z3, setter, lambda *args, **keys: options.append((args, keys)))
    assert ask("x < y").exists
    assert options == [(("rlimit", solver.STEPS), {})]


def test_steps_are_counted_alike_whatever_was_asked_before(monkeypatch):
    counts = []

    class Counted(z3.Solver):
        def check(self, *assumptions):
            result = super().check(*assumptions)
            counts.append(self.statistics().get_key_value("rlimit count"))
            return result

    monkeypatch.setattr(z3.z3, "Solver", Counted)

    def steps():
        counts.clear()
        false_of(*HARD)
        return list(counts)

    first = steps()
    for claim in ("f1 <= accuracy", "cohen_kappa <= f1", "recall == transpose(precision)", HARD[0]):
        false_of(claim, "n >= 1")
    assert steps() == first
    assert min(first) > 100
