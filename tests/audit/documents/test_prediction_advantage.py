"""The claims of the PA paper: what each comes to, worked by hand."""

import pandas as pd
import pytest
from audit.conftest import REGISTRY
from audit.expected import assert_found, conditions, counterexamples, of_verdict
from nontrivial.audit.evaluate import evaluate_claim
from nontrivial.audit.registry import load_claims

from nontrivial.parquet_tables import write_parquet
from nontrivial.records import write_record

pytestmark = pytest.mark.xdist_group("claims")  # all claims are judged once

# Everything that is evaluated without a study and not plainly reproduced, and why.
CONTRADICTED = {
    "pa-absolute-bmp-printed",  # under the squared loss the mean is better
    "pa-absolute-proof-weights",  # each probability counts twice
    "pa-kappa-strict-when-imbalanced",  # both are 0 if nothing is predicted positive
    "pa-kappa-zero-complete-disagreement",  # kappa is 0 where agreement is that of chance
    "pa-lemma-4-3-chance-strict",  # equal if nothing is predicted positive
    "pa-not-positive-is-outperformed",  # at 0 neither is better
    "pa-order-balanced-accuracy-accuracy",
    "pa-order-chain",
    "pa-order-f1-balanced-accuracy",
    "pa-zero-f1-positive",
    "pa-zero-kappa-positive",
    "pa-zero-others-positive",
    "pa-zero-recall-positive",
    "pa-zero-specificity-positive",
}
CAVEAT = {
    "pa-defined-for-every-classifier",  # one class alone has no measure
    "pa-exam-alice-60-decimal",  # 0.4666.. cut off
    "pa-haberman-14",  # 0.25 .. 0.35 lie on both sides of 0.2647
    "pa-haberman-14-sign",
    "pa-lemma-4-2-precision",  # nothing called positive: 0/0
    "pa-lower-bounds-all",
    "pa-precision-recall-prevent",
    "pa-zero-precision-positive",
}
COUNTEREXAMPLES = {
    # labels 1, 2, 2: median 2 with squared risk 1/3, the mean 5/3 with 2/9; behind them a guess, of no effect
    "pa-absolute-bmp-printed": [0, 1, 2, 0, 0, 1],
    # labels 1 and 2, one each, from 0: 1/2 + 2/2 against 1/4 + 2/4
    "pa-absolute-proof-weights": [0, 1, 1, 0],
    "pa-kappa-strict-when-imbalanced": [0, 0, 1, 2],
    "pa-kappa-zero-complete-disagreement": [0, 0, 1, 1],
    "pa-lemma-4-3-chance-strict": [0, 0, 1, 2],
    "pa-not-positive-is-outperformed": [0, 0, 1, 1],
    "pa-order-balanced-accuracy-accuracy": [1, 1, 0, 1],
    "pa-order-chain": [1, 1, 0, 0],
    "pa-order-f1-balanced-accuracy": [1, 1, 0, 0],
    "pa-zero-f1-positive": [0, 0, 1, 1],
    "pa-zero-kappa-positive": [0, 0, 1, 1],
    "pa-zero-others-positive": [0, 0, 1, 1],
    "pa-zero-recall-positive": [0, 0, 1, 1],
    "pa-zero-specificity-positive": [1, 1, 0, 0],
}
# Where what fails does hold, exactly.
CONDITIONS = {
    # The squared risk of a constant is the variance and its squared distance from the mean.
    "pa-absolute-bmp-printed": "median = mean",
    "pa-absolute-proof-weights": "max(n0, n1, n2) = n",  # all probability on one label
    "pa-kappa-zero-complete-disagreement": "tp + tn > 0 and informedness != 0",
    # With t and f the rates: (1 - t)^2 + f (N/P - 1)(1 + t) >= f^2 N/P.
    "pa-order-f1-balanced-accuracy": (
        "positives * fp**2 <= negatives * fn**2 + (negatives - positives) * (positives + tp) * fp"
    ),
    "pa-kappa-strict-when-imbalanced": "errors > 0 and predicted_positives > 0",
    "pa-lemma-4-3-chance-strict": "predicted_positives > 0",
    "pa-not-positive-is-outperformed": "prediction_advantage < 0",
    "pa-order-balanced-accuracy-accuracy": "positives = negatives or recall <= specificity",
    "pa-order-chain": "recall <= specificity",
    "pa-zero-f1-positive": "fp > 0",  # as many as TP, where the measure is 0
    "pa-zero-kappa-positive": "precision < negative_predictive_value",  # 1/2 < TN / (TN + FN)
    "pa-zero-others-positive": "precision < negative_predictive_value",
    "pa-zero-recall-positive": "fp > 0",
    "pa-zero-specificity-positive": "tn > 0",
}
# Exact values that a reader can check with a pocket calculator.
FOUND = {
    "pa-exam-bob-30-trivial": "-1/20",
    "pa-exam-alice-30-better": "1/15",
    "pa-exam-bob-60": "2/5",
    "pa-exam-alice-60-fraction": "7/15",
    "pa-exam-bob-loss": "2/5",
    "pa-intern-no-better-than-trivial": "-2",
    "pa-haberman-trivial-error": "9/34",
    "pa-haberman-23": "-1/50",
    "pa-haberman-14": "-2/15",
    "pa-haberman-24": "-47/1500",
    "pa-haberman-5": "-269/7500",
    "pa-haberman-12": "-2/15",
    "pa-haberman-18": "-11/2250",
    "pa-haberman-18-error": "133/500",
    "pa-haberman-15": "-2/15",
    "pa-haberman-4": "-311/4500",
    "pa-haberman-1": "-11/2250",
    "pa-selective-trivial-risk": "0",
}


@pytest.fixture(scope="module")
def records(records_of):
    return records_of("PA paper")


def test_verdicts(records):
    assert of_verdict(records, "contradicted") == CONTRADICTED
    assert of_verdict(records, "caveat") == CAVEAT


def test_counterexamples(records):
    assert counterexamples(records) == COUNTEREXAMPLES


def test_where_what_fails_does_hold(records):
    assert conditions(records) == CONDITIONS


def test_values(records):
    assert_found(records, FOUND)


def test_the_lemmas_are_proved_for_tables_of_any_size(records):
    for name in (
        *("pa-lemma-4-1-recall", "pa-lemma-4-1-specificity", "pa-lemma-4-1-balanced-accuracy"),
        *("pa-lemma-4-2-precision", "pa-lemma-4-2-recall", "pa-lemma-4-2-f1", "pa-order-advantage-kappa"),
        *("pa-order-chain-repaired", "pa-definition", "pa-lower-bounds-all"),
    ):
        assert records[name]["trail"]["found"]["details"]["proof"], name
        assert "proved for tables of any size" in records[name]["found"]


def test_every_published_error_has_a_claim(records):
    locators = {record["locator"] for record in records.values()}
    assert {f"Appendix A, reference {number}" for number in (23, 14, 24, 5, 12, 18, 15, 4, 1)} <= locators


def test_the_order_of_the_measures_is_complete(records):
    for relation in (
        "prediction_advantage <= cohen_kappa",
        "cohen_kappa <= f1",
        "f1 <= balanced_accuracy",
        "balanced_accuracy <= accuracy",
        "prediction_advantage <= cohen_kappa <= f1 <= balanced_accuracy <= accuracy",
    ):
        record = next(record for record in records.values() if record["stated"] == relation)
        assert record["domain"] == (
            "every confusion table with cells FP, TP, FN, TN in 0..40 where 1 <= positives <= negatives"
        )


PAPER_COMMAND = "snakemake --cores 8 --configfile config/paper.yaml"
TRAINED = """\
dataset,model,advantage,low,high
haberman,gaussian_naive_bayes,0.05,{low},0.12
haberman,support_vector_rbf,-0.01,-0.05,0.03
haberman,decision_tree,-0.3,-0.4,-0.2
haberman,random_forest,{forest},-0.3,0.01
"""
PAPERS_DATA = {
    "pa-haberman-15-naive-bayes": "reproduced",
    "pa-haberman-15-only-naive-bayes": "caveat",  # two others may have one
    "pa-haberman-23-support-vectors": "reproduced",
    "pa-haberman-trivial-error-data": "reproduced",
    "pa-haberman-years": "reproduced",
}


@pytest.fixture
def papers_results(tmp_path):
    """What the claims about the Haberman data need of a study at the papers' scale."""

    def write(low="0.01", forest="-0.2", died=81):
        for name in ("tables", "data"):
            (tmp_path / name).mkdir()
        (tmp_path / "tables" / "haberman_trained.csv").write_text(TRAINED.format(low=low, forest=forest))
        classes = {"survived": 306 - died, "died": died}
        write_record(tmp_path / "data" / "haberman.json", {"classes": classes})
        years = pd.DataFrame({"operation_year": [58, 64, 69]})
        write_parquet(tmp_path / "data" / "haberman.parquet", years)
        return {
            claim.id: evaluate_claim(claim, tmp_path)
            for claim in load_claims(REGISTRY)
            if claim.id in PAPERS_DATA
        }

    return write


def test_absent_data_leaves_claims_with_the_command_that_makes_it(records):
    for name in PAPERS_DATA:
        assert (records[name]["verdict"], records[name]["command"]) == ("not_evaluated", PAPER_COMMAND)


def test_with_the_papers_data_the_same_claims_have_their_verdicts(papers_results):
    found = papers_results()
    assert {name: record["verdict"] for name, record in found.items()} == PAPERS_DATA
    for name, record in found.items():
        assert record["command"] == f"nontrivial verify --deep --claim {name}"


def test_and_other_data_give_other_verdicts(papers_results):
    found = papers_results(low="-0.01", forest="0.005", died=90)
    assert found["pa-haberman-15-naive-bayes"]["verdict"] == "caveat"
    # Two, of which none surely, and one more possibly.
    assert found["pa-haberman-15-only-naive-bayes"]["verdict"] == "caveat"
    assert found["pa-haberman-trivial-error-data"]["verdict"] == "contradicted"


def test_a_study_of_other_data_sets_leaves_its_experiments_unevaluated(tmp_path):
    """The tables are there, but not the rows that the claims are about."""
    (tmp_path / "tables").mkdir()
    header = "dataset,model,positive,noise,minority_share,measure,mean,low,high,replicates"
    (tmp_path / "tables" / "imbalance_noise.csv").write_text(f"{header}\niris,x,y,0,0.5,accuracy,1,1,1,9\n")
    (tmp_path / "tables" / "measures.csv").write_text("dataset,model,tp,fp,fn,tn\niris,x,1,1,1,1\n")
    wanted = {"pa-figure-1-order", "pa-random-forest-error"}
    for claim in load_claims(REGISTRY):
        if claim.id in wanted:
            record = evaluate_claim(claim, tmp_path)
            assert record["verdict"] == "not_evaluated"
            assert "has no row with dataset = wdbc" in record["reason"]
            assert record["command"] == "snakemake --cores 8"
