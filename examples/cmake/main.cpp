// A layer of weights, packed once, then called; the C++ wrapper knows the sizes.
#include <array>
#include <cstdio>
#include <vector>

#include "linear.hpp"

int main()
try {
    if (!griotte::linear::belongs())
        return std::puts("linear.hpp and the library that is linked do not belong together"), 1;
    std::vector<float> w(8 * 300);
    for (int k = 0; k < 8; k++)
        for (int n = 0; n < 300; n++)
            w[k * 300 + n] = static_cast<float>(k == n % 8) * static_cast<float>(n) / 30;
    const griotte::linear::packed_x1 weights(std::span<const float, 8 * 300>{w});

    std::array<float, 4 * 8> x{};
    std::array<float, 4 * 300> y;
    for (int row = 0; row < 4; row++)
        x[row * 8 + row] = 1; // row m picks the columns m, m + 8, ..
    griotte::linear::run(x, weights, y);

    std::printf("by %s\n", griotte::linear::target().c_str());
    for (int row = 0; row < 4; row++) {
        int best = 0;
        for (int n = 0; n < 300; n++)
            best = y[row * 300 + n] > y[row * 300 + best] ? n : best;
        std::printf("row %d: class %d, %.4f\n", row, best, y[row * 300 + best]);
    }
} catch (const griotte::failure &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return error.status;
}
