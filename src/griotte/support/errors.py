"""The errors griotte raises on purpose.

Every message says what was expected, what was found, where, and what to do next, in one line where one line is enough.
Each class below documents a failing example and its mend.
"""

from .printable import printable

__all__ = [
    "GriotteError",
    "NoProgramError",
    "SpecError",
    "TableError",
    "TableWarning",
    "TargetError",
    "ToolchainError",
]


class GriotteError(Exception):
    """Base of all errors that griotte raises on purpose. Anything else that escapes from griotte is a bug in griotte.

    Examples:
        >>> try:
        ...     kernel = gt.compile("matmul(f32[8,8], f32[9,8])")
        ... except gt.GriotteError as error:
        ...     print("refused")
        refused
    """

    def __str__(self) -> str:
        return printable(super().__str__())  # it may quote a file


class SpecError(GriotteError, ValueError):
    """A Spec, or an array passed for one of its inputs, does not fit.

    Examples:
        The inner sizes disagree. Mend: give the second operand the shape [k, n].

        >>> gt.parse("matmul(f32[8,16], f32[8,16])")
        Traceback (most recent call last):
        griotte.SpecError: matmul expects equal inner sizes ...
        >>> spec = gt.parse("matmul(f32[8,16], f32[16,8])")

        The kernel was compiled for a column-major input. Mend: pass that layout, or compile for the one at hand.

        >>> kernel, a = gt.compile("matmul(f32[8,8], f32[8,8]{0,1})"), np.ones((8, 8), np.float32)
        >>> kernel(a, a)
        Traceback (most recent call last):
        griotte.SpecError: expected ...
        >>> kernel(a, np.asfortranarray(a)).shape
        (8, 8)
    """


class ToolchainError(GriotteError):
    """No C compiler was found, it refused a source, a library did not load, or a file cannot be written.

    Without a compiler, `pip install 'griotte[zig]'` brings one.

    Examples:
        The folder is not there. Mend: name a file in one that can be written.

        >>> program = gt.synthesize("exp(f32[8])")
        >>> program.to_html("nowhere/exp.html")
        Traceback (most recent call last):
        griotte.ToolchainError: expected to write nowhere/exp.html, found No such file or directory; ...
        >>> program.to_html("exp.html")
    """


class NoProgramError(GriotteError):
    """The search space holds no program for this Spec on this target, or a schedule's step does not apply.

    Examples:
        A schedule has a hole in it. Mend: let the search fill it.

        >>> schedule = gt.schedule("exp(f32[64])", "portable").tile("i0", 16)
        >>> schedule.to_c()
        Traceback (most recent call last):
        griotte.NoProgramError: expected a complete program, found 1 hole, ...
        >>> source = gt.synthesize(schedule).to_c()
    """


class TableError(GriotteError):
    """A table file cannot be read, written or trusted.

    Examples:
        The file is no table. Mend: name one, or solve from nothing.

        >>> with open("notes.txt", "w") as file:
        ...     _ = file.write("no table")
        >>> gt.synthesize("exp(f32[8])", table="notes.txt")
        Traceback (most recent call last):
        griotte.TableError: expected ...
        >>> program = gt.synthesize("exp(f32[8])", table="none")
    """


class TableWarning(UserWarning):
    """Something is wrong with a table file; what it costs is time, never an answer.

    It was damaged, the disk is full, or the file may only be read. Mend: as the message says, or look away.

    Examples:
        >>> import warnings
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore", gt.TableWarning)
        ...     program = gt.synthesize("exp(f32[8])")
    """

    def __str__(self) -> str:
        return printable(super().__str__())


class TargetError(GriotteError):
    """A target is unknown, its description is wrong, or this machine cannot run it.

    For another machine than this, `gt.synthesize(spec, target="avx512").save("out")` writes the files.

    Examples:
        The name is misspelt. Mend: take one that `griotte targets` lists, or a TOML file's path.

        >>> gt.synthesize("exp(f32[8])", target="avx-512")
        Traceback (most recent call last):
        griotte.TargetError: expected a target (native, portable, ...) or a .toml file, found 'avx-512'; ...
        >>> program = gt.synthesize("exp(f32[8])", target="avx512")
    """


for _public in (GriotteError, SpecError, ToolchainError, NoProgramError, TableError, TableWarning, TargetError):
    _public.__module__ = "griotte"  # as they are told in a traceback, and found by whoever reads it
