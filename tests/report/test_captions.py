"""Captions are a heading and one plain paragraph each, and every figure and table of the study has one."""

import re
from pathlib import Path

import pytest
from docutils import nodes
from docutils.core import publish_doctree

from nontrivial_study.report.figures import read_caption

ROOT = Path(__file__).parents[2]
CAPTIONS = sorted((ROOT / "workflow" / "report").glob("*.rst"))
RULES = "".join(
    path.read_text(encoding="utf-8") for path in sorted((ROOT / "workflow" / "rules").glob("*.smk"))
)


@pytest.mark.parametrize("path", CAPTIONS, ids=lambda path: path.stem)
def test_a_caption_is_a_heading_and_one_plain_paragraph(path):
    text = path.read_text(encoding="utf-8")
    document = publish_doctree(text, settings_overrides={"report_level": 5})
    assert [type(part) for part in document.children] == [nodes.paragraph] * 2
    for paragraph in document.children:
        assert [type(child) for child in paragraph.children] == [nodes.Text], (
            "markup stands literally on the page"
        )
    assert text.endswith(".\n")
    assert len(text) > 200


@pytest.mark.parametrize("path", CAPTIONS, ids=lambda path: path.stem)
def test_a_caption_begins_with_a_heading(path):
    caption = read_caption(path.stem, path.read_text(encoding="utf-8"))
    assert 15 < len(caption.title) <= 80
    assert ":" not in caption.title
    assert caption.text


def test_figures_and_tables_have_captions():
    stems = {path.stem for path in CAPTIONS}
    figures = set(re.findall(r'"((?:pa|prg|p4|tutorial|own)_(?!example")\w+)"', RULES))
    tables = set(re.findall(r"/tables/(\w+)\.csv", RULES))
    assert figures
    assert tables
    assert figures | tables | {"verdicts", "data_set", "study"} == stems
