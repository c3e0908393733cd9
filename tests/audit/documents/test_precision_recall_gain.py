"""The claims of the PRG paper: what each comes to, worked by hand."""

import pandas as pd
import pytest
from audit.conftest import REGISTRY
from audit.expected import assert_found, conditions, counterexamples, of_verdict
from nontrivial.audit.evaluate import evaluate_claim
from nontrivial.audit.registry import load_claims

from nontrivial.curves.gain_areas import mean_random_prg_auc
from nontrivial.records import write_record

pytestmark = pytest.mark.xdist_group("claims")  # all claims are judged once

# Everything that is evaluated without a study and not plainly reproduced, with its counterexample and why it is one.
# Rankings are written as positives and negatives of each group, the best first.
COUNTEREXAMPLES = {
    # one negative and two positives, c = 2/3: 8/9 against 2/9
    "prg-calibrated-on-boundary": [1, 2],
    # fp, neg, pos: pi = 1/2, half a true positive and y0 = -1: 2 against 1/2
    "prg-delta-lower-end": [1, 1, 1],
    # at c = 1 only true positives count, of which one end has 0 and the other 1
    "prg-edge-ends-equal": [1, 0, 0, 1],
    # the first of two positives alone, F-beta 5/6: 5/6 over 1 + 1/4 is 2/3
    "prg-f-thresholds-below-accuracy": [1, 0, 1, 1],
    # (FP, TP) = (0, 0), (2, 1), (3, 2): the middle lies below 4/3
    "prg-front-is-optimal": [0, 1, 0, 1, 1, 0, 0, 1, 1, 0],
    # pos, neg, tp1, fp1, tp2, fp2 and weights: both precisions are 0
    "prg-interpolated-precision": [1, 2, 0, 1, 0, 2, 1, 1],
    # (0, 0), (1, 1), (3, 2): the middle lies above 2/3
    "prg-interpolation-is-non-dominated": [0, 1, 1, 0, 0, 1, 0, 1, 1, 0],
    # recall 1/2 below pi = 2/3; with beta 1/2 5/6 against 10/14
    "prg-low-recall-loses": [0, 1, 1, 1],
    # no true positive, and one or two false ones
    "prg-plots-one-to-one": [1, 0, 1, 1, 2, 0, 1, 0],
    # everything positive, with precision 2/3
    "prg-precision-proportional-to-angle": [1, 2, 0, 0],
    # below c = 1/2 the empty prediction, with two true negatives, is better
    "prg-vertex-optimal-between": [0, 1, 1, 0, 0, 1],
}
CONTRADICTED = {
    *COUNTEREXAMPLES,
    "prg-models-count",  # 26,580
}
CAVEAT = {
    "prg-theorem-3",  # 0/0 where no negative is left at recall gain 0
    "prg-theorem-3-in-unit-square",
}
CONDITIONS = {
    "prg-calibrated-on-boundary": "negative = positive",  # c = 1/2
    # y0 pi/(1 - pi) = pi, which is y0 = 1 - pi, and y0 is 1 - FP n/(N P)
    "prg-delta-lower-end": "2 * fp * neg * pos + fp * neg**2 + fp * pos**2 = neg * pos**2",
    "prg-edge-ends-equal": "roc_hull_auc = 1/2 and positives = negatives",  # one edge, with c = 1/2
    "prg-f-thresholds-below-accuracy": "f_half_best < 5/8",  # 1/2 times 1 + 1/4
    "prg-front-is-optimal": "front_below_hull = 0",
    "prg-interpolated-precision": "precision1 != precision2 or size1 = size2",
    "prg-interpolation-is-non-dominated": "front_slope_falls = 0",
    "prg-low-recall-loses": "4 * (tp * tn - fp * fn) < positives * fn",
    "prg-plots-one-to-one": "tp_1 > 0 or fp_1 = fp_2",
    "prg-precision-proportional-to-angle": "positives = negatives",
    # A vertex between c1 < c2 is best from 1 - c2 to 1 - c1.
    "prg-vertex-optimal-between": "uneven_edge_pairs = 0",
}
# Exact values that a reader can check with a pocket calculator.
FOUND = {
    "prg-models-count": "26580",
    "prg-figure-3-beta-squared-of-076": "6/19",
    "prg-figure-3-beta-squared-of-049": "51/49",
    "prg-top3-agreement": "21/50",
    "prg-random-area-of-rankings": "-7/4",
}


@pytest.fixture(scope="module")
def records(records_of):
    return records_of("PRG paper")


@pytest.fixture(scope="module")
def claims():
    return {claim.id: claim for claim in load_claims(REGISTRY)}


def test_verdicts(records):
    assert of_verdict(records, "contradicted") == CONTRADICTED
    assert of_verdict(records, "caveat") == CAVEAT


def test_counterexamples(records):
    assert counterexamples(records) == COUNTEREXAMPLES


def test_where_what_fails_does_hold(records):
    assert conditions(records) == CONDITIONS


def test_values(records):
    assert_found(records, FOUND)


def test_the_mean_of_random_rankings_is_that_of_the_package(records):
    found = records["prg-random-area-of-rankings"]["trail"]["found"]
    assert float(found["value"].split("/")[0]) / 4 == pytest.approx(mean_random_prg_auc(1, 9))


def test_each_theorem_and_definition_has_a_claim(records):
    locators = " ".join(record["locator"] for record in records.values())
    for place in ("Definition 1", *(f"Theorem {number}" for number in range(1, 5))):
        assert place in locators
    for number in range(1, 8):
        assert f"equation {number}" in locators, number


def test_identities_and_what_has_a_certificate_are_proved_and_nothing_else_is(records):
    for name, record in records.items():
        claim = record["trail"]["claim"]
        proved = claim["test"] == "identity" and record["verdict"] == "reproduced"
        certified = bool(record["trail"]["found"].get("details", {}).get("proof"))
        assert ("proved" in record["found"]) == (proved or certified), name
        assert not certified or record["verdict"] in ("reproduced", "caveat"), name


PAIRS = {"pr_auc/prg_auc": (0.24, 0.58, 0.95), "pr_auc/roc_auc": (0.29, 0.65, 0.95)}
PAIRS |= {"prg_auc/roc_auc": (0.22, 0.57, 0.96)}


def write_ranks(folder, tasks, shift=0.0):
    """Tables like those of a study of so many tasks, with the paper's figures, which can be shifted."""
    (folder / "tables").mkdir(parents=True, exist_ok=True)
    rows = []
    for pair, figures in PAIRS.items():
        row = {"pair": pair, "tasks": tasks}
        values = dict(
            zip(("top1_disagreement", "top3_disagreement", "rank_correlation"), figures, strict=True)
        )
        values |= {"task_correlation_lower_quartile": 0.944, "task_correlation_upper_quartile": 0.991}
        for name, value in values.items():
            row |= {name: value + shift, f"{name}_low": value + shift - 0.02}
            row |= {f"{name}_high": value + shift + 0.02}
        rows.append(row)
    pd.DataFrame(rows).to_csv(folder / "tables" / "rank_disagreement.csv", index=False)
    choice = {"of": "all", "tasks": tasks, "agreement": 0.9, "agreement_low": 0.88, "agreement_high": 0.92}
    choice |= {"more_than_pr_auc": 0.01, "more_than_pr_auc_low": 0.002, "more_than_pr_auc_high": 0.02}
    rows = [
        {"yardstick": judge, "area": area, **choice}
        for judge, area in (("expected_f1_gain", "pr_auc"), ("held_out_f1", "prg_auc"))
    ]
    pd.DataFrame(rows).to_csv(folder / "tables" / "model_choice.csv", index=False)


def of_tables(claims, *tables):
    return [
        claim for claim in claims.values() if claim.source == "PRG paper" and set(claim.data) & set(tables)
    ]


RANKS = ("tables/rank_disagreement.csv", "tables/model_choice.csv")


def test_with_the_papers_tasks_the_ranks_have_their_verdicts(claims, tmp_path):
    write_ranks(tmp_path, tasks=886)
    judged = of_tables(claims, *RANKS)
    assert len(judged) == 16
    assert {evaluate_claim(claim, tmp_path)["verdict"] for claim in judged} == {"reproduced"}


def test_other_figures_of_as_many_tasks_contradict_the_paper(claims, tmp_path):
    write_ranks(tmp_path, tasks=886, shift=-0.1)
    for claim in of_tables(claims, RANKS[0]):
        expected = "reproduced" if claim.id.startswith("prg-different-") else "contradicted"
        assert evaluate_claim(claim, tmp_path)["verdict"] == expected, claim.id


def test_the_default_studys_tasks_judge_nothing_but_are_told(claims, tmp_path):
    write_ranks(tmp_path, tasks=17)
    for claim in of_tables(claims, *RANKS):
        record = evaluate_claim(claim, tmp_path)
        if claim.id == "prg-aupr-favours-lower-expected-f1-in-practice":  # of any tasks
            assert record["verdict"] == "reproduced"
            continue
        assert record["verdict"] == "not_evaluated"
        assert "the claim is about 886 tasks; tables/" in record["reason"]
        assert "covers 17, for which it has 0." in record["reason"]
        assert record["command"].endswith("--configfile config/paper.yaml config/archive.yaml")


def test_a_difference_within_the_error_over_tasks_is_no_plain_yes(claims, tmp_path):
    write_ranks(tmp_path, tasks=886)
    path = tmp_path / "tables" / "rank_disagreement.csv"
    table = pd.read_csv(path)
    table["top1_disagreement_low"] = 0.0
    table.to_csv(path, index=False)
    assert evaluate_claim(claims["prg-different-pr-prg"], tmp_path)["verdict"] == "caveat"


def test_the_running_example_gives_its_verdicts(claims, tmp_path):
    (tmp_path / "tables").mkdir()
    # The labels printed as 0.75 and 0.29, and points with F1 2*17/90 and 2*39/209 among 47 positives.
    pd.DataFrame(
        {
            "segment": [1, 2, 3, 4, 5],
            "positives": [1, 6, 10, 22, 8],
            "negatives": [0, 2, 24, 97, 219],
            "tp": [1, 7, 17, 39, 47],
            "fp": [0, 2, 26, 123, 342],
            "c": [1, 0.75, 10 / 34, 0.2, 0],
            "c_low": [0.995, 0.745, 0.285, 0.1, 0],
            "c_high": [1, 0.755, 0.295, 0.15, 0],
            "d": [None, 0.9, 0.8, 0.7, 0],
            "d_low": [None, 0.8, 0.7, 0.6, 0],
            "d_high": [None, 1, 0.9, 0.8, 0],
        }
    ).to_csv(tmp_path / "tables" / "running_example.csv", index=False)
    found = {
        name: evaluate_claim(claims[name], tmp_path) for name in claims if name.startswith("prg-figure-3-")
    }
    assert found["prg-figure-3-next-point"]["verdict"] == "reproduced"
    assert found["prg-figure-3-next-point"]["found"].startswith(
        "best 0.377777777778 (17/45); next 0.373205741627"
    )
    assert found["prg-figure-3-c-labels"]["trail"]["found"]["value"] == "4"  # 0.2 is not between 0.1 and 0.15
    assert found["prg-figure-3-d-labels"]["trail"]["found"]["value"] == "4"
    assert found["prg-figure-3-two-steps"]["verdict"] == "reproduced"
    assert found["prg-figure-3-rate-grid"]["verdict"] == "reproduced"
    # In twentieths 187 rates have no negative gain; recall from 1/4 on has a recall gain above 1/2.
    assert found["prg-figure-3-rate-grid"]["found"] == "lower 7; upper 180"
    # FP less FN over TP: 26 - 30 over 17 is nearest to 0, where d is 0.8.
    assert found["prg-figure-3-closest-to-break-even"]["verdict"] == "contradicted"
    assert found["prg-figure-3-closest-to-break-even"]["found"] == "0.8"


def write_archive(folder, areas):
    (folder / "openml").mkdir(parents=True)
    (folder / "tables").mkdir()
    runs = [{"run": 145651, "flow_name": "weka.Boost"}, {"run": 267741, "flow_name": "weka.Logistic"}]
    tasks = [{"task": 3872, "data": 1, "runs": runs}, {"task": 3896, "data": 1, "runs": []}]
    selection = folder / "openml" / "selection.json"
    write_record(selection, {"source": "https://openml.example", "tasks": tasks})
    rows = [
        {"task": "openml_3872", "model": model, "status": "ok", "pr_auc": pr, "prg_auc": prg}
        for model, (pr, prg) in areas.items()
    ]
    pd.DataFrame(rows).to_csv(folder / "tables" / "curve_areas.csv", index=False)


def test_the_archives_runs_give_figure_5_its_verdicts(claims, tmp_path):
    write_archive(tmp_path, {"weka.Boost": (0.7241, 0.7139), "weka.Logistic": (0.781, 0.68749)})
    found = {
        name: evaluate_claim(claim, tmp_path)["verdict"]
        for name, claim in claims.items()
        if name.startswith("prg-figure-5-")
    }
    assert found == {
        "prg-figure-5-aupr-of-adaboost": "reproduced",
        "prg-figure-5-auprg-of-adaboost": "reproduced",
        "prg-figure-5-aupr-of-logistic-regression": "contradicted",
        "prg-figure-5-auprg-of-logistic-regression": "reproduced",
        "prg-figure-5-aupr-order": "reproduced",
        "prg-figure-5-auprg-order": "reproduced",
    }


def test_models_worse_than_random_are_looked_for_in_figure_4s_tasks(claims, tmp_path):
    claim = claims["prg-figure-4-worse-than-random"]
    write_archive(tmp_path, {"weka.Boost": (0.7, 0.1), "weka.Logistic": (0.3, -0.1)})
    assert evaluate_claim(claim, tmp_path)["verdict"] == "reproduced"
    path = tmp_path / "tables" / "curve_areas.csv"
    path.write_text(path.read_text().replace("-0.1", "0.1"))
    assert evaluate_claim(claim, tmp_path)["verdict"] == "not_evaluated"
    path.write_text(path.read_text().replace("3872", "3873"))
    record = evaluate_claim(claim, tmp_path)
    assert record["reason"] == "tables/curve_areas.csv has no row with task = openml_3872 or openml_3896."


def test_the_count_of_data_sets_needs_all_tasks(claims, tmp_path):
    write_archive(tmp_path, {})
    record = evaluate_claim(claims["prg-data-sets-count"], tmp_path)
    assert record["verdict"] == "not_evaluated"
    assert record["reason"].startswith(
        "the claim is about 886 tasks, and openml/selection.json has 2 tasks of 1 data"
    )


def test_a_run_that_could_not_serve_is_told(claims, tmp_path):
    write_archive(tmp_path, {"weka.Boost": (0.7, 0.7)})
    record = evaluate_claim(claims["prg-figure-5-aupr-of-logistic-regression"], tmp_path)
    assert (record["verdict"], record["reason"]) == (
        "not_evaluated",
        "tables/curve_areas.csv has no row with task = openml_3872, model = weka.Logistic.",
    )
