"""liac-arff, made strict about numbers and linear in the length of a line.

Python takes 1_0 and digits of other scripts for numbers. And the pattern by which liac-arff knows a declaration of
labels takes twice as long for each further label if the brace at its end is missing.

liac-arff has no setting for either, which text is a number depends on its column, and the package openml reads by the
same module. So two names of the module are changed here, once; a test fails if liac-arff no longer uses them.
"""

from __future__ import annotations

import re

import arff

from nontrivial.data.http.reading import real_number

__all__ = ["arff"]

arff.float = real_number
arff._RE_TYPE_NOMINAL = re.compile(r"^\{.*\}$")
