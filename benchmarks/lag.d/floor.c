/* What this machine lets anybody do: how late a bare loop is that sleeps until SPIN microseconds before each instant and
 * then spins. Usage: floor RATE SECONDS SPIN; prints JSON, microseconds. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

static long now_nanos(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

int main(int count, char **word) {
    if (count != 4) {
        fprintf(stderr, "floor: expected RATE SECONDS SPIN\n");
        return 2;
    }
    long rate = atol(word[1]), n = rate * atol(word[2]), spin = atol(word[3]) * 1000;
    long *late = malloc(n * sizeof *late);
    prctl(PR_SET_TIMERSLACK, 1);
    long start = now_nanos() + 1000000;
    for (long i = 0; i < n; i++) {
        long due = start + (long)(i * (1e9 / rate)), wait;
        while ((wait = due - now_nanos()) > 0) {
            if (wait > spin) {
                struct timespec t = {0, wait - spin};
                nanosleep(&t, NULL);
            }
        }
        late[i] = now_nanos() - due;
    }
    qsort(late, n, sizeof *late, by_size);
    printf("{\"p50\": %.1f, \"p99\": %.1f, \"max\": %.1f}\n", late[n / 2] / 1e3, late[n * 99 / 100] / 1e3, late[n - 1] / 1e3);
    return 0;
}
