"""What published scores and counts are called: as options, and as papers head their columns.

A row of the table has the names of an option, of which the first is the one in the results, what else people write, and
the help; without help, it is a column only.
"""

import csv
from importlib import resources

_TABLE = resources.files(__package__).joinpath("names.csv").read_text(encoding="utf-8")
_ROWS = list(csv.DictReader(_TABLE.splitlines()))
OPTIONS = {tuple(row["names"].split()): row["help"] for row in _ROWS if row["help"]}
NAMES = {word: row["names"].split()[0] for row in _ROWS for word in f"{row['names']} {row['also']}".split()}
