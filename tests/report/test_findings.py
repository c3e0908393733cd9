"""Findings: sentences that say what the tables hold, and none where a table says nothing."""

import io
import re

import pandas as pd
import pytest

from nontrivial.report.findings import find_findings

CROSSINGS = """dataset,model,positive,reading,held,at,measure,crossing,low,high,outcome
wdbc,random_forest,malignant,zero,noise,0.2,accuracy,,,,never
wdbc,random_forest,malignant,zero,noise,0.2,balanced_accuracy,,,,never
wdbc,random_forest,malignant,zero,noise,0.2,p4,,,,never
wdbc,random_forest,malignant,zero,noise,0.2,cohen_kappa,0.1127,0.11,0.12,crosses
wdbc,random_forest,malignant,zero,noise,0.2,prediction_advantage,0.2192,0.2106,0.2316,crosses
wdbc,random_forest,malignant,best_constant,noise,0.2,accuracy,0.2192,0.2106,0.2316,crosses
wdbc,random_forest,malignant,zero,noise,0.1,prediction_advantage,0.1,0.1,0.1,crosses
wdbc,random_forest,malignant,zero,noise,0.1,cohen_kappa,,,,never
wdbc,random_forest,malignant,zero,minority_share,0.4,prediction_advantage,0.3,0.3,0.3,crosses
wdbc,random_forest,benign,zero,noise,0.2,prediction_advantage,0.25,0.25,0.25,crosses
"""
PUBLISHED = """source,advantage,low,high,sign_certain
[1],-0.02,-0.03,-0.01,True
[2],0,-0.1,0,True
[3],0.1,0.05,0.15,True
[4],-0.1,-0.3,0.05,False
"""
RANKS = """pair,tasks,datasets,models,top1_disagreement,paper_top1_disagreement,top3_disagreement\
,paper_top3_disagreement,rank_correlation,paper_rank_correlation,top1_decided_by_ties,top3_decided_by_ties
pr_auc/roc_auc,17,5,30,0.9,0.9,0.9,0.9,0.9,0.9,9,9
pr_auc/prg_auc,17,5,30,0,0.24,0.294117647059,0.58,0.9715247428,0.95,4,6
"""
SELECTION = """task,rejects,model,coverage,risk,advantage,outcome
worked example,the unsure,,0.7,0.05,0.75,ok
worked example,the minority,,0.7,0.05,0,ok
wdbc,the unsure,net,0.701025315787,0.00269147548646,0.987012987013,ok
wdbc,the minority,lda,0.701046456318,0.00269139432319,0,ok
"""


def table(text):
    return pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)


def say(name, text):
    """The one finding of one table, or nothing."""
    findings = find_findings({name: table(text)})
    assert [finding.table for finding in findings] in ([], [name])
    return findings[0].text.replace("\N{NO-BREAK SPACE}", " ") if findings else ""


def test_crossings_are_those_of_the_first_classifier_at_the_greatest_noise():
    assert say("crossings", CROSSINGS) == (
        "With 20 % of the labels wrong, random forest on wdbc is worth less than always naming the majority as soon as "
        "malignant cases are rarer than 21.9 % (95 % interval 21.1 % to 23.2 %): there the Prediction Advantage "
        "reaches 0. Cohen's kappa does so only at 11.3 %. Accuracy, balanced accuracy and P4 stay above 0 throughout. "
        "Compared with the best constant answer's, instead of with 0, accuracy crosses where the Prediction Advantage "
        "does."
    )


def test_an_accuracy_that_crosses_the_best_constants_elsewhere_or_never_is_no_match():
    elsewhere = say("crossings", CROSSINGS.replace("accuracy,0.2192", "accuracy,0.3"))
    assert elsewhere.endswith("instead of with 0, accuracy crosses at 30 %.")
    never = say("crossings", CROSSINGS.replace("accuracy,0.2192,0.2106,0.2316,crosses", "accuracy,,,,never"))
    assert "Compared" not in never
    assert never.endswith("throughout.")


def test_a_kappa_that_never_warns_is_said_to_be_silent():
    lines = [line for line in CROSSINGS.splitlines() if ",0.2," not in line]
    assert "Cohen's kappa never does so." in say("crossings", "\n".join(lines))


@pytest.mark.parametrize("gone", ["noise", "0.2192,0.2106,0.2316"])
def test_without_a_crossing_nothing_is_said_of_one(gone):
    lines = CROSSINGS.splitlines()
    kept = lines[:1] + [
        line.replace("0.2192,0.2106,0.2316", ",,") if gone.startswith("0") else line
        for line in lines[1:]
        if gone != "noise" or ",noise," not in line
    ]
    assert say("crossings", "\n".join(kept)) == ""


def test_reversals_are_added_up():
    said = say("loss_reversals", "pairs,reversed\n300,50\n253,4\n")
    assert said.startswith("Of 553 pairs of models that were trained on different problems, 54 (9.76 %) ")
    assert say("loss_reversals", "pairs,reversed\n") == ""


def test_published_errors_are_counted_by_what_their_rounding_allows():
    said = say("haberman_published", PUBLISHED)
    assert said.startswith("4 published error rates")
    assert re.findall(r"\d+ (?=no better|better|undecided)", said) == ["2 ", "1 ", "1 "]


def test_trained_models_are_counted_where_they_were_trained():
    header = "models,advantage_above_0,better_than_trivial,outcome\n"
    said = say("haberman_trained_summary", header + "30,10,0,ok\n")
    assert "Of 30 models" in said
    assert "10 have a positive Prediction Advantage, and 0 are better" in said
    assert say("haberman_trained_summary", header + ",,,not evaluated\n") == ""


def test_ranks_stand_beside_those_of_the_paper():
    said = say("rank_disagreement", RANKS)
    assert "Over 17 tasks (made of 5 data sets) with 30 models each" in said
    assert "how ties are broken decides the one in 4 and the other in 6 of the tasks" in said
    assert "different best models in 0 % of the tasks (PRG paper: 24 %)" in said
    assert "first three differently in 29.4 % of the tasks (PRG paper: 58 %)" in said
    assert "correlate with 0.97 (PRG paper: 0.95)" in said
    assert say("rank_disagreement", RANKS.rsplit("pr_auc/prg_auc", 1)[0]) == ""
    assert (
        say("rank_disagreement", RANKS.replace("0,0.24,0.294117647059,0.58,0.9715247428", ",0.24,,0.58,"))
        == ""
    )


CHOICE = """yardstick,of,area,tasks,datasets,pairs,agreement,agreement_low,agreement_high
held_out_f1,all,pr_auc,17,4,7000,0.5,0.4,0.6
held_out_f1,pr_auc and prg_auc disagree,pr_auc,15,3,1299,0.8227,0.6816,0.9265
held_out_f1,pr_auc and prg_auc disagree,prg_auc,15,3,1299,0.1773,0.0735,0.3184
expected_f1_gain,pr_auc and prg_auc disagree,pr_auc,15,3,1303,0.0264,0.01,0.05
expected_f1_gain,pr_auc and prg_auc disagree,prg_auc,15,3,1303,0.9736,0.9468,0.9909
"""


def test_which_area_picks_the_better_model():
    said = say("model_choice", CHOICE)
    assert "(1,299 pairs on 15 tasks, made of 3 data sets)" in said
    assert "in 82.3 % of the pairs (95 % interval 68.2 % to 92.7 %)" in said
    assert "on its side in 97.4 %" in said
    assert "interval" not in say("model_choice", CHOICE.replace("0.6816,0.9265", ","))
    assert say("model_choice", CHOICE.replace("1299", "0")) == ""


def test_selective_classifiers_are_those_of_real_data():
    said = say("selective_prediction", SELECTION)
    assert said.startswith(
        "Two selective classifiers answer 70.1 % of the cases of wdbc with 0.269 % of errors. The one"
    )
    said = say("selective_prediction", SELECTION.replace("0.701046456318", "0.72"))
    assert "answer 70.1 % and 72 % of the cases of wdbc with 0.269 % of errors" in said
    said = say("selective_prediction", SELECTION)
    assert "Advantage of 0.99; the one that rejects the minority has 0.00." in said
    assert (
        say(
            "selective_prediction",
            SELECTION.replace("lda,0.701046456318,0.00269139432319,0,ok", "lda,,,,failed"),
        )
        == ""
    )


def test_findings_stand_in_one_order_and_name_their_figures():
    tables = {"rank_disagreement": table(RANKS), "crossings": table(CROSSINGS), "exam": table("who\nBob\n")}
    assert [(finding.table, finding.figure) for finding in find_findings(tables)] == [
        ("crossings", "pa_figure_1"),
        ("rank_disagreement", "prg_figure_4"),
    ]
