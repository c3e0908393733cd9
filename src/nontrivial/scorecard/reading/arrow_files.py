"""Parquet and Feather: columns with types."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet

from nontrivial.scorecard.reading.sources import Chunks, OfSource, Source, check_rows

MOST_UNPACKED = 1 << 29  # bytes of one column in one row group of Parquet
MOST_OF_BATCH = 1 << 30  # bytes of memory for one batch of Feather
_PLAIN = (
    pa.types.is_string,
    pa.types.is_large_string,
    pa.types.is_integer,
    pa.types.is_floating,
    pa.types.is_boolean,
    pa.types.is_decimal,
    pa.types.is_null,
)


@dataclass(frozen=True)
class ParquetFile(OfSource):
    """A Parquet file: the names of its columns, stripped and as written in the file."""

    names: tuple[str, ...]
    written: tuple[str, ...]

    @classmethod
    def open(cls, source: Source) -> ParquetFile:
        """Read the names of the columns from the file."""
        with source.open_raw() as stream, _plain_errors(source.name, "Parquet"):
            written = tuple(pa.parquet.ParquetFile(stream).schema_arrow.names)
        return cls(source, tuple(name.strip() for name in written), written)

    def chunks(self, columns: Sequence[str]) -> Chunks:
        """Give the rows: text, numbers or booleans; text may be encoded by a dictionary."""
        written = [self.written[self.names.index(column)] for column in columns]
        with self.source.open_raw() as stream, _plain_errors(self.source.name, "Parquet"):
            described = pa.parquet.ParquetFile(stream)
            _check_kinds(described.schema_arrow, written, self.source.name)
            self._check_size(described.metadata, written)
            # As dictionaries, a text that a tiny file repeats for all of its rows is held once.
            file = pa.parquet.ParquetFile(stream, metadata=described.metadata, read_dictionary=written)
            # Without threads of Arrow, which may hold the stream when Python ends (see `wait_until_released`).
            for batch in file.iter_batches(columns=written, use_threads=False):
                yield _plain(batch.select(written), columns)

    def _check_size(self, metadata: pa.parquet.FileMetaData, columns: Sequence[str]) -> None:
        check_rows(self.name, metadata.num_rows, plain=True)
        for place in range(metadata.num_row_groups):
            group = metadata.row_group(place)
            for chunk in map(group.column, range(group.num_columns)):
                if chunk.path_in_schema in columns and chunk.total_uncompressed_size > MOST_UNPACKED:
                    raise ValueError(
                        f"Column {chunk.path_in_schema!r} of {self.source.name} unpacks to "
                        f"{chunk.total_uncompressed_size:,} bytes in one row group; at most {MOST_UNPACKED:,} are read."
                    )


@dataclass(frozen=True)
class FeatherFile(OfSource):
    """A Feather file (Arrow's own format): the names of its columns, stripped and as written in the file."""

    names: tuple[str, ...]
    written: tuple[str, ...]

    @classmethod
    def open(cls, source: Source) -> FeatherFile:
        """Read the names of the columns from the file."""
        with source.open_mapped() as stream, _plain_errors(source.name, "Feather version 2"):
            written = tuple(pa.ipc.open_file(stream).schema.names)
        return cls(source, tuple(name.strip() for name in written), written)

    def chunks(self, columns: Sequence[str]) -> Chunks:
        """Give the rows: text, numbers or booleans; text may be encoded by a dictionary."""
        written = [self.written[self.names.index(column)] for column in columns]
        wanted = pa.ipc.IpcReadOptions(
            included_fields=[self.written.index(name) for name in written], use_threads=False
        )
        with self.source.open_mapped() as stream, _plain_errors(self.source.name, "Feather"):
            _check_kinds(pa.ipc.open_file(stream).schema, written, self.source.name)
            rows = pa.dataset.IpcFileFormat().make_fragment(stream).count_rows()
            check_rows(self.name, rows, plain=False)  # before a batch of that many is unpacked
            file = pa.ipc.open_file(stream, options=wanted, memory_pool=pa.system_memory_pool())
            for place in range(file.num_record_batches):
                with _bounded_memory(self.source.name):
                    batch = file.get_batch(place)
                batch.validate(full=True)
                yield _plain(batch.select(written), columns)


@dataclass(frozen=True)
class FrameTable:
    """A table in memory."""

    frame: pd.DataFrame
    name: str = "the table"

    @classmethod
    def of(cls, frame: pd.DataFrame) -> FrameTable:
        """Take the columns by their names; the index is not a column."""
        return cls(frame.set_axis([str(name).strip() for name in frame.columns], axis=1))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.frame.columns)

    def sha256(self) -> str:
        """There is no file."""
        return ""

    def chunks(self, columns: Sequence[str]) -> Chunks:
        """Give the rows."""
        with _plain_errors(self.name, "a table of text, numbers and booleans"):
            table = pa.Table.from_pandas(self.frame[list(columns)], preserve_index=False)
            _check_kinds(table.schema, columns, self.name)
            for batch in table.to_batches():
                yield _plain(batch, columns)


@contextlib.contextmanager
def _bounded_memory(name: str) -> Iterator[None]:
    """Bound what this process takes for a batch, since Feather does not say to how many bytes one unpacks."""
    # Only Linux can do this; elsewhere nothing is bounded.
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[5])  # of data
    except (ImportError, OSError):
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_DATA)
    most = pages * resource.getpagesize() + MOST_OF_BATCH
    within = [limit for limit in (most, *before) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min(within), before[1]))
    try:
        yield
    except MemoryError as error:
        raise ValueError(
            f"{name} has a batch of rows that unpacks to over {MOST_OF_BATCH:,} bytes; write it in smaller batches."
        ) from error
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


@contextlib.contextmanager
def _plain_errors(name: str, form: str) -> Iterator[None]:
    """Turn what the library says about a bad file into one sentence."""
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError, KeyError) as error:
        said = error if isinstance(error, (OSError, UnicodeError)) else "; ".join(map(str, error.args))
        raise ValueError(f"{name} cannot be read as {form}: {said}") from error


def _check_kinds(schema: pa.Schema, columns: Sequence[str], name: str) -> None:
    for column in columns:
        kind = schema.field(column).type
        cells = plain_kind(kind.value_type if pa.types.is_dictionary(kind) else kind)
        if not any(test(cells) for test in _PLAIN):
            raise ValueError(
                f"Column {column!r} of {name} holds {kind}; text, numbers or booleans are needed."
            )


def _plain(batch: pa.RecordBatch, columns: Sequence[str]) -> pa.RecordBatch:
    """Name the columns, and turn views of text and unsigned codes, as Polars writes, into what Arrow computes with."""
    cells = [column.cast(plain_kind(column.type)) for column in batch.columns]
    return pa.RecordBatch.from_arrays(cells, names=list(columns))


def plain_kind(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_dictionary(kind):
        return pa.dictionary(pa.int32(), plain_kind(kind.value_type), kind.ordered)
    return pa.large_string() if pa.types.is_string_view(kind) else kind
