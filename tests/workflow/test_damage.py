"""A job that meets a damaged intermediate says which, and what it says to do gives the results of before."""

import os

import pytest


def damage(path):
    """Flip a bit in the middle of a file and keep its time, so that the engine sees no change."""
    times, content = path.stat(), bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


@pytest.mark.parametrize(
    ("damaged", "goal"),
    [
        ("data/wdbc.parquet", "tables/training_noise.csv"),
        ("data/wdbc.json", "tables/losses.csv"),
        ("predictions/chunk-00.parquet", "scores/measures/chunk-00.parquet"),
        ("scores/measures/chunk-00.parquet", "tables/measures.csv"),
        ("tables/curve_areas.csv", "tables/model_choice.csv"),
    ],
)
def test_a_damaged_file_is_named_and_deleting_it_is_enough(damaged, goal, finished, finished_copy):
    path, goals = finished_copy.folder / "results" / damaged, ("--cores", "2", f"results/{goal}")
    damage(path)
    (finished_copy.folder / "results" / goal).unlink()
    failed = finished_copy.run(*goals)
    assert failed.returncode == 1
    said = failed.stdout.splitlines()[-1]
    assert f"failed: results/{damaged} is damaged" in said
    assert "delete it and run the same command again" in said

    path.unlink()
    again = finished_copy.run(*goals)
    assert again.returncode == 0, again.stdout
    folders = [damaged.partition("/")[0], goal.partition("/")[0]]
    assert finished_copy.contents(*folders) == finished.contents(*folders)
