"""The names of published scores and counts, as options of the command and as columns in papers.

The catalogue has the names of the measures. `names.csv` has the options that are not measures: the name in results,
synonyms, words in papers, and the help. A row without help is not an option, but only a column in papers.
"""

import csv
from importlib import resources

from nontrivial.measures.catalogue import CATALOGUE

OPTION_HELP: dict[tuple[str, ...], str] = {}  # the help of each option, by all its names
NAMES_IN_RESULTS: dict[str, str] = {}  # the name in the results, by any name
for _measure in CATALOGUE.values():
    _names = list(dict.fromkeys([*_measure.headings.split(), _measure.name, *_measure.aliases]))
    NAMES_IN_RESULTS |= dict.fromkeys(_names, _names[0])
    if _measure.option:
        _option_names = {_names[0], _measure.name, *_measure.aliases}
        OPTION_HELP[tuple(name for name in _names if name in _option_names)] = _measure.option
_TABLE = resources.files(__package__).joinpath("names.csv").read_text(encoding="utf-8")
for _row in csv.DictReader(_TABLE.splitlines()):
    _names = _row["names"].split()
    NAMES_IN_RESULTS |= dict.fromkeys([*_names, *_row["also"].split()], _names[0])
    if _row["help"]:
        OPTION_HELP[tuple(_names)] = _row["help"]
