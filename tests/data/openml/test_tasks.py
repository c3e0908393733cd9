"""OpenML's protocol for training: data set, target and folds over a real socket."""

import arff
import numpy as np
import pytest
from data.openml.fetched import LOGICAL, MIXED, SPARSE, THREE, fetch, kept
from servers.server import Server
from servers.sets import md5

from nontrivial_study.data.http.client import Client, Limits
from nontrivial_study.data.http.failures import DownloadError
from nontrivial_study.data.openml.service import OpenML

HEADER = "name,file,format,rows,features,target_column,classes_and_counts,license\n"
DATED = """@relation dated
@attribute never numeric
@attribute 'the day' DATE 'yyyy-MM-dd'
@attribute class {yes,no}
@data
"""


def test_values_texts_and_missing_cells_are_the_files(service, folder):
    table, _, record = fetch(service)
    rows = arff.loads((folder / "openml" / "mixed.arff").read_text("ascii"))["data"]
    expected = [[colour, size, label] for colour, size, label in rows]
    found = [
        [None if cell != cell else cell for cell in row] for row in table.astype(object).to_numpy().tolist()
    ]
    assert found == expected
    assert list(table.columns) == ["colour", "size", "target"]
    assert record["classes"] == {"no": 45, "yes": 15}
    assert (record["rows"], record["features"], record["positive"]) == (60, 2, "yes")
    assert (record["source"], record["openml_task"], record["openml_data"]) == ("OpenML", MIXED, 1)


def test_labels_keep_the_files_spelling(service):
    assert fetch(service, LOGICAL)[2]["classes"] == {"FALSE": 45, "TRUE": 15}


def test_folds_are_the_tasks(service, server):
    _, fold, _ = fetch(service)
    lines = server.openml.splits(str(MIXED)).decode().splitlines()
    expected = {
        int(row): int(k)
        for kind, row, _, k in (line.split(",") for line in lines if "," in line and line[0] == "T")
        if kind == "TEST"
    }
    assert {row: int(k) for row, k in enumerate(fold)} == expected
    assert sorted(np.bincount(fold)) == [6] * 10


def test_addresses_of_hosts_that_are_gone_are_not_followed(service, server):
    assert b"retired.invalid" in server.openml.task(str(MIXED))
    fetch(service)
    assert any(path.startswith("/data/v1/download/") for path in server.requests)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/data/v1/download/", "truncate"),
        ("/data/v1/download/", "wrong_rows"),
        ("/data/v1/download/", "single_class"),
        ("/data/v1/download/", "corrupt"),
        ("/data/1$", "wrong_md5"),
        ("/api_splits/", "truncate"),
        ("/api_splits/", "wrong_rows"),
        ("/data/features/", "truncate"),
        ("/data/qualities/", "truncate"),
    ],
)
def test_what_its_form_does_not_show_is_found_and_fetched_again(path, kind, service, server):
    server.faults.add(path, kind)
    table, _, record = fetch(service)
    assert (len(table), record["classes"]) == (60, {"no": 45, "yes": 15})
    assert service.client.counts["retries"] == 1


@pytest.mark.parametrize(
    ("path", "kind", "problem"),
    [
        ("/data/v1/download/", "truncate", "has md5"),
        ("/data/1$", "wrong_md5", "has md5"),
        ("/api_splits/", "truncate", "whose test folds miss or repeat"),
        ("/data/qualities/", "html", "answered with a web page"),
        ("/task/", "107", "refused with code 107: Database connection error"),
    ],
)
def test_what_stays_is_one_sentence_and_the_next_run_continues(path, kind, problem, service, server):
    server.faults.add(path, kind, times=-1)
    with pytest.raises(DownloadError) as caught:
        fetch(service)
    sentence = str(caught.value)
    assert sentence.startswith(f"Data set 'openml_{MIXED}' (OpenML task {MIXED}): {server.address}/")
    assert problem in sentence
    assert "run the same command again later" in sentence
    assert sentence.count("\n") == 0
    server.faults.clear()
    _, _, record = fetch(service)
    assert record["rows"] == 60


DIGEST = rb"(<oml:md5_checksum>)[0-9a-f]{32}"


@pytest.mark.parametrize("other", [rb"\1", rb"\1NotApplicable"])
def test_without_a_digest_the_count_of_rows_is_the_gate(other, service, server, rewrite):
    rewrite("/data/1$", DIGEST, other)
    server.faults.add("/data/v1/download/", "truncate", times=-1)
    with pytest.raises(
        DownloadError, match="leads to a data set of 39 rows where OpenML counts 60"
    ) as caught:
        fetch(service)
    assert not caught.value.lasting
    server.faults.clear()
    _, _, record = fetch(service)
    assert (record["rows"], record["md5"]) == (60, None)


def test_where_openml_has_not_counted_the_rows_the_folds_tell(service, server, rewrite):
    rewrite("/data/1$", DIGEST, rb"\1")
    rewrite("/data/qualities/", b"NumberOfInstances", b"NumberOfFeatures")
    assert fetch(service)[2]["rows"] == 60
    service.client.forget(f"{server.address}/data/v1/download/1/mixed.arff")
    server.faults.add("/data/v1/download/", "truncate", times=-1)
    with pytest.raises(
        DownloadError, match=rf"leads to {server.address}/api_splits/\S+, whose folds have rows"
    ):
        fetch(service)


def test_a_wrong_count_of_rows_is_found(service, rewrite):
    rewrite("/data/qualities/", rb">60\.0<", b">61.0<")
    with pytest.raises(DownloadError, match="of 60 rows where OpenML counts 61; take the task out") as caught:
        fetch(service)
    assert caught.value.lasting


@pytest.fixture
def dated(tmp_path, client):
    """The service with a set that has dates, and a column of numbers without a number."""
    rows = (f"?,'1999-12-{1 + i // 2:02}',{'yes' if i % 4 == 0 else 'no'}\n" for i in range(60))
    (tmp_path / "dated.arff").write_text(DATED + "".join(rows), encoding="ascii")
    (tmp_path / "index.csv").write_text(HEADER + "dated,dated.arff,arff,60,2,class,no=45; yes=15,\n", "ascii")
    with Server(tmp_path) as server:
        assert b" DATE " in server.openml.answer("/data/v1/download/1/dated.arff")
        yield OpenML(f"{server.address}/api/v1/xml", server.address, client)


def test_dates_are_texts(dated):
    table, _, record = fetch(dated)
    assert table["the day"].tolist() == [f"1999-12-{1 + i // 2:02}" for i in range(60)]
    assert record["classes"] == {"no": 45, "yes": 15}


def test_numbers_that_are_all_missing_stay_numbers(dated):
    table = fetch(dated)[0]
    assert table["never"].dtype == np.float64
    assert table["never"].isna().all()


def test_columns_that_openml_says_to_leave_out_are_left_out(service, rewrite):
    ignored = (
        rb"<oml:row_id_attribute>a</oml:row_id_attribute><oml:ignore_attribute>never</oml:ignore_attribute>"
    )
    rewrite("/data/4$", b"<oml:visibility>", ignored + b"<oml:visibility>")
    assert list(fetch(service, SPARSE)[0].columns) == ["b", "target"]


def test_data_that_changed_between_two_runs_are_read_as_they_are_now(service, server, rewrite):
    fetch(service)
    service.client.forget(f"{server.address}/data/v1/download/1/mixed.arff")
    rewrite("/data/v1/download/1/", b"red,1,", b"red,1000,")
    changed = md5(server.openml.answer("/data/v1/download/1/mixed.arff")).encode()
    rewrite("/data/1$", DIGEST, rb"\g<1>" + changed)
    table, _, record = fetch(service)
    assert table["size"].max() == 1000
    assert record["md5"] == changed.decode()


def test_a_file_that_moved_between_two_runs_is_found_at_its_new_place(service, server, rewrite):
    fetch(service)
    service.client.forget(f"{server.address}/data/v1/download/1/mixed.arff")
    server.faults.add("/data/v1/download/1/mixed.arff", "404", times=-1)
    rewrite("/data/1$", b"mixed.arff", b"moved.arff")
    assert fetch(service)[2]["rows"] == 60
    with pytest.raises(DownloadError, match="answered with status 404"):
        fetch(OpenML(service.api, f"{server.address}/elsewhere", service.client), THREE)


def test_what_came_whole_is_not_asked_for_again_after_a_failure(service, server):
    server.faults.add("/api_splits/", "xhtml_504", times=4)
    with pytest.raises(DownloadError, match="answered with status 504"):
        fetch(service)
    before = {path for path in server.requests if "/api_splits/" not in path}
    server.requests.clear()
    fetch(service)
    assert before
    assert not before & set(server.requests)


def test_parquet_which_has_no_digest_is_not_asked_for(service, server):
    assert b"parquet_url" in server.openml.answer("/api/v1/xml/data/1")
    fetch(service)
    assert not any(".pq" in path for path in server.requests)


def test_nul_bytes_in_data_and_folds_do_not_matter(service, rewrite):
    rewrite("/data/1$", DIGEST, rb"\1NotApplicable")
    rewrite("/data/v1/download/|/api_splits/", rb"$(?!\n)", b"\0")
    table, fold, _ = fetch(service)
    assert (len(table), len(fold)) == (60, 60)


def test_descriptions_of_tasks_without_the_number_of_their_type_are_read(service, rewrite):
    rewrite("/task/", b"<oml:task_type_id>1</oml:task_type_id>", b"")
    assert fetch(service)[2]["rows"] == 60


def test_a_task_that_is_not_cross_validated_is_refused(service, rewrite):
    rewrite("/task/", b"crossvalidation", b"holdout")
    with pytest.raises(DownloadError, match="is evaluated by holdout where crossvalidation is needed"):
        fetch(service)


def test_two_classes_are_needed(service, cache):
    problem = "leads to a target of 3 classes where two are needed; take the task out of openml.tasks"
    with pytest.raises(DownloadError, match=problem):
        fetch(service, THREE)
    assert kept(cache) == []
    assert service.client.counts["retries"] == 0


@pytest.mark.parametrize(
    ("path", "old", "new", "error"),
    [
        ("/api/v1/xml/data/features/1", b"oml:name>", b"oml:title>", "KeyError: 'oml:name'"),
        ("/api/v1/xml/data/qualities/1", b"oml:name>", b"oml:title>", "KeyError: 'oml:name'"),
        ("/api/v1/xml/data/1", b"oml:version>", b"oml:edition>", "KeyError: 'oml:version'"),
        (f"/api_splits/get/{MIXED}/Task_{MIXED}_splits.arff", b"rowid", b"row", "ValueError: 'rowid'"),
        ("/data/v1/download/1/mixed.arff", b"size numeric", b"size unheard_of", "ValueError: line "),
    ],
)
def test_what_cannot_be_read_is_named(path, old, new, error, service, server, rewrite):
    rewrite(f"{path}$", old, new)
    rewrite("/data/1$", DIGEST, rb"\1")
    with pytest.raises(DownloadError) as caught:
        fetch(service)
    assert f" leads to {server.address}{path}, which cannot be read ({error}" in str(caught.value)


def test_an_unknown_task_is_said_at_once(service, server):
    with pytest.raises(DownloadError, match="refused with code 151: Unknown task; check the ids"):
        fetch(service, 77)
    assert len(server.requests) == 1


def test_a_resumed_download_asks_for_nothing_twice(service, server):
    fetch(service)
    before = len(server.requests)
    fetch(service)
    assert len(server.requests) == before


def test_jobs_at_once_have_caches_of_their_own(server, cache):
    """Interleaved readers would meet in the package's own cache if they shared one."""
    services = [
        OpenML(f"{server.address}/api/v1/xml", server.address, Client(cache, Limits(pause=0.01)))
        for _ in range(2)
    ]
    records = [fetch(one)[2] for one in services]
    assert records[0] == records[1]
