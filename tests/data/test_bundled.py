"""The data sets that scikit-learn carries."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from nontrivial_study.data.bundled import expand_originals, load_bundled


def test_bundled_wdbc_is_scikit_learns():
    table, raw = load_bundled("load_breast_cancer"), load_breast_cancer()
    np.testing.assert_array_equal(table.drop(columns="target").to_numpy(), raw.data)
    assert (table["target"] == "malignant").tolist() == (raw.target == 0).tolist()


def test_unknown_loader_names_the_known():
    with pytest.raises(
        ValueError, match="Unknown loader 'load_irs'; the bundled data sets are load_breast_cancer"
    ):
        load_bundled("load_irs")


def test_two_sets_of_one_name_are_refused():
    sets = {"sets": {"a1": {}}}
    with pytest.raises(ValueError, match="a1"):
        expand_originals({"a": sets, "b": sets})
