"""Every table of 5 positives among 12 cases, and those that are found."""

from measures.exact_tables import all_tables

from nontrivial.measures import published_tables

POSITIVES, N = 5, 12
TABLES = all_tables(POSITIVES, N)
MEASURES = sorted(next(iter(TABLES.values())))


def found(scores, positives=POSITIVES, n=N):
    table = published_tables(scores, positives=positives, n=n)
    return list(zip(table["tp"], table["tn"], strict=True))
