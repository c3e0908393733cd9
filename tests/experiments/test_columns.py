"""The one place that names the columns: nothing in it is without a use, and it agrees with the table of measures."""

import re
from pathlib import Path

import pandas as pd
import pytest
import yaml

from nontrivial.measures.confusion import MEASURES, confusion_measures
from nontrivial_study.experiments import columns
from nontrivial_study.tables import KINDS, Column, column_names, layouts

ROOT = Path(__file__).parents[2]
CONTENT = yaml.safe_load(Path(columns.__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
OWN = {
    name: table for name, table in (CONTENT["tables"] | CONTENT["figures"]).items() if isinstance(table, dict)
}
INTERVAL = re.compile(r"[\[(](-inf|-?[0-9.]+), (inf|[0-9.]+)[\])]")


def test_what_is_said_of_each_column_is_whole():
    for name, layout in layouts().items():
        assert layout.row.endswith("."), name
        assert len(set(column_names(name))) == len(layout.columns), name
        for column in layout.columns:
            about = (name, column)
            assert column.kind in KINDS, about
            assert column.means.endswith("."), about
            assert column.kind in ("text", "truth") or INTERVAL.fullmatch(column.interval), about
            assert isinstance(column.missing, bool), about
            assert not column.texts or column.kind == "text", about


def test_nothing_is_said_of_what_no_table_has():
    listed = {item for table in OWN.values() for item in table["columns"]}
    grouped = {one for name in listed & CONTENT["groups"].keys() for one in CONTENT["groups"][name]}
    assert CONTENT["groups"].keys() <= listed
    used = (listed | grouped) - CONTENT["groups"].keys() - {"the measures"}
    patterns = [pattern.replace("NAME", "(.+)") for pattern in CONTENT["patterns"]]
    derived = {one for one in used - CONTENT["columns"].keys() if any(re.fullmatch(p, one) for p in patterns)}
    assert CONTENT["columns"].keys() <= used | MEASURES.keys()
    assert used - derived <= CONTENT["columns"].keys() | MEASURES.keys()
    for pattern in patterns:
        assert any(re.fullmatch(pattern, one) for one in derived), pattern
    for name, table in OWN.items():
        assert table.get("here", {}).keys() <= set(column_names(name)), name


def test_the_measures_are_those_of_the_library_with_its_ranges():
    documented = dict(re.findall(r"^ +(\w+)  .*(\[.*\])$", confusion_measures.__doc__, re.MULTILINE))
    assert documented.keys() == MEASURES.keys()
    documented |= {"no_information_rate": "[0.5, 1]", "prediction_advantage": "(-inf, 1]"}
    of_table = {column.name: column for column in layouts()["measures"].columns[-len(MEASURES) :]}
    assert list(of_table) == list(MEASURES)
    assert {name: column.range for name, column in of_table.items()} == documented


def test_every_table_that_a_rule_makes_has_its_columns_said():
    rules = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "workflow" / "rules").glob("*.smk"))
    assert set(re.findall(r'"<results>/tables/(\w+)\.csv"', rules)) == CONTENT["tables"].keys()
    figures = {
        name for call in re.findall(r"numbers_of\(([^)]*)\)", rules) for name in re.findall(r'"(\w+)"', call)
    }
    figures |= set(re.findall(r'"(pa_figure_1\w*)"', rules))  # a figure for each data set
    assert figures == CONTENT["figures"].keys()


@pytest.mark.parametrize(
    ("column", "good", "bad"),
    [
        ({"kind": "text"}, ["", "1"], [1, None, True]),
        ({"kind": "text", "texts": ["a", "b"], "missing": True}, ["a", None], ["c"]),
        ({"kind": "truth"}, [True, False], [1, "True", None]),
        (
            {"kind": "whole"},
            [0, 7, 2.0],
            [-1, 0.5, True, "1", float("inf"), float("nan")],
        ),
        ({"kind": "number", "range": "[0, 1]"}, [0, 1, 1 + 1e-15, -1e-15], [1 + 1e-9, -1e-9, None, False]),
        ({"kind": "number", "range": "(-inf, 1]", "missing": True}, [-9e9, 1, None], [float("-inf"), 1.1]),
        ({"kind": "number", "range": "[-inf, 0)"}, [float("-inf"), -1e-15], [0.0]),
        ({"kind": "number"}, [0.5, -3], [float("inf"), float("-inf"), "x"]),
    ],
)
def test_what_a_row_may_have(column, good, bad):
    column = Column(name="x", means="That.", **column)
    values = pd.Series([*good, *bad], dtype="object")
    assert column.allows(values).tolist() == [True] * len(good) + [False] * len(bad)


@pytest.mark.parametrize("dtype", ["Int64", "float64"])
def test_missing_values_are_found_in_every_type(dtype):
    whole = Column("x", "whole", "That.", missing=True)
    assert whole.allows(pd.Series([1, None], dtype=dtype)).tolist() == [True, True]
    assert Column("x", "whole", "That.").allows(pd.Series([1, None], dtype=dtype)).tolist() == [True, False]
