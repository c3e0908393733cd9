"""Pictures: the documents' order, the smaller form, and what is left out where not all fit."""

import base64

import pytest

from nontrivial.report.pictures import read_pictures


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
    names = [
        "tutorial_roc",
        "zoo",
        "p4_plane",
        "prg_figure_4",
        "pa_losses",
        "pa_figure_2",
        "pa_figure_1",
        "ark",
    ]
    pictures = read_pictures(figures(**{f"{name}__png": 9 for name in names}))
    assert [picture.name for picture in pictures] == [
        "pa_figure_1",
        "pa_figure_2",
        "pa_losses",
        "prg_figure_4",
        "p4_plane",
        "tutorial_roc",
        "ark",
        "zoo",
    ]


@pytest.mark.parametrize(("svg", "png", "kind"), [(10, 20, "image/svg+xml"), (20, 10, "image/png")])
def test_the_smaller_form_is_embedded(figures, svg, png, kind):
    (picture,) = read_pictures(figures(a__svg=svg, a__png=png, a__pdf=1, a__csv=1))
    head, data = picture.address.split(";base64,")
    assert head == f"data:{kind}"
    assert base64.b64decode(data) == bytes(10)
    assert picture.files == {kind: f"figures/a.{kind}" for kind in ("svg", "pdf", "png", "csv")}


def test_the_largest_are_left_out_where_not_all_fit(figures):
    results = figures(pa_big__png=3000, pa_small__png=300, prg_middle__png=600)
    pictures = read_pictures(results, budget=1300)
    assert [picture.address is not None for picture in pictures] == [False, True, True]
    assert all(picture.address for picture in read_pictures(results, budget=6000))


def test_files_that_are_no_pictures_make_no_figure(figures):
    assert read_pictures(figures(a__csv=3, a__pdf=3)) == []
