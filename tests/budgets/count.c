// Makes the costs of a program countable. Loaded into it with LD_PRELOAD, below valgrind.
//
// - Counts allocations: how many bytes were requested, and the peak of the bytes in use.
// - Marks: when a name is written to the pipe `requests`, the process forks, and the copy exits at once, so that
//   valgrind writes the number of instructions so far for it. The main process continues undisturbed: unlike a signal, a
//   mark interrupts no system call.
// - Removes randomness: the seeds of hash tables are constant.
// - Removes the influence of speed: time does not pass while the program computes. It passes when a wait ends by its
//   timeout, and by a microsecond whenever it is read, so that loops that wait for a moment end. Timeouts are
//   stretched, because programs are slow below valgrind.
//
// TILE_MARKS is the folder of the pipes `requests` and `answers`, and of the results: `marks` has a line for each mark
// with its name, the process with its instructions, the bytes requested since the last mark, and the peak and present
// number of bytes in use; the last line, which has no name, is about the end of the process.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Allocations.

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

static atomic_llong requested, in_use, peak;

static void *allocated(void *block, size_t size) {
    if (block) {
        atomic_fetch_add(&requested, size);
        long long now = malloc_usable_size(block);
        now += atomic_fetch_add(&in_use, now);
        long long most = atomic_load(&peak);
        while (now > most && !atomic_compare_exchange_weak(&peak, &most, now)) {
        }
    }
    return block;
}

static void freed(void *block) {
    if (block) {
        atomic_fetch_sub(&in_use, malloc_usable_size(block));
    }
}

void *malloc(size_t size) { return allocated(__libc_malloc(size), size); }

void *calloc(size_t count, size_t size) { return allocated(__libc_calloc(count, size), count * size); }

void *realloc(void *old, size_t size) {
    size_t before = old ? malloc_usable_size(old) : 0;
    void *block = __libc_realloc(old, size);
    if (block || size == 0) {
        atomic_fetch_sub(&in_use, before);
    }
    return allocated(block, size);
}

void free(void *block) {
    freed(block);
    __libc_free(block);
}

void *memalign(size_t alignment, size_t size) { return allocated(__libc_memalign(alignment, size), size); }

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
    void *made = memalign(alignment, size);
    if (!made) {
        return ENOMEM;
    }
    *block = made;
    return 0;
}

// Random numbers.

ssize_t getrandom(void *buffer, size_t size, unsigned flags) {
    (void)flags;
    memset(buffer, 42, size);
    return size;
}

// Time.

#define STRETCH 100
#define SECOND 1000000000LL

long syscall(long, ...);

// A direct system call, because this library replaces the functions of libc.
static long direct(long number, long a, long b, long c, long d, long e, long f) {
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    if (result < 0 && result > -4096) {
        errno = -result;
        return -1;
    }
    return result;
}

// Since the start of the program, in nanoseconds.
static atomic_llong passed;

static long long nanoseconds(const struct timespec *time) { return time->tv_sec * SECOND + time->tv_nsec; }

static struct timespec timespec_of(long long time) { return (struct timespec){time / SECOND, time % SECOND}; }

static long long now(void) { return 1000 * SECOND + atomic_load(&passed); }

// Continues the time at a moment, unless it is past.
static void reach(long long moment) {
    long long before = atomic_load(&passed);
    long long after = moment - 1000 * SECOND;
    while (before < after && !atomic_compare_exchange_weak(&passed, &before, after)) {
    }
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID) {
        return direct(SYS_clock_gettime, clock, (long)time, 0, 0, 0, 0);
    }
    atomic_fetch_add(&passed, 1000);
    // The date is constant, too.
    *time = timespec_of(now() + (clock == CLOCK_REALTIME ? 1750000000LL * SECOND : 0));
    return 0;
}

static long futex(long *a) {
    const struct timespec *timeout = (const struct timespec *)a[3];
    int operation = a[1] & FUTEX_CMD_MASK;
    if (!timeout || (operation != FUTEX_WAIT && operation != FUTEX_WAIT_BITSET)) {
        return direct(SYS_futex, a[0], a[1], a[2], a[3], a[4], a[5]);
    }
    long long base = a[1] & FUTEX_CLOCK_REALTIME ? 1750000000LL * SECOND : 0;
    long long deadline = operation == FUTEX_WAIT ? now() + nanoseconds(timeout) : nanoseconds(timeout) - base;
    long long wait = deadline - now();
    wait = wait < 0 ? 0 : wait > LLONG_MAX / STRETCH / 2 ? LLONG_MAX / 2 : wait * STRETCH;
    struct timespec real;
    direct(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&real, 0, 0, 0, 0);
    real = timespec_of(nanoseconds(&real) + wait);
    long mask = operation == FUTEX_WAIT ? FUTEX_BITSET_MATCH_ANY : a[5];
    long flags = FUTEX_WAIT_BITSET | (a[1] & FUTEX_PRIVATE_FLAG);
    long result = direct(SYS_futex, a[0], flags, a[2], (long)&real, 0, mask);
    if (result < 0 && errno == ETIMEDOUT) {
        reach(deadline);
    }
    return result;
}

long syscall(long number, ...) {
    long a[6];
    va_list rest;
    va_start(rest, number);
    for (int i = 0; i < 6; i++) {
        a[i] = va_arg(rest, long);
    }
    va_end(rest);
    switch (number) {
    case SYS_futex: return futex(a);
    case SYS_getrandom: return getrandom((void *)a[0], a[1], a[2]);
    case SYS_clock_gettime: return clock_gettime(a[0], (struct timespec *)a[1]);
    default: return direct(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    }
}

// The timeout of a system call in milliseconds.
static int stretched(int timeout) {
    return timeout <= 0 ? timeout : timeout > INT_MAX / STRETCH ? INT_MAX : timeout * STRETCH;
}

static int waited(int result, long long deadline) {
    if (result == 0) {
        reach(deadline);
    }
    return result;
}

int epoll_wait(int file, struct epoll_event *events, int most, int timeout) {
    long long deadline = now() + (timeout > 0 ? timeout * 1000000LL : 0);
    return waited(direct(SYS_epoll_wait, file, (long)events, most, stretched(timeout), 0, 0), deadline);
}

int poll(struct pollfd *files, nfds_t count, int timeout) {
    long long deadline = now() + (timeout > 0 ? timeout * 1000000LL : 0);
    return waited(direct(SYS_poll, (long)files, count, stretched(timeout), 0, 0, 0), deadline);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
    (void)clock;
    (void)rest;
    long long deadline = flags & TIMER_ABSTIME ? nanoseconds(time) : now() + nanoseconds(time);
    struct timespec wait = timespec_of(deadline > now() ? deadline - now() : 0);
    direct(SYS_nanosleep, (long)&wait, 0, 0, 0, 0, 0);
    reach(deadline);
    return 0;
}

int nanosleep(const struct timespec *time, struct timespec *rest) { return clock_nanosleep(CLOCK_MONOTONIC, 0, time, rest); }

// Marks.

static int marks = -1;

// Writes a line about the costs so far. Does not allocate.
static void record(const char *name, int process) {
    char line[300];
    int length = snprintf(line, sizeof line, "%d %lld %lld %lld %s\n", process, atomic_load(&requested),
                          atomic_load(&peak), atomic_load(&in_use), name);
    if (write(marks, line, length) != length) {
        abort();
    }
    atomic_store(&requested, 0);
    atomic_store(&peak, atomic_load(&in_use));
}

static void *serve(void *pipes) {
    int requests = ((int *)pipes)[0], answers = ((int *)pipes)[1];
    char name[200];
    for (;;) {
        ssize_t length = read(requests, name, sizeof name - 1);
        if (length <= 0) {
            continue;
        }
        name[length - 1] = 0;
        int process = fork();
        if (process == 0) {
            _exit(0);
        }
        int status;
        while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
        }
        record(name, process);
        if (write(answers, "\n", 1) != 1) {
            abort();
        }
    }
}

__attribute__((constructor)) static void begin(void) {
    static int pipes[2];
    const char *folder = getenv("TILE_MARKS"), *loaded = getenv("LD_PRELOAD");
    char path[PATH_MAX];
    // Valgrind is started by a shell script and a launcher, which load this library, too, and adds a library of its own
    // for the program.
    if (!folder || !loaded || !strstr(loaded, "vgpreload")) {
        return;
    }
    // Not in processes that this one starts.
    unsetenv("LD_PRELOAD");
    snprintf(path, sizeof path, "%s/marks", folder);
    marks = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    snprintf(path, sizeof path, "%s/requests", folder);
    // Also for writing, so that it is never at its end.
    pipes[0] = open(path, O_RDWR | O_CLOEXEC);
    if (pipes[0] < 0) {
        return;
    }
    snprintf(path, sizeof path, "%s/answers", folder);
    pipes[1] = open(path, O_RDWR | O_CLOEXEC);
    sigset_t all, before;
    sigfillset(&all);
    pthread_t thread;
    // The handlers of the program are to run in its own threads.
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, 0, serve, pipes)) {
        abort();
    }
    pthread_sigmask(SIG_SETMASK, &before, 0);
}

__attribute__((destructor)) static void end(void) {
    if (marks >= 0) {
        record("", getpid());
    }
}
