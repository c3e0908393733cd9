"""Any table comes back from the file it was written to; a damaged file is one sentence that names it."""

import contextlib
import re

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nontrivial.claims.formulas import Formula
from nontrivial.claims.printed import Printed
from nontrivial_study.tables import read_table, read_texts, write_table
from nontrivial.files import DamagedFile
from nontrivial.measures.published.printed import read_printed

NAMES = [
    "nan",
    "NA",
    "None",
    "null",
    "",
    "1e5",
    "1e+05",
    "007",
    "01",
    "1",
    "-1",
    "1_0",
    "True",
    "true",
    "False",
    "inf",
]
NAMES += [
    "-inf",
    'a "quoted" one',
    "two\nlines",
    "two\rlines",
    "a,b",
    " leading",
    "trailing ",
    "'",
    "''=",
    '"',
    '"=1',
]
FORMULAS = [
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    " =1",
    '"=1',
    '\n"+1',
    "\uff1d1",
    "\uff0b1",
    "\uff0d1",
]
FORMULAS += ["\uff201", "=HYPERLINK(1)", "-cmd|' /C calc'!A0", "+", "-", "-inf", "+1", "--1", "-1/x"]
EXACT = ["-0.5", "-1", "-1/3"]
TEXTS = st.text() | st.sampled_from(NAMES + FORMULAS + EXACT)
FLOATS = st.floats(allow_nan=False).map(lambda value: float(f"{value:.12g}"))
INTS = st.integers(-(10**17), 10**17)
COLUMNS = [(TEXTS, "str"), (FLOATS, "float64"), (INTS, "int64"), (st.booleans(), "bool")]


@st.composite
def tables(draw):
    """A column's values, None for what is missing, by its name."""
    rows = draw(st.integers(1, 6))
    columns = {}
    for name in draw(st.lists(TEXTS, min_size=1, max_size=4, unique=True)):
        values, kind = draw(st.sampled_from(COLUMNS))
        some = values | st.none() if kind != "int64" and draw(st.booleans()) else values
        columns[name] = draw(st.lists(some, min_size=rows, max_size=rows))
    return columns


def plain(table):
    return {
        name: [None if missing else value for value, missing in zip(column, column.isna(), strict=True)]
        for name, column in table.items()
    }


@given(tables())
def test_any_table_comes_back(tmp_path_factory, columns):
    path = tmp_path_factory.mktemp("any") / "a.csv"
    write_table(
        path, pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in columns.items()})
    )
    back = read_table(path)
    assert plain(back) == columns
    for name, column in back.items():
        kinds = {type(value) for value in columns[name] if value is not None}
        assert all(isinstance(value, str) for value in column.dropna()) == (
            kinds <= {str} or column.isna().all()
        )
    before = path.read_bytes()
    write_table(path, back)
    assert path.read_bytes() == before


@pytest.mark.parametrize("text", NAMES + FORMULAS + EXACT)
@pytest.mark.parametrize("others", [[], ["a", None], ["7"], [""]])
def test_texts_stay_texts(tmp_path, text, others):
    write_table(tmp_path / "a.csv", pd.DataFrame({"x": [text, *others], text: 1}))
    assert plain(read_table(tmp_path / "a.csv")) == {"x": [text, *others], text: [1] * (1 + len(others))}
    assert read_texts(tmp_path / "a.csv")["x"].tolist() == [text, *(other or "" for other in others)]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_text_is_a_formula_to_a_spreadsheet(tmp_path, text):
    write_table(tmp_path / "a.csv", pd.DataFrame({text: [text], "number": [-1]}))
    cells = pd.read_csv(tmp_path / "a.csv", dtype="str", keep_default_na=False)
    assert cells.columns[0] == cells.iloc[0, 0] == f"'{text}"
    assert cells["number"].item() == "-1"


@pytest.mark.parametrize("rows", [1, 2**15 + 1, 2**16 + 1])
def test_a_column_has_one_type_whatever_its_length(tmp_path, rows):
    """pandas guesses anew every 2**18 bytes or so, and takes the `1` before a `b` for another model than that after."""
    models = ["1", *["1"] * rows, "b", "1"]
    (tmp_path / "a.csv").write_text("model,area\n" + "".join(f'"{model}",0.5\n' for model in models))
    back = read_table(tmp_path / "a.csv")
    assert set(back["model"]) == {"1", "b"}
    assert back["area"].dtype == "float64"


def test_other_readers_read_the_same(tmp_path):
    table = pd.DataFrame({"model": ["a", "b"], "area": [0.5, None], "good": [True, False], "n": [1, 2]})
    write_table(tmp_path / "a.csv", table)
    assert (tmp_path / "a.csv").read_text() == "model,area,good,n\na,0.5,True,1\nb,,False,2\n"
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "a.csv"), table, check_dtype=False)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "a.csv"
    write_table(path, pd.DataFrame({"model": ["a", "b,c", 'd"\n'], "area": [0.25, None, -1.5], "good": True}))
    return path.read_bytes()


def test_a_table_cut_off_within_a_row_is_noticed(whole, tmp_path):
    path = tmp_path / "cut.csv"
    ends = {match.end() for match in re.finditer(rb"(area,good|0.25,True|,,True|-1.5,True)\n", whole)}
    for size in set(range(len(whole))) - ends:
        path.write_bytes(whole[:size])
        for read in (read_table, read_texts):
            with pytest.raises(DamagedFile, match=r"cut\.csv .*delete it and run the same command again\.$"):
                read(path)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"a,b\n1\n",
        b"a,b\n1,2,3\n",
        b'a\n"x\n',
        b'a\nx"y\n',
        b"a\n\xff\n",
        b"a\n1\nTrue\n",
        b"a\n0.5\n0.x\n",
        b"a\r\n1\r\n",
    ],
)
def test_what_is_no_table_of_ours_is_one_sentence(tmp_path, content):
    (tmp_path / "odd.csv").write_bytes(content)
    with pytest.raises(DamagedFile, match=r"odd\.csv .*; delete it and run the same command again\.$"):
        read_table(tmp_path / "odd.csv")


@given(st.data())
def test_a_flipped_byte_is_read_or_is_one_sentence(whole, tmp_path_factory, data):
    place, bit = data.draw(st.integers(0, len(whole) - 1)), data.draw(st.integers(0, 7))
    path = tmp_path_factory.mktemp("flipped") / "a.csv"
    path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << bit]) + whole[place + 1 :])
    for read in (read_table, read_texts):
        with contextlib.suppress(DamagedFile):
            assert read(path).shape == (3, 3)


@pytest.mark.parametrize("text", ["1_0", "1_000.5", "\u0661", "\uff11", "0x10"])
def test_what_only_python_takes_for_a_number_is_none(text):
    with pytest.raises(ValueError, match="must be a number"):
        read_printed(text, None, "error")
    for parse in (Printed.parse, Formula.number):
        with pytest.raises(ValueError, match="number"):
            parse(text)
