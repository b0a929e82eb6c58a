"""Programs of which torch.compile has to give what eager gives: values, dtypes, strides, shared memory, what inputs
become, errors. Each is a function and what makes its inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch_models import drawn, torch

F, nn = torch.nn.functional, torch.nn
Case = tuple[Callable[..., Any], Callable[[], tuple[Any, ...]]]


def plain(*shapes: tuple[int, ...]) -> Callable[[], tuple[Any, ...]]:
    return lambda: tuple(drawn(*shape) for shape in shapes)


def last(*shapes: tuple[int, ...]) -> Callable[[], tuple[Any, ...]]:
    return lambda: tuple(drawn(*shape).to(memory_format=torch.channels_last) for shape in shapes)


def turned() -> tuple[Any, ...]:
    return (drawn(6, 4).t(),)


def parted() -> tuple[Any, ...]:
    return (drawn(6, 8)[::2, 1:7],)


def spread() -> tuple[Any, ...]:
    return (drawn(1, 6).expand(4, 6),)


def conv(*shape: int, **named: Any) -> nn.Module:
    torch.manual_seed(1)
    return nn.Conv2d(*shape, **named).eval()


def convolved(memory_format: Any) -> Case:
    module = nn.Sequential(conv(3, 4, 3, padding=1), nn.ReLU(), conv(4, 2, 1)).to(memory_format=memory_format)
    return module, last((2, 3, 5, 6))


def overlapping() -> tuple[Any, ...]:
    whole = drawn(3, 4)
    return whole[:2], whole[1:]


def twice(x: Any) -> Any:
    y = x.exp()
    return y, y


def squeezed(x: Any) -> Any:
    y = x.sum(1, keepdim=True)
    return y, y.squeeze(1)


def in_place(x: Any) -> Any:
    y = x * 2
    y[:, 1].add_(1)
    y.t()[0].zero_()
    return y


def changed(x: Any) -> Any:
    x.mul_(2)
    return x + 1


def changed_by_view(x: Any) -> Any:
    x[1:].add_(1)
    return x.sum(0)


def changed_and_given(x: Any) -> Any:
    x.relu_()
    return x, x.view(-1)


def changed_by_out(x: Any, y: Any) -> Any:
    torch.add(x, 1, out=y)
    return y * 2


def both(x: Any) -> Any:
    y = x.exp()
    return y, y.view(-1)


def chunked(x: Any) -> Any:
    return (x * 2).chunk(2)


STRIDES: dict[str, Case] = {
    "x.t() + 1": (lambda x: x.t() + 1, plain((4, 6))),
    "of what is turned": (lambda x: x.exp() + 1, turned),
    "of a part": (lambda x: x.exp() + 1, parted),
    "of what is spread": (lambda x: x.exp() + 1, spread),
    "permute of a result": (lambda x: x.exp().permute(2, 0, 1), plain((2, 3, 4))),
    "permuted, then computed": (lambda x: x.permute(2, 0, 1).exp(), plain((2, 3, 4))),
    "two layouts": (lambda x, y: x + y, lambda: (drawn(4, 6), drawn(6, 4).t())),
    "a part of a result": (lambda x: x.exp()[:, 1:4], plain((4, 6))),
    "every second": (lambda x: x.exp()[::2, ::3], plain((4, 6))),
    "expand of a result": (lambda x: x.sum(1, keepdim=True).expand(4, 6), plain((4, 6))),
    "diagonal": (lambda x: x.exp().diagonal(), plain((5, 5))),
    "unfold": (lambda x: x.exp().unfold(1, 3, 2), plain((2, 9))),
    "channels last": (lambda x: x.relu() * 2, last((2, 3, 4, 5))),
    "to channels last": (lambda x: (x * 2).to(memory_format=torch.channels_last), plain((2, 3, 4, 5))),
    "from channels last": (lambda x: (x * 2).contiguous(), last((2, 3, 4, 5))),
    "conv of channels last": (conv(3, 4, 3), last((2, 3, 5, 6))),
    "convs whose weights are channels last": convolved(torch.channels_last),
    "convs of both": convolved(torch.contiguous_format),
    "pool of channels last": (lambda x: F.max_pool2d(x, 2), last((2, 3, 4, 6))),
    "norm of channels last": (nn.GroupNorm(2, 4).eval(), last((2, 4, 3, 5))),
    "cat of channels last": (lambda x, y: torch.cat([x, y], 1), last((2, 3, 4, 5), (2, 2, 4, 5))),
    "mean of channels last": (lambda x: x.mean(1, keepdim=True), last((2, 3, 4, 5))),
    "sum of what is turned": (lambda x: x.permute(1, 2, 0).sum(0), plain((2, 3, 4))),
    "matmul of what is turned": (lambda x, y: (x.t() @ y).t(), plain((4, 6), (4, 5))),
    "bmm turned": (lambda x, y: torch.bmm(x, y).transpose(1, 2), plain((2, 3, 4), (2, 4, 5))),
    "attention, heads joined": (
        lambda q: F.scaled_dot_product_attention(q, q, q).transpose(1, 2),
        plain((1, 2, 3, 4)),
    ),
    "softmax of what is turned": (lambda x: x.softmax(0), turned),
    "like": (lambda x: torch.zeros_like(x) + x, turned),
    "clone keeps": (lambda x: x.clone(), turned),
    "einsum": (lambda x, y: torch.einsum("ij,kj->ki", x, y), plain((3, 4), (5, 4))),
    "flip": (lambda x: x.flip(0), turned),
    "roll": (lambda x: x.roll(1, 1), last((2, 3, 4, 5))),
    "where": (lambda x, y: torch.where(x > 0, x, y), lambda: (drawn(6, 4).t(), drawn(4, 6))),
    "index": (lambda x: x[torch.tensor([2, 0])], turned),
    "pad": (lambda x: F.pad(x, (1, 1)), last((2, 3, 4, 5))),
    "interpolate": (lambda x: F.interpolate(x, scale_factor=2), last((2, 3, 4, 5))),
    "stack of turned": (lambda x: torch.stack([x, x + 1]), turned),
    "cumsum of turned": (lambda x: x.cumsum(0), turned),
    "sort of turned": (lambda x: x.sort(0), turned),
    "another dtype of turned": (lambda x: x.to(torch.float64), turned),
    "compared": (lambda x: x > 0, last((2, 3, 4, 5))),
    "as_strided of a rolled one": (lambda x: x.roll(1, 1).as_strided((3, 5), (7, 2), 1) * 2, last((2, 3, 4, 4))),
    "as_strided of an input": (lambda x: x.as_strided((2, 3), (1, 4)) + 1, plain((4, 6))),
    "view as another dtype": (lambda x: (x * 2).view(torch.int32), plain((4, 6))),
}

ALIASES: dict[str, Case] = {
    "the input": (lambda x: (x, x + 1), plain((4, 6))),
    "the input twice": (lambda x: (x, x, x * 2), plain((4, 6))),
    "a view of the input": (lambda x: (x.t(), x + 1), plain((4, 6))),
    "rows of the input": (lambda x: (x[1], x.exp()), plain((4, 6))),
    "chunks of the input": (lambda x: (*x.chunk(2), x.exp()), plain((4, 6))),
    "contiguous() of what is": (lambda x: (x.contiguous(), x + 1), plain((4, 6))),
    "contiguous() of what is not": (lambda x: (x.contiguous(), x + 1), turned),
    "to() of what is": (lambda x: (x.to(torch.float32), x.float(), x + 1), plain((4, 6))),
    "a result and a view": (both, plain((4, 6))),
    "a result twice": (twice, plain((4, 6))),
    "chunks of a result": (chunked, plain((4, 6))),
    "rows of a result": (lambda x: (x + 1).unbind(0), plain((3, 4))),
    "split of a result": (lambda x: (x + 1).split([1, 3], 1), plain((3, 4))),
    "reshape that copies": (lambda x: (x, x.t().reshape(-1) + 0), plain((4, 6))),
    "reshape that does not": (lambda x: (x.reshape(2, 12), x + 1), plain((4, 6))),
    "detach": (lambda x: (x.detach(), x * 2), plain((4, 6))),
    "expanded input": (lambda x: (x.expand(3, 4), x * 2), plain((1, 4))),
    "dropout that does nothing": (lambda x: (F.dropout(x, 0.5, False), x * 2), plain((4, 6))),
    "squeeze of a result": (squeezed, plain((4, 6))),
    "views only": (lambda x: x.t()[1:], plain((4, 6))),
    "inputs that share": (lambda x, y: x + y, overlapping),
}

CHANGES: dict[str, Case] = {
    "a result in place": (in_place, plain((3, 4))),
    "the input": (changed, plain((3, 4))),
    "the input by a view": (changed_by_view, plain((3, 4))),
    "the input, given back": (changed_and_given, plain((3, 4))),
    "by out=": (changed_by_out, plain((3, 4), (3, 4))),
    "copy_": (lambda x, y: x.copy_(y * 2), plain((3, 4), (3, 4))),
    "index_put_": (lambda x: x.clone().index_put_((torch.tensor([0, 2]),), torch.tensor(5.0)), plain((3, 4))),
    "setitem by a mask": (lambda x: x.clone().masked_fill_(x > 0, 1.0) + x, plain((3, 4))),
    "inputs that share": (lambda x, y: x.add_(y), overlapping),
    "set to zero": (lambda x: x.zero_() + 1, plain((3, 4))),
    "resize of a result": (lambda x: (x * 2).view(-1)[:6].view(2, 3).add_(1), plain((3, 4))),
}

DTYPES: dict[str, Case] = {
    "int / int": (lambda x: x / 2, lambda: (torch.arange(6),)),
    "int // int": (lambda x: x // 4, lambda: (torch.arange(-6, 6),)),
    "int sum": (lambda x: (x.sum(), x.sum(0, dtype=torch.int8)), lambda: (torch.arange(12, dtype=torch.int8) + 90,)),
    "bool": (lambda x: (x > 0).sum(1), plain((4, 6))),
    "a number of f64": (lambda x: x * torch.tensor(2.0, dtype=torch.float64), plain((4, 6))),
    "half": (lambda x: x.half() * 2, plain((4, 6))),
    "bf16 and f32": (lambda x, y: x.bfloat16() + y, plain((4, 6), (4, 6))),
    "a mean of half": (lambda x: x.half().mean(1), plain((4, 6))),
    "argmax": (lambda x: x.argmax(1), plain((4, 6))),
    "no elements": (lambda x: x[:0] * 2 + 1, plain((4, 6))),
    "no axes": (lambda x: x.sum() * 2, plain((4, 6))),
    "not a tensor": (lambda x: (x * 2, 3, x.shape[0], None), plain((4, 6))),
    "by names": (lambda x: {"a": x * 2, "b": [x + 1, x.t()]}, plain((4, 6))),
    "complex": (lambda x: torch.view_as_real(torch.view_as_complex(x) * 1j), plain((3, 4, 2))),
}

ERRORS: dict[str, Case] = {
    "sizes that do not fit": (lambda x, y: x @ y, plain((3, 4), (3, 4))),
    "an index out of range": (lambda x: x[torch.tensor([7])] * 2, plain((3, 4))),
    "a view that there is not": (lambda x: x.exp().t().view(-1), plain((3, 4))),
    "a raise": (lambda x: 1 // 0 if x.shape[0] == 3 else x, plain((3, 4))),
}

CHANCE: dict[str, Case] = {
    "dropout": (lambda x: F.dropout(x.exp(), 0.5) + 1, plain((4, 6))),
    "rand": (lambda x: x * torch.rand(6) + torch.rand_like(x), plain((4, 6))),
    "randn_like": (lambda x: x + torch.randn_like(x), plain((4, 6))),
    "bernoulli": (lambda x: torch.bernoulli(x.sigmoid()), plain((4, 6))),
    "randperm": (lambda x: x[torch.randperm(4)], plain((4, 6))),
    "rrelu": (lambda x: F.rrelu(x, training=True), plain((4, 6))),
}

FUNCTIONS: dict[str, Case] = {
    "grad": (torch.func.grad(lambda y: (y * y).sum()), plain((5,))),
    "jacrev": (torch.func.jacrev(lambda y: y.sin() * 2), plain((4,))),
    "jacfwd": (torch.func.jacfwd(lambda y: y.sin() * 2), plain((4,))),
    "vmap": (torch.vmap(lambda y: y.sin().sum()), plain((3, 4))),
    "vmap of grad": (torch.vmap(torch.func.grad(lambda y: (y * y).sum())), plain((3, 4))),
    "functional_call": (
        lambda w, x: torch.func.functional_call(nn.Linear(4, 3, bias=False), {"weight": w}, (x,)),
        plain((3, 4), (2, 4)),
    ),
    "a graph break": (lambda x: (print("", end=""), (x.t() + 1).t().view(-1) * 2)[1], plain((4, 6))),
    "a branch by a value": (lambda x: x * 2 if x.sum() > 0 else (x - 1).t(), plain((4, 6))),
    "a loop": (lambda x: [x := x * 0.5 + i for i in range(4)][-1], plain((4, 6))),
}

CASES: dict[str, Case] = {
    f"{kind}: {name}": case
    for kind, cases in {
        "strides": STRIDES,
        "aliases": ALIASES,
        "changes": CHANGES,
        "dtypes": DTYPES,
        "errors": ERRORS,
        "chance": CHANCE,
        "functions": FUNCTIONS,
    }.items()
    for name, case in cases.items()
}


# ---- loops: what programs do around a compiled module ----------------------------------------------------------------


def generation(compiled: Callable[..., Any]) -> Any:
    """Keys and values that grow by one each turn."""
    torch.manual_seed(0)

    def attend(q: Any, k: Any, v: Any) -> Any:
        q = q.tanh()
        return F.scaled_dot_product_attention(q, k, v) + q

    step = compiled(attend)
    k, v, found = drawn(1, 2, 1, 4), drawn(1, 2, 1, 4), []
    for _ in range(5):
        found.append(step(k[:, :, -1:], k, v))
        k, v = torch.cat([k, found[-1]], 2), torch.cat([v, found[-1] * 0.5], 2)
    return found


def averages(compiled: Callable[..., Any]) -> Any:
    """Weights that follow others, evaluated between."""
    torch.manual_seed(0)
    module, other = nn.Linear(6, 3), nn.Linear(6, 3)
    run, found = compiled(module.eval()), []
    for turn in range(6):
        if turn != 3:
            for one, two in zip(module.parameters(), other.parameters()):
                one.data.mul_(0.9).add_(two.data, alpha=0.1)
        found += [run(drawn(2, 6, seed=turn)) for _ in range(3)]
    return found


def adapters(compiled: Callable[..., Any]) -> Any:
    """Weights that are merged and taken apart again."""
    torch.manual_seed(0)
    module = nn.Sequential(nn.Linear(6, 6), nn.ReLU(), nn.Linear(6, 3)).eval()
    run, found, delta = compiled(module), [], drawn(6, 1) @ drawn(1, 6)
    for sign in (1, -1, 1, -1):
        module[0].weight.data += sign * delta
        found += [run(drawn(2, 6)) for _ in range(4)]
    return found


def training(compiled: Callable[..., Any]) -> Any:
    """Steps of an optimizer in eager, and a compiled module of the same weights that is evaluated."""
    torch.manual_seed(0)
    module = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer, run, found = torch.optim.Adam(module.parameters(), lr=0.05), compiled(module), []
    for turn in range(4):
        with torch.enable_grad():
            module.train()
            optimizer.zero_grad()
            (module(drawn(5, 6, seed=turn)) ** 2).sum().backward()
            optimizer.step()
        found.append(run(drawn(3, 6)))
    return found


def streaming(compiled: Callable[..., Any]) -> Any:
    """A window that moves over what comes, in a buffer that is written in place."""
    step = compiled(lambda window: (window.mean(0), window[1:] * 0.5))
    window, found = torch.zeros(4, 3), []
    for turn in range(5):
        window.copy_(torch.roll(window, -1, 0))
        window[-1] = drawn(3, seed=turn)
        mean, half = step(window)
        half.add_(1)
        found += [mean, half.clone(), window.clone()]
    return found


def recurrent(compiled: Callable[..., Any]) -> Any:
    """A state that is carried, and rows that become more."""
    torch.manual_seed(0)
    cell = compiled(nn.GRUCell(4, 5).eval())
    found = []
    for rows in (2, 2, 3, 5):
        state = torch.zeros(rows, 5)
        for turn in range(3):
            state = cell(drawn(rows, 4, seed=turn), state)
        found.append(state)
    return found


def sampled(compiled: Callable[..., Any]) -> Any:
    """Numbers of chance in and beside a compiled module."""
    noisy = compiled(lambda x: F.dropout(x, 0.3) + torch.randn_like(x))
    return [each for _ in range(3) for each in (noisy(drawn(3, 4)), torch.rand(3))]


LOOPS: dict[str, Callable[..., Any]] = {
    each.__name__: each for each in (generation, averages, adapters, training, streaming, recurrent, sampled)
}
