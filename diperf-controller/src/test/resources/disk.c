/*
 * LD_PRELOAD shim: a disk that fails on order, for what one process forces below the folder DISK_ROOT.
 *
 * In the folder DISK_NOTES it keeps what a failure of the machine would leave: INODE, the contents of a file when it was last
 * forced; PATH.names, the names in a folder when they were last forced (with '+' for '/'; the root's is '.names'). The folder
 * DISK_HELD, on the disk of the root, has a link to each forced file, so that no other gets its inode. A file that could not be
 * forced is lost to its end from there on, as on Linux, which takes it for clean then: INODE.dropped says so until it is cut off.
 *
 * Orders come as the file DISK_NOTES/order: "fail N MILLIS WHERE", "before N MILLIS WHERE", "after N MILLIS WHERE": of the forces
 * from then on whose path has WHERE in it, fail the N-th (from 0) with EIO, or kill the process before or after it, after the
 * disk has taken its time. What was done is appended to DISK_NOTES/done.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LONG_PATH (2 * PATH_MAX)

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static const char *root, *notes, *held;
static char order[16], where[64];
static int forces = -1, millis;

__attribute__((constructor)) static void begin(void) {
    notes = getenv("DISK_NOTES");
    held = getenv("DISK_HELD");
    root = notes && held ? getenv("DISK_ROOT") : NULL;
}

/* The path of what is open, below the root; NULL: it is elsewhere. */
static const char *below(int fd, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = root ? readlink(link, path, PATH_MAX - 1) : -1;
    if (length < 0) return NULL;
    path[length] = 0;
    size_t known = strlen(root);
    return !strncmp(path, root, known) && (path[known] == '/' || !path[known]) ? path + known : NULL;
}

static void note(const char *did, const char *path) {
    char file[LONG_PATH];
    snprintf(file, sizeof file, "%s/done", notes);
    FILE *out = fopen(file, "a");
    if (out) {
        fprintf(out, "%s %s\n", did, path);
        fclose(out);
    }
}

/* Whether an order is due at this force. */
static int is_due(const char *path) {
    char file[LONG_PATH];
    snprintf(file, sizeof file, "%s/order", notes);
    FILE *in = forces < 0 ? fopen(file, "r") : NULL;
    if (in) {
        if (fscanf(in, "%15s %d %d %63s", order, &forces, &millis, where) != 4) forces = -1;
        fclose(in);
        unlink(file);
    }
    /* How a controller ended is noted as well as can be: a failure there ends nothing. */
    int counts = forces >= 0 && strstr(path, where) && (strcmp(order, "fail") || !strstr(path, "/endings"));
    if (!counts || forces-- > 0) return 0;
    usleep(millis * 1000);
    note(order, path);
    return 1;
}

static void keep_contents(int fd, const struct stat *about) {
    char self[64], link[LONG_PATH], draft[LONG_PATH], kept[LONG_PATH];
    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    snprintf(link, sizeof link, "%s/%lu", held, (unsigned long) about->st_ino);
    linkat(AT_FDCWD, self, AT_FDCWD, link, AT_SYMLINK_FOLLOW);
    snprintf(kept, sizeof kept, "%s/%lu", notes, (unsigned long) about->st_ino);
    snprintf(draft, sizeof draft, "%s.dropped", kept);
    if (!access(draft, F_OK)) return;
    snprintf(draft, sizeof draft, "%s.draft", kept);
    int in = open(self, O_RDONLY), out = open(draft, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    char buffer[65536];
    for (off_t at = 0; in >= 0 && out >= 0 && at < about->st_size;) {
        off_t rest = about->st_size - at;
        ssize_t n = pread(in, buffer, rest < (off_t) sizeof buffer ? rest : (off_t) sizeof buffer, at);
        if (n <= 0 || write(out, buffer, n) != n) break;
        at += n;
    }
    close(in);
    close(out);
    rename(draft, kept);
}

static void keep_names(const char *path, const char *name) {
    char draft[LONG_PATH], kept[LONG_PATH];
    snprintf(kept, sizeof kept, "%s/%s.names", notes, *name ? name + 1 : "");
    for (char *each = kept + strlen(notes) + 1; *each; each++) {
        if (*each == '/') *each = '+';
    }
    snprintf(draft, sizeof draft, "%s.draft", kept);
    DIR *folder = opendir(path);
    FILE *out = fopen(draft, "w");
    for (struct dirent *each; folder && out && (each = readdir(folder));) {
        struct stat about;
        if (strcmp(each->d_name, ".") && strcmp(each->d_name, "..")
                && !fstatat(dirfd(folder), each->d_name, &about, AT_SYMLINK_NOFOLLOW)) {
            fprintf(out, "%lu %s\n", (unsigned long) about.st_ino, each->d_name);
        }
    }
    if (folder) closedir(folder);
    if (out) fclose(out);
    rename(draft, kept);
}

static void drop(const struct stat *about) {
    char file[LONG_PATH];
    snprintf(file, sizeof file, "%s/%lu.dropped", notes, (unsigned long) about->st_ino);
    close(open(file, O_WRONLY | O_CREAT, 0600));
}

static int force(int fd, const char *system_call) {
    int (*real)(int) = (int (*)(int)) dlsym(RTLD_NEXT, system_call);
    char path[PATH_MAX];
    const char *name = below(fd, path);
    if (!name) return real(fd);
    pthread_mutex_lock(&one_at_a_time);
    struct stat about;
    int due = is_due(*name ? name : "/"), result = 0;
    if (due && !strcmp(order, "before")) raise(SIGKILL);
    if (due && !strcmp(order, "fail")) {
        if (!fstat(fd, &about) && S_ISREG(about.st_mode)) drop(&about);
        errno = EIO;
        result = -1;
    } else if (!fstat(fd, &about) && !(result = real(fd))) {
        if (S_ISDIR(about.st_mode)) keep_names(path, name);
        else keep_contents(fd, &about);
    }
    int problem = errno;
    if (due && !strcmp(order, "after")) raise(SIGKILL);
    pthread_mutex_unlock(&one_at_a_time);
    errno = problem;
    return result;
}

int fsync(int fd) {
    return force(fd, "fsync");
}

int fdatasync(int fd) {
    return force(fd, "fdatasync");
}

int ftruncate64(int fd, off64_t size) {
    int (*real)(int, off64_t) = (int (*)(int, off64_t)) dlsym(RTLD_NEXT, "ftruncate64");
    int result = real(fd, size), problem = errno;
    char path[PATH_MAX], kept[LONG_PATH], dropped[LONG_PATH];
    struct stat about, durable;
    if (!result && below(fd, path) && !fstat(fd, &about)) {
        snprintf(kept, sizeof kept, "%s/%lu", notes, (unsigned long) about.st_ino);
        snprintf(dropped, sizeof dropped, "%s.dropped", kept);
        if (size <= (stat(kept, &durable) ? 0 : durable.st_size)) unlink(dropped);
    }
    errno = problem;
    return result;
}

int ftruncate(int fd, off_t size) {
    return ftruncate64(fd, size);
}
