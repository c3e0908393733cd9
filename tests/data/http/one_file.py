"""A file on the server, what is kept of it, and a check that nothing passes."""

from nontrivial_study.data.http.failures import WrongAnswer

PATH = "/static/public/43/data.csv"


def files(cache):
    return [path for path in cache.rglob("*") if path.is_file() and "pace" not in path.parts]


def refuse(body):
    raise WrongAnswer("is not what was meant")
