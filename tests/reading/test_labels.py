"""Which labels are the same, and which class is positive."""

import itertools

import pytest

from nontrivial.reading.labels import USUAL_PAIRS, Classes, choose_positive_class, refuse_look_alikes


def positive(labels, counts=(9, 1), **options):
    """The name of the positive class."""
    classes = Classes.from_labels(list(labels))
    place = choose_positive_class(classes, counts, "Column 'y'", **options)
    return None if place is None else classes.names[place]


def assert_asked(labels, counts, proposed, **options):
    with pytest.raises(ValueError, match=rf"^Column 'y' has the labels .*; give --positive {proposed}\.$"):
        positive(labels, counts, **options)


@pytest.mark.parametrize("pair", [*USUAL_PAIRS, ("0", "1"), ("-1", "1"), ("0.0", "1"), ("-1.0", "1.00")])
def test_of_labels_with_usual_names_the_usual_one_is_positive_however_rare(pair):
    for write, counts in itertools.product((str, str.title, str.upper), ((9, 1), (1, 9))):
        labels = tuple(map(write, pair))
        assert positive(labels, counts) == positive(labels[::-1], counts) == labels[1]


@pytest.mark.parametrize(
    "labels", [("ill", "well"), ("1", "2"), ("a", "b"), ("no", "positive"), ("y", "n"), ("1", "yes")]
)
def test_all_other_labels_are_asked_for_with_the_rarer_one_in_the_command(labels):
    names = Classes.from_labels(list(labels)).names
    assert_asked(labels, (1, 9), names[0])
    assert_asked(labels, (9, 1), names[1])


def test_a_named_label_and_the_order_of_a_categorical_decide():
    assert positive(("no", "yes"), named="no") == "no"
    assert positive(("0", "1"), named="1.0") == "1"
    assert positive(("a", "b", "c"), (1, 1, 1)) is None
    assert positive(("a", "b", "c"), (1, 1, 1), named="b") == "b"
    assert positive(("ill", "well"), order=["well", "unknown", "ill"]) == "ill"
    assert positive(("no", "yes"), order=["no", "yes"]) == "yes"
    assert_asked(("no", "yes"), (9, 1), "yes", order=["yes", "no"])  # two signs, which disagree
    with pytest.raises(ValueError, match=r"^--positive is 'x', .*column 'y'.* it holds 'no', 'yes'\.$"):
        positive(("no", "yes"), named="x")


@pytest.mark.parametrize(
    "labels", [("ill", "Ill"), ("ill", "ill "), ("ill", "i ll"), ("1", "1 ", "a"), ("b", "a", "A")]
)
def test_labels_that_look_alike_are_refused(labels):
    with pytest.raises(ValueError, match=r"^Column 'y' holds the labels .*, which look alike"):
        refuse_look_alikes(labels, "Column 'y'")


@pytest.mark.parametrize(
    "labels", [("ill", "well", "ill"), ("1", "1.0", " 1"), ("True", "true", "FALSE"), ("1", "01"), ("-1", "1")]
)
def test_other_labels_are_not(labels):
    refuse_look_alikes(labels, "Column 'y'")
