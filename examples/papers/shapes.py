#!/usr/bin/env python3
"""Holds what a paper says of a figure against a run of its study.

    shapes.py STUDY RUN_DIR             says of each claim what the paper says, what the run shows, and whether they agree
    shapes.py STUDY RUN_DIR --numbers   prints the numbers of the run that this takes, as JSON
    shapes.py STUDY NUMBERS.json        the same as the first for numbers that were kept (those of docs/papers.md are in shapes/)
    shapes.py STUDY ... --panels        prints what examples/tools/Panels.java draws of it (studies of probes)
    shapes.py STUDY ... --table         says it as the table of docs/papers.md
    shapes.py STUDY ... --count         says how many claims agree, as docs/papers.md does
    shapes.py --studies                 lists the studies

STUDY is the name of its experiment file with its folder, without .yml. Rates of one machine are not those of another, so claims are ratios and orders. Exit code 1: a
claim does not hold that must; 2: these are not the files of a run of the study. Where a claim need not hold, the reason stands beside it.
"""
import csv
import io
import json
import os
import statistics
import subprocess
import sys


class NotARun(Exception):
    """What is there is not what was wanted."""


def mean(values):
    values = list(values)
    if not values:
        raise NotARun("no second of the run is as the study wants it")
    return sum(values) / len(values)


# --- WS-MDS from two sites -----------------------------------------------------------------------------------------------------------


def ws_mds_numbers(folder):
    """Means over the seconds in which all clients of both sites are there, in which the distant ones come or go, and in which they have gone."""
    seconds = {}
    with open(os.path.join(folder, "groups-series.csv"), newline="") as file:
        for row in csv.DictReader(file):
            seconds.setdefault(float(row["time_s"]), {})[row["group"]] = row
    seconds = [seconds[at] for at in sorted(seconds)]
    if not seconds or any(set(second) != {"wan", "lan"} for second in seconds):
        raise NotARun("wanted the groups wan and lan in groups-series.csv")
    number = lambda second, group, key: float(second[group][key] or 0)
    clients = lambda second, group: number(second, group, "activeClients")
    rate = lambda second, group: number(second, group, "throughput_per_s")
    most = {group: max(clients(second, group) for second in seconds) for group in ("wan", "lan")}
    there = [i for i, second in enumerate(seconds) if clients(second, "wan") == most["wan"]]
    both = [seconds[i] for i in there if clients(seconds[i], "lan") == most["lan"]]
    some = lambda part: [second for second in part if 0.5 * most["wan"] <= clients(second, "wan") < most["wan"]]
    # The first second without distant clients may still hold answers to them, and the last one of all is cut off.
    alone = [second for second in seconds[there[-1]:-1]
             if clients(second, "lan") == most["lan"] and clients(second, "wan") == 0 and rate(second, "wan") == 0]

    def response(part, group):
        answers = sum(rate(second, group) for second in part)
        return sum(rate(second, group) * number(second, group, "response_mean_ms") for second in part) / answers

    return {
        "clients": {"wan": most["wan"], "lan": most["lan"]},
        "together": {
            "seconds": len(both),
            "wan": mean(rate(second, "wan") for second in both),
            "lan": mean(rate(second, "lan") for second in both),
            "wanResponseMillis": response(both, "wan"),
            "lanResponseMillis": response(both, "lan"),
        },
        "lanAlone": {
            "seconds": len(alone),
            "lan": mean(rate(second, "lan") for second in alone),
            "lanResponseMillis": response(alone, "lan"),
        },
        "halfToAllOfWan": {
            "joining": mean(rate(second, "wan") + rate(second, "lan") for second in some(seconds[:there[0]])),
            "leaving": mean(rate(second, "wan") + rate(second, "lan") for second in some(seconds[there[-1]:])),
        },
    }


def ws_mds_claims(n, claim):
    together, alone, clients, part = n["together"], n["lanAlone"], n["clients"], n["halfToAllOfWan"]
    total = together["wan"] + together["lan"]
    share = 100 * together["lan"] / total
    claim("the local clients, 3 of 100, get about their part of the queries while all are there",
          "5 %, 18 queries/s", f"{share:.1f} %, {together['lan']:.0f} queries/s", 3 <= share <= 10)
    each = (together["lan"] / clients["lan"]) / (together["wan"] / clients["wan"])
    claim("then a local client gets hardly more than a distant one: the index is one queue for all",
          "1.7 times as much", f"{each:.1f} times", 1 <= each <= 2.5)
    times = alone["lan"] / together["lan"]
    claim("when the distant clients have gone, the local ones get far more",
          "from 18 to close to 500 queries/s, 28 times", f"from {together['lan']:.0f} to {alone['lan']:.0f}, {times:.0f} times", times >= 10)
    both = alone["lan"] / total
    claim("three local clients alone get about as much of the index as all together do",
          "close to 500 and 360 queries/s (of which 18 are 5 %), 1.4 times",
          f"{alone['lan']:.0f} and {total:.0f}, {both:.1f} times", 0.6 <= both <= 1.6,
          "the index shares two processors with the testers and the emulation, which leave it more of them when a hundred clients have gone")
    faster = together["lanResponseMillis"] / alone["lanResponseMillis"]
    claim("a local query that waited behind a hundred is answered soon",
          "not told", f"{together['lanResponseMillis']:.0f} ms, then {alone['lanResponseMillis']:.1f} ms", faster >= 10)
    joins = part["joining"] / part["leaving"]
    claim("clients that join cost throughput: with 50 to 96 distant clients it is lower while they come than while they go",
          "lower, not told by how much", f"{part['joining']:.0f} and {part['leaving']:.0f} queries/s", joins < 0.95,
          "a connection to this index, without a container and security behind it, costs little")


# --- One stream over time ------------------------------------------------------------------------------------------------------------


def windows_numbers(folder):
    """Of the tenths of a second but the first and last ten: what was acknowledged, in MB/s, and the teeth of the congestion window."""
    with open(os.path.join(folder, "series.csv"), newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["server.cwnd_segments"]][10:-10]
    acked = sorted(float(row["server.acked_bytes_per_s"] or 0) / 1e6 for row in rows)
    # The control connection's stays what it is, and is in the sum.
    window = [float(row["server.2.cwnd_segments"]) for row in rows if row["server.2.cwnd_segments"]]
    falls, growths, low, at = [], [], 0, 0
    while at < len(window) - 1:
        while at < len(window) - 1 and window[at + 1] >= window[at]:
            at += 1
        top = at
        while at < len(window) - 1 and window[at + 1] < window[at]:
            at += 1
        if window[at] < 0.8 * window[top]:
            falls.append(window[at] / window[top])
            if top - low >= 3:
                growths.append((window[top] - window[low]) / (top - low))
        low = at
    if not growths:
        raise NotARun("the window has no teeth")
    share = lambda part: acked[int(part * len(acked))]
    return {
        "ackedMegabytes": {"low": share(0.1), "middle": share(0.5), "high": share(0.9)},
        "teeth": len(falls),
        "falls": statistics.median(falls),
        "segmentsPerRoundTrip": statistics.median(growths) * 0.012 / 0.1,
    }


def windows_claims(n, claim):
    acked = n["ackedMegabytes"]
    claim("M 8: bandwidth varies widely, and makes poor use of the network", "between a fraction and all of it",
          f"{acked['low']:.1f} to {acked['high']:.1f} MB/s in the middle 80 % of the time, of 12.1", acked["high"] / acked["low"] >= 1.5)
    claim("M 9: again and again the window falls to about half", "multiplicative decrease",
          f"{n['teeth']} times, to {100 * n['falls']:.0f} % of what it was", n["teeth"] >= 5 and 0.35 <= n["falls"] <= 0.7)
    claim("M 9: in between it grows by a segment a round trip", "additive increase",
          f"{n['segmentsPerRoundTrip']:.2f} segments in 12 ms, without the time in the queue", 0.6 <= n["segmentsPerRoundTrip"] <= 1.2)


def finished_runs(folder):
    """The runs of a grid that have ended well, each with its summary."""
    with open(os.path.join(folder, "grid.json"), encoding="utf-8") as file:
        runs = json.load(file)["runs"]
    for run in runs:
        if run["state"] == "DONE":
            with open(os.path.join(folder, run["dir"], "summary.json"), encoding="utf-8") as file:
                yield run, json.load(file)


# --- GridFTP over parallel links -----------------------------------------------------------------------------------------------------

MAPS = ["one-stream-of-four", "two-streams-of-four", "all-four-streams"]
SINGLE = "one-40G-link"
LOSS = "testbed.links.backbone.loss.rate"


def gridftp_numbers(folder):
    """Of each point the medians over its trials of throughput, in MB/s, and of skew, in seconds."""
    found = {}
    for run, summary in finished_runs(folder):
        point = found.setdefault((run["set"]["variant"], run["set"][LOSS]), {"throughput": [], "skew": []})
        point["throughput"].append(summary["bandwidth"]["bytesPerSecond"] / 1e6)
        point["skew"].append(summary["metrics"]["skew"]["mean"] / 1e3)
    numbers = {}
    for (variant, loss), point in sorted(found.items()):
        medians = {key: statistics.median(values) for key, values in point.items()}
        numbers.setdefault(variant, {})[loss] = {"trials": len(point["skew"])} | medians
    return numbers


def gridftp_claims(n, claim):
    rate = lambda variant, loss: n[variant][loss]["throughput"]
    change = lambda variant, loss: 100 * (rate(variant, loss) / rate(variant, "0%") - 1)
    percent = lambda values: ", ".join(f"{value:+.0f} %" for value in values)
    free = statistics.median(rate(variant, "0%") for variant in n)
    claim("without loss a transfer is far below the hosts' 1 Gbit/s: its windows limit it",
          "16 of 120 MB/s", f"{free:.0f} of 120 MB/s", free < 60)
    claim("without loss, maps of flows and the kind of link make no difference",
          "one bar for all", percent(100 * (rate(variant, "0%") / free - 1) for variant in MAPS + [SINGLE]),
          all(abs(rate(variant, "0%") / free - 1) < 0.25 for variant in n))
    claim("more bursts, less throughput, on one link and where all streams have the faulty one",
          "less at 0.5 % than at 0.1 %, less there than without",
          "; ".join(percent(change(variant, loss) for loss in ("0.1%", "0.5%")) for variant in (SINGLE, MAPS[2])),
          all(rate(variant, "0.5%") < rate(variant, "0.1%") < rate(variant, "0%") for variant in (SINGLE, MAPS[2])))
    at = [rate(variant, "0.5%") for variant in MAPS]
    claim("it depends on how many streams have the faulty link: one, two, four of four at 0.5 %",
          "differs by the map, up to 3 times", f"{at[0]:.1f}, {at[1]:.1f}, {at[2]:.1f} MB/s: {max(at) / min(at):.1f} times",
          at[0] > at[1] > at[2] and at[0] / at[2] >= 2)
    claim("one link of four times the rate is worse than four links of which one loses as large a share of its packets",
          "strongly dependent on how links are organised", f"{rate(SINGLE, '0.5%'):.1f} of {at[0]:.1f} MB/s at 0.5 %",
          rate(SINGLE, "0.5%") < 0.5 * at[0])
    skew = lambda loss: max(n[variant][loss]["skew"] for variant in MAPS[:2])
    claim("streams of a transfer end further apart where some have the faulty link",
          "increasing skew in completion time", f"{1e3 * skew('0%'):.0f} ms without loss, {1e3 * skew('0.5%'):.0f} ms at 0.5 %",
          skew("0.5%") > 2 * skew("0%"))
    best = max(MAPS, key=lambda variant: rate(variant, "0.1%"))
    claim("at 0.1 % even the best map loses nearly three quarters",
          "nearly -75 %", f"{change(best, '0.1%'):+.0f} %", change(best, "0.1%") < -60,
          "this server gives each stream its next block when it has sent the last one, so that the others carry what a slow one does"
          " not; and where 0.1 % of the packets are lost, a burst of five comes every 7 MB. If the paper's 0.1 % are bursts, they are the"
          f" 0.5 % here: {change(best, '0.5%'):+.0f} %, and {change(MAPS[2], '0.5%'):+.0f} % with the map that is worst")


# --- GRAM ----------------------------------------------------------------------------------------------------------------------------


def gram_numbers(folder):
    """Means over seconds of the ramp: around a quarter of its clients, around half, and while all are there."""
    with open(os.path.join(folder, "series.csv"), newline="") as file:
        seconds = list(csv.DictReader(file))
    number = lambda second, key: float(second[key] or 0)
    most = max(number(second, "activeClients") for second in seconds)

    def around(share):
        # Fewer seconds would be too few jobs: of 30, chance alone makes a fifth more or less.
        width = most / 16 if share == 1 else most / 6
        part = [second for i, second in enumerate(seconds) if i < len(seconds) / 2 + 1 and abs(number(second, "activeClients") - share * most) < width]
        answers = sum(number(second, "throughput_per_s") for second in part)
        return {
            "clients": share * most,
            "jobsPerMinute": 60 * mean(number(second, "throughput_per_s") for second in part),
            "responseMillis": sum(number(second, "throughput_per_s") * number(second, "response_mean_ms") for second in part) / answers,
        }

    # The first number of clients at which, with its neighbours, nine tenths are reached of what half of the clients and more bring.
    coming = seconds[:next(i for i, second in enumerate(seconds) if number(second, "activeClients") == most) + 1]
    rate = lambda least, largest: mean(number(second, "throughput_per_s") for second in coming
                                       if least <= number(second, "activeClients") <= largest)
    level = rate(most / 2, most)
    knee = next((n for n in range(2, int(most)) if rate(n - 1, n + 1) >= 0.9 * level), int(most))
    return {"clients": most, "quarter": around(0.25), "half": around(0.5), "all": around(1), "knee": knee}


def gram_claims(n, claim):
    half, whole = n["half"], n["all"]
    claim("jobs a minute level off while clients keep coming",
          "from 15 to 20 of 69 clients on", f"{n['quarter']['jobsPerMinute']:.0f}, {half['jobsPerMinute']:.0f} and {whole['jobsPerMinute']:.0f} a minute"
          f" with a quarter, half and all of {n['clients']:.0f} clients", abs(whole["jobsPerMinute"] / half["jobsPerMinute"] - 1) < 0.3)
    rise = whole["responseMillis"] / half["responseMillis"]
    claim("and the response time then rises with them",
          "rises", f"{half['responseMillis']:.0f} ms with half of them, {whole['responseMillis']:.0f} ms with all: {rise:.1f} times", rise > 1.4)
    claim("the knee is at a small part of the clients",
          "15 to 20 of 69", f"{n['knee']} of {n['clients']:.0f}", n["knee"] < 0.5 * n["clients"])


# --- Probes and transfers ------------------------------------------------------------------------------------------------------------

# What a tool says itself of a call that was a probe; of a transfer it is its bytes by its time.
SAID = {"iperf": "rate (Mbit/s)", "NWS": "bandwidth (Mbit/s)"}


def quartiles(values):
    values = sorted(values)
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
    return {"q1": low, "median": middle, "q3": high}


def probed(folder):
    """Of each kind of call of a run: how many there were, throughput in Mbit/s, response time and overhead, Tt - Bt / Th, in seconds."""
    diperf = os.environ.get("DIPERF", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "diperf"))
    exported = subprocess.run([diperf, "export", folder, "--format", "csv", "--out", "-"], capture_output=True, text=True)
    if exported.returncode:
        raise NotARun(exported.stderr.strip())
    found = {}
    for call in csv.DictReader(io.StringIO(exported.stdout)):
        if call["outcome"] == "ok":
            seconds = (int(call["response_ns"]) - int(call["send_lag_ns"])) / 1e9
            megabits = int(call["bytes"]) * 8e-6
            said = SAID.get(call["request"].partition("-")[0])
            rate = float(call[said]) if said else megabits / seconds
            kind = found.setdefault(call["request"], {"throughput": [], "response": [], "overhead": []})
            kind["throughput"].append(rate)
            kind["response"].append(seconds)
            kind["overhead"].append(seconds - megabits / rate)
    return {name: {"n": len(kind["response"])} | {what: quartiles(values) for what, values in kind.items()} for name, kind in sorted(found.items())}


def probes_numbers(folder):
    """By place, near or far, what was probed."""
    with open(os.path.join(folder, "grid.json"), encoding="utf-8") as file:
        runs = json.load(file)["runs"]
    far = lambda run: "far" in run["set"].values() or "70ms" in run["set"].values()
    return {"far" if far(run) else "near": probed(os.path.join(folder, run["dir"])) for run in runs if run["state"] == "DONE"}


def length(name):
    """Seconds of iperf, or bytes."""
    text = name.partition("-")[2]
    for unit, factor in (("KiB", 1 << 10), ("MiB", 1 << 20), ("KB", 1e3), ("MB", 1e6), ("GB", 1e9), ("ms", 1e-3), ("s", 1)):
        if text.endswith(unit):
            return float(text[:-len(unit)]) * factor
    raise NotARun(f"no length in {name}")


def of_tool(place, tool):
    """Names of a tool's calls, the shortest first."""
    return sorted((name for name in place if name.startswith(tool + "-")), key=length)


middle = lambda place, name, what="throughput": place[name][what]["median"]
megabits = lambda rates: ", ".join(f"{rate:.3g}" for rate in rates)


def defaults_claims(n, claim):
    near, far = n["near"], n["far"]
    nws, iperf, truth = (middle(near, name) for name in ("NWS", "iperf", "GridFTP"))
    claim("nearby NWS's light probe promises far more than GridFTP gets", "exaggeratedly high", f"{nws:.3g} and {truth:.3g} Mbit/s", nws > 1.3 * truth,
          "this probe ends when the sensor has told that it has all bytes, not when they are in the system's buffers")
    claim("nearby iperf promises about what GridFTP gets, or a little more", "reasonable, saturates too much", f"{iperf:.3g} and {truth:.3g} Mbit/s",
          0.95 <= iperf / truth < 1.2)
    rates = [middle(far, name) for name in ("NWS", "iperf", "GridFTP")]
    claim("from afar both are far from predicting GridFTP: the probe is too light, the buffer too small", "far below",
          f"NWS {rates[0]:.3g}, iperf {rates[1]:.3g}, GridFTP {rates[2]:.3g} Mbit/s", rates[0] < 0.5 * rates[2] and rates[1] < 0.5 * rates[2])


def buffers_claims(n, claim):
    near, far = n["near"], n["far"]
    names = {tool: of_tool(near, tool) for tool in ("iperf", "NWS", "GridFTP")}
    rates = {place: {tool: [middle(n[place], name) for name in names[tool]] for tool in names} for place in n}
    for tool in ("iperf", "NWS"):
        at, best = middle(near, f"{tool}-64KiB"), max(rates["near"][tool])
        claim(f"nearby 64 KiB is enough for {tool}", "steady from there", f"{at:.3g} of {best:.3g} Mbit/s", at > 0.95 * best)
    claim("nearby smaller buffers cost something", "slightly", ", ".join(f"{tool} {megabits(rates['near'][tool])}" for tool in ("iperf", "NWS")) + " Mbit/s",
          all(rates["near"][tool][0] < 0.98 * max(rates["near"][tool]) for tool in ("iperf", "NWS")),
          "0.1 ms away 16 KiB are more than what is under way at 100 Mbit/s, 1.3 kB")
    claim("nearby both tools do the same", "no significant improvement of one", "within "
          + f"{max(abs(i / w - 1) for i, w in zip(rates['near']['iperf'], rates['near']['NWS'])):.0%}",
          all(abs(i / w - 1) < 0.1 for i, w in zip(rates["near"]["iperf"], rates["near"]["NWS"])))
    rising = lambda values: all(more > less for less, more in zip(values, values[1:]))
    claim("from afar throughput rises with the buffer", "a huge effect", "; ".join(f"{tool} {megabits(rates['far'][tool])}" for tool in names) + " Mbit/s",
          all(rising(rates["far"][tool]) for tool in ("iperf", "NWS")) and rates["far"]["iperf"][-1] > 4 * rates["far"]["iperf"][0])
    meets = [name.partition("-")[2] for name, i, g in zip(names["iperf"], rates["far"]["iperf"], rates["far"]["GridFTP"]) if abs(i / g - 1) < 0.1]
    claim("from afar iperf meets GridFTP with large buffers only", "between 128 and 256 KiB", f"within 10 % at {', '.join(meets) or 'none'}",
          bool(meets) and set(meets) <= {"128KiB", "256KiB"}, "here GridFTP has the same buffer as iperf at every size, so both are window by round trip")
    claim("from afar NWS stays below GridFTP: its probe is small", "low", f"{rates['far']['NWS'][-1]:.3g} and {rates['far']['GridFTP'][-1]:.3g} Mbit/s at 256 KiB",
          rates["far"]["NWS"][-1] < 0.9 * rates["far"]["GridFTP"][-1])


def lengths_claims(n, claim):
    near, far = n["near"], n["far"]
    rates = lambda place, tool: [middle(place, name) for name in of_tool(place, tool)]
    settled = lambda place, tool: next(name for i, name in enumerate(of_tool(place, tool))
                                       if all(abs(rate / rates(place, tool)[-1] - 1) <= 0.05 for rate in rates(place, tool)[i:]))
    claim("nearby iperf gives steady results from 4 to 5 s on", "4 to 5 s", f"within 5 % of its longest from {settled(near, 'iperf')} on",
          length(settled(near, "iperf")) <= 5)
    claim("nearby NWS gets steady with the size of its probe", "from 12 MB on", f"within 5 % of its largest from {settled(near, 'NWS')} on",
          length(settled(near, "NWS")) <= 12e6)
    reaches = lambda place, tool: [middle(place, name, "response") for name in of_tool(place, tool)]
    line = lambda times: all(later > sooner for sooner, later in zip(times, times[1:]))
    claim("response times grow with the length of the probe", "linearly", f"nearby {megabits(reaches(near, 'iperf'))} s and {megabits(reaches(near, 'NWS'))} s",
          line(reaches(near, "iperf")) and line(reaches(near, "NWS")))
    overhead = lambda place, tool: [middle(place, name, "overhead") for name in of_tool(place, tool)]
    claim("NWS has more overhead than iperf", "5 s and more, iperf less", f"nearby {max(overhead(near, 'NWS')):.2g} and {max(overhead(near, 'iperf')):.2g} s",
          max(overhead(near, "NWS")) > max(overhead(near, "iperf")),
          "this client of NWS asks one sensor, theirs a name server, a memory and two sensors; iperf3 agrees on a test over a connection of its own")
    claim("from afar iperf gets steady at about 5 s", "5 s", f"within 5 % of its longest from {settled(far, 'iperf')} on", length(settled(far, "iperf")) <= 10)
    claim("from afar NWS gets steady with larger probes", "10 to 12 MB", f"within 5 % of its largest from {settled(far, 'NWS')} on", length(settled(far, "NWS")) <= 16e6)
    scp, longest = middle(far, "SCP-128MB"), max(rates(far, "iperf")[-1], rates(far, "NWS")[-1])
    claim("from afar long probes promise more than SCP gets", "much higher", f"{longest:.3g} and {scp:.3g} Mbit/s", longest > scp,
          "OpenSSH had windows of 64 KiB then and has 2 MiB now, more than the probes' buffers of 128 KiB")


def large_files(place, kind):
    """Transfers of files that a probe may predict: of smaller ones, log-in is most."""
    return [name for name in of_tool(place, kind) if length(name) > 2e6]


def right_to_90_percent(place, tool, transfer):
    """Of a tool's probes the shortest that promises what a transfer gets, within 10 %; None: there is none."""
    truth = middle(place, transfer)
    return next((name for name in of_tool(place, tool) if abs(middle(place, name) / truth - 1) <= 0.1), None)


def quickest_claim(figure, place, claim, reason):
    times = {}
    for transfer in (name for kind in ("FTP", "GridFTP", "SCP") for name in large_files(place, kind)):
        probes = [right_to_90_percent(place, tool, transfer) for tool in ("iperf", "NWS")]
        if all(probes):
            times[transfer] = [middle(place, probe, "response") for probe in probes]
    less = sum(iperf < nws for iperf, nws in times.values())
    claim(f"{figure}: iperf is right to 90 % in less time than NWS for most transfers from 16 MB on", "in most of the cases",
          "; ".join(f"{name.replace('-', ' ')} {iperf:.2g} and {nws:.2g} s" for name, (iperf, nws) in times.items()) + " (none for others)",
          less > len(times) / 2, reason)


def near_claims(n, claim):
    near = n["near"]
    kinds = ("FTP", "GridFTP", "SCP")
    rate = lambda kind, size: middle(near, f"{kind}-{size}")
    best = max(middle(near, name) for name in of_tool(near, "NWS") + of_tool(near, "iperf"))
    claim("no probe predicts files of 512 KB: the protocols' overhead is too large", "far above but for FTP",
          ", ".join(f"{kind} {rate(kind, '512KB'):.3g}" for kind in kinds) + f"; probes up to {best:.3g} Mbit/s",
          all(rate(kind, "512KB") < 0.9 * best for kind in ("GridFTP", "SCP")))
    claim("of small files FTP gets most", "GridFTP and SCP less", ", ".join(f"{kind} {rate(kind, '1MB'):.3g}" for kind in kinds) + " Mbit/s at 1 MB",
          rate("FTP", "1MB") >= max(rate("GridFTP", "1MB"), rate("SCP", "1MB")))
    last = {tool: middle(near, of_tool(near, tool)[-1]) for tool in ("iperf", "NWS")}
    for kind, reason in (("GridFTP", ""), ("SCP", "why is not known: it encrypts, and the machine was busy")):
        claim(f"of large files long probes predict {kind}", "approximately",
              f"64 MB: {rate(kind, '64MB'):.3g}; iperf {last['iperf']:.3g}, NWS {last['NWS']:.3g} Mbit/s",
              all(abs(last[tool] / rate(kind, "64MB") - 1) < 0.1 for tool in last), reason)
    claim("and FTP gets more of large files than either predicts", "significantly more",
          f"64 MB: {rate('FTP', '64MB'):.3g}; iperf {last['iperf']:.3g}, NWS {last['NWS']:.3g} Mbit/s", rate("FTP", "64MB") > max(last.values()),
          "here the line of 100 Mbit/s is what limits all of them")
    short = middle(near, of_tool(near, "iperf")[0])
    claim("probes of a quarter of a second promise too much", "so high", f"{short:.3g} of {last['iperf']:.3g} Mbit/s of the longest", short > 1.1 * last["iperf"],
          "this iperf counts what the other end's system has acknowledged, theirs what was in the sender's buffers")
    sizes = of_tool(near, "NWS")
    reached = next(name for name in sizes if middle(near, name) > 0.9 * rate("GridFTP", "64MB"))
    claim("NWS comes within 10 % of the transfers with probes of some MB", "8 to 16 MB", f"{reached.partition('-')[2]}", 1e6 <= length(reached) <= 2e7,
          "0.1 ms away a probe of few kilobytes already sees the whole line")
    quickest_claim("I 7", near, claim, "0.1 ms away a probe of few kilobytes already sees the whole line, and iperf sends for a quarter of a second at least")


def far_claims(n, claim):
    far = n["far"]
    kinds = ("FTP", "GridFTP", "SCP")
    rate = lambda kind, size: middle(far, f"{kind}-{size}")
    for tool in ("iperf", "NWS"):
        rates = [middle(far, name) for name in of_tool(far, tool)]
        claim(f"longer probes of {tool} promise more", "increases", f"{megabits(rates)} Mbit/s", all(more > 0.97 * less for less, more in zip(rates, rates[1:]))
              and rates[-1] > 1.5 * rates[0])
    last = {tool: middle(far, of_tool(far, tool)[-1]) for tool in ("iperf", "NWS")}
    claim("no probe predicts files below 16 MB but by chance: long ones promise far more", "fail to predict",
          ", ".join(f"{kind} {rate(kind, '512KB'):.3g} and {rate(kind, '1MB'):.3g}" for kind in kinds)
          + f" Mbit/s of 512 KB and 1 MB; iperf {last['iperf']:.3g}, NWS {last['NWS']:.3g}",
          all(rate(kind, size) < 0.7 * promised for kind in kinds for size in ("512KB", "1MB") for promised in last.values()))
    claim("of large files long probes predict FTP and GridFTP", "with a good precision",
          f"64 MB: {rate('FTP', '64MB'):.3g} and {rate('GridFTP', '64MB'):.3g}; iperf {last['iperf']:.3g}, NWS {last['NWS']:.3g} Mbit/s",
          all(abs(promised / rate(kind, "64MB") - 1) <= 0.15 for kind in ("FTP", "GridFTP") for promised in last.values()))
    claim("SCP gets least", "performs the worst", ", ".join(f"{kind} {rate(kind, '64MB'):.3g}" for kind in kinds) + " Mbit/s at 64 MB",
          rate("SCP", "64MB") < min(rate("FTP", "64MB"), rate("GridFTP", "64MB")),
          "OpenSSH had windows of 64 KiB then and has 2 MiB now, more than the others' buffers of 256 KiB")
    quickest_claim("I 8", far, claim, "iperf sends for as long as it is told, and NWS only until it is done with its bytes")


# --- Pictures of probes --------------------------------------------------------------------------------------------------------------


def panels(study, n):
    """What examples/tools/Panels.java draws: lines of words with tabs between."""
    lines = []
    places = {"near": "nearby (0.1 ms)", "far": "from afar (140 ms)"}
    spread = lambda values: f"{values['median']}\t{values['q1']}\t{values['q3']}"
    if study == "iperf-nws/01-defaults":
        for place, words in places.items():
            lines.append(f"bars\t{words}\t\tMbit/s")
            lines += [f"bar\t{name}\t{spread(n[place][name]['throughput'])}" for name in ("iperf", "NWS", "GridFTP")]
        return lines
    if study == "iperf-nws/02-buffers":
        for place, words in places.items():
            lines.append(f"lines\t{words}\tbuffer (KiB)\tMbit/s")
            for tool in ("iperf", "NWS", "GridFTP"):
                lines.append(f"line\t{tool}")
                lines += [f"at\t{length(name) / 1024:.0f}\t{spread(n[place][name]['throughput'])}" for name in of_tool(n[place], tool)]
        return lines
    if study == "iperf-nws/04-copies":
        for place, latency in (("near", "50us"), ("far", "70ms")):
            lines.append(f"lines\t{places[place]}\tfile (bytes)\tMbit/s")
            for kind in ("FTP", "GridFTP", "SCP", "SFTP"):
                lines.append(f"line\t{kind}")
                of_kind = n[latency][kind]
                lines += [f"at\t{size}" + f"\t{8 * of_kind[size]['rate']}" * 3 for size in sorted(of_kind, key=int)]
        return lines
    if study == "microgrid/04-file-sharing":
        for what, words in (("backbone", "from the server to the backbone"), ("lan", "on all links of departments")):
            lines.append(f"times\t{words}\tseconds\tMbit/s")
            for way, name in (("central", "central server"), ("peers", "peers")):
                lines.append(f"line\t{name}")
                lines += [f"at\t{BIN * (i + 0.5)}\t{rate}\t{rate}\t{rate}" for i, rate in enumerate(n[way][what])]
        return lines
    whats = {"throughput": "throughput (Mbit/s)", "overhead": "overhead (s)", "response": "response time (s)"}
    for place in n:
        for tool, of in (("iperf", "duration (s)"), ("NWS", "probe (bytes)")):
            for what, label in whats.items() if study == "iperf-nws/03-probes" else [("throughput", whats["throughput"])]:
                lines.append(f"lines\t{tool} {places[place]}\t{of}\t{label}")
                lines.append(f"line\t{tool}")
                lines += [f"at\t{length(name)}\t{spread(n[place][name][what])}" for name in of_tool(n[place], tool)]
                if what == "throughput":
                    truth = [name for kind in ("FTP", "GridFTP", "SCP") for name in of_tool(n[place], kind)]
                    lines += [f"level\t{name.replace('-', ' ')}\t{spread(n[place][name][what])}" for name in truth]
        for kind in ("FTP", "GridFTP", "SCP") if study in ("iperf-nws/05-near", "iperf-nws/06-far") else ():
            found = {tool: [(name, probe) for name in large_files(n[place], kind) if (probe := right_to_90_percent(n[place], tool, name))] for tool in ("iperf", "NWS")}
            # A panel without a line would say nothing.
            if any(found.values()):
                lines.append(f"lines\tshortest probe right to 90 % for {kind}\tfile (bytes)\tresponse time (s)")
            for tool in (tool for tool in found if found[tool]):
                lines.append(f"line\t{tool}")
                lines += [f"at\t{length(name)}\t{spread(n[place][probe]['response'])}" for name, probe in found[tool]]
    return lines


# --- Transfers by class of size, and by distance ---------------------------------------------------------------------------------------


def rates_of_points(folder, *axes):
    """Means over the trials of each point's rate, in MB/s, with the number of trials: by the values of the axes, one within the other."""
    found = {}
    for run, summary in finished_runs(folder):
        if summary["calls"]["failed"]:
            raise NotARun(f"calls of {run['dir']} failed")
        found.setdefault(tuple(str(run["set"][axis]) for axis in axes), []).append(summary["bandwidth"]["bytesPerSecond"] / 1e6)
    numbers = {}
    for point, rates in sorted(found.items()):
        at = numbers
        for name in point[:-1]:
            at = at.setdefault(name, {})
        at[point[-1]] = {"trials": len(rates), "rate": mean(rates)}
    return numbers


def classes_numbers(folder):
    return rates_of_points(folder, "variant", "labels.class")


def classes_claims(n, claim):
    rate = lambda way, size: n[way][size]["rate"]
    claim("by SRM, small files are far slower than large ones",
          "0.50 of 87.4 Gbit/s: 175 times", f"{rate('srm', 'small'):.1f} of {rate('srm', 'large'):.0f} MB/s:"
          f" {rate('srm', 'large') / rate('srm', 'small'):.0f} times", rate("srm", "large") > 3 * rate("srm", "small"))
    claim("small files are faster by GridFTP alone than when a manager is asked for each",
          "2.5 and 0.50 Gbit/s: 5 times", f"{rate('gridftp', 'small'):.0f} and {rate('srm', 'small'):.1f} MB/s:"
          f" {rate('gridftp', 'small') / rate('srm', 'small'):.1f} times", rate("gridftp", "small") > 2 * rate("srm", "small"))
    claim("for small files the managed transfer is no slower than GridFTP that is told what to do",
          "not told", f"{rate('managed', 'small'):.0f} and {rate('gridftp', 'small'):.0f} MB/s", rate("managed", "small") > 0.8 * rate("gridftp", "small"))
    large = [rate(way, "large") for way in ("gridftp", "managed", "srm")]
    claim("for large files all three are alike",
          "87.4 Gbit/s by SRM, of about 96", ", ".join(f"{each:.0f}" for each in large) + " MB/s", min(large) > 0.5 * max(large))


def sizes_numbers(folder):
    return rates_of_points(folder, "testbed.links.line.latency", "variant", "labels.size")


def third_party_claims(n, claim):
    far, near = n["26.5ms"], n["0ms"]
    rate = lambda at, way, size: at[way][size]["rate"]
    sizes = sorted(far["managed"], key=lambda size: float(size[:-3]) * (1 if size.endswith("KiB") else 1024))
    least, most = sizes[0], sizes[-1]
    claim("one after another, small files do not fill a long line",
          "not told", f"{rate(far, 'one-by-one', least):.2f} MB/s of files of {least}, {rate(far, 'one-by-one', most):.0f} of {most}",
          rate(far, "one-by-one", least) < 0.02 * rate(far, "one-by-one", most))
    gain = lambda at: rate(at, "ahead", least) / rate(at, "one-by-one", least)
    claim("asked for ahead they do better, the more the longer the line",
          "one round trip a file is saved", f"{gain(far):.1f} times over 53 ms, {gain(near):.1f} times without",
          gain(far) > 2 and gain(far) > gain(near))
    share = lambda size: rate(far, "managed", size) / rate(far, "ahead", size)
    small = [size for size in sizes if size.endswith("KiB")]
    for part, text, reason in ((sizes[len(small):], "from 1 MiB on", ""),
                               (small, "below 1 MiB", "a job logs in to find its files before it logs in to move them, which so few small files do not make up for")):
        worst = min(part, key=share)
        claim(f"a managed transfer of files {text} chooses as well by itself, for each size, the time to find the files included",
              "not told", f"at worst {share(worst):.2f} of that, for {worst}", share(worst) > 0.7, reason)


def streams_numbers(folder):
    return rates_of_points(folder, "variant", "client.with.parallelism")


def streams_claims(n, claim):
    alone, beside = n["alone"], n["beside-others"]
    counts = sorted(alone, key=int)
    rates = lambda way: ", ".join(f"{way[count]['rate']:.2g}" for count in counts) + " MB/s"
    gain = lambda way: max(at["rate"] for at in way.values()) / way["1"]["rate"]
    claim("alone, more streams get more", "8.3 to 16.5 MB/s from 1 to 32 streams, 2 times", f"{rates(alone)}: {gain(alone):.1f} times", gain(alone) > 1.5)
    claim("next to seven transfers of six streams the most that is reached is less", "13.8 MB/s",
          f"{max(at['rate'] for at in beside.values()):.2g} of {max(at['rate'] for at in alone.values()):.2g} MB/s",
          max(at["rate"] for at in beside.values()) < max(at["rate"] for at in alone.values()))
    claim("and streams pay far more than alone", "2.56 to 13.8 MB/s, 5.4 times", f"{rates(beside)}: {gain(beside):.1f} times", gain(beside) > 1.5 * gain(alone),
          "8 MiB are over in 10 to 25 s, in which streams that begin next to 42 others lose packets from the start and wait a second for each; theirs moved a gigabyte")


def send_buffers_numbers(folder):
    return rates_of_points(folder, "client.with.parallelism", "client.with.buffer")


def send_buffers_claims(n, claim):
    sizes = sorted(n["1"], key=lambda size: length("-" + size))
    rates = lambda streams: [n[streams][size]["rate"] for size in sizes]
    said = lambda streams: ", ".join(f"{rate:.3g}" for rate in rates(streams)) + f" MB/s with {', '.join(sizes)}"
    claim("one stream gets far more with a large buffer than with one of 64 KiB", "needs a large send buffer", said("1"), max(rates("1")) > 2 * rates("1")[0])
    claim("from some size on a larger one brings nothing", "not told", said("1"), rates("1")[-1] < 1.2 * rates("1")[-2])
    several = [streams for streams in sorted(n, key=int) if streams != "1"]
    claim("it is the same for any number of streams", "similar behaviors", f"{several[-1]} streams: {said(several[-1])}",
          all(max(rates(streams)) > 1.3 * rates(streams)[0] for streams in several),
          "this line is of 100 Mbit/s, which a few streams fill with any buffer; that of the paper had a hundred times as much")


def copies_claims(n, claim):
    near, far = n["50us"], n["70ms"]
    kinds = ("FTP", "GridFTP", "SCP")
    megabits = lambda place, kind, size: 8 * place[kind][str(size)]["rate"]
    said = lambda place, size: ", ".join(f"{kind} {megabits(place, kind, size):.3g}" for kind in kinds) + " Mbit/s"
    small, middling, large = 512 << 10, 16 << 20, 64 << 20
    claim("nearby FTP gets most of small files", "clearly outperforms GridFTP and SCP", said(near, small),
          megabits(near, "FTP", small) > max(megabits(near, kind, small) for kind in ("GridFTP", "SCP")))
    rates = [megabits(near, kind, middling) for kind in kinds]
    claim("nearby all get the same of 16 MB", "equal", said(near, middling), min(rates) > 0.8 * max(rates))
    claim("nearby FTP gets far more than the others of larger files", "outperforms significantly", said(near, large),
          megabits(near, "FTP", large) > 1.2 * max(megabits(near, kind, large) for kind in ("GridFTP", "SCP")), "here the line of 100 Mbit/s is what limits all of them")
    claim("from afar small files are all overhead", "low", said(far, small), all(megabits(far, kind, small) < 0.2 * megabits(far, kind, large) for kind in kinds))
    claim("from afar SCP does worst", "the worst; GridFTP better, FTP best", said(far, large),
          megabits(far, "SCP", large) < min(megabits(far, kind, large) for kind in ("FTP", "GridFTP")),
          "OpenSSH had windows of 64 KiB then and has 2 MiB now, which are enough for this line")


# --- Parallel codes over three networks ------------------------------------------------------------------------------------------------


def codes_numbers(folder):
    """Of each code the mean time over each network, in seconds."""
    numbers = {}
    for run, summary in finished_runs(folder):
        if summary["calls"]["failed"]:
            raise NotARun(f"calls of {run['dir']} failed")
        numbers.setdefault(run["set"]["labels.code"].partition(".")[0].upper(), {})[run["set"]["variant"]] = summary["responseTime"]["mean"] / 1e3
    return dict(sorted(numbers.items()))


def codes_claims(n, claim):
    times = lambda code, network: n[code][network] / n[code]["cluster"]
    others = [code for code in n if code != "EP"]
    said = lambda codes, network: ", ".join(f"{code} {times(code, network):.2g}" for code in codes) + " times the cluster's time"
    claim("EP does not mind latency", "with the exception of EP", f"campus {n['EP']['campus']:.2f}, grid {n['EP']['grid']:.2f}, cluster {n['EP']['cluster']:.2f} s",
          n["EP"]["grid"] < 1.5 * n["EP"]["cluster"])
    claim("all others do poorly where hosts are far apart, though the grid's network has the highest rate", "latency dominates", said(others, "grid"),
          all(times(code, "grid") > 1.5 for code in others))
    claim("and less so on the campus", "between the two", said(others, "campus"),
          all(1 < times(code, "campus") < times(code, "grid") for code in others),
          "what little IS and FT say at once is said between the two switches as fast as within one")


# --- Files from a centre, and from one another ---------------------------------------------------------------------------------------------

BIN = 5  # seconds


def sharing_numbers(folder):
    """Of each way how long reading all took, and over time, in steps of 5 s, what the server sends to the backbone and what departments' links carry, in Mbit/s."""
    numbers = {}
    for run, _ in finished_runs(folder):
        with open(os.path.join(folder, run["dir"], "series.csv"), newline="") as file:
            seconds = list(csv.DictReader(file))
        rates = lambda part: [name for name in seconds[0] if name.startswith(f"server.network.{part}") and ".rate_" in name]
        central = [name for name in rates("central") if ".there." in name]
        if not central or not rates("lan"):
            raise NotARun(f"no rates of links in {run['dir']}")
        megabits = lambda names: [mean(sum(float(second[name] or 0) for name in names) / 1e6 for second in seconds[at:at + BIN])
                                  for at in range(0, len(seconds) - BIN + 1, BIN)]
        numbers[run["set"]["variant"]] = {"seconds": len(seconds), "backbone": megabits(central), "lan": megabits(rates("lan"))}
    return dict(sorted(numbers.items()))


def sharing_claims(n, claim):
    central, peers = n["central"], n["peers"]
    # The last steps have fewer and fewer users.
    late = lambda rates: mean(rates[len(rates) // 2:len(rates) * 9 // 10])
    begin = mean(peers["backbone"][:2]) / mean(central["backbone"][:2])
    claim("at first peers have nothing, and the backbone carries what it does for a central server", "a cold start period",
          f"{mean(peers['backbone'][:2]):.0f} and {mean(central['backbone'][:2]):.0f} Mbit/s in the first 10 s", begin > 0.7)
    claim("later it carries a third", "reduced three-fold", f"{late(peers['backbone']):.0f} and {late(central['backbone']):.0f} Mbit/s in the second half",
          late(peers["backbone"]) < 0.4 * late(central["backbone"]))
    times = late(peers["lan"]) / late(central["lan"])
    claim("and the departments' networks carry 3 to 5 times as much", "3 to 5 times", f"{late(peers['lan']):.0f} and {late(central['lan']):.0f} Mbit/s, {times:.1f} times",
          3 <= times <= 5, "a file crosses a department's links twice where a colleague has it, once from the centre, and not at all where one has read it oneself;"
          " Gnutella's searches, which go to everybody, come on top of that")
    claim("all has been read sooner", "earlier completion", f"after {peers['seconds']} and {central['seconds']} s", peers["seconds"] < central["seconds"])


# -------------------------------------------------------------------------------------------------------------------------------------

STUDIES = {
    "diperf/13-gram": (gram_numbers, gram_claims),
    "ws-mds/06-lan-wan": (ws_mds_numbers, ws_mds_claims),
    "100gbps/03-third-party": (sizes_numbers, third_party_claims),
    "100gbps/05-classes": (classes_numbers, classes_claims),
    "microgrid/03-parallel-codes": (codes_numbers, codes_claims),
    "microgrid/04-file-sharing": (sharing_numbers, sharing_claims),
    "microgrid/07-streams": (streams_numbers, streams_claims),
    "microgrid/08-windows": (windows_numbers, windows_claims),
    "microgrid/10-buffers": (send_buffers_numbers, send_buffers_claims),
    "microgrid/11-parallel-links": (gridftp_numbers, gridftp_claims),
    "iperf-nws/01-defaults": (probes_numbers, defaults_claims),
    "iperf-nws/02-buffers": (probes_numbers, buffers_claims),
    "iperf-nws/03-probes": (probes_numbers, lengths_claims),
    "iperf-nws/04-copies": (sizes_numbers, copies_claims),
    "iperf-nws/05-near": (lambda folder: {"near": probed(folder)}, near_claims),
    "iperf-nws/06-far": (lambda folder: {"far": probed(folder)}, far_claims),
}


def count(verdicts):
    agree = verdicts.count("agrees")
    return f"all {agree} claims agree" if agree == len(verdicts) else f"{agree} of {len(verdicts)} claims agree"


def main(study, source, *options):
    numbers_of, claims_of = STUDIES[study]
    if os.path.isdir(source):
        numbers = numbers_of(source)
    else:
        with open(source, encoding="utf-8") as file:
            numbers = json.load(file)
    if "--numbers" in options:
        print(json.dumps(numbers, indent=1))
        return 0
    if "--panels" in options:
        print("\n".join(panels(study, numbers)))
        return 0
    claims = []

    def claim(text, paper, here, agrees, reason=""):
        """A claim with a reason why it need not hold may differ."""
        claims.append((text, paper, here, "agrees" if agrees else f"differs: {reason}" if reason else "DIFFERS"))

    claims_of(numbers, claim)
    if "--table" in options:
        print("| claim | paper | here | |\n|---|---|---|---|")
        for words in claims:
            print(f"| {' | '.join(words)} |")
        return 0
    if "--count" in options:
        print(count([verdict.partition(":")[0].lower() for _, _, _, verdict in claims]))
        return 0
    for text, paper, here, verdict in claims:
        print(f"{text}\n    paper: {paper}\n    here: {here}\n    {verdict}\n")
    missed = sum(verdict == "DIFFERS" for _, _, _, verdict in claims)
    print(f"{missed} of the claims that must hold do not" if missed else "all claims that must hold do")
    return 1 if missed else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--studies"]:
        print("\n".join(STUDIES))
        sys.exit(0)
    if len(sys.argv) not in (3, 4) or sys.argv[1] not in STUDIES or sys.argv[3:] not in ([], ["--numbers"], ["--panels"], ["--table"], ["--count"]):
        print(f"usage: shapes.py {'|'.join(STUDIES)} RUN_DIR|NUMBERS.json [--numbers | --panels | --table | --count]\n       shapes.py --studies", file=sys.stderr)
        sys.exit(2)
    try:
        sys.exit(main(*sys.argv[1:]))
    except (NotARun, OSError, KeyError, ValueError) as problem:
        print(f"shapes: expected a run of {sys.argv[1]} or its numbers, got {sys.argv[2]}: {type(problem).__name__}: {problem}", file=sys.stderr)
        sys.exit(2)
