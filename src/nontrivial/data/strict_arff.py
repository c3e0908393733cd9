"""liac-arff, made strict about numbers and linear in the length of a line.

Python takes 1_0 and digits of other scripts for numbers. And the pattern by which liac-arff knows a declaration of
labels takes twice as long for each further label if the brace at its end is missing. The package openml reads by the
same module, so it is changed there, once.
"""

from __future__ import annotations

import re

import arff

from nontrivial.data.reading import real_number

arff.float = real_number
arff._RE_TYPE_NOMINAL = re.compile(r"^\{.*\}$")
