"""What is read of a file, or said of a wrong one, beside what is expected."""

import re
from pathlib import Path

import numpy as np
import pytest

from nontrivial.reading.options import options_of
from nontrivial.scorecard.answers.reading import read_answers


def assert_read(data, options, *expected):
    """The answers of each model have the expected attributes; a pattern stands for the notes."""
    for answers, attributes in zip(
        read_answers([data], options_of(**options)).members, expected, strict=True
    ):
        for name, value in attributes.items():
            found = getattr(answers, name)
            if name == "notes":
                assert re.search(value, "\n".join(found)), found
            elif isinstance(found, np.ndarray):
                np.testing.assert_allclose(found, value, rtol=0, atol=1e-12, err_msg=name)
            else:
                assert found == value, name


def assert_refused(data, options, said):
    """Reading ends with one sentence that holds the pattern, and the name of the file."""
    name = re.escape(data.name) if isinstance(data, Path) else ""
    with pytest.raises(ValueError, match=rf"\A(?=.*{name}).*{said}.*\Z"):
        read_answers([data], options_of(**options))
