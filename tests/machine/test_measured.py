"""Machines that were measured: what their files hold, which of them a machine is like, and what follows for its
target."""

import importlib
from dataclasses import replace

import pytest
from griotte.machine import BUILT_IN, Cpu, Machine, Prefetch, build, detect, unpriced
from griotte.machine.architectures import by_name
from griotte.machine.machine import TIMED, derive
from griotte.machine.measured import OTHER_MAKER, known, load, nearest
from griotte.support.errors import TargetError

CACHES = {1: 32 << 10, 2: 512 << 10, 3: 8 << 20}
FILE = (
    'vendor = "Maker"\nfamily = 5\nmodel = {model}\nvector_bytes = [32]\nclock = 2.0\n[caches]\nL1 = 32768\nL2 ='
    " {l2}\n[machine]\nload = {load}\n{more}"
)


def written(folder, name, model=1, l2=1 << 20, load=2.0, more=""):
    path = folder / f"{name}.toml"
    path.write_text(FILE.format(model=model, l2=l2, load=load, more=more))
    return path


def cpu(caches=CACHES, vendor="AuthenticAMD", family=0x17, model=1, clock=2.0):
    return Machine(features_of("x86"), caches, 2, "", Cpu(vendor, family, model), 2, clock=clock)


def of_model(machine, model):
    return replace(machine, cpu=machine.cpu._replace(model=model))


def features_of(architecture):
    return by_name(architecture).features.names


@pytest.mark.parametrize("measured", known(), ids=lambda measured: measured.name)
def test_a_file_is_of_a_machine_that_is_most_like_it(measured):
    here = replace(
        cpu(CACHES | measured.caches, *measured.cpu, measured.clock), flags=features_of(measured.served.architecture)
    )
    assert measured.unlike(here) == 0 and list(measured.apart(here)) == []
    assert all(nearest(here, width) is measured for width in measured.served.vector_bytes)
    assert measured.by_hand or len(measured.prices.parameters) > 15


def test_a_machine_is_priced_by_the_parameters_of_the_one_it_is_like():
    (found,) = (m for m in known() if m.name == "zen-8m")
    target, plain = build("avx2", cpu()), unpriced("avx2", cpu())
    follows = derive(found.prices.parameters, target.prefetch.far_panel)
    assert target != plain and (follows.coefficients | found.prices.coefficients).items() <= target.coefficient.items()
    assert target.ports.arithmetic == follows.ports["arithmetic"] and target.largest_cache == plain.largest_cache


def test_there_is_one_for_every_built_in_target():
    assert all(
        nearest(cpu(vendor=vendor), base.vector_bytes)
        for base in BUILT_IN.values()
        for vendor in ("AuthenticAMD", "GenuineIntel", "")
    )


@pytest.mark.parametrize("vendor, family, model, kib, width, name", [
    ("AuthenticAMD", 0x17, 0x18, (32, 512, 4096), 32, "zen-8m"),  # Zen+
    ("AuthenticAMD", 0x17, 0x31, (32, 512, 16384), 32, "zen3-32m"),  # Zen 2, whose vectors are whole
    ("HygonGenuine", 0x18, 0x01, (32, 512, 8192), 32, "zen3-32m"),
    ("AuthenticAMD", 0x19, 0x01, (32, 512, 32768), 32, "zen3-32m"),  # Zen 3
    ("AuthenticAMD", 0x19, 0x61, (32, 1024, 16384), 64, "zen4-32m"),  # Zen 4
    # the very CPU, whatever a virtual machine says of its caches
    ("AuthenticAMD", 0x19, 0x11, (32, 512, 8192), 32, "zen4-32m-avx2"),
    ("AuthenticAMD", 0x1A, 0x02, (48, 1024, 32768), 64, "zen5-32m"),  # Zen 5
    ("GenuineIntel", 6, 94, (32, 256, 8192), 32, "xeon-48k"),  # Skylake
    ("GenuineIntel", 6, 85, (32, 1024, 28160), 64, "xeon-48k"),  # Cascade Lake
    ("GenuineIntel", 6, 143, (48, 2048, 107520), 64, "xeon-48k"),  # Sapphire Rapids
    ("", 0, 0, (48, 2048, 32768), 32, "xeon-48k"),
    ("", 0, 0, (32, 1024, 32768), 32, "zen4-32m-avx2"),
    ("", 0, 0, (64, 1024, 32768), 16, "xeon-48k"),
])  # fmt: skip
def test_which_machine_one_is_most_like(vendor, family, model, kib, width, name):
    assert (
        nearest(cpu({level: size << 10 for level, size in enumerate(kib, 1)}, vendor, family, model), width).name
        == name
    )


def test_what_follows_from_no_parameter_is_of_the_file(tmp_path):
    own = (
        '[coefficients]\n"piece.L2" = 7.0\n[ports]\ndisplaced = 0.5\n[prefetch]\nfar_panel = 4096\n[uops]\ndot_bf16 ='
        " 3.0\n[interleave]\ndot_bf16 = 2.0\n"
    )
    plain = unpriced("avx512", cpu())
    target = load(written(tmp_path, "a", more=own)).priced(plain)
    assert (target.coefficient["piece.L2"], target.ports.displaced, target.prefetch) == (
        7.0,
        0.5,
        Prefetch(far_panel=4096),
    )
    assert target.coefficient["panel.memory"] == derive({}, 4096).coefficients["panel.memory"]
    changed = [k for k, before in zip(target.kernels, plain.kernels) if k != before]
    assert [(k.name, k.uops, k.interleave) for k in changed if k.name not in TIMED] == [("dot_bf16", 3.0, 2.0)]
    assert (
        load(written(tmp_path, "a", more=own)).priced(unpriced("avx2", cpu())).ports.displaced == 0.5
    )  # which has no such kernel


@pytest.mark.parametrize(
    "more, says",
    [
        (
            "[prefetch]\nfar = 1",
            "expected keys of least_work row .* for prefetch in .*bad.toml, found 'far'; remove or rename it",
        ),
        (
            '[coefficients]\n"piece.L9" = 1.0',
            "expected keys of cycles .* for coefficients in .*bad.toml, found 'piece.L9'; remove or rename it",
        ),
        (
            "[coefficients]\ncall = -1",
            "expected a finite number of 0 or more for coefficients.call in .*bad.toml, found -1; write one",
        ),
        (
            "[uops]\ndot_f8 = 1.0",
            "expected keys of .* dot_bf16 .* for uops in .*bad.toml, found 'dot_f8'; remove or rename it",
        ),
        (
            "[interleave]\nmultiply_add = 1.0",
            "expected keys of dot_bf16 for interleave in .*bad.toml, found 'multiply_add'; remove or rename it",
        ),
        ("[ports]\nissue = 0", "expected a number from 1e-06 to 64 for ports.issue in .*bad.toml, found 0; write one"),
        ("[held]\nL4 = 1", "expected keys of L1 L2 L3 for held in .*bad.toml, found 'L4'; remove or rename it"),
        (
            "[levels]\n",
            "expected keys of architecture vendor .* leaves for the file in .*bad.toml, found 'levels'; remove or"
            " rename it",
        ),
    ],
)
def test_a_wrong_file_says_where(tmp_path, more, says):
    with pytest.raises(TargetError, match=says):
        load(written(tmp_path, "bad", more=more))


def test_the_same_cpu_comes_first_and_then_the_nearest_caches(tmp_path, monkeypatch):
    files = [load(written(tmp_path, *values)) for values in (("a", 2, 1 << 20), ("b", 1, 1 << 20), ("c", 1, 1 << 19))]
    monkeypatch.setattr("griotte.machine.measured.known", lambda: tuple(files))
    here = cpu({1: 32 << 10, 2: 1 << 19, 3: 1 << 20}, "Maker", 5, 1)
    assert (
        nearest(here, 32).name == "c"
        and nearest(of_model(here, 2), 32).name == "a"
        and nearest(of_model(here, 3), 32).name == "c"
    )


def test_another_maker_counts_as_doublings(tmp_path):
    found, here = load(written(tmp_path, "a")), cpu({1: 32 << 10, 2: 1 << 18, 3: 1 << 20}, "Maker", 5, 1)
    nobody = replace(here, cpu=here.cpu._replace(vendor=""))
    assert (found.unlike(here), found.unlike(nobody)) == (2.0, 2.0 + OTHER_MAKER)


def test_what_is_apart_is_told(tmp_path):
    found = load(written(tmp_path, "a"))
    here = cpu({1: 32 << 10, 2: 512 << 10, 3: 1 << 20}, "Maker", 5, 7, clock=3.1)
    assert list(found.apart(here)) == ["model 7 for 1", "L2 512 KiB for 1024", "3.10 GHz for 2.00"]
    assert (
        next(found.apart(replace(here, cpu=here.cpu._replace(family=4)))) == "family 4 for 5"
        and next(found.apart(replace(here, cpu=here.cpu._replace(vendor="")))) == "maker unknown for Maker"
    )
    assert list(found.apart(replace(of_model(here, 1), clock=0.0))) == ["L2 512 KiB for 1024"]


def test_of_a_cache_no_more_counts_than_a_thread_had(tmp_path):
    plain, path = unpriced("avx2", cpu()), written(tmp_path, "a")
    path.write_text(path.read_text().replace("[machine]", "[held]\nL3 = 3145728\n[machine]"))
    sizes = lambda target: [level.capacity for level in target.levels[1:]]
    assert sizes(load(path).priced(plain)) == [32 << 10, 512 << 10, 3 << 20, None]
    assert sizes(load(path).priced(plain, whole=True)) == [32 << 10, 512 << 10, 8 << 20, None]
    assert sizes(load(path).priced(unpriced("avx2", cpu(CACHES | {3: 2 << 20})))) == [
        32 << 10,
        512 << 10,
        2 << 20,
        None,
    ]


@pytest.mark.parametrize("there, counted", [(32, 16), (12, 12), (8, 8)])
def test_of_the_last_cache_as_much_counts_as_a_thread_had(tmp_path, there, counted):
    """Of an L3 that nobody measured two CPUs count on 8 MiB."""
    plain, path = unpriced("avx2", cpu(CACHES | {3: there << 20})), written(tmp_path, "a")
    assert plain.levels[3].capacity == 8 << 20
    path.write_text(path.read_text().replace("[machine]", f"[held]\nL3 = {16 << 20}\n[machine]"))
    assert load(path).priced(plain).levels[3].capacity == counted << 20


def test_a_parameter_out_of_bounds_is_told(tmp_path):
    with pytest.raises(
        TargetError, match=r"expected a number from 0\.05 to 16 for machine\.load in .*bad\.toml, found 99; write one"
    ):
        load(written(tmp_path, "bad", load=99))


@pytest.mark.parametrize("says, clock", [("1996.25", 1.99625), ("2000", 2.0), ("", 0.0), ("unknown", 0.0)])
def test_the_clock_is_read_where_the_system_tells_it(says, clock, tmp_path, monkeypatch):
    path = tmp_path / "cpuinfo"
    path.write_text(f"vendor_id : Maker\ncpu MHz : {says}\n")
    module = importlib.import_module("griotte.machine.systems.linux")
    monkeypatch.setattr(module, "_read", lambda asked: path.read_text() if asked.name == "cpuinfo" else "")
    assert detect().clock == pytest.approx(clock) and detect().cpu.vendor == "Maker"
