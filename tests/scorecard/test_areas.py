"""Areas and their means over classes."""

import numpy as np
import pytest
from scorecard.valid import said_of_classes, score

from nontrivial.curves import bootstrap_curve_areas


def test_means_of_areas_have_narrower_intervals_than_the_areas():
    frame, truth = said_of_classes(5)
    card = score(frame).result
    tables = [bootstrap_curve_areas(truth == place, frame[f"c{place}"]) for place in range(5)]
    of_each = np.mean([table.loc[["estimate", "low", "high"]] for table in tables], axis=0)
    for name, (value, low, high) in zip(tables[0], of_each.T, strict=True):
        found = card.areas[f"macro_{name}"]
        assert found.value == pytest.approx(value), name
        if name != "cost_curve_area":
            assert found.method == "bootstrap"
            assert found.high - found.low < 0.8 * (high - low), name
    assert list(card.no_interval) == ["macro_cost_curve_area"]


def test_a_class_that_a_part_lacks_leaves_the_means_of_areas_undefined():
    frame, truth = said_of_classes(3)
    frame["site"] = np.where(np.arange(len(frame)) % 2 + truth == 2, "a", "b")
    frame.loc[truth == 1, "site"] = "b"
    frame.loc[:3, "site"] = ["a", "b", "a", "a"]
    card = score(frame, by="site").result.parts["a"]
    assert np.isnan(card.areas["macro_roc_auc"].value)
    assert card.undefined["macro_roc_auc"] == "it is undefined for c1"


def test_means_of_areas_of_many_classes_have_an_interval():
    assert score(said_of_classes(12)[0]).verdicts["ranking"].verdict == "better"
