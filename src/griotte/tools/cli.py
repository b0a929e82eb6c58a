"""The command line: `griotte VERB ...`. Each verb is a module of `commands`; errors become one line here.

Exit status: 0 all right; 1 a check failed; 2 bad input, or something is missing on this machine.
"""

from __future__ import annotations

import re
import sys
import warnings

import click

from ..support.errors import GriotteError
from ..support.printable import printable
from . import commands
from .commands import Verbs
from .commands.output import print_json

_EXTRA = re.compile(r"Got unexpected extra arguments? \((.*)\)", re.S)


class Griotte(Verbs):
    """The verbs, with every error printed in one line, or as a JSON object where --json is among the words."""

    def main(self, args=None, prog_name=None, **options) -> None:  # type: ignore[override] # it always exits
        words = list(sys.argv[1:] if args is None else args)
        warnings.showwarning = _show_warning
        try:
            sys.exit(super().main(words, prog_name or "griotte", standalone_mode=False) or 0)
        except (KeyboardInterrupt, click.Abort):
            print("griotte: stopped", file=sys.stderr)
            sys.exit(130)
        except click.exceptions.NoArgsIsHelpError as error:
            print(error.ctx.get_help())
            sys.exit(0)
        except click.UsageError as error:
            _fail(_usage(error, words), words)
        except (GriotteError, OSError, MemoryError, RecursionError) as error:
            _fail(_explained(error), words)
        except Exception as error:
            if "--traceback" in words:
                raise
            _fail(
                f"expected no error inside griotte, found {type(error).__name__}: {error}; see where with griotte"
                " --traceback VERB ..., and report it",
                words,
            )


@click.group(
    "griotte",
    cls=Griotte,
    package=commands.__name__,
    verbs=commands.VERBS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option("--traceback", is_flag=True, help="Show where an error inside griotte came from.")
@click.version_option(package_name="griotte", message="%(version)s")
def main(traceback: bool) -> None:
    """The fastest CPU kernel of a small tensor program, by exact search.

    \b
    griotte compile "matmul(f32[512,512], f32[512,512])" -o out/
    griotte bench   "matmul(f32[512,512], f32[512,512])" --against numpy,naive

    A SPEC is written in XLA's shape notation, or read from a file: @FILE.
    """


def _fail(message: str, words: list[str]) -> None:
    message = printable(" ".join(message.split()))
    if "--json" not in words or not _printed({"error": message}):
        print(f"griotte: {message}", file=sys.stderr)
    sys.exit(2)


def _printed(found: dict[str, str]) -> bool:
    """Print an object; whether standard output took it."""
    try:
        print_json(found)
    except OSError:  # it is full, or closed
        return False
    return True


def _explained(error: BaseException) -> str:
    if isinstance(error, GriotteError):
        return str(error)
    if isinstance(error, MemoryError):
        return (
            f"expected enough memory, found {error or 'none left'}; try a smaller SPEC, or fewer programs beside"
            " this one"
        )
    if isinstance(error, RecursionError):
        return "expected a SPEC of moderate depth, found calls nested too deep; split it"
    where = f" in {error.filename}" if isinstance(error, OSError) and error.filename else ""
    return (
        f"expected files that can be read and written, found {getattr(error, 'strerror', None) or error}{where}; check"
        " the path and its permissions"
    )


def _usage(error: click.UsageError, words: list[str]) -> str:
    """click's complaint in griotte's words."""
    verb = (
        error.ctx.command_path if error.ctx else " ".join(["griotte", *(w for w in words[:1] if w in commands.VERBS)])
    )
    see = f"see {verb} --help"
    extra = _EXTRA.match(error.message)
    match error:
        case click.NoSuchOption(option_name=name):
            return f"expected an option of {verb}, found {name}; {see}"
        case click.MissingParameter(param=param):
            name = (
                "an argument"
                if param is None
                else param.opts[0]
                if isinstance(param, click.Option)
                else param.human_readable_name
            )
            write = f"write one, quoted: {verb} 'matmul(f32[8,8], f32[8,8])'" if name == "SPEC" else see
            return f"expected {name} after {verb}, found nothing; {write}"
        case click.BadOptionUsage(option_name=name):
            return f"expected {name} with a value, found it without, or one that it does not take, after {verb}; {see}"
        case _ if extra:
            return f"expected no more words after {verb}, found {extra[1]}; quote a SPEC that has blanks; {see}"
    return (
        error.message
        if error.message.startswith("expected")
        else f"expected the words of {verb}, found an error: {error.message} {see}"
    )


def _show_warning(message, category, filename, lineno, file=None, line=None) -> None:
    print(f"griotte: {printable(message)}", file=sys.stderr)
