"""The worked examples, against values worked by hand."""

import pytest

from nontrivial.study.examples import exam_table, haberman_table, p4_example_table


def test_exam_and_intern():
    def one(correct, trivial):
        example = {
            "example": "e",
            "who": "w",
            "correct": correct,
            "trivial": trivial,
            "stated_advantage": "s",
        }
        return exam_table([example])["exact"].item()

    assert one("0.30", "1/3") == "-1/20"
    assert one("0.30", "1/4") == "1/15"
    assert one("0.60", "1/3") == "2/5"
    assert one("0.60", "1/4") == "7/15"
    assert one("0.97", "99/100") == "-2"


def test_p4_examples():
    examples = [
        {
            "example": "disease",
            "population": 100000,
            "prevalence": "0.0005",
            "recall": "0.95",
            "specificity": "0.95",
        },
        {
            "example": "cats",
            "population": 100000,
            "prevalence": "0.9",
            "recall": "0.9999",
            "specificity": "0.01",
        },
    ]
    table = p4_example_table(examples).set_index("example")
    assert table.loc["disease", ["tp", "fp", "fn", "tn"]].tolist() == [47.5, 4997.5, 2.5, 94952.5]
    assert table.loc["cats", ["tp", "fp", "fn", "tn"]].tolist() == [89991, 9900, 9, 100]
    assert table.loc["disease", "precision"] == pytest.approx(47.5 / 5045, rel=1e-12)
    conditional = [89991 / 99891, 89991 / 90000, 100 / 10000, 100 / 109]
    assert table.loc["cats", "p4"] == pytest.approx(4 / sum(1 / p for p in conditional), rel=1e-12)


def haberman(**entry):
    errors = [{"source": "[0]", "error": "0.27", "bound": "equal", "stated_advantage": "-0.02"} | entry]
    return haberman_table({"positives": 81, "cases": 306, "errors": errors}).iloc[0]


def test_haberman_by_hand():
    row = haberman()
    assert row["advantage"] == pytest.approx(1 - 0.27 * 306 / 81, rel=1e-12)
    assert row["low"] == pytest.approx(1 - 0.275 * 306 / 81, rel=1e-12)
    assert row["high"] == pytest.approx(1 - 0.265 * 306 / 81, rel=1e-12)
    assert row["sign_certain"]
    assert row["possible"]  # 82 of 306 prints as 0.27
    assert not haberman(error="0.266")["possible"]  # 81 and 82 of 306 print as 0.265 and 0.268
    assert not haberman(error="0.3")["sign_certain"]  # 0.25 is better than 81 of 306


def test_an_error_above_the_printed_one():
    row = haberman(error="0.30", bound="greater")
    assert row["low"] == pytest.approx(1 - 306 / 81, rel=1e-12)
    assert row["high"] == row["advantage"] == pytest.approx(1 - 0.30 * 306 / 81, rel=1e-12)
    assert row["sign_certain"]
