"""What may go to a terminal: a text from a file cannot move its cursor or forge a line."""


def visible(text: str) -> str:
    r"""Return one line in which each character that is no glyph is escaped as in Python.

    Those are control characters with the line feed, marks of direction and of width 0, blanks other than the space, and
    what stands for bytes that are no text.

    Examples
    --------
    >>> print(visible("a\x1b[31m\nb\u202e"))
    a\x1b[31m\nb\u202e
    """
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode("ascii") for each in text
    )
