"""OpenML's protocol for training: data set, target and folds over a real socket."""

import arff
import numpy as np
import pytest

from nontrivial.data.http import Client, DownloadError, Limits
from nontrivial.data.openml_api import OpenML, read_document, secret_parameters
from nontrivial.data.openml_tasks import fetch_task

MIXED, THREE, LOGICAL = 10_001, 10_002, 10_003


def kept(cache):
    return sorted(path.name for path in cache.rglob("*.gz"))


def fetch(service, task=MIXED):
    return fetch_task(f"openml_{task}", task, service)


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


EVERY = ["/task/", "/data/1$", "/data/features/", "/data/qualities/", "/api_splits/", "/data/v1/download/"]


@pytest.mark.parametrize("path", EVERY)
@pytest.mark.parametrize("kind", ["cut", "html", "xhtml_504", "107"])
def test_a_fault_that_passes_ends_in_the_right_task(kind, path, service, server):
    _, fold, record = fetch(service)
    service.client.cache = None
    server.faults.add(path, kind)
    _, again, same = fetch(service)
    assert service.client.counts["retries"] == 1
    assert same == record
    assert np.array_equal(fold, again)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/data/v1/download/", "truncate"),
        ("/data/v1/download/", "wrong_rows"),
        ("/data/v1/download/", "single_class"),
        ("/data/1$", "wrong_md5"),
        ("/api_splits/", "truncate"),
        ("/api_splits/", "wrong_rows"),
        ("/data/features/", "truncate"),
    ],
)
def test_what_its_form_does_not_show_is_found_and_fetched_again(path, kind, service, server):
    # A wrong digest stays wrong until the description is fetched again, in the next run.
    server.faults.add(path, kind)
    if kind == "wrong_md5":
        with pytest.raises(DownloadError, match=r"has md5 .* where OpenML's description says 0000"):
            fetch(service)
    table, _, record = fetch(service)
    assert (len(table), record["classes"]) == (60, {"no": 45, "yes": 15})


@pytest.mark.parametrize(
    ("path", "kind", "problem"),
    [
        ("/data/v1/download/", "truncate", "has md5"),
        ("/data/1$", "wrong_md5", "has md5"),
        ("/api_splits/", "truncate", "test folds that miss or repeat"),
        ("/data/qualities/", "html", "answered with a web page"),
        ("/task/", "107", "says no, with code 107: Database connection error"),
    ],
)
def test_what_stays_is_one_sentence_and_the_next_run_continues(path, kind, problem, service, server, cache):
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


def test_without_a_digest_the_count_of_rows_is_the_gate(service, server, monkeypatch):
    answer = server.openml.answer

    def undigested(path):
        return answer(path).replace(b"oml:md5_checksum", b"oml:former_checksum")

    monkeypatch.setattr(server.openml, "answer", undigested)
    server.faults.add("/data/v1/download/", "truncate", times=-1)
    with pytest.raises(DownloadError, match="leads to a data set of 39 rows where OpenML counts 60"):
        fetch(service)


def test_two_classes_are_needed(service, cache):
    with pytest.raises(DownloadError, match="leads to a target of 3 classes where two are needed"):
        fetch(service, THREE)
    assert kept(cache) == []


def test_an_unknown_task_is_said_at_once(service, server):
    with pytest.raises(DownloadError, match="says no, with code 151: Unknown task; check the ids"):
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


def test_a_key_comes_from_the_environment_alone(monkeypatch):
    monkeypatch.delenv("OPENML_API_KEY", raising=False)
    assert secret_parameters() == {}
    monkeypatch.setenv("OPENML_API_KEY", "c0ffee")
    assert secret_parameters() == {"api_key": "c0ffee"}


def test_a_key_reaches_the_service_and_no_file(server, cache, monkeypatch):
    client = Client(cache, Limits(pause=0.01), secrets={"api_key": "c0ffee"})
    _, _, record = fetch(OpenML(f"{server.address}/api/v1/xml", server.address, client))
    assert all("api_key=c0ffee" in path for path in server.requests)
    assert "c0ffee" not in str(record) + " ".join(kept(cache))


def test_entities_are_not_expanded():
    bomb = b'<!DOCTYPE x [<!ENTITY a "b">]><oml:run xmlns:oml="y">&a;</oml:run>'
    with pytest.raises(ValueError, match="is not the XML expected"):
        read_document(bomb, "run")
