"""A service whose processor is its limit: burn.py PORT MILLISECONDS. One thread, which takes so much processor time for a call."""
import asyncio
import sys
import time

PORT, SECONDS = int(sys.argv[1]), float(sys.argv[2]) / 1000
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


class Burning(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport = transport
        self.left = b""

    def data_received(self, data):
        *asked, self.left = (self.left + data).split(b"\r\n\r\n")
        for _ in asked:
            end = time.thread_time() + SECONDS
            while time.thread_time() < end:
                pass
            self.transport.write(ANSWER)


async def serve():
    server = await asyncio.get_running_loop().create_server(Burning, "127.0.0.1", PORT, backlog=1000)
    await server.serve_forever()


asyncio.run(serve())
