"""What is asked for again, how often, and what is made of the same answer."""

import math
import re
import time
from urllib.parse import urlsplit

import pytest
from data.http.one_file import PATH, refuse

from nontrivial_study.data.http.client import Client, Limits, open_client
from nontrivial_study.data.http.failures import DownloadError, OddAnswer
from nontrivial_study.data.http.pace import Pace


def test_retry_after_is_honoured(server, client):
    server.faults.add(PATH, "429", seconds=0.6)
    started = time.monotonic()
    client.get(server.address + PATH, "x")
    assert time.monotonic() - started >= 0.6


def test_what_comes_the_same_on_every_try_is_what_the_service_has(server, client):
    with pytest.raises(DownloadError) as caught:
        client.get(server.address + PATH, "x", refuse)
    assert caught.value.lasting
    server.faults.add(PATH, "truncate")
    with pytest.raises(DownloadError) as caught:
        client.get(server.address + PATH, "x", refuse)
    assert not caught.value.lasting


def odd_unless(right, needed):
    def accept(body):
        if body != right:
            raise OddAnswer("is odd", body, needed)
        return body

    return accept


@pytest.mark.parametrize("needed", [2, 3, math.inf])
def test_what_is_odd_counts_when_enough_tries_bring_the_same(needed, server, client, right):
    address, tries = server.address + PATH, min(needed, client.limits.attempts)
    server.faults.add(PATH, "truncate", times=tries - 1)
    assert client.get(address, "x", odd_unless(right, needed)) == right
    assert len(server.requests) == tries
    client.forget(address)
    assert client.get(address, "x", odd_unless(b"another", needed)) == right
    assert len(server.requests) == 2 * tries
    assert client.get(address, "x", odd_unless(b"another", needed)) == right
    assert len(server.requests) == 2 * tries, "it is kept"


def test_between_two_odd_answers_are_the_usual_pauses(server, cache):
    client = Client(cache, Limits(attempts=4, pause=0.2))
    started = time.monotonic()
    client.get(server.address + PATH, "x", odd_unless(b"another", math.inf))
    assert time.monotonic() - started >= 0.2 + 0.4 + 0.8


def test_where_no_two_answers_are_the_same_none_counts(server, client, monkeypatch):
    bodies = iter(range(9))
    monkeypatch.setattr(server, "answer", lambda path: (200, b"%d" % next(bodies)))
    with pytest.raises(DownloadError, match=r" is odd \(4 tries in \d+ s\); run the same command") as caught:
        client.get(server.address + PATH, "x", odd_unless(b"", 2))
    assert not caught.value.lasting


def test_a_longer_wait_than_the_patience_is_said_at_once_and_kept_to(server, cache):
    limits = {"folder": str(cache), "rate": 1000, "timeout": 60, "patience": 100}
    server.faults.add(PATH, "429", seconds=900)
    address = server.address + PATH
    said = (
        r"longer than the patience of 100 s; run the same command again when that time is over: complete "
        r"downloads are kept, or set downloads\.patience in the configuration to (\d+) to let the run wait\.$"
    )
    started = time.monotonic()
    with pytest.raises(
        DownloadError, match=rf"^x: {address} answered with status 429 and asks to wait 900 s, {said}"
    ) as caught:
        open_client(limits).get(address, "x")
    assert "downloads.patience in the configuration to 1000 " in str(caught.value)
    assert caught.value.or_else("leave it out") is caught.value, "that would not help"
    # Another job, or the next run, does not ask before that time, either.
    with pytest.raises(
        DownloadError,
        match=rf"^x: {server.address}/other is on a server that has asked to wait another \d+ s, {said}",
    ) as caught:
        open_client(limits).get(f"{server.address}/other", "x")
    assert not caught.value.lasting
    assert time.monotonic() - started < 600
    assert server.requests == [PATH]


def test_a_server_that_asks_to_wait_until_2990_is_asked_again_in_an_hour(careless, cache):
    date = b"Wed, 21 Oct 2990 07:28:00 GMT"
    address = careless(b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nRetry-After: " + date + b"\r\n\r\n")
    settings = {"folder": str(cache), "rate": 1000, "timeout": 60, "patience": 100}
    said = []
    for _ in range(2):  # the server answers the first run alone
        with pytest.raises(DownloadError) as caught:
            open_client(settings).get(address, "x")
        said.append(caught.value)
    assert said[0].answer.pause > 9e9
    assert 3_000 < said[1].answer.pause <= 3_600
    assert 3_000 < Pace(cache / "pace", 1000).held(urlsplit(address).netloc) <= 3_600
    assert not re.search(r"\d{6}", str(said[0]).replace(address, ""))


@pytest.mark.parametrize("status", ["401", "403"])
def test_a_refusal_says_nothing_of_what_the_service_has(status, server, client):
    server.faults.add(PATH, status, times=-1)
    advice = "check downloads.contact, downloads.rate and, if it is set, OPENML_API_KEY in the environment, and run"
    with pytest.raises(DownloadError, match=f"answered with status {status}; {advice}") as caught:
        client.get(server.address + PATH, "x")
    assert not caught.value.lasting
    assert len(server.requests) == 1
