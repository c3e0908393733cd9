"""The P4 article's examples, against values worked by hand."""

import pytest

from nontrivial.schemas import read_yaml
from nontrivial_study.experiments.p4.p4 import integer_example_table, p4_example_table

EXAMPLES = read_yaml("config/published.yaml")["p4_examples"]


def test_p4_examples():
    table = p4_example_table(EXAMPLES).set_index("example")
    assert table.loc["rare disease", ["tp", "fp", "fn", "tn"]].tolist() == [47.5, 4997.5, 2.5, 94952.5]
    assert table.loc["cats and dogs", ["tp", "fp", "fn", "tn"]].tolist() == [89991, 9900, 9, 100]
    assert table.loc["rare disease", "precision"] == pytest.approx(47.5 / 5045, rel=1e-12)
    conditional = [89991 / 99891, 89991 / 90000, 100 / 10000, 100 / 109]
    assert table.loc["cats and dogs", "p4"] == pytest.approx(4 / sum(1 / p for p in conditional), rel=1e-12)


def test_whole_counts_surround_the_exact_rates():
    table = integer_example_table(EXAMPLES)
    disease = table[table["example"] == "rare disease"]
    assert disease[["tp", "tn"]].to_numpy().tolist() == [[47, 94952], [47, 94953], [48, 94952], [48, 94953]]
    assert set(disease["exact_tp"]) == {47.5}
    (cats,) = table[table["example"] == "cats and dogs"].to_dict("records")
    assert [cats[cell] for cell in ("tp", "fp", "fn", "tn")] == [89991, 9900, 9, 100]
    assert cats["p4"] == pytest.approx(4 * 89991 * 100 / (4 * 89991 * 100 + 90091 * 9909))
    assert (disease["tp"] + disease["fn"] == 50).all()
