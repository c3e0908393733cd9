"""The client: what it keeps, sends and shows, and how several of them share a server."""

import base64
import gzip
import logging
import re
import time
from email.utils import formatdate

import pytest

from nontrivial_study.data.download_errors import DownloadError, WrongAnswer
from nontrivial_study.data.http import Client, is_web_page

PATH = "/api/dataset?id=43"
KEY = "c0 ffee/1"


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


@pytest.fixture
def right(server):
    return server.answer(PATH)[1]


def copies(cache):
    return list(cache.glob("*.json.gz"))


@pytest.mark.parametrize("body", [bytes(20_000), gzip.compress(bytes(20_000))], ids=["plain", "packed"])
def test_what_is_too_large_is_not_taken(body, server, cache):
    server.fixed["/x"] = 200, {"Content-Encoding": "gzip"} if len(body) < 10_000 else {}, body
    client = Client(cache, rate=1000, megabytes={"data": 0.01})
    with pytest.raises(DownloadError, match=r"has more than 0\.01 MB; set downloads\.megabytes\.data in"):
        client.get(f"{server.address}/x", "x", kind="data")
    assert len(client.get(f"{server.address}/x", "x")) == 20_000


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_a_server_that_asks_to_wait_holds_every_job(form, server, cache):
    retry_after = "600" if form == "seconds" else formatdate(time.time() + 600, usegmt=True)
    server.fixed["/x"] = 503, {"Retry-After": retry_after}, b"busy"
    with pytest.raises(DownloadError, match=r"asks to wait (600|599) s; run the same command again when that"):
        Client(cache, rate=1000, patience=20).get(f"{server.address}/x", "x")
    with pytest.raises(DownloadError, match=r"has asked to wait another \d+ s; "):
        Client(cache, rate=1000, patience=20).get(f"{server.address}/y", "x")
    assert len(server.requests) == 1


def test_jobs_that_share_the_folder_share_the_rate(server, cache):
    clients = [Client(cache, rate=5, pause=0.01) for _ in range(2)]
    started = time.monotonic()
    for client, number in zip(clients * 2, (43, 17, 15, 43), strict=True):
        client.get(f"{server.address}/api/dataset?id={number}", "x")
    assert time.monotonic() - started >= 2 / 5


def test_a_kept_document_needs_no_network_whatever_the_server_says_of_caching(server, cache):
    headers = {"Vary": "User-Agent", "Cache-Control": "no-store, max-age=0", "ETag": "1"}
    server.fixed["/x"] = 200, headers, b"body"
    for options in ({"contact": "me@example.org"}, {"contact": "you@example.org"}, {"secrets": {"k": KEY}}):
        assert Client(cache, rate=1000, **options).get(f"{server.address}/x", "x") == b"body"
    [request] = server.headers
    assert re.fullmatch(r"nontrivial/\S+ \(contact: me@example\.org\)", request["User-Agent"])


@pytest.mark.parametrize("damage", ["cut", "empty", "altered"])
def test_a_damaged_copy_is_fetched_again(damage, server, client, cache, right):
    def accept(body):
        if body != right:
            raise WrongAnswer("is another document")
        return body

    client.get(server.address + PATH, "x", accept)
    [copy] = copies(cache)
    content = gzip.decompress(copy.read_bytes()).replace(b'"_content": "ey', b'"_content": "aa')
    copy.write_bytes({"cut": copy.read_bytes()[:40], "empty": b"", "altered": gzip.compress(content)}[damage])
    assert client.get(server.address + PATH, "x", accept) == right
    assert client.counts["requests"] == 2


def test_what_cannot_be_read_twice_is_what_the_service_has_and_neither_it_nor_a_web_page_is_kept(server, client, cache):
    def accept(body):
        raise KeyError("oml:id")

    with pytest.raises(DownloadError, match=r"cannot be read \(KeyError: 'oml:id'\); run the") as caught:
        client.get(server.address + PATH, "x", accept)
    assert caught.value.lasting
    assert len(server.requests) == 2
    server.faults.add("", "html", times=-1)
    with pytest.raises(DownloadError, match="answered with a web page"):
        client.get(server.address + PATH, "x")
    assert copies(cache) == []


@pytest.mark.parametrize(
    ("address", "text"),
    [
        ("http://127.0.0.1:9/x", r"cannot be reached.*`snakemake --cores 8`, needs no network"),
        ("http://nowhere.invalid/x", r"cannot be reached.*`snakemake --cores 8`, needs no network"),
        ("http://[::1/x", "is not an address"),
        ("host/x", "is not an address"),
        ("ftp://host/x", "is not an address"),
        ("https://127.0.0.1:9/x", r"/nowhere/bundle\.pem"),
    ],
)
def test_an_address_that_cannot_be_reached_is_said(address, text, cache, monkeypatch):
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/nowhere/bundle.pem")
    with pytest.raises(DownloadError, match=text) as caught:
        Client(cache, rate=1000, patience=20, attempts=3, pause=0.01).get(address, "x")
    assert not caught.value.lasting


def test_a_key_is_sent_and_shown_nowhere(server, cache, caplog):
    caplog.set_level(logging.DEBUG)
    client = Client(cache, rate=1000, attempts=2, pause=0.01, secrets={"api_key": KEY})
    client.get(server.address + PATH, "x")
    assert server.requests == [f"{PATH}&api_key=c0+ffee%2F1"]

    def repeat(body):
        raise WrongAnswer("says that c0 ffee/1, c0%20ffee%2f1\nor c0+ffee%2F1 is no key")

    with pytest.raises(DownloadError, match=r"that \(secret\), \(secret\) or \(secret\) is no key") as caught:
        client.get(f"{server.address}/api/dataset?id=17", "x", repeat)
    server.faults.add("haberman", "404", times=-1)
    with pytest.raises(DownloadError) as refused:
        client.get(f"{server.address}/haberman", "x")
    shown = f"{caught.value} {refused.value} {caplog.text}"
    shown += "".join(gzip.decompress(path.read_bytes()).decode() for path in copies(cache))
    assert "ffee" not in shown.replace("b'c0 ffee/1'", "")


def test_a_redirection_is_followed_without_key_and_password(server, cache, tmp_path, monkeypatch):
    elsewhere = server.address.replace("127.0.0.1", "localhost")
    server.fixed |= {"/x": (302, {"Location": f"{elsewhere}/y"}, b""), "/y": (200, {}, b"body")}
    monkeypatch.setenv("HOME", str(tmp_path))
    netrc = tmp_path / ".netrc"
    netrc.write_text("machine 127.0.0.1 login me password p@ss\n", encoding="ascii")
    netrc.chmod(0o600)
    client = Client(cache, rate=1000, secrets={"api_key": "k"})
    assert client.get(f"{server.address}/x", "x") == b"body"
    assert server.requests == ["/x?api_key=k", "/y"]
    login = "Basic " + base64.b64encode(b"me:p@ss").decode()
    assert [headers["Authorization"] for headers in server.headers] == [login, None]
    assert not [path for path in copies(cache) if b"p@ss" in gzip.decompress(path.read_bytes())]


@pytest.mark.parametrize("password", ["p%40ss%3Aw0rd", "p@ss:w0rd", "p%40ss/w0rd", "p#ss?w0rd"])
def test_a_login_in_an_address_is_refused_and_not_shown(password, client, caplog):
    with pytest.raises(DownloadError, match="netrc") as caught:
        client.get(f"http://me:{password}@127.0.0.1:9/x", "x")
    assert "w0rd" not in f"{caught.value} {caplog.text}"
    assert client.counts["requests"] == 0


def test_web_pages_are_told_from_documents():
    assert is_web_page(b"\xef\xbb\xbf <!-- x --><!DOCTYPE HTML>")
    assert not is_web_page(b"<?xml version='1.0'?><oml:task/>")
