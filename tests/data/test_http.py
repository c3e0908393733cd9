"""The client against a server that misbehaves: the right document or one sentence, and nothing wrong is kept."""

import base64
import gzip
import logging
import threading
import time
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from nontrivial.terminal import hide_logins
from nontrivial_study.data.http import Client, DownloadError, WrongAnswer, is_web_page

PATH = "/api/dataset?id=43"
KEY = "c0 ffee/1"


@pytest.fixture
def right(server):
    return server.answer(PATH)[1]


@pytest.fixture
def quick(cache):
    """A client that gives up soon."""
    return Client(cache, rate=1000, timeout=0.5, patience=20, attempts=3, pause=0.01)


@pytest.fixture
def raw():
    """A function that starts a server which sends the given answers, one to each request, and returns its address."""
    servers = []

    def start(*answers):
        waiting = list(answers)

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self.server.asked.append((self.path, self.headers.get("Authorization")))
                status, headers, body = waiting.pop(0) if len(waiting) > 1 else waiting[0]
                self.send_response(status)
                for name, value in {"Content-Length": len(body), **headers}.items():
                    self.send_header(name, str(value))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.asked = []
        servers.append(server)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return f"http://127.0.0.1:{server.server_address[1]}", server

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def kept(cache):
    return list(cache.glob("*.json.gz"))


FAULTS = {
    "stall": r"sent nothing for 0\.5 s",
    "cut": "was cut off before the end",
    "cut_unannounced": "was cut off before the end",
    "html": "answered with a web page in place of the document",
    "xhtml_504": "answered with status 504",
    "429": "answered with status 429 and asks to wait 1 s",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_that_passes_ends_in_the_right_document(fault, server, quick, right):
    server.faults.add("/api/dataset", fault, times=1, seconds=2 if fault == "stall" else 1)
    assert quick.get(server.address + PATH, "x") == right
    assert (quick.counts["requests"], quick.counts["retries"]) == (2, 1)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_that_stays_is_one_sentence_and_nothing_is_kept(fault, server, quick, cache, right):
    server.faults.add("/api/dataset", fault, times=-1, seconds=2 if fault == "stall" else 1)
    form = rf"^Data set 'x': {server.address}\S+ {FAULTS[fault]} \(3 tries in \d+ s\); run the same [^\n]*\.$"
    with pytest.raises(DownloadError, match=form) as caught:
        quick.get(server.address + PATH, "Data set 'x'")
    assert not caught.value.lasting
    assert kept(cache) == []
    server.faults.clear()
    assert quick.get(server.address + PATH, "x") == right


@pytest.mark.parametrize("fault", ["drip", "drip_head"])
def test_an_answer_that_trickles_ends_with_the_patience(fault, server, cache):
    client = Client(cache, rate=1000, timeout=5, patience=1.5, pause=0.01)
    server.faults.add("/api/dataset", fault, times=-1, seconds=0.2)
    started = time.monotonic()
    with pytest.raises(DownloadError, match="was not whole after"):
        client.get(server.address + PATH, "x")
    assert time.monotonic() - started < 10


@pytest.mark.parametrize("status", [500, 503])
def test_an_overloaded_server_is_asked_again(status, raw, quick):
    address, _ = raw((status, {}, b"busy"), (200, {}, b"body"))
    assert quick.get(f"{address}/x", "x") == b"body"


def test_what_is_not_there_is_asked_for_twice_and_said(server, quick):
    server.faults.add("/api/dataset", "404", times=-1)
    with pytest.raises(DownloadError, match="answered with status 404; check the base addresses") as caught:
        quick.get(server.address + PATH, "x")
    assert caught.value.lasting
    assert len(server.requests) == 2


@pytest.mark.parametrize("status", [401, 403])
def test_who_is_not_let_in_is_told_at_once(status, server, quick):
    server.faults.add("/api/dataset", str(status), times=-1)
    with pytest.raises(DownloadError, match="OPENML_API_KEY") as caught:
        quick.get(server.address + PATH, "x")
    assert not caught.value.lasting
    assert len(server.requests) == 1


@pytest.mark.parametrize("body", [bytes(20_000), gzip.compress(bytes(20_000))], ids=["plain", "packed"])
def test_what_is_too_large_is_not_taken(body, raw, cache):
    client = Client(cache, rate=1000, megabytes={"data": 0.01})
    headers = {"Content-Encoding": "gzip"} if len(body) < 10_000 else {}
    address, _ = raw((200, headers, body))
    with pytest.raises(DownloadError, match=r"has more than 0\.01 MB; set downloads\.megabytes\.data in"):
        client.get(f"{address}/x", "x", kind="data")
    assert len(client.get(f"{address}/x", "x")) == 20_000


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_a_server_that_asks_to_wait_holds_every_job(form, raw, cache):
    asked = "600" if form == "seconds" else formatdate(time.time() + 600, usegmt=True)
    address, server = raw((503, {"Retry-After": asked}, b"busy"))
    with pytest.raises(
        DownloadError, match=r"asks to wait (600|599) s; run the same command again when that time"
    ):
        Client(cache, rate=1000, patience=20).get(f"{address}/x", "x")
    with pytest.raises(DownloadError, match=r"has asked to wait another \d+ s; "):
        Client(cache, rate=1000, patience=20).get(f"{address}/y", "x")
    assert len(server.asked) == 1


def test_jobs_that_share_the_folder_share_the_rate(server, cache):
    clients = [Client(cache, rate=5, pause=0.01) for _ in range(2)]
    started = time.monotonic()
    threads = [
        threading.Thread(target=client.get, args=(f"{server.address}/api/dataset?id={number}", "x"))
        for client, number in zip(clients * 2, (43, 17, 15, 43), strict=True)
    ]
    for thread in threads:
        thread.start()
        thread.join()
    assert time.monotonic() - started >= 2 / 5


def test_a_kept_document_is_not_asked_for_again_and_needs_no_network(server, client, cache, right):
    client.get(server.address + PATH, "x")
    later = Client(cache, rate=1000, secrets={"api_key": KEY})
    assert later.get(server.address + PATH, "x") == right
    assert later.counts["requests"] == 0


def test_what_a_server_says_of_caching_changes_nothing(raw, cache):
    address, server = raw(
        (200, {"Vary": "User-Agent", "Cache-Control": "no-store, max-age=0", "ETag": "1"}, b"body")
    )
    for contact in ("me@example.org", "you@example.org"):
        assert Client(cache, rate=1000, contact=contact).get(f"{address}/x", "x") == b"body"
    assert len(server.asked) == 1


@pytest.mark.parametrize("damage", ["cut", "changed", "empty", "other"])
def test_a_damaged_copy_is_fetched_again(damage, server, client, cache, right):
    client.get(server.address + PATH, "x", reject_others(right))
    [copy] = kept(cache)
    content = bytearray(copy.read_bytes())
    content[len(content) // 2] ^= 255
    other = gzip.compress(gzip.decompress(copy.read_bytes()).replace(b'"_content": "ey', b'"_content": "aa'))
    copy.write_bytes({"cut": content[:40], "changed": content, "empty": b"", "other": other}[damage])
    assert client.get(server.address + PATH, "x", reject_others(right)) == right
    assert client.counts["requests"] == 2


def reject_others(right):
    def accept(body):
        if body != right:
            raise WrongAnswer("is another document")
        return body

    return accept


def test_what_cannot_be_read_twice_is_what_the_service_has(server, client, cache):
    def accept(body):
        raise KeyError("oml:id")

    with pytest.raises(DownloadError, match=r"cannot be read \(KeyError: 'oml:id'\); run the") as caught:
        client.get(server.address + PATH, "x", accept)
    assert caught.value.lasting
    assert len(server.requests) == 2
    assert kept(cache) == []


def test_what_is_odd_twice_is_taken_and_kept(server, client, cache):
    def accept(body):
        raise WrongAnswer("is odd", stays=True, result=len(body))

    for _ in range(2):
        assert client.get(server.address + PATH, "x", accept) == len(server.answer(PATH)[1])
    assert len(server.requests) == 2


def test_copies_by_an_earlier_version_are_said_not_to_be_used(cache, caplog):
    old = cache / "www.openml.org" / "api_v1_xml_task_3-0123456789abcdef.gz"
    old.parent.mkdir(parents=True)
    old.touch()
    Client(cache)
    assert "copies by an earlier version, which are not used" in caplog.text


def test_no_network_names_the_default_study(raw, quick):
    for address in ("http://127.0.0.1:9/x", "http://nowhere.invalid/x"):
        with pytest.raises(
            DownloadError, match=r"cannot be reached.*`snakemake --cores 8`, needs no network"
        ):
            quick.get(address, "x")


@pytest.mark.parametrize("address", ["http://[::1/x", "host/x", "ftp://host/x", "http://host:abc/x"])
def test_an_address_that_is_none_is_said_at_once(address, quick):
    with pytest.raises(DownloadError, match="is not an address") as caught:
        quick.get(address, "x")
    assert not caught.value.lasting
    assert quick.counts["retries"] == 0


def test_a_file_of_certificates_that_is_none_is_named(quick, monkeypatch):
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/nowhere/bundle.pem")
    with pytest.raises(DownloadError, match=r"/nowhere/bundle\.pem"):
        quick.get("https://127.0.0.1:9/x", "x")


def test_a_key_is_sent_and_shown_nowhere(server, cache, caplog):
    caplog.set_level(logging.DEBUG)
    client = Client(cache, rate=1000, attempts=2, pause=0.01, secrets={"api_key": KEY})
    client.get(server.address + PATH, "x")
    assert server.requests == [f"{PATH}&api_key=c0+ffee%2F1"]

    def repeat(body):
        raise WrongAnswer("says that c0 ffee/1, c0%20ffee%2f1\nor c0+ffee%2F1 is no key")

    with pytest.raises(
        DownloadError, match=r"says that \(secret\), \(secret\) or \(secret\) is no key"
    ) as caught:
        client.get(f"{server.address}/api/dataset?id=17", "x", repeat)
    server.faults.add("haberman", "404", times=-1)
    with pytest.raises(DownloadError) as other:
        client.get(f"{server.address}/haberman", "x")
    shown = f"{caught.value} {other.value} {caplog.text}"
    shown += "".join(gzip.decompress(path.read_bytes()).decode() for path in kept(cache))
    assert "ffee" not in shown.replace("b'c0 ffee/1'", "")


def test_a_redirection_is_followed_without_key_and_password(raw, cache, tmp_path, monkeypatch):
    target, there = raw((200, {}, b"body"))
    address, here = raw((302, {"Location": target.replace("127.0.0.1", "localhost")}, b""))
    monkeypatch.setenv("HOME", str(tmp_path))
    netrc = tmp_path / ".netrc"
    netrc.write_text("machine 127.0.0.1 login me password p@ss\n", encoding="ascii")
    netrc.chmod(0o600)
    client = Client(cache, rate=1000, secrets={"api_key": "k"})
    assert client.get(f"{address}/x", "x") == b"body"
    assert here.asked == [("/x?api_key=k", "Basic " + base64.b64encode(b"me:p@ss").decode())]
    assert there.asked == [("/", None)]
    assert not [path for path in kept(cache) if b"p@ss" in gzip.decompress(path.read_bytes())]


@pytest.mark.parametrize("password", ["p%40ss%3Aw0rd", "p@ss:w0rd", "p%40ss/w0rd", "p#ss?w0rd"])
def test_a_login_in_an_address_is_refused_and_not_shown(password, quick, caplog):
    address = f"http://me:{password}@127.0.0.1:9/x"
    with pytest.raises(DownloadError) as caught:
        quick.get(address, "x")
    assert "w0rd" not in f"{caught.value} {caplog.text} {hide_logins(f'see {address}, {address}')}"
    assert "netrc" in str(caught.value)
    assert quick.counts["requests"] == 0


def test_the_user_agent_names_the_contact(server, cache):
    Client(cache, contact="me@example.org").get(server.address + PATH, "x")
    [agent] = server.agents
    assert agent.startswith("nontrivial/")
    assert "me@example.org" in agent


def test_web_pages_are_told_from_documents():
    assert is_web_page(b"\xef\xbb\xbf <!-- x --><!DOCTYPE HTML>")
    assert not is_web_page(b"<?xml version='1.0'?><oml:task/>")
