"""Captions are one plain paragraph each, and every figure and table of the study has one."""

import re
from pathlib import Path

import pytest
from docutils import nodes
from docutils.core import publish_doctree

from nontrivial.report.contents import title_of

ROOT = Path(__file__).parents[2]
CAPTIONS = sorted((ROOT / "workflow" / "report").glob("*.rst"))
RULES = "".join(
    path.read_text(encoding="utf-8") for path in sorted((ROOT / "workflow" / "rules").glob("*.smk"))
)


@pytest.mark.parametrize("path", CAPTIONS, ids=lambda path: path.stem)
def test_a_caption_is_one_plain_paragraph(path):
    text = path.read_text(encoding="utf-8")
    document = publish_doctree(text, settings_overrides={"report_level": 5})
    (paragraph,) = document.children
    assert isinstance(paragraph, nodes.paragraph)
    assert [type(child) for child in paragraph.children] == [nodes.Text], (
        "markup stands literally on the page"
    )
    assert text.endswith(".\n")
    assert len(text) > 200


def test_figures_and_tables_have_captions():
    stems = {path.stem for path in CAPTIONS}
    figures = set(re.findall(r"/figures/(\w+)\.svg", RULES))
    tables = set(re.findall(r"/tables/(\w+)\.csv", RULES))
    assert figures
    assert tables
    assert figures | tables | {"verdicts"} == stems


def test_the_noise_levels_that_are_ours_are_owned():
    caption = (ROOT / "workflow" / "report" / "pa_figure_1.rst").read_text(encoding="utf-8")
    assert "10 % for b and 0 % for c are this study's choice" in caption
    assert "0.038" in caption


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("pa_figure_1", "PA paper, Figure 1"),
        ("p4_figure_2", "P4 article, Figure 2"),
        ("tutorial_figure_10", "Tutorial, Figure 10"),
        ("pa_figures", "Pa figures"),
        ("curve_areas", "Curve areas"),
    ],
)
def test_names_become_titles(name, title):
    assert title_of(name) == title
