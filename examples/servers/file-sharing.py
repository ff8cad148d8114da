#!/usr/bin/python3
"""Files that users of an organisation read, from one another by BitTorrent. Needs libtorrent (python3-libtorrent).

    file-sharing.py share FOLDER PORT   on the server: has all files of the folder to give, as FOLDER/NAME.torrent says, and knows who else has which
    file-sharing.py peer FOLDER PORT SERVER
                                        on a user's machine: answers GET /NAME on 127.0.0.1:PORT when it has the file in the folder, and gives it from then on

Torrents are fetched from http://SERVER:8080/. A department is a network of 256 addresses. Who asks where a file is learns of those in its department that have it
whole, and of the server alone if there are none: this is how peers find what is near, which BitTorrent's trackers leave to chance.
"""
import http.server
import os
import sys
import threading
import time
import urllib.parse
import urllib.request

import libtorrent

PEERS = 6881
SETTINGS = {
    "listen_interfaces": f"0.0.0.0:{PEERS}",
    "enable_dht": False, "enable_lsd": False, "enable_upnp": False, "enable_natpmp": False,
    "enable_incoming_utp": False, "enable_outgoing_utp": False,
    "out_enc_policy": 2, "in_enc_policy": 2,  # not encrypted
    "active_downloads": -1, "active_seeds": -1, "active_limit": -1, "unchoke_slots_limit": -1, "connections_limit": 2000,
    "allow_multiple_connections_per_ip": True, "announce_to_all_trackers": True, "tick_interval": 100,
}


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 200


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


def department(address):
    return address.rpartition(".")[0]


def share(folder, port):
    whole = {}  # torrent: addresses that have all of it
    lock = threading.Lock()

    class Tracker(Handler):
        def do_GET(self):
            asked = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query, encoding="latin-1")
            address = self.client_address[0]
            with lock:
                have = whole.setdefault(asked["info_hash"][0], set())
                near = [each for each in have if department(each) == department(address) and each != address]
                if asked["left"][0] == "0":
                    have.add(address)
            given = near or [own]
            peers = b"".join(bytes(map(int, each.split("."))) + PEERS.to_bytes(2, "big") for each in given)
            self.answer(b"d8:intervali600e5:peers%d:%se" % (len(peers), peers))

    own = address_of_this_host()
    session = libtorrent.session(SETTINGS)
    for name in sorted(os.listdir(folder)):
        storage = libtorrent.file_storage()
        libtorrent.add_files(storage, os.path.join(folder, name))
        torrent = libtorrent.create_torrent(storage, piece_size=64 << 10)
        torrent.add_tracker(f"http://{own}:{port}/announce")
        libtorrent.set_piece_hashes(torrent, folder)
        described = libtorrent.bencode(torrent.generate())
        with open(os.path.join(folder, name + ".torrent"), "wb") as file:
            file.write(described)
        wanted = libtorrent.add_torrent_params()
        wanted.ti, wanted.save_path = libtorrent.torrent_info(described), folder
        # Whole, as known; and it asks nobody who else has it.
        wanted.flags = (wanted.flags | libtorrent.torrent_flags.seed_mode) & ~libtorrent.torrent_flags.auto_managed & ~libtorrent.torrent_flags.paused
        wanted.trackers = []
        session.add_torrent(wanted)
    print("all files are there", flush=True)
    Server(("", port), Tracker).serve_forever()


def address_of_this_host():
    with os.popen("hostname -I") as said:
        return next(each for each in said.read().split() if each.startswith("10."))


def peer(folder, port, server):
    session = libtorrent.session(SETTINGS)
    known, lock = {}, threading.Lock()

    def have(name):
        with lock:
            handle = known.get(name)
            if handle is None:
                with urllib.request.urlopen(f"http://{server}:8080/{name}.torrent") as said:
                    described = said.read()
                wanted = libtorrent.add_torrent_params()
                wanted.ti, wanted.save_path = libtorrent.torrent_info(libtorrent.bdecode(described)), folder
                wanted.flags = wanted.flags & ~libtorrent.torrent_flags.auto_managed & ~libtorrent.torrent_flags.paused
                handle = known[name] = session.add_torrent(wanted)
        while not handle.status().is_seeding:
            time.sleep(0.01)

    class Page(Handler):
        def do_GET(self):
            name = os.path.basename(self.path)
            have(name)
            with open(os.path.join(folder, name), "rb") as file:
                self.answer(file.read())

    page = Server(("127.0.0.1", port), Page)
    open(folder + ".ready", "w").close()
    page.serve_forever()


if __name__ == "__main__":
    {"share": share, "peer": peer}[sys.argv[1]](sys.argv[2], int(sys.argv[3]), *sys.argv[4:])
