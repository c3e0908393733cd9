"""Files of published scores: whatever they hold, a verdict for each row or one sentence."""

import csv

import pytest
from commands import assert_one_sentence, run
from hypothesis import given
from hypothesis import strategies as st

VERDICTS = {"better", "worse", "inconclusive", "impossible", "not judged"}
printed = st.one_of(
    st.decimals(-1, 1, places=3).map(str),
    st.sampled_from(["", "0", "1", "97%", ">0.3", "<70%", "-0.0", "1e-300", "1e300", "nan", "=1+1", ">", "%"]),
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6),
)
rows = st.fixed_dictionaries(
    {"error": printed, "mcc": printed, "f1": printed, "diagnostic odds ratio": printed, "note": printed}
)


def judge(path, positives, n):
    """Check that the command has a verdict for each row, or ends with one sentence."""
    result = run("published", path, "--format", "csv", "--positives", positives, "--n", n)
    if result.exit_code == 0:
        assert {row["verdict"] for row in csv.DictReader(result.stdout.splitlines())} <= VERDICTS
    else:
        assert_one_sentence(result)


@given(st.lists(rows, min_size=1, max_size=2), st.integers(-1, 40), st.integers(-1, 60))
def test_any_rows_have_verdicts_or_one_sentence(tmp_path_factory, cells, positives, n):
    path = tmp_path_factory.mktemp("rows") / "papers.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, cells[0])
        writer.writeheader()
        writer.writerows(cells)
    judge(path, positives, n)


@pytest.mark.parametrize("n", ["3000000", "1000000000", "1000000000000000"])
def test_counts_of_any_size_take_seconds_or_are_refused(tmp_path, n):
    path = tmp_path / "papers.csv"
    path.write_text("error,mcc,recall\n0.1,,\n0.1,0.123,0.1234567\n")
    judge(path, 1000000, n)
