"""onnxruntime: one MatMul (or MatMulInteger) node, inputs and output bound; constant weights are an initializer, which
it packs. Graphs with the node that a call has, where it has one (Softmax, LayerNormalization, Attention), and in
elementary nodes; the quicker counts."""

from __future__ import annotations

import math

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from racing import calls
from racing.contestant import Skip, Way, output

TYPES = {
    "f32": (TensorProto.FLOAT, TensorProto.FLOAT, TensorProto.FLOAT),
    "u8s8": (TensorProto.UINT8, TensorProto.INT8, TensorProto.INT32),
}


def ways(problem, a, b, threads):
    if problem.dtype not in TYPES:
        raise Skip("its CPU product takes no bf16")
    c = output(problem)
    given = b if b.flags.c_contiguous else b.swapaxes(-1, -2)  # as it lies
    turned = given is not b
    if turned and problem.dtype != "f32":
        raise Skip("no transposed integer product")
    if problem.const:
        session = _session(problem, a, np.ascontiguousarray(b), False, threads, constant=True)
    else:
        session = _session(problem, a, given, turned, threads, constant=False)
    binding = session.io_binding()
    values = {"a": a} if problem.const else {"a": a, "b": given}
    held = [onnxruntime.OrtValue.ortvalue_from_numpy(x) for x in values.values()]
    for name, value in zip(values, held):
        binding.bind_ortvalue_input(name, value)
    binding.bind_output("c", "cpu", 0, c.dtype, c.shape, c.ctypes.data)
    kept = (a, b, c, held)
    yield Way(
        "constant" if problem.const else "input", lambda kept=kept: session.run_with_iobinding(binding), lambda: c
    )


def _session(problem, a, b, turned, threads, constant):
    ta, tb, tc = TYPES[problem.dtype]
    if problem.dtype == "u8s8":
        node = helper.make_node("MatMulInteger", ["a", "b"], ["c"])
    elif turned:
        node = helper.make_node("Gemm", ["a", "b"], ["c"], transB=1)
    else:
        node = helper.make_node("MatMul", ["a", "b"], ["c"])
    shape = [*a.shape[:-1], problem.n]
    inputs = [helper.make_tensor_value_info("a", ta, a.shape)]
    inputs += [] if constant else [helper.make_tensor_value_info("b", tb, b.shape)]
    weights = [numpy_helper.from_array(b, "b")] if constant else []
    graph = helper.make_graph([node], "product", inputs, [helper.make_tensor_value_info("c", tc, shape)], weights)
    return _started(graph, 17, threads)


def _started(graph, opset, threads):
    model = helper.make_model(
        graph,
        opset_imports=[helper.make_opsetid("", opset), helper.make_opsetid(CONTRIBUTED, 1)],
        ir_version=8 if opset < 20 else 10,
    )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


# Graphs
# ------------------------------------------------------------------------------------------------------------------

ELEMENTS = {"f32": TensorProto.FLOAT, "u8": TensorProto.UINT8, "s8": TensorProto.INT8, "s32": TensorProto.INT32}
OPSET = 23  # the first with Attention and RMSNormalization
CONTRIBUTED = "com.microsoft"  # where MatMulNBits is
F32, S8 = 1, 4  # its accuracy levels: what activations are taken as
NODES = {
    **dict(
        zip(
            "matmul add sub mul div neg abs exp log sqrt tanh sigmoid relu where take".split(),
            "MatMul Add Sub Mul Div Neg Abs Exp Log Sqrt Tanh Sigmoid Relu Where Gather".split(),
        )
    ),
    "maximum": "Max",
    "minimum": "Min",
}
FUSED = ("layer_norm", "rms_norm", "group_norm", "attention", "requantize")
"""Calls that have a node of their own, and elementary ones."""
REDUCTIONS = {"sum": "ReduceSum", "mean": "ReduceMean", "max": "ReduceMax", "min": "ReduceMin"}


class _Written:
    """The nodes of a graph as they are written; calls are methods or rows of NODES."""

    def __init__(self, inputs):
        self.inputs, self.nodes, self.constants = inputs, [], []

    def table(self, elementary: bool):
        plain = {call: self._plain(node) for call, node in NODES.items()} | {
            call: self._reduction(node) for call, node in REDUCTIONS.items()
        }
        own = {
            name: getattr(self, name)
            for name in (
                "gelu",
                "softmax",
                "silu",
                "rsqrt",
                "conv2d",
                "qconv2d",
                "group_matmul",
                "log_softmax",
                "max_pool2d",
                "avg_pool2d",
                "reshape",
                "transpose",
            )
        }
        fused = {name: getattr(self, f"{name}_{'elementary' if elementary else 'fused'}") for name in FUSED}
        integers = {"matmul": self._plain("MatMulInteger")} if self.inputs[0].dtype == "u8" else {}
        return {**plain, **own, **fused, **integers}

    def node(self, kind, *names, **attributes):
        out = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, names, [out], **attributes))
        return out

    def constant(self, value, dtype=np.float32):
        self.constants.append(numpy_helper.from_array(np.asarray(value, dtype), f"c{len(self.constants)}"))
        return self.constants[-1].name

    def requantize_fused(self, sums, scale, zero):
        """The product that gave the sums, and this, are one QLinearMatMul: as if a and the result were in steps of
        1."""
        product = self.nodes.pop()
        one = self.constant(1)
        return self.node(
            "QLinearMatMul",
            product.input[0],
            one,
            self.constant(0, np.uint8),
            product.input[1],
            scale,
            self.constant([0] * self.inputs[int(scale[1:])].shape[0], np.int8),
            one,
            zero,
        )

    def requantize_elementary(self, sums, scale, zero):
        scaled = self.node("Mul", self.node("Cast", sums, to=TensorProto.FLOAT), scale)
        return self.node("QuantizeLinear", scaled, self.constant(1), zero)

    def _plain(self, kind):
        return lambda *names: self.node(kind, *names)

    def _reduction(self, kind):
        return lambda x, axis, keepdims=False: self.node(
            kind, x, self.constant([axis], np.int64), keepdims=int(keepdims)
        )

    def gelu(self, x, approximate="none"):
        return self.node("Gelu", x, approximate=approximate)

    def silu(self, x):
        return self.node("Mul", x, self.node("Sigmoid", x))

    def rsqrt(self, x):
        return self.node("Reciprocal", self.node("Sqrt", x))

    def softmax(self, x, axis=-1):
        return self.node("Softmax", x, axis=axis)

    def log_softmax(self, x, axis=-1):
        return self.node("LogSoftmax", x, axis=axis)

    def max_pool2d(self, x, window=2, stride=2):
        return self.node("MaxPool", x, kernel_shape=[window] * 2, strides=[stride] * 2)

    def avg_pool2d(self, x, window=2, stride=2):
        return self.node("AveragePool", x, kernel_shape=[window] * 2, strides=[stride] * 2)

    def reshape(self, x, shape):
        return self.node("Reshape", x, self.constant(shape, np.int64))

    def transpose(self, x, perm):
        return self.node("Transpose", x, perm=perm)

    def conv2d(self, x, w, stride=1, padding=0, groups=1):
        return self.node("Conv", x, w, strides=[stride] * 2, pads=[padding] * 4, group=groups)

    def qconv2d(self, x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, stride=1, padding=0, groups=1):
        zeros = (
            self.constant(x_zero, np.uint8),
            self.constant([w_zero] * self.inputs[int(w[1:])].shape[0], np.int8),
            self.constant(y_zero, np.uint8),
        )
        return self.node(
            "QLinearConv",
            x,
            x_scale,
            zeros[0],
            w,
            w_scale,
            zeros[1],
            y_scale,
            zeros[2],
            strides=[stride] * 2,
            pads=[padding] * 4,
            group=groups,
        )

    def group_matmul(self, x, w, scales, activations=""):
        weights = self.inputs[int(w[1:])]
        if weights.dtype != "s4" or not weights.const:
            raise calls.NoForm("its product by weights in groups takes constants of 4 bits")
        n, groups, size = weights.shape
        return self.node(
            "MatMulNBits",
            x,
            w,
            scales,
            domain=CONTRIBUTED,
            K=groups * size,
            N=n,
            bits=4,
            block_size=size,
            accuracy_level=S8 if activations == "s8" else F32,
        )

    def layer_norm_fused(self, x, gain, bias, epsilon=1e-5):
        return self.node("LayerNormalization", x, gain, bias, axis=-1, epsilon=epsilon)

    def layer_norm_elementary(self, x, gain, bias, epsilon=1e-5):
        mean = self._reduction("ReduceMean")
        shifted = self.node("Sub", x, mean(x, -1, True))
        root = self.node(
            "Sqrt", self.node("Add", mean(self.node("Mul", shifted, shifted), -1, True), self.constant(epsilon))
        )
        return self.node("Add", self.node("Mul", self.node("Div", shifted, root), gain), bias)

    def group_norm_fused(self, x, groups, gain, bias, epsilon=1e-5):
        return self.node("GroupNormalization", x, gain, bias, num_groups=groups, epsilon=epsilon)

    def group_norm_elementary(self, x, groups, gain, bias, epsilon=1e-5):
        """A group as one channel of an instance's norm."""
        if not x.startswith("x"):
            raise calls.NoForm("it has no norm of groups of what is computed in elementary nodes")
        shape = self.inputs[int(x[1:])].shape
        one, none = self.constant([1.0] * groups), self.constant([0.0] * groups)
        parts = self.node("Reshape", x, self.constant([shape[0], groups, -1], np.int64))
        normed = self.node("InstanceNormalization", parts, one, none, epsilon=epsilon)
        each = [self.node("Unsqueeze", v, self.constant([1, 2], np.int64)) for v in (gain, bias)]
        whole = self.node("Reshape", normed, self.constant(shape, np.int64))
        return self.node("Add", self.node("Mul", whole, each[0]), each[1])

    def rms_norm_fused(self, x, gain, epsilon=1e-6):
        return self.node("RMSNormalization", x, gain, axis=-1, epsilon=epsilon)

    def rms_norm_elementary(self, x, gain, epsilon=1e-6):
        squares = self._reduction("ReduceMean")(self.node("Mul", x, x), -1, True)
        return self.node(
            "Mul", self.node("Div", x, self.node("Sqrt", self.node("Add", squares, self.constant(epsilon)))), gain
        )

    def attention_fused(self, q, k, v, causal=False, scale=None):
        q, k, v = (self.node("Unsqueeze", x, self.constant([0], np.int64)) for x in (q, k, v))
        found = self.node("Attention", q, k, v, is_causal=int(causal), **({} if scale is None else {"scale": scale}))
        return self.node("Squeeze", found, self.constant([0], np.int64))

    def attention_elementary(self, q, k, v, causal=False, scale=None):
        if causal:
            raise calls.NoForm("it has no causal attention in elementary nodes")
        shape = self.inputs[int(q[1:])].shape if q.startswith("x") else None
        if shape is None or shape[:-2] != self.inputs[int(k[1:])].shape[:-2]:
            raise calls.NoForm("it has no attention of what is computed, or of grouped heads, in elementary nodes")
        scores = self.node(
            "MatMul", q, self.node("Transpose", k, perm=[*range(len(shape) - 2), len(shape) - 1, len(shape) - 2])
        )
        return self.node(
            "MatMul",
            self.softmax(self.node("Mul", scores, self.constant(1 / math.sqrt(shape[-1]) if scale is None else scale))),
            v,
        )


def graphs(problem, arrays, threads):
    if problem.dtype == "bf16":
        raise Skip("its CPU kernels take no bf16")
    names = {name for name, *_ in calls.walk(problem.call)}
    for elementary in (False, True) if names & set(FUSED) else (False,):
        c = output(problem)
        try:
            session = _session_of(problem, arrays, elementary, threads)
        except Exception as error:  # of the library: a node that it does not have
            failed = error
            continue
        binding = session.io_binding()
        held = {
            f"x{i}": onnxruntime.OrtValue.ortvalue_from_numpy(x)
            for i, x in enumerate(arrays)
            if not problem.inputs[i].const
        }
        for name, value in held.items():
            binding.bind_ortvalue_input(name, value)
        binding.bind_output("y", "cpu", 0, c.dtype, c.shape, c.ctypes.data)
        kept = (arrays, c, held)
        yield Way(
            "elementary nodes" if elementary else "a node a call",
            lambda session=session, binding=binding, kept=kept: session.run_with_iobinding(binding),
            lambda c=c: c,
        )
    if "session" not in locals():
        raise failed


def _session_of(problem, arrays, elementary, threads):
    written = _Written(problem.inputs)
    last = calls.function(problem.call, written.table(elementary))(*(f"x{i}" for i in range(len(arrays))))
    written.nodes.append(helper.make_node("Identity", [last], ["y"]))
    given = [
        helper.make_tensor_value_info(f"x{i}", ELEMENTS[x.dtype], x.shape)
        for i, x in enumerate(problem.inputs)
        if not x.const
    ]
    weights = [
        numpy_helper.from_array(_packed(arrays[i]) if x.dtype == "s4" else arrays[i], f"x{i}")
        for i, x in enumerate(problem.inputs)
        if x.const
    ]
    graph = helper.make_graph(
        written.nodes,
        "graph",
        given,
        [helper.make_tensor_value_info("y", ELEMENTS[problem.dtype], list(problem.shape))],
        [*weights, *written.constants],
    )
    return _started(graph, OPSET, threads)


def _packed(weights):
    """[n, groups, size] of -8..7 as two to a byte, the first one low, each with 8 added."""
    bits = (weights + 8).astype(np.uint8)
    return bits[..., ::2] | bits[..., 1::2] << 4


def versions() -> dict:
    return {"onnxruntime": onnxruntime.__version__, "onnx": onnx.__version__}
