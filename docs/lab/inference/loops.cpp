// Loops by hand over bf16 weights from memory, by rows taken together, how far ahead is asked, and into which cache.
//
//   g++ -O3 -std=c++20 -Iexamples/inference docs/lab/inference/loops.cpp -o loops && ./loops
#include <algorithm>
#include <cstdio>
#include <time.h>

#include "model.hpp"

template <std::size_t together, int far, _mm_hint into>
__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16"))) static void
rows(const bf16 *x, const bf16 *w, float *y, std::size_t rows, std::size_t depth)
{
    constexpr std::size_t apart = together < 4 ? 4 / together : 1;
    for (std::size_t n = 0; n < rows; n += together) {
        __m512 sums[together][apart];
        for (auto &row : sums)
            for (__m512 &sum : row)
                sum = _mm512_setzero_ps();
        for (std::size_t k = 0; k < depth; k += 32 * apart)
            for (std::size_t i = 0; i < apart; i++) {
                const __m512i a = _mm512_loadu_si512(x + k + 32 * i);
                for (std::size_t r = 0; r < together; r++) {
                    const bf16 *const row = w + (n + r) * depth + k + 32 * i;
                    if constexpr (far > 0)
                        _mm_prefetch(reinterpret_cast<const char *>(row) + far, into);
                    sums[r][i] = _mm512_dpbf16_ps(sums[r][i], (__m512bh)a, (__m512bh)_mm512_loadu_si512(row));
                }
            }
        for (std::size_t r = 0; r < together; r++) {
            __m512 all = sums[r][0];
            for (std::size_t i = 1; i < apart; i++)
                all = _mm512_add_ps(all, sums[r][i]);
            y[n + r] = _mm512_reduce_add_ps(all);
        }
    }
}

static void reading(const bf16 *, const bf16 *w, float *y, std::size_t rows, std::size_t depth)
{
    *y = static_cast<float>(read_all(w, rows * depth) & 1);
}

static double now()
{
    timespec found;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &found);
    return static_cast<double>(found.tv_sec) + static_cast<double>(found.tv_nsec) / 1e9;
}

constexpr _mm_hint L1 = _MM_HINT_T0, L2 = _MM_HINT_T1;

static const struct {
    const char *name;
    product run;
} loops[] = {
    {"reading alone", reading},
    {"1 row, nothing asked for", rows<1, 0, L1>},
    {"1 row, 1 KiB ahead into L1", rows<1, 1024, L1>},
    {"1 row, 4 KiB ahead into L1", rows<1, 4096, L1>},
    {"1 row, 8 KiB ahead into L1", rows<1, 8192, L1>},
    {"1 row, 1 KiB ahead into L2", rows<1, 1024, L2>},
    {"1 row, 4 KiB ahead into L2", rows<1, 4096, L2>},
    {"1 row, 8 KiB ahead into L2", rows<1, 8192, L2>},
    {"2 rows, nothing asked for", rows<2, 0, L1>},
    {"2 rows, 4 KiB ahead into L2", rows<2, 4096, L2>},
    {"4 rows, nothing asked for", rows<4, 0, L1>},
    {"4 rows, 4 KiB ahead into L2", rows<4, 4096, L2>},
    {"8 rows, 4 KiB ahead into L2", rows<8, 4096, L2>},
    {"two shifts, 1 row", rows_avx512<1>},
    {"two shifts, 4 rows", rows_avx512<4>},
    {"AVX2, 1 row", rows_avx2<1>},
    {"AVX2, 4 rows", rows_avx2<4>},
};

int main()
{
    constexpr std::size_t matrices = 4, count = std::size(loops);
    std::vector<room<bf16>> w;
    for (std::size_t i = 0; i < matrices; i++)
        w.push_back(random_weights(hidden * width, 1, i + 1));
    const room<bf16> x = random_weights(hidden, 1, 9);
    row y(hidden);
    for (const auto &[n, depth] : {std::pair{hidden, width}, std::pair{width, hidden}}) {
        std::vector<double> times[count];
        for (std::size_t round = 0; round < 31; round++)
            for (std::size_t i = 0; i < count; i++) {
                const double start = now();
                loops[i].run(x.get(), w[(i + round) % matrices].get(), y.data(), n, depth);
                times[i].push_back(now() - start);
            }
        std::printf("%zu results of %zu steps, GB/s: median, best\n", n, depth);
        for (std::size_t i = 0; i < count; i++) {
            std::sort(times[i].begin(), times[i].end());
            const double gigabytes = hidden * width * sizeof(bf16) / 1e9;
            std::printf("  %-28s %5.1f %5.1f\n", loops[i].name, gigabytes / times[i][15], gigabytes / times[i][0]);
        }
    }
}
