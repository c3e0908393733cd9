"""A server on a loopback socket, with data made here, and clients of it."""

import re
from pathlib import Path

import numpy as np
import pytest
from servers.server import Server
from sklearn.datasets import load_breast_cancer

from nontrivial_study.data.http import Client
from nontrivial_study.data.openml import OpenML

MIXED = """@relation mixed
@attribute colour {red,'dark blue'}
@attribute size numeric
@attribute class {yes,no,perhaps}
@data
"""
SPARSE = """@relation sparse
@attribute a numeric
@attribute b {none,some}
@attribute never numeric
@attribute class {'not so',so}
@data
"""
DATED = """@relation dated
@attribute never numeric
@attribute 'the day' DATE 'yyyy-MM-dd'
@attribute class {TRUE,FALSE}
@data
"""
INDEX = """name,file,format,target_column,classes_and_counts,license
mixed,mixed.arff,arff,class,no=45; yes=15,
three,three.arff,arff,class,no=36; yes=12; perhaps=12,
sparse,sparse.arff,arff,class,not so=40; so=20,
dated,dated.arff,arff,class,FALSE=45; TRUE=15,
"""


def write_uci(folder: Path) -> None:
    """Write the three UCI files: WDBC for real, the others made up in their form."""
    generator = np.random.default_rng(0)
    folder.mkdir()
    wdbc = [
        [1000 + number, "MB"[label], *map(float, row)]
        for number, (row, label) in enumerate(zip(*load_breast_cancer(return_X_y=True), strict=True))
    ]
    haberman = [[*generator.integers(0, 60, size=3), 2 if row < 81 else 1] for row in range(306)]
    wisconsin = [[row, *generator.integers(1, 11, size=9), 4 if row < 9 else 2] for row in range(30)]
    wisconsin[3][6] = "?"
    files = {"wdbc": wdbc, "haberman": haberman, "breast-cancer-wisconsin": wisconsin}
    for name, rows in files.items():
        text = "\n".join(",".join(map(str, row)) for row in rows)
        (folder / f"{name}.data").write_text(text, encoding="ascii")


def write_openml(folder: Path) -> None:
    """Write ARFF files: one has three classes, one dates, and one is sparse, its last rows without a cell."""
    two = [f"{'red' if i % 3 else '?'},{i if i % 7 else '?'},{'no' if i % 4 else 'yes'}\n" for i in range(60)]
    three = [*two[:-12], *(["'dark blue',1,perhaps\n"] * 12)]
    sparse = [f"{{0 0.{i + 1}, 1 {'some' if i % 2 else '?'}, 3 so}}\n" for i in range(20)] + ["{ }\n"] * 40
    dated = [f"?,'1999-12-{1 + i // 2:02}',{'FALSE' if i % 4 else 'TRUE'}\n" for i in range(60)]
    files = {"mixed": [MIXED, *two], "three": [MIXED, *three], "sparse": [SPARSE, *sparse]}
    for name, lines in (files | {"dated": [DATED, *dated]}).items():
        (folder / f"{name}.arff").write_text("".join(lines), encoding="ascii")


@pytest.fixture(scope="session")
def folder(tmp_path_factory) -> Path:
    """A folder of data in the form that the server reads."""
    folder = tmp_path_factory.mktemp("mirror")
    write_uci(folder / "uci")
    write_openml(folder)
    (folder / "index.csv").write_text(INDEX, encoding="ascii")
    return folder


@pytest.fixture(scope="session")
def served(folder):
    """A server with the folder's sets and an archive of six tasks with few flows."""
    with Server(folder, archive_tasks=6, archive_rows=120, archive_flows=2) as server:
        yield server


@pytest.fixture
def server(served):
    """The server, without faults and with no request behind it."""
    served.faults.clear()
    served.requests.clear()
    served.headers.clear()
    served.fixed.clear()
    yield served
    served.faults.clear()


@pytest.fixture
def client(tmp_path) -> Client:
    """A busy machine may take seconds over what takes milliseconds: only what never comes may end in a timeout."""
    return Client(tmp_path / "cache", rate=1000, timeout=60, patience=600, attempts=4, pause=0.01)


@pytest.fixture
def service(server, client) -> OpenML:
    return OpenML(f"{server.address}/api/v1/xml", server.address, client)


@pytest.fixture
def rewrite(server, monkeypatch):
    """A function that has the server change a pattern in the documents of OpenML's protocol whose path matches."""

    def order(path: str, old: bytes, new: bytes) -> None:
        answer = server.openml.answer

        def answer_changed(requested: str) -> bytes | None:
            body = answer(requested)
            return re.sub(old, new, body) if body and re.search(path, requested) else body

        monkeypatch.setattr(server.openml, "answer", answer_changed)

    return order
