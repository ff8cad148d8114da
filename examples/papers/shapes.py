#!/usr/bin/env python3
"""Answers the claims of the papers by runs of their studies, and writes docs/papers.md and docs/claims.md.

    shapes.py STUDY RUN_DIR             what the run says to each claim, with the interval over its trials
    shapes.py STUDY NUMBERS.json        the same for numbers that were kept (those of the pages are in shapes/)
    shapes.py STUDY RUN_DIR --numbers   the numbers of the run that this takes, as JSON
    shapes.py STUDY ... --panels        what examples/tools/Panels.java draws of it (studies of probes)
    shapes.py STUDY --thresholds        the hashes of the study's claims, which a run has to record before it starts
    shapes.py --freeze                  writes the hashes next to the claims, after what decides a claim has changed
    shapes.py --write                   writes the tables of the pages
    shapes.py --check                   names pages whose tables are not those of claims and numbers
    shapes.py --studies                 lists the studies that have claims

STUDY is the name of its experiment file with its folder, without .yml. Rates of one machine are not those of another, so claims are ratios and orders. Exit code 1: a
claim of the paper differs, whatever the reason, or a page is not up to date; 2: these are not the files of a run of the study, or claims are not as frozen.
"""
import collections
import csv
import io
import itertools
import json
import os
import shlex
import statistics
import subprocess
import sys

import answers
from answers import NotARun, large_files, length, middle, of_tool, right_to_90_percent
from answers import mean_of as mean

BIN = 5  # seconds
Run = collections.namedtuple("Run", "set folder")


# --- Runs ------------------------------------------------------------------------------------------------------------------------------


def trials_of(folder):
    """The runs that have ended well, by trial: each trial is the study as a whole."""
    grid = os.path.join(folder, "grid.json")
    if not os.path.exists(grid):
        return [[Run({}, folder)]]
    with open(grid, encoding="utf-8") as file:
        runs = json.load(file)["runs"]
    trials = {}
    for run in runs:
        if run["state"] == "DONE":
            trials.setdefault(run.get("trial", 1), []).append(Run(run["set"], os.path.join(folder, run["dir"])))
    if not trials:
        raise NotARun(f"expected runs that have ended well in {folder}, got none")
    most = max(len(runs) for runs in trials.values())
    # A trial that was interrupted is none.
    return [trials[trial] for trial in sorted(trials) if len(trials[trial]) == most]


def numbers_of(study, folder):
    """The numbers of each trial."""
    return [NUMBERS[study](runs) for runs in trials_of(folder)]


def table(run, name):
    with open(os.path.join(run.folder, name), newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def summary(run):
    with open(os.path.join(run.folder, "summary.json"), encoding="utf-8") as file:
        return json.load(file)


def whole(run):
    """The summary of a run without failed calls."""
    found = summary(run)
    if found["calls"]["failed"]:
        raise NotARun(f"calls of {run.folder} failed")
    return found


def number(row, key):
    return float(row[key] or 0)


def clients(row):
    return number(row, "activeClients")


def response(part):
    """The mean response time of the calls of some rows, in milliseconds."""
    calls = sum(number(row, "throughput_per_s") for row in part)
    if not calls:
        raise NotARun("no call of the run has the clients that the study asks for")
    return sum(number(row, "throughput_per_s") * number(row, "response_mean_ms") for row in part) / calls


def ramp(run):
    """The rows until all clients are there, those with all, and how many clients these are."""
    rows = table(run, "series.csv")
    most = max(clients(row) for row in rows)
    first = next(i for i, row in enumerate(rows) if clients(row) == most)
    return rows[:first + 1], [row for row in rows if clients(row) == most], most


def around(rows, share, most, width):
    return [row for row in rows if abs(clients(row) - share * most) < width * most]


# --- DiPerF ----------------------------------------------------------------------------------------------------------------------------


def skew_numbers(runs):
    """How far clocks of hosts that share one clock are found to be apart: over all pairs, in ms, by half of the shortest round trip, and by the bound that is reported."""
    testers = table(runs[0], "testers.csv")
    offsets = [number(tester, "clock_offset_ms") for tester in testers]
    pairs = [abs(a - b) for a, b in itertools.combinations(offsets, 2)]
    trips = {}
    for row in table(runs[0], "clock.csv"):
        sent, received, answered, arrived = (int(row[key]) for key in ("server_sent_ns", "client_received_ns", "client_sent_ns", "server_received_ns"))
        trips.setdefault(row["tester"], []).append((arrived - sent - (answered - received)) / 1e6)
    return {
        "skewMillis": {"mean": mean(pairs), "median": statistics.median(pairs), "deviation": statistics.pstdev(pairs)},
        "byOneWay": max(abs(number(tester, "clock_offset_ms")) / (min(trips[tester["tester"]]) / 2) for tester in testers),
        "byBound": max(1000 * abs(number(tester, "clock_offset_ms")) / number(tester, "clock_error_bound_us") for tester in testers),
    }


def time_server_numbers(runs):
    coming, all_there, most = ramp(runs[0])
    return {"quarter": {"responseMillis": response(around(coming, 0.25, most, 1 / 8))}, "all": {"responseMillis": response(all_there)}}


def echo_numbers(runs):
    coming, all_there, most = ramp(runs[0])
    half = around(coming, 0.5, most, 1 / 16)
    rates = [number(row, "throughput_per_s") for row in table(runs[0], "series.csv")]
    return {
        # Each client plans ten calls a second.
        "half": {"perSecond": mean(number(row, "throughput_per_s") for row in half), "plannedPerSecond": mean(10 * clients(row) for row in half)},
        "all": {"perSecond": mean(number(row, "throughput_per_s") for row in all_there)},
        "peakPerSecond": max(mean(rates[at:at + BIN]) for at in range(len(rates) - BIN + 1)),
    }


def ganglia_numbers(runs):
    """The mean difference of averages over 5 s, while at least half of the clients are there."""
    rows = table(runs[0], "series.csv")
    most = max(clients(row) for row in rows)
    differences = []
    for at in range(0, len(rows) - BIN + 1, BIN):
        part = rows[at:at + BIN]
        if all(clients(row) >= 0.5 * most and row["server.bytes_out_bytes_per_sec"] for row in part):
            theirs, ours = (mean(number(row, key) for row in part) for key in ("server.bytes_out_bytes_per_sec", "bytes_per_s"))
            differences.append(abs(theirs - ours) / ours)
    return {"throughputDifference": mean(differences)}


def log_numbers(runs):
    log = summary(runs[0])["serverLog"]["log"]
    return {"throughputDifference": log["throughputDifferencePercent"] / 100, "loadDifference": log["loadDifferencePercent"] / 100}


def slope(rows, key):
    """By how much a value rises for each further client."""
    return statistics.linear_regression([clients(row) for row in rows], [number(row, key) for row in rows]).slope


def gridftp_load_numbers(runs):
    coming, all_there, most = ramp(runs[0])
    coming = [row for row in coming if row["server.memory_bytes"] and row["server.cpu_cores"]]
    half = len(coming) // 2
    return {
        "third": {"bytesPerSecond": mean(number(row, "bytes_per_s") for row in around(coming, 1 / 3, most, 1 / 12))},
        "all": {"bytesPerSecond": mean(number(row, "bytes_per_s") for row in all_there)},
        "memory": {"firstHalf": slope(coming[:half], "server.memory_bytes"), "secondHalf": slope(coming[half:], "server.memory_bytes")},
        "cpuAndThroughput": statistics.correlation([number(row, "server.cpu_cores") for row in coming], [number(row, "bytes_per_s") for row in coming]),
    }


def ranks(values):
    """The rank of each value; equal ones share the mean of theirs."""
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) - 1) / 2 for value in values]


def machines_numbers(runs):
    """How what machines got follows their network, and how clients within a machine differ; by calls, each of the same size."""
    machines = {row["tester"]: row for row in table(runs[0], "testers.csv")}
    calls = {tester: [] for tester in machines}
    for client in table(runs[0], "clients.csv"):
        # The first client of each machine has made one call more, which measured the bandwidth.
        calls[client["tester"]].append(number(client, "ok") - (int(client["client"]) < len(machines)))
    data = [sum(calls[tester]) for tester in machines]
    against = lambda key: statistics.correlation(ranks(data), ranks([number(row, key) for row in machines.values()]))
    return {
        "dataAndLatency": against("latency_ms"),
        "dataAndBandwidth": against("bandwidth_bytes_per_s"),
        "deviationWithin": statistics.median(statistics.pstdev(calls[tester]) / mean(calls[tester]) for tester in machines),
        "medianShare": statistics.median(data) / max(data),
    }


def levels_numbers(runs):
    """Of each size of the index the highest calls a second of all levels, and those of the last."""
    numbers = {}
    for run in runs:
        rates = [number(stage, "throughput_per_s") for stage in table(run, "stages.csv")]
        numbers[str(run.set["labels.entries"])] = {"peak": max(rates), "last": rates[-1]}
    return numbers


def gram_numbers(runs):
    """Means over seconds of the ramp: around a quarter of its clients, around half, and while all are there."""
    seconds = table(runs[0], "series.csv")
    most = max(number(second, "activeClients") for second in seconds)

    def at(share):
        # Fewer seconds would be too few jobs: of 30, chance alone makes a fifth more or less.
        width = most / 16 if share == 1 else most / 6
        part = [second for i, second in enumerate(seconds) if i < len(seconds) / 2 + 1 and abs(number(second, "activeClients") - share * most) < width]
        return {
            "clients": share * most,
            "jobsPerMinute": 60 * mean(number(second, "throughput_per_s") for second in part),
            "responseMillis": response(part),
        }

    # The first number of clients at which, with its neighbours, nine tenths are reached of what half of the clients and more bring.
    coming = seconds[:next(i for i, second in enumerate(seconds) if number(second, "activeClients") == most) + 1]
    rate = lambda least, largest: mean(number(second, "throughput_per_s") for second in coming
                                       if least <= number(second, "activeClients") <= largest)
    level = rate(most / 2, most)
    knee = next((n for n in range(2, int(most)) if rate(n - 1, n + 1) >= 0.9 * level), int(most))
    return {"clients": most, "quarter": at(0.25), "half": at(0.5), "all": at(1), "knee": knee}


# --- WS-MDS ----------------------------------------------------------------------------------------------------------------------------


def ws_mds_numbers(runs):
    """Means over the seconds in which all clients of both sites are there, in which the distant ones come or go, and in which they have gone."""
    seconds = {}
    for row in table(runs[0], "groups-series.csv"):
        seconds.setdefault(float(row["time_s"]), {})[row["group"]] = row
    seconds = [seconds[at] for at in sorted(seconds)]
    if not seconds or any(set(second) != {"wan", "lan"} for second in seconds):
        raise NotARun("expected the groups wan and lan in groups-series.csv")
    there_are = lambda second, group: clients(second[group])
    rate = lambda second, group: number(second[group], "throughput_per_s")
    most = {group: max(there_are(second, group) for second in seconds) for group in ("wan", "lan")}
    there = [i for i, second in enumerate(seconds) if there_are(second, "wan") == most["wan"]]
    both = [seconds[i] for i in there if there_are(seconds[i], "lan") == most["lan"]]
    some = lambda part: [second for second in part if 0.5 * most["wan"] <= there_are(second, "wan") < most["wan"]]
    # The first second without distant clients may still hold answers to them, and the last one of all is cut off.
    alone = [second for second in seconds[there[-1]:-1]
             if there_are(second, "lan") == most["lan"] and there_are(second, "wan") == 0 and rate(second, "wan") == 0]

    return {
        "clients": {"wan": most["wan"], "lan": most["lan"]},
        "together": {
            "seconds": len(both),
            "wan": mean(rate(second, "wan") for second in both),
            "lan": mean(rate(second, "lan") for second in both),
            "wanResponseMillis": response([second["wan"] for second in both]),
            "lanResponseMillis": response([second["lan"] for second in both]),
        },
        "lanAlone": {
            "seconds": len(alone),
            "lan": mean(rate(second, "lan") for second in alone),
            "lanResponseMillis": response([second["lan"] for second in alone]),
        },
        "halfToAllOfWan": {
            "joining": mean(rate(second, "wan") + rate(second, "lan") for second in some(seconds[:there[0]])),
            "leaving": mean(rate(second, "wan") + rate(second, "lan") for second in some(seconds[there[-1]:])),
        },
    }


def joins_numbers(runs):
    """First queries next to later ones, and queries a second before and while 216 clients join, which is in the seconds from 34 to 37."""
    found = summary(runs[0])
    rows = table(runs[0], "series.csv")
    rates = lambda begin, end: [number(row, "throughput_per_s") for row in rows if begin <= float(row["time_s"]) < end]
    return {
        "firstMillis": found["firstCalls"]["p50"],
        "laterMillis": found["laterCalls"]["p50"],
        "before": {"perSecond": mean(rates(28, 34))},
        "joining": {"lowest": min(rates(34, 37))},
    }


def experiments_numbers(runs):
    """Queries a second of each experiment while all its clients are there."""
    return {run.set["variant"]: {"perSecond": summary(run)["measured"]["throughput"]["mean"]} for run in runs}


# --- A 100 Gbit/s testbed --------------------------------------------------------------------------------------------------------------


def of_points(runs, axes, value):
    """A number of each run, by the values of the axes, one within the other."""
    numbers = {}
    for run in runs:
        at = numbers
        names = [str(run.set[axis]) for axis in axes]
        for name in names[:-1]:
            at = at.setdefault(name, {})
        at[names[-1]] = value(run)
    return numbers


def rate(run):
    """Megabytes a second."""
    return whole(run)["bandwidth"]["bytesPerSecond"] / 1e6


def rates(*axes):
    return lambda runs: of_points(runs, axes, lambda run: {"rate": rate(run)})


def squid_numbers(runs):
    """Calls a second by processes, affinity, clients with their proxies, and direction."""
    joined = [Run(run.set | {"clients": f"{run.set['load.clients']} {run.set['client.with.proxy.assign']}"}, run.folder) for run in runs]
    return of_points(joined, ("labels.processes", "labels.affinity", "clients", "variant"), lambda run: summary(run)["measured"]["throughput"]["mean"])


def file_sizes_numbers(runs):
    """Rates by class of file, streams, sessions and commands ahead, in MB/s."""
    axes = ("labels.class", "client.with.parallelism", "client.with.concurrency", "client.with.pipelining")
    names = {"small": "8KiB", "medium": "1MiB", "large": "64MiB"}
    return {names[name]: points for name, points in of_points(runs, axes, rate).items()}


def flows_numbers(runs):
    """Of each dialogue of examples/tools/gridftp-flows.sh how often a command was sent, and most transfers that awaited their reply on one connection."""
    numbers = {}
    for name in ("server-to-server", "server-to-server-ahead", "server-to-client", "server-to-client-ahead"):
        counts, waiting, most = collections.Counter(), collections.Counter(), 0
        with open(os.path.join(runs[0].folder, name + ".txt"), encoding="utf-8") as file:
            for line in file:
                _, connection, sender, *words = line.split()
                if sender == "C>":
                    counts[words[0]] += 1
                    waiting[connection] += words[0] in ("STOR", "RETR")
                    most = max(most, waiting[connection])
                elif words[:1] == ["226"]:
                    waiting[connection] -= 1
        numbers[name] = {command: counts[command] for command in ("SIZE", "ALLO", "PASV", "STOR", "RETR")} | {"ahead": most}
    return numbers


# --- MicroGrid -------------------------------------------------------------------------------------------------------------------------

LOSS = "testbed.links.backbone.loss.rate"


def parallel_links_numbers(runs):
    """Of each point throughput, in MB/s, and skew, in seconds."""
    return of_points(runs, ("variant", LOSS), lambda run: {"throughput": summary(run)["bandwidth"]["bytesPerSecond"] / 1e6, "skew": summary(run)["metrics"]["skew"]["mean"] / 1e3})


def codes_numbers(runs):
    """Of each code its time over each network, in seconds."""
    named = [Run(run.set | {"code": run.set["labels.code"].partition(".")[0].upper()}, run.folder) for run in runs]
    return of_points(named, ("code", "variant"), lambda run: whole(run)["responseTime"]["mean"] / 1e3)


def windows_numbers(runs):
    """Of the tenths of a second but the first and last ten: what was acknowledged, in MB/s, and the teeth of the congestion window."""
    rows = [row for row in table(runs[0], "series.csv") if row["server.cwnd_segments"]][10:-10]
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


def sharing_numbers(runs):
    """Of each way how long reading all took, and over time, in steps of 5 s, what the server sends to the backbone and what departments' links carry, in Mbit/s."""
    numbers = {}
    for run in runs:
        seconds = table(run, "series.csv")
        rates = lambda part: [name for name in seconds[0] if name.startswith(f"server.network.{part}") and ".rate_" in name]
        central = [name for name in rates("central") if ".there." in name]
        if not central or not rates("lan"):
            raise NotARun(f"no rates of links in {run.folder}")
        megabits = lambda names: [mean(sum(float(second[name] or 0) for name in names) / 1e6 for second in seconds[at:at + BIN])
                                  for at in range(0, len(seconds) - BIN + 1, BIN)]
        numbers[run.set["variant"]] = {"seconds": len(seconds), "backbone": megabits(central), "lan": megabits(rates("lan"))}
    return dict(sorted(numbers.items()))


# --- iperf and the Network Weather Service ---------------------------------------------------------------------------------------------

# What a tool says itself of a call that was a probe; of a transfer it is its bytes by its time.
SAID = {"iperf": "rate (Mbit/s)", "NWS": "bandwidth (Mbit/s)"}


def quartiles(values):
    values = sorted(values)
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
    return {"q1": low, "median": middle, "q3": high}


def probed(folder):
    """Of each kind of call of a run: how many there were, throughput in Mbit/s, response time and overhead, Tt - Bt / Th, in seconds."""
    launcher = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "diperf")
    diperf = shlex.split(os.environ.get("DIPERF", shlex.quote(launcher)))
    exported = subprocess.run([*diperf, "export", folder, "--format", "csv", "--out", "-"], capture_output=True, text=True)
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


def probes_numbers(runs):
    """By place, near or far, what was probed."""
    far = lambda run: "far" in run.set.values() or "70ms" in run.set.values()
    return {"far" if far(run) else "near": probed(run.folder) for run in runs}


def levels(place, kind):
    """What a kind of transfer gets by size of file; sizes one after another that get the same within 3 % are one level, that of the largest."""
    found = []
    for name in of_tool(place, kind):
        size = name.partition("-")[2]
        if found and abs(middle(place, name) / middle(place, found[-1][-1]) - 1) < 0.03:
            found[-1] = (found[-1][0], size, name)
        else:
            found.append((size, size, name))
    return [(f"{kind} {least}" + (f" to {most}" if most != least else ""), name) for least, most, name in found]


def panels(study, n):
    """What examples/tools/Panels.java draws: lines of words with tabs between."""
    lines = []
    places = {"near": "nearby (0.1 ms)", "far": "from a distance (140 ms)"}
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
    kinds = [[kind] for kind in ("FTP", "GridFTP", "SCP")] if study in ("iperf-nws/05-near", "iperf-nws/06-far") else [["SCP"]]
    for place in n:
        for tool, of in (("iperf", "duration (s)"), ("NWS", "probe (bytes)")):
            line = lambda what: [f"line\t{tool}"] + [f"at\t{length(name)}\t{spread(n[place][name][what])}" for name in of_tool(n[place], tool)]
            for shown in kinds:
                lines.append(f"lines\t{tool} {places[place]}" + (f" and {shown[0]}" if len(kinds) > 1 else "") + f"\t{of}\t{whats['throughput']}")
                lines += line("throughput")
                lines += [f"level\t{words}\t{spread(n[place][name]['throughput'])}" for kind in shown for words, name in levels(n[place], kind)]
            if study == "iperf-nws/03-probes":
                # In proportion to the probe, which a logarithmic axis would not show.
                lines += [f"lines\t{tool} {places[place]}\t{of}\t{whats['overhead']}"] + line("overhead")
                lines += [f"proportions\t{tool} {places[place]}\t{of}\t{whats['response']}"] + line("response")
        for kind in ("FTP", "GridFTP", "SCP") if study in ("iperf-nws/05-near", "iperf-nws/06-far") else ():
            found = {tool: [(name, probe) for name in large_files(n[place], kind) if (probe := right_to_90_percent(n[place], tool, name))] for tool in ("iperf", "NWS")}
            # A panel without a line would say nothing.
            if any(found.values()):
                lines.append(f"lines\tshortest probe right to 90 % for {kind}\tfile (bytes)\tresponse time (s)")
            for tool in (tool for tool in found if found[tool]):
                lines.append(f"line\t{tool}")
                lines += [f"at\t{length(name)}\t{spread(n[place][probe]['response'])}" for name, probe in found[tool]]
    return lines


NUMBERS = {
    "diperf/03-clock-skew": skew_numbers,
    "diperf/06-time-server": time_server_numbers,
    "diperf/07-echo": echo_numbers,
    "diperf/08-gridftp-ganglia": ganglia_numbers,
    "diperf/08-gridftp-log": log_numbers,
    "diperf/10-gridftp": gridftp_load_numbers,
    "diperf/11-gridftp-machines": machines_numbers,
    "diperf/11-http-machines": machines_numbers,
    "diperf/13-gram": gram_numbers,
    "diperf/15-mds2": levels_numbers,
    "diperf/15-ws-mds": levels_numbers,
    "ws-mds/02-joins": joins_numbers,
    "ws-mds/06-lan-wan": ws_mds_numbers,
    "ws-mds/10-bubbles": machines_numbers,
    "ws-mds/table-1": experiments_numbers,
    "100gbps/01-squid": squid_numbers,
    "100gbps/03-gridftp-sizes": file_sizes_numbers,
    "100gbps/03-third-party": rates("testbed.links.line.latency", "variant", "labels.size"),
    "100gbps/04-command-flows": flows_numbers,
    "100gbps/05-classes": rates("variant", "labels.class"),
    "microgrid/03-parallel-codes": codes_numbers,
    "microgrid/04-file-sharing": sharing_numbers,
    "microgrid/07-streams": rates("variant", "client.with.parallelism"),
    "microgrid/08-windows": windows_numbers,
    "microgrid/10-buffers": rates("client.with.parallelism", "client.with.buffer"),
    "microgrid/11-parallel-links": parallel_links_numbers,
    "iperf-nws/01-defaults": probes_numbers,
    "iperf-nws/02-buffers": probes_numbers,
    "iperf-nws/03-probes": probes_numbers,
    "iperf-nws/04-copies": rates("testbed.links.line.latency", "variant", "labels.size"),
    "iperf-nws/05-near": lambda runs: {"near": probed(runs[0].folder)},
    "iperf-nws/06-far": lambda runs: {"far": probed(runs[0].folder)},
}


def of_source(study, source):
    """What is kept of a run, or would be: its trials, and the thresholds that were there before it."""
    if os.path.isfile(source):
        with open(source, encoding="utf-8") as file:
            return json.load(file)
    trials = numbers_of(study, source)
    record = source.rstrip("/") + ".thresholds.json"
    if os.path.exists(record):
        with open(record, encoding="utf-8") as file:
            return {"thresholds": json.load(file), "trials": trials}
    # A run that is not kept is held against the claims as they are.
    return {"thresholds": thresholds(study), "trials": trials}


def thresholds(study):
    return {claim["id"]: claim["frozen"] for claim in answers.of_study(study)}


def main(study, source=None, option=None):
    if source == "--thresholds":
        print(json.dumps(thresholds(study), indent=1))
        return 0
    kept = of_source(study, source)
    if option == "--numbers":
        print(json.dumps(kept, indent=1))
        return 0
    if option == "--panels":
        print("\n".join(panels(study, kept["trials"][0])))
        return 0
    found = [answers.Answer(claim, kept) for claim in answers.of_study(study)]
    for answer in found:
        claim = answer.claim
        print(f"{claim['id']}: {claim['claim']}\n    paper: {claim['paper']}\n    {claim['measure']}: {answer.here}, expected {answers.range_text(claim['holds'])}\n"
              f"    {claim['kind'] + ': ' if claim['kind'] == answers.EXTRA else ''}{answer.text}\n")
    print(answers.count(found))
    return 1 if any(answer.word == answers.DIFFERS and answer.claim["kind"] == answers.SHAPE for answer in found) else 0


def pages(option):
    if option == "--studies":
        print("\n".join(NUMBERS))
    elif option == "--freeze":
        answers.freeze()
    elif option == "--write":
        answers.write_pages()
    elif stale := answers.stale_pages():
        print(f"expected the tables of claims and numbers in docs, got others in {', '.join(stale)}: run examples/papers/shapes.py --write")
        return 1
    return 0


if __name__ == "__main__":
    words = sys.argv[1:]
    alone = words in (["--studies"], ["--freeze"], ["--write"], ["--check"])
    if not alone and (len(words) not in (2, 3) or words[0] not in NUMBERS or words[2:] not in ([], ["--numbers"], ["--panels"])):
        print(f"usage: shapes.py {'|'.join(NUMBERS)} RUN_DIR|NUMBERS.json|--thresholds [--numbers | --panels]\n       shapes.py --studies|--freeze|--write|--check", file=sys.stderr)
        sys.exit(2)
    try:
        sys.exit(pages(words[0]) if alone else main(*words))
    except (NotARun, OSError, KeyError, ValueError) as problem:
        print(f"shapes: expected a run of {words[0]} or its numbers, got {' '.join(words[1:2])}: {type(problem).__name__}: {problem}", file=sys.stderr)
        sys.exit(2)
