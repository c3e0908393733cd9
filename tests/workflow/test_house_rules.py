"""What a reader of the workflow can rely on: short scripts, no run blocks, the package apart from the engine."""

import re
from modulefinder import ModuleFinder
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "nontrivial"
SCRIPTS = sorted((ROOT / "workflow" / "scripts").glob("*.py"))
RULES = sorted((ROOT / "workflow" / "rules").glob("*.smk"))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_are_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) < 40


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.name)
def test_rules_have_logs_and_scripts_of_their_name(path):
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"^\s+run:", text, re.MULTILINE)
    for rule in re.split(r"^rule ", text, flags=re.MULTILINE)[1:]:
        name = re.match(r"\w+", rule)[0]
        assert "    log:\n" in rule, name
        assert f'"../scripts/{name}.py"' in rule, name


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.name)
def test_rules_run_again_when_any_module_changes_that_their_script_imports(path):
    text = path.read_text(encoding="utf-8")
    for rule in re.split(r"^rule ", text, flags=re.MULTILINE)[1:]:
        name = re.match(r"\w+", rule)[0]
        said = re.search(r"code=digest_of\((.*?)\),\n(        \w+=|    script:)", rule, re.DOTALL)[1]
        folders = {folder for words in re.findall(r'"([^"]+)"', said) for folder in words.split()}
        assert used_by([ROOT / "workflow" / "scripts" / f"{name}.py"]) <= folders, name


@pytest.mark.parametrize(
    "experiment", sorted(path.parent.name for path in PACKAGE.glob("experiments/*/plot_*.py"))
)
def test_figures_are_drawn_again_when_any_module_changes_that_draws_them(experiment):
    said = (ROOT / "workflow" / "rules" / "draw.smk").read_text(encoding="utf-8")
    folders = set(re.findall(r'"([\w/]+)"', re.search(r"digest_of\(([^)]*)\)", said)[1]))
    scripts = PACKAGE.glob(f"experiments/{experiment}/plot_*.py")
    assert used_by(scripts) <= folders | {f"experiments/{experiment}"}


def used_by(scripts):
    """Return the folders of the package, but for its top, of the modules that scripts import, wherever they do."""
    finder = ModuleFinder(path=[str(ROOT / "src")])
    for script in scripts:
        finder.load_file(str(script))
    modules = [module for module in finder.modules.values() if module.__file__ and not module.__path__]
    found = {Path(module.__file__).parent for module in modules}
    return {folder.relative_to(PACKAGE).as_posix() for folder in found if folder.is_relative_to(PACKAGE)} - {
        "."
    }


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.name)
def test_rules_hand_on_results_so_that_a_storage_can_hold_them(path):
    """A result's text is where it lies on this machine, and a storage has it elsewhere."""
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"str\(rules\.|map\(str, rules\.", text)
    assert not re.search(r"\bresults/", text)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_tables_of_the_study_are_written_through_their_gate(path):
    ungated = re.search(r"\b(write_table|join_tables|to_csv)\b", path.read_text(encoding="utf-8"))
    assert not ungated or path.stem in ("measure_speed", "collect_speed")  # which are not of the study


def test_the_package_does_not_know_the_engine():
    for path in (ROOT / "src" / "nontrivial").rglob("*.py"):
        assert not re.search(
            r"^\s*(import|from) snakemake\b", path.read_text(encoding="utf-8"), re.MULTILINE
        ), path


def test_code_imports_from_the_modules_themselves():
    """A package that loads its names when they are asked for hides from the workflow what a script depends on."""
    lazy = "measures|curves"
    forms = (
        rf"from nontrivial\.({lazy}) import",
        rf"from nontrivial import .*\b({lazy})\b",
        rf"import nontrivial\.({lazy})\s*($|as\b|,)",
    )
    for path in [*(ROOT / "src").rglob("*.py"), *SCRIPTS, *RULES]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(rf"^\s*({'|'.join(forms)})", text, re.MULTILINE), path
