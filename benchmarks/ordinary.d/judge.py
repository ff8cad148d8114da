"""Holds what a run says against the packets of its connections; prints one JSON line.

judge.py CASE NUMBER RUN_DIR PCAP PORT EXIT LOAD
"""
import json
import math
import struct
import sys


def packets(path):
    """Yields time in s, source port, target port, payload length, flags and connection of each TCP segment of a capture."""
    with open(path, "rb") as file:
        data = file.read()
    magic = struct.unpack_from("<I", data)[0]
    divisor = 1e9 if magic == 0xA1B23C4D else 1e6
    at = 24
    while at + 16 <= len(data):
        seconds, fraction, kept, _ = struct.unpack_from("<IIII", data, at)
        frame = at + 16
        at = frame + kept
        if data[frame + 12 : frame + 14] != b"\x08\x00":
            continue
        ip = frame + 14
        header = (data[ip] & 15) * 4
        total = struct.unpack_from(">H", data, ip + 2)[0]
        tcp = ip + header
        source, target = struct.unpack_from(">HH", data, tcp)
        offset = (data[tcp + 12] >> 4) * 4
        yield seconds + fraction / divisor, source, target, total - header - offset, data[tcp + 13]


def taken(path, port):
    """Returns (end, ms) of each pair of request and answer: first segment of the one to last segment of the other."""
    pairs = []
    asked = {}
    answered = {}
    for at, source, target, length, _ in packets(path):
        if length <= 0:
            continue
        if target == port:
            if source in answered:
                pairs.append((answered.pop(source), asked.pop(source)))
            asked.setdefault(source, at)
        elif source == port and target in asked:
            answered[target] = at
    pairs.extend((end, asked[client]) for client, end in answered.items())
    return sorted((end, (end - begin) * 1e3) for end, begin in pairs)


def quantile(rising, fraction):
    return rising[max(1, math.ceil(fraction * len(rising) - 1e-9)) - 1]


def main():
    name, number, run, capture, port, code, load = sys.argv[1:]
    line = {"case": name, "number": int(number), "exit": int(code), "load": float(load)}
    with open(run + "/summary.json") as file:
        summary = json.load(file)
    with open(run + ".out") as file:
        said = file.read().split("\n\n")
    line["verdict"] = summary["verdict"]
    line["screen"] = " | ".join(part for part in said if " median " in part)
    measured = summary.get("measured") or summary
    times = measured.get("responseTime")
    if not times:
        line["right"] = line["verdict"] == "failed"
        print(json.dumps(line))
        return
    line["p50"], line["p99"] = times["p50"], times["p99"]
    ranges = times.get("ranges", {})
    parts = {key: ranges.get(key, {}).get("parts", {}).get("instrument") for key in ("p50", "p99")}
    line["low50"] = parts["p50"]["low"] if parts["p50"] else None
    line["low99"] = parts["p99"]["low"] if parts["p99"] else None
    line["right"] = None
    if capture:
        pairs = taken(capture, int(port))
        # The measured part, by the share of the pairs: a run's clock is not the capture's.
        begin = pairs[0][0]
        span = summary["durationSeconds"]
        first, last = measured.get("fromSeconds", 0), measured.get("toSeconds", span)
        millis = sorted(ms for end, ms in pairs if first - 0.01 <= end - begin <= last + 0.01)
        line["pairs"] = len(millis)
        truth = {"50": quantile(millis, 0.5), "99": quantile(millis, 0.99)}
        line["truth50"], line["truth99"] = truth["50"], truth["99"]

        def near(key):
            value, real, low = line["p" + key], truth[key], line["low" + key]
            return abs(value - real) <= max(0.05 * real, 0.1) or low is not None and low - 0.1 <= real <= value

        def far(key):
            return line["p" + key] > 2 * truth[key] and line["p" + key] > truth[key] + 1

        if line["verdict"] == "valid":
            line["right"] = near("50") and near("99")
        elif line["verdict"] == "suspect":
            line["right"] = far("50") or far("99")
    for key in list(line):
        if isinstance(line[key], float):
            line[key] = round(line[key], 4)
    print(json.dumps(line))


main()
