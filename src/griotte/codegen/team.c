/* A team of threads that all functions of a process share.
 *
 * A call's work is in shares, which are claimed: a thread takes those of its own run first, the same at each call, then
 * what nobody has begun of the others', nearest first. So the calling thread waits only for shares that a helper has
 * begun, and does the others itself. Helpers wait for the next call awake, longer where calls come often, then asleep;
 * there are never more than the CPUs that affinity and quota leave, or than the process is limited to, and after a fork
 * the child makes its own. A second thread that calls meanwhile does its work alone, and takes the place of a helper.
 * Weak: of several such files linked into a program, one has the team. */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef void griotte_share(void *context, int64_t share);

enum {
    GRIOTTE_MOST = 256,        /* threads of a team */
    GRIOTTE_AWAKE = 10000,     /* ns that a helper waits busily for a call, and then yields */
    GRIOTTE_SPIN = 30000,      /* ns that it waits before it sleeps, */
    GRIOTTE_OFTEN = 1000000,   /* the same where this call came that soon after the one before: the next one may */
    GRIOTTE_PATIENCE = 300000, /* ns that a call waits busily for a share that a helper has begun, before it sleeps */
    GRIOTTE_SLICE = 100000,    /* ns that a helper runs before others of its CPU may, the least that Linux grants */
    GRIOTTE_BURST = 1000000,   /* ns that a helper computes before it yields, to be put aside between shares */
    GRIOTTE_LOOK = 250000000   /* ns from one look at affinity and quota to the next */
};

static struct {
    /* The call, written by the calling thread: its number (0: being written), last. */
    uint64_t call __attribute__((aligned(128)));
    int64_t shares;
    int threads, cpu; /* cpu: where the calling thread is; helpers run elsewhere, */
    griotte_share *run;
    void *context;
    unsigned long mask[16]; /* of what it may run on */
    /* Whether a thread has the team; threads that call; how many may compute at once (0: as the system permits). */
    uint32_t taken __attribute__((aligned(128)));
    int callers, limit;
    /* The calling thread's own. */
    int helpers, permitted, prepared;
    int64_t looked;
    uint64_t calls, expected[GRIOTTE_MOST];
    /* What sleepers ring with: helpers that sleep, as bits, and calls that woke them; whether a caller sleeps. */
    uint32_t asleep __attribute__((aligned(128))), rung, waiting, ended;
    /* Of each thread: call << 16 | how many shares of its run are begun; how many are done, in all calls. */
    struct {
        uint64_t begun __attribute__((aligned(128))), done;
    } of[GRIOTTE_MOST];
} griotte_team;

static int64_t griotte_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000ll + time.tv_nsec;
}

static void griotte_pause(void)
{
    @PAUSE@
}

#ifdef __linux__
#include <sys/syscall.h>

enum { GRIOTTE_WAIT = 9 | 128, GRIOTTE_WAKE = 10 | 128 }; /* FUTEX_WAIT_BITSET, FUTEX_WAKE_BITSET, of this process */

/* Sleeps while *word is `seen`, until one of the bits of `who` is woken. */
static void griotte_sleep(uint32_t *word, uint32_t seen, uint32_t who)
{
    syscall(SYS_futex, word, GRIOTTE_WAIT, seen, NULL, NULL, who);
}

static void griotte_wake(uint32_t *word, uint32_t who)
{
    __atomic_add_fetch(word, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, word, GRIOTTE_WAKE, 0x7fffffff, NULL, NULL, who);
}

/* The start of a small file, as text; empty where there is none. */
static const char *griotte_read(const char *folder, const char *path, const char *file, char *text, int most)
{
    char name[1100];
    const int length = snprintf(name, sizeof name, "%s%s%s", folder, path, file);
    const int found = length < (int)sizeof name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    const ssize_t count = found < 0 ? 0 : read(found, text, most - 1);
    if (found >= 0)
        close(found);
    text[count < 0 ? 0 : count] = 0;
    return text;
}

/* Whole CPUs, `most` at most, that the quotas of this process's control groups and of those around them leave it. */
static int griotte_quota(int most)
{
    char groups[4096], text[64];
    griotte_read("/proc/self/cgroup", "", "", groups, sizeof groups);
    for (char *line = groups, *next; *line; line = next) {
        next = line + strcspn(line, "\n");
        next += *next ? (*next = 0, 1) : 0;
        /* 4:cpu,cpuacct:/a */
        char *const names = strchr(line, ':'), *const path = names ? strchr(names + 1, ':') : NULL;
        if (path == NULL)
            continue;
        *path = ',';
        const int second = path == names + 1; /* version 2 names none */
        const char *cpu = strstr(names, "cpu,");
        while (cpu && cpu < path && !strchr(":,", cpu[-1]))
            cpu = strstr(cpu + 1, "cpu,");
        if (!second && (cpu == NULL || cpu > path))
            continue;
        for (char *end = path + strlen(path); end != NULL; end = strrchr(path + 1, '/')) {
            *end = 0;
            const char *const folder = second ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu";
            griotte_read(folder, path + 1, second ? "/cpu.max" : "/cpu.cfs_quota_us", text, sizeof text);
            const double quota = atof(text); /* 0 of "max", -1: none */
            if (!second)
                griotte_read(folder, path + 1, "/cpu.cfs_period_us", text, sizeof text);
            const double period = atof(second ? text + strcspn(text, " ") : text);
            if (quota > 0 && period > 0 && quota < period * most)
                most = quota < 2 * period ? 1 : (int)(quota / period);
        }
    }
    return most;
}

/* How many threads may compute at once. Helpers are to run where the calling thread may. */
static int griotte_permitted(void)
{
    unsigned long mask[16] = {0};
    int count = 0;
    if (syscall(SYS_sched_getaffinity, 0, sizeof mask, mask) <= 0)
        return griotte_quota((int)sysconf(_SC_NPROCESSORS_ONLN));
    for (int i = 0; i < 16; i++)
        count += __builtin_popcountl(mask[i]);
    for (int i = 0; i < 16; i++)
        __atomic_store_n(&griotte_team.mask[i], mask[i], __ATOMIC_RELAXED);
    return griotte_quota(count);
}

int sched_getcpu(void);

/* A helper asks for short slices: then it comes in at once where another thread has its CPU (Linux 6.12; else no-op). */
static void griotte_hurry(void)
{
#if defined SYS_sched_getattr && defined SYS_sched_setattr
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } found = {sizeof found, 0, 0, 0, 0, 0, 0, 0};
    if (syscall(SYS_sched_getattr, 0, &found, sizeof found, 0) || found.policy != 0)
        return;
    found.runtime = GRIOTTE_SLICE;
    syscall(SYS_sched_setattr, 0, &found, 0);
#endif
}

/* A helper that finds itself on the calling thread's CPU leaves it: neither would get on. */
static void griotte_step_aside(void)
{
    const int cpu = sched_getcpu(), bits = 8 * sizeof griotte_team.mask[0];
    if (cpu != __atomic_load_n(&griotte_team.cpu, __ATOMIC_RELAXED))
        return;
    unsigned long mask[16];
    for (int i = 0; i < 16; i++)
        mask[i] = __atomic_load_n(&griotte_team.mask[i], __ATOMIC_RELAXED) & ~(i == cpu / bits ? 1ul << cpu % bits : 0);
    syscall(SYS_sched_setaffinity, 0, sizeof mask, mask);
}

static void griotte_freed(void) {}
#else
static pthread_mutex_t griotte_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t griotte_bell = PTHREAD_COND_INITIALIZER;

/* All sleepers have one bell, so `who` counts for nothing: those who are not meant sleep again. */
static void griotte_sleep(uint32_t *word, uint32_t seen, uint32_t who)
{
    (void)who;
    pthread_mutex_lock(&griotte_mutex);
    while (__atomic_load_n(word, __ATOMIC_SEQ_CST) == seen)
        pthread_cond_wait(&griotte_bell, &griotte_mutex);
    pthread_mutex_unlock(&griotte_mutex);
}

static void griotte_wake(uint32_t *word, uint32_t who)
{
    (void)who;
    pthread_mutex_lock(&griotte_mutex);
    __atomic_add_fetch(word, 1, __ATOMIC_SEQ_CST);
    pthread_cond_broadcast(&griotte_bell);
    pthread_mutex_unlock(&griotte_mutex);
}

static int griotte_permitted(void) { return (int)sysconf(_SC_NPROCESSORS_ONLN); }
static int sched_getcpu(void) { return 0; }
static void griotte_hurry(void) {}
static void griotte_step_aside(void) {}

/* A helper that is no more may have held the bell. */
static void griotte_freed(void)
{
    griotte_mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    griotte_bell = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
}
#endif

/* Waits a little; nanoseconds since `start`. */
static int64_t griotte_waited(int64_t start)
{
    for (int i = 0; i < 16; i++)
        griotte_pause();
    return griotte_now() - start;
}

/* The next share of the run of thread `i`, of `count`, in a call; -1: all are begun, or the call is over. */
static int64_t griotte_claim(int i, uint64_t call, int64_t count)
{
    uint64_t *const word = &griotte_team.of[i].begun, found = __atomic_load_n(word, __ATOMIC_RELAXED), begun;
    do {
        begun = found >> 16 == call ? found & 0xffff : 0;
        if (found >> 16 > call || begun == (uint64_t)count)
            return -1;
    } while (!__atomic_compare_exchange_n(word, &found, call << 16 | (begun + 1), 0, __ATOMIC_ACQ_REL,
                                          __ATOMIC_RELAXED));
    return (int64_t)begun;
}

/* What thread `self` does of a call. What the call is of is read once a share is claimed: the call lasts till then. */
static void griotte_work(int self, uint64_t call, int64_t shares, int threads, int64_t *rested)
{
    for (int n = 0; n < threads; n++) {
        const int i = (self + n) % threads;
        const int64_t first = shares * i / threads, count = shares * (i + 1) / threads - first;
        if (i == 0 && self && count == 1)
            continue; /* the calling thread has begun it */
        for (int64_t share; (share = griotte_claim(i, call, count)) >= 0;) {
            griotte_team.run(griotte_team.context, first + share);
            __atomic_add_fetch(&griotte_team.of[i].done, 1, __ATOMIC_SEQ_CST);
            if (!self)
                continue;
            if (__atomic_load_n(&griotte_team.waiting, __ATOMIC_SEQ_CST))
                griotte_wake(&griotte_team.ended, 1);
            if (griotte_now() - *rested > GRIOTTE_BURST) {
                sched_yield();
                griotte_step_aside();
                *rested = griotte_now();
            }
        }
    }
}

static void *griotte_help(void *given)
{
    const int self = (int)(intptr_t)given;
    const uint32_t bit = 1u << self % 32;
    uint64_t seen = 0, call;
    int64_t rested = griotte_now(), start = rested, ended = rested - GRIOTTE_OFTEN, patience = GRIOTTE_SPIN;
    griotte_hurry();
    for (;;) {
        call = __atomic_load_n(&griotte_team.call, __ATOMIC_ACQUIRE);
        if (call == seen || call == 0) {
            const int64_t waited = griotte_waited(start);
            if (waited > GRIOTTE_AWAKE)
                sched_yield();
            if (waited < patience)
                continue;
            const uint32_t rung = __atomic_load_n(&griotte_team.rung, __ATOMIC_SEQ_CST);
            __atomic_or_fetch(&griotte_team.asleep, bit, __ATOMIC_SEQ_CST);
            if (__atomic_load_n(&griotte_team.call, __ATOMIC_SEQ_CST) == seen)
                griotte_sleep(&griotte_team.rung, rung, bit);
            griotte_step_aside();
            rested = start = griotte_now();
            continue;
        }
        const int64_t shares = __atomic_load_n(&griotte_team.shares, __ATOMIC_ACQUIRE);
        const int threads = __atomic_load_n(&griotte_team.threads, __ATOMIC_ACQUIRE);
        if (__atomic_load_n(&griotte_team.call, __ATOMIC_RELAXED) != call)
            continue; /* the next call is being written */
        seen = call;
        if (self < threads) {
            patience = griotte_now() - ended < GRIOTTE_OFTEN ? GRIOTTE_OFTEN : GRIOTTE_SPIN;
            griotte_work(self, call, shares, threads, &rested);
            start = ended = griotte_now();
        }
    }
    return NULL;
}

/* A child of a fork has no helper. */
static void griotte_forget(void)
{
    const int limit = griotte_team.limit;
    memset(&griotte_team, 0, sizeof griotte_team);
    griotte_team.limit = limit;
    griotte_team.prepared = 1;
    griotte_freed();
}

/* How many threads a call of so many has, helpers among them, which are made here; signals are for other threads. The
 * `others` that call meanwhile count as threads of the process. */
static int griotte_gathered(int64_t threads, int others)
{
    const int64_t now = griotte_now();
    if (!griotte_team.prepared) {
        griotte_team.prepared = 1;
        pthread_atfork(NULL, NULL, griotte_forget);
    }
    if (griotte_team.looked == 0 || now - griotte_team.looked > GRIOTTE_LOOK) {
        griotte_team.looked = now;
        griotte_team.permitted = griotte_permitted();
    }
    const int limit = __atomic_load_n(&griotte_team.limit, __ATOMIC_RELAXED);
    int most = griotte_team.permitted < GRIOTTE_MOST ? griotte_team.permitted : GRIOTTE_MOST;
    most = (limit && limit < most ? limit : most) - others;
    const int wanted = threads < most ? (int)threads : most;
    if (griotte_team.helpers + 1 >= wanted)
        return wanted < 1 ? 1 : wanted;
    sigset_t all, before;
    pthread_attr_t apart;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_init(&apart);
    pthread_attr_setdetachstate(&apart, PTHREAD_CREATE_DETACHED);
    for (pthread_t made; griotte_team.helpers + 1 < wanted; griotte_team.helpers++)
        if (pthread_create(&made, &apart, griotte_help, (void *)(intptr_t)(griotte_team.helpers + 1))) {
            griotte_team.permitted = griotte_team.helpers + 1; /* until the next look */
            break;
        }
    pthread_attr_destroy(&apart);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return griotte_team.helpers + 1 < wanted ? griotte_team.helpers + 1 : wanted;
}

/* Whether all shares of a call that were begun are done. */
static int griotte_done(int threads)
{
    for (int i = 0; i < threads; i++)
        if (__atomic_load_n(&griotte_team.of[i].done, __ATOMIC_SEQ_CST) != griotte_team.expected[i])
            return 0;
    return 1;
}

/* How many threads may compute at once in the calls of this process. */
__attribute__((weak)) int griotte_get_num_threads(void)
{
    const int permitted = griotte_permitted(), limit = __atomic_load_n(&griotte_team.limit, __ATOMIC_RELAXED);
    return limit && limit < permitted ? limit : permitted;
}

/* From the next call on no more than `threads` do. 0, or as many as the system permits: no limit but that. */
__attribute__((weak)) void griotte_set_num_threads(int threads)
{
    const int limit = threads < 1 || threads >= griotte_permitted() ? 0 : threads;
    __atomic_store_n(&griotte_team.limit, limit, __ATOMIC_RELAXED);
}

/* A call that the team does, which this thread has taken. */
static void griotte_together(int team, int64_t shares, griotte_share *run, void *context)
{
    const uint64_t call = ++griotte_team.calls;
    __atomic_store_n(&griotte_team.call, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&griotte_team.shares, shares, __ATOMIC_RELEASE);
    __atomic_store_n(&griotte_team.threads, team, __ATOMIC_RELEASE);
    __atomic_store_n(&griotte_team.cpu, sched_getcpu(), __ATOMIC_RELAXED);
    griotte_team.run = run;
    griotte_team.context = context;
    for (int i = 0; i < team; i++)
        griotte_team.expected[i] += (uint64_t)(shares * (i + 1) / team - shares * i / team);
    __atomic_store_n(&griotte_team.call, call, __ATOMIC_SEQ_CST);
    const uint32_t wanted = team > 32 ? ~0u : (uint32_t)((1ull << team) - 2);
    if (__atomic_load_n(&griotte_team.asleep, __ATOMIC_SEQ_CST) & wanted) {
        __atomic_and_fetch(&griotte_team.asleep, ~wanted, __ATOMIC_SEQ_CST);
        griotte_wake(&griotte_team.rung, wanted);
    }
    griotte_work(0, call, shares, team, NULL);
    if (!griotte_done(team)) {
        const int64_t start = griotte_now();
        while (!griotte_done(team))
            if (griotte_waited(start) > GRIOTTE_PATIENCE) {
                const uint32_t ended = __atomic_load_n(&griotte_team.ended, __ATOMIC_SEQ_CST);
                __atomic_store_n(&griotte_team.waiting, 1, __ATOMIC_SEQ_CST);
                if (!griotte_done(team))
                    griotte_sleep(&griotte_team.ended, ended, 1);
                __atomic_store_n(&griotte_team.waiting, 0, __ATOMIC_SEQ_CST);
            }
    }
}

/* run(context, 0), .., run(context, shares - 1), on `threads` threads at most. */
__attribute__((weak)) void griotte_share_out(int64_t threads, int64_t shares, griotte_share *run, void *context)
{
    threads = shares < threads ? shares : threads;
    const int others = threads > 1 ? __atomic_fetch_add(&griotte_team.callers, 1, __ATOMIC_RELAXED) : 0;
    int team = 1;
    if (threads > 1 && !__atomic_exchange_n(&griotte_team.taken, 1, __ATOMIC_ACQUIRE)) {
        team = griotte_gathered(threads, others);
        if (team > 1)
            griotte_together(team, shares, run, context);
        __atomic_store_n(&griotte_team.taken, 0, __ATOMIC_RELEASE);
    }
    for (int64_t share = 0; team == 1 && share < shares; share++)
        run(context, share);
    if (threads > 1)
        __atomic_sub_fetch(&griotte_team.callers, 1, __ATOMIC_RELAXED);
}
