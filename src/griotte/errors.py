"""The errors griotte raises on purpose.

Every message says what was expected, what was found, where, and what to do
next, in one line where one line is enough.  Each class below documents a
failing example and its mend.
"""

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
    """Base of all errors that griotte raises on purpose.

    Catch it to handle any refusal in one place::

        try:
            kernel = gt.compile("matmul(f32[8,8], f32[9,8])")
        except gt.GriotteError as error:
            print(error)

    Anything else that escapes from griotte is a bug in griotte.
    """


class SpecError(GriotteError, ValueError):
    """A Spec, or an array passed for one of its inputs, does not fit.

    Failing: the inner sizes disagree. ::

        gt.parse("matmul(f32[8,16], f32[8,16])")

    Mend: give the second operand the shape [k, n]. ::

        gt.parse("matmul(f32[8,16], f32[16,8])")

    Failing: the kernel was compiled for a column-major input. ::

        kernel = gt.compile("matmul(f32[8,8], f32[8,8]{0,1})")
        kernel(a, b)                        # b is row-major

    Mend: pass that layout, or compile for the layout at hand. ::

        kernel(a, numpy.asfortranarray(b))
    """


class ToolchainError(GriotteError):
    """No C compiler was found, or one refused a source, or a library did not load.

    Failing: a machine without a compiler. ::

        gt.compile("exp(f32[8])")           # PATH holds no gcc, clang or cc

    Mend: install one, or the compiler that comes as a wheel. ::

        pip install 'griotte[zig]'
    """


class NoProgramError(GriotteError):
    """The search space holds no program for this Spec on this target.

    Failing: a target whose smallest memory is too small for the Spec. ::

        gt.synthesize("sum(f32[1024])", target="without_registers.toml")

    Mend: use a target with enough memory levels and instructions. ::

        gt.synthesize("sum(f32[1024])", target="portable")
    """


class TableError(GriotteError):
    """A table file cannot be read, written or trusted.

    Failing: a file that is no table, or was cut short. ::

        gt.synthesize(spec, table="notes.txt")

    Mend: name a table, or solve from nothing. ::

        gt.synthesize(spec, table="none")
    """


class TableWarning(UserWarning):
    """Something is wrong with a table file; what it costs is time, never an answer.

    Found: a damaged file, a full disk, a file that may only be read. Mend: as the message says; or ::

        warnings.simplefilter("ignore", gt.TableWarning)
    """


class TargetError(GriotteError):
    """A target is unknown, its description is wrong, or this machine cannot run it.

    Failing: a misspelt name. ::

        gt.synthesize(spec, target="avx-512")

    Mend: use a name that ``griotte targets`` lists, or a TOML file's path. ::

        gt.synthesize(spec, target="avx512")

    Failing: code for a CPU with more features than this one has. ::

        gt.compile(spec, target="avx512")

    Mend: a target that runs here; or the files, for the machine that has them. ::

        gt.synthesize(spec, target="avx512").save("out")
    """
