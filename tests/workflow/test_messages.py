"""What a run of the workflow says last."""

import os

import pytest

from nontrivial_study.workflow import describe_failures

INTERRUPT = "Terminating processes on user request, this might take some time.\n"
TRACEBACK = '10 s\nTraceback (most recent call last):\n  File "a.py", line 1, in <module>\n'


@pytest.mark.parametrize(
    ("log", "reason"),
    [
        ("Matplotlib is building the font cache; this may take a moment.\n", None),
        (f"{TRACEBACK}KeyboardInterrupt\n", None),
        (f"{TRACEBACK}ValueError: y is empty.\n", "y is empty."),
        (f"{TRACEBACK}MemoryError\n", "MemoryError"),
    ],
)
@pytest.mark.parametrize("interrupted", [False, True])
def test_each_failed_job_is_said_with_its_reason(log, reason, interrupted, tmp_path):
    said = tmp_path / "said"
    said.write_text(INTERRUPT if interrupted else "")
    path = tmp_path / "logs" / "make" / "a.log"
    path.parent.mkdir(parents=True)
    path.write_text(log)
    os.utime(path, (200, 200))
    lines = describe_failures([str(said)], str(tmp_path / "logs"), started=100)
    expected = [f"make failed: {reason} (whole log: {path})"] if reason else []
    assert [line for line in lines if " failed: " in line] == expected
    assert any(line.startswith("interrupted; go on with: ") for line in lines) == interrupted
    assert any("left no message" in line for line in lines) == (not reason and not interrupted)
    another = describe_failures([str(said)], str(tmp_path / "logs"), started=300)
    assert not any("make failed" in line for line in another)
