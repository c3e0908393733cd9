"""Every fault in every document: the right result after asking again, or one sentence, and nothing wrong is kept."""

import gzip
import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
import yaml
from servers.archive import FIRST_FILE
from servers.server import Server
from servers.sets import ADA_TASK

from nontrivial_study.data.canonical import canonical_sha256, canonical_table
from nontrivial_study.data.http.client import Client, Limits
from nontrivial_study.data.http.failures import DownloadError
from nontrivial_study.data.http.kept import Kept
from nontrivial_study.data.openml.archive import list_evaluations, list_tasks, select_runs
from nontrivial_study.data.openml.runs import fetch_archived_tasks
from nontrivial_study.data.openml.service import OpenML
from nontrivial_study.data.openml.tasks import fetch_task
from nontrivial_study.data.uci import fetch_uci

LIMITS = Limits(timeout=60, patience=600, attempts=4, pause=0.001)
DATASETS = yaml.safe_load((Path(__file__).parents[3] / "config" / "datasets.yaml").read_text("utf-8"))
TASK, RUN = 10_001, 1033
FIRST = range(1001, 2001)

# Each document: what is made of it, where it stands, and what messages call it.
DOCUMENTS = {
    "uci description": ("uci", "/api/dataset?id=43", "Data set 'haberman'"),
    "uci table": ("uci", "/static/public/43/data.csv", "Data set 'haberman'"),
    "list of tasks": (
        "lists",
        "/api/v1/xml/task/list/type/1/number_classes/2/status/all/limit/10000/offset/0",
        "OpenML's lists",
    ),
    "evaluations": (
        "lists",
        f"/api/v1/xml/evaluation/list/function/area_under_roc_curve/run/{','.join(map(str, FIRST))}/limit/10000",
        "OpenML's lists",
    ),
    "task": ("task", f"/api/v1/xml/task/{TASK}", f"Data set 'openml_{TASK}' (OpenML task {TASK})"),
    "description": ("task", "/api/v1/xml/data/1", f"Data set 'openml_{TASK}' (OpenML task {TASK})"),
    "features": ("task", "/api/v1/xml/data/features/1", f"Data set 'openml_{TASK}' (OpenML task {TASK})"),
    "qualities": ("task", "/api/v1/xml/data/qualities/1", f"Data set 'openml_{TASK}' (OpenML task {TASK})"),
    "splits": (
        "task",
        f"/api_splits/get/{TASK}/Task_{TASK}_splits.arff",
        f"Data set 'openml_{TASK}' (OpenML task {TASK})",
    ),
    "data": ("task", "/data/v1/download/1/mixed.arff", f"Data set 'openml_{TASK}' (OpenML task {TASK})"),
    "run": ("runs", f"/api/v1/xml/run/{RUN}", f"Data set 'openml_{ADA_TASK}', run {RUN}"),
    "predictions": (
        "runs",
        f"/data/download/{FIRST_FILE + RUN}/predictions.arff",
        f"Data set 'openml_{ADA_TASK}', run {RUN}",
    ),
}
EVERYWHERE = {
    "stall": r"sent nothing for 0\.3 s",
    "cut": "was cut off before the end",
    "cut_unannounced": "was cut off before the end",
    "html": "answered with a web page in place of the document",
    "xhtml_504": "answered with status 504",
    "429": "answered with status 429 and asks to wait 0 s",
    "107": "refused with code 107: Database connection error",
}
NO_XML = "answered with something that is not the XML expected"
# DOCUMENT stands for the address of the document with the fault.
UNREADABLE = r"leads to DOCUMENT, which cannot be read \("
NOT_DIVIDED = "leads to DOCUMENT, whose test folds miss or repeat"
DIGEST = r"leads to http\S+, which has md5 \w+ where OpenML's description says \w+"
REPLACED = None  # by the next of the draw: what comes the same again is what the archive has
IN_ROWS = {
    "truncate": {
        "uci description": "answered with nothing",
        "uci table": "is not the data set expected: .* has rows 204; 306 was expected",
        **dict.fromkeys(["list of tasks", "evaluations"], NO_XML),
        "task": r"cannot be read \(",
        **dict.fromkeys(["description", "features", "qualities"], UNREADABLE),
        "splits": NOT_DIVIDED,
        "data": DIGEST,
        **dict.fromkeys(["run", "predictions"], REPLACED),
    },
    "wrong_rows": {
        "uci description": "answered with something that is not JSON",
        "uci table": "is not the data set expected: .* has rows 307; 306 was expected",
        **dict.fromkeys(["list of tasks", "evaluations"], NO_XML),
        "task": r"cannot be read \(",
        **dict.fromkeys(["description", "features", "qualities"], UNREADABLE),
        "splits": NOT_DIVIDED,
        "data": DIGEST,
        **dict.fromkeys(["run", "predictions"], REPLACED),
    },
    "single_class": {
        "uci table": "is not the data set expected: .* has classes ",
        "data": DIGEST,
        "predictions": REPLACED,
    },
    "corrupt": {"uci table": "is not the data set expected", "data": DIGEST},
    "wrong_md5": {"description": DIGEST},
}
PROBLEMS = {
    **{
        (document, fault): said
        for fault, said in EVERYWHERE.items()
        for document in DOCUMENTS
        if fault != "107" or "uci" not in document
    },
    **{(document, fault): said for fault, where in IN_ROWS.items() for document, said in where.items()},
}
AGAIN = "; run the same command again later: complete downloads are kept, and the run continues from there"


@pytest.fixture(scope="module")
def served(folder):
    with Server(folder, archive_tasks=5, archive_rows=120, archive_flows=2) as server:
        yield server


@pytest.fixture
def server(served):
    yield served
    served.faults.clear()
    served.requests.clear()


@pytest.fixture(scope="module")
def making(served, folder):
    """Return for each kind of result a function that makes it through a client, and the right results."""
    raw = pd.read_csv(folder / "uci" / "haberman.data", header=None)
    table = canonical_table(raw.iloc[:, :3], raw[3], {1: "survived", 2: "died"})
    haberman = DATASETS["haberman_uci"] | {"sha256": canonical_sha256(table)}

    def service(client):
        return OpenML(f"{served.address}/api/v1/xml", served.address, client)

    def uci(client):
        return fetch_uci("haberman", haberman, served.address, client)

    def lists(client):
        return list_tasks(service(client)), list_evaluations(service(client), FIRST, "2015-07-31")

    def task(client):
        return fetch_task(f"openml_{TASK}", TASK, service(client))

    (tasks, _), (evaluations, _) = lists(Client(None, LIMITS))
    drawn, *_ = select_runs(
        tasks,
        evaluations.values(),
        {"flows": 2, "always": [{"task": ADA_TASK, "runs": [RUN]}], "leave_out": {"tasks": [], "runs": []}},
    )

    def runs(client):
        [found] = fetch_archived_tasks({f"openml_{ADA_TASK}": drawn}, service(client))
        return found

    functions = {"uci": uci, "lists": lists, "task": task, "runs": runs}
    return {name: (make, written(make(Client(None, LIMITS)))) for name, make in functions.items()}


@pytest.fixture(scope="module")
def bodies(served, making):
    """The documents that were asked for, as the server has them; `assert_right` adds to it."""
    return {path: served.answer(path)[1] for path in served.requests}


def written(result):
    """Return a result as a text, equal if and only if all its values are."""
    parts = result if isinstance(result, tuple) else (result,)
    return "\n".join(
        part.to_csv() if isinstance(part, pd.DataFrame) else repr(getattr(part, "tolist", lambda p=part: p)())
        for part in parts
    )


def limits_for(fault, **others):
    """Return short timeouts for a server that sends nothing; whatever else it sends may take as long as it likes."""
    return replace(LIMITS, **({"timeout": 0.3} if fault == "stall" else {}), **others)


def prepare(fault, address, make, cache):
    """Keep all documents but one: on a busy machine another one might not come within a short timeout."""
    if fault == "stall":
        make(Client(cache, LIMITS))
        Kept(cache).forget(address)


ROWS = ("uci table", "splits", "data", "predictions")  # documents that have rows; the others are XML or JSON


def often(few):
    """Parameters of which a few are tried each time; a rehearsal tries every fault in every document."""
    rest = [pytest.param(*pair, marks=pytest.mark.rehearsal) for pair in PROBLEMS if pair not in few]
    return pytest.mark.parametrize(("document", "fault"), [*few, *rest])


@often([*list(PROBLEMS)[1::7], ("data", "corrupt"), ("description", "wrong_md5")])
def test_a_fault_that_passes_ends_in_the_right_result(document, fault, server, making, bodies, cache):
    what, path, _ = DOCUMENTS[document]
    make, right = making[what]
    prepare(fault, server.address + path, make, cache)
    times = 1 if what == "runs" and fault in IN_ROWS else 2  # the same file twice is what the service has
    server.faults.add(f"{re.escape(path)}$", fault, times, seconds=60 if fault == "stall" else 0.01)
    server.requests.clear()
    client = Client(cache, limits_for(fault, attempts=200))
    assert written(make(client)) == right
    assert client.counts["retries"] >= times
    assert server.requests.count(path) >= times + 1
    assert_right(cache, server, bodies)


# Of what can befall any document a seventh, and all that is wrong with rows; an XML
# document with a line too many is not read for the same reason as one with a line too few.
@often(
    [
        (document, fault)
        for place, (document, fault) in enumerate(PROBLEMS)
        if (place % 7 == 0 if fault in EVERYWHERE else fault != "wrong_rows" or document in ROWS)
    ]
)
def test_a_fault_that_stays_is_said_and_the_next_run_continues(
    document, fault, server, making, bodies, cache
):
    (what, path, name), problem = DOCUMENTS[document], PROBLEMS[document, fault]
    make, right = making[what]
    prepare(fault, server.address + path, make, cache)
    server.faults.add(f"{re.escape(path)}$", fault, -1, seconds=60 if fault == "stall" else 0.01)
    if problem is REPLACED:
        [*_, record] = make(Client(cache, LIMITS))
        [replaced] = record["replaced"]
        assert replaced["run"] == RUN
        assert replaced["by"] == record["taken"][0]["run"] != RUN
    else:
        with pytest.raises(DownloadError) as caught:
            make(Client(cache, limits_for(fault, attempts=2)))
        sentence = str(caught.value)
        shown = server.address + path
        if "leads to" in problem:  # told of the task, which leads to the document
            shown = f"{server.address}/api/v1/xml/task/{TASK}"
        shown = re.escape(shown[:200]) + (r"\.\.\." if len(shown) > 200 else "")
        problem = problem.replace("DOCUMENT", re.escape(server.address + path))
        form = rf"{re.escape(name)}: {shown} {problem}.*{AGAIN}(; if it stays so, .*)?\."
        assert re.fullmatch(form, sentence), sentence
        # What lasts may be recorded, and is the same however long it took.
        assert bool(re.search(rf" \(2 tries in \d+ s\){AGAIN}", sentence)) != caught.value.lasting
    assert_right(cache, server, bodies)
    assert not Kept(cache).find(server.address + path)

    server.faults.clear()
    server.requests.clear()
    missing = {
        address for _, address, _ in DOCUMENTS.values() if Kept(cache).find(server.address + address) is None
    }
    assert written(make(Client(cache, LIMITS))) == right
    assert len(server.requests) == len(set(server.requests))
    assert path in server.requests
    assert not {address for _, address, _ in DOCUMENTS.values()} & set(server.requests) - missing
    assert_right(cache, server, bodies)


def test_evaluations_given_twice_are_right_at_once(server, making, cache):
    server.faults.add("/evaluation/", "duplicate_evaluations", -1)
    make, right = making["lists"]
    client = Client(cache, LIMITS)
    assert written(make(client)) == right
    assert client.counts["retries"] == 0


def assert_right(cache, server, bodies):
    """Assert that what is kept is whole, and what the server has."""
    bodies |= {path: server.answer(path)[1] for path in set(server.requests) - bodies.keys()}
    for path in (path for path in cache.rglob("*") if path.is_file()):
        assert path.suffix == ".gz"
        assert not path.name.startswith(".")
        assert gzip.decompress(path.read_bytes()) in bodies.values()
