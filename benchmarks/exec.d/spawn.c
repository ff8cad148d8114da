/* What the machine can do: LOOPS processes, each of which starts COMMAND by posix_spawn and waits for it, again and
   again, for SECONDS. Prints processes a second and microseconds of CPU a process, of parents and children together. */
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double now(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static double micros(struct timeval of) {
    return 1e6 * (double)of.tv_sec + (double)of.tv_usec;
}

static long loop(char **command, double end) {
    long count = 0;
    while (now() < end) {
        pid_t pid;
        int status;
        if (posix_spawnp(&pid, command[0], NULL, NULL, command, environ) != 0 || waitpid(pid, &status, 0) != pid) {
            perror(command[0]);
            _exit(1);
        }
        count++;
    }
    return count;
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "Usage: spawn LOOPS SECONDS COMMAND...\n");
        return 2;
    }
    int loops = atoi(argv[1]);
    double seconds = atof(argv[2]);
    long *counts =
        mmap(NULL, sizeof(long) * (size_t)loops, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (counts == MAP_FAILED) {
        perror("mmap");
        return 1;
    }
    double begin = now();
    for (int i = 0; i < loops; i++) {
        if (fork() == 0) {
            counts[i] = loop(argv + 3, begin + seconds);
            _exit(0);
        }
    }
    int failed = 0;
    for (int i = 0; i < loops; i++) {
        int status;
        failed |= wait(&status) < 0 || status != 0;
    }
    double took = now() - begin;
    long count = 0;
    for (int i = 0; i < loops; i++) {
        count += counts[i];
    }
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    printf("%.0f %.0f\n", (double)count / took, (micros(used.ru_utime) + micros(used.ru_stime)) / (double)count);
    return failed;
}
