"""Snakemake in processes that have it imported already: what it imports costs more than most of what tests ask of it.

`Engines` starts this file as a program. It imports what the workflow needs, and then forks for each run that it is
asked for, so that every run is a process of its own with modules of its own project. Scripts of jobs are started as
ever.
"""

import importlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Self


class Engines:
    """A process that runs Snakemake, one run after the other."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()

    def run(
        self, arguments: list[str], folder: Path, environment: dict[str, str]
    ) -> subprocess.CompletedProcess:
        """Run Snakemake in a folder and return what it printed (both streams in `stdout`)."""
        printed = folder.with_suffix(f".{self.process.pid}")  # the folder may be of several processes
        json.dump([arguments, str(folder), environment, str(printed)], self.process.stdin)
        print(file=self.process.stdin, flush=True)
        code = int(self.process.stdout.readline())
        return subprocess.CompletedProcess(arguments, code, printed.read_text(encoding="utf-8"))


def run(arguments: list[str], folder: str, environment: dict[str, str], printed: str) -> int:
    """Run Snakemake in this process, which its caller ends with the code that is returned."""
    import atexit

    import snakemake.cli

    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:0] = environment["PYTHONPATH"].split(os.pathsep)
    signal.alarm(1800)
    stream = os.open(printed, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(stream, 1)
    os.dup2(stream, 2)
    sys.argv = ["snakemake", *arguments]
    try:
        importlib.import_module("snakemake_logger_plugin_nontrivial")  # it checks what it is started with
        snakemake.cli.main(arguments)
    except SystemExit as end:
        code = end.code
        if isinstance(code, str):
            print(code, file=sys.stderr)
            code = 1
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    return code or 0


def import_all() -> None:
    """Import what the workflow imports, and forget the package's own modules."""
    import pandas  # noqa: F401
    import snakemake.cli
    import snakemake.report
    from snakemake.scheduling import job_scheduler  # noqa: F401

    from nontrivial.experiments.tasks import models
    from nontrivial.provenance import project  # noqa: F401
    from nontrivial.report import captions  # noqa: F401
    from nontrivial_workflow import configuration, dependencies, messages  # noqa: F401

    models.check_models({"any": {"estimator": "GaussianNB"}}, "any")
    snakemake.cli.get_argument_parser()
    for name in [name for name in sys.modules if "nontrivial" in name.partition(".")[0]]:
        del sys.modules[name]


if __name__ == "__main__":
    import_all()
    for line in sys.stdin:
        if (child := os.fork()) == 0:
            try:
                code = run(*json.loads(line))
            except BaseException as error:
                print(repr(error), file=sys.stderr)
                code = 70
            os._exit(code)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
