"""Captions are a heading and one plain paragraph each, and every figure and table of the study has one."""

import re
from pathlib import Path

import pytest
from docutils import nodes
from docutils.core import publish_doctree

from nontrivial_study.report.figures import Caption, document_rank, origin_of, read_caption

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


def test_headings_are_unique():
    titles = [read_caption(path.stem, path.read_text(encoding="utf-8")).title for path in CAPTIONS]
    assert sorted(set(titles)) == sorted(titles)


def test_figures_and_tables_have_captions():
    stems = {path.stem for path in CAPTIONS}
    figures = set(re.findall(r'"((?:pa|prg|p4|tutorial|own)_(?!example")\w+)"', RULES))
    tables = set(re.findall(r"/tables/(\w+)\.csv", RULES))
    assert figures
    assert tables
    assert figures | tables | {"verdicts", "data_set", "study"} == stems


def test_the_noise_levels_that_are_ours_are_owned():
    caption = (ROOT / "workflow" / "report" / "pa_figure_1.rst").read_text(encoding="utf-8")
    assert "10 % for b and 0 % for c are this study's choice" in caption
    assert "0.038" in caption


@pytest.mark.parametrize(
    ("name", "origin"),
    [
        ("pa_figure_1", "PA paper, Figure 1"),
        ("p4_figure_2", "P4 article, Figure 2"),
        ("tutorial_figure_10", "Tutorial, Figure 10"),
        ("pa_figure_1_other_data", "PA paper, after Figure 1"),
        ("prg_figures", "PRG paper"),
        ("part_figure_1", ""),
    ],
)
def test_names_of_figures_say_where_they_come_from(name, origin):
    assert origin_of(name) == origin


@pytest.mark.parametrize(
    ("text", "caption"),
    [
        ("A heading.\n\nMore. Words.", Caption("A heading", "More. Words.")),
        ("A heading. More.\n\nWords.\n", Caption("A heading. More", "Words.")),
        ("A heading of 0.5\nand no more.", Caption("A heading of 0.5 and no more", "")),
        (" \n", Caption("The name", "")),
        (None, Caption("The name", "")),
    ],
)
def test_the_first_paragraph_is_the_heading(text, caption):
    assert read_caption("the_name", text) == caption


def test_documents_that_nobody_knows_come_last():
    documents = ["Zoo", "tutorial", "Ark", "PA paper", "P4 article", "PRG paper"]
    assert sorted(documents, key=document_rank) == [
        "PA paper",
        "PRG paper",
        "P4 article",
        "tutorial",
        "Ark",
        "Zoo",
    ]
