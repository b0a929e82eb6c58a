"""What an operator of ort_op.c calls of onnxruntime, by ctypes: a table of functions with the numbers that it uses."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

P, SIZE = ctypes.c_void_p, ctypes.c_size_t
HEAD = "create_without_status name provider input_type inputs output_type outputs compute_without_status destroy"
TAIL = "input_presence output_presence input_memory fewest_inputs are_inputs_alike fewest_outputs are_outputs_alike"
FIELDS = f"{HEAD} {TAIL} create compute".split()


class Operator(ctypes.Structure):
    """As onnxruntime reads it."""

    _fields_ = [("version", ctypes.c_uint32), *((name, P) for name in FIELDS)]


class Refused(Exception):
    """A status that is no success."""


class Double:
    """A library's operator, in a runtime that is none."""

    def __init__(self, path: str) -> None:
        self.values: list[np.ndarray] = []  # a value of onnxruntime is the number of one of these, from 1 on
        self.said: list[tuple[int, str]] = []
        self.kept: list[Any] = []
        self.given: list[int] = []
        self.made: dict[int, int] = {}
        self.shapes = 0  # that are not released
        self.outputs_as: list[np.dtype] = []
        table = (P * 128)()
        for number, function in {
            0: self._function(P, (ctypes.c_int, ctypes.c_char_p), self._status),
            26: self._function(P, (ctypes.c_char_p, P), self._domain),
            27: self._function(P, (P, P), self._add),
            28: self._function(P, (P, P), lambda options, domain: None),
            51: self._function(P, (P, P), lambda value, to: self._put(to, self.values[value - 1].ctypes.data)),
            61: self._function(P, (P, P), lambda shape, to: self._put(to, self.values[shape - 1].ndim)),
            62: self._function(P, (P, P, SIZE), self._sizes),
            65: self._function(P, (P, P), self._shape),
            90: self._function(P, (P, SIZE, P), lambda context, i, to: self._put(to, self.given[i or 0])),
            91: self._function(P, (P, SIZE, P, SIZE, P), self._output),
            99: self._function(None, (P,), self._release),
        }.items():
            table[number] = ctypes.cast(function, P).value
        self.table = table
        functions = self._function(P, (ctypes.c_uint32,), lambda version: ctypes.addressof(table))
        base = (P * 2)(ctypes.cast(functions, P).value, None)
        register = ctypes.CDLL(path).RegisterCustomOps
        register.restype, register.argtypes = P, (P, P)
        assert register(1, ctypes.addressof(base)) is None
        create = ctypes.CFUNCTYPE(P, P, P, P, P)(self.operator.create)
        kernel = P()
        self._check(create(ctypes.addressof(self.operator), ctypes.addressof(table), None, ctypes.addressof(kernel)))
        self.kernel = kernel.value

    def __call__(self, arrays: list[np.ndarray], dtypes: list[np.dtype]) -> list[np.ndarray]:
        """The operator of arrays; Refused with its words."""
        self.values, self.outputs_as, self.made = list(arrays), dtypes, {}
        self.given = list(range(1, len(arrays) + 1))
        compute = ctypes.CFUNCTYPE(P, P, P)(self.operator.compute)
        self._check(compute(self.kernel, 1))
        assert self.shapes == 0, "expected each shape to be released"
        return [self.values[self.made[i] - 1] for i in sorted(self.made)]

    def told(self, name: str, *arguments: int, restype: Any = ctypes.c_int) -> Any:
        """What the operator says of itself."""
        pointer = getattr(self.operator, name)
        return ctypes.CFUNCTYPE(restype, P, *[SIZE] * len(arguments))(pointer)(
            ctypes.addressof(self.operator), *arguments
        )

    def _function(self, result: Any, takes: tuple[Any, ...], call: Callable[..., Any]) -> Any:
        self.kept.append(ctypes.CFUNCTYPE(result, *takes)(call))
        return self.kept[-1]

    def _check(self, status: int | None) -> None:
        if status:
            raise Refused(self.said[status - 1][1])

    def _status(self, code: int, words: bytes) -> int:
        self.said.append((code, words.decode()))
        return len(self.said)

    def _domain(self, name: bytes, to: int) -> None:
        self.domain = name.decode()
        self._put(to, 7)

    def _add(self, domain: int, operator: int) -> None:
        assert domain == 7
        self.operator = Operator.from_address(operator)

    @staticmethod
    def _put(to: int, value: int) -> None:
        ctypes.c_uint64.from_address(to).value = value

    def _shape(self, value: int, to: int) -> None:
        self.shapes += 1
        self._put(to, value)

    def _release(self, shape: int) -> None:
        self.shapes -= 1

    def _sizes(self, shape: int, to: int, rank: int) -> None:
        (ctypes.c_int64 * rank).from_address(to)[:] = self.values[shape - 1].shape

    def _output(self, context: int, i: int | None, sizes: int, rank: int | None, to: int) -> None:
        shape = tuple((ctypes.c_int64 * (rank or 0)).from_address(sizes))
        self.values.append(np.full(shape, 7, self.outputs_as[i or 0]))
        self.made[i or 0] = len(self.values)
        self._put(to, len(self.values))
