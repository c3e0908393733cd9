"""What a reader asks first of each data set."""

from report.elements import parse, texts

from nontrivial.files import read_json, write_json
from nontrivial_study.report.page import render_page


def test_data_sets_are_described(results):
    table = parse(render_page(results, {})).one("table", id="table-datasets")
    assert texts(table.one("tbody").all("td")) == [
        "wdbcBreast Cancer",
        "569",
        "30",
        "benign: 357, malignant: 212positive: malignant",
        "scikit-learn, UCI 17CC BY 4.0",
        "0" * 64,
    ]
    assert table.one("a").attributes["href"] == "../data/wdbc.json"

    record = read_json(results / "data" / "wdbc.json")
    record |= {"source": "OpenML", "uci_id": None, "openml_task": 3, "openml_data": 5}
    write_json(results / "data" / "wdbc.json", record)
    table = parse(render_page(results, {})).one("table", id="table-datasets")
    assert texts(table.all("td"))[4] == "OpenML, task 3, data 5CC BY 4.0"
