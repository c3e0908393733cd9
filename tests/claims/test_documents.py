"""Verdicts on the documents: computed again by code that shares nothing, and pinned where they were worked by hand."""

from fractions import Fraction

import pytest
from claims.plain_tables import Condition, cases

from nontrivial.claims.judge import settles

SIZES = {"tables": (4, 6), "pairs of tables": (8, 4)}  # cells, and up to how many cases


@pytest.fixture(scope="module")
def small_cases():
    return {over: cases(*size) for over, size in SIZES.items()}


def disagreements(record, small):
    """What an exhaustive search of small cases says against a record."""
    claim, finding = record["trail"]["claim"], record["trail"]["found"]
    given, claimed = [Condition(text) for text in claim.get("given", [])], Condition(claim["claim"])
    applies = [case for case in small if all(condition(case) for condition in given)]
    truths = {case: claimed(case) for case in applies}
    hits = [case for case, true in truths.items() if true is claimed.sometimes]
    settled = finding["status"] in ("shown", "refuted")
    witness = finding["witness"] and tuple(finding["witness"])
    if hits and not settled:
        yield f"{finding['status']}, but for {hits[0]}"
    if settled and not (all(condition(witness) for condition in given) and claimed(witness) is claimed.sometimes):
        yield f"{witness} is not a witness"
    natural = [case for case in hits if min(case) > 0]  # with no cell empty
    if settled and hits and (finding["natural"] or natural) and min(witness) == 0:
        yield f"{witness} has an empty cell"
    if (settled and hits and not finding["natural"] and hits[0] != witness) or (natural and natural[0] != witness):
        yield f"{witness} is not the smallest"
    if settled and sum(witness) <= sum(small[-1]) and witness not in hits:
        yield f"{witness} is not among the small cases"
    if None in truths.values() and not finding["undefined_somewhere"]:
        yield "undefined somewhere"
    where = finding["exactly_when"]
    if where and where["status"] in ("proved", "searched", "sufficient"):
        met = Condition(where["condition"])
        for case, true in truths.items():
            exact = where["status"] != "sufficient"
            if true is not None and (met(case) is True) != true and (exact or met(case)):
                yield f"{where['condition']} is {met(case)} of {case}, the claim {true}"


def test_every_claim_about_tables_is_as_an_exhaustive_search_of_our_own_has_it(shipped_records, small_cases):
    wrong, tried = [], 0
    for name, record in shipped_records.items():
        over = record["trail"]["claim"].get("over")
        if isinstance(over, str):
            tried += 1
            wrong += [(name, what) for what in disagreements(record, small_cases[over])]
    assert wrong == []
    assert tried > 40


# By hand, in the documents' own numbers; of tables FP, TP, FN, TN. Every entry that is contradicted or has a caveat.
BY_HAND = {
    "pa-defined-for-every-classifier": ("caveat", (0, 0)),  # 0/0
    "pa-only-precision-fails": ("caveat", None),
    "pa-selective-trivial-risk": ("caveat", (1, 0, 0, 1)),  # one error, of which the best constant makes none
    "pa-regardless-of-imbalance": ("contradicted", (1, 1, 1, 1, 2, 1, 1, 2)),  # rates 1/2, PA 0 and -1/2
    "prg-front-is-optimal": ("caveat", (0, 1, 4, 0, 3, 4)),  # (1, 3) dominates half-way from (0, 0) to (4, 4)
    # Positives at places 3 and 4: break-even 0, area 5/12; at 2 and 9: 1/2 and 13/36.
    "tutorial-higher-break-even-is-better": ("contradicted", (3, 4, 2, 9)),
    "pa-zero-others-positive": ("contradicted", (0, 0, 1, 2)),  # the best constant: PA 0, kappa 0
    "pa-kappa-strict-when-imbalanced": ("contradicted", (0, 0, 1, 2)),  # both 0
    "pa-order-chain": ("contradicted", (2, 1, 1, 1)),  # F1 2/5, balanced accuracy 5/12, accuracy 2/5
    # Noise of 1/4 on two points bounds it by 1/2: of 3 to 1 here and 1 to 3 there each point has one error at least.
    "pa-supremum-one": ("caveat", (3, 1, 1, 3)),
    "pa-kappa-zero-complete-disagreement": ("contradicted", (1, 1, 1, 1)),  # kappa 0, accuracy 1/2
    "pa-exam-alice-60-decimal": ("caveat", None),
    "pa-not-positive-is-outperformed": ("caveat", (1, 1, 1, 1)),  # both err in two cases
    "prg-precision-proportional-to-angle": ("caveat", None),
    "prg-plots-one-to-one": ("caveat", None),
    "prg-interpolated-precision": ("contradicted", None),
    "prg-f-thresholds-below-accuracy": ("contradicted", None),
    "prg-low-recall-loses": ("contradicted", None),
    # A perfect classifier of both classes has FN 0 and TN 1.
    "tutorial-fn-and-tn-vanish-together": ("contradicted", (0, 1, 0, 1)),
    # FNR 1/2 and FPR 3/4 have the area 5/8, but cost 1/4 * 1/2 + 3/4 * 3/4 where the probability cost is 1/4.
    "tutorial-cost-line-area": ("caveat", (Fraction(1, 2), Fraction(3, 4), Fraction(1, 4))),
    "tutorial-cost-envelope": ("caveat", None),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_verdicts_worked_by_hand(name, shipped_records, shipped_claims):
    verdict, case = BY_HAND[name]
    assert shipped_records[name]["verdict"] == verdict
    assert case is None or settles(shipped_claims[name], case)


def test_all_else_is_reproduced_or_not_evaluated(shipped_records):
    misprints = {name for name, record in shipped_records.items() if record["group"] == "misprint"}
    others = {name for name, record in shipped_records.items() if record["verdict"] in ("contradicted", "caveat")}
    assert others == BY_HAND.keys() | misprints


HELD = {"reproduced", "not_refuted"}


def test_repaired_readings_steps_and_theorems_of_our_own_hold(shipped_records):
    for name, record in shipped_records.items():
        parts = [record["holds_if"], *record["steps"]]
        assert {part["verdict"] for part in parts if part and not record["data"]} <= HELD, name
        assert not record["beyond"] or record["verdict"] in HELD, name


def test_a_repair_makes_a_caveat_only_if_its_note_shows_where_the_document_names_it(shipped_claims):
    repairs = [claim.holds_if for claim in shipped_claims.values() if claim.holds_if]
    assert [part["statement"] for part in repairs if ("as" in part) != ("note" in part)] == []


def test_what_is_undefined_somewhere_is_a_flag(shipped_records):
    assert shipped_records["prg-theorem-2"]["undefined_where"].startswith("in some cases, such as b = 0")
    assert shipped_records["prg-theorem-4"]["undefined_where"] == ""


NUMBERS = {
    "pa-exam-alice-60-decimal": "7/15",
    "pa-haberman-23": "-1/50",  # 1 - 0.27 * 306/81
    "pa-haberman-14": "-2/15",
    "prg-models-count": "26580",
    "prg-figure-3-beta-squared-of-049": "51/49",
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_worked_by_hand(name, shipped_records):
    assert Fraction(shipped_records[name]["trail"]["found"]["value"]) == Fraction(NUMBERS[name])


def test_what_holds_for_any_size_is_proved(shipped_records):
    """Nothing about tables or pairs of them is left to a search."""
    left = {
        name
        for name, record in shipped_records.items()
        if isinstance(record["trail"]["claim"].get("over"), str)
        and record["trail"]["found"]["status"] in ("searched", "not shown")
    }
    assert left == set()


def test_only_opinions_and_what_no_study_gives_is_left_open(shipped_records):
    reasons = {
        record["trail"]["found"].get("reason", name)
        for name, record in shipped_records.items()
        if record["verdict"] == "not_evaluated"
    }
    assert reasons <= {"unsettled", "no data"}
