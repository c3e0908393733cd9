"""The published errors, against values worked by hand."""

import pytest

from nontrivial_study.experiments.repeats.repeats import haberman_table


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
