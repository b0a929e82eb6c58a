"""What systems told of machines, shortened to what is read of it: /proc/cpuinfo and the caches of Linux, sysctl of
macOS."""

from __future__ import annotations

_ARMV82 = "fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm lrcpc dcpop asimddp"
_V1 = (
    "fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm jscvt fcma lrcpc dcpop sha3 sm3 sm4"
    " asimddp sha512 sve asimdfhm dit uscat ilrcpc flagm ssbs paca pacg dcpodp svei8mm svebf16 i8mm bf16 dgh rng"
)
_V2 = (
    "fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm jscvt fcma lrcpc dcpop sha3 sm3 sm4"
    " asimddp sha512 sve asimdfhm dit uscat ilrcpc flagm sb paca pacg dcpodp sve2 sveaes svepmull svebitperm svesha3"
    " svesm4 flagm2 frint svei8mm svebf16 i8mm bf16 dgh bti"
)
_M1 = (
    "fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm jscvt fcma lrcpc dcpop sha3 asimddp"
    " sha512 asimdfhm dit uscat ilrcpc flagm ssbs sb paca pacg dcpodp flagm2 frint"
)

_BLOCK = """processor\t: {}
BogoMIPS\t: {}
Features\t: {}
CPU implementer\t: {}
CPU architecture: 8
CPU variant\t: 0x1
CPU part\t: {}
CPU revision\t: 1
"""


def cpuinfo(features: str, *cores: tuple[str, str], end: str = "") -> str:
    """/proc/cpuinfo of such cores (maker, part), in order."""
    parts = [_BLOCK.format(n, "108.00", features, *core) for n, core in enumerate(cores)]
    return "\n".join([*parts, end] if end else parts)


GRAVITON2 = cpuinfo(_ARMV82 + " ssbs", *[("0x41", "0xd0c")] * 4)
GRAVITON3 = cpuinfo(_V1, *[("0x41", "0xd40")] * 2)
GRAVITON4 = cpuinfo(_V2, *[("0x41", "0xd4f")] * 2)
RASPBERRY4 = cpuinfo(
    "fp asimd evtstrm crc32 cpuid",
    *[("0x41", "0xd08")] * 4,
    end="Revision\t: d03114\nSerial\t\t: 10000000aaaaaaaa\nModel\t\t: Raspberry Pi 4 Model B Rev 1.4\n",
)
RASPBERRY5 = cpuinfo(_ARMV82, *[("0x41", "0xd0b")] * 4, end="Model\t\t: Raspberry Pi 5 Model B Rev 1.0\n")
ASAHI = cpuinfo(_M1, *[("0x61", "0x022")] * 4, *[("0x61", "0x023")] * 4)
PHONE = cpuinfo(  # a Snapdragon 888: one Cortex-X1, three A78, four A55
    _ARMV82, *[("0x41", "0xd05")] * 4, *[("0x41", "0xd41")] * 3, ("0x41", "0xd44"), end="Hardware\t: Qualcomm SM8350\n"
)
JUNO = cpuinfo(  # the large ones in the middle
    "fp asimd evtstrm crc32 cpuid", ("0x41", "0xd03"), *[("0x41", "0xd07")] * 2, *[("0x41", "0xd03")] * 3
)

CACHES = {
    "graviton2": [
        ("Data", "64K", "1"),
        ("Instruction", "64K", "1"),
        ("Unified", "1024K", "2"),
        ("Unified", "32768K", "3"),
    ],
    "graviton4": [
        ("Data", "64K", "1"),
        ("Instruction", "64K", "1"),
        ("Unified", "2048K", "2"),
        ("Unified", "36864K", "3"),
    ],
    "altra": [("Data", "64K", "1"), ("Instruction", "64K", "1"), ("Unified", "1024K", "2")],
    "raspberry4": [("Data", "32K", "1"), ("Instruction", "48K", "1"), ("Unified", "1024K", "2")],
    "raspberry5": [
        ("Data", "64K", "1"),
        ("Instruction", "64K", "1"),
        ("Unified", "512K", "2"),
        ("Unified", "2048K", "3"),
    ],
    "asahi": [("Instruction", "192K", "1"), ("Data", "128K", "1"), ("Unified", "12288K", "2")],
    "unsized": [("Data", "", "1"), ("Instruction", "", "1"), ("Unified", "", "2")],  # many boards: levels, no sizes
    "none": [],
}

_MAC = """hw.ncpu: 8
hw.activecpu: 8
hw.perflevel0.physicalcpu: 4
hw.perflevel0.logicalcpu: 4
hw.perflevel0.l1icachesize: 196608
hw.perflevel0.l1dcachesize: 131072
hw.perflevel0.l2cachesize: {l2}
hw.perflevel0.cpusperl2: 4
hw.perflevel0.name: Performance
hw.perflevel1.physicalcpu: 4
hw.perflevel1.logicalcpu: 4
hw.perflevel1.l1icachesize: 131072
hw.perflevel1.l1dcachesize: 65536
hw.perflevel1.l2cachesize: 4194304
hw.perflevel1.name: Efficiency
hw.optional.arm.FEAT_DotProd: 1
hw.optional.arm.FEAT_BF16: {new}
hw.optional.arm.FEAT_I8MM: {new}
hw.optional.arm.FEAT_FP16: 1
hw.optional.arm.FEAT_FHM: 1
hw.optional.AdvSIMD: 1
hw.optional.arm64: 1
hw.pagesize: 16384
hw.cachelinesize: 128
hw.l1dcachesize: 65536
hw.l2cachesize: 4194304
hw.tbfrequency: 24000000
machdep.cpu.brand_string: {brand}
machdep.cpu.core_count: 8
"""


def mac(brand: str, l2: int = 12582912, new: int = 0) -> str:
    """What `sysctl hw machdep.cpu` answers on a Mac with Apple's chips; `new`: whether it has features of the M2."""
    return _MAC.format(brand=brand, l2=l2, new=new)


MAC_INTEL = """hw.ncpu: 8
hw.logicalcpu: 8
hw.cpufrequency: 2300000000
hw.l1dcachesize: 32768
hw.l2cachesize: 262144
hw.l3cachesize: 6291456
hw.optional.avx1_0: 1
hw.optional.f16c: 1
hw.optional.fma: 1
hw.optional.avx2_0: 1
hw.optional.avx512f: 0
machdep.cpu.vendor: GenuineIntel
machdep.cpu.brand_string: Intel(R) Core(TM) i5-8259U CPU @ 2.30GHz
machdep.cpu.family: 6
machdep.cpu.model: 142
"""
