"""A registry of a paper, the results of its study, and what its claims come to."""

import pytest
from claims.shipped import shipped, shipped_claims, shipped_records  # noqa: F401

from nontrivial.claims.judge import judge_claims
from nontrivial.claims.registry import load_claims

REGISTRY = """\
sources: {paper: {title: A paper}}
studies: {small: make small, large: make large}
source: paper
sections:
  - section: Section 1
    claims:
    - {id: guess, anchor: a guess, statement: A guess among three., kind: number, over: {numbers: {options: 3}},
       claim: 1/options == 0.3333}
    - {id: order, anchor: in this order, statement: "F1, then balanced accuracy.", kind: inequality, main: true,
       over: tables, given: [1 <= positives <= negatives], claim: f1 <= balanced_accuracy}
    - {id: order-holds, statement: "Beyond the paper: kappa, then F1.", kind: inequality, beyond: true,
       over: tables, given: [1 <= positives <= negatives], claim: cohen_kappa <= f1}
    - {id: sometimes, statement: Kappa can miss it., kind: inequality, anchor: can miss it, over: tables,
       given: [1 <= positives <= negatives], claim: sometimes(prediction_advantage < 0 < cohen_kappa)}
  - section: Section 2
    claims:
    - {id: measured, anchor: disagree in, statement: They disagree in 24 %., kind: experiment,
       study: small, claim: top1 == 0.24, locator: Table 1,
       over: {row: {table: tables/ranks.csv, where: {pair: a/b}, ends: [top1]}}}
    - {id: out-of-scope, anchor: of 886, statement: Of 886 tasks., kind: replication, study: large,
       claim: top1 == 0.24,
       over: {row: {table: tables/ranks.csv, where: {pair: a/b}, about: {tasks: "886"},
       ends: [top1]}}}
    - {id: absent, anchor: something large, statement: Something large., kind: experiment, study: large,
       claim: top1 == 0.24, over: {row: {table: tables/large.csv, where: {pair: a/b}}}}
    - {id: view, anchor: the best, statement: It is the best., kind: opinion, because: it is taste.}
"""

RANKS = "pair,tasks,top1,top1_low,top1_high\na/b,17,0.25,0.2,0.3\na/c,17,0.5,0.4,0.6\n"


@pytest.fixture
def results(tmp_path):
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "paper.yaml").write_text(REGISTRY)
    (tmp_path / "results" / "tables").mkdir(parents=True)
    (tmp_path / "results" / "tables" / "ranks.csv").write_text(RANKS)
    return tmp_path / "results"


@pytest.fixture
def judged(results):
    def judge_all():
        records = judge_claims(load_claims(results.parent / "claims"), results)
        return {record["id"]: record for record in records}

    return judge_all
