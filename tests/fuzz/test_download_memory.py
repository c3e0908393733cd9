"""Documents that are made to fill the memory end in one sentence, and the job stays under 1 GB."""

import gzip
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from servers.openml import OpenML as Protocol
from servers.server import Server

MEGABYTE = 1_000_000
TASK = 3872

JOB = """
import json, resource, sys
from nontrivial_study.data.http.failures import DownloadError
from nontrivial_study.data.http.client import Client
from nontrivial_study.data.http.limits import Limits
from nontrivial_study.data.openml.service import OpenML
from nontrivial_study.data.openml.archive import list_evaluations, list_tasks
from nontrivial_study.data.openml.runs import fetch_archived_tasks
from nontrivial_study.data.openml.tasks import fetch_task
from nontrivial_study.data.uci import fetch_uci

address, what = sys.argv[1:]
client = Client(None, Limits(attempts=1, patience=600))
service = OpenML(f"{address}/api/v1/xml", address, client)
entry = {"uci_id": 43, "labels": {"1": "a", "2": "b"}, "source": "UCI"}
run = {"run": 1001, "flow": 1, "flow_name": "f", "areas": [0.5, 0.5]}
drawn = {"task": 3872, "always": False, "runs": [run], "reserve": [], "left_out": []}
ways = {
    "lists": lambda: list_tasks(service),
    "evaluations": lambda: list_evaluations(service, range(1001, 2001), "2015-07-31"),
    "task": lambda: fetch_task("openml_3872", 3872, service),
    "runs": lambda: list(fetch_archived_tasks({"openml_3872": drawn}, service)),
    "uci": lambda: fetch_uci("haberman", entry, address, client),
}
try:
    ways[what]()
    said = ""
except DownloadError as error:
    said = str(error)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
print(json.dumps([said, peak]))
"""


def attributes(count):
    return b"@relation r\n" + b"".join(b"@attribute a%d numeric\n" % number for number in range(count))


def page(entries):
    return b'<oml:tasks xmlns:oml="x">' + entries + b"</oml:tasks>"


SPLITS = b"@relation s\n@attribute type {TRAIN,TEST}\n" + b"".join(
    b"@attribute %b numeric\n" % name for name in (b"rowid", b"repeat", b"fold")
)

# Which job, which document, and what comes in its place; a packed one where it is only then small.
GREEDY = {
    "endless list": ("lists", "/task/list/", None),
    "endless data": ("task", "/data/v1/download/", None),
    "endless predictions": ("runs", "/data/download/", None),
    "gzip of 500 MB": ("task", "/xml/task/3872", lambda: gzip.compress(bytes(5 * MEGABYTE), 1) * 100),
    "attributes of tags": ("lists", "/task/list/", lambda: page(b"<a b='' c=''/>" * (39 * MEGABYTE // 14))),
    "tags": ("lists", "/task/list/", lambda: page(b"".join(b"<t%d/>" % i for i in range(1_100_000)))),
    "items of tasks": ("evaluations", "/evaluation/", lambda: page(b"<a/>" * (39 * MEGABYTE // 4))),
    "deep tags": ("lists", "/task/list/", lambda: page(b"<a>" * 1_200_000 + b"</a>" * 1_200_000)),
    "sparse rows": (
        "task",
        "/data/v1/download/",
        lambda: attributes(30_000) + b"@data\n" + b"{ }\n" * 30_000,
    ),
    "sparse cells": (
        "task",
        "/data/v1/download/",
        lambda: attributes(10) + b"@data\n" + b"{0 1,1 2,2 3}\n" * 350_000,
    ),
    "dense cells": (
        "task",
        "/data/v1/download/",
        lambda: attributes(3) + b"@data\n" + b"1,2,3\n" * 800_000,
    ),
    "columns of data": ("task", "/data/v1/download/", lambda: attributes(800_000) + b"@data\n"),
    "fold rows": ("task", "/api_splits/", lambda: SPLITS + b"@data\n" + b"TEST,0,0,1\n" * 490_000),
    "columns of predictions": ("runs", "/data/download/", lambda: attributes(800_000) + b"@data\n0\n"),
    "cells of predictions": (
        "runs",
        "/data/download/",
        lambda: (
            attributes(100)
            + b"@attribute row_id numeric\n@attribute prediction {a}\n@data\n"
            + b"0," * 2_400_000
        ),
    ),
    "columns of a table": ("uci", "data.csv", lambda: b",".join(b"%d" % i for i in range(2_400_000)) + b"\n"),
    "items of a description": ("uci", "/api/dataset", lambda: b'{"data":[' + b"{}," * 5_000_000 + b"1]}"),
}
READABLE = {"tags", "deep tags"}  # empty lists, if one looks at them
OFTEN = ("gzip of 500 MB", "sparse rows")


def pytest_generate_tests(metafunc):
    """Try a few documents in each run, and all of them with ``--hours``: that takes two minutes of CPU time."""
    metafunc.parametrize("name", GREEDY if metafunc.config.getoption("--hours", 0) else OFTEN)


class Greedy(BaseHTTPRequestHandler):
    """Answers one address greedily, the others as the server does."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = self.server.bodies.get(next((p for p in self.server.bodies if p in self.path), None), b"")
        try:
            if body is None:
                self.send_response(200)
                self.send_header("Connection", "close")
                self.end_headers()
                while True:
                    self.wfile.write(bytes(MEGABYTE))
            status, body = (200, body) if body else self.server.right.answer(self.path)
            self.send_response(status)
            if body[:2] == b"\x1f\x8b":
                self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            self.close_connection = True

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def right(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sets")
    (folder / "uci").mkdir()
    (folder / "uci" / "haberman.data").write_text("1,2,3,1\n" * 306, encoding="ascii")
    (folder / "index.csv").write_text("name,file,format\n", encoding="ascii")
    with Server(folder, archive_tasks=2, archive_rows=40, archive_flows=2) as server:
        yield server


def test_a_greedy_document_is_one_sentence_and_little_memory(name, right, warm, tmp_path, monkeypatch):
    what, path, make = GREEDY[name]
    describe = Protocol.description

    def without_digest(openml, data_id):  # which would refuse the data before they are read
        body = describe(openml, data_id)
        start = body.index(b"<oml:md5_checksum>") + len(b"<oml:md5_checksum>")
        return body[:start] + body[start + 32 :]

    def sparse(openml, data_id):
        return without_digest(openml, data_id).replace(b">ARFF<", b">Sparse_ARFF<")

    routes = [
        (pattern, (sparse if "sparse" in name else without_digest) if method is describe else method)
        for pattern, method in sys.modules["servers.openml"]._ROUTES
    ]
    monkeypatch.setattr(sys.modules["servers.openml"], "_ROUTES", routes)
    with ThreadingHTTPServer(("127.0.0.1", 0), Greedy) as server:
        server.daemon_threads = True
        server.right, server.bodies = right, {path: make() if make else None}
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}"
        with (tmp_path / "stdout").open("w+b") as stdout:
            assert warm.run(JOB, [address, what], stdout=stdout, stderr=sys.__stderr__) == 0
        server.shutdown()
    said, peak = json.loads((tmp_path / "stdout").read_text().splitlines()[-1])
    assert peak < 1_000 * MEGABYTE, said
    assert "\n" not in said
    assert address in said or name in READABLE
