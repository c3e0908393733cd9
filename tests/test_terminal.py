"""What reaches a terminal, whatever comes from files."""

import json
import os
import subprocess
import sys

import pytest

from nontrivial.terminal import json_text, listed, visible

CODES = "a\x1b[31mb\x9b31m\x1b]0;title\x07\nforged\u202egnp.exe\u2066\x00\x7f\u2028\udcff\u00a0"


def test_what_is_no_glyph_is_escaped():
    assert visible(CODES).isprintable()
    assert visible("é ö 漢 label") == "é ö 漢 label"


def test_json_is_ascii_and_means_the_same():
    text = json_text({CODES: "é"})
    assert text.isascii()
    assert "\x1b" not in text
    assert json.loads(text) == {CODES: "é"}


def test_lists_in_sentences_are_bounded():
    assert len(listed("x" * 1000 for _ in range(10_000))) < 2000


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
@pytest.mark.parametrize("err", [True, False])
def test_what_the_terminal_cannot_show_is_replaced(encoding, err):
    command = f"from nontrivial.terminal import say; say(['é 漢', 'a\\x1bb'], err={err})"
    process = subprocess.run(
        [sys.executable, "-c", command],
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": encoding},
        check=True,
    )
    written = process.stderr if err else process.stdout
    assert written == "é 漢\na\\x1bb\n".encode(encoding, "backslashreplace")
