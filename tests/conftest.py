"""Tests run in as many processes as there are cores, so that threads of each would only wait for one another."""

import gc
import os

for library in ("OMP", "OPENBLAS"):  # they read this once, when they are loaded
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")


def pytest_collection_finish() -> None:
    gc.freeze()  # what was imported and collected lives to the end: no collection of garbage goes through it again


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    # Archives hold the time at which they were made, so their bytes would name a test otherwise in each process.
    return argname if isinstance(val, bytes) else None
