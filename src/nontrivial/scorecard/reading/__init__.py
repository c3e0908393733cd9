"""Reading columns of files in chunks, so that memory does not depend on what a file claims to hold.

No type is guessed: a cell of a text file is text here, and the caller decides what it means.
"""

from nontrivial.scorecard.reading.arrow_files import FrameTable
from nontrivial.scorecard.reading.sources import Source, check_rows
from nontrivial.scorecard.reading.tables import Layout, Table, open_table, read_chunks

__all__ = ["FrameTable", "Layout", "Source", "Table", "check_rows", "open_table", "read_chunks"]
