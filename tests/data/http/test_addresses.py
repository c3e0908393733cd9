"""Names and passwords: sent where ~/.netrc or a proxy's address has them, and shown nowhere."""

import base64
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from nontrivial.schemas import check, read_yaml
from nontrivial.terminal import hide_logins
from nontrivial_study.data.http.client import Client
from nontrivial_study.data.http.failures import DownloadError
from nontrivial_study.data.http.limits import Limits

ROOT = Path(__file__).parents[3]
PASSWORD = "p@ss:w0rd"
BASIC = "Basic " + base64.b64encode(f"me:{PASSWORD}".encode()).decode()
WRITTEN = ["p%40ss%3Aw0rd", "p@ss:w0rd", "p%40ss/w0rd", "p#ss?w0rd"]


class Guarded(BaseHTTPRequestHandler):
    """Lets in who has the password; leads from /old to the server's `target`."""

    def do_GET(self):
        known = self.headers.get("Authorization")
        self.server.known.append((self.path, known))
        leads = self.path == "/old"
        self.send_response(302 if leads else 200 if known == BASIC else 401)
        if leads:
            self.send_header("Location", self.server.target)
        body = b"" if leads else b"body"
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def guarded():
    with ThreadingHTTPServer(("127.0.0.1", 0), Guarded) as server:
        server.known = []
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def netrc(tmp_path, monkeypatch):
    """A home with a ~/.netrc for 127.0.0.1, and not for localhost."""
    monkeypatch.delenv("NETRC", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    file = tmp_path / ".netrc"
    file.write_text(f"machine 127.0.0.1 login me password {PASSWORD}\n", encoding="ascii")
    file.chmod(0o600)


LIMITS = Limits(timeout=60, attempts=2, pause=0.01)


def test_netrc_has_a_place_for_name_and_password(guarded, netrc, tmp_path, caplog):
    caplog.set_level("DEBUG")
    cache = tmp_path / "cache"
    port = guarded.server_address[1]
    assert Client(cache, LIMITS, rate=1000).get(f"http://127.0.0.1:{port}/x", "x") == b"body"
    guarded.target = f"http://localhost:{port}/new"
    with pytest.raises(DownloadError, match="status 401"):
        Client(cache, LIMITS, rate=1000).get(f"http://127.0.0.1:{port}/old", "x")
    assert guarded.known == [("/x", BASIC), ("/old", BASIC), ("/new", None)], "not to where it leads"
    written = b"".join(path.read_bytes() for path in cache.rglob("*") if path.is_file())
    assert PASSWORD not in caplog.text
    assert PASSWORD.encode() not in written


def test_a_login_in_a_redirection_is_shown_nowhere(guarded, tmp_path, caplog):
    caplog.set_level("DEBUG")
    port = guarded.server_address[1]
    shown = ""
    for target in (f"me:p%40ss%3Aw0rd@127.0.0.1:{port}/new", "me:w0rd@127.0.0.1:9/new", "me:w0rd@[::1/"):
        guarded.target = f"http://{target}"
        try:
            Client(tmp_path, LIMITS, rate=1000).get(f"http://127.0.0.1:{port}/old", "x")
        except DownloadError as error:
            shown += str(error)
    assert "w0rd" not in shown + caplog.text + " ".join(map(str, tmp_path.rglob("*")))


@pytest.mark.parametrize("password", WRITTEN)
def test_an_address_with_a_password_is_refused_without_it(password, tmp_path, caplog):
    caplog.set_level("DEBUG")
    address = f"http://me:{password}@127.0.0.1:9/x"
    client = Client(tmp_path, LIMITS, rate=1000)
    with pytest.raises(DownloadError) as caught:
        client.get(address, "x")
    shown = str(caught.value) + caplog.text + " ".join(map(str, tmp_path.rglob("*")))
    assert "w0rd" not in shown + hide_logins(f"see {address}, {address}")
    assert client.counts["requests"] == 0


@pytest.fixture(scope="module")
def schema():
    return read_yaml(ROOT / "workflow" / "schemas" / "config.schema.yaml")


@pytest.mark.parametrize("key", ["uci.base_url", "openml.api_url", "openml.data_url"])
def test_the_configuration_refuses_a_password_and_does_not_repeat_it(key, schema):
    part, name = key.split(".")
    for password in WRITTEN:
        config = {part: {name: f"http://me:{password}@example.org/"}}
        with pytest.raises(ValueError, match=rf"^mine\.yaml: {key} is ") as caught:
            check(config, schema, "mine.yaml", partial=True)
        assert "w0rd" not in str(caught.value)
        assert "netrc" in str(caught.value)


def test_a_proxys_password_is_sent_to_it_and_shown_nowhere(guarded, tmp_path, caplog, monkeypatch):
    caplog.set_level("DEBUG")
    for name in ("NO_PROXY", "no_proxy", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    seen = ""
    for port in (guarded.server_address[1], 9):  # a proxy, and none
        monkeypatch.setenv("HTTP_PROXY", f"http://me:p%40ss%3Aw0rd@127.0.0.1:{port}")
        with pytest.raises(DownloadError) as caught:
            Client(tmp_path, LIMITS, rate=1000).get("http://example.invalid/x", "x")
        seen += str(caught.value)
    assert guarded.known[0][0] == "http://example.invalid/x"
    assert "w0rd" not in seen + caplog.text + " ".join(map(str, tmp_path.rglob("*")))
