"""A pasted cross table is told from cases, and the message holds the command for its counts."""

import pandas as pd
import pytest

from nontrivial import score_predictions
from nontrivial.reading.cross_table import find_cross_table, refuse_counts
from nontrivial.reading.files import open_table

TWO = "nontrivial published --tn 45 --fp {} --fn {} --tp 40"
BOTH = f"{TWO.format(5, 10)} if the rows are the true classes, or {TWO.format(10, 5)} if the columns are."


@pytest.fixture
def table(tmp_path):
    def write(content):
        path = tmp_path / "a.csv"
        path.write_text(content)
        return open_table(path)

    return write


@pytest.mark.parametrize(
    ("content", "remedy"),
    [
        (",predicted ill,predicted well\nactual ill,40,10\nactual well,5,45\n", BOTH),
        ("study,TP,FP,FN,TN\na,40,5,10,45\nb,4,6,7,8\n", f"{TWO.format(5, 10)} for the first row."),
        ("y,p,Freq\nill,ill,40\nwell,ill,5\nill,well,10\nwell,well,45\n", BOTH),
        (",well,ill,All\nill,10,40,50\nwell,45,5,50\nAll,55,45,100\n", BOTH),
        ("actual,a,b,c\na,8,1,1\nb,0,9,1\nc,2,0,8\n", "nontrivial published --error 0.167 --classes 10,10,10."),
    ],
)
def test_a_cross_table_is_refused_with_the_command_for_its_counts(content, remedy, table):
    with pytest.raises(ValueError, match=r"^a\.csv holds .* of counts, .* is needed; for the counts, ") as caught:
        refuse_counts(table(content))
    assert str(caught.value).endswith(remedy)


@pytest.mark.parametrize(
    "content",
    [
        "y,ill,well\nill,1,0\nwell,0,1\n",  # two cases, with certain probabilities
        "y,ill,well\nill,0.8,0.2\nwell,0.1,0.9\n",
        "y,p,n\nill,0.4,40\nwell,0.1,45\n",
        "truth,prediction,n\nill,ill,40\nill,ill,10\nwell,well,45\n",  # a pair occurs twice
        "truth,prediction,age\nill,ill,40\nill,well,10\nwell,well,45\n",
        "id,y,p\n1,1,1\n2,0,0\n",
    ],
)
def test_files_of_cases_are_none(content, table):
    assert find_cross_table(table(content)) is None


def test_the_output_of_crosstab_is_one():
    counts = pd.crosstab(pd.Series(["ill"] * 9 + ["well"] * 9), pd.Series(["ill", "well", "well"] * 6))
    with pytest.raises(ValueError, match="nontrivial published --tn 6 --fp 3 --fn 6 --tp 3"):
        score_predictions(counts)  # a command to paste, without the words of Python
