"""Errors within griotte that were not foreseen. At each door one line says what to report, or, where a framework's own
code can run instead, that it does."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from .errors import GriotteError
from .printable import printable

UNFORESEEN = (LookupError, ValueError, TypeError, ArithmeticError, AssertionError, AttributeError, RuntimeError)
"""Errors that a fault of a program raises, not those of a machine that lacks memory, files or packages."""
OWN = str(Path(__file__).parents[1])


class UnforeseenError(GriotteError):
    """A fault within griotte."""


@contextmanager
def reported(
    wanted: Callable[[], str], also: tuple[type[Exception], ...] = (), calls_users: bool = False
) -> Iterator[None]:
    """An error that is not foreseen within becomes an UnforeseenError.

    Args:
        wanted: what was to be made.
        also: errors of griotte that are faults here.
        calls_users: whether code of others is called within, whose own errors pass.
    """
    try:
        yield
    except also as error:
        raise _of(error, wanted()) from error
    except GriotteError:
        raise
    except UNFORESEEN as error:
        if calls_users and not is_own(error):
            raise
        raise _of(error, wanted()) from error


def is_own(error: BaseException) -> bool:
    """Whether an error was raised by griotte's code itself."""
    return traceback.extract_tb(error.__traceback__)[-1].filename.startswith(OWN)


def _of(error: Exception, wanted: str) -> UnforeseenError:
    frames = traceback.extract_tb(error.__traceback__)
    frame = next((each for each in reversed(frames) if each.filename.startswith(OWN)), frames[-1])
    what = " ".join(str(error).split())[:300]
    return UnforeseenError(
        f"expected {wanted}, found an error within griotte: {type(error).__name__}, {printable(what)}"
        f" ({Path(frame.filename).name}:{frame.lineno}); please report it with what griotte doctor says"
    )


def warned(error: GriotteError, runs: str) -> None:
    """One line where the code of others runs for a fault of griotte."""
    if isinstance(error, UnforeseenError):
        warnings.warn(f"{error}; {runs} runs it", RuntimeWarning, stacklevel=4)
