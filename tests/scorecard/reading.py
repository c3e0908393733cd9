"""What is read of a file, or pattern of a wrong one, beside what is expected."""

import re
from pathlib import Path

import numpy as np
import pytest

from nontrivial.reading.options import options_of
from nontrivial.scorecard.answers.reading import read_answers


def assert_read(data, options, *expected):
    """The answers of each model have the expected attributes; a pattern stands for the notes."""
    for answers, attributes in zip(read_answers([data], options_of(**options)).members, expected, strict=True):
        for name, wanted_value in attributes.items():
            value = getattr(answers, name)
            if name == "notes":
                assert re.search(wanted_value, "\n".join(value)), value
            elif isinstance(value, np.ndarray):
                np.testing.assert_allclose(value, wanted_value, rtol=0, atol=1e-12, err_msg=name)
            else:
                assert value == wanted_value, name


def assert_refused(data, options, pattern):
    """Reading ends with one sentence that holds the pattern, and the name of the file."""
    name = re.escape(data.name) if isinstance(data, Path) else ""
    with pytest.raises(ValueError, match=rf"\A(?=.*{name}).*{pattern}.*\Z"):
        read_answers([data], options_of(**options))
