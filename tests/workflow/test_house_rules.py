"""What a reader of the workflow can rely on: short scripts, no run blocks, the package apart from the engine."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
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
        # As inputs, or, of rules of many jobs, which would be slow to plan with them, as a digest.
        assert re.search(rf'code=(lambda wildcards: )?(modules|digest_of_code)\("{name}"[,)]', rule), name


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
