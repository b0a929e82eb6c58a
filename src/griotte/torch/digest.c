/* What stands in memory as one number. Each step is a bijection of what was before and of the words, so that another
   word at one place is always another number. */
#include <stdint.h>
#include <string.h>

typedef uint64_t words __attribute__((vector_size(64)));

#define LANES 8
#define BLOCK ((int64_t)(LANES * sizeof(words)))

static inline words step(words before, const char *at) {
    words given;
    memcpy(&given, at, sizeof given);
    given = (before ^ given) * 0x9E3779B185EBCA87u;
    return given ^ (given >> 29);
}

uint64_t griotte_digest(int64_t count, const uint64_t *addresses, const int64_t *bytes) {
    words lanes[LANES];
    uint64_t found[LANES * 8], all = 1;
    for (int j = 0; j < LANES * 8; j++) found[j] = (uint64_t)j;
    memcpy(lanes, found, sizeof lanes);
    words a = lanes[0], b = lanes[1], c = lanes[2], d = lanes[3], e = lanes[4], f = lanes[5], g = lanes[6], h = lanes[7];
    for (int64_t i = 0; i < count; i++) {
        const char *at = (const char *)(uintptr_t)addresses[i];
        char end[BLOCK];
        for (int64_t left = bytes[i]; left > 0; left -= BLOCK, at += BLOCK) {
            if (left < BLOCK) {
                memset(end, 0, sizeof end);
                at = memcpy(end, at, (size_t)left);
            }
            a = step(a, at), b = step(b, at + 64), c = step(c, at + 128), d = step(d, at + 192);
            e = step(e, at + 256), f = step(f, at + 320), g = step(g, at + 384), h = step(h, at + 448);
        }
    }
    words ends[LANES] = {a, b, c, d, e, f, g, h};
    memcpy(found, ends, sizeof found);
    for (int j = 0; j < LANES * 8; j++) {
        all = (all ^ found[j]) * 0x9E3779B185EBCA87u;
        all ^= all >> 29;
    }
    return all;
}
