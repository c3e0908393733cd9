"""The P4 article's examples, against values worked by hand."""

import pytest

from nontrivial.experiments.p4.p4_examples import p4_example_table


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
