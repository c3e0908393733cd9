"""What a user says of files is checked, from the command and from Python."""

import numpy as np
import pytest
from commands import assert_one_sentence, run

from nontrivial.scorecard.roles import options_of


def test_one_name_stands_for_several_and_text_for_a_label():
    found = options_of(score="a", prediction=["b", "c"], by=3, positive=np.int64(1), truth=None)
    assert (found.score, found.prediction, found.by) == (("a",), ("b", "c"), ("3",))
    assert (found.positive, found.truth) == ("1", None)


WRONG = [
    *(("positive", ["a"]), ("weight", ["w"]), ("positive", [[1], [2, 3]]), ("task", ["regression"])),
    *(("threshold", "0.5"), ("threshold", True), ("quantile", "half"), ("cost", 0), ("task", "ranking")),
    *(("decimal", ";"), ("separator", ""), ("separator", "||"), ("separator", '"'), ("separator", "\n")),
    *(("encoding", "utf-0"), ("encoding", "hex"), ("missing", "keep")),
]


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_what_is_not_of_its_kind_is_refused(name, value):
    with pytest.raises(ValueError, match=f"--{name} is "):
        options_of(**{name: value})


def test_a_tab_may_be_written_as_shells_leave_it(tmp_path):
    table = tmp_path / "a.tsv"
    table.write_text("truth\tp,q\n1\t0.9\n0\t0.1\n", encoding="utf-16")
    options = ["score", str(table), "--score", "p,q", "--separator", r"\t", "--encoding", "utf-16"]
    assert run(*options).exit_code == 0
    assert_one_sentence(run(*options[:-1], "utf-0"), "--encoding is 'utf-0'")
