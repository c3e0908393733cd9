"""The workflow runs from another folder than its own, and as a module of another workflow."""

import json
import subprocess
import sys
import venv
import zipfile

from tiny_study import PARTS, Project, copy_project

from nontrivial_study.tables import read_table

USING = """
configfile: "using.yaml"

module nontrivial:
    snakefile: "../project/Snakefile"
    config: config["nontrivial"]

use rule * from nontrivial as nontrivial_*

rule count_rows:
    default_target: True
    input: "study/tables/exam.csv"
    output: "rows.txt"
    shell: "wc -l < {input} > {output}"
"""


def run(project: Project, *arguments: str, folder: str) -> str:
    """Run Snakemake in another folder and return what it printed."""
    result = project.engines.run(["--cores", "1", *arguments], project.folder.parent / folder, project.environment)
    assert result.returncode == 0, result.stdout
    return result.stdout


def test_it_runs_from_another_folder(project):
    other = project.folder.parent / "other"
    other.mkdir()
    told = ["-s", "Snakefile", "--directory", str(other), "--configfile", "tiny.yaml"]
    run(project, *told, "--", "results/tables/exam.csv", "results/code.zip", folder="project")
    with zipfile.ZipFile(other / "results" / "code.zip") as code:
        name = "src/nontrivial/files.py"
        assert code.read(name) == (project.folder / name).read_bytes()
    page = (project.folder / "results" / "README.md").read_bytes()
    assert (other / "results" / "README.md").read_bytes() == page
    assert not read_table(other / "results" / "tables" / "exam.csv").empty
    assert [path.name for path in (project.folder / "results").iterdir()] == ["README.md"]


def test_it_runs_where_the_path_of_checkout_and_environment_has_a_blank(fresh, tmp_path):
    project = copy_project(tmp_path / "my study", fresh.folder, [*PARTS, "tiny.yaml"])
    venv.create(project.folder / ".venv")
    (site,) = (project.folder / ".venv" / "lib").glob("python*/site-packages")
    (site / "here.pth").write_text("\n".join(path for path in sys.path if path.endswith("site-packages")))
    command = [project.folder / ".venv" / "bin" / "python", *project.command("--cores", "1")[1:]]
    command.append("results/tables/exam.csv")
    subprocess.run(command, cwd=project.folder, env=project.environment, check=True)


def test_it_runs_as_a_module_with_a_configuration_of_the_using_workflow(project):
    other = project.folder.parent / "other"
    (other / "config").mkdir(parents=True)
    mine = "# Mine.\n" + (project.folder / "config" / "models.yaml").read_text("utf-8")
    (other / "config" / "models.yaml").write_text(mine)
    (other / "Snakefile").write_text(USING)
    (other / "using.yaml").write_text(json.dumps({"samples": 3, "nontrivial": {"results": "study", "folds": 3}}))
    run(project, folder="other")
    rows = read_table(other / "study" / "tables" / "exam.csv")
    assert (other / "rows.txt").read_text().strip() == str(len(rows) + 1)
    planned = run(project, "-n", "nontrivial_all", folder="other")
    assert "study/manifest-sha256.txt" in planned
    assert "rule nontrivial_train_models:" in planned
    run(project, "study/code.zip", folder="other")
    with zipfile.ZipFile(other / "study" / "code.zip") as code:
        assert code.read("config/models.yaml").decode() == mine  # the one in the folder of work comes first
        datasets = (project.folder / "config" / "datasets.yaml").read_bytes()
        assert code.read("config/datasets.yaml") == datasets
