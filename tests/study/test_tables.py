"""The study's tables: columns as they are declared, equal to the byte, and back as they were written."""

import re
from collections import defaultdict
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from experiments.ranks.ranked_tasks import PAIRS

from nontrivial.files import DamagedFile
from nontrivial.measures.catalogue import CATALOGUE
from nontrivial.schemas import read_yaml
from nontrivial_study import tables
from nontrivial_study.declarations import load_experiments
from nontrivial_study.experiments.curve_numbers import compared_curves
from nontrivial_study.experiments.ranks.area_finding import share_curve
from nontrivial_study.experiments.ranks.disagreement import rank_disagreement, rank_disagreement_by_group
from nontrivial_study.experiments.ranks.model_choice import choice_table
from nontrivial_study.experiments.ranks.ranks import rank_figure_table
from nontrivial_study.experiments.repeats.repeats import not_evaluated
from nontrivial_study.experiments.tutorial.tutorial import average_table, roc_points
from nontrivial_study.tables import (
    KIND_DESCRIPTIONS,
    DeclaredColumn,
    check_table,
    column_names,
    declared_tables,
    measure_names,
    read_parquet,
    read_table,
    read_texts,
    write_parquet,
    write_result,
    write_table,
)

SHARED = read_yaml(Path(tables.__file__).with_name("columns.yaml"))
INTERVAL = re.compile(r"[\[(](-inf|-?[0-9.]+), (inf|[0-9.]+)[\])]")
EXAM = {
    "example": ["A", "B"],
    "who": ["Alice", "=Bob"],
    "error": [0.4, 0.7],
    "trivial_error": [0.75, 2 / 3],
    "stated_advantage": ["0.46", "negative"],
    "advantage": [7 / 15, -0.05],
    "exact": ["7/15", "-1/20"],
}
NO_AREAS = pd.DataFrame(columns=column_names("curve_areas"))
NO_PREDICTIONS = pd.DataFrame(columns=["task", "model", "fold", "truth", "prediction", "score"])


def refused(*named):
    return pytest.raises(ValueError, match=".*".join(map(re.escape, named)))


# what is said of the columns


def test_what_is_said_of_each_column_is_whole():
    for name, table in declared_tables().items():
        assert table.row.endswith("."), name
        assert len(set(column_names(name))) == len(table.columns), name
        for column in table.columns:
            about = (name, column)
            assert column.kind in KIND_DESCRIPTIONS, about
            assert column.means.endswith("."), about
            assert column.kind in ("text", "truth") or INTERVAL.fullmatch(column.interval), about
            assert isinstance(column.missing, bool), about
            assert not column.texts or column.kind == "text", about


def test_nothing_is_said_of_what_no_table_has():
    """What several experiments have is shared, and nothing else is."""
    users = defaultdict(set)  # of columns and patterns
    for experiment in load_experiments().values():
        own = {name: table for name, table in experiment.results.items() if isinstance(table, dict)}
        for name, table in own.items():
            assert table.get("here", {}).keys() <= set(column_names(name)), name
            for column in column_names(name):
                users[column].add(experiment.name)
                for pattern in SHARED["patterns"]:
                    if match := re.fullmatch(pattern.replace("NAME", "(.+)"), column):
                        users[match[1]].add(experiment.name)
                        users[pattern].add(experiment.name)
        assert experiment.columns.keys() <= {name for name, names in users.items() if experiment.name in names}
        assert not experiment.columns.keys() & SHARED["columns"].keys()
        assert experiment.groups.keys() <= {item for table in own.values() for item in table["columns"]}
    assert SHARED["patterns"].keys() <= users.keys()
    assert all(len(users[name]) > 1 for name in SHARED["columns"].keys() - {*measure_names()})


def test_the_measures_are_those_of_the_library_with_its_ranges():
    of_table = {column.name: column for column in declared_tables()["measures"].columns if column.name in CATALOGUE}
    assert list(of_table) == measure_names()
    assert {name: column.range for name, column in of_table.items()} == {
        name: CATALOGUE[name].range for name in of_table
    }


@pytest.mark.parametrize(
    ("column", "good", "bad"),
    [
        ({"kind": "text"}, ["", "1"], [1, None, True]),
        ({"kind": "text", "texts": ["a", "b"], "missing": True}, ["a", None], ["c"]),
        ({"kind": "truth"}, [True, False], [1, "True", None]),
        ({"kind": "whole"}, [0, 7, 2.0], [-1, 0.5, True, "1", float("inf"), float("nan")]),
        ({"kind": "whole", "missing": True}, [1, None, pd.NA], [0.5]),
        ({"kind": "number", "range": "[0, 1]"}, [0, 1, 1 + 1e-15, -1e-15], [1 + 1e-9, -1e-9, None, False]),
        ({"kind": "number", "range": "(-inf, 1]", "missing": True}, [-9e9, 1, None], [float("-inf"), 1.1]),
        ({"kind": "number", "range": "[-inf, 0)"}, [float("-inf"), -1e-15], [0.0]),
        ({"kind": "number"}, [0.5, -3], [float("inf"), float("-inf"), "x"]),
    ],
)
def test_what_a_row_may_have(column, good, bad):
    column = DeclaredColumn(name="x", means="That.", **column)
    values = pd.Series([*good, *bad], dtype="object")
    assert column.allows(values).tolist() == [True] * len(good) + [False] * len(bad)


@pytest.mark.parametrize(
    ("column", "value", "allowed"),
    [("who", None, "a text"), ("error", 1.7, "a number in [0, 1]"), ("advantage", True, "a number in [-inf, 1]")],
)
def test_a_bad_value_is_named_by_table_row_and_column(column, value, allowed, tmp_path):
    table = pd.DataFrame(EXAM).astype("object")
    table.loc[1, column] = value
    table.index = [5, 5]  # rows count, whatever their index
    with refused("exam", "row 2", column, allowed):
        write_result(tmp_path / "exam.csv", pd.DataFrame(EXAM), table)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("names", "number", "actual", "expected"),
    [
        (list(EXAM)[::-1], 1, "exact", "example"),
        (list(EXAM)[:-1], 7, "no column", "exact"),
        ([*EXAM, "who"], 8, "who", "no column"),
    ],
)
def test_columns_that_lack_or_come_in_another_order_are_named(names, number, actual, expected):
    with refused("exam", f"column {number}", actual, expected):
        check_table("exam", pd.DataFrame(EXAM)[names])


def test_a_table_that_nothing_is_said_of_is_named(tmp_path):
    with refused("marks", "experiment.yaml"):
        write_result(tmp_path / "marks.csv", pd.DataFrame(EXAM))


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("haberman_trained", not_evaluated("set")[0]),
        ("haberman_trained_summary", not_evaluated("set")[1]),
        ("prg_figure_5", compared_curves(None, "task", {"none": (None, "not evaluated: no such task")})),
        ("prg_disagreement_by_share", share_curve(NO_AREAS, PAIRS)),
        ("model_choice", choice_table(NO_AREAS)),
        ("rank_disagreement", rank_disagreement(NO_AREAS, PAIRS, {})),
        ("rank_disagreement_by_imbalance", rank_disagreement_by_group(NO_AREAS, PAIRS, {})),
        ("rank_disagreement_by_imbalance", rank_disagreement_by_group(NO_AREAS, PAIRS, {"positives": [10]})),
        ("prg_figure_4", rank_figure_table(NO_AREAS, models=1)),
        ("tutorial_roc", roc_points(NO_PREDICTIONS, "task", ["model"])),
        ("fold_averages", average_table(NO_PREDICTIONS, "task", ["model"])),
    ],
)
def test_a_study_without_the_data_has_tables_of_the_same_columns(name, table):
    check_table(name, table)


# CSV


def test_a_result_comes_back_with_the_types_that_are_said(tmp_path):
    write_result(tmp_path / "exam.csv", pd.DataFrame(EXAM), pd.DataFrame(EXAM).assign(exact="-1"))
    back = read_table(tmp_path / "exam.csv")
    expected = pd.concat([pd.DataFrame(EXAM), pd.DataFrame(EXAM).assign(exact="-1")], ignore_index=True)
    pd.testing.assert_frame_equal(back, expected, rtol=1e-11)  # a text of digits stays a text
    write_result(tmp_path / "again" / "exam.csv", back)
    assert (tmp_path / "again" / "exam.csv").read_bytes() == (tmp_path / "exam.csv").read_bytes()


TEXTS = ["nan", "NA", "None", "null", "True", "inf", "007", "1e5", 'a "quoted" one', "two\nlines", "a,b"]
TEXTS += [" leading", "trailing ", "'", "''=", '"', "-cmd|' /C calc'!A0", "\tx", "\uff1d1"]


@pytest.mark.parametrize("text", TEXTS)
def test_texts_stay_texts(tmp_path, text):
    write_table(tmp_path / "a.csv", pd.DataFrame({"x": [text, "a", None]}))
    assert read_table(tmp_path / "a.csv")["x"].fillna("missing").tolist() == [text, "a", "missing"]
    assert read_texts(tmp_path / "a.csv")["x"].tolist() == [text, "a", ""]


def test_a_table_without_rows_keeps_its_columns(tmp_path):
    write_table(tmp_path / "a.csv", pd.DataFrame(columns=["x", "y"]))
    assert read_table(tmp_path / "a.csv").shape == read_texts(tmp_path / "a.csv").shape == (0, 2)


@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n1,2,3\n", b'a\n"x\n', b"a\n\xff\n"])
@pytest.mark.parametrize("read", [read_table, read_texts])
def test_what_is_no_csv_is_named(tmp_path, content, read):
    (tmp_path / "odd.csv").write_bytes(content)
    with pytest.raises(DamagedFile, match=r"odd\.csv is damaged: .*; delete it and run the same command again\.$"):
        read(tmp_path / "odd.csv")


# Parquet


def test_parquet_comes_back_is_equal_to_the_byte_and_any_reader_reads_it(tmp_path):
    table = pd.DataFrame({"x": [1 / 3, np.nan, -0.0], "n": [1, 2, 3], "b": [True, False, True]})
    table["t"] = pd.Series(["", None, "é\n"], dtype="str")
    for folder in "ab":
        write_parquet(tmp_path / folder / "t.parquet", table)
    first, second = (tmp_path / folder / "t.parquet" for folder in "ab")
    assert first.read_bytes() == second.read_bytes()
    pd.testing.assert_frame_equal(read_parquet(first), table)
    pd.testing.assert_frame_equal(pd.read_parquet(first), table)


def test_a_damaged_page_or_half_a_parquet_file_is_named(tmp_path):
    path = tmp_path / "t.parquet"
    write_parquet(path, pd.DataFrame({"x": np.random.default_rng(0).random(100)}))
    whole = path.read_bytes()
    for content in (whole[:200] + bytes([whole[200] ^ 1]) + whole[201:], whole[: len(whole) // 2], b"x"):
        path.write_bytes(content)
        with pytest.raises(DamagedFile, match=r"t\.parquet is damaged: .*; delete it"):
            read_parquet(path)
    with pytest.raises(FileNotFoundError):
        read_parquet(tmp_path / "none.parquet")
