"""The study's own finding on the page."""

from io import StringIO

import pandas as pd

from nontrivial_study.report.findings import find_answers

ROWS = """question,of,at_least,below,estimate,low,high,tasks,datasets,answer
rarity,pr_auc/prg_auc top1,,,0.081,0.012,0.15,33,29,more
rarity,pr_auc/prg_auc top3,,,0.2,0.1,0.3,33,29,more
rarity,pr_auc/prg_auc correlation,,,0.0151,0.0006,0.0433,33,29,not shown
choice,held_out_f1,,,0.32,0.25,0.41,33,29,pr_auc
choice,held_out_f1,,0.05,0.7,0.4,0.9,6,6,not shown
choice,held_out_f1,0.05,0.3,,,,0,0,too few data sets
choice,held_out_f1,0.3,,0.2,0.1,0.3,8,8,pr_auc
"""


def test_sentences():
    tables = {"area_finding": pd.read_csv(StringIO(ROWS), dtype=str, keep_default_na=False)}
    rarity, choice = find_answers(tables)
    assert all(
        part in rarity
        for part in ("AUPR or AUPRG", "yes", "8.1", "1.2 to 15.0", "0.015", "33 tasks from 29 sources")
    )
    assert all(
        part in choice for part in ("32", "25", "41", "use AUPR", "no such pairs", "not shown either way")
    )
    assert find_answers({}) == []
