"""Documents that nobody would send, and kept ones that nobody kept: one sentence or the right result."""

import contextlib
import gzip
import os
import re
import time
import zlib
from copy import deepcopy
from functools import cache
from pathlib import Path

import pandas as pd
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from servers.archive import FIRST_FILE
from servers.server import Server
from servers.sets import ADA_TASK

from nontrivial_study.data.canonical import canonical_sha256, canonical_table
from nontrivial_study.data.http.answer import Answer
from nontrivial_study.data.http.client import Client
from nontrivial_study.data.http.failures import DownloadError, WrongAnswer
from nontrivial_study.data.http.kept import Kept
from nontrivial_study.data.http.limits import Limits
from nontrivial_study.data.http.packing import TooLarge, unpack
from nontrivial_study.data.http.reading import reading
from nontrivial_study.data.openml.archive import list_evaluations, list_tasks
from nontrivial_study.data.openml.predictions_arff import read_predictions
from nontrivial_study.data.openml.runs import fetch_archived_tasks
from nontrivial_study.data.openml.service import OpenML
from nontrivial_study.data.openml.tasks import fetch_task
from nontrivial_study.data.uci import fetch_uci

LIMITS = Limits(timeout=60, patience=600, attempts=2, pause=0.001)
DATASETS = yaml.safe_load((Path(__file__).parents[2] / "config" / "datasets.yaml").read_text("utf-8"))
RUN, LISTED = 1001, range(1001, 2001)
DIGEST = (rb"md5_checksum>[0-9a-f]{32}", b"md5_checksum>")

# Each document: what is made of it, and where it stands.
PLACES = {
    "uci description": ("uci", r"/api/dataset\?id=43$"),
    "uci table": ("uci", r"/data\.csv$"),
    "list of tasks": ("lists", "/task/list/.*/offset/0$"),
    "evaluations": ("lists", "/evaluation/"),
    "task": ("task", f"/xml/task/{ADA_TASK}$"),
    "description": ("task", r"/xml/data/\d+$"),
    "features": ("task", "/data/features/"),
    "qualities": ("task", "/data/qualities/"),
    "splits": ("task", "/api_splits/"),
    "data": ("task", "/data/v1/download/"),
    "run": ("runs", f"/run/{RUN}$"),
    "predictions": ("runs", f"/data/download/{FIRST_FILE + RUN}/"),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sets")
    (folder / "uci").mkdir()
    rows = (f"{30 + i % 50},{60 + i % 9},{i % 7},{1 + (i < 81)}" for i in range(306))
    (folder / "uci" / "haberman.data").write_text("\n".join(rows), encoding="ascii")
    (folder / "index.csv").write_text("name,file,format\n", encoding="ascii")
    with Server(folder, archive_tasks=2, archive_rows=60, archive_flows=2) as server:
        yield server


@pytest.fixture(scope="module")
def ways(server):
    """Functions that make each kind of result through a client."""
    raw = pd.read_csv(server.folder / "uci" / "haberman.data", header=None)
    table = canonical_table(raw.iloc[:, :3], raw[3], {1: "survived", 2: "died"})
    haberman = DATASETS["haberman_uci"] | {"sha256": canonical_sha256(table)}
    archive = server.openml.archive
    runs = [
        RUN + place
        for place, _ in enumerate(range(4))
        if archive.run(RUN + place).task == archive.run(RUN).task
    ]
    task = archive.run(RUN).task
    flows = [
        {"run": run, "flow": run, "flow_name": f"f{run}", "areas": [archive.area(archive.run(run))] * 2}
        for run in runs
    ]
    drawn = {"task": task, "always": False, "runs": flows[:1], "reserve": flows[1:], "left_out": []}

    def service(client):
        return OpenML(f"{server.address}/api/v1/xml", server.address, client)

    fetched = fetch_task(f"openml_{task}", task, service(Client(None, LIMITS)))

    def fetch_runs(client):
        """Fetch the runs of a task whose own documents, which other ways fetch, are there already."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("nontrivial_study.data.openml.runs.fetch_task", lambda *_: deepcopy(fetched))
            return next(fetch_archived_tasks({f"openml_{task}": drawn}, service(client)))

    return {
        "uci": lambda client: fetch_uci("haberman", haberman, server.address, client),
        "lists": lambda client: (
            list_tasks(service(client)),
            list_evaluations(service(client), LISTED, "2015-07-31"),
        ),
        "task": lambda client: fetch_task(f"openml_{ADA_TASK}", ADA_TASK, service(client)),
        "runs": fetch_runs,
    }


@pytest.fixture
def change(server, monkeypatch):
    """A function that has the server send something else where a path matches."""

    def order(path, make):
        answer = server.answer  # which an earlier order may have changed

        def changed(asked):
            status, body = answer(asked)
            return status, make(body) if re.search(path, asked) else body

        monkeypatch.setattr(server, "answer", changed)

    return order


def same(result):
    """Return a result as a text."""
    parts = result if isinstance(result, tuple) else (result,)
    return "\n".join(part.to_csv() if isinstance(part, pd.DataFrame) else repr(part) for part in parts)


def make(way, client):
    """Return the result, or the sentence of its failure."""
    try:
        return way(client), ""
    except DownloadError as error:
        said = str(error)
        assert "\n" not in said
        assert len(said) < 2_000
        return None, said


def replaced(old, new):
    return lambda body: re.sub(old, lambda _: new, body, flags=re.DOTALL)


DIGITS = b"9" * 5_000
DEEP = b"<a>" * 100_000 + b"</a>" * 100_000
BOMB = b'<!DOCTYPE x [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><oml:run xmlns:oml="y">&c;</oml:run>'

# The document, what is sent in its place, and what is said; None where the bad part counts as one row.
CRASHES = {
    "an encoding that is none": ("run", replaced(b"UTF-8", b"UUF-8"), "is not the XML expected"),
    "text for elements": (
        "run",
        replaced(b"<oml:output_data>.*</oml:output_data>", b"<oml:output_data>text</oml:output_data>"),
        "is not the XML expected",
    ),
    "text for files": (
        "run",
        replaced(b"<oml:file>.*</oml:file>", b"<oml:file>text</oml:file>"),
        "is not the XML",
    ),
    "a file number that is none": (
        "run",
        replaced(rb"1001001</oml:file_id>", b"1_0</oml:file_id>"),
        "is not the XML",
    ),
    "a deep run": (
        "run",
        replaced(b"<oml:output_data>.*</oml:output_data>", DEEP),
        "has no predictions file",
    ),
    "entities": ("run", lambda _: BOMB, "is not the XML expected"),
    "numbers of 5,000 digits": (
        "list of tasks",
        replaced(rb"<oml:did>\d+<", b"<oml:did>" + DIGITS + b"<"),
        None,
    ),
    "numbers with underscores": ("list of tasks", replaced(rb"<oml:did>\d+<", b"<oml:did>1_0<"), None),
    "digits of full width": (
        "list of tasks",
        replaced(rb"<oml:did>\d+<", f"<oml:did>{chr(0xFF11)}<".encode()),
        None,
    ),
    "brackets for areas": ("evaluations", replaced(rb"\[0[^\]]*\]", b"[" * 100_000), None),
    "an area of 5,000 digits": ("evaluations", replaced(rb"\[0[^\]]*\]", b"[" + DIGITS + b"]"), None),
    "an area of 400 digits": ("evaluations", replaced(rb"\[0[^\]]*\]", b"[" + b"9" * 400 + b"]"), None),
    "a number for data": ("uci description", lambda _: b'{"status": 200, "data": 5}', "is not JSON"),
    "only a number": ("uci description", lambda _: b'{"data": 5}', "says that it has no data set 43"),
    "a list": ("uci description", lambda _: b"[1, 2]", "is not JSON"),
    "deep JSON": ("uci description", lambda _: b"[" * 100_000, "is not JSON"),
    "an address that is none": (
        "uci description",
        replaced(rb"http://[^/]*/", b"http://[::1/"),
        "is not JSON",
    ),
    "an address that is a number": ("uci description", replaced(rb'"http://[^"]*"', b"5"), "is not JSON"),
    "a long cell of a table": (
        "uci table",
        lambda body: body + b"1,1,1," + b"x" * 200_000,
        "is not the data set",
    ),
    "1_0 in a row of predictions": (
        "predictions",
        replaced(rb"(?m)^0,0,(\d+),", b"0,0,1_0,"),
        "has cells in the column row_id that are not numbers",
    ),
    "data of 1_0": ("data", replaced(rb"@data\n[^,]*,", b"@data\n1_0,"), "cannot be read"),
    "another run": ("run", replaced(b"run_id>1001<", b"run_id>1002<"), "describes another run than 1001"),
    "another task": (
        "task",
        replaced(rb"<oml:task_id>\d+<", b"<oml:task_id>1<"),
        f"describes another task than {ADA_TASK}",
    ),
    "another data set": (
        "description",
        replaced(rb"<oml:id>\d+<", b"<oml:id>30000<"),
        "which describes another data set",
    ),
    "a version that is no number": (
        "description",
        replaced(rb"version>1<", b"version>1_0<"),
        "document of a task",
    ),
}


@pytest.mark.parametrize("case", CRASHES)
def test_a_document_that_nobody_would_send_is_one_sentence(case, server, ways, change):
    document, body, problem = CRASHES[case]
    what, path = PLACES[document]
    if document == "data":
        change(PLACES["description"][1], replaced(*DIGEST))
    change(path, body)
    result, said = make(ways[what], Client(None, LIMITS))
    if problem is None:
        (_, unreadable_tasks), (_, unreadable_rows) = result
        assert unreadable_tasks + unreadable_rows > 0
    elif what == "runs":
        [*_, record] = result
        assert record["replaced"][0]["run"] == RUN
        assert problem in record["replaced"][0]["reason"]
    else:
        assert problem in said
        assert re.search(path.removesuffix("$"), said)


def test_what_a_programming_error_was_can_be_seen(server, caplog):
    caplog.set_level("DEBUG")

    def mistaken(body):
        return body.no_such_thing

    with pytest.raises(DownloadError) as caught:
        Client(None, LIMITS).get(f"{server.address}/api/dataset?id=43", "x", mistaken)
    assert isinstance(caught.value.answer.__cause__, AttributeError)
    assert "no_such_thing" in caplog.text


@pytest.mark.parametrize(
    "line",
    [
        b"@attribute x" + b" " * 50_000 + b"y",
        b"@attribute x" + b" {" * 25_000,
        b"@attribute x" + b" numeric [" * 5_000,
        b"@attribute a {" + b"a," * 40,
        b"@attribute a {" + b"'a'," * 40 + b" b",
        b"@attribute " + b"'" * 50_000,
    ],
)
def test_no_line_of_a_header_takes_long(line):
    started = time.process_time()
    with pytest.raises(WrongAnswer), reading("is no predictions"):
        read_predictions(
            b"@relation r\n@attribute row_id numeric\n@attribute prediction {a}\n"
            + line
            + b"\n@data\n'a' %\n"
        )
    assert time.process_time() - started < 5


@pytest.mark.parametrize("packed", [gzip.compress(b"") * 200_000, gzip.compress(b"a") + bytes(4_000_000)])
def test_packing_without_content_takes_no_time(packed):
    """Each member takes a reader of gzip as long as 64 kB of content, and each zero after one a call."""
    started = time.process_time()
    with contextlib.suppress(WrongAnswer):
        assert Answer(200, {"Content-Encoding": "gzip"}, packed).body(most=10) == b"a"
    assert time.process_time() - started < 0.4


def test_packing_in_blocks_is_read():
    blocks = [bytes([i % 256]) * 65_000 for i in range(20)]
    packed = b"".join(map(gzip.compress, blocks)) + gzip.compress(b"")
    assert unpack(packed, 20 * 65_000) == b"".join(blocks)
    assert unpack(packed + bytes(70_000) + gzip.compress(b"end") + bytes(9), 1e9).endswith(b"end")
    with pytest.raises(TooLarge):
        unpack(packed, 20 * 65_000 - 1)
    for damaged in (packed[:-1], packed[: len(packed) // 2], b""):
        with pytest.raises(EOFError):
            unpack(damaged, 1e9)
    with pytest.raises((OSError, zlib.error)):
        unpack(packed + b"more", 1e9)


def kept_file(cache, address):
    return Kept(cache)._place(address)


@cache
def bomb():
    return gzip.compress(bytes(20_000_000), 1)


def corruptions(other):
    """Return what a cache may hold in place of a document, by name."""
    packed = {
        "a web page": gzip.compress(b"<!DOCTYPE html><html>Back soon.</html>"),
        "nothing": b"",
        "a packed nothing": gzip.compress(b""),
        "a bomb": bomb(),
        "no gzip": b"Back soon.",
    }
    return {
        **{name: (lambda content, new=new: new) for name, new in packed.items()},
        "half": lambda content: content[: len(content) // 2],
        "all but the end": lambda content: content[:-4],
        "a flipped bit in the digest": lambda content: content[:20] + bytes([content[20] ^ 1]) + content[21:],
        "a flipped bit": lambda content: content[:-20] + bytes([content[-20] ^ 1]) + content[-19:],
        "the same without a digest": lambda content: gzip.compress(gzip.decompress(content)),
        "another document": lambda content: other,
    }


def read_and_kept(document, server, ways, cache):
    """Return what a document says, the request for it, and the file of its copy."""
    what, path = PLACES[document]
    server.requests.clear()
    right = same(ways[what](Client(cache, LIMITS)))
    [asked] = {one for one in server.requests if re.search(path, one)}
    return right, asked, kept_file(cache, server.address + asked)


@pytest.mark.parametrize("document", PLACES)
def test_a_kept_copy_that_is_not_what_was_kept_is_fetched_again(document, server, ways, tmp_path):
    """Of one document all that can be wrong with a copy, of each other one a sixth of it."""
    what, cache = PLACES[document][0], tmp_path / "cache"
    right, asked, place = read_and_kept(document, server, ways, cache)
    content = place.read_bytes()
    other = next(one for one in sorted(cache.rglob("*.gz")) if one != place).read_bytes()
    number = list(PLACES).index(document)
    for name, corrupt in list(corruptions(other).items())[number % 6 :: 6 if number else 1]:
        place.write_bytes(corrupt(content))
        server.requests.clear()
        assert same(ways[what](Client(cache, LIMITS))) == right, name
        assert server.requests == [asked], name
        assert place.read_bytes() == content


@pytest.mark.parametrize("document", ["uci description", "evaluations", "data", "predictions"])
def test_a_folder_or_a_closed_file_where_a_copy_should_be(document, server, ways, tmp_path):
    what, cache = PLACES[document][0], tmp_path / "cache"
    right, _, place = read_and_kept(document, server, ways, cache)
    content = place.read_bytes()
    place.unlink()
    (place / "folder").mkdir(parents=True)
    assert same(ways[what](Client(cache, LIMITS))) == right
    assert place.is_file()
    place.chmod(0)
    assert same(ways[what](Client(cache, LIMITS))) == right
    if os.geteuid():
        assert place.read_bytes() == content


def mutated(body, place, kind, inserted):
    """Return a body with one part cut out, doubled, exchanged or added."""
    start = round(place * len(body))
    match kind:
        case "cut":
            return body[:start]
        case "double":
            return body[:start] + body[max(0, start - 200) :]
        case "drop":
            return body[:start] + body[start + 30 :]
        case "insert":
            return body[:start] + inserted + body[start:]
    return body[:start] + inserted + body[start + len(inserted) :]


TEXTS = [
    b"<",
    b">",
    b"</",
    b"1_0",
    b"9" * 4_400,
    b"\0",
    b"\xff",
    b"[",
    b"{",
    b"'",
    b'"',
    b",",
    b"\n",
    b"nan",
    b"1e999",
    b"-1",
]
TEXTS += [
    "\N{FULLWIDTH DIGIT ONE}".encode(),
    b"<!--",
    b"&x;",
    b"<oml:file>x</oml:file>",
    b"{}",
    b"null",
    b"%s",
    b"?",
    b"\\",
]


@pytest.mark.parametrize("document", PLACES)
@given(
    place=st.floats(0, 1),
    kind=st.sampled_from(["cut", "double", "drop", "insert", "exchange"]),
    inserted=st.sampled_from(TEXTS) | st.binary(max_size=20),
)
def test_a_mutated_document_is_a_result_or_one_sentence(document, server, ways, place, kind, inserted):
    what, path = PLACES[document]
    answer = server.answer

    def changed(asked):
        status, body = answer(asked)
        if document == "data" and re.search(PLACES["description"][1], asked):
            body = re.sub(*DIGEST, body)
        return status, mutated(body, place, kind, inserted) if re.search(path, asked) else body

    server.answer = changed
    try:
        make(ways[what], Client(None, Limits(timeout=60, attempts=1, pause=0)))
    finally:
        server.answer = answer


def test_the_size_of_each_kind_can_be_set(server, ways):
    kinds = {"uci": "data", "lists": "lists", "task": "descriptions", "runs": "predictions"}
    for what, kind in kinds.items():
        small = Limits(attempts=1, megabytes=Limits().megabytes | {kind: 0.0001})
        _, said = make(ways[what], Client(None, small))
        assert f"set downloads.megabytes.{kind} in the configuration" in said
        assert "has more than 0.0001 MB" in said
