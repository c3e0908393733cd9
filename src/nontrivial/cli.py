"""The command ``nontrivial``."""

from __future__ import annotations

import contextlib
import os
import sys
from importlib.metadata import entry_points
from typing import Any, NoReturn

import click

from nontrivial.claims.command import claims
from nontrivial.published.command import published
from nontrivial.scorecard.command import score
from nontrivial.terminal import hide_logins, naming_extras, say, shortened

MOST_CHARACTERS = 2000  # of a sentence


class _PlainErrors(click.Group):
    """A group that says what is wrong in one sentence on stderr, and then exits with 2.

    Other packages add commands as entry points of the group ``nontrivial.commands``.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *entry_points(group="nontrivial.commands").names})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = entry_points(group="nontrivial.commands", name=cmd_name)
        return super().get_command(ctx, cmd_name) or next((each.load() for each in found), None)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        kwargs["standalone_mode"] = False
        try:
            with naming_extras():
                code = super().main(*args, **kwargs)
            if sys.stdout is not None:
                sys.stdout.flush()
        except click.exceptions.NoArgsIsHelpError as error:
            say(error.format_message().splitlines(), err=True)
            sys.exit(2)
        except (
            click.NoSuchOption
        ) as error:  # click sorts the names that are near, and the nearest is not the first
            nearest = f" Did you mean {error.possibilities[0]}?" if error.possibilities else ""
            _fail(f"No such option {error.option_name!r}.{nearest}")
        except click.ClickException as error:
            _fail(error.format_message())
        except click.Abort:
            say(["nontrivial: interrupted."], err=True)
            sys.exit(130)
        except ModuleNotFoundError as error:
            _fail(str(error))
        except OSError as error:
            _discard_output()
            name = error.filename or "standard output"
            _fail(f"{name} cannot be used: {error.strerror or error}")
        except ValueError as error:
            _fail(str(error))
        sys.exit(code if isinstance(code, int) else 0)


def _fail(text: str) -> NoReturn:
    line = shortened(hide_logins(" ".join(text.split())), MOST_CHARACTERS)
    say([f"nontrivial: {line if line.endswith(('.', '?', '!')) else line + '.'}"], err=True)
    sys.exit(2)


def _discard_output() -> None:
    """Keep Python from writing the rest of the output when it ends, where that has just failed."""
    with contextlib.suppress(OSError, AttributeError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(cls=_PlainErrors)
@click.version_option(package_name="nontrivial")
def main() -> None:
    """Is a model, or a published number, better than trivial?"""


main.add_command(claims)
main.add_command(published)
main.add_command(score)
