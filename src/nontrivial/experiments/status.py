"""What the column `status` of the study's tables says: "ok", or a code, a colon and the reason."""

OK = "ok"
FAILED = "failed"
IMPOSSIBLE = "impossible"
NOT_EVALUATED = "not evaluated"
NO_PREDICTIONS = "no predictions: the model failed on this data set; curve_areas.csv has the reason"


def kind_of(status: str) -> str:
    """Return the code of a status; what begins with none is what a failure said of itself.

    Examples
    --------
    >>> kind_of("ok"), kind_of("impossible: too many flips"), kind_of("failed in fold 3: ValueError: impossible")
    ('ok', 'impossible', 'failed')
    """
    code = status.partition(":")[0]
    return code if code in (OK, IMPOSSIBLE, NOT_EVALUATED) else FAILED
