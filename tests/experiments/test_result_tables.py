"""No table is written with other columns, kinds, ranges or gaps than are said of it."""

import re

import pandas as pd
import pytest

from nontrivial_study.experiments.curve_numbers import compared_curves
from nontrivial_study.experiments.ranks.model_choice import choice_table
from nontrivial_study.experiments.ranks.rank_groups import rank_disagreement_by_group
from nontrivial_study.experiments.ranks.rank_pairs import rank_figure_table
from nontrivial_study.experiments.ranks.ranking import rank_disagreement
from nontrivial_study.experiments.ranks.share_curve import share_curve
from nontrivial_study.experiments.repeats.repeats import not_evaluated
from nontrivial_study.experiments.tutorial.real_curves import average_table, roc_points
from nontrivial_study.tables import check_table, column_names, join_results, read_table, write_result

NO_AREAS = pd.DataFrame(columns=column_names("curve_areas"))
NO_PREDICTIONS = pd.DataFrame(columns=["task", "model", "fold", "truth", "prediction", "score"])
EXAM = {
    "example": ["A", "B"],
    "who": ["Alice", "Bob"],
    "error": [0.4, 0.7],
    "trivial_error": [0.75, 2 / 3],
    "stated_advantage": ["0.46", "negative"],
    "advantage": [7 / 15, -0.05],
    "exact": ["7/15", "-1/20"],
}


def refused(*named):
    return pytest.raises(ValueError, match=".*".join(map(re.escape, named)))


def test_a_good_table_is_written_as_it_is(tmp_path):
    write_result(tmp_path / "exam.csv", pd.DataFrame(EXAM))
    assert read_table(tmp_path / "exam.csv")["exact"].tolist() == EXAM["exact"]


@pytest.mark.parametrize(
    ("column", "value", "allowed"),
    [
        ("who", None, "a text"),
        ("exact", 0.5, "a text"),
        ("error", "0.4", "a number in [0, 1]"),
        ("error", 1.7, "a number in [0, 1]"),
        ("error", None, "a number in [0, 1]"),
        ("advantage", True, "a number in [-inf, 1]"),
    ],
)
def test_a_bad_value_is_named_by_table_row_and_column(column, value, allowed):
    table = pd.DataFrame(EXAM).astype("object")
    table.loc[1, column] = value
    with refused("exam", "row 2", column, allowed):
        check_table("exam", table.set_index(pd.Index([5, 5])))  # rows count, whatever their index


@pytest.mark.parametrize(
    ("names", "place", "found", "right"),
    [
        (list(EXAM)[1:], 1, "who", "example"),
        (list(EXAM)[::-1], 1, "exact", "example"),
        (list(EXAM)[:-1], 7, "no column", "exact"),
        ([*EXAM, "who"], 8, "who", "no column"),
    ],
)
def test_columns_that_lack_or_come_in_another_order_are_named(names, place, found, right):
    with refused("exam", f"place {place}", found, right):
        check_table("exam", pd.DataFrame(EXAM)[names])


def test_a_table_that_nothing_is_said_of_is_named(tmp_path):
    with refused("marks", "columns.yaml"):
        write_result(tmp_path / "marks.csv", pd.DataFrame(EXAM))


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("haberman_trained", not_evaluated("set")[0]),
        ("haberman_trained_summary", not_evaluated("set")[1]),
        ("prg_figure_5", compared_curves(None, "task", {"none": (None, "not evaluated: no such task")})),
        ("prg_disagreement_by_share", share_curve(NO_AREAS)),
        ("model_choice", choice_table(NO_AREAS)),
        ("rank_disagreement", rank_disagreement(NO_AREAS, {})),
        ("rank_disagreement_by_imbalance", rank_disagreement_by_group(NO_AREAS, {})),
        ("rank_disagreement_by_imbalance", rank_disagreement_by_group(NO_AREAS, {"positives": [10]})),
        ("prg_figure_4", rank_figure_table(NO_AREAS, "pr_auc", "prg_auc", models=1)),
        ("tutorial_roc", roc_points(NO_PREDICTIONS, "task", ["model"])),
        ("fold_averages", average_table(NO_PREDICTIONS, "task", ["model"])),
    ],
)
def test_a_study_without_the_data_has_tables_of_the_same_columns(name, table):
    check_table(name, table)


def test_of_tables_that_are_joined_each_is_checked_and_nothing_is_left(tmp_path):
    good, bad = pd.DataFrame(EXAM), pd.DataFrame(EXAM).assign(error=2)
    with refused("exam", "row 1", "error"):
        join_results(tmp_path / "exam.csv", iter([good, bad]))
    assert not list(tmp_path.iterdir())
