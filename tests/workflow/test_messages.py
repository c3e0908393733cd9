"""What a run of the workflow says last."""

import pytest

from nontrivial_workflow.engine import Observer
from nontrivial_workflow.messages import print_failures


@pytest.mark.parametrize(
    ("log", "is_failure"),
    [
        ("", False),
        ("Traceback (most recent call last):\nKeyboardInterrupt\n", False),
        ("Matplotlib is building the font cache; this may take a moment.\n", False),
        ("Traceback (most recent call last):\nValueError: y is empty.\n", True),
        ("nontrivial.data.http.WrongAnswer: no answer.\n", True),
    ],
)
@pytest.mark.parametrize("interrupted", [False, True])
def test_what_was_stopped_did_not_fail(tmp_path, capsys, log, is_failure, interrupted):
    (tmp_path / "log").write_text(log)
    observer = Observer()
    observer.failed, observer.interrupted = [("make", str(tmp_path / "log"))], interrupted
    print_failures(observer)
    said = capsys.readouterr().err
    assert ("make failed" in said) == (is_failure or not interrupted)
    assert ("interrupted" in said) == interrupted
