"""What jobs ask of a cluster, which of them never go there, and that a large plan stays quick."""

import re
from pathlib import Path

import pandas as pd
import pytest
import yaml
from slurm.used import asked, beyond, used
from tiny_study import Project

ROOT = Path(__file__).parents[2]
LOCAL = "download_|select_archived_runs|measure_speed|collect_|archive_|describe_"


def planned(project: Project, *arguments: str) -> pd.DataFrame:
    """Return what the jobs of a whole study ask for."""
    printed = project.run("-n", "--forceall", "--quiet", "reason", *arguments)
    assert printed.returncode == 0, printed.stdout
    return asked(printed.stdout)


@pytest.fixture(scope="module")
def small(fresh) -> pd.DataFrame:
    """What the jobs of the tiny study ask for."""
    return planned(fresh)


def test_what_is_sent_to_a_cluster_says_what_it_needs_and_downloads_stay_here(fresh):
    jobs = planned(fresh, "--configfile", "config/paper.yaml", "--config", "openml={mode: archive}")
    sent = jobs[~jobs["rule"].str.match(LOCAL)]
    assert 0 < len(sent) < len(jobs)
    assert sent[["benchmark", "mem_mb", "runtime"]].notna().all(axis=None), sent[sent.isna().any(axis=1)]
    for path in (ROOT / "workflow" / "rules").glob("*.smk"):
        text = path.read_text(encoding="utf-8")
        block = re.search(r"^localrules:\n((?:    \w+,\n)*)", text, re.MULTILINE)
        listed = re.findall(r"\w+", block[1]) if block else []
        named = re.findall(r"^rule (\w+):", text, re.MULTILINE)
        assert sorted(listed) == sorted(name for name in named if re.match(LOCAL, name)), path.name
    made_in_a_loop = (ROOT / "workflow" / "rules" / "download.smk").read_text(encoding="utf-8")
    assert made_in_a_loop.count("    rule:\n") == made_in_a_loop.count("localrule: True\n") > 0


def test_measured_use_is_within_what_is_asked_for(finished, small):
    jobs = small[~small["rule"].str.match(LOCAL)]
    run = used(jobs, finished.folder)
    assert len(run) == len(jobs)
    assert beyond(run).empty, beyond(run).to_string()


def test_every_attempt_asks_for_more(project):
    project.edit("workflow/scripts/calc_experiment.py", "from nontrivial", "raise SystemExit(1)\nfrom nontrivial")
    arguments = ["--cores", "1", "--retries", "2", "--quiet", "reason", "--", "results/tables/exam.csv"]
    printed = project.run(*arguments).stdout
    for name in ("mem_mb", "runtime"):
        first, *more = [int(value) for value in re.findall(rf"\b{name}=([0-9]+)", printed)]
        assert more == [2 * first, 3 * first]


def test_the_profile_groups_rules_that_there_are(small):
    profile = (ROOT / "workflow" / "profiles" / "slurm" / "config.yaml").read_text(encoding="utf-8")
    grouped = [entry.partition("=")[0] for entry in yaml.safe_load(profile)["groups"]]
    assert len(set(grouped)) == len(grouped) > 0
    assert set(grouped) <= set(small["rule"])


def test_rules_of_thousands_of_inputs_name_them_as_texts(project):
    """Where they name other rules' outputs as such, planning takes the square of their number."""
    rules = (project.folder / "workflow" / "rules" / "audit.smk").read_text("utf-8")
    names = ("collect_scores", "judge_claims", "render_report", "describe_results")
    count = f"print('NAMED', [len(one.dependencies) for one in workflow.rules if one.name in {names}], file=sys.stderr)"
    (project.folder / "workflow" / "rules" / "audit.smk").write_text(f"{rules}\n\n{count}\n", "utf-8")
    assert "NAMED [0, 0, 0, 0]" in project.run("-n", "--quiet").stdout
