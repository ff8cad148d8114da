"""A service with so many workers, each of which takes so many milliseconds for a call: pool.py PORT WORKERS MILLISECONDS"""
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT, WORKERS, MILLISECONDS = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
ROOM = threading.Semaphore(WORKERS)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        with ROOM:
            time.sleep(MILLISECONDS / 1000)
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args):
        pass


ThreadingHTTPServer.request_queue_size = 128
ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
