"""The models that come with griotte: each earns something of programs that it was not fitted to; `known` names the one
of machines like this, and where there is none that is told."""

from pathlib import Path

import numpy as np
import pytest
from griotte.engine.learned import ranking
from griotte.engine.learned.features import NAMES, VERSION
from griotte.engine.learned.model import PerformanceModel
from griotte.engine.learned.ranking import model_of
from griotte.machine.detect import described
from griotte.support.errors import GriotteError

HELD = Path(__file__).with_name("known")
XEON = "vendor_id: GenuineIntel\ncpu family: 6\nmodel: 143\nmodel name: Xeon\nflags: avx2 fma avx512f avx512bw\n"
ZEN = XEON.replace("GenuineIntel", "AuthenticAMD").replace("family: 6", "family: 25").replace("143", "17")
CACHES = {1: 48 << 10, 2: 2 << 20, 3: 105 << 20}


@pytest.mark.parametrize("name", ranking.known_machines())
def test_it_loses_less_than_the_price(name):
    model = PerformanceModel.load(str(ranking.FOLDER / f"{name}.gtm"))
    model.must_have(VERSION, NAMES)
    held = np.load(HELD / f"{name}.npz")
    assert held["version"] == VERSION and (ranking.FOLDER / f"{name}.gtm").stat().st_size < 1 << 20
    lost = {"price": [], "model": []}
    for number in np.unique(held["group"]):
        rows = held["group"] == number
        price, warm = held["price"][rows], held["warm"][rows]
        by_model = model.predict(held["features"][rows].astype(float), price).logarithm(price)
        for who, order in (("price", np.log(price)), ("model", by_model)):
            times = warm[np.argsort(order, kind="stable")]
            lost[who].append([times[:count].min() / warm.min() - 1 for count in (1, 5)])
    (first, five), (first_by_price, five_by_price) = (np.mean(lost[who], 0) for who in ("model", "price"))
    assert first < first_by_price + 0.003 and five < 0.75 * five_by_price


def machine(monkeypatch, said):
    monkeypatch.setattr(ranking, "detect", lambda: described(said, CACHES))


def test_known_names_the_one_of_machines_like_this(monkeypatch):
    machine(monkeypatch, XEON)
    assert model_of("known").origin == PerformanceModel.load(str(ranking.FOLDER / "xeon-48k.gtm")).origin


def test_a_machine_without_one_is_told(monkeypatch):
    machine(monkeypatch, ZEN)
    with pytest.raises(GriotteError, match=r"expected a machine like one with a model of its own \(xeon-48k\), found"):
        model_of("known")


def test_a_file_of_that_name_is_named_by_a_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    PerformanceModel.load(str(ranking.FOLDER / "xeon-48k.gtm")).save(Path("known"))
    machine(monkeypatch, ZEN)
    assert len(model_of("./known").origin.digest)
