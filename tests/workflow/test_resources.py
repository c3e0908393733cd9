"""What jobs ask of a cluster, and which of them never go there."""

import re
from pathlib import Path

import pandas as pd
import pytest
import yaml
from slurm.used import asked, beyond, used
from tiny_study import Project

ROOT = Path(__file__).parents[2]
LOCAL = "download_|select_archived_runs|measure_speed|collect_|archive_|describe_"
PROFILE = yaml.safe_load(
    (ROOT / "workflow" / "profiles" / "slurm" / "config.yaml").read_text(encoding="utf-8")
)


def planned(project: Project, *arguments: str) -> pd.DataFrame:
    """Return what the jobs of a whole study ask for."""
    printed = project.run("-n", "--forceall", "--quiet", "reason", *arguments)
    assert printed.returncode == 0, printed.stdout
    return asked(printed.stdout)


@pytest.fixture(scope="module")
def small(fresh) -> pd.DataFrame:
    """What the jobs of the tiny study ask for."""
    return planned(fresh)


@pytest.mark.parametrize("mode", [pytest.param("train", marks=pytest.mark.rehearsal), "archive"])
def test_what_is_sent_to_a_cluster_says_what_it_needs(mode, fresh):
    jobs = planned(fresh, "--configfile", "config/paper.yaml", "--config", f"openml={{mode: {mode}}}")
    sent = jobs[~jobs["rule"].str.match(LOCAL)]
    assert 0 < len(sent) < len(jobs)
    assert sent[["benchmark", "mem_mb", "runtime"]].notna().all(axis=None), sent[sent.isna().any(axis=1)]


def test_downloads_and_what_only_moves_files_stay_here():
    for path in (ROOT / "workflow" / "rules").glob("*.smk"):
        text = path.read_text(encoding="utf-8")
        block = re.search(r"^localrules:\n((?:    \w+,\n)*)", text, re.MULTILINE)
        listed = re.findall(r"\w+", block[1]) if block else []
        named = re.findall(r"^rule (\w+):", text, re.MULTILINE)
        assert sorted(listed) == sorted(name for name in named if re.match(LOCAL, name)), path.name
        made = re.findall(r"^ +rule:\n", text, re.MULTILINE) if path.stem == "download" else []  # in a loop
        assert len(re.findall(r"^ +localrule: True$", text, re.MULTILINE)) == len(made), path.name


def test_measured_use_is_within_what_is_asked_for(finished, small):
    jobs = small[~small["rule"].str.match(LOCAL)]
    run = used(jobs, finished.folder)
    assert len(run) == len(jobs)
    assert beyond(run).empty, beyond(run).to_string()


def test_a_job_that_used_more_than_it_asks_for_is_found(tmp_path):
    (tmp_path / "a.tsv").write_text("s\tmax_rss\tcpu_time\n9\t200\t70\n", encoding="ascii")
    for memory, minutes, found in [("551", "2", 0), ("549", "2", 1), ("551", "1", 1)]:
        jobs = pd.DataFrame({"rule": ["a"], "benchmark": ["a.tsv"], "mem_mb": [memory], "runtime": [minutes]})
        assert len(beyond(used(jobs, tmp_path))) == found


def test_every_attempt_asks_for_more(project):
    project.edit("workflow/scripts/calc_exam.py", "from nontrivial", "raise SystemExit(1)\nfrom nontrivial")
    printed = project.run(
        "--cores", "1", "--retries", "2", "--quiet", "reason", "--", "results/tables/exam.csv"
    ).stdout
    for name in ("mem_mb", "runtime"):
        first, *more = [int(value) for value in re.findall(rf"\b{name}=([0-9]+)", printed)]
        assert more == [2 * first, 3 * first]


def test_larger_chunks_ask_for_more(fresh, small):
    small = small.query("rule == 'train_models'")
    large = planned(fresh, "--config", "chunk_cells=1000000").query("rule == 'train_models'")
    assert (len(small), len(large)) == (2, 1)
    for name in ("mem_mb", "runtime"):
        assert large[name].astype(int).item() > small[name].astype(int).max()


def test_the_largest_batches_are_trained_first(fresh):
    """wdbc has 17,070 cells and a task of iris 600; a task costs as much as 30,000 cells besides."""
    goals = [f"results/predictions/chunk-0{number}.parquet" for number in range(2)]
    printed = fresh.run("-n", "--forceall", "--quiet", "reason", "--", *goals).stdout
    found = re.findall(r"^rule train_models:\n((?:    .*\n)+)", printed, re.MULTILINE)
    blocks = {re.search(r"chunk=(\S+)", block)[1]: block for block in found}
    priorities = {
        name: float(re.search(r"priority: (\S+)", block)[1]) for name, block in sorted(blocks.items())
    }
    assert priorities == pytest.approx({"chunk-00": 0.04707 + 0.0306, "chunk-01": 2 * 0.0306})


def test_the_profile_groups_rules_that_there_are(small):
    grouped = [entry.partition("=")[0] for entry in PROFILE["groups"]]
    assert len(set(grouped)) == len(grouped) > 0
    assert set(grouped) <= set(small["rule"])
