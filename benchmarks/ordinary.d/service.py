"""A small Flask service: / works for 1 to 3 ms, /slow sleeps for 200 ms, /post takes a body."""
import random
import sys
import time

from flask import Flask, request
from werkzeug.serving import WSGIRequestHandler, make_server
import logging

app = Flask(__name__)
logging.getLogger("werkzeug").disabled = True


@app.get("/")
def index():
    time.sleep(random.uniform(0.001, 0.003))
    return "hello\n"


@app.get("/slow")
def slow():
    time.sleep(0.2)
    return "hello\n"


@app.post("/post")
def post():
    return f"{len(request.get_data())}\n"


WSGIRequestHandler.protocol_version = "HTTP/1.1"
make_server("127.0.0.1", int(sys.argv[1]), app, threaded=True).serve_forever()
