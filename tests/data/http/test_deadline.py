"""No server holds a job longer than it may."""

import socket
import time

import pytest
from data.http.one_file import PATH

from nontrivial_study.data.http.client import Client, Limits
from nontrivial_study.data.http.failures import DownloadError


@pytest.mark.parametrize(
    ("kind", "problem"),
    [("drip", r"was not whole after 2\.5 s"), ("drip_head", r"cannot be reached: no answer in 2\.5 s")],
)
def test_a_dripping_server_cannot_hold_the_job(kind, problem, server, cache):
    client = Client(cache, Limits(timeout=60, patience=2.5, attempts=2, pause=0.01))
    server.faults.add(PATH, kind, times=-1, seconds=0.1)
    started = time.monotonic()
    with pytest.raises(DownloadError, match=problem):
        client.get(server.address + PATH, "x")
    assert time.monotonic() - started < 30


def test_after_a_dripping_answer_the_next_is_right(server, cache, right):
    client = Client(cache, Limits(timeout=1, patience=1.0, attempts=1))
    server.faults.add(PATH, "drip", seconds=0.05)
    with pytest.raises(DownloadError):
        client.get(server.address + PATH, "x")
    client.limits = Limits()
    assert client.get(server.address + PATH, "x") == right


def test_a_name_that_takes_too_long_to_look_up_cannot_hold_the_job(cache, monkeypatch):
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: time.sleep(60))
    client = Client(cache, Limits(timeout=1, patience=1.0, attempts=2))
    started = time.monotonic()
    with pytest.raises(DownloadError, match=r"no answer in 1 s; check the network .* needs no network"):
        client.get("http://slow.invalid/x", "x")
    assert time.monotonic() - started < 30
