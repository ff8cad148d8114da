/* A cleartext HTTP/2 server with one thread that answers every request with the same frames, so that the client is the limit. It reads
 * no header block. canned PORT [grpc]: listens on 127.0.0.1 alone; whoever connects to PORT + 1 is told how many requests were answered. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CAPACITY = 1 << 20, MOST_INPUT = CAPACITY / 4, DATA = 0, HEADERS = 1, SETTINGS = 4, PING = 6, WINDOW_UPDATE = 8 };

struct connection {
    int socket, greeted, in_count, out_count, out_done;
    uint32_t eaten;
    uint8_t *in, *out;
};

static uint8_t head[64], body[64], tail[64];
static int head_length, body_length, tail_length;
static unsigned long long served;

static void frame(struct connection *c, int type, int flags, uint32_t stream, const void *payload, int length)
{
    if (c->out_count + length + 9 > CAPACITY) {
        fprintf(stderr, "canned: a client that does not read\n");
        exit(1);
    }
    uint8_t *out = c->out + c->out_count;
    out[0] = length >> 16, out[1] = length >> 8, out[2] = length, out[3] = type, out[4] = flags;
    out[5] = stream >> 24, out[6] = stream >> 16, out[7] = stream >> 8, out[8] = stream;
    if (length > 0)
        memcpy(out + 9, payload, length);
    c->out_count += length + 9;
}

static void answer(struct connection *c, uint32_t stream)
{
    served++;
    frame(c, HEADERS, 4, stream, head, head_length);
    frame(c, DATA, tail_length == 0, stream, body, body_length);
    if (tail_length > 0)
        frame(c, HEADERS, 5, stream, tail, tail_length);
}

static int send_out(struct connection *c)
{
    while (c->out_done < c->out_count) {
        ssize_t sent = write(c->socket, c->out + c->out_done, c->out_count - c->out_done);
        if (sent < 0)
            return errno == EAGAIN ? 0 : -1;
        c->out_done += sent;
    }
    c->out_done = c->out_count = 0;
    return 0;
}

static int take(struct connection *c)
{
    int at = 0;
    if (!c->greeted) {
        static const uint8_t settings[] = {0, 3, 0, 0, 0x10, 0, 0, 4, 0x3f, 0xff, 0xff, 0xff}, window[] = {0x3f, 0xff, 0, 0};
        if (c->in_count < 24)
            return 0;
        if (memcmp(c->in, "PRI * HTTP/2.0", 14) != 0)
            return -1;
        c->greeted = 1;
        at = 24;
        frame(c, SETTINGS, 0, 0, settings, sizeof settings);
        frame(c, WINDOW_UPDATE, 0, 0, window, sizeof window);
    }
    while (c->in_count - at >= 9) {
        uint8_t *p = c->in + at;
        int length = p[0] << 16 | p[1] << 8 | p[2], type = p[3], flags = p[4];
        uint32_t stream = (uint32_t)(p[5] & 127) << 24 | p[6] << 16 | p[7] << 8 | p[8];
        if (c->in_count - at < 9 + length)
            break;
        if (type == SETTINGS && !(flags & 1))
            frame(c, SETTINGS, 1, 0, 0, 0);
        else if (type == PING && !(flags & 1))
            frame(c, PING, 1, 0, p + 9, length);
        else if (type <= HEADERS && (flags & 1))
            answer(c, stream);
        if (type == DATA && (c->eaten += length) > 1u << 28) {
            uint8_t more[4] = {c->eaten >> 24, c->eaten >> 16, c->eaten >> 8, c->eaten};
            frame(c, WINDOW_UPDATE, 0, 0, more, 4);
            c->eaten = 0;
        }
        at += 9 + length;
    }
    memmove(c->in, c->in + at, c->in_count - at);
    c->in_count -= at;
    return 0;
}

static int listening(int port)
{
    int one = 1, made = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(made, (struct sockaddr *)&at, sizeof at) != 0 || listen(made, 1024) != 0) {
        perror("canned");
        exit(1);
    }
    return made;
}

static void tell(int from)
{
    char text[32];
    int asking = accept4(from, 0, 0, 0), length = snprintf(text, sizeof text, "%llu\n", served);
    if (asking >= 0 && write(asking, text, length) == length)
        shutdown(asking, SHUT_WR);
    close(asking);
}

static int serve(struct connection *c, uint32_t events)
{
    if ((events & EPOLLOUT) && send_out(c) != 0)
        return -1;
    if (c->out_count > 0)
        return 0;
    ssize_t count = read(c->socket, c->in + c->in_count, MOST_INPUT - c->in_count);
    if (count == 0 || (count < 0 && errno != EAGAIN))
        return -1;
    c->in_count += count > 0 ? count : 0;
    return take(c) != 0 || send_out(c) != 0 ? -1 : 0;
}

int main(int count, char **words)
{
    int port = count > 1 ? atoi(words[1]) : 0;
    if (port <= 0) {
        fprintf(stderr, "Usage: canned PORT [grpc]\n");
        return 2;
    }
    if (count > 2) {
        memcpy(head, "\x88\x5f\x10" "application/grpc", head_length = 19);
        memcpy(body, "\0\0\0\0\7\x0a\5hello", body_length = 12);
        memcpy(tail, "\x00\x0bgrpc-status\x01" "0", tail_length = 15);
    } else {
        memcpy(head, "\x88\x5f\x0a" "text/plain" "\x0f\x0d\x02" "13", head_length = 18);
        memcpy(body, "Hello, World!", body_length = 13);
    }
    int requests = listening(port), counts = listening(port + 1), poll = epoll_create1(0), one = 1;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &requests}, events[256];
    epoll_ctl(poll, EPOLL_CTL_ADD, requests, &event);
    event.data.ptr = &counts;
    epoll_ctl(poll, EPOLL_CTL_ADD, counts, &event);
    for (;;) {
        int found = epoll_wait(poll, events, 256, -1);
        for (int i = 0; i < found; i++) {
            struct connection *c = events[i].data.ptr;
            if (events[i].data.ptr == &counts) {
                tell(counts);
            } else if (events[i].data.ptr == &requests) {
                int made;
                while ((made = accept4(requests, 0, 0, SOCK_NONBLOCK)) >= 0) {
                    setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
                    c = calloc(1, sizeof *c);
                    c->socket = made, c->in = malloc(CAPACITY), c->out = malloc(CAPACITY);
                    event.events = EPOLLIN, event.data.ptr = c;
                    epoll_ctl(poll, EPOLL_CTL_ADD, made, &event);
                }
            } else if (serve(c, events[i].events) != 0) {
                close(c->socket);
                free(c->in), free(c->out), free(c);
            } else {
                event.events = c->out_count > 0 ? EPOLLOUT : EPOLLIN, event.data.ptr = c;
                epoll_ctl(poll, EPOLL_CTL_MOD, c->socket, &event);
            }
        }
    }
}
