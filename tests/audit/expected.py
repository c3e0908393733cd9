"""Comparison of a document's records with what was worked by hand."""

from fractions import Fraction


def of_verdict(records, verdict):
    return {name for name, record in records.items() if record["verdict"] == verdict}


def counterexamples(records):
    return {name: r["counterexample"] for name, r in records.items() if r["counterexample"] is not None}


def conditions(records):
    """The exact conditions that were found, by id."""
    found = {name: r["trail"]["found"].get("details", {}).get("holds_where") for name, r in records.items()}
    return {name: where["condition"] for name, where in found.items() if where and where["exact"]}


def assert_found(records, expected):
    """Compare exact values, written as fractions."""
    for name, value in expected.items():
        assert Fraction(records[name]["trail"]["found"]["value"]) == Fraction(value), name
