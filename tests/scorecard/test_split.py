"""Which rows are the cases of which model, and which models have the same cases."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scorecard.valid import score


def test_files_with_the_same_cases_are_paired_and_others_not(cases, tmp_path):
    for name in ("good", "weak"):
        cases[["y", name]].to_csv(tmp_path / f"{name}.csv", index=False, header=["y", "p"])
    found = score([tmp_path / "good.csv", tmp_path / "weak.csv"], positive="ill").result
    assert [card.model for card in found.cards] == ["good.csv", "weak.csv"]
    assert (found.pairing, found.unpaired) == ("order_of_rows", None)
    cases[["y", "weak"]].iloc[::-1].to_csv(tmp_path / "weak.csv", index=False, header=["y", "p"])
    found = score([tmp_path / "good.csv", tmp_path / "weak.csv"], positive="ill").result
    assert (found.pairing, found.unpaired) == (None, "truth")
    assert (found.differences, found.picks) == ((), {})


def test_rows_of_models_are_scored_apart_and_paired_by_the_numbers_of_cases(cases, long):
    found = score(long, positive="ill").result
    assert [card.model for card in found.cards] == ["good", "weak"]
    assert any("'model'" in note for note in found.cards[0].warnings)
    assert any("'fold'" in note for note in found.cards[0].warnings)
    other = score(cases, score=["good", "weak"], positive="ill").result
    assert (found.pairing, other.pairing) == ("case_numbers", "order_of_rows")
    assert [vars(each) for each in found.differences] == [vars(each) for each in other.differences]


def test_files_are_paired_by_the_numbers_of_cases(cases, tmp_path):
    numbered = cases.assign(id=[f"case {place}" for place in range(len(cases))])
    for name, table in {"good": numbered, "weak": numbered, "shuffled": numbered.sample(frac=1)}.items():
        of = "weak" if name == "shuffled" else name
        table[["id", "y", of]].to_csv(tmp_path / f"{name}.csv", index=False, header=["id", "y", "p"])
    found, expected = (
        score([tmp_path / "good.csv", tmp_path / f"{other}.csv"], positive="ill").result
        for other in ("shuffled", "weak")
    )
    assert len(expected.differences) > 1
    assert [replace(each, model="") for each in found.differences] == [
        replace(each, model="") for each in expected.differences
    ]


@pytest.mark.parametrize("shift", [1, 1000])
def test_files_whose_case_numbers_differ_are_not_paired_though_their_labels_agree(cases, tmp_path, shift):
    for name, first in (("good", 0), ("weak", shift)):
        table = pd.DataFrame({"id": first + np.arange(len(cases)), "y": cases["y"], "p": cases[name]})
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    found = score([tmp_path / "good.csv", tmp_path / "weak.csv"], positive="ill")
    assert (found.result.pairing, found.result.unpaired) == (None, "case_numbers")
    assert found.result.differences == ()
    assert (found.to_json()["paired"], found.to_json()["unpaired_because"]) == (False, "case_numbers")


def test_files_whose_case_numbers_are_not_unique_are_paired_row_by_row_where_they_agree(cases, tmp_path):
    for name, share in (("one", 2), ("same", 2), ("other", 3)):
        table = pd.DataFrame({"id": np.arange(len(cases)) // share, "y": cases["y"], "p": cases["good"]})
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    for name, pairing in (("same", "order_of_rows"), ("other", None)):
        found = score([tmp_path / "one.csv", tmp_path / f"{name}.csv"], positive="ill").result
        assert found.pairing == pairing


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


@pytest.mark.parametrize(
    ("column", "differs"), [("y", "truth"), ("w", "weights"), ("patient", "groups"), ("p", None)]
)
def test_cases_of_the_same_number_must_be_alike(cases, tmp_path, column, differs):
    table = pd.DataFrame({"id": range(200), "y": cases["y"], "p": cases["good"]})
    table = table.assign(w=1.0 + np.arange(200) % 2, patient=np.arange(200) // 2)
    other = table.sample(frac=1, random_state=0)
    other[column] = (
        other[column].to_numpy()[::-1] if column != "y" else other[column].where(other["id"] != 6, "well")
    )
    for name, each in (("one", table), ("other", other)):
        each.to_csv(tmp_path / f"{name}.csv", index=False)
    found = score(
        [tmp_path / "one.csv", tmp_path / "other.csv"], positive="ill", weight="w", group="patient"
    ).result
    assert (found.pairing, found.unpaired) == ("case_numbers" if differs is None else None, differs)
