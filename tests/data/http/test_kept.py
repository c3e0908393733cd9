"""Documents that came whole are kept, and what is damaged is fetched again."""

import gzip
import os
from pathlib import Path

import pytest
from data.http.one_file import PATH, files

from nontrivial_study.data.http.client import Client
from nontrivial_study.data.http.failures import WrongAnswer
from nontrivial_study.data.http.kept import Kept


def test_a_kept_document_is_not_asked_for_again(server, client, cache, right):
    address = server.address + PATH
    client.get(address, "x")
    other = Client(cache)
    assert other.get(address, "x") == right
    assert other.counts["kept"] == 1
    assert len(server.requests) == 1


@pytest.mark.parametrize("damage", ["shortened", "changed", "emptied"])
def test_a_damaged_copy_is_fetched_again(damage, server, client, cache, right):
    address = server.address + PATH
    client.get(address, "x")
    [kept] = files(cache)
    content = kept.read_bytes()
    harmed = {"shortened": content[:-9], "changed": content[:40] + b"????" + content[44:], "emptied": b""}
    kept.write_bytes(harmed[damage])
    assert client.get(address, "x") == right
    assert gzip.decompress(kept.read_bytes()) == right


def test_a_kept_copy_that_does_not_pass_any_more_is_fetched_again(server, client, right):
    def accept(body):
        if body != right:
            raise WrongAnswer("is not what was meant")
        return body

    server.faults.add(PATH, "truncate")
    assert client.get(server.address + PATH, "x") != right
    assert client.get(server.address + PATH, "x", accept) == right
    assert client.get(server.address + PATH, "x", accept) == right
    assert len(server.requests) == 2


def test_what_a_killed_run_left_is_removed(server, client, cache):
    client.get(server.address + PATH, "x")
    [kept] = files(cache)
    abandoned, fresh = kept.with_name(".a-1.gz"), kept.with_name(".b-2.gz")
    for path in (abandoned, fresh):
        path.write_bytes(b"half")
    os.utime(abandoned, (0, 0))
    Client(cache)
    assert sorted(files(cache)) == sorted([kept, fresh])


def test_what_another_job_finishes_meanwhile_stops_nothing(cache, monkeypatch):
    monkeypatch.setattr(Path, "glob", lambda folder, pattern: iter([folder / "host" / ".finished-1.gz"]))
    assert Kept(cache).find("http://example.org/x") is None


def test_addresses_that_differ_are_kept_apart(cache):
    ids = ",".join(map(str, range(1000)))
    kept = Kept(cache)
    texts = [ids, ids + ",1", ids.replace("7", "8"), "a/b", "a_b", "a?b", "A/b", "a/b/"]
    for text in texts:
        kept.add(f"http://h/list/{text}", text.encode())
    assert [kept.find(f"http://h/list/{text}").decode() for text in texts] == texts
