"""What the README and the pages show is what the project does. Their Python examples are doctests."""

import csv
import importlib.util
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from decimal import Decimal
from itertools import product
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from nontrivial.cli import main
from nontrivial_study.declarations import load_experiments

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = [
    README,
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "how-to").glob("*.md")),
]


def named(path):
    return path.relative_to(ROOT).as_posix()


def console(path):
    return re.findall(r"```console\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("page", [page for page in PAGES if console(page)], ids=named)
def test_sessions_print_what_they_show(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    for file in (*page.parent.glob("*.csv"), *page.parent.glob("*.yaml")):
        shutil.copy(file, tmp_path)
    steps = re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", "".join(console(page)), re.MULTILINE)
    assert steps
    for command, shown in steps:
        if command.startswith("nontrivial "):
            assert_shows(CliRunner().invoke(main, shlex.split(command)[1:]).output, shown)
        else:
            assert subprocess.check_output(["bash", "-c", command], text=True) == shown


def assert_shows(output, shown):
    """A line of three dots stands for lines that are left out."""
    pattern = "".join(r"(?:.*\n)*" if line == "...\n" else re.escape(line) for line in shown.splitlines(True))
    assert re.fullmatch(pattern, output), output


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_to_files(page):
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).is_file(), target


def test_the_table_of_what_is_reproduced_names_experiments_and_results():
    rows = re.findall(
        r"^\| .* \| (`.*`) \| (`.*`) \|$", (ROOT / "docs" / "reproduced.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(rows) > 10
    for experiments, results in rows:
        names = set(re.findall(r"`(\w+)`", experiments)) & load_experiments().keys()
        made = {result for name in names for result in load_experiments()[name].results}
        assert set(re.findall(r"`(?:tables|figures)/(\w+)\.", results)) <= made, names


def test_the_picture_is_what_the_project_draws(tmp_path):
    path = ROOT / "docs" / "draw_picture.py"
    spec = importlib.util.spec_from_file_location("draw_picture", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.draw(tmp_path / "drawn.svg")
    assert (tmp_path / "drawn.svg").read_bytes() == (ROOT / "docs" / "imbalance.svg").read_bytes()


def test_the_pages_have_the_numbers_of_today():
    for path, page in runpy.run_path(str(ROOT / "docs" / "counts.py"))["render_pages"](ROOT).items():
        assert page == path.read_text(encoding="utf-8"), "python docs/counts.py puts the numbers into the pages"


def test_the_readme_is_short():
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 110


def test_the_file_of_papers_has_the_errors_that_the_study_recomputes():
    with (ROOT / "docs" / "how-to" / "haberman.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    haberman = yaml.safe_load((ROOT / "config" / "published.yaml").read_text())["haberman"]
    for row, entry in zip(rows, haberman["errors"], strict=True):
        printed = row["error"] or row["accuracy"]
        number = printed.strip("<>%")
        share = Decimal(number) / 100 if printed.endswith("%") else Decimal(number)
        assert row["reference"] == entry["source"]
        assert (share if row["error"] else 1 - share) == Decimal(entry["error"])
        assert (printed[0] in "<>") == (entry["bound"] == "greater")
        assert (int(row["positives"]), int(row["n"])) == (haberman["positives"], haberman["cases"])


def page_and_table(page, table):
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    with (ROOT / "docs" / f"{table}.csv").open(encoding="utf-8") as stream:
        return " ".join(text.split()), list(csv.DictReader(stream))


def test_the_page_of_coverage_names_what_its_table_shows():
    text, rows = page_and_table("coverage", "coverage")
    points, below = (sum(int(row[column]) for row in rows) for column in ("points", "below_93"))
    assert f"{below} of {points:,} points" in text
    for row in rows:
        if int(row["below_93"]) > int(row["points"]) / 10:
            assert f"**{row['quantity']}**" in text, row["quantity"]


def test_no_property_of_a_measure_has_changed():
    made = runpy.run_path(str(ROOT / "docs" / "guarantees.py"))
    cells = [made["judge_property"](*pair)._asdict() for pair in product(made["PROPERTIES"], made["MEASURES"])]
    assert cells == page_and_table("guarantees", "guarantees")[1][: len(cells)]


@pytest.mark.rehearsal
def test_the_page_of_guarantees_is_what_the_solver_proves(tmp_path):
    made = runpy.run_path(str(ROOT / "docs" / "guarantees.py"))
    made["write_page"](tmp_path, ROOT / "config" / "guarantees")
    for name in ("guarantees.csv", "guarantees.md"):
        assert (tmp_path / name).read_text() == (ROOT / "docs" / name).read_text(), (
            "python docs/guarantees.py makes the page"
        )


def test_the_page_of_speed_begins_with_ratios_of_its_table():
    text, rows = page_and_table("speed", "speed")
    ratios = {"precision_recall_gain_curve": [], "prg_auc_score": []}
    for row in rows:
        if row["peer"] == "scikit-learn: precision_recall_curve":
            ratios[row["measured"]].append(float(row["ratio"]))
    curve, area = (f"{min(each):.2f} to {max(each):.2f}" for each in ratios.values())
    assert f"curve takes {curve} of the time of scikit-learn's `precision_recall_curve`, and its area {area}" in text
