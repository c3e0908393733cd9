"""What was imported and collected lives to the end: no collection of garbage goes through it again."""

import gc


def pytest_collection_finish() -> None:
    gc.freeze()
