"""Nothing is left of a kill: the study goes on, and ends in the same bytes. `python tests/kills.py` kills far more."""

from kills import differences, kill_at_random, kill_at_temporary_files


def test_killed_at_temporary_files_and_at_random_moments_gives_the_same_bytes(finished, project):
    assert len(kill_at_random(project, 1, 15, seed=0)) == 1
    scripts = ["train_models", "calc_exam", "draw_figures"]
    assert len(kill_at_temporary_files(project, scripts, "begin")) >= 2
    assert differences(project, finished) == []


def test_what_a_kill_left_long_ago_is_in_no_record_and_harms_no_job(finished, finished_copy):
    results = finished_copy.folder / "results"
    left = [
        "tables/.exam-abcdefgh.csv",
        "figures/.prg_figure_4-abcdefgh.svg",
        "figures/.prg_figure_4-abcdefgh.part.png",
        "data/.wdbc-abcdefgh.json",
        "claims/.p4-definition-abcdefgh.json",
        "benchmarks/.calc_exam-abcdefgh.tsv",
        "code/.Snakefile-abcdefgh",
        ".run-abcdefgh.json",
    ]
    for name in left:
        (results / name).touch()
    (results / "benchmarks" / "calc_exam.tsv").write_text("")  # the engine died before it wrote
    (results / "claims" / "verdicts.json").unlink()
    bag = finished_copy.run("--cores", "2", "all", "write_bag")
    assert bag.returncode == 0, bag.stdout
    for name in ("manifest-sha256.txt", "ro-crate-metadata.json", "run.json", "report/index.html"):
        assert "-abcdefgh" not in (results / name).read_text(encoding="utf-8"), name
    assert not list((finished_copy.folder / "results-bag").rglob("*-abcdefgh*"))
    for name in left:
        (results / name).unlink(missing_ok=True)
    assert differences(finished_copy, finished) == []
