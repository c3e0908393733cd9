"""Tasks of the server, and what is kept of them."""

from nontrivial_study.data.openml.tasks import fetch_task

MIXED, THREE, LOGICAL, SPARSE = 10_001, 10_002, 10_003, 10_004


def kept(cache):
    return sorted(path.name for path in cache.rglob("*.gz"))


def fetch(service, task=MIXED):
    return fetch_task(f"openml_{task}", task, service)
