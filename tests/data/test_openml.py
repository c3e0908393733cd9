"""OpenML's protocol for training: data set, target and folds over a real socket."""

import arff
import numpy as np
import pytest
from servers.server import Server

from nontrivial_study.data.http import Client, DownloadError
from nontrivial_study.data.openml import OpenML, fetch_task, secret_parameters

MIXED, THREE, LOGICAL, SPARSE = 10_001, 10_002, 10_003, 10_004
DIGEST = rb"(<oml:md5_checksum>)[0-9a-f]{32}"


def fetch(service, task=MIXED):
    return fetch_task(f"openml_{task}", task, service)


def test_values_texts_and_missing_cells_are_the_files(service, folder):
    table, _, record = fetch(service)
    rows = arff.loads((folder / "openml" / "mixed.arff").read_text("ascii"))["data"]
    found = [
        [None if cell != cell else cell for cell in row] for row in table.astype(object).to_numpy().tolist()
    ]
    assert found == [list(row) for row in rows]
    assert list(table.columns) == ["colour", "size", "target"]
    assert record["classes"] == {"no": 45, "yes": 15}
    assert (record["rows"], record["features"], record["positive"]) == (60, 2, "yes")
    assert (record["source"], record["openml_task"], record["openml_data"]) == ("OpenML", MIXED, 1)


def test_labels_keep_the_files_spelling(service):
    assert fetch(service, LOGICAL)[2]["classes"] == {"FALSE": 45, "TRUE": 15}


def test_sparse_rows_keep_labels_doubles_and_rows_without_a_cell(service):
    table, _, record = fetch(service, SPARSE)
    assert table["a"].tolist() == [float(f"0.{i + 1}") for i in range(20)] + [0.0] * 40
    assert table["b"].isna().sum() == 10
    assert (table["never"] == 0).all()
    assert record["classes"] == {"not so": 40, "so": 20}


def test_folds_are_the_tasks(service, server):
    _, fold, _ = fetch(service)
    lines = server.openml.splits(str(MIXED)).decode().splitlines()
    tested = [line.split(",") for line in lines if line.startswith("TEST,")]
    assert {row: int(k) for row, k in enumerate(fold)} == {int(row): int(k) for _, row, _, k in tested}
    assert sorted(np.bincount(fold)) == [6] * 10


def test_files_are_asked_for_at_the_configured_bases_once_and_without_parquet(service, server):
    assert b"retired.invalid" in server.openml.task(str(MIXED))
    assert b"parquet_url" in server.openml.answer("/api/v1/xml/data/1")
    fetch(service)
    fetch(service)
    assert len(server.requests) == 6
    assert any(path.startswith("/data/v1/download/") for path in server.requests)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/data/v1/download/", "truncate"),
        ("/data/v1/download/", "corrupt"),
        ("/data/1$", "wrong_md5"),
        ("/api_splits/", "truncate"),
        ("/api_splits/", "wrong_rows"),
        ("/data/features/", "truncate"),
        ("/data/qualities/", "html"),
        ("/task/", "107"),
    ],
)
def test_a_fault_that_passes_ends_in_the_right_result_and_one_that_stays_in_a_sentence(
    path, kind, service, server, tmp_path
):
    server.faults.add(path, kind)
    table, _, record = fetch(service)
    assert (len(table), record["classes"]) == (60, {"no": 45, "yes": 15})
    client = Client(tmp_path / "other", rate=1000, timeout=60, attempts=3, pause=0.01)
    other = OpenML(service.api, service.data, client)
    server.faults.add(path, kind, times=-1)
    form = (
        rf"^Data set 'openml_{MIXED}' \(OpenML task {MIXED}\): {server.address}/\S+ .*; run the same command again "
        r"later: [^\n]*; if it stays so, take the task out of openml\.tasks in the configuration\.$"
    )
    with pytest.raises(DownloadError, match=form):
        fetch(other)
    server.faults.clear()
    assert fetch(other)[2] == record


@pytest.mark.parametrize("other", [rb"\1", rb"\1NotApplicable"])
def test_without_a_digest_the_count_of_rows_is_the_gate(other, service, server, rewrite):
    rewrite("/data/1$", DIGEST, other)
    server.faults.add("/data/v1/download/", "truncate", times=-1)
    with pytest.raises(DownloadError, match="leads to a data set of 39 rows where OpenML counts 60"):
        fetch(service)
    server.faults.clear()
    assert (fetch(service)[2]["rows"], fetch(service)[2]["md5"]) == (60, None)


def test_where_openml_has_not_counted_the_rows_the_folds_tell(service, server, rewrite):
    rewrite("/data/1$", DIGEST, rb"\1")
    rewrite("/data/qualities/", b"NumberOfInstances", b"NumberOfFeatures")
    server.faults.add("/data/v1/download/", "truncate", times=-1)
    with pytest.raises(DownloadError, match="folds that have rows which the data set does not have"):
        fetch(service)


def test_a_kept_description_that_is_out_of_date_is_fetched_again(service, server, rewrite):
    fetch(service)
    service.client.forget(f"{server.address}/data/v1/download/1/mixed.arff")
    server.faults.add("/data/v1/download/1/mixed.arff", "404", times=-1)
    rewrite("/data/1$", b"mixed.arff", b"moved.arff")
    assert fetch(service)[2]["rows"] == 60


def test_columns_that_openml_says_to_leave_out_are_left_out(service, rewrite):
    ignored = (
        rb"<oml:row_id_attribute>a</oml:row_id_attribute><oml:ignore_attribute>never</oml:ignore_attribute>"
    )
    rewrite("/data/4$", b"<oml:visibility>", ignored + b"<oml:visibility>")
    assert list(fetch(service, SPARSE)[0].columns) == ["b", "target"]


def test_nul_bytes_and_old_descriptions_do_not_matter(service, rewrite):
    rewrite("/data/1$", DIGEST, rb"\1NotApplicable")
    rewrite("/data/v1/download/|/api_splits/", rb"$(?!\n)", b"\0")
    rewrite("/task/", b"<oml:task_type_id>1</oml:task_type_id>", b"")
    table, fold, _ = fetch(service)
    assert (len(table), len(fold)) == (60, 60)


def test_dates_are_texts_and_numbers_that_are_all_missing_stay_numbers(tmp_path, client):
    head = "@relation d\n@attribute never numeric\n@attribute 'the day' DATE 'yyyy-MM-dd'\n"
    head += "@attribute class {yes,no}\n@data\n"
    rows = (f"?,'1999-12-{1 + i // 2:02}',{'yes' if i % 4 == 0 else 'no'}\n" for i in range(60))
    (tmp_path / "dated.arff").write_text(head + "".join(rows), encoding="ascii")
    index = "name,file,format,rows,features,target_column,classes_and_counts,license\n"
    index += "dated,dated.arff,arff,60,2,class,no=45; yes=15,\n"
    (tmp_path / "index.csv").write_text(index, "ascii")
    with Server(tmp_path) as server:
        table = fetch(OpenML(f"{server.address}/api/v1/xml", server.address, client))[0]
    assert table["the day"].tolist() == [f"1999-12-{1 + i // 2:02}" for i in range(60)]
    assert table["never"].dtype == np.float64


@pytest.mark.parametrize(
    ("path", "old", "new", "problem"),
    [
        ("/task/", b"crossvalidation", b"holdout", "is evaluated by holdout where crossvalidation is needed"),
        ("/task/", b"task_id>10001<", b"task_id>1<", "describes another task than 10001"),
        ("/data/1$", b"<oml:id>1<", b"<oml:id>2<", "describes another data set than 1"),
        ("/data/qualities/", rb">60\.0<", b">61.0<", "of 60 rows where OpenML counts 61"),
        ("/data/features/", b"oml:name>", b"oml:title>", r"cannot be read \(KeyError: 'oml:name'\)"),
        (
            "/task/",
            b"target_feature>class<",
            b"target_feature>label<",
            "the target 'label', which its data set",
        ),
    ],
)
def test_what_does_not_fit_together_is_said(path, old, new, problem, service, rewrite):
    rewrite(path, old, new)
    with pytest.raises(DownloadError, match=problem):
        fetch(service)


def test_two_classes_are_needed(service):
    with pytest.raises(DownloadError, match="leads to a target of 3 classes where two are needed"):
        fetch(service, THREE)


def test_an_unknown_task_is_told(service):
    with pytest.raises(DownloadError, match="refused with code 151: Unknown task; check the ids") as caught:
        fetch(service, 77)
    assert caught.value.lasting


def test_a_key_that_is_not_known_is_told_at_once(service, server, monkeypatch):
    monkeypatch.setenv("OPENML_API_KEY", " c0ffee ")
    assert secret_parameters() == {"api_key": "c0ffee"}
    server.faults.add("/task/", "102")
    with pytest.raises(
        DownloadError, match=r"OPENML_API_KEY in the environment, or unset it: reading needs no key\.$"
    ):
        fetch(service)
    assert len(server.requests) == 1
