"""What the workflow asks of Snakemake beyond its documented interfaces is still there, and means the same."""

import json

SNAKEFILE = """
import json, pathlib
from nontrivial_workflow import engine
from snakemake.iocontainers import Wildcards
from snakemake.logging import logger

configfile: "own.yaml"

rule all:
    input: "joined.txt"

rule make:
    output: "made/{number}.txt"
    log: "logs/{number}.log"
    params: twice=lambda wildcards: 2 * int(wildcards.number), code="digest"
    script: "scripts/make.py"

rule join:
    input: expand("made/{number}.txt", number=[1, 2])
    output: "joined.txt"
    log: "logs/join.log"
    script: "scripts/join.py"

def tell(name, value):
    pathlib.Path(name).write_text(json.dumps(value))

if engine.is_main_process(workflow):
    jobs = engine.jobs_behind(rules, ["joined.txt"], lambda script: [f"/p/{script}_code.py"], Wildcards, "/p")
    tell("jobs.json", [vars(job) for job in jobs])
    tell("given.json", vars(engine.given_configuration(workflow, config)))

observer = engine.Observer()
logger.addHandler(observer)

onerror:
    tell("failed.json", [observer.failed, observer.interrupted, engine.is_silent(workflow)])
"""


def test_jobs_configuration_and_failures_are_read_from_the_engine(fresh, tmp_path):
    (tmp_path / "Snakefile").write_text(SNAKEFILE)
    for name in ("own", "mine"):
        (tmp_path / f"{name}.yaml").write_text("size: 1\n")
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "make.py").write_text("raise SystemExit(1)")
    (tmp_path / "scripts" / "join.py").write_text("")
    options = [
        "--cores",
        "1",
        "--keep-going",
        "--quiet",
        "all",
        "--configfile",
        "mine.yaml",
        "--config",
        "folds=5",
    ]
    run = fresh.engines.run(options, tmp_path, fresh.environment)
    assert run.returncode == 1, run.stdout

    def told(name):
        return json.loads((tmp_path / f"{name}.json").read_text())

    one, two, joined = told("jobs")
    assert (one["name"], two["name"], joined["name"]) == ("make/1", "make/2", "join")
    assert one["reads"] == ["make_code.py"]
    assert joined["reads"] == ["made/1.txt", "made/2.txt", "join_code.py"]
    assert (two["makes"], two["parameters"]) == (["made/2.txt"], {"twice": 4})
    assert told("given") == {
        "files": ["mine.yaml"],
        "alone": False,
        "settings": ["folds=5"],
        "using": {},
    }
    failed, interrupted, silent = told("failed")
    assert sorted(failed) == [["make", "logs/1.log"], ["make", "logs/2.log"]]
    assert not interrupted
    assert silent
