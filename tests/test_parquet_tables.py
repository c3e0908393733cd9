"""Parquet files that others can read too; each part's digest covers the bytes of its row group."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from nontrivial.files import DamagedFile
from nontrivial_study.tables import Reader, open_writer, read_parquet, write_parquet

TABLES = {
    "mixed": pd.DataFrame({"x": [1 / 3, np.nan, -0.0], "n": [1, 2, 3], "b": [True, False, True]}),
    "texts": pd.DataFrame({"t": pd.Series(["", None, "é\n"], dtype="str"), "nan": [np.nan] * 3}),
    "no rows": pd.DataFrame({"x": pd.Series(dtype=float), "t": pd.Series(dtype="str")}),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_comes_back_here_and_in_pandas(name, tmp_path):
    path = tmp_path / "t.parquet"
    write_parquet(path, TABLES[name])
    pd.testing.assert_frame_equal(read_parquet(path), TABLES[name])
    pd.testing.assert_frame_equal(pd.read_parquet(path), TABLES[name])


def test_a_table_is_equal_to_the_byte_each_time(tmp_path):
    for folder in "ab":
        write_parquet(tmp_path / folder / "data" / "t.parquet", TABLES["mixed"])
    one, other = ((tmp_path / folder / "data" / "t.parquet").read_bytes() for folder in "ab")
    assert one == other


def test_a_part_is_damaged_exactly_where_its_row_group_lies(tmp_path):
    path, schema = tmp_path / "t.parquet", pa.schema({"x": pa.float64()})
    with open_writer(path, schema, ["noted"]) as writer:
        for seed in range(3):
            writer.append(pa.table({"x": np.random.default_rng(seed).random(100)}, schema))
    content, columns = path.read_bytes(), []
    for number in range(3):
        columns.append(pq.ParquetFile(path).metadata.row_group(number).column(0))
    for number, column in enumerate(columns):
        start = column.dictionary_page_offset or column.data_page_offset
        for place in (start, start + column.total_compressed_size - 1):
            path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
            reader = Reader(path)
            assert [reader.is_whole(i) for i in range(3)] == [i != number for i in range(3)]
            with pytest.raises(DamagedFile):
                reader.read(number)
            assert len(reader.read((number + 1) % 3)) == 100
            with pytest.raises(DamagedFile):
                reader.read_all()


def test_a_writer_that_fails_leaves_nothing(tmp_path):
    def fail():
        with open_writer(tmp_path / "t.parquet", pa.schema({"x": pa.float64()}), None):
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert not list(tmp_path.iterdir())


def test_a_file_without_parts_is_whole(tmp_path):
    with open_writer(tmp_path / "t.parquet", pa.schema({"x": pa.float64()}), {"a": 1}):
        pass
    reader = Reader(tmp_path / "t.parquet")
    assert (len(reader), reader.notes, len(reader.read_all())) == (0, {"a": 1}, 0)


def test_parquet_of_others_is_refused(tmp_path):
    TABLES["mixed"].to_parquet(tmp_path / "t.parquet")
    with pytest.raises(DamagedFile, match=r"t\.parquet is damaged"):
        read_parquet(tmp_path / "t.parquet")
    with pytest.raises(FileNotFoundError):
        read_parquet(tmp_path / "none.parquet")
    (tmp_path / "folder.parquet").mkdir()
    with pytest.raises(DamagedFile):
        read_parquet(tmp_path / "folder.parquet")
