"""The log's closing line, and that a bar is for terminals alone."""

from nontrivial.data.http import Client
from nontrivial.data.progress import tracked


def test_items_pass_and_the_log_says_what_it_took(capsys):
    client = Client()
    assert list(tracked("abc", 3, "UCI", client)) == ["a", "b", "c"]
    written = capsys.readouterr().err
    assert written.startswith("UCI: 3 done; 0 requests, 0 retries, 0 taken from earlier runs, 0.0 MB; ")
    assert written.count("\n") == 1
