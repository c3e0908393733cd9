"""The command ``nontrivial``."""

import contextlib
import os
import sys
from collections.abc import Sequence
from importlib.metadata import entry_points
from typing import Any, NoReturn

import click

from nontrivial.claims.command import claims
from nontrivial.published.command import published
from nontrivial.scorecard.command import score
from nontrivial.terminal import hide_logins, naming_extras, print_lines, shorten

MAX_ERROR_LENGTH = 2000  # in characters


class _PlainErrors(click.Group):
    """A group of commands, also from the entry points of other packages, that prints an error as one sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *entry_points(group="nontrivial.commands").names})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        others = entry_points(group="nontrivial.commands", name=cmd_name)
        return super().get_command(ctx, cmd_name) or next((other.load() for other in others), None)

    def main(self, args: Sequence[str] | None = None, *others: Any, **kwargs: Any) -> Any:
        kwargs["standalone_mode"] = False
        words = list(sys.argv[1:] if args is None else args)
        if words[:1] == ["help"]:
            words = [*words[1:], "--help"]
        try:
            with naming_extras():
                code = super().main(words, *others, **kwargs)
            if sys.stdout is not None:  # None if a user closed it
                sys.stdout.flush()
        except click.exceptions.NoArgsIsHelpError as error:
            print_lines(error.format_message().splitlines(), err=True)
            sys.exit(2)
        except click.NoSuchOption as error:
            similar = f" Did you mean {error.possibilities[0]}?" if error.possibilities else ""
            _exit_with_error(f"No such option {error.option_name!r}.{similar}")
        except click.ClickException as error:
            _exit_with_error(error.format_message())
        except click.Abort:
            print_lines(["nontrivial: interrupted."], err=True)
            sys.exit(130)
        except OSError as error:
            # Python would write the rest of the output when it ends, and fail again.
            with contextlib.suppress(OSError, AttributeError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            name = error.filename or "standard output"
            _exit_with_error(f"{name} cannot be used: {error.strerror or error}")
        except (ModuleNotFoundError, ValueError) as error:
            _exit_with_error(str(error))
        sys.exit(code if isinstance(code, int) else 0)


def _exit_with_error(text: str) -> NoReturn:
    line = shorten(hide_logins(" ".join(text.split())), MAX_ERROR_LENGTH)
    print_lines([f"nontrivial: {line if line.endswith(('.', '?', '!')) else line + '.'}"], err=True)
    sys.exit(2)


@click.group(cls=_PlainErrors, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="nontrivial")
def main() -> None:
    """Is a model, or a published number, better than trivial?"""


main.add_command(claims)
main.add_command(published)
main.add_command(score)
