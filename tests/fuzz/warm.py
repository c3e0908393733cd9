"""A process that has done the slow imports and forks for whatever a test runs."""

import json
import os
import socket
import subprocess
import sys
from typing import Any, Self

SERVE = """
import gc, importlib, json, os, socket, sys

asked = socket.socket(fileno=int(sys.argv[1]))
for name in sys.argv[2:]:
    importlib.import_module(name)
gc.freeze()
while True:
    request, streams, *_ = socket.recv_fds(asked, 65536, 3)
    if not request:
        break
    child = os.fork()
    if not child:
        code, sys.argv = json.loads(request)
        for target, stream in enumerate(streams):
            os.dup2(stream, target)
            os.close(stream)
        exec(code, {})
        sys.exit()
    for stream in streams:
        os.close(stream)
    asked.send(b"%d" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


class Warm:
    """The process, with modules that it imports."""

    def __init__(self, *modules: str) -> None:
        self._modules = modules

    def __enter__(self) -> Self:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, "-c", SERVE, str(theirs.fileno()), *self._modules]
        # With buffers, as people run it: what is left in them is written when a process ends.
        buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()], env=buffered
        )
        theirs.close()
        self._socket.settimeout(300)
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()
        self._process.kill()
        self._process.wait()

    def run(self, code: str, arguments: list[str], **streams: Any) -> int:
        """Run Python code with these arguments and streams (`stdin`, `stdout`, `stderr`) and return its exit code."""
        with open(os.devnull, "r+b") as nothing:
            files = [streams.get(name, nothing).fileno() for name in ("stdin", "stdout", "stderr")]
            socket.send_fds(self._socket, [json.dumps([code, ["-c", *arguments]]).encode()], files)
            answer = self._socket.recv(16)
            assert answer, "the process that forks has ended"
            return int(answer)
