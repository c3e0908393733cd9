"""The registry that ships, as a whole; its documents have tests of their own in `documents`."""

import dataclasses
import re

import pytest
from audit.conftest import REGISTRY
from nontrivial.audit.evaluate import evaluate_claim
from nontrivial.audit.evidence import write_evidence
from nontrivial.audit.registry import load_claims
from nontrivial.audit.verdict import VERDICTS

from nontrivial.provenance.verify import verify

pytestmark = pytest.mark.xdist_group("claims")  # all claims are judged once


def test_every_claim_has_a_verdict_and_a_reason(shipped_records):
    for name, record in shipped_records.items():
        assert record["verdict"] in VERDICTS
        assert record["reason"].endswith("."), name


def test_what_fails_in_a_search_has_an_exact_condition(shipped_records):
    for name, record in shipped_records.items():
        if record["verdict"] == "contradicted":
            assert record["holds_where"].startswith(("exactly where ", "not applicable: ")), name
        assert record["verdict"] == "contradicted" or not record["trail"]["claim"]["holds_where"], name
        assert "not_exactly_where" not in record["trail"]["found"].get("details", {}), name


def test_conditions_that_hold_only_where_both_sides_are_false_say_so(shipped_records):
    vacuous = {
        name: record["holds_where"]
        for name, record in shipped_records.items()
        if record["trail"]["found"].get("details", {}).get("vacuous")
    }
    assert vacuous == {
        "pa-kappa-zero-complete-disagreement": (
            "exactly where tp + tn > 0 and informedness != 0, where neither side is ever true"
        ),
        "tutorial-ideal-corner": "exactly where 0 < errors < n, where neither side is ever true",
        "tutorial-roc-axes": (
            "exactly where is_perfect = 0 and is_reversed = 0, where neither side is ever true"
        ),
        "tutorial-worst-corner": "exactly where 0 < errors < n, where neither side is ever true",
    }


def test_statements_about_one_table_are_searched_up_to_forty(shipped_records):
    claims = [record["trail"]["claim"] for record in shipped_records.values()]
    assert {claim["parameters"]["cells"] for claim in claims if claim["test"] == "confusion_tables"} == {40}


def test_theorems_of_our_own_hold_and_are_marked_in_the_table_of_verdicts(shipped_records):
    own = {name for name, record in shipped_records.items() if record["beyond"]}
    assert own == {
        name
        for name, record in shipped_records.items()
        if record["statement"].startswith(("Beyond the paper", "Beyond the article", "Beyond the tutorial"))
    }
    assert {shipped_records[name]["verdict"] for name in own} == {"reproduced"}


_LOOKS_BACK = re.compile(
    r"(It|They|This|These|Those|Then|So|Both|Such|Its|Their|That one|Neither|The same|Of these|Here)\b(?! is\b| that\b)"
    r"|.*\b(does so|do so|it has|it holds|they are|such a|the same holds|the same for)\b"
)


# For claims that algebra or a definition makes true: what a document that errs might have said instead.
ERRORS = {
    "p4-related-independent-of-prevalence": (
        "precision_1 = precision_2 if tp_1*fn_2 = tp_2*fn_1 and tn_1*fp_2 = tn_2*fp_1"
    ),
    "p4-table-population": "tp + fp + fn + tn = positives + predicted_positives",
    "pa-absolute-advantage": "advantage = 1 - 2*risk/deviation",
    "pa-cost-advantage": "advantage = 1 - risk / min(b11*t1/n + b21*t2/n + b31*t3/n, said2, said3)",
    "pa-cross-entropy-advantage": "advantage = 1 - risk/2",
    "pa-cross-entropy-bmp-risk": "shares_likelihood = guess_likelihood",
    "pa-cross-entropy-excess-risk": "shares_likelihood / guess_likelihood = divergence_likelihood",
    "pa-kappa-observed-agreement": "1 - (1 - cohen_kappa)*(1 - chance_agreement) = tp / n",
    "pa-lemma-2-1-any-convex": "constant < guess",
    "pa-lemma-4-3-chance-chain": "chance_agreement <= positives / n",
    "pa-lemma-4-3-kappa-chain": "cohen_kappa >= 1 - error_rate / (negatives / n)",
    "pa-regions-partition": "a + b + c = 1",
    "pa-squared-advantage": "advantage = 1 - risk/(q/3)",
    "pa-zero-one-guess-agreement": "guess_agreement <= 1/2",
    "pa-zero-one-advantage": "advantage = 1 - (errors/n) / max(t1, t2, t3)",
    "prg-accuracy-from-rates": "accuracy = recall + (1 - prevalence)*(1 - false_positive_rate)",
    "prg-delta-lower-end-repaired": "recall_gain/pi - y0/(1 - pi) = -y0/pi",
    "prg-delta-upper-end": "recall_gain/pi - precision_gain/(1 - pi) = 1",
    "prg-equal-f1-at-half": "f1 = f2 iff recalls / (recalls - precisions) = 1/3",
    "prg-interpolation-is-a-line": "g = g1 + g2 - r",
    "prg-low-precision-loses-any-beta": "(4 + b)*tp / ((4 + b)*tp + 4*fp + b*fn) < pos/(pos + neg)",
    "prg-pr-interpolation-hyperbolic": "(precision - prec1)*(rec2 - rec1) = (prec2 - prec1)*(recall - rec1)",
    "prg-models-count-repaired": "30*tasks = 25980 iff tasks = 886",
    "prg-predicted-positive-rate": "predicted_positives / n = recall + false_positive_rate",
    "prg-theorem-1-any-point": "w = mu",
    "prg-theorem-1-weight-of-choice": "0 < w <= 1",
    "prg-theorem-3-for-f-half": "mean_f_half_gain = expected_f2_gain_by_parts",
    "prg-theorem-3-for-f2": "mean_f2_gain = expected_f1_gain_by_parts",
    "tutorial-accuracy-of-distribution": "right = wrong",
    "tutorial-auc-formula-of-cases": "roc_auc_after_first = roc_auc_axes_exchanged",
    "tutorial-cost-matrix": "(fn*cost10 + fp*cost01)/m = (tp*c11 + fn*c10 + fp*c01 + tn*c00)/m",
    "tutorial-error-rate-of-distribution": "(e1 + e2 + e3)/m = e1 + e2*q + e3*q",
    "tutorial-macro-f1": "macro_p*macro_r / (macro_p + macro_r) = tp / (tp + (fp + fn)/2)",
    "tutorial-macro-recall-repaired": "r1 - 2*macro_r + (r2 - macro_r) = 0",
}


@pytest.fixture(scope="module")
def claims():
    return {claim.id: claim for claim in load_claims(REGISTRY)}


@pytest.mark.parametrize("name", ERRORS)
def test_a_document_that_errs_would_be_contradicted(name, claims, tmp_path):
    wrong = dataclasses.replace(claims[name], stated_text=ERRORS[name])
    assert evaluate_claim(wrong, tmp_path)["verdict"] == "contradicted"


def test_every_statement_stands_alone(shipped_records):
    """The page sorts by id, so that what a statement looks back at need not stand before it."""
    for name, record in shipped_records.items():
        assert not _LOOKS_BACK.match(record["statement"]), name


def test_only_opinions_absent_data_and_examples_not_found_go_unevaluated(shipped_records):
    for name, record in shipped_records.items():
        if record["verdict"] == "not_evaluated":
            is_vain = record["stated"].startswith("sometimes ") and "no example" in record["found"]
            is_absent = record["data"] and record["command"]
            is_unpublished = record["trail"]["claim"]["test"] == "unpublished"
            assert record["kind"] == "opinion" or is_vain or is_absent or is_unpublished, name


def test_a_repaired_reading_holds_and_is_of_a_claim_that_does_not(shipped_records):
    repaired = [record for record in shipped_records.values() if record["repairs"]]
    assert repaired
    for record in repaired:
        if not record["data"]:
            assert shipped_records[record["repairs"]]["verdict"] != "reproduced", record["id"]
            assert record["verdict"] == "reproduced", record["id"]


def test_stored_evidence_gives_every_verdict_again(shipped_records, tmp_path):
    write_evidence(list(shipped_records.values()), tmp_path / "claims")
    outcome = verify(tmp_path)
    assert [problem.place for problem in outcome.problems] == [
        f"{tmp_path}/manifest-sha256.txt"
    ]  # none was written
    assert sum(outcome.verdicts.values()) + outcome.beyond == len(shipped_records)


def test_tests_done_again_give_their_verdicts_again(shipped_records, tmp_path):
    """One claim of every test and verdict; all of them take as long again as the audit."""
    chosen = {
        (record["trail"]["claim"]["test"], record["verdict"]): record for record in shipped_records.values()
    }
    write_evidence(list(chosen.values()), tmp_path / "claims")
    outcome = verify(tmp_path, deep=True)
    assert sum(outcome.verdicts.values()) + outcome.beyond == len(chosen) > 20
    assert [problem.place for problem in outcome.problems] == [f"{tmp_path}/manifest-sha256.txt"]
