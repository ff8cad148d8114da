#!/usr/bin/env python3
"""Uploads zeros to a GridFTP server until it is stopped: so many transfers at once, in extended block mode over so many streams each.

    gridftp-competitors.py HOST PORT TRANSFERS STREAMS

Data connections go to HOST too, wherever the server says that they should go.
"""
import ftplib
import socket
import struct
import sys
import threading
import time

BLOCK = 256 << 10


def stream(host, port):
    """Sends blocks of a file that never ends."""
    with socket.create_connection((host, port)) as data:
        at = 0
        while True:
            data.sendall(struct.pack("!BQQ", 0, BLOCK, at) + bytes(BLOCK))
            at += BLOCK


def transfer(host, port, streams):
    while True:
        try:
            with ftplib.FTP() as control:
                control.connect(host, port, timeout=10)
                control.login()
                control.voidcmd("TYPE I")
                control.voidcmd("MODE E")
                _, data_port = ftplib.parse227(control.sendcmd("PASV"))
                control.sendcmd("ALLO 0")
                control.putcmd("STOR /dev/null")
                threads = [threading.Thread(target=stream, args=(host, data_port), daemon=True) for _ in range(streams)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
        except (OSError, EOFError, ftplib.Error):
            time.sleep(0.2)  # not there yet, or about to end


def main():
    host, port, transfers, streams = sys.argv[1], *map(int, sys.argv[2:])
    for _ in range(transfers):
        threading.Thread(target=transfer, args=(host, port, streams), daemon=True).start()
    threading.Event().wait()


main()
