/* Replaces calls of the system for tests:
 * - paths that start with TILE_FAULT_HANG are not answered until the file TILE_FAULT_RELEASE exists;
 * - with TILE_FAULT_CLOCK, the time of day jumps by years, back and forth. */

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void wait_for(const char *path) {
    const char *hanging = getenv("TILE_FAULT_HANG"), *release = getenv("TILE_FAULT_RELEASE");
    if (!hanging || !release || !path || strncmp(path, hanging, strlen(hanging)))
        return;
    while (syscall(SYS_faccessat, AT_FDCWD, release, F_OK))
        usleep(100000);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...) {                                                                      \
        va_list more;                                                                                                  \
        va_start(more, flags);                                                                                         \
        mode_t mode = va_arg(more, mode_t);                                                                            \
        va_end(more);                                                                                                  \
        wait_for(path);                                                                                                \
        return REAL(name)(path, flags, mode);                                                                          \
    }
OPEN(open)
OPEN(open64)

#define STAT(name, type)                                                                                               \
    int name(const char *path, struct type *found) {                                                                   \
        wait_for(path);                                                                                                \
        return REAL(name)(path, found);                                                                                \
    }
STAT(stat, stat)
STAT(lstat, stat)
STAT(stat64, stat64)
STAT(lstat64, stat64)

int statx(int folder, const char *path, int flags, unsigned mask, struct statx *found) {
    wait_for(path);
    return REAL(statx)(folder, path, flags, mask, found);
}

DIR *opendir(const char *path) {
    wait_for(path);
    return REAL(opendir)(path);
}

char *realpath(const char *path, char *resolved) {
    wait_for(path);
    return REAL(realpath)(path, resolved);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    static const long YEARS[] = {0, 10, -30, 100, -60, 0, 200, -1};
    static unsigned calls;
    int result = syscall(SYS_clock_gettime, clock, now);
    if (!result && clock == CLOCK_REALTIME && getenv("TILE_FAULT_CLOCK"))
        now->tv_sec += YEARS[__atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED) % 8] * 31557600;
    return result;
}
