"""A sensor for probes of the client nws, where DiPerF itself is not at hand: nws-sensor.py PORT. One probe at a time."""
import socket
import struct
import sys
import threading

TURN = threading.Lock()
MAGIC = 0x4E575350
BUFFER = bytearray(256 << 10)


def answer(connection):
    with connection:
        connection.settimeout(10)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        greeting = connection.recv(16, socket.MSG_WAITALL)
        if len(greeting) < 16:
            return
        magic, size, buffer = struct.unpack("!IQI", greeting)
        if magic != MAGIC:
            return
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        with TURN:
            # An answer when it may begin, one to the byte that tells the latency, and one to all others.
            for expected in (1, size):
                connection.sendall(b"\0")
                while expected:
                    count = connection.recv_into(BUFFER, min(expected, len(BUFFER)))
                    if not count:
                        return
                    expected -= count
            connection.sendall(b"\0")
        connection.recv(1)


def serve(connection):
    try:
        answer(connection)
    except OSError:
        pass


with socket.create_server(("", int(sys.argv[1])), backlog=64) as listening:
    while True:
        threading.Thread(target=serve, args=(listening.accept()[0],), daemon=True).start()
