// Tokens a second of a decoder, its products of 1x2048x16384 by hand, and by a generated kernel.
//
//   ./inference [tokens] [layers] [target] [threads] [rounds]
#include <cstdio>
#include <string>
#include <time.h>

#include "matvec.hpp"
#include "model.hpp"
#include "threads.hpp"

constexpr double gigabytes = hidden * width * sizeof(bf16) / 1e9; // of the product's weights

// Seconds, of many runs: of one thread those that it had of a CPU, whatever else the machine does; else of the clock.
class times {
public:
    explicit times(const team &threads) : clock_(threads.count() > 1 ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID) {}

    template <class F> void add(F &&run)
    {
        const double start = now();
        run();
        found_.push_back(now() - start);
    }
    double least() const { return *std::min_element(found_.begin(), found_.end()); }
    double median() const
    {
        std::vector<double> sorted(found_);
        std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2), sorted.end());
        return sorted[sorted.size() / 2];
    }

private:
    double now() const
    {
        timespec found;
        ::clock_gettime(clock_, &found);
        return static_cast<double>(found.tv_sec) + static_cast<double>(found.tv_nsec) / 1e9;
    }
    clockid_t clock_;
    std::vector<double> found_;
};

// A product whose rows are in as many stretches as there are threads.
class by_threads {
public:
    by_threads(team &threads, product run) : threads_(threads), run_(run) {}

    void operator()(const bf16 *x, const bf16 *w, float *y, std::size_t rows, std::size_t depth) const
    {
        work given{run_, x, w, y, rows, depth, static_cast<std::size_t>(threads_.count())};
        threads_.shared(threads_.count(), stretch, &given);
    }

private:
    struct work {
        product run;
        const bf16 *x, *w;
        float *y;
        std::size_t rows, depth, threads;
    };
    static void stretch(void *context, std::int64_t share)
    {
        const work &of = *static_cast<const work *>(context);
        const auto i = static_cast<std::size_t>(share);
        const std::size_t first = of.rows * i / of.threads, last = of.rows * (i + 1) / of.threads;
        of.run(of.x, of.w + first * of.depth, of.y + first, last - first, of.depth);
    }
    team &threads_;
    product run_;
};

static void read_rows(const bf16 *, const bf16 *w, float *y, std::size_t rows, std::size_t depth)
{
    *y = static_cast<float>(read_all(w, rows * depth) & 1);
}

static float apart(const row &one, const row &other)
{
    float most = 0;
    for (std::size_t i = 0; i < one.size(); i++)
        most = std::max(most, std::abs(one[i] - other[i]));
    return most;
}

// Both ways in turns, over matrices in turn: none is in a cache when its turn comes. The best rate of reading alone.
static double products(const decoder &model, team &threads, const decoder::matrix_wide &before,
                       const decoder::matrix_wide &after, int rounds)
{
    const room<bf16> x = random_weights(width, 1, 7);
    const by_threads reading(threads, read_rows);
    row mine(hidden), theirs(hidden), unused(hidden);
    times hand(threads), generated(threads), read(threads);
    float most = 0;
    for (int round = 0; round < rounds; round++)
        for (const wide *each : model.wides()) {
            hand.add([&] { before(x.get(), *each, mine.data()); });
            generated.add([&] { after(x.get(), *each, theirs.data()); });
            read.add([&] { reading(nullptr, each->rows.get(), unused.data(), hidden, width); });
            most = std::max(most, apart(mine, theirs));
        }
    const auto rate = [](const times &of) { return gigabytes / of.median(); };
    const auto best = [](const times &of) { return gigabytes / of.least(); };
    std::printf("product, GB/s (at best): by hand %.1f (%.1f), generated %.1f (%.1f), reading alone %.1f (%.1f)\n",
                rate(hand), best(hand), rate(generated), best(generated), rate(read), best(read));
    std::printf("ratio %.3f (%.3f), results %.1e apart\n", rate(generated) / rate(hand), best(generated) / best(hand),
                most);
    return best(read);
}

// The loop both ways in turns; `limit` is how many gigabytes a second memory gives.
static void loops(decoder &model, const team &threads, const decoder::matrix &by, const decoder::matrix_wide &before,
                  const decoder::matrix_wide &after, std::size_t length, int rounds, double limit)
{
    std::vector<int> first, second;
    times hand(threads), generated(threads);
    for (int round = 0; round < rounds; round++) {
        hand.add([&] { first = model.decoded(1, length, by, before); });
        generated.add([&] { second = model.decoded(1, length, by, after); });
    }
    const auto speed = [&](double time) { return static_cast<double>(length) / time; };
    std::printf("tokens a second (at best): by hand %.2f (%.2f), generated %.2f (%.2f), ratio %.3f (%.3f);",
                speed(hand.median()), speed(hand.least()), speed(generated.median()), speed(generated.least()),
                hand.median() / generated.median(), hand.least() / generated.least());
    std::printf(" %.2f if weights were but read\n", limit / (static_cast<double>(model.bytes()) / 1e9));
    const auto same = std::mismatch(first.begin(), first.end(), second.begin()).first - first.begin();
    std::printf("the same tokens: %d of %d:", static_cast<int>(same), static_cast<int>(length));
    for (std::size_t i = 0; i < std::min<std::size_t>(length, 8); i++)
        std::printf(" %d", second[i]);
    std::puts("");
}

int main(int count, char **words)
try {
    const auto word = [&](int i, const char *otherwise) { return std::string(count > i ? words[i] : otherwise); };
    const std::size_t length = std::stoul(word(1, "16")), layers = std::stoul(word(2, "2"));
    const int rounds = std::stoi(word(5, "7"));
    team threads(std::stoi(word(4, "1")));
    griotte::matvec::choose(word(3, ""));
    const std::string target = griotte::matvec::target();
#if SHARES_OUT
    matvec_share_by(team::parallel_for, &threads);
#endif
    if (!griotte::matvec::belongs() || length > longest)
        return std::puts("expected the matvec.hpp of the library that is linked, and at most 256 tokens"), 2;

    decoder model(layers);
    std::vector<room<char>> packed; // on large pages too; matvec.hpp's packed_x1 is on those of operator new
    for (const wide *each : model.wides()) {
        packed.push_back(made<char>(MATVEC_X1_PACKED_BYTES));
        griotte::matvec::checked(matvec_pack_x1(each->rows.get(), packed.back().get()));
    }
    const by_threads hand(threads, by_hand(target == "avx512"));
    const auto before = [&](const bf16 *x, const wide &w, float *y) { hand(x, w.rows.get(), y, hidden, width); };
    const auto after = [&](const bf16 *x, const wide &w, float *y) {
        griotte::matvec::checked(matvec(x, packed[w.place].get(), y));
    };
    std::printf("target %s, %d threads, %d layers, %.2f GB of weights a token\n", target.c_str(), threads.count(),
                static_cast<int>(layers), static_cast<double>(model.bytes()) / 1e9);
    const double limit = products(model, threads, before, after, rounds);
    loops(model, threads, hand, before, after, length, rounds, limit);
} catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
