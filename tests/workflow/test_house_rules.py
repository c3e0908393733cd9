"""What a reader of the workflow can rely on: short scripts, no run blocks, the library apart from the engine."""

import re
from modulefinder import ModuleFinder
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = [ROOT / "src" / name for name in ("nontrivial", "nontrivial_study")]
SCRIPTS = sorted((ROOT / "workflow" / "scripts").glob("*.py"))
RULES = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "workflow" / "rules").glob("*.smk")}
NAMED_RULES = {  # each rule with a name, and its text
    re.match(r"\w+", rule)[0]: rule
    for text in RULES.values()
    for rule in re.split(r"^ *rule (?=\w)", text, flags=re.MULTILINE)[1:]
}


def used_by(scripts):
    """Return the folders of the packages, but for their tops, of the modules that scripts import."""
    finder = ModuleFinder(path=[str(ROOT / "src")])
    for script in scripts:
        finder.load_file(str(script))
    modules = [module for module in finder.modules.values() if module.__file__ and not module.__path__]
    found = {Path(module.__file__).parent for module in modules}
    return {
        folder.relative_to(package).as_posix()
        for folder in found
        for package in PACKAGES
        if folder.is_relative_to(package)
    } - {"."}


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_are_short_and_write_tables_through_their_gate(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 40
    ungated = re.search(r"\b(write_table|join_tables|to_csv)\b", text)
    assert not ungated or path.stem in ("measure_speed", "collect_speed")  # which are not of the study


@pytest.mark.parametrize("name", NAMED_RULES)
def test_a_rule_has_a_log_a_script_or_function_of_its_name_and_all_folders_of_code_that_it_uses(name):
    rule = NAMED_RULES[name]
    assert "    log:\n" in rule
    scripts = [ROOT / "workflow" / "scripts" / f"{name}.py"]
    if function := re.search(r'function="([\w.]+)\.(\w+)"', rule):
        assert function[2] == name
        module = PACKAGES[1] / "experiments" / f"{function[1].replace('.', '/')}.py"
        scripts = [ROOT / "workflow" / "scripts" / "calc_experiment.py", module]
    assert f'"../scripts/{scripts[0].name}"' in rule
    said = re.search(r"code=digest_of_code\((.*?)\),\n +(\w+=|script:)", rule, re.DOTALL)[1]
    folders = {folder for words in re.findall(r'"([^"]+)"', said) for folder in words.split()}
    assert used_by(scripts) <= folders


PLOTS = {path.parent for path in PACKAGES[1].glob("experiments/*/*_figures.py")}


@pytest.mark.parametrize("folder", sorted(PLOTS), ids=lambda folder: folder.name)
def test_figures_are_drawn_again_when_any_module_changes_that_draws_them(folder):
    folders = set(re.findall(r'"([\w/]+)"', re.search(r"digest_of_code\(([^)]*)\)", RULES["draw"])[1]))
    assert used_by(folder.glob("*_figures.py")) <= folders | {f"experiments/{folder.name}"}


@pytest.mark.parametrize("text", RULES.values(), ids=RULES)
def test_rules_have_no_run_blocks_name_the_conda_file_and_let_a_storage_hold_their_results(text):
    """A result's text is where it lies on this machine, and a storage has it elsewhere."""
    assert not re.search(r"^\s+run:", text, re.MULTILINE)
    assert not re.search(r"str\(rules\.|map\(str, rules\.|\bresults/", text)
    rules = re.findall(r"^ *rule\b.*:$", text, flags=re.MULTILINE)  # those made in a loop, too
    assert len(rules) == text.count('"../../envs/nontrivial.yaml"')


def test_the_library_does_not_know_the_engine():
    for path in PACKAGES[0].rglob("*.py"):
        assert not re.search(r"^\s*(import|from) snakemake\b", path.read_text("utf-8"), re.MULTILINE), path


def test_code_imports_from_the_modules_themselves():
    """A package that loads its names when they are asked for hides from the workflow what a script depends on."""
    form = r"from nontrivial\.(measures|curves) import|from nontrivial import .*\b(measures|curves)\b"
    form += r"|import nontrivial\.(measures|curves)\s*($|as\b|,)"
    for path in [*(ROOT / "src").rglob("*.py"), *SCRIPTS]:
        assert not re.search(rf"^\s*({form})", path.read_text("utf-8"), re.MULTILINE), path
