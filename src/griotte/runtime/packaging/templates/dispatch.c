/* @title@
 *
 * Each function here asks which target runs, and calls that one's code. This file needs no CPU feature. */
#include "@name@.h"
#include <string.h>

@declared@

enum { GRIOTTE_TARGETS = @count@, GRIOTTE_NONE = -1 };

static const char *const griotte_names[GRIOTTE_TARGETS] = {@target_names@};
static int griotte_chosen; /* 0: not asked yet; GRIOTTE_NONE; else the place of the target, and 1 */

/* The first feature that the CPU lacks of those that a target needs; NULL where it has them. */
static const char *griotte_lacking(int place)
{
    switch (place) {
@checks@
    }
    return "";
}

static int griotte_best(void)
{
    for (int i = 0; i < GRIOTTE_TARGETS; i++)
        if (!griotte_lacking(i))
            return i + 1;
    return GRIOTTE_NONE;
}

/* Threads that ask at once find the same; what was chosen meanwhile stays. */
static int griotte_resolved(void)
{
    int found = __atomic_load_n(&griotte_chosen, __ATOMIC_RELAXED), before = 0;
    if (found)
        return found;
    found = griotte_best();
    const int is_first =
        __atomic_compare_exchange_n(&griotte_chosen, &before, found, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return is_first ? found : before;
}
@sharing@@packing@@weights@
uint32_t @name@_abi(void) { return @NAME@_ABI; }

const char *@name@_message(int status)
{
    switch (status) {
    case @NAME@_OK: return "done";
    case @NAME@_NO_TARGET: return "expected a CPU with the features of @targets@, found one without";
    case @NAME@_UNKNOWN_TARGET: return "expected a target of @targets@, found another";
    case @NAME@_BAD_SIZE: return "expected a size of 1 to the bound, found another";
    case @NAME@_NOT_PACKED: return "expected constants packed by this library for the target that runs, found others";
    }
    return "expected what a function of @name@ returns, found another number";
}

const char *@name@_target(void)
{
    const int found = griotte_resolved();
    return found == GRIOTTE_NONE ? NULL : griotte_names[found - 1];
}

const char *@name@_targets(int place)
{
    return place < 0 || place >= GRIOTTE_TARGETS ? NULL : griotte_names[place];
}

int @name@_choose(const char *target)
{
    int found = target ? 0 : griotte_best();
    for (int i = 0; target && i < GRIOTTE_TARGETS; i++)
        if (!strcmp(target, griotte_names[i]))
            found = griotte_lacking(i) ? GRIOTTE_NONE : i + 1;
    if (found > 0)
        __atomic_store_n(&griotte_chosen, found, __ATOMIC_RELAXED);
    return found > 0 ? @NAME@_OK : found ? @NAME@_NO_TARGET : @NAME@_UNKNOWN_TARGET;
}

int @name@(@formals@)
{
    const int place = griotte_resolved();
    if (place == GRIOTTE_NONE)
        return @NAME@_NO_TARGET;
@guards@
    switch (place) {
@calls@
    }
    return @NAME@_OK;
}
