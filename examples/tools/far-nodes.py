#!/usr/bin/env python3
"""Makes one service on this machine look as if it were at eight distances.

    sudo unshare -n python3 far-nodes.py [--queue PACKETS] [--loss PERCENT] [--tcp NAME] COMMAND...    (or, without root: unshare -rn ...)

In a network of its own it makes a device (TUN), starts COMMAND and carries packets until it ends. A service that listens on
10.88.0.1 is seen at 10.88.1.2, 10.88.2.2, ... 10.88.8.2, each with a round trip and a bandwidth of its own (WAYS). A packet
comes back with its addresses swapped, which leaves its checksums right: whoever speaks to 10.88.N.2 speaks to 10.88.0.1, and
both have the kernel's own TCP. --queue drops what finds so many packets waiting for the line, of whatever size they are; --loss drops
packets in bursts of five, so many in a hundred on average. Packets of at most 200 bytes are never dropped.
--tcp names the congestion control, such as reno: that of the papers, where this machine's own may be another.
"""
import collections
import fcntl
import os
import random
import select
import struct
import subprocess
import sys
import time

# Round trip in ms and bandwidth in Mbit/s of 10.88.1.2, 10.88.2.2, ...
WAYS = [(0.5, 800), (1, 600), (2, 400), (5, 300), (10, 100), (20, 100), (50, 40), (100, 20)]
TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 1, 0x1000
SYN = 2


def run(*command):
    subprocess.run(command, check=True)


def options(arguments):
    found = {"--queue": "0", "--loss": "0", "--tcp": ""}
    while len(arguments) > 1 and arguments[0] in found:
        found[arguments[0]] = arguments[1]
        arguments = arguments[2:]
    return int(found["--queue"]), float(found["--loss"]) / 100, found["--tcp"], arguments


def main():
    most, loss, tcp, arguments = options(sys.argv[1:])
    if tcp:
        with open("/proc/sys/net/ipv4/tcp_congestion_control", "w") as chosen:
            chosen.write(tcp)
    rng = random.Random(7)
    burst = 0
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", b"far0", IFF_TUN | IFF_NO_PI))
    run("ip", "link", "set", "lo", "up")
    run("ip", "addr", "add", "10.88.0.1/16", "dev", "far0")
    run("ip", "link", "set", "far0", "up", "mtu", "9000", "txqueuelen", "2000")
    command = subprocess.Popen(arguments)
    queues = [collections.deque() for _ in range(2 * len(WAYS))]
    free = [0.0] * len(queues)
    departures = [collections.deque() for _ in queues]  # when each packet leaves that waits for the line
    called = set()  # ports
    while command.poll() is None:
        now = time.monotonic()
        soonest = now + 0.1
        for queue in queues:
            while queue and queue[0][0] <= now:
                try:
                    os.write(device, queue[0][1])
                except BlockingIOError:
                    pass
                queue.popleft()
            if queue:
                soonest = min(soonest, queue[0][0])
        readable, _, _ = select.select([device], [], [], max(0.0, soonest - time.monotonic()))
        if not readable:
            continue
        for _ in range(64):
            try:
                packet = os.read(device, 9100)
            except BlockingIOError:
                break
            if packet[0] >> 4 != 4 or packet[16:18] != b"\x0a\x58" or not 1 <= packet[18] <= len(WAYS):
                continue
            way = packet[18] - 1
            # The ways to the service and back have a queue each: who was called is the service.
            header = (packet[0] & 15) * 4
            ports = struct.unpack_from("!HH", packet, header)
            is_tcp = packet[9] == 6
            if is_tcp and packet[header + 13] & 0x12 == SYN:
                called.discard(ports[0])
                called.add(ports[1])
            line = 2 * way + (ports[0] in called if is_tcp else ports[0] < ports[1])
            round_trip, megabits = WAYS[way]
            now = time.monotonic()
            waiting = departures[line]
            while waiting and waiting[0] <= now:
                waiting.popleft()
            if most and len(waiting) >= most and len(packet) > 200:
                continue
            if loss and len(packet) > 200:
                burst = burst - 1 if burst else 5 if rng.random() < loss / 5 else 0
                if burst:
                    continue
            free[line] = max(free[line], now) + len(packet) * 8 / (megabits * 1e6)
            waiting.append(free[line])
            swapped = packet[:12] + packet[16:20] + packet[12:16] + packet[20:]
            queues[line].append((free[line] + round_trip / 2e3, swapped))
    sys.exit(command.returncode)


main()
