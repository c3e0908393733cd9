"""Warnings point to the user's line."""

import os
import warnings

import nontrivial
from nontrivial._warnings import warn_user


def test_a_package_whose_name_begins_like_this_one_is_outside_it():
    path = os.path.dirname(nontrivial.__file__) + "_beside.py"
    code = compile("def call(function, *args):\n    function(*args)\n", path, "exec")
    names = {}
    exec(code, names)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        names["call"](warn_user, "said", UserWarning)
    assert [(each.filename, each.lineno) for each in found] == [(path, 2)]
