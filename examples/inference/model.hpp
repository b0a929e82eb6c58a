// A decoder in the manner of Gemma's, of random weights: a row at a time through layers of attention over all rows so
// far and of a gated feed-forward part, then the likeliest of the tokens.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <vector>
#include <sys/mman.h>

#include "products.hpp"

constexpr std::size_t width = 2048, hidden = 16384, tokens = 16384, heads = 8, head = width / heads, longest = 256;

// Memory on large pages, where there are some: rows of weights are far apart.
struct room_freed {
    void operator()(void *p) const noexcept { std::free(p); }
};
template <class T> using room = std::unique_ptr<T[], room_freed>;

template <class T> room<T> made(std::size_t count)
{
    constexpr std::size_t page = 2 << 20;
    const std::size_t bytes = (count * sizeof(T) + page) / page * page; // what is asked for ahead is read past the end
    void *const found = std::aligned_alloc(page, bytes);
    if (!found)
        throw std::bad_alloc();
    ::madvise(found, bytes, MADV_HUGEPAGE);
    return room<T>(static_cast<T *>(found));
}

// Weights between -spread and spread, the same at each run.
inline room<bf16> random_weights(std::size_t count, float spread, std::uint64_t seed)
{
    room<bf16> found = made<bf16>(count);
    std::uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
    for (std::size_t i = 0; i < count; i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        found[i] = narrowed((static_cast<float>(state >> 40) / (1 << 23) - 1) * spread);
    }
    return found;
}

// A matrix of width by hidden, 1x2048x16384 to the product; `place` is its number among these.
struct wide {
    room<bf16> rows;
    std::size_t place;
};

struct layer {
    room<bf16> queries, keys, values, out, down;
    wide gate, up;
    std::vector<float> seen_keys, seen_values;
};

using row = std::vector<float>;

class decoder {
public:
    using matrix = std::function<void(const bf16 *x, const bf16 *w, float *y, std::size_t rows, std::size_t depth)>;
    using matrix_wide = std::function<void(const bf16 *x, const wide &w, float *y)>;

    explicit decoder(std::size_t layers) : table_{random_weights(tokens * width, 1, 1), 2 * layers}
    {
        const float by_width = spread(width), by_hidden = spread(hidden);
        for (std::size_t n = 0; n < layers; n++) {
            std::uint64_t seed = 10 * (n + 1);
            const auto of_width = [&](std::size_t rows) { return random_weights(rows * width, by_width, seed++); };
            layer found = {of_width(width), of_width(head), of_width(head), of_width(width), {}, {}, {}, {}, {}};
            found.gate = {of_width(hidden), 2 * n};
            found.up = {of_width(hidden), 2 * n + 1};
            found.down = random_weights(width * hidden, by_hidden, seed);
            found.seen_keys.resize(longest * head);
            found.seen_values.resize(longest * head);
            layers_.push_back(std::move(found));
        }
    }

    // All matrices of width by hidden: two of each layer, and the table of tokens.
    std::vector<const wide *> wides() const
    {
        std::vector<const wide *> found;
        for (const layer &each : layers_)
            found.insert(found.end(), {&each.gate, &each.up});
        found.push_back(&table_);
        return found;
    }

    // Bytes of weights that a token reads.
    std::size_t bytes() const
    {
        const std::size_t of_layer = 2 * width * width + 2 * head * width + 3 * width * hidden;
        return sizeof(bf16) * (layers_.size() * of_layer + tokens * width);
    }

    // The tokens that follow one, each the likeliest after those before it.
    std::vector<int> decoded(int token, std::size_t count, const matrix &by, const matrix_wide &by_wide)
    {
        std::vector<int> found;
        for (std::size_t place = 0; place < count; place++) {
            row x = embedded(token), logits(tokens);
            for (layer &each : layers_) {
                attended(each, x, place, by);
                fed_forward(each, x, by, by_wide);
            }
            by_wide(normed(x).data(), table_, logits.data());
            token = static_cast<int>(std::max_element(logits.begin(), logits.end()) - logits.begin());
            found.push_back(token);
        }
        return found;
    }

private:
    // So that results are about as large as what they are of.
    static float spread(std::size_t depth) { return 1.7f / std::sqrt(static_cast<float>(depth)); }

    // Random as well, and made anew each time: that of the table would find itself again.
    static row embedded(int token)
    {
        row found(width);
        const room<bf16> drawn = random_weights(width, 1, 1000 + static_cast<std::uint64_t>(token));
        std::transform(&drawn[0], &drawn[width], found.begin(), widened);
        return found;
    }

    static std::vector<bf16> narrow(const row &x)
    {
        std::vector<bf16> found(x.size());
        std::transform(x.begin(), x.end(), found.begin(), narrowed);
        return found;
    }

    static std::vector<bf16> normed(const row &x)
    {
        float squares = 0;
        for (float each : x)
            squares += each * each;
        row found(x);
        for (float &each : found)
            each /= std::sqrt(squares / static_cast<float>(x.size()) + 1e-6f);
        return narrow(found);
    }

    static void turned(float *x, std::size_t place)
    {
        for (std::size_t i = 0; i < head / 2; i++) {
            const float part = static_cast<float>(i) / static_cast<float>(head / 2);
            const float angle = static_cast<float>(place) * std::pow(10000.f, -part);
            const float a = x[i], b = x[i + head / 2];
            x[i] = a * std::cos(angle) - b * std::sin(angle);
            x[i + head / 2] = a * std::sin(angle) + b * std::cos(angle);
        }
    }

    static void attended(layer &of, row &x, std::size_t place, const matrix &by)
    {
        const std::vector<bf16> now = normed(x);
        row queries(width), result(width), added(width), scores(place + 1);
        by(now.data(), of.queries.get(), queries.data(), width, width);
        by(now.data(), of.keys.get(), &of.seen_keys[place * head], head, width);
        by(now.data(), of.values.get(), &of.seen_values[place * head], head, width);
        turned(&of.seen_keys[place * head], place);
        for (std::size_t h = 0; h < heads; h++) {
            float *const query = &queries[h * head], sum = 0;
            turned(query, place);
            for (std::size_t t = 0; t <= place; t++) {
                scores[t] = 0;
                for (std::size_t i = 0; i < head; i++)
                    scores[t] += query[i] * of.seen_keys[t * head + i] / std::sqrt(static_cast<float>(head));
            }
            const float largest = *std::max_element(scores.begin(), scores.end());
            for (float &score : scores)
                sum += score = std::exp(score - largest);
            for (std::size_t t = 0; t <= place; t++)
                for (std::size_t i = 0; i < head; i++)
                    result[h * head + i] += scores[t] / sum * of.seen_values[t * head + i];
        }
        by(narrow(result).data(), of.out.get(), added.data(), width, width);
        std::transform(x.begin(), x.end(), added.begin(), x.begin(), std::plus<>());
    }

    static void fed_forward(const layer &of, row &x, const matrix &by, const matrix_wide &by_wide)
    {
        const std::vector<bf16> now = normed(x);
        row gate(hidden), up(hidden), added(width);
        by_wide(now.data(), of.gate, gate.data());
        by_wide(now.data(), of.up, up.data());
        for (std::size_t i = 0; i < hidden; i++) {
            const float g = gate[i];
            up[i] *= g / (1 + std::exp(-1.5957691216f * (g + 0.044715f * g * g * g))); // gelu, by tanh
        }
        by(narrow(up).data(), of.down.get(), added.data(), width, hidden);
        std::transform(x.begin(), x.end(), added.begin(), x.begin(), std::plus<>());
    }

    std::vector<layer> layers_;
    wide table_;
};
