"""Files that are written where a user says."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Mapping
from pathlib import Path

from nontrivial.files import write_text

_LINKS = 40  # as many as Linux follows


def check_output(path: str | None, *, reads: str | os.PathLike[str], name: str) -> None:
    """Before any work is done, refuse a place that cannot be written to or that is the file to be read.

    Parameters
    ----------
    path : str or None
        The place as the user named it; None is standard output.
    reads : path
        The file that is read, under whatever names.
    name : str
        What to call the place in an error.

    Raises
    ------
    ValueError
        If the place is a folder, lies in no folder, or is the file that is read.
    OSError
        If the place cannot be examined.
    """
    place = _status(path)
    if place is not None:
        if stat.S_ISDIR(place.st_mode):
            raise ValueError(f"{name} is {path!r}, which is a folder; a file is needed.")
        if stat.S_ISREG(place.st_mode) and os.path.exists(reads) and os.path.samestat(place, os.stat(reads)):
            where = "Standard output" if path is None else f"{name} is {path!r}, which"
            raise ValueError(f"{where} is the file that is read, {reads}; it must be another one.")
    elif path is not None:
        folder = Path(os.path.realpath(path)).parent
        if not path:
            raise ValueError(f"{name} is empty; a file is needed.")
        if not folder.is_dir():
            raise ValueError(f"{name} is {path!r}, but there is no folder {folder}; make it first.")


def format_of(path: str | None, formats: Mapping[str, str], *, name: str) -> str:
    """Return the format that the ending of a place stands for, the first one for a place without an ending.

    Raises
    ------
    ValueError
        If the place has another ending. A place that is not a file, such as a pipe, may have any ending.

    Examples
    --------
    >>> format_of("claims.JSON", {".txt": "text", ".json": "json"}, name="--output")
    'json'
    """
    ending = "" if path is None else Path(path).suffix.lower()
    if ending in formats:
        return formats[ending]
    if path is None or not ending or (os.path.exists(path) and not os.path.isfile(path)):
        return next(iter(formats.values()))
    raise ValueError(
        f"{name} is {path!r}; its ending must be one of {', '.join(formats)}, or --format must name the format."
    )


def write_output(path: str, text: str) -> None:
    """Write `text` as UTF-8 to the place that a user named.

    A file is written whole or not at all, even through a link, and the link stays. A device, a pipe or an open
    descriptor is written to directly.

    Raises
    ------
    OSError
        If that fails; its `filename` is `path`.
    """
    try:
        descriptor, place = _descriptor(path), _status(path)
        if descriptor is not None:
            with open(os.dup(descriptor), "wb") as stream:
                stream.write(text.encode())
        elif place is None or stat.S_ISREG(place.st_mode):
            write_text(os.path.realpath(path), text)
        else:
            with open(os.open(path, os.O_WRONLY | os.O_NOCTTY), "wb") as stream:
                stream.write(text.encode())
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from error


def _status(path: str | None) -> os.stat_result | None:
    """Return what there is, behind all links, or None if there is nothing."""
    try:
        if path is None:
            return None if sys.stdout is None else os.fstat(sys.stdout.fileno())
        descriptor = _descriptor(path)
        return os.stat(path) if descriptor is None else os.fstat(descriptor)
    except FileNotFoundError:
        return None
    except OSError as error:
        if path is None or error.errno == errno.EBADF:
            return None  # a stream of its own, as under a test
        raise


def _descriptor(path: str) -> int | None:
    """Return the open descriptor of this process that a path such as /dev/stdout leads to.

    To open the path again would write at the start of the file behind it, and to replace it would leave that alone.
    """
    own = os.path.realpath("/proc/self/fd")
    for _ in range(_LINKS):
        folder, name = os.path.split(path)
        if os.path.realpath(folder) == own and name.isdecimal():
            return int(name)
        if not os.path.islink(path):
            break
        path = os.path.join(folder, os.readlink(path))
    return None
