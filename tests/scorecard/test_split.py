"""The models and subgroups that rows are divided among, and the cases that models have in common."""

import re

import numpy as np
import pandas as pd
import pytest
from scorecard.valid import score

IDS = np.arange(200)


def shuffled(table, **columns):
    return table.assign(**columns).sample(frac=1, random_state=0)


def backwards(table, column):
    return shuffled(table, **{column: table[column][::-1].to_numpy()})


@pytest.mark.parametrize(
    ("change", "ids", "paired", "unpaired"),
    [
        (lambda table: table, None, "order_of_rows", None),
        (lambda table: table.iloc[::-1], None, None, "truth"),
        (lambda table: table.iloc[:-1], None, None, "number_of_cases"),
        (shuffled, [f"case {place}" for place in IDS], "case_numbers", None),
        (lambda table: table.assign(id=IDS + 1), IDS, None, "case_numbers"),
        (lambda table: table.assign(id=IDS + 1000), IDS, None, "case_numbers"),
        (lambda table: table, IDS // 2, "order_of_rows", None),
        (lambda table: table.assign(id=IDS // 3), IDS // 2, None, "case_numbers"),
        (lambda table: backwards(table, "w"), IDS, None, "weights"),
        (lambda table: backwards(table, "clinic"), IDS, None, "groups"),
    ],
)
def test_files_are_paired_by_the_numbers_of_cases_or_by_rows_where_all_but_the_scores_agree(
    cases, tmp_path, change, ids, paired, unpaired
):
    good = pd.DataFrame({"y": cases["y"], "p": cases["good"], "w": 1.0 + IDS % 2, "clinic": IDS // 2})
    good = good if ids is None else good.assign(id=ids)
    weak = good.assign(p=cases["weak"])

    def score_pair(second):
        files = [tmp_path / "one.csv", tmp_path / "other.csv"]
        for file, table in zip(files, (good, second), strict=True):
            table.to_csv(file, index=False)
        return score(files, positive="ill", weight="w", group="clinic")

    scored = score_pair(change(weak))
    assert [card.model for card in scored.result.cards] == ["one.csv", "other.csv"]
    assert (scored.result.pairing, scored.to_json()["unpaired_because"]) == (paired, unpaired)
    assert scored.to_json()["paired"] == bool(scored.result.differences) == bool(paired)
    if paired:
        assert score_pair(weak).result.differences == scored.result.differences


def test_rows_of_models_are_scored_apart_and_paired_by_the_numbers_of_cases(cases, long):
    in_rows = score(long, positive="ill").result
    wide = score(cases, score=["good", "weak"], positive="ill").result
    assert [card.model for card in in_rows.cards] == ["good", "weak"]
    assert (in_rows.pairing, wide.pairing) == ("case_numbers", "order_of_rows")
    assert in_rows.differences == wide.differences
    noted = " ".join(in_rows.cards[0].notes)
    assert re.search("values of 'model' are models.* of each model are pooled, .* 'fold'", noted)


def test_rows_of_folds_are_pooled_with_a_note_and_models_with_other_cases_are_asked_for(long):
    of_good = long[long["model"] == "good"].drop(columns="model")
    assert re.search("are pooled, .*'fold'", " ".join(score(of_good, positive="ill").result.notes))
    with pytest.raises(ValueError, match=r"by='model', or by='none'"):
        score(long.iloc[:-1], positive="ill")
    result = score(long.drop(columns="row_id").reset_index(drop=True).iloc[:-1], positive="ill", by="none").result
    assert result.cases == len(long) - 1


@pytest.mark.parametrize("column", ["model", "version"])
def test_a_column_with_the_name_of_models_or_with_the_same_case_numbers_holds_models(cases, column):
    site = np.where(IDS < 120, "a", "b")
    parts = {name: cases[["y"]].assign(p=cases[name], case_id=IDS, site=site) for name in ("good", "weak")}
    rows = pd.concat(parts, names=[column]).reset_index(column)
    result = score(rows, score="p", by=column, positive="ill").result
    assert ([card.model for card in result.cards], result.pairing) == (["good", "weak"], "case_numbers")
    for by in ("site", ["site", "model"]) if column == "model" else ():
        within = score(rows, score="p", by=by, positive="ill").result
        assert [card.model for card in within.whole.cards] == ["good", "weak"]
        assert {name: part.best.cases for name, part in within.parts.items()} == {"a": 120, "b": 80}
        assert all(part.pairing and part.differences for part in within.parts.values())


def test_one_site_is_a_subgroup_and_cases_without_a_site_can_be_left_out(cases):
    numbered, options = cases.assign(id=IDS, site="Hull"), {"score": "good", "positive": "ill", "by": "site"}
    result = score(numbered, **options).result
    assert (list(result.parts), result.whole.cases) == (["Hull"], 200)
    numbered["site"] = np.where(IDS < 3, None, np.where(IDS < 100, "Hull", "York"))
    with pytest.raises(ValueError, match=r"3 in 'site' .*a value of their own.*missing='drop'"):
        score(numbered, **options)
    result = score(numbered, **options, missing="drop").result
    assert [result.whole.cases, *(part.cases for part in result.parts.values())] == [197, 97, 100]
