"""OpenML's key, and its documents."""

import pytest
from data.openml.fetched import fetch, kept

from nontrivial_study.data.http.client import Client, Limits
from nontrivial_study.data.openml.service import OpenML, read_document, secret_parameters


def test_a_key_comes_from_the_environment_alone(monkeypatch):
    monkeypatch.delenv("OPENML_API_KEY", raising=False)
    assert secret_parameters() == {}
    for text in ("c0ffee", " c0ffee\n"):
        monkeypatch.setenv("OPENML_API_KEY", text)
        assert secret_parameters() == {"api_key": "c0ffee"}
    monkeypatch.setenv("OPENML_API_KEY", " ")
    assert secret_parameters() == {}


def test_a_key_reaches_the_service_and_no_file(server, cache):
    client = Client(cache, Limits(pause=0.01), secrets={"api_key": "c0ffee"})
    _, _, record = fetch(OpenML(f"{server.address}/api/v1/xml", server.address, client))
    assert all("api_key=c0ffee" in path for path in server.requests)
    assert "c0ffee" not in str(record) + " ".join(kept(cache))


def test_entities_are_not_expanded():
    bomb = b'<!DOCTYPE x [<!ENTITY a "b">]><oml:run xmlns:oml="y">&a;</oml:run>'
    with pytest.raises(ValueError, match="entities are disabled"):
        read_document(bomb, "run")
