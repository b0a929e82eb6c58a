"""Complex numbers between real ones beside torch: rotations, spectra, filters."""

from __future__ import annotations

import numpy as np
import pytest
from torch_models import Of, agree, agree_all, drawn, read, torch

view_as_complex, view_as_real = torch.view_as_complex, torch.view_as_real


def z(x):
    """[.., 2 n] as complex [.., n]."""
    return view_as_complex(x.reshape(*x.shape[:-1], -1, 2))


ARITHMETIC = {
    "add": lambda x, y: view_as_real(z(x) + z(y)),
    "add of a part": lambda x, y: view_as_real(torch.add(z(x), z(y), alpha=2)),
    "sub of a real one": lambda x, y: view_as_real(z(x) - y[:3]),
    "mul": lambda x, y: view_as_real(z(x) * z(y)),
    "mul by a real one": lambda x, y: view_as_real(y[:3] * z(x)),
    "mul by numbers": lambda x, y: view_as_real(z(x) * 2 + z(x) * 3j),
    "div": lambda x, y: view_as_real(z(x) / (z(y) + 3)),
    "div by a real one": lambda x, y: view_as_real(z(x) / (y[:3].abs() + 1)),
    "reciprocal": lambda x, y: view_as_real(1 / (z(x) + 4)),
    "conj": lambda x, y: view_as_real((z(x).conj() * z(x)).resolve_conj()),
    "abs": lambda x, y: z(x).abs(),
    "angle": lambda x, y: z(x).angle(),
    "real": lambda x, y: z(x).real * 2,
    "imag": lambda x, y: z(x).imag * 2,
    "exp": lambda x, y: view_as_real(z(x).exp()),
    "log": lambda x, y: view_as_real(z(x).log()),
    "polar": lambda x, y: view_as_real(torch.polar(x.abs(), y)),
    "complex": lambda x, y: view_as_real(torch.complex(x, x + y)),
    "eq": lambda x, y: z(x) == z(x.round()),
    "ne": lambda x, y: z(x) != z(x),
    "from real": lambda x, y: view_as_real(x.to(torch.complex64) * 1j),
    "mm": lambda x, y: view_as_real(z(x) @ z(x).mT),
    "bmm": lambda x, y: view_as_real(torch.einsum("bi,bij->bj", z(x), z(x)[:, :, None] * z(y))),
}
MOVED = {
    "view": lambda x: view_as_real(z(x).view(-1)),
    "permute": lambda x: view_as_real(z(x).permute(1, 0)),
    "slice": lambda x: view_as_real(z(x)[1:, ::2]),
    "select": lambda x: view_as_real(z(x)[1]),
    "cat": lambda x: view_as_real(torch.cat([z(x), z(x) * 1j], 1)),
    "stack": lambda x: view_as_real(torch.stack([z(x), z(x).conj()])),
    "split": lambda x: view_as_real(z(x).split(2, 1)[0]),
    "unbind": lambda x: view_as_real(z(x).unbind(1)[2]),
    "expand": lambda x: view_as_real(z(x)[:1].expand(5, -1)),
    "roll": lambda x: view_as_real(z(x).roll(1, 1)),
    "flip": lambda x: view_as_real(z(x).flip(1)),
    "sum": lambda x: view_as_real(z(x).sum(1)),
    "mean": lambda x: view_as_real(z(x).mean()),
    "neg": lambda x: view_as_real(-z(x)),
    "taken": lambda x: view_as_real(z(x)[:, [2, 0, 1, 1]]),
}


def test_arithmetic():
    agree_all(ARITHMETIC, drawn(4, 6), drawn(6, seed=1))


def test_numbers_of_64_bits():
    table = {"mul": lambda x: view_as_real(z(x) * z(x)), "abs": lambda x: (z(x) / 1j).abs()}
    agree_all(table, drawn(3, 4, dtype=torch.float64))


def test_what_is_moved():
    agree_all(MOVED, drawn(4, 6))


SPECTRA = {
    "rfft": lambda x: torch.fft.rfft(x).abs(),
    "rfft of fewer": lambda x: view_as_real(torch.fft.rfft(x, 5, norm="ortho")),
    "of another axis": lambda x: view_as_real(torch.fft.rfft(x, dim=1, norm="forward")),
    "fft": lambda x: view_as_real(torch.fft.fft(x)),
    "ifft": lambda x: view_as_real(torch.fft.ifft(torch.fft.fft(x) * 2)),
    "there and back": lambda x: torch.fft.irfft(torch.fft.rfft(x) * 3, 7),
    "of an even size": lambda x: torch.fft.irfft(torch.fft.rfft(x, 6)),
    "rfft2": lambda x: view_as_real(torch.fft.rfft2(x)),
    "filtered": lambda x: torch.fft.irfft2(torch.fft.rfft2(x, norm="ortho") * 2, s=(5, 7), norm="ortho"),
    "fftn": lambda x: torch.fft.fftn(x).real,
    "hfft": torch.fft.hfft,
    "ihfft": lambda x: view_as_real(torch.fft.ihfft(x).resolve_conj()),
    "fftshift": lambda x: view_as_real(torch.fft.fftshift(torch.fft.fft(x))),
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_spectra(dtype):
    agree_all(SPECTRA, drawn(3, 5, 7, dtype=dtype))


def test_a_spectrogram():
    window = torch.hann_window(16)
    told = lambda x: torch.stft(x, 16, 6, window=window, return_complex=True).abs().square()
    agree(Of(told), drawn(2, 61))


class Rotary(torch.nn.Module):
    """Queries turned by angles that a buffer of complex numbers has."""

    def __init__(self) -> None:
        super().__init__()
        angles = torch.outer(torch.arange(5.0), torch.tensor([1.0, 0.1, 0.01]))
        self.register_buffer("turns", torch.polar(torch.ones_like(angles), angles), persistent=False)

    def forward(self, x):
        return view_as_real(z(x) * self.turns[:, None]).flatten(3)


def test_rotary_positions():
    agree(Rotary(), drawn(2, 5, 3, 6))


def test_a_rotation_is_compiled():
    import griotte as gt

    x = drawn(2, 5, 3, 6)
    found = gt.compile(read(Rotary(), x), table="none")(x.numpy())
    np.testing.assert_allclose(found, Rotary()(x).numpy(), rtol=1e-5, atol=1e-6)


def test_complex_results_are_refused():
    import griotte as gt

    (refused,) = gt.from_torch(Of(lambda x: z(x) * 2), drawn(3, 4)).unsupported()
    assert "give torch.view_as_real of it" in refused.why


def test_what_there_is_not_of_complex_numbers_is_refused():
    import griotte as gt

    (refused,) = gt.from_torch(Of(lambda x: view_as_real(z(x).tanh())), drawn(3, 4)).unsupported()
    assert refused.why == "no such operator of complex numbers here"
