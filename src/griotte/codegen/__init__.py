"""C of programs: standalone C, one exported function, no allocation in a call, safe from many threads.

The emitter walks a program once with a `View` for each operand: a pointer's name and its element steps. Each distinct
leaf is one static function, whose form (`engine/leaves/`) writes it. A reduce leaf takes half or a quarter of the
vector width where more would stay empty (8^3 from C: 10.4 ns in place of 15.4). Buffers of copies stand where a
function, or the body of a loop over threads, begins: up to 16 KiB on its stack, larger ones `static _Thread_local`. The
address of a thread-local buffer is taken once and not in each loop: in a shared library that is a call, of 60 ns with
glibc before 2.39 (its bug 19924).

A loop over threads is a static function of a share and a call of `griotte_share_out`. The function gets its operands in
a struct; `griotte_share_out` runs the shares and returns when all are done. Shares are equal runs of tiles, known
beforehand, as many as threads. `<function>_check` reads CPUID and XCR0 in general registers alone, so that it may be
called on any CPU.
"""
