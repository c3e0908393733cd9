"""A digit of a table is changed between two jobs, its time kept: every job that reads the table fails, and names it."""

import contextlib
import json
import os
import re
import runpy
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from nontrivial.claims.judge import judge_claim
from nontrivial.claims.registry import load_claims
from nontrivial.files import DamagedFile, find_files
from nontrivial.provenance.damage import check_results
from nontrivial.report.page import render_page

SCRIPTS = Path(__file__).parents[2] / "workflow" / "scripts"
READERS = {
    "calc_area_finding",
    "calc_model_choice",
    "calc_opposed_models",
    "calc_rank_disagreement",
    "draw_figures",
}


@contextlib.contextmanager
def changed_digit(path):
    """Change the last digit of a file, and keep its time; put everything back at the end."""
    times, content = path.stat(), path.read_bytes()
    digit = re.search(rb"[0-9](?=[^0-9]*$)", content) or re.search(rb"\w(?=\W*$)", content)
    path.write_bytes(content[: digit.start()] + bytes([digit[0][0] ^ 1]) + content[digit.end() :])
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    try:
        yield
    finally:
        path.write_bytes(content)


def refused(path):
    return pytest.raises(
        DamagedFile, match=rf"{re.escape(str(path))} is damaged; delete it and run the same command again\.$"
    )


@pytest.fixture(scope="module")
def results(finished, tmp_path_factory):
    """The finished study's results, of which one file at a time is damaged."""
    unneeded = shutil.ignore_patterns("code", "logs", "benchmarks")
    copy = tmp_path_factory.mktemp("damaged") / "results"
    return Path(shutil.copytree(finished.folder / "results", copy, ignore=unneeded))


def test_whoever_makes_or_reads_a_table_does_so_with_its_digest(finished):
    crate = json.loads((finished.folder / "results" / "ro-crate-metadata.json").read_text(encoding="utf-8"))
    jobs = [entity for entity in crate["@graph"] if entity["@id"].startswith("#job/")]
    seen = set()
    for job in jobs:
        for key in ("object", "result"):
            others = job.get(key, [])
            files = {one["@id"] for one in (others if isinstance(others, list) else [others])}
            tables = {file for file in files if file.endswith(".csv")}
            assert {f"{table}.sha256" for table in tables} <= files, job["@id"]
            seen |= {(key, table) for table in tables}
    results = finished.folder / "results"
    there = {str(path.relative_to(results)) for path in find_files(results, "*/*.csv")}
    assert {table for key, table in seen if key == "result"} == there
    assert len(there) > 30


def run(script, source, monkeypatch, tmp_path, **params):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stderr", sys.stderr)  # scripts replace it
    source, params = SimpleNamespace(**source), SimpleNamespace(**params)
    snakemake = SimpleNamespace(
        log=["log"], input=source, output=SimpleNamespace(svg=["a.svg"]), params=params
    )
    runpy.run_path(str(SCRIPTS / f"{script}.py"), {"snakemake": snakemake})


def test_these_scripts_read_tables():
    texts = {path.stem: path.read_text(encoding="utf-8") for path in find_files(SCRIPTS, "*.py")}
    assert {
        name
        for name, text in texts.items()
        if name != "collect_speed" and re.search(r"\bread_(table|texts)\b|read_csv", text)
    } == READERS


@pytest.mark.parametrize("script", sorted(READERS - {"draw_figures"}))
def test_a_script_refuses_its_table(script, results, tmp_path, monkeypatch):
    path = results / "tables" / "curve_areas.csv"
    with changed_digit(path), refused(path):
        run(script, {"areas": path, "predictions": []}, monkeypatch, tmp_path, ranking={}, tasks={})


def test_no_figure_is_drawn_of_damaged_numbers(results, tmp_path, monkeypatch):
    params = {"tables": [], "experiment": "losses", "figures": {"a": "plot_losses.plot_losses"}}
    for path in find_files(results / "figures", "*.csv"):
        with changed_digit(path), refused(path):
            run("draw_figures", {"numbers": [path]}, monkeypatch, tmp_path, **params)


def test_no_claim_is_judged_on_a_damaged_table(finished, results):
    claims = load_claims(finished.folder / "config" / "claims")
    there = [claim for claim in claims if claim.data and all((results / one).is_file() for one in claim.data)]
    tables = [claim for claim in there if claim.data[0].endswith(".csv")]
    first = {claim.data[0]: claim for claim in tables}  # what a claim reads before anything else
    assert first.keys() == {"tables/haberman_published.csv", "tables/imbalance_noise.csv"}
    for path, claim in first.items():
        with changed_digit(results / path), refused(results / path):
            judge_claim(claim, results)


def test_no_page_is_made_of_a_damaged_table(results):
    for path in find_files(results / "tables", "*.csv"):
        with changed_digit(path), refused(path):
            render_page(results, {})


def test_no_manifest_takes_a_damaged_file(results):
    check_results(results)
    endings = ("*/*.csv", "*/*.parquet", "*/*.json", "figures/*.svg", "figures/*.pdf", "figures/*.png")
    for path in [path for ending in endings for path in find_files(results, ending)]:
        with changed_digit(path), refused(path):
            check_results(results)
