/* @title@
 *
 * Code for these targets, of which a call runs the first that the CPU has the features of:
@needs@ */
#ifndef @NAME@_H
#define @NAME@_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

@rules@
#define @NAME@_THREAD_BYTES @thread_bytes@

/* A header and a library belong together where @NAME@_ABI is what @name@_abi() gives. */
#define @NAME@_ABI @abi@
uint32_t @name@_abi(void);

/* What functions here return: 0, or why nothing was done, which @name@_message says in words. */
#define @NAME@_OK 0
#define @NAME@_NO_TARGET 1      /* the CPU lacks what the code needs */
#define @NAME@_UNKNOWN_TARGET 2 /* the library has none of this name */
#define @NAME@_BAD_SIZE 3       /* m is out of its range */
#define @NAME@_NOT_PACKED 4     /* not packed by this library for the target that runs */
const char *@name@_message(int status);

/* The target that runs, the best that the CPU runs; NULL where it runs none. Found at the first call, of the CPU or
 * its system, once for all threads, without an allocation. */
const char *@name@_target(void);
/* Those of the library, the best at place 0; NULL past the last. */
const char *@name@_targets(int place);
/* Lets this one run from now on; NULL: the best. For tests and timings; while no call runs, before constants are
 * packed. */
int @name@_choose(const char *target);

/* Sizes in bytes@of_largest@. */
@sizes@
@packing@@weights@@sharing@
@called@
int @name@(@formals@);

#ifdef __cplusplus
}
#endif
#endif
