"""Pieces of work that may take too long or bring their process down, done in a process that can be spared.

A piece that exceeds its time or ends its worker is lost alone. One that ends by SIGKILL is tried once more: if memory
runs out it ends so again, and a stray kill costs no result.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

P = TypeVar("P")
R = TypeVar("R")

# A fork starts with all that its parent has imported and read. Other ways to start a worker would import the main
# module again, which in a script is the work itself.
_CONTEXT = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Failure:
    """In place of a result: why there is none, as the rest of a sentence that begins with what was done."""

    reason: str
    killed: bool = field(default=False, compare=False)


def run_in_subprocess(
    work: Callable[[P], R], pieces: Sequence[P], seconds: float | None = None
) -> Iterator[R | Failure]:
    """Yield what `work` returns for each piece, computed in a worker process."""
    done, tried = 0, -1  # pieces that are done, and the place of the one that was tried before
    while done < len(pieces):
        receiver, sender = _CONTEXT.Pipe(duplex=False)
        worker = _CONTEXT.Process(target=_work_through, args=(work, pieces[done:], sender), daemon=True)
        worker.start()
        sender.close()  # the worker has the only other end, so that its death is the end of the line
        try:
            for _ in pieces[done:]:
                result = _receive(receiver, worker, seconds)
                if isinstance(result, Failure) and result.killed and tried < done:
                    tried = done
                    break
                done += 1
                yield result
                if isinstance(result, Failure):
                    break
        finally:
            worker.kill()
            worker.join()
            receiver.close()


def _receive(receiver: Connection, worker: BaseProcess, seconds: float | None) -> Any:
    """Return what the worker sends, or what was lost."""
    if not receiver.poll(seconds):
        return Failure(f"exceeded its limit of {seconds:g} s")
    try:
        return receiver.recv()
    except (EOFError, OSError):
        worker.join()
    assert worker.exitcode is not None  # it was waited for
    if worker.exitcode < 0:
        name = signal.Signals(-worker.exitcode).name
        killed = name == "SIGKILL"
        reason = ", as the system does when memory runs out" if killed else ""
        return Failure(f"had its process ended by {name}{reason}", killed)
    return Failure(f"had its process end with exit code {worker.exitcode}; the log has more")


def _work_through(work: Callable[[P], R], pieces: Sequence[P], results: Connection) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    for piece in pieces:
        results.send(work(piece))


def _end_with_parent() -> None:
    """End this process when its parent is gone: nobody is left to keep the time."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)
