"""What can be wrong with a download, as fields; one sentence is made of them last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

KEY_VARIABLE = "OPENML_API_KEY"


@dataclass(frozen=True)
class Advice:
    """What to do about a failure.

    Attributes
    ----------
    text : str
    everywhere : bool
        Whether no document can be had, so that going without this one would not help.
    settled : bool
        Whether the failure tells what the service has, if it lasts.
    last : bool
        Whether there is nothing else to do, if it lasts.
    """

    text: str
    everywhere: bool = False
    settled: bool = True
    last: bool = False


OFFLINE = Advice(
    "check the network and the base addresses in the configuration; the default study, `snakemake --cores 8`, "
    "needs no network",
    everywhere=True,
    settled=False,
)
AGAIN = Advice(
    "run the same command again later: complete downloads are kept, and the run continues from there"
)
CHECK_KEY = Advice(
    f"check {KEY_VARIABLE} in the environment, or unset it: reading needs no key",
    everywhere=True,
    settled=False,
)
WAIT = Advice(
    "run the same command again when that time is over: complete downloads are kept",
    everywhere=True,
    settled=False,
)
REFUSED = Advice(
    f"check downloads.contact, downloads.rate and, if it is set, {KEY_VARIABLE} in the environment, and run the same "
    "command again",
    settled=False,
)


class DownloadError(RuntimeError):
    """A download that failed for good; the message is one sentence: what, address, what was wrong, what to do.

    Parameters
    ----------
    problem : str
        What, address and what was wrong.
    advice : Advice
    way_out : str
        What to do if it stays so; empty if there is nothing else.
    lasting : bool
        Whether another try would not have been of use: the service works, and this is what it has.
    too_much : bool
        Whether it was because more was asked for than the service gives at once.
    answer : WrongAnswer, optional
        The last answer; its cause is the error in the reader, if it was one.

    Examples
    --------
    >>> print(DownloadError("Task 3: http://example.org/3 was cut off", Advice("run it again")).or_else("leave it out"))
    Task 3: http://example.org/3 was cut off; run it again; if it stays so, leave it out.
    """

    def __init__(
        self,
        problem: str,
        advice: Advice = AGAIN,
        way_out: str = "",
        *,
        lasting: bool = False,
        too_much: bool = False,
        answer: WrongAnswer | None = None,
    ) -> None:
        otherwise = f"; if it stays so, {way_out}" if way_out else ""
        super().__init__(f"{problem}; {advice.text}{otherwise}.")
        self.problem, self.advice, self.way_out = problem, advice, way_out
        self.lasting, self.too_much, self.answer = lasting, too_much, answer

    def or_else(self, way_out: str) -> DownloadError:
        """Return the same failure with what to do if it stays so: go without what cannot be had.

        Where it is not this one document that fails, that would not help, and nothing is added; nor where the advice is
        to go without already.

        Examples
        --------
        >>> print(DownloadError("Task 3 has three classes", Advice("leave it out", last=True)).or_else("leave it out"))
        Task 3 has three classes; leave it out.
        """
        if self.advice.everywhere or self.advice.last:
            return self
        return DownloadError(
            self.problem,
            self.advice,
            way_out,
            lasting=self.lasting,
            too_much=self.too_much,
            answer=self.answer,
        )


class WrongAnswer(ValueError):
    """What is wrong with an answer, as the part of a sentence that follows its address.

    Parameters
    ----------
    problem : str
    advice : Advice
        What to do if it stays so.
    pause : float, optional
        Seconds that the server asks to wait.
    again : bool
        Whether another try may be better.
    too_much : bool
        Whether more was asked for than the service gives at once.

    Attributes
    ----------
    rejected : str or None
        The digest of the whole answer, if it is one that its reader rejects. Where every try brings the same one,
        that is what the service has.
    """

    def __init__(
        self,
        problem: str,
        advice: Advice = AGAIN,
        *,
        pause: float | None = None,
        again: bool = True,
        too_much: bool = False,
    ) -> None:
        super().__init__(problem)
        self.problem, self.advice = problem, advice
        self.pause, self.again, self.too_much = pause, again, too_much
        self.rejected: str | None = None


class OddAnswer(WrongAnswer):
    """What is odd about a whole answer that may yet be what the service has.

    Parameters
    ----------
    problem : str
    result
        What the answer counts as, once enough tries have brought the same.
    needed : float
        How many tries in a row must bring the same; on the last try, two are enough.
    """

    def __init__(self, problem: str, result: Any, needed: float = 2) -> None:
        super().__init__(problem)
        self.result, self.needed = result, needed
