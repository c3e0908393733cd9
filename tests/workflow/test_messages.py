"""What a run of the workflow says last."""

import os

import pytest

from nontrivial_study.workflow import failures

INTERRUPT = "Terminating processes on user request, this might take some time.\n"
TRACEBACK = '10 s\nTraceback (most recent call last):\n  File "a.py", line 1, in <module>\n'


@pytest.mark.parametrize(
    ("log", "reason"),
    [
        ("", None),
        (f"{TRACEBACK}KeyboardInterrupt\n", None),
        ("Matplotlib is building the font cache; this may take a moment.\n", None),
        (f"{TRACEBACK}ValueError: y is empty.\n", "y is empty."),
        (f"{TRACEBACK}ValueError: lengths differ:\n3 and 4\n", "lengths differ:"),
        (f"{TRACEBACK}KeyError: 'a'\n\nDuring it:\n\n{TRACEBACK}OSError: full\n", "OSError: full"),
        (f"{TRACEBACK}MemoryError\n", "MemoryError"),
        ("nontrivial_study.data.http.WrongAnswer: no answer.\n", "no answer."),
    ],
)
@pytest.mark.parametrize("interrupted", [False, True])
def test_each_failed_job_is_said_with_its_reason(log, reason, interrupted, tmp_path):
    said = tmp_path / "said"
    said.write_text(INTERRUPT if interrupted else "")
    (tmp_path / "logs" / "make").mkdir(parents=True)
    path = tmp_path / "logs" / "make" / "a.log"
    path.write_text(log)
    os.utime(path, (200, 200))
    lines = failures([str(said)], str(tmp_path / "logs"), started=100)
    assert [line for line in lines if " failed: " in line] == (
        [f"make failed: {reason} (whole log: {path})"] if reason else []
    )
    assert any(line.startswith("interrupted; go on with: ") for line in lines) == interrupted
    assert any("left no message" in line for line in lines) == (not reason and not interrupted)
    another = failures([str(said)], str(tmp_path / "logs"), started=300)
    assert not any("make failed" in line for line in another)


@pytest.mark.parametrize(
    "line",
    ["Error in rule make:", "Command 'set -e; python /x/tmpab1.make.py' returned non-zero exit status 137."],
)
def test_a_job_that_left_no_message_is_said(line, tmp_path):
    (tmp_path / "said").write_text(f"{line}\n")
    assert failures([str(tmp_path / "said")], str(tmp_path), started=0) == [
        f"make failed: it left no message (logs: {tmp_path})"
    ]
