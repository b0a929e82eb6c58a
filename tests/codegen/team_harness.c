/* Calls of the team, of many kinds, each checked; argv[1] says which. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>

static const char *root = "";
#ifdef __linux__

static int opened(const char *path, int flags)
{
    char name[2000];
    snprintf(name, sizeof name, "%s%s", root, path);
    return open(name, flags);
}
#endif

static int refused; /* threads are not made */

static int created(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *given)
{
    return refused ? EAGAIN : pthread_create(thread, how, run, given);
}

#ifdef __linux__
#define open opened
#endif
#define pthread_create created
#include "team.c"
#undef open
#undef pthread_create

enum { MOST = 400 };

struct sums {
    int64_t of[MOST]; /* what each share added */
    int64_t times;
};

static void add(void *context, int64_t share)
{
    struct sums *const sums = context;
    for (int64_t i = 0; i < sums->times; i++)
        sums->of[share] += share + i;
}

/* How many shares were not run exactly once. */
static int wrong(int64_t threads, int64_t shares, int64_t times)
{
    struct sums sums = {{0}, times};
    int found = 0;
    griotte_share_out(threads, shares, add, &sums);
    for (int64_t i = 0; i < MOST; i++)
        found += sums.of[i] != (i < shares ? i * times + times * (times - 1) / 2 : 0);
    return found;
}

static void *many(void *given)
{
    intptr_t found = 0;
    for (int n = 0; n < (int)(intptr_t)given; n++)
        for (int64_t threads = 1; threads <= 64; threads = threads * 3 / 2 + 1)
            found += wrong(threads, 1 + (n * 7 + threads) % 97, 1 + n % 50);
    return (void *)found;
}

static int more; /* threads that an emulator has for itself */

static int tasks(void)
{
    char name[64];
    int found = 0;
    snprintf(name, sizeof name, "ls /proc/%d/task | wc -l", (int)getpid());
    FILE *const pipe = popen(name, "r");
    if (pipe == NULL || fscanf(pipe, "%d", &found) != 1)
        return -1;
    pclose(pipe);
    return found - more;
}

static volatile int second_is_done;
static uint32_t at;

/* A share that lasts until another thread's whole call is over. */
static void last(void *context, int64_t share)
{
    (void)context, (void)share;
    __atomic_add_fetch(&at, 1, __ATOMIC_SEQ_CST);
    while (!__atomic_load_n(&second_is_done, __ATOMIC_SEQ_CST))
        usleep(100);
}

static void *first(void *unused)
{
    griotte_share_out(2, 2, last, NULL);
    return unused;
}

/* Within a share of the first thread's call, so that the team is taken. */
static pthread_t taken(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, first, NULL);
    while (!__atomic_load_n(&at, __ATOMIC_SEQ_CST))
        usleep(100);
    return thread;
}

static int in_a_child(void)
{
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        int found = tasks() != 1;
        for (int n = 0; n < 100; n++)
            found += wrong(2, 2, 100000);
        _exit(found ? 1 : tasks() != 2 ? 2 : 0);
    }
    int status = -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

static void note(void *context, int64_t share) { ((pthread_t *)context)[share] = pthread_self(); }

/* Whether the calling thread does all shares of calls. */
static int alone(void)
{
    pthread_t who[97];
    int others = 0;
    for (int n = 0; n < 50; n++) {
        griotte_share_out(64, 97, note, who);
        for (int i = 0; i < 97; i++)
            others += !pthread_equal(who[i], pthread_self());
    }
    return others == 0;
}

/* How many of what a limit is to do is not so. */
static int limited(void)
{
    const int cpus = griotte_get_num_threads();
    int found = wrong(64, 97, 1000) + (tasks() != cpus);
    griotte_set_num_threads(1);
    found += !alone() + (griotte_get_num_threads() != 1);
    const pid_t child = fork();
    if (child == 0)
        _exit(wrong(64, 97, 1000) || griotte_get_num_threads() != 1 || tasks() != 1);
    int status = -1;
    waitpid(child, &status, 0);
    found += status != 0;
    griotte_set_num_threads(cpus);
    found += griotte_team.limit != 0;
    griotte_set_num_threads(0);
    found += griotte_get_num_threads() != cpus;
    griotte_team.callers = cpus - 1; /* as many call meanwhile: there is no CPU for a helper */
    found += !alone() + (griotte_team.callers != cpus - 1);
    return found;
}

static void end(void *context, int64_t share)
{
    (void)context, (void)share;
    if (!pthread_equal(*(pthread_t *)context, pthread_self()))
        return;
    pthread_exit(NULL);
}

static pthread_t ended;

static void *ends_within(void *unused)
{
    ended = pthread_self();
    griotte_share_out(2, 2, end, &ended);
    return unused;
}

int main(int count, char **words)
{
    alarm(200);
    const char *const what = count > 1 ? words[1] : "";
    root = count > 2 ? words[2] : root;
    more = tasks() - 1;
    if (!strcmp(what, "many"))
        return many((void *)200) != 0;
    if (!strcmp(what, "at once")) {
        pthread_t threads[3];
        void *result;
        int found = 0;
        for (int i = 0; i < 3; i++)
            pthread_create(&threads[i], NULL, many, (void *)40);
        for (int i = 0; i < 1000; i++) {
            griotte_set_num_threads(i % 3);
            usleep(10);
        }
        for (int i = 0; i < 3; i++) {
            pthread_join(threads[i], &result);
            found += result != NULL;
        }
        return found;
    }
    if (!strcmp(what, "second")) { /* it waits for nothing of the first */
        const pthread_t thread = taken();
        const int found = wrong(2, 8, 1000);
        __atomic_store_n(&second_is_done, 1, __ATOMIC_SEQ_CST);
        pthread_join(thread, NULL);
        return found;
    }
    if (!strcmp(what, "limit"))
        return limited();
    if (!strcmp(what, "unmade")) { /* no thread can be made, then some can */
        refused = 1;
        const int found = wrong(64, 97, 1000) + (tasks() != 1) + !alone();
        refused = 0;
        griotte_team.looked = 0;
        return found + wrong(64, 97, 1000) + (tasks() != griotte_get_num_threads());
    }
    if (!strcmp(what, "ended")) { /* a thread that ends within a call takes nothing with it but the team */
        pthread_t thread;
        pthread_create(&thread, NULL, ends_within, NULL);
        pthread_join(thread, NULL);
        return many((void *)20) || in_a_child();
    }
    if (!strcmp(what, "absent")) { /* helpers that have no turn */
        griotte_team.helpers = GRIOTTE_MOST - 1;
        griotte_team.permitted = GRIOTTE_MOST;
        griotte_team.looked = INT64_MAX;
        return many((void *)20) != 0;
    }
    if (!strcmp(what, "fork"))
        return wrong(2, 2, 1000) || in_a_child() || wrong(2, 2, 1000);
    if (!strcmp(what, "fork within")) {
        const pthread_t thread = taken();
        const int found = in_a_child();
        __atomic_store_n(&second_is_done, 1, __ATOMIC_SEQ_CST);
        pthread_join(thread, NULL);
        return found;
    }
#ifdef __linux__
    if (!strcmp(what, "quota")) /* where the folder of the next word stands for / */
        return griotte_quota(64);
#endif
    if (!strcmp(what, "threads")) { /* after calls of 64 threads: one for each CPU that it may use */
        const int found = wrong(64, 97, 1000);
        return found ? 100 : tasks();
    }
    return 101;
}
