"""Python's objects in the hands of Arrow's threads: none is held when the reading of a file ends."""

import gc
import gzip
import io
import threading
import time
import weakref

import pytest

from nontrivial.scorecard.predictions import read_predictions
from nontrivial.scorecard.reading import csv_files
from nontrivial.scorecard.reading.csv_files import CsvFile, ErrorKeepingStream, wait_until_released
from nontrivial.scorecard.reading.sources import Source

ROWS = b"a,b\n" + b"1,2\n" * 3_000_000  # more than one piece


def read_all(table):
    for _ in table.chunks(["a"]):
        pass


def read_one(table):
    pieces = table.chunks(["a"])
    next(pieces)
    pieces.close()


@pytest.mark.parametrize(
    ("content", "read", "fails"),
    [
        pytest.param(b"a,b\n1,2\n", read_all, False, id="whole"),
        pytest.param(ROWS, read_one, False, id="left early"),
        pytest.param(ROWS + b"3\n", read_all, True, id="uneven"),
        pytest.param(ROWS + b"\xff,3\n", read_all, True, id="not UTF-8"),
        pytest.param("a,b\n1,é".encode() * 2_000_000 + b"\xff", read_all, True, id="uneven and not UTF-8"),
        pytest.param(b'a,b\n1,"2\n', read_all, True, id="never closed"),
        pytest.param(gzip.compress(ROWS)[:-9], read_all, True, id="cut off"),
    ],
)
def test_nothing_is_held_by_a_thread_when_reading_ends(tmp_path, monkeypatch, content, read, fails):
    held = []

    def wait(*lent):
        wait_until_released(*lent)
        held.append([each() for each in lent])

    monkeypatch.setattr(csv_files, "wait_until_released", wait)
    path = tmp_path / "cases.csv"
    path.write_bytes(content)
    table = CsvFile.open(Source.of(path), None, "utf-8")
    failed = False
    try:
        read(table)
    except ValueError:
        failed = True
    assert failed is fails
    assert held == [[None, None]]


def test_waits_for_a_thread_that_holds_an_object():
    stream = ErrorKeepingStream(io.BytesIO(), [])
    lent = weakref.ref(stream)
    let_go = threading.Event()

    def hold(kept):
        time.sleep(0.05)
        let_go.set()
        kept.clear()

    threading.Thread(target=hold, args=([stream],)).start()
    del stream
    wait_until_released(lent)
    assert let_go.is_set()
    assert lent() is None


def test_does_not_wait_forever(monkeypatch):
    monkeypatch.setattr(csv_files, "_LONGEST", 0.01)
    stream = ErrorKeepingStream(io.BytesIO(), [])
    wait_until_released(weakref.ref(stream))


def test_an_error_ends_the_stream_and_is_given():
    class Broken(io.RawIOBase):
        def readinto(self, buffer):
            raise OSError("no such device")

    errors = []
    assert ErrorKeepingStream(Broken(), errors).readinto(bytearray(4)) == 0
    assert [str(error) for error in errors] == ["no such device"]
    assert errors[0].__traceback__ is None


def test_nothing_is_held_while_an_error_of_a_later_step_is(tmp_path):
    path = tmp_path / "cases.csv"
    path.write_bytes(b"y,score\n1,0.5\n,0.25\n" + b"1,0.25\n" * 2_000_000)
    with pytest.raises(ValueError, match="row 2") as raised:
        read_predictions(path, truth="y", score="score")
    assert raised.tb is not None  # it holds the frames that read
    assert not [each for each in gc.get_objects() if isinstance(each, ErrorKeepingStream)]
