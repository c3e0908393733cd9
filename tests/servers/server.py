"""One process that speaks UCI's and OpenML's protocols on a loopback socket, well or, when told to, badly."""

from __future__ import annotations

import gzip
import json
import re
import threading
import time
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from . import uci
from .archive import Archive
from .faults import Fault, Faults
from .openml import OpenML, Refusal
from .sets import make_sets, read_folder

_PAGE = b"<!DOCTYPE html><html><head><title>Maintenance</title></head><body>Back soon.</body></html>"
_XHTML = (
    b'<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml">'
    b"<head><title>504 Gateway Time-out</title></head><body><p>The server did not respond.</p></body></html>"
)
_REFUSALS = {
    "102": "API key authentication failed",
    "107": "Database connection error",
    "151": "Unknown task",
    "543": "Too many results",
}


class Server(ThreadingHTTPServer):
    """The server. Use as a context manager; `address` is where it listens.

    It serves the data sets of a folder with ``index.csv``, ``uci/`` and ``openml/``. The archive has so many tasks (the
    folder's binary ones first), rows of those that are made up, and flows per task. A share of the archived runs is
    ``quirky``: their predictions file is odd. For a share ``flaky`` of the addresses the first answer is wrong.
    `requests` has path and query of every request, in order, and `headers` their headers. A path under `fixed` has an
    answer of its own: status, headers and body.
    """

    daemon_threads = True
    request_queue_size = 64

    def __init__(
        self,
        folder: Path | None = None,
        port: int = 0,
        *,
        archive_tasks: int = 0,
        archive_rows: int = 1000,
        archive_flows: int = 30,
        quirky: float = 0.0,
        flaky: float = 0.0,
    ) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.folder, self.faults = folder, Faults(flaky)
        self.requests, self.headers = list[str](), list[Message]()
        self.fixed: dict[str, tuple[int, dict[str, object], bytes]] = {}
        self.address = f"http://127.0.0.1:{self.server_address[1]}"
        sets = read_folder(folder) if folder else []
        # The documents' two tasks come first, whichever place they have in the folder.
        binary = sorted((member for member in sets if len(member.counts) == 2), key=lambda member: member.task_id)
        made = make_sets(max(0, archive_tasks - len(binary)), archive_rows, {member.task_id for member in binary})
        self.openml = OpenML([*sets, *made], Archive([*binary, *made][:archive_tasks], archive_flows, quirky))

    def __enter__(self) -> Server:
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()

    def answer(self, path: str) -> tuple[int, bytes]:
        """Return status and body of the right answer."""
        parts = urlsplit(path)
        place = unquote(parts.path)
        if place == "/_server":
            return 200, json.dumps({"met": self.faults.met}).encode()
        try:
            if place == "/api/dataset":
                return 200, uci.describe(int(parse_qs(parts.query)["id"][0]), self.address)
            match = re.fullmatch(r"/static/public/(\d+)/data\.csv", place)
            body = uci.table(int(match[1]), self.folder) if match else self.openml.answer(place)
        except Refusal as refusal:
            return 412, refusal.document
        return (404, b"Not found") if body is None else (200, body)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or the second write, the body, would wait for the client's word
    server: Server

    def do_GET(self) -> None:
        self.server.requests.append(self.path)
        self.server.headers.append(self.headers)
        if (place := urlsplit(self.path).path) in self.server.fixed:
            status, headers, body = self.server.fixed[place]
            self._head(status, {"Content-Length": len(body)} | headers)
            self.wfile.write(body)
            return
        fault = self.server.faults.take(self.path)
        status, body = self.server.answer(self.path)
        if fault is None:
            self._send(status, body)
        else:
            self._misbehave(fault, status, body)

    def _misbehave(self, fault: Fault, status: int, body: bytes) -> None:
        packed = gzip.compress(body)
        match fault.kind:
            case "stall":
                time.sleep(fault.seconds)
                self.close_connection = True
            case "drip" | "drip_head":
                if fault.kind == "drip":
                    self._head(status, {"Content-Length": 10_000})
                for byte in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"x" * 1000:
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
                    time.sleep(fault.seconds)
                self.close_connection = True
            case "cut_unannounced":
                self._head(status, {"Content-Encoding": "gzip", "Connection": "close"})
                self.wfile.write(packed[: len(packed) // 2])
            case "cut":
                self._head(status, {"Content-Length": len(body), "Connection": "close"})
                self.wfile.write(body[: len(body) // 2])
            case "html":
                self._send(200, _PAGE)
            case "large":
                self._send(200, bytes(2_000_000))
            case "429":
                self._send(429, b"Too many requests", {"Retry-After": f"{fault.seconds:g}"})
            case kind if kind in _REFUSALS:
                self._send(412, Refusal(int(kind), _REFUSALS[kind]).document)
            case kind if kind.isdigit():
                self._send(int(kind), _XHTML if kind == "504" else b"No")
            case kind:
                self._send(status, _spoil(kind, body))

    def _head(self, status: int, headers: dict[str, object]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, str(value))
        self.end_headers()

    def _send(self, status: int, body: bytes, headers: dict[str, object] | None = None) -> None:
        headers = dict(headers or {})
        if "gzip" in self.headers.get("Accept-Encoding", ""):
            body = gzip.compress(body, compresslevel=1)
            headers["Content-Encoding"] = "gzip"
        self._head(status, headers | {"Content-Length": len(body)})
        self.wfile.write(body)

    def handle(self) -> None:
        try:
            super().handle()
        except (ConnectionError, TimeoutError):  # the client has had enough
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        pass


def _spoil(kind: str, body: bytes) -> bytes:
    """Return a body that is wrong in a way that its form does not show, or as it is where that cannot be."""
    lines = body.splitlines(keepends=True)
    match kind:
        case "truncate":
            return b"".join(lines[: -max(1, len(lines) // 3)])
        case "wrong_rows":
            return b"".join([*lines, lines[-1]])
        case "corrupt":
            middle = len(body) // 2
            return body[:middle] + bytes([body[middle] ^ 1]) + body[middle + 1 :]
        case "wrong_md5":
            return re.sub(rb"(md5_checksum>)[0-9a-f]{32}", rb"\g<1>" + b"0" * 32, body)
        case "duplicate_evaluations":
            return re.sub(rb"(?s)(<oml:evaluation>.*?</oml:evaluation>)", rb"\1\1", body, count=1)
        case "fewer_columns":
            return re.sub(rb"(?m)^([^@\n].*),.*$", rb"\1", body)
    return body
