"""A table of areas that lacks rows of the plan is named, with what it lacks."""

import pandas as pd
import pytest

from nontrivial.csv_tables import write_table
from nontrivial.experiments.tasks.planned_areas import plan_areas, read_areas
from nontrivial.files import DamagedFile
from nontrivial.records import write_record

MODELS = ["nan", "stump"]


@pytest.fixture
def table(tmp_path):
    rows = [("null", "nan"), ("null", "stump"), ("openml_3", "1"), ("openml_3", "=b"), ("openml_9", "1")]
    path = tmp_path / "curve_areas.csv"
    write_table(path, pd.DataFrame(rows, columns=["task", "model"]).assign(pr_auc=0.5, status="ok"))
    return path


@pytest.fixture
def planned(tmp_path):
    taken = {"name": "openml_3", "taken": [{"flow_name": "1"}]}
    replaced = [{"flow_name": "=b", "by": None}, {"flow_name": "c", "by": 7}]
    record = {"tasks": [taken | {"replaced": replaced}], "unusable": [{"name": "openml_9"}]}
    write_record(tmp_path / "archive-00.json", record)
    return plan_areas(["null"], MODELS, [tmp_path / "archive-00.json"])


def test_a_whole_table_is_read(table, planned):
    areas = read_areas(table, planned)
    assert areas["model"].tolist() == ["nan", "stump", "1", "=b", "1"]
    assert len(read_areas(table, {"null": MODELS})) == 5  # what is not asked for may be there


@pytest.mark.parametrize(
    ("left", "missing"), [(4, "openml_9"), (3, "=b"), (2, "openml_3"), (1, "stump"), (0, "null")]
)
def test_a_table_cut_off_between_rows_is_named(table, planned, left, missing):
    lines = table.read_bytes().splitlines(keepends=True)
    table.write_bytes(b"".join(lines[: left + 1]))
    with pytest.raises(
        DamagedFile, match=rf"curve_areas\.csv .*{missing}.*delete it and run the same command again"
    ):
        read_areas(table, planned)
