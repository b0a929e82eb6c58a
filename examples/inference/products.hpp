// Products of a row by bf16 weights, written by hand: y[n] = sum over k of x[k] w[n][k], the weights row by row.
//
// Weights are read once and in order, so memory is what they wait for: a row at a time is one stream, four sums of it
// in turn hide the latency of a step, and what comes is asked for a page ahead. Which of rows, distances and caches to
// ask into was measured: docs/lab/inference.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include <immintrin.h>

using bf16 = std::uint16_t;

inline float widened(bf16 x) { return std::bit_cast<float>(static_cast<std::uint32_t>(x) << 16); }

// To the nearest, ties to even; there are no NaN here.
inline bf16 narrowed(float x)
{
    const auto bits = std::bit_cast<std::uint32_t>(x);
    return static_cast<bf16>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

using product = void (*)(const bf16 *x, const bf16 *w, float *y, std::size_t rows, std::size_t depth);

constexpr std::size_t ahead = 4096;  // bytes that weights are asked for before they are read
constexpr std::size_t near = 8192;    // elements of x that stay in L1 while weights stream through it

// Each of the following is written for `together` rows at a time: one, with four sums of it; or four, with a sum each,
// where x comes from L2 and is to be read less often.

// bf16 two by two in words of 32 bits: the upper one is a float but for the bits below it, the lower one is shifted up.
template <std::size_t together>
__attribute__((target("avx2,fma"))) void rows_avx2(const bf16 *x, const bf16 *w, float *y, std::size_t rows,
                                                   std::size_t depth)
{
    constexpr std::size_t apart = 2 / together ? 2 / together : 1; // sums of even, and of odd elements, of a row
    const __m256i upper = _mm256_set1_epi32(static_cast<int>(0xffff0000u));
    for (std::size_t n = 0; n < rows; n += together) {
        __m256 even[together][apart], odd[together][apart];
        for (std::size_t r = 0; r < together; r++)
            for (std::size_t i = 0; i < apart; i++)
                even[r][i] = odd[r][i] = _mm256_setzero_ps();
        for (std::size_t k = 0; k < depth; k += 32)
            for (std::size_t i = 0; i < 2; i++) {
                const __m256i a = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(x + k + 16 * i));
                const __m256 a_even = _mm256_castsi256_ps(_mm256_slli_epi32(a, 16));
                const __m256 a_odd = _mm256_castsi256_ps(_mm256_and_si256(a, upper));
                for (std::size_t r = 0; r < together; r++) {
                    const bf16 *const row = w + (n + r) * depth + k + 16 * i;
                    if (i == 0)
                        _mm_prefetch(reinterpret_cast<const char *>(row) + ahead, _MM_HINT_T0);
                    const __m256i b = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(row));
                    const __m256 b_even = _mm256_castsi256_ps(_mm256_slli_epi32(b, 16));
                    const __m256 b_odd = _mm256_castsi256_ps(_mm256_and_si256(b, upper));
                    even[r][i % apart] = _mm256_fmadd_ps(a_even, b_even, even[r][i % apart]);
                    odd[r][i % apart] = _mm256_fmadd_ps(a_odd, b_odd, odd[r][i % apart]);
                }
            }
        for (std::size_t r = 0; r < together; r++) {
            __m256 all = _mm256_add_ps(even[r][0], odd[r][0]);
            for (std::size_t i = 1; i < apart; i++)
                all = _mm256_add_ps(all, _mm256_add_ps(even[r][i], odd[r][i]));
            __m128 sum = _mm_add_ps(_mm256_castps256_ps128(all), _mm256_extractf128_ps(all, 1));
            sum = _mm_add_ps(sum, _mm_movehl_ps(sum, sum));
            y[n + r] = _mm_cvtss_f32(_mm_add_ss(sum, _mm_movehdup_ps(sum)));
        }
    }
}

template <std::size_t together>
__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))) void rows_avx512(const bf16 *x, const bf16 *w, float *y,
                                                                               std::size_t rows, std::size_t depth)
{
    constexpr std::size_t apart = 2 / together ? 2 / together : 1;
    const __m512i upper = _mm512_set1_epi32(static_cast<int>(0xffff0000u));
    for (std::size_t n = 0; n < rows; n += together) {
        __m512 even[together][apart], odd[together][apart];
        for (std::size_t r = 0; r < together; r++)
            for (std::size_t i = 0; i < apart; i++)
                even[r][i] = odd[r][i] = _mm512_setzero_ps();
        for (std::size_t k = 0; k < depth; k += 64)
            for (std::size_t i = 0; i < 2; i++) {
                const __m512i a = _mm512_loadu_si512(x + k + 32 * i);
                const __m512 a_even = _mm512_castsi512_ps(_mm512_slli_epi32(a, 16));
                const __m512 a_odd = _mm512_castsi512_ps(_mm512_and_si512(a, upper));
                for (std::size_t r = 0; r < together; r++) {
                    const bf16 *const row = w + (n + r) * depth + k + 32 * i;
                    _mm_prefetch(reinterpret_cast<const char *>(row) + ahead, _MM_HINT_T1);
                    const __m512i b = _mm512_loadu_si512(row);
                    const __m512 b_even = _mm512_castsi512_ps(_mm512_slli_epi32(b, 16));
                    const __m512 b_odd = _mm512_castsi512_ps(_mm512_and_si512(b, upper));
                    even[r][i % apart] = _mm512_fmadd_ps(a_even, b_even, even[r][i % apart]);
                    odd[r][i % apart] = _mm512_fmadd_ps(a_odd, b_odd, odd[r][i % apart]);
                }
            }
        for (std::size_t r = 0; r < together; r++) {
            __m512 all = _mm512_add_ps(even[r][0], odd[r][0]);
            for (std::size_t i = 1; i < apart; i++)
                all = _mm512_add_ps(all, _mm512_add_ps(even[r][i], odd[r][i]));
            y[n + r] = _mm512_reduce_add_ps(all);
        }
    }
}

template <std::size_t together>
__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16"))) void
rows_avx512_bf16(const bf16 *x, const bf16 *w, float *y, std::size_t rows, std::size_t depth)
{
    constexpr std::size_t apart = 4 / together;
    for (std::size_t n = 0; n < rows; n += together) {
        __m512 sums[together][apart];
        for (std::size_t r = 0; r < together; r++)
            for (std::size_t i = 0; i < apart; i++)
                sums[r][i] = _mm512_setzero_ps();
        for (std::size_t k = 0; k < depth; k += 32 * apart)
            for (std::size_t i = 0; i < apart; i++) {
                const __m512i a = _mm512_loadu_si512(x + k + 32 * i);
                for (std::size_t r = 0; r < together; r++) {
                    const bf16 *const row = w + (n + r) * depth + k + 32 * i;
                    _mm_prefetch(reinterpret_cast<const char *>(row) + ahead, _MM_HINT_T1);
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

// The one or the other; rows are a multiple of four.
template <product one, product four>
void chosen(const bf16 *x, const bf16 *w, float *y, std::size_t rows, std::size_t depth)
{
    (depth > near ? four : one)(x, w, y, rows, depth);
}

// What a core reads at best: the same stream, and nothing done with it but to be joined.
__attribute__((target("avx2"))) inline std::uint64_t read_all(const bf16 *w, std::size_t elements)
{
    __m256i sums[4] = {};
    for (std::size_t k = 0; k < elements; k += 64)
        for (std::size_t i = 0; i < 4; i++) {
            if (i % 2 == 0)
                _mm_prefetch(reinterpret_cast<const char *>(w + k + 16 * i) + ahead, _MM_HINT_T1);
            sums[i] = _mm256_xor_si256(sums[i], _mm256_loadu_si256(reinterpret_cast<const __m256i *>(w + k + 16 * i)));
        }
    const __m256i joined = _mm256_xor_si256(_mm256_xor_si256(sums[0], sums[1]), _mm256_xor_si256(sums[2], sums[3]));
    return static_cast<std::uint64_t>(_mm256_extract_epi64(joined, 0) ^ _mm256_extract_epi64(joined, 1) ^
                                      _mm256_extract_epi64(joined, 2) ^ _mm256_extract_epi64(joined, 3));
}

// The best of these for a target of the package.
inline product by_hand(bool wide)
{
    if (wide && __builtin_cpu_supports("avx512bf16"))
        return chosen<rows_avx512_bf16<1>, rows_avx512_bf16<4>>;
    if (wide && __builtin_cpu_supports("avx512bw"))
        return chosen<rows_avx512<1>, rows_avx512<4>>;
    return chosen<rows_avx2<1>, rows_avx2<4>>;
}
