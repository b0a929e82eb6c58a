"""Functions of numbers at which they have no value, or an end of one, are torch's."""

import griotte as gt
import numpy as np
import pytest

torch = pytest.importorskip("torch")

ENDS = [float("-inf"), -3e38, -1e30, -4.0, -1.0, -0.0, 0.0, 0.5, 1.0, 4.0, 1e4, 3e38, float("inf"), float("nan")]


def test_roots_by_powers_are_torchs() -> None:
    x = torch.tensor(ENDS)
    for power in (0.5, -0.5, 1.5, 0.25):

        class Raised(torch.nn.Module):
            def forward(self, x, power=power):
                return x**power

        found = gt.compile(gt.from_torch(Raised(), x))(x.numpy())
        right = (x**power).numpy()
        np.testing.assert_allclose(found, right, rtol=1e-6)
        assert (np.signbit(found) == np.signbit(right))[~np.isnan(right)].all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
def test_acosh_below_one_is_nan(dtype) -> None:
    with np.errstate(all="ignore"):
        x = np.array(ENDS, dtype)
        right = np.arccosh(x)
        found = gt.jit(np.arccosh)(x)
    np.testing.assert_allclose(found, right, rtol=2e-3 if dtype is np.float16 else 1e-6)
    module = type("Acosh", (torch.nn.Module,), {"forward": lambda self, x: torch.acosh(x)})()
    found = gt.compile(gt.from_torch(module, torch.from_numpy(x)))(x)
    np.testing.assert_allclose(found, right, rtol=2e-3 if dtype is np.float16 else 1e-6)
