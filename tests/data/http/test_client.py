"""The client over real sockets: what passes is tried again, what does not is one sentence, nothing wrong is kept."""

import logging
import socket
import threading
import time
from pathlib import Path
from urllib.parse import parse_qs, quote, quote_plus, urlsplit

import pytest
import yaml
from data.http.one_file import PATH, files, refuse

from nontrivial_study.data.http.client import Client, Limits, open_client
from nontrivial_study.data.http.failures import DownloadError, WrongAnswer
from nontrivial_study.data.http.pace import Pace

PASSING = ["cut", "cut_unannounced", "html", "xhtml_504", "429"]


@pytest.mark.parametrize("kind", PASSING)
def test_what_passes_ends_in_the_right_document(kind, server, client, right):
    server.faults.add(PATH, kind, times=2, seconds=0.05)
    assert client.get(server.address + PATH, "Data set 'x'") == right
    assert client.counts["retries"] == 2
    assert len(server.requests) == 3


def test_who_sends_nothing_is_asked_again(server, impatient, right):
    server.faults.add(PATH, "stall", times=2, seconds=60)
    assert impatient.get(server.address + PATH, "Data set 'x'") == right
    assert impatient.counts["retries"] >= 2


def test_who_never_sends_anything_is_given_up(server, cache):
    server.faults.add(PATH, "stall", times=-1, seconds=60)
    client = Client(cache, Limits(timeout=0.3, attempts=3, pause=0.01))
    with pytest.raises(
        DownloadError, match=r" sent nothing for 0\.3 s \(3 tries in \d+ s\); run the same command"
    ):
        client.get(server.address + PATH, "Data set 'x'")
    assert files(cache) == []


@pytest.mark.parametrize(
    ("kind", "problem"),
    [
        ("cut", "was cut off before the end"),
        ("cut_unannounced", "was cut off before the end"),
        ("html", "answered with a web page in place of the document"),
        ("xhtml_504", "answered with status 504"),
        ("429", "answered with status 429 and asks to wait 0 s"),
    ],
)
def test_what_stays_is_one_sentence_and_nothing_is_kept(kind, problem, server, client, cache):
    server.faults.add(PATH, kind, times=-1, seconds=0.05)
    address = server.address + PATH
    with pytest.raises(DownloadError) as caught:
        client.get(address, "Data set 'x'")
    sentence = str(caught.value)
    assert sentence.startswith(f"Data set 'x': {address} {problem} (4 tries in ")
    assert "run the same command again later" in sentence
    assert sentence.count("\n") == 0
    assert not caught.value.lasting
    assert files(cache) == []


def test_the_next_run_continues_after_a_failure(server, client, right):
    server.faults.add(PATH, "html", times=4)
    with pytest.raises(DownloadError):
        client.get(server.address + PATH, "x")
    assert client.get(server.address + PATH, "x") == right


def test_what_another_try_cannot_mend_is_said_at_once(server, client):
    server.faults.add(PATH, "404", times=-1)
    with pytest.raises(DownloadError, match="answered with status 404; check the base addresses") as caught:
        client.get(server.address + PATH, "x")
    assert caught.value.lasting
    assert len(server.requests) == 1


@pytest.mark.parametrize(("patience", "first"), [(300, 1.0), (20, 20 / 128), (1, 1 / 128)])
def test_all_tries_fit_a_short_patience(patience, first, cache):
    limits = open_client({"folder": cache, "rate": 2, "timeout": 1, "patience": patience}).limits
    assert limits.pause == first
    longest = sum(first * 2**number + first for number in range(limits.attempts - 1))
    assert longest < patience / 2


def test_no_network_says_so_within_the_time_and_names_the_default_study(cache):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}/x"
    client = Client(cache, Limits(timeout=1, patience=1, attempts=10_000, pause=0.1))
    started = time.monotonic()
    with pytest.raises(DownloadError, match="cannot be reached: nobody answers there") as caught:
        client.get(address, "Data set 'x'")
    assert time.monotonic() - started < 30
    assert "`snakemake --cores 8`, needs no network" in str(caught.value)


def test_an_unknown_name_says_so(cache):
    client = Client(cache, Limits(timeout=1, patience=1, attempts=1))
    with pytest.raises(DownloadError, match="cannot be reached"):
        client.get("http://nowhere.invalid/x", "x")


def test_what_does_not_pass_the_check_is_not_kept(server, client, cache):
    with pytest.raises(DownloadError, match="is not what was meant"):
        client.get(server.address + PATH, "x", refuse)
    assert files(cache) == []


def test_a_job_that_waits_does_not_outlast_its_patience_when_another_is_asked_to_wait(server, cache):
    settings = {"folder": str(cache), "rate": 0.5, "timeout": 60, "patience": 20}
    open_client(settings).get(server.address + PATH, "x")
    host = urlsplit(server.address).netloc
    threading.Timer(0.2, lambda: Pace(cache / "pace", 0.5).hold(host, 60)).start()
    started = time.monotonic()
    with pytest.raises(DownloadError, match=r"/other is on a server that has asked to wait another \d+ s, "):
        open_client(settings).get(f"{server.address}/other", "x")
    assert time.monotonic() - started < 20
    assert server.requests == [PATH]


@pytest.mark.parametrize(("asked", "possible"), [(86_300, True), (86_301, False), (1e6, False)])
def test_no_patience_is_advised_that_the_configuration_refuses(asked, possible, server, cache):
    schema = Path(__file__).parents[3] / "workflow" / "schemas" / "config.schema.yaml"
    downloads = yaml.safe_load(schema.read_text("utf-8"))["properties"]["downloads"]["properties"]
    assert downloads["patience"]["maximum"] == 86_300 + 100
    settings = {"folder": str(cache), "rate": 1000, "timeout": 60, "patience": 100}
    server.faults.add(PATH, "429", seconds=asked)
    with pytest.raises(DownloadError, match="run the same command again when that time is over") as caught:
        open_client(settings).get(server.address + PATH, "x")
    assert ("downloads.patience in the configuration to 86400 " in str(caught.value)) == possible
    assert ("downloads.patience" in str(caught.value)) == possible


def test_a_secret_is_sent_and_shown_nowhere(server, cache, caplog):
    caplog.set_level(logging.DEBUG)
    client = Client(cache, Limits(attempts=2, pause=0.01), secrets={"api_key": "c0ffee"})
    client.get(server.address + PATH, "x")
    assert server.requests == [f"{PATH}?api_key=c0ffee"]
    server.faults.add("haberman", "404", times=-1)
    with pytest.raises(DownloadError) as caught:
        client.get(server.address + "/haberman", "x")
    assert "c0ffee" not in str(caught.value) + caplog.text
    assert all("c0ffee" not in str(path) and b"c0ffee" not in path.read_bytes() for path in files(cache))


def test_a_secret_that_the_server_repeats_is_shown_nowhere(server, cache, caplog):
    client = Client(cache, Limits(attempts=2, pause=0.01), secrets={"api_key": "c0ffee"})

    def repeat(body):
        raise WrongAnswer("says that c0ffee\nis no key")

    with pytest.raises(DownloadError) as caught:
        client.get(server.address + PATH, "x", repeat)
    assert str(caught.value).startswith(f"x: {server.address}{PATH} says that (secret) is no key; run ")
    assert "c0ffee" not in caplog.text


def test_the_body_of_a_redirection_is_not_read():
    """requests reads all of it, whatever its size, even where it does not follow."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve():
            call, _ = listener.accept()
            with call:
                call.recv(65536)
                head = "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/x\r\n"
                call.sendall(f"{head}Content-Length: {10**12}\r\n\r\n".encode())
                call.recv(1)  # until the client leaves

        threading.Thread(target=serve, daemon=True).start()
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/x"
        with pytest.raises(DownloadError, match="nobody answers there"):
            Client(limits=Limits(timeout=3, attempts=1)).get(address, "x")


def test_a_library_that_warns_of_an_answer_does_not_show_the_secret(careless, caplog):
    address = careless(b"HTTP/1.1 200 OK\r\nno header\r\nContent-Length: 4\r\n\r\nbody")
    Client(limits=Limits(attempts=1), secrets={"api_key": "c0ffee"}).get(address, "x")
    assert "c0ffee" not in caplog.text


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (b"302 Found\r\nLocation: http://[::1/x", "redirects to an invalid address"),
        (b"302 Found\r\nLocation: ftp://example.org/x", "redirects to an invalid address"),
        (b"302 Found\r\nLocation: http://:80/x", "redirects to an invalid address"),
        (b"302 Found\r\nLocation: http://host:99999999/x", "redirects to an invalid address"),
        (b"302 Found\r\nLocation: http://host:abc/x", "redirects to an invalid address"),
        (b"302 Found\r\nLocation: http://127.0.0.1:9/x", "cannot be reached: nobody answers there"),
        (
            b"200 OK\r\nContent-Encoding: deflate",
            "answered in the encoding 'deflate', which was not requested",
        ),
        (b"200 OK\r\nTransfer-Encoding: chunked\r\n\r\n20\r\nhalf", "was cut off before the end"),
        (b"302 Found\r\nLocation: http://a..b/x", "redirects to an invalid address"),
        (b"302 Found\r\nLocation: http://\xe9\xff/x", "redirects to an invalid address"),
        (b"9.9", "answered with something that is not HTTP"),
        (b"200 OK" + b"\r\nX: 1" * 150, "answered with something that is not HTTP"),
        (b"200 OK\r\nContent-Length: 4\r\nContent-Length: 5", "answered with something that is not HTTP"),
        (b"200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nx", "answered with something that is not HTTP"),
        (b"200 OK\r\nContent-Length: 1" + b"0" * 30, "has more than 16 MB"),
    ],
)
def test_what_a_strange_answer_is_is_said_and_asked_for_again(answer, problem, careless):
    strange = b"HTTP/1.1 " + answer + b"\r\n\r\n"
    good = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody"
    limits = Limits(timeout=60, attempts=2, pause=0.01)
    assert Client(limits=limits).get(careless(strange, good), "x") == b"body"
    with pytest.raises(DownloadError, match=rf"/x {problem} \(2 tries in \d+ s\); "):
        Client(limits=limits).get(careless(strange, strange), "x")


@pytest.mark.parametrize("variable", ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"])
@pytest.mark.parametrize("content", [None, "no certificates"])
@pytest.mark.parametrize("redirected", [False, True])
def test_a_variable_that_names_no_certificates_is_named(
    variable, content, redirected, careless, tmp_path, monkeypatch
):
    file = tmp_path / "bundle.pem"
    if content:
        file.write_text(content, encoding="ascii")
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, str(file))
    address = "https://127.0.0.1:9/x"
    if redirected:
        address = careless(f"HTTP/1.1 302 Found\r\nLocation: {address}\r\n\r\n".encode())
    client = Client(limits=Limits(attempts=3, pause=0.01))
    with pytest.raises(DownloadError) as caught:
        client.get(address, "x")
    assert f"{variable} in the environment names {file}" in str(caught.value)
    assert not caught.value.lasting
    assert client.counts["requests"] == 1


@pytest.mark.parametrize(
    "address",
    [
        "http://:80/x",
        "http://host:99999999/x",
        "http://host:abc/x",
        "http://[::1/x",
        "host/x",
        "ftp://host/x",
    ],
)
def test_an_address_of_ours_that_is_none_is_said_at_once(address):
    client = Client(limits=Limits(attempts=3, pause=0.01), rate=1000)
    with pytest.raises(
        DownloadError, match="is not an address; check the network and the base addresses"
    ) as caught:
        client.get(address, "x")
    assert not caught.value.lasting, "it says nothing of what the service has"
    assert client.counts["requests"] == 0


@pytest.mark.parametrize("secret", ["a b&c=d#e?f", "a/b+c%2Fd", 'kä"<ß>', "a'b\\c"])
def test_a_secret_of_odd_characters_comes_whole_and_is_shown_in_no_form(secret, server, caplog):
    client = Client(limits=Limits(attempts=2, pause=0.01), secrets={"api_key": secret})

    def repeat(body):
        asked = urlsplit(server.requests[-1]).query
        assert parse_qs(asked) == {"api_key": [secret]}
        raise WrongAnswer(f"says that {secret} is no key, asked by {asked}, or {quote(secret)}")

    with pytest.raises(DownloadError) as caught:
        client.get(server.address + PATH, "x", repeat)
    shown = str(caught.value) + caplog.text
    assert "says that (secret) is no key, asked by api_key=(secret), or (secret); run" in shown
    assert not any(form in shown for form in (secret, quote(secret), quote_plus(secret)))


def test_the_user_agent_names_the_contact(server):
    Client(contact="me@example.org").get(server.address + PATH, "x")
    [agent] = server.agents
    assert agent.startswith("nontrivial/")
    assert "me@example.org" in agent
