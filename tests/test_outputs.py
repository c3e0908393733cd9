"""Where the command writes: files, and what is no file."""

import os
import stat
import threading
from pathlib import Path

import pytest

from nontrivial.terminal import check_output, write_output


@pytest.fixture
def read(tmp_path):
    path = tmp_path / "read.csv"
    path.write_text("y,p\n")
    return path


def test_a_link_stays_and_its_target_is_written(tmp_path):
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    link.symlink_to("target.txt")
    for text in ("first", "second"):  # there is no target at first
        write_output(str(link), text)
        assert link.is_symlink()
        assert target.read_text() == text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.txt", "target.txt"]


def test_a_pipe_is_written_to(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    write_output(str(pipe), "text")
    reader.join(10)
    assert got == ["text"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("place", ["/proc/self/fd/{}", "/dev/fd/{}", "{folder}/link"])
def test_an_open_file_is_written_to_where_it_stands(tmp_path, place):
    path = tmp_path / "open.txt"
    with path.open("wb") as stream:
        stream.write(b"before ")
        stream.flush()
        (tmp_path / "link").symlink_to(f"/proc/self/fd/{stream.fileno()}")
        write_output(place.format(stream.fileno(), folder=tmp_path), "after")
    assert path.read_text() == "before after"


def test_a_full_device_stays_and_is_named():
    with pytest.raises(OSError, match="No space") as error:
        write_output("/dev/full", "text")
    assert error.value.filename == "/dev/full"
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


def test_a_failure_names_what_the_user_named(tmp_path, monkeypatch):
    def refuse(path, text):
        raise PermissionError(13, "Permission denied", str(tmp_path / ".card-abcdefgh.txt"))

    monkeypatch.setattr("nontrivial.terminal.write_text", refuse)
    with pytest.raises(OSError, match="Permission denied") as error:
        write_output(str(tmp_path / "card.txt"), "text")
    assert error.value.filename == str(tmp_path / "card.txt")


def test_the_file_that_is_read_is_never_written(tmp_path, read, monkeypatch):
    (tmp_path / "soft").symlink_to(read)
    os.link(read, tmp_path / "hard")
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    for name in ("read.csv", "soft", "hard", "folder/../read.csv", str(read)):
        with pytest.raises(ValueError, match=r"read\.csv") as error:
            check_output(name, reads=Path("read.csv"), name="--output")
        assert repr(name) in str(error.value)
    with read.open("ab") as stream, pytest.raises(ValueError, match=r"read\.csv"):
        check_output(f"/dev/fd/{stream.fileno()}", reads=read, name="--output")
    check_output(str(tmp_path / "new.csv"), reads=read, name="--output")


def test_places_that_cannot_be_written_are_refused_first(tmp_path, read):
    (tmp_path / "dangling").symlink_to("absent/file")
    (tmp_path / "loop").symlink_to("loop")
    for path in ("", str(tmp_path), str(tmp_path / "dangling"), str(tmp_path / "absent" / "file")):
        with pytest.raises(ValueError, match="--output"):
            check_output(path, reads=read, name="--output")
    for path in (str(tmp_path / "loop"), str(read / "x"), str(tmp_path / ("x" * 300))):
        with pytest.raises(OSError, match=r".") as error:
            check_output(path, reads=read, name="--output")
        assert error.value.filename == path
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dangling", "loop", "read.csv"]
