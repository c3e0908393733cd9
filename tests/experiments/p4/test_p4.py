"""The P4 article's probabilities and examples, against values worked by hand."""

from fractions import Fraction

import numpy as np
import pytest

from nontrivial.schemas import read_yaml
from nontrivial_study.experiments.imbalance.rates import Rates, expected_cells
from nontrivial_study.experiments.p4.p4 import (
    MEASURE_TITLES,
    PLANE_MEASURES,
    PROBABILITIES,
    dependency_table,
    integer_example_table,
    p4_example_table,
    plane_table,
)
from nontrivial_study.experiments.p4.p4_figures import plot_plane

STATED = {"P4": "1111", "F1": "1100", "Informedness": "0110", "Markedness": "1001"}


@pytest.fixture(scope="module")
def dependencies():
    stated = {
        name: dict(zip(PROBABILITIES, [mark == "1" for mark in marks], strict=True)) for name, marks in STATED.items()
    }
    return dependency_table(stated, max_power=4).set_index(["measure", "probability"])


def test_the_articles_table_is_found(dependencies):
    assert (dependencies["depends"] == dependencies["stated"]).all()
    assert len(dependencies) == 16


def test_the_greatest_is_what_its_counts_give_and_the_bound_holds(dependencies):
    bounds = {"P4": 4 / (100 + 3), "F1": 2 / (100 + 1), "Informedness": 0.01, "Markedness": 0.01}
    for (measure, probability), row in dependencies.iterrows():
        tp, fp, fn, tn = (Fraction(int(row[cell])) for cell in ("tp", "fp", "fn", "tn"))
        rates = {
            "precision": (tp, tp + fp),
            "recall": (tp, tp + fn),
            "specificity": (tn, tn + fp),
            "negative_predictive_value": (tn, tn + fn),
        }
        part, whole = rates[probability]
        assert part / whole <= Fraction(1, 100)
        values = {
            "P4": (4 * tp * tn, 4 * tp * tn + (tp + tn) * (fp + fn)),
            "F1": (2 * tp, 2 * tp + fp + fn),
            "Informedness": (tp * tn - fp * fn, (tp + fn) * (tn + fp)),
            "Markedness": (tp * tn - fp * fn, (tp + fp) * (tn + fn)),
        }
        above, below = values[measure]
        value = above / below
        assert row["greatest"] == pytest.approx(float(value), rel=1e-12)
        assert row["greatest"] <= bounds[measure] + 1e-12 if row["depends"] else row["greatest"] > 0.95


def test_the_plane_is_the_measures_of_the_expected_cells():
    table = plane_table(Rates(0.9, 0.2), [0.1, 0.4], [0.0, 0.3])
    point = table[(table["minority_share"] == 0.4) & (table["noise"] == 0.3)].iloc[0]
    tp, fp, fn, tn = map(float, expected_cells(Rates(0.9, 0.2), 0.4, 0.3))
    assert point["informedness"] == pytest.approx(tp / (tp + fn) + tn / (tn + fp) - 1)
    assert point["markedness"] == pytest.approx(tp / (tp + fp) + tn / (tn + fn) - 1)
    assert point["prediction_advantage"] == pytest.approx(1 - (fp + fn) / 0.4)
    beyond = table[(table["minority_share"] == 0.1) & (table["noise"] == 0.3)]
    assert beyond[list(MEASURE_TITLES)].isna().all(axis=None)
    assert np.isfinite(table["p4"]).sum() == 3


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


def test_borders_on_the_plane_end_where_the_possible_ends():
    table = plane_table(Rates(0.9, 0.05))
    for name in PLANE_MEASURES:
        # Its borders are upright.
        table[name] = table[name].where(table[name].isna(), table["minority_share"])
    axes = plot_plane(table).axes[0]
    (borders,) = [lines for lines in axes.collections if lines.get_linewidth()[0] == 0.4]
    for level, path in zip(borders.levels, borders.get_paths(), strict=True):
        assert np.allclose(path.vertices[:, 0], 100 * level)
        if 0 < level < 0.5:
            heights = path.vertices[:, 1]
            assert (heights.min(), heights.max()) == pytest.approx((0, min(200 * level, 50)))
