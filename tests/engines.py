"""Processes that have imported already what Snakemake and the scripts of its jobs import, which is most of their cost.

`Engines` starts this file as a server. It imports all that the package imports, and then forks for each run of
Snakemake that it is asked for, so that every run is a process of its own with modules of its own project. What that
run takes for Python is this file, too: it lets the server fork for a job's script, and waits for its end.
"""

import atexit
import ctypes
import gc
import importlib
import json
import os
import pkgutil
import runpy
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Self

KILLED = 137
NEW_USER, NEW_NETWORK = 0x10000000, 0x40000000  # of unshare(2)
USER = os.getuid()
WITHOUT_NETWORK = "ENGINES_WITHOUT_NETWORK"  # in the environment of a run, and so of its jobs
PYTHON = "python"  # what a run of Snakemake takes for Python, beside the socket


class Engines:
    """A server that runs Snakemake and the scripts of its jobs.

    It keeps what Python compiles, whatever this process does: each run would else compile the package again.
    """

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory()
        self.socket = os.path.join(self._folder.name, "socket")
        python = Path(self._folder.name, PYTHON)
        python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -IS {shlex.quote(__file__)} {PYTHON} "$@"\n')
        python.chmod(0o700)
        self._process = subprocess.Popen(
            [sys.executable, __file__, self.socket],
            env={name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
            stdout=subprocess.PIPE,
        )
        self._process.stdout.readline()
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()
        self._folder.cleanup()

    def run(self, arguments: list[str], folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess:
        """Run Snakemake in a folder and return what it printed (both streams in `stdout`)."""
        with tempfile.TemporaryFile() as printed, open(os.devnull) as nothing:
            streams = [nothing.fileno(), printed.fileno(), printed.fileno()]
            code = ask(self.socket, ["snakemake", *arguments], str(folder), environment, streams)
            printed.seek(0)
            return subprocess.CompletedProcess(arguments, code, printed.read().decode("utf-8"))


def ask(server: str, arguments: list[str], folder: str, environment: dict[str, str], streams: list[int]) -> int:
    """Let the server run something with these streams, wait for its end, and return its code."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(server)
        request = json.dumps([arguments, folder, environment]).encode()
        socket.send_fds(connection, [len(request).to_bytes(4, "big")], streams)
        connection.sendall(request)
        return int(connection.recv(4) or KILLED)


def serve(server: str) -> None:
    """Fork for each request; a child says its code, or its end closes the connection."""
    signal.signal(signal.SIGCHLD, lambda *_: reap())
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(server)
    listener.listen(64)
    listener.settimeout(10)
    print("ready", flush=True)
    tests = os.getppid()
    while os.getppid() == tests:  # who is killed does not end the server
        try:
            connection, _ = listener.accept()
        except TimeoutError:
            continue
        if os.fork():
            connection.close()
            continue
        try:
            listener.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            code = answer(connection, server)
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
            code = 70
        connection.sendall(str(code).encode())
        os._exit(code)


def reap() -> None:
    """Take leave of the children that ended, whose time is then the server's, too."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def answer(connection: socket.socket, server: str) -> int:
    """Become the process that is asked for, run what it is to run, and return its code."""
    length, streams, _, _ = socket.recv_fds(connection, 4, 3)
    request = connection.recv(int.from_bytes(length, "big"), socket.MSG_WAITALL)
    arguments, folder, environment = json.loads(request)
    for target, stream in enumerate(streams):
        os.dup2(stream, target)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    os.environ["ENGINES"] = server
    if WITHOUT_NETWORK in environment:
        leave_network()
    sys.argv = arguments
    sys.path[:0] = environment["PYTHONPATH"].split(os.pathsep)
    try:
        if arguments[0] == "snakemake":
            sys.executable = str(Path(server).with_name(PYTHON))
            run_engine(arguments[1:])
        else:
            runpy.run_path(arguments[0], run_name="__main__")
        code = 0
    except SystemExit as end:
        code = end.code
        if isinstance(code, str):
            print(code, file=sys.stderr)
            code = 1
    except Exception:
        sys.excepthook(*sys.exc_info())
        code = 1
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    return code or 0


def leave_network() -> None:
    """Leave the network, as the same user."""
    libc = ctypes.CDLL(None, use_errno=True)  # os.unshare came with Python 3.12
    if libc.unshare(NEW_USER | NEW_NETWORK):
        raise OSError(ctypes.get_errno(), "This machine does not let a process leave its network")
    Path("/proc/self/uid_map").write_text(f"{USER} {USER} 1")


def run_engine(arguments: list[str]) -> None:
    """Run Snakemake."""
    import snakemake.cli

    signal.alarm(1800)
    snakemake.cli.main(arguments)


def import_all() -> None:
    """Import what the workflow and its scripts import, and forget the package's own modules.

    What was imported lives as long as its process: no collection goes through it again, in none of the forks.
    """
    import matplotlib
    import nbformat  # noqa: F401
    import smart_open  # noqa: F401
    import snakemake.cli
    import snakemake.report
    import snakemake.storage
    from snakemake.scheduling import job_scheduler  # noqa: F401

    import nontrivial
    import nontrivial_study

    matplotlib.use("agg")
    for package in (nontrivial, nontrivial_study):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    sys.modules["nontrivial_study.experiments.tasks.models"].check_models({"any": {"estimator": "GaussianNB"}}, "any")
    with tempfile.TemporaryDirectory() as folder:
        style = sys.modules["nontrivial.figure_style"]
        style.save_figure(style.draw_message("any"), os.path.join(folder, "any"))
    snakemake.cli.get_argument_parser()
    for name in [name for name in sys.modules if "nontrivial" in name.partition(".")[0]]:
        del sys.modules[name]
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


if __name__ == "__main__":
    if sys.argv[1] != PYTHON:
        import_all()
        serve(sys.argv[1])
    elif sys.argv[2].startswith("-"):
        os.execv(sys.executable, [sys.executable, *sys.argv[2:]])
    else:
        sys.exit(ask(os.environ["ENGINES"], sys.argv[2:], os.getcwd(), dict(os.environ), [0, 1, 2]))
