"""CSV with decimal commas, other separators and encodings."""

import pytest

from nontrivial.scorecard.predictions import read_predictions


def test_decimal_commas_other_separators_and_encodings(tmp_path):
    path = tmp_path / "german.csv"
    path.write_bytes("Wahrheit|p\nüber|0,75\nunter|0,25\n".encode("latin-1"))
    with pytest.raises(ValueError, match="--encoding"):
        read_predictions(path, truth="Wahrheit", separator="|")
    read = read_predictions(
        path, truth="Wahrheit", separator="|", decimal=",", encoding="latin-1", positive="über"
    )
    assert read.score.tolist() == [0.75, 0.25]
    path.write_text("y;p\n1;1.234,5\n0;0,1\n")
    with pytest.raises(ValueError, match=r"'1\.234,5'"):
        read_predictions(path, decimal=",")


def test_a_mark_of_utf_16_names_it(tmp_path):
    path = tmp_path / "cases.csv"
    path.write_bytes("y,p\n1,0.5\n0,0.25\n".encode("utf-16"))
    with pytest.raises(ValueError, match="--encoding, such as utf-16"):
        read_predictions(path)
    assert read_predictions(path, encoding="utf-16").score.tolist() == [0.5, 0.25]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('"y","p"\n"1","ill",0.5\n"2","well",0.1\n', "row.names=FALSE"),
        ('"y" "p"\n"1" "ill" 0.5\n', "row.names=FALSE"),
        ("sep=;\ny;p\n1;0.5\n0;0.1;3\n", "3 fields in data row 2, but 2 names in its first line."),
    ],
)
def test_rows_with_more_cells_than_names_say_why(tmp_path, text, said):
    path = tmp_path / "cases.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=said) as error:
        read_predictions(path)
    assert "decimal" not in str(error.value)
