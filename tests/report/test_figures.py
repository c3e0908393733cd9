"""Pictures and captions: the documents' order, the smaller form, and what is left out where not all fit."""

import base64
from pathlib import Path
from urllib.parse import unquote

import pytest
from docutils import nodes
from docutils.core import publish_doctree
from report.small_results import SOURCES

from nontrivial_study.declarations import load_experiments
from nontrivial_study.report.figures import read_caption, read_pictures


@pytest.fixture
def figures(tmp_path):
    folder = tmp_path / "figures"
    folder.mkdir()

    def write(**sizes):
        for name, size in sizes.items():
            stem, ending = name.rsplit("__", 1)
            (folder / f"{stem}.{ending}").write_bytes(bytes(size))
        return tmp_path

    return write


def test_figures_stand_by_document_its_own_ones_first(figures):
    names = ["pa_figure_1", "pa_figure_2", "pa_losses", "prg_figure_4", "p4_plane", "tutorial_roc", "ark"]
    pictures = read_pictures(figures(**{f"{name}__png": 9 for name in names}), 10**6, list(SOURCES))
    assert [picture.name for picture in pictures] == names


def test_the_shorter_form_is_embedded(figures):
    results = figures(a__png=300, a__pdf=1, a__csv=1)
    drawing = results / "figures" / "a.svg"
    drawing.write_text("<svg>\n <text x='1'>50 % &amp; \"more\"</text>\n</svg>")
    (picture,) = read_pictures(results, 10**6)
    head, data = picture.address.split(",", 1)
    assert head == "data:image/svg+xml"
    assert unquote(data) == "<svg> <text x='1'>50 % &amp; \"more\"</text> </svg>"
    assert not set(data) & set("<>\"'&#\n")
    assert picture.files == {kind: f"figures/a.{kind}" for kind in ("svg", "pdf", "png", "csv")}

    drawing.write_text(f"<svg>{'x' * 999}</svg>")
    (picture,) = read_pictures(results, 10**6)
    head, data = picture.address.split(";base64,")
    assert head == "data:image/png"
    assert base64.b64decode(data) == bytes(300)


def test_outlines_are_embedded_to_a_hundredth(figures):
    drawing = figures() / "figures" / "a.svg"
    drawing.write_text('<svg><path id="0.123456" d="M 1.23456 -0.789 L 2 3.4z"/><text>0.123456</text></svg>')
    (picture,) = read_pictures(drawing.parents[1], 10**6)
    expected = '<svg><path id="0.123456" d="M 1.23 -0.78 L 2 3.4z"/><text>0.123456</text></svg>'
    assert unquote(picture.address.partition(",")[2]) == expected


def test_the_longest_are_left_out_where_not_all_fit(figures):
    results = figures(pa_big__png=3000, pa_small__png=300, prg_middle__png=600)
    pictures = read_pictures(results, 1300)
    assert [picture.address is not None for picture in pictures] == [False, True, True]
    assert sum(len(picture.address) for picture in pictures[1:]) <= 1300
    assert all(picture.address for picture in read_pictures(results, 6000))


def test_files_that_are_no_pictures_make_no_figure(figures):
    assert read_pictures(figures(a__csv=3, a__pdf=3), 10**6) == []


ROOT = Path(__file__).parents[2]
OF_EXPERIMENTS = {
    path for experiment in load_experiments().values() for path in map(experiment.caption_file, experiment.results)
}
CAPTIONS = sorted([*OF_EXPERIMENTS, *(ROOT / "workflow" / "report").glob("*.rst")])


@pytest.mark.parametrize("path", CAPTIONS, ids=lambda path: path.stem)
def test_a_caption_is_a_heading_and_one_plain_paragraph(path):
    text = path.read_text(encoding="utf-8")
    document = publish_doctree(text, settings_overrides={"report_level": 5})
    assert [type(part) for part in document.children] == [nodes.paragraph] * 2
    for paragraph in document.children:
        assert [type(child) for child in paragraph.children] == [nodes.Text], "markup stands literally on the page"
    assert text.endswith(".\n")
    assert len(text) > 200
    caption = read_caption(path.stem, text)
    assert 15 < len(caption.title) <= 80
    assert ":" not in caption.title
    assert caption.text


def test_there_is_no_caption_of_what_nothing_declares():
    assert set((ROOT / "src" / "nontrivial_study" / "experiments").glob("*/captions/*.rst")) == OF_EXPERIMENTS
