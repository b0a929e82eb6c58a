/* Runs functions of libraries for another process: reads calls from standard input, writes their results to standard
 * output. Each array ends where memory ends that nobody may touch, so what is read or written beyond it ends this
 * program; what lies before it is filled, and looked at after the call.
 *
 * A call: int64 bytes of the library's path, path, int64 bytes of the function's name, name, int64 count of arguments,
 * and for each int64 kind (0: a number, 1: read, 2: written, 3: both), int64 value or bytes, and of one that is read its content.
 * Its result: int64 0, then the content of what is written; or int64 1 where a byte before an array has changed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { NUMBER, READ, WRITTEN, BOTH };
enum { MOST = 64, FILLED = 0x5B };

static void take(void *to, size_t bytes)
{
    if (bytes && fread(to, 1, bytes, stdin) != bytes)
        exit(0);
}

static int64_t number(void)
{
    int64_t found;
    take(&found, sizeof found);
    return found;
}

static char *text(void)
{
    const int64_t bytes = number();
    char *found = calloc(1, bytes + 1);
    take(found, bytes);
    return found;
}

typedef struct {
    char *memory, *at;
    int64_t whole, bytes, kind, value;
} Room;

static Room room(int64_t kind, int64_t bytes, int64_t page)
{
    Room found = {.kind = kind, .bytes = bytes};
    const int64_t lines = (bytes + 63) / 64 * 64;
    found.whole = (lines + page - 1) / page * page + page;
    found.memory = mmap(0, found.whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (found.memory == MAP_FAILED)
        abort();
    memset(found.memory, FILLED, found.whole);
    mprotect(found.memory + found.whole, page, PROT_NONE);
    /* of a multiple of 16 bytes, as vectors of packed constants are, it begins on one */
    found.at = found.memory + found.whole - (bytes % 64 ? bytes : lines);
    return found;
}

static void call(void *function, const intptr_t *a, int64_t count)
{
    if (count > 16)
        abort();
    ((void (*)(intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t,
               intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t))function)(
        a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15]);
}

int main(void)
{
    const int64_t page = sysconf(_SC_PAGESIZE);
    for (;;) {
        char *path = text(), *name = text();
        const int64_t count = number();
        Room rooms[MOST];
        intptr_t arguments[MOST] = {0};
        if (count > MOST)
            abort();
        for (int64_t i = 0; i < count; i++) {
            const int64_t kind = number(), value = number();
            rooms[i] = (Room){.kind = kind, .value = value};
            if (kind == NUMBER) {
                arguments[i] = value;
                continue;
            }
            rooms[i] = room(kind, value, page);
            if (kind & READ)
                take(rooms[i].at, value);
            arguments[i] = (intptr_t)rooms[i].at;
        }
        void *library = dlopen(path, RTLD_NOW);
        void *function = library ? dlsym(library, name) : 0;
        if (!function) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        call(function, arguments, count);
        int64_t changed = 0;
        for (int64_t i = 0; i < count; i++)
            for (char *p = rooms[i].memory; rooms[i].kind != NUMBER && p < rooms[i].at; p++)
                changed |= *p != FILLED;
        fwrite(&changed, sizeof changed, 1, stdout);
        for (int64_t i = 0; i < count; i++) {
            if (rooms[i].kind & WRITTEN)
                fwrite(rooms[i].at, 1, rooms[i].bytes, stdout);
            if (rooms[i].kind != NUMBER)
                munmap(rooms[i].memory, rooms[i].whole + page);
        }
        fflush(stdout);
        free(path), free(name);
    }
}
