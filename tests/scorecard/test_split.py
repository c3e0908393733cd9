"""Which rows are the cases of which model, and which models have the same cases."""

import numpy as np
import pandas as pd
import pytest
from scorecard.valid import score

IDS = np.arange(200)


def shuffled(table, **columns):
    return table.assign(**columns).sample(frac=1, random_state=0)


@pytest.mark.parametrize(
    ("change", "ids", "paired", "unpaired"),
    [
        (lambda other: other, None, "order_of_rows", None),
        (lambda other: other.iloc[::-1], None, None, "truth"),
        (lambda other: other.iloc[:-1], None, None, "number_of_cases"),
        (shuffled, [f"case {place}" for place in IDS], "case_numbers", None),
        (lambda other: other.assign(id=IDS + 1), IDS, None, "case_numbers"),
        (lambda other: other.assign(id=IDS + 1000), IDS, None, "case_numbers"),
        (lambda other: other, IDS // 2, "order_of_rows", None),
        (lambda other: other.assign(id=IDS // 3), IDS // 2, None, "case_numbers"),
        (lambda other: shuffled(other, y=other["y"].where(IDS != 6, "well")), IDS, None, "truth"),
        (lambda other: shuffled(other, w=other["w"][::-1].to_numpy()), IDS, None, "weights"),
        (lambda other: shuffled(other, patient=other["patient"][::-1].to_numpy()), IDS, None, "groups"),
    ],
)
def test_files_are_paired_by_the_numbers_of_cases_or_by_rows_where_all_but_the_scores_agree(
    cases, tmp_path, change, ids, paired, unpaired
):
    one = pd.DataFrame({"y": cases["y"], "p": cases["good"], "w": 1.0 + IDS % 2, "patient": IDS // 2})
    one = one if ids is None else one.assign(id=ids)
    other = one.assign(p=cases["weak"])
    files, options = [tmp_path / "one.csv", tmp_path / "other.csv"], {"weight": "w", "group": "patient"}
    one.to_csv(files[0], index=False)
    change(other).to_csv(files[1], index=False)
    found = score(files, positive="ill", **options)
    assert [card.model for card in found.result.cards] == ["one.csv", "other.csv"]
    assert (found.result.pairing, found.result.unpaired) == (paired, unpaired)
    assert (found.to_json()["paired"], found.to_json()["unpaired_because"]) == (paired is not None, unpaired)
    if paired is None:
        assert (found.result.differences, found.result.picks) == ((), {})
        return
    other.to_csv(files[1], index=False)
    unchanged = score(files, positive="ill", **options).result
    assert len(unchanged.differences) > 1
    assert unchanged.differences == found.result.differences


def test_rows_of_models_are_scored_apart_and_paired_by_the_numbers_of_cases(cases, long):
    found = score(long, positive="ill").result
    assert [card.model for card in found.cards] == ["good", "weak"]
    assert any("'model'" in note for note in found.cards[0].warnings)
    assert any("'fold'" in note for note in found.cards[0].warnings)
    other = score(cases, score=["good", "weak"], positive="ill").result
    assert (found.pairing, other.pairing) == ("case_numbers", "order_of_rows")
    assert found.differences == other.differences


def test_one_site_is_a_subgroup_and_cases_without_a_site_can_be_left_out(cases):
    numbered = cases.assign(id=range(200), site="Hull")
    found = score(numbered, score="good", positive="ill", by="site")
    assert (list(found.result.parts), found.result.whole.cases) == (["Hull"], 200)
    numbered["site"] = np.where(np.arange(200) < 3, None, np.where(np.arange(200) < 100, "Hull", "York"))
    with pytest.raises(ValueError, match=r"3 in 'site' .*a value of their own.*missing='drop'"):
        score(numbered, score="good", positive="ill", by="site")
    found = score(numbered, score="good", positive="ill", by="site", missing="drop").result
    assert [found.whole.cases, *(part.cases for part in found.parts.values())] == [197, 97, 100]


def test_rows_of_a_model_are_pooled_with_a_note_only(long):
    found = score(long[long["model"] == "good"].drop(columns="model"), positive="ill").result
    assert any("pooled" in note and "'fold'" in note for note in found.warnings)
    unequal = score(long.iloc[:-1], positive="ill").result
    assert any("pooled" in note and "'model'" in note for note in unequal.warnings)
