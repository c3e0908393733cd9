"""Findings: numbers with intervals beside the documents', none where a table says nothing; answers in sentences."""

import io
import re
from dataclasses import replace

import pandas as pd
import pytest
from report.elements import parse, texts

from nontrivial_study.report.findings import find_answers, find_findings
from nontrivial_study.report.page import render_page

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
RANKS = """pair,tasks,datasets,models,top3_disagreement,top3_disagreement_low,top3_disagreement_high\
,paper_top3_disagreement,rank_correlation,rank_correlation_low,rank_correlation_high,paper_rank_correlation
pr_auc/roc_auc,17,12,30,0.9,0.9,0.9,0.9,0.9,0.9,0.9,0.9
pr_auc/prg_auc,17,12,30,0.294117647059,0.117647058824,0.529411764706,0.58,0.9715247428,0.954818,0.985669,0.95
"""


CHOICE = """yardstick,of,area,tasks,datasets,pairs,agreement,agreement_low,agreement_high
held_out_f1,all,pr_auc,17,12,7000,0.5,0.4,0.6
held_out_f1,pr_auc and prg_auc disagree,pr_auc,15,10,1299,0.8227,0.6816,0.9265
held_out_f1,pr_auc and prg_auc disagree,prg_auc,15,10,1299,0.1773,0.0735,0.3184
"""


def table(text):
    return pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)


def find(name, text):
    """The findings of one table, with plain spaces."""
    findings = find_findings({name: table(text)})
    assert {finding.table for finding in findings} <= {name}
    texts = ("number", "interval", "stated", "text")
    return [
        replace(finding, **{key: getattr(finding, key).replace("\N{NO-BREAK SPACE}", " ") for key in texts})
        for finding in findings
    ]


def test_crossings_are_those_of_the_first_classifier_at_the_greatest_noise():
    (finding,) = find("crossings", CROSSINGS)
    assert (finding.number, finding.interval, finding.document) == ("21.9 %", "21.1 % to 23.2 %", "PA paper")
    assert "random forest on wdbc with 20 % wrong labels" in finding.text
    assert "says so below 11.3 %; 3 of 5 measures never do." in finding.text
    assert finding.marks == {"value": 21.92, "low": 21.06, "high": 23.16}


def test_the_advantage_warns_first_only_where_no_other_measure_warns_before():
    (finding,) = find("crossings", CROSSINGS)
    assert finding.title == "The Prediction Advantage warns first"
    (later,) = find("crossings", CROSSINGS.replace("0.1127,0.11,0.12", "0.3,0.29,0.31"))
    assert later.title == "The Prediction Advantage is not the first to warn"


@pytest.mark.parametrize("gone", ["noise", "0.2192,0.2106,0.2316"])
def test_without_a_crossing_nothing_is_said_of_one(gone):
    lines = CROSSINGS.splitlines()
    remaining = lines[:1] + [
        line.replace("0.2192,0.2106,0.2316", ",,") if gone.startswith("0") else line
        for line in lines[1:]
        if gone != "noise" or ",noise," not in line
    ]
    assert find("crossings", "\n".join(remaining)) == []


def test_published_errors_are_counted_by_what_their_rounding_allows():
    (finding,) = find("haberman_published", PUBLISHED)
    assert (finding.number, finding.interval, finding.stated) == ("3 of 4", "2 to 3, by their rounding", "4 of 4")


def test_ranks_stand_beside_those_of_the_paper():
    order, correlation = find("rank_disagreement", RANKS)
    assert (order.number, order.interval, order.stated) == ("29.4 %", "11.8 % to 52.9 %", "58 %")
    assert "17 tasks (made of 12 data sets)" in order.text
    assert (correlation.number, correlation.interval, correlation.stated) == ("0.972", "0.955 to 0.986", "0.95")
    assert find("rank_disagreement", RANKS.rsplit("pr_auc/prg_auc", 1)[0]) == []


def test_which_area_picks_the_better_model():
    (finding,) = find("model_choice", CHOICE)
    assert (finding.number, finding.interval) == ("82.3 %", "68.2 % to 92.7 %")
    assert "1,299 pairs" in finding.text
    assert finding.title == "Where they differ, the PR area picks the better model"
    (turned,) = find("model_choice", CHOICE.replace("0.8227,0.6816,0.9265", "0.1773,0.0735,0.3184"))
    assert turned.title == "Where they differ, the PRG area picks the better model"
    (unknown,) = find("model_choice", CHOICE.replace("0.6816,0.9265", ","))
    assert (unknown.interval, "neither area" in unknown.title) == ("", True)
    assert find("model_choice", CHOICE.replace("1299", "0")) == []


def test_tasks_made_of_fewer_than_ten_data_sets_have_no_finding():
    assert find("rank_disagreement", RANKS.replace(",12,", ",9,")) == []
    assert find("model_choice", CHOICE.replace(",10,", ",9,")) == []


ROWS = """question,of,at_least,below,estimate,low,high,tasks,datasets,answer
rarity,pr_auc/prg_auc top1,,,0.081,0.012,0.15,33,29,more
rarity,pr_auc/prg_auc top3,,,0.2,0.1,0.3,33,29,more
rarity,pr_auc/prg_auc correlation,,,0.0151,0.0006,0.0433,33,29,not shown
choice,held_out_f1,,,0.32,0.25,0.41,33,29,pr_auc
choice,held_out_f1,,0.05,0.7,0.4,0.9,6,6,not shown
choice,held_out_f1,0.05,0.3,,,,0,0,too few data sets
choice,held_out_f1,0.3,,0.2,0.1,0.3,8,8,pr_auc
"""


def test_answers_on_areas_are_sentences_of_the_page(results):
    (results / "tables" / "area_finding.csv").write_text(ROWS)
    rarity, choice = texts(parse(render_page(results, {})).one("section", id="areas").all("li"))
    assert re.findall(r"\d+\.\d+", rarity) == ["8.1", "1.2", "15.0", "0.015", "0.001", "0.043"]
    assert "33 tasks from 29 sources" in rarity
    assert all(part in choice for part in ("use AUPR", "no such pairs", "not shown either way"))
    assert find_answers({}) == {}
