"""Work in another process, so that a piece of work that takes too long or ends its process is lost alone.

A piece that ends by SIGKILL is tried once more. If it takes too much memory, it ends so again; if it was killed by
accident, its result is not lost.
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

Piece = TypeVar("Piece")
Result = TypeVar("Result")

# A forked worker starts with everything that its parent has imported and read. Other ways to start a worker would
# import the main module again, which in a script is the work itself.
_FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Failure:
    """The reason why a piece of work has no result, such as "exceeded its limit of 2 s"."""

    reason: str
    is_killed: bool = field(default=False, compare=False)  # by SIGKILL


def run_in_subprocess(
    work: Callable[[Piece], Result], pieces: Sequence[Piece], seconds: float | None = None
) -> Iterator[Result | Failure]:
    """Yield the result of `work` for each piece, computed in a worker process."""
    n_done, retried = 0, None  # the number of the piece that is tried once more
    while n_done < len(pieces):
        receiver, sender = _FORK.Pipe(duplex=False)
        worker = _FORK.Process(target=_send_results, args=(work, pieces[n_done:], sender), daemon=True)
        worker.start()
        sender.close()  # only the worker can send now, so its death ends the pipe
        try:
            for _ in pieces[n_done:]:
                result = _receive_result(receiver, worker, seconds)
                if isinstance(result, Failure) and result.is_killed and retried != n_done:
                    retried = n_done
                    break
                n_done += 1
                yield result
                if isinstance(result, Failure):
                    break
        finally:
            worker.kill()
            worker.join()
            receiver.close()


def _receive_result(receiver: Connection, worker: BaseProcess, seconds: float | None) -> Any:
    """Return the next result of the worker, or the failure that ended it."""
    if not receiver.poll(seconds):
        return Failure(f"exceeded its limit of {seconds:g} s")
    try:
        return receiver.recv()
    except (EOFError, OSError):
        worker.join()
    assert worker.exitcode is not None  # because the worker was joined
    if worker.exitcode < 0:
        name = signal.Signals(-worker.exitcode).name
        is_killed = name == "SIGKILL"
        reason = ", as the system does when memory runs out" if is_killed else ""
        return Failure(f"had its process ended by {name}{reason}", is_killed)
    return Failure(f"had its process end with exit code {worker.exitcode}; the log has more")


def _send_results(work: Callable[[Piece], Result], pieces: Sequence[Piece], sender: Connection) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    for piece in pieces:
        sender.send(work(piece))


def _end_with_parent() -> None:
    """End this process when its parent has ended, because nobody else would stop it after its time."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)
