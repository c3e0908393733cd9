"""What published scores and counts are called: as options, and as papers head their columns.

Measures are called as the catalogue says. A row of `names.csv` has the names of another option, of which the first is
the one in the results, what else people write, and the help; without help, it is a column only.
"""

import csv
from importlib import resources

from nontrivial.measures.catalogue import CATALOGUE

_TABLE = resources.files(__package__).joinpath("names.csv").read_text(encoding="utf-8")
OPTIONS: dict[tuple[str, ...], str] = {}
NAMES: dict[str, str] = {}
for _measure in CATALOGUE.values():
    _words = list(dict.fromkeys([*_measure.headings.split(), _measure.name, *_measure.aliases]))
    NAMES |= dict.fromkeys(_words, _words[0])
    if _measure.option:
        _given = [word for word in _words if word in (_words[0], _measure.name, *_measure.aliases)]
        OPTIONS[tuple(_given)] = _measure.option
for _row in csv.DictReader(_TABLE.splitlines()):
    _given = _row["names"].split()
    NAMES |= dict.fromkeys([*_given, *_row["also"].split()], _given[0])
    if _row["help"]:
        OPTIONS[tuple(_given)] = _row["help"]
