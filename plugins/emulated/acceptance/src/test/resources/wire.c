/* Sends and receives over a network whose times are known, and says what came when. All instants are nanoseconds of
 * CLOCK_REALTIME; those of arrival are the kernel's, so that it does not matter when this program gets a processor.
 *
 *   echo ADDRESS COUNT GAP_MICROS              ICMP echoes; prints the round trips in nanoseconds, one a line
 *   sink PORT FLOWS OMIT_MILLIS SPAN_MILLIS    reads TCP; prints "ready", then bits a second of payload after what is omitted
 *   flow ADDRESS PORT FLOWS                    writes TCP until the sink closes
 *   listen PORT QUIET_MILLIS                   UDP; prints "ready", and when it is quiet: source port, number, instant
 *   send ADDRESS PORT FLOWS PACKETS BYTES RATE UDP in IP packets of so many bytes, in turn from so many ports; RATE a second
 *   serve PORT                                 TCP; prints "ready", and for each call its number and when it came and was answered
 *   call ADDRESS PORT COUNT AT FIRST           calls that server from instant AT on, one after another, each by a connection of its
 *                                              own; numbers from FIRST on; prints for each its number and when it began and ended
 *
 * Instants of calls are nanoseconds of CLOCK_MONOTONIC, as the programs see them.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/random.h>
#include <netinet/ip_icmp.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL
#define MOST_FLOWS 4096
#define IP_AND_UDP 28
#define FIRST_PORT 20000

static char bytes[1 << 20];

static void fail(const char *what) {
    fprintf(stderr, "wire: %s: %s\n", what, strerror(errno));
    exit(1);
}

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return t.tv_sec * SECOND + t.tv_nsec;
}

static void sleep_until(int64_t instant) {
    struct timespec t = {instant / SECOND, instant % SECOND};
    clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &t, NULL);
}

static int await(struct pollfd *set, int count, int64_t until) {
    int64_t left = until - now();
    struct timespec t = {left > 0 ? left / SECOND : 0, left > 0 ? left % SECOND : 0};
    return ppoll(set, count, &t, NULL);
}

static struct sockaddr_in address(const char *name, int port) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port)};
    if (!inet_aton(name, &a.sin_addr)) {
        fail(name);
    }
    return a;
}

static int bound(int type, int port) {
    int s = socket(AF_INET, type, 0), on = 1;
    struct sockaddr_in a = address("0.0.0.0", port);
    setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (s < 0 || bind(s, (void *)&a, sizeof a) < 0) {
        fail("bind");
    }
    return s;
}

static void stamp(int s) {
    int on = 1, room = 64 << 20;
    setsockopt(s, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room);
    if (setsockopt(s, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) < 0) {
        fail("SO_TIMESTAMPNS");
    }
}

/* Receives a packet with the kernel's instant; returns its size, below 0 if there is none. */
static int stamped(int s, struct sockaddr_in *from, int64_t *instant) {
    char control[256];
    struct iovec part = {bytes, sizeof bytes};
    struct msghdr h = {.msg_name = from, .msg_namelen = sizeof *from, .msg_iov = &part, .msg_iovlen = 1,
                       .msg_control = control, .msg_controllen = sizeof control};
    int n = recvmsg(s, &h, MSG_DONTWAIT);
    *instant = now();
    for (struct cmsghdr *c = n < 0 ? NULL : CMSG_FIRSTHDR(&h); c; c = CMSG_NXTHDR(&h, c)) {
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS) {
            struct timespec *t = (void *)CMSG_DATA(c);
            *instant = t->tv_sec * SECOND + t->tv_nsec;
        }
    }
    return n;
}

static uint16_t checksum(const uint16_t *words, int count) {
    uint32_t sum = 0;
    while (count--) {
        sum += *words++;
    }
    sum = (sum >> 16) + (sum & 0xffff);
    return ~(sum + (sum >> 16));
}

static void echo(const char *to, int count, int64_t gap) {
    int s = socket(AF_INET, SOCK_RAW, IPPROTO_ICMP), sent = 0, received = 0;
    struct sockaddr_in a = address(to, 0), from;
    struct pollfd set = {s, POLLIN, 0};
    int64_t *sends = calloc(count, sizeof *sends), next = now() + SECOND / 10, at;
    if (s < 0) {
        fail("a raw socket");
    }
    stamp(s);
    while (received < count && (sent < count || now() < next + 5 * SECOND)) {
        if (sent < count && now() >= next) {
            struct icmphdr h = {.type = ICMP_ECHO, .un.echo = {.id = htons(getpid()), .sequence = htons(sent)}};
            h.checksum = checksum((void *)&h, sizeof h / 2);
            sends[sent++] = now();
            sendto(s, &h, sizeof h, 0, (void *)&a, sizeof a);
            next += gap;
        }
        if (await(&set, 1, sent < count ? next : next + 5 * SECOND) > 0 && stamped(s, &from, &at) >= 28) {
            struct icmphdr *h = (void *)(bytes + 20);
            int sequence = ntohs(h->un.echo.sequence);
            if (h->type == ICMP_ECHOREPLY && h->un.echo.id == htons(getpid()) && sequence < sent) {
                printf("%lld\n", (long long)(at - sends[sequence]));
                received++;
            }
        }
    }
}

static void sink(int port, int flows, int64_t omit, int64_t span) {
    int s = bound(SOCK_STREAM, port);
    static struct pollfd set[MOST_FLOWS];
    int64_t count = 0, begin = 0, from = 0, at = 0;
    listen(s, flows);
    puts("ready");
    fflush(stdout);
    for (int i = 0; i < flows; i++) {
        set[i] = (struct pollfd){accept(s, NULL, NULL), POLLIN, 0};
    }
    do {
        if (poll(set, flows, 20000) <= 0) {
            fail("no data");
        }
        at = now();
        begin = begin ? begin : at;
        if (!from && at >= begin + omit) {
            from = at;
            count = 0;
        }
        for (int i = 0; i < flows; i++) {
            ssize_t n = set[i].revents ? read(set[i].fd, bytes, sizeof bytes) : 0;
            count += n > 0 ? n : 0;
        }
    } while (!from || at < from + span);
    printf("%.0f\n", count * 8e9 / (at - from));
}

static void flow(const char *to, int port, int flows) {
    static struct pollfd set[MOST_FLOWS];
    struct sockaddr_in a = address(to, port);
    signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < flows; i++) {
        set[i] = (struct pollfd){socket(AF_INET, SOCK_STREAM, 0), POLLOUT, 0};
        if (connect(set[i].fd, (void *)&a, sizeof a) < 0) {
            fail("connect");
        }
    }
    while (poll(set, flows, 20000) > 0) {
        for (int i = 0; i < flows; i++) {
            if (set[i].revents && send(set[i].fd, bytes, 1 << 18, MSG_DONTWAIT) < 0 && errno != EAGAIN) {
                return;
            }
        }
    }
}

struct seen {
    int port;
    uint32_t number;
    int64_t at;
};

static void hear(int port, int quiet) {
    int s = bound(SOCK_DGRAM, port), count = 0, room = 1 << 16, wait = 20000;
    struct seen *all = malloc(room * sizeof *all);
    struct pollfd set = {s, POLLIN, 0};
    struct sockaddr_in from;
    int64_t at;
    stamp(s);
    puts("ready");
    fflush(stdout);
    while (poll(&set, 1, wait) > 0) {
        while (stamped(s, &from, &at) >= 4) {
            if (count == room) {
                room *= 2;
                all = realloc(all, room * sizeof *all);
            }
            all[count++] = (struct seen){ntohs(from.sin_port), *(uint32_t *)bytes, at};
        }
        wait = quiet;
    }
    for (int i = 0; i < count; i++) {
        printf("%d %u %lld\n", all[i].port, all[i].number, (long long)all[i].at);
    }
}

static void send_all(const char *to, int port, int flows, uint32_t packets, int size, double rate) {
    static int sockets[MOST_FLOWS];
    struct sockaddr_in a = address(to, port);
    int64_t begin = now();
    for (int i = 0; i < flows; i++) {
        sockets[i] = socket(AF_INET, SOCK_DGRAM, 0);
        if (connect(sockets[i], (void *)&a, sizeof a) < 0) {
            fail("connect");
        }
    }
    for (uint32_t i = 0; i < packets; i++) {
        int64_t due = begin + (rate > 0 ? (int64_t)(i * 1e9 / rate) : 0);
        if (due > now()) {
            sleep_until(due);
        }
        *(uint32_t *)bytes = i;
        while (send(sockets[i % flows], bytes, size - IP_AND_UDP, 0) < 0) {
            if (errno != ENOBUFS && errno != ECONNREFUSED) {
                fail("send");
            }
        }
    }
}

static int64_t ticks(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * SECOND + t.tv_nsec;
}

struct request {
    uint32_t number;
    uint32_t bytes;
};

static void answer(int s) {
    struct request asked;
    int64_t came, left;
    char line[100];
    if (recv(s, &asked, sizeof asked, MSG_WAITALL) != sizeof asked) {
        fail("recv");
    }
    came = ticks();
    for (uint32_t i = 0; i < asked.bytes;) {
        ssize_t n = send(s, bytes, asked.bytes - i, 0);
        if (n < 0) {
            fail("send");
        }
        i += n;
    }
    left = ticks();
    /* In one piece, beside those of other calls. */
    if (write(1, line, sprintf(line, "%u %lld %lld\n", asked.number, (long long)came, (long long)left)) < 0) {
        fail("write");
    }
}

static void serve(int port) {
    int s = bound(SOCK_STREAM, port);
    signal(SIGCHLD, SIG_IGN);
    listen(s, 128);
    puts("ready");
    fflush(stdout);
    for (;;) {
        int c = accept(s, NULL, NULL);
        if (c < 0) {
            fail("accept");
        }
        if (!fork()) {
            answer(c);
            exit(0);
        }
        close(c);
    }
}

/* From two minutes after its start on the kernel reseeds its random numbers once a minute, with looks at the clock, which take time
 * where all else is virtual, at a call that depends on chance. Now it does not for a minute. */
static void reseed(void) {
    int f = open("/dev/urandom", O_RDWR);
    if (f < 0 || ioctl(f, RNDRESEEDCRNG) < 0) {
        fail("/dev/urandom");
    }
    close(f);
}

static void call(const char *to, int port, int count, int64_t at, uint32_t first) {
    struct sockaddr_in a = address(to, port);
    struct timespec before = {at / SECOND - 1, 0}, t = {at / SECOND, at % SECOND};
    int64_t *begun = calloc(count, sizeof *begun), *ended = calloc(count, sizeof *ended);
    if (ticks() > at) {
        fprintf(stderr, "wire: the instant is over\n");
        exit(1);
    }
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &before, NULL);
    reseed();
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
    for (int i = 0; i < count; i++) {
        struct timespec pause = {0, (first + i) % 5 * 1000000};
        struct request r = {first + i, 1 + (first + i) * 7919 % 60000};
        /* The kernel would choose a port at random, and now and then try another because that is still in use. */
        int s = bound(SOCK_STREAM, FIRST_PORT + r.number);
        begun[i] = ticks();
        if (connect(s, (void *)&a, sizeof a) < 0 || send(s, &r, sizeof r, 0) != sizeof r) {
            fail("call");
        }
        if (recv(s, bytes, r.bytes, MSG_WAITALL) != (ssize_t)r.bytes) {
            fail("answer");
        }
        ended[i] = ticks();
        close(s);
        nanosleep(&pause, NULL);
    }
    for (int i = 0; i < count; i++) {
        printf("%u %lld %lld\n", first + i, (long long)begun[i], (long long)ended[i]);
    }
}

int main(int count, char **word) {
    const char *what = count > 1 ? word[1] : "";
    prctl(PR_SET_TIMERSLACK, 1);
    if (!strcmp(what, "echo") && count == 5) {
        echo(word[2], atoi(word[3]), atoll(word[4]) * 1000);
    } else if (!strcmp(what, "sink") && count == 6) {
        sink(atoi(word[2]), atoi(word[3]), atoll(word[4]) * 1000000, atoll(word[5]) * 1000000);
    } else if (!strcmp(what, "flow") && count == 5) {
        flow(word[2], atoi(word[3]), atoi(word[4]));
    } else if (!strcmp(what, "listen") && count == 4) {
        hear(atoi(word[2]), atoi(word[3]));
    } else if (!strcmp(what, "send") && count == 8) {
        send_all(word[2], atoi(word[3]), atoi(word[4]), atoi(word[5]), atoi(word[6]), atof(word[7]));
    } else if (!strcmp(what, "serve") && count == 3) {
        serve(atoi(word[2]));
    } else if (!strcmp(what, "call") && count == 7) {
        call(word[2], atoi(word[3]), atoi(word[4]), atoll(word[5]), atoi(word[6]));
    } else {
        fprintf(stderr, "wire: expected echo, sink, flow, listen, send, serve or call with their arguments; see wire.c\n");
        return 2;
    }
    return 0;
}
