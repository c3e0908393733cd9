"""Sparse data are read as if they were in full."""

from data.openml.fetched import SPARSE, fetch


def test_sparse_data_are_what_they_would_be_in_full(service):
    table, _, record = fetch(service, SPARSE)
    assert (
        table["a"].tolist()
        == [(i + 1) / 10 if i < 9 else float(f"0.{i + 1}") for i in range(20)] + [0.0] * 40
    )
    assert table["b"].isna().tolist() == [i % 2 == 0 for i in range(20)] + [False] * 40
    assert table["b"].dropna().tolist() == ["some"] * 10 + ["none"] * 40
    assert table["never"].tolist() == [0.0] * 60
    assert table["target"].tolist() == ["so"] * 20 + ["not so"] * 40
    assert record["labels"] == ["not so", "so"]
