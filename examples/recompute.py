#!/usr/bin/env python3
"""Works out the numbers of a run anew, from its calls, and holds them against what DiPerF wrote.

    diperf export runs/latest --format csv
    python3 recompute.py runs/latest

Reads RUN_DIR/calls.csv (every call as it was measured) and, of run.json, the plan alone; shares no code with DiPerF and needs
nothing but Python 3. Compares with summary.json, clients.csv, requests.csv, testers.csv and series.csv. Counts, extremes, means,
deviations and quantiles of small sets must be the same to the last digit; sums of fractions to 1e-9; quantiles of larger sets, which
DiPerF keeps as histograms, within the error that docs/statistics.md states. Exit code 1 and a line each where they are not.

Left out: what is not made of calls alone (clocks, network round trips, the testers' own state), resampled intervals, models.
"""
import csv
import json
import math
import os
import sys
from collections import Counter, defaultdict, namedtuple

Call = namedtuple("Call", "start end lag response outcome tester client stage request bytes first metrics")
Span = namedtuple("Span", "begin end")

EXACT, ROUNDING = 0.0, 1e-9
# A number in a file has nine decimals.
LAST_DIGIT = 0.51e-9
# Values up to which a set is kept whole; beyond, each power of two is cut into 2^bits parts, in so many at most.
TOTAL, STAGE, QUANTUM, CLIENT = (10_000, 10, 65_536), (512, 9, 8_192), (128, 6, 1_024), (128, 6, 440)
CELLS = 960


class Check:
    """Counts comparisons, and prints those that fail."""

    def __init__(self):
        self.compared, self.failed, self.worst = Counter(), 0, defaultdict(float)

    def same(self, name, theirs, ours, allowed=EXACT):
        grade = "exact" if allowed == EXACT else "rounding" if allowed <= ROUNDING else "sketched"
        self.compared[grade] += 1
        if theirs is None or ours is None or isinstance(ours, (str, dict, bool)):
            good = theirs == ours
        else:
            apart = abs(theirs - ours)
            off = 0.0 if apart <= LAST_DIGIT else apart / max(abs(ours), 1e-300)
            self.worst[grade] = max(self.worst[grade], off)
            good = off <= allowed
        if not good:
            self.failed += 1
            print(f"{name}: DiPerF has {theirs}, the calls give {ours}")


def read_calls(path):
    calls = []
    with open(path, newline="") as file:
        rows = csv.DictReader(file)
        own = rows.fieldnames[13:]
        for row in rows:
            start, response = int(row["intended_ns"]), int(row["response_ns"])
            metrics = {name: float(row[name]) for name in own if row[name] != ""}
            calls.append(Call(start, max(0, start + response), int(row["send_lag_ns"]), response, row["outcome"],
                              int(row["tester"]), int(row["client"]), int(row["stage"]), row["request"],
                              int(row["bytes"]), row["first"] == "1", metrics))
    return calls, own


def is_ok(call):
    return call.outcome == "ok"


def is_failed(call):
    return call.outcome not in ("ok", "dropped", "unfinished")


def ranked(ordered, per_mille):
    """The value of rank ceil(q n), in whole numbers."""
    return ordered[max(1, -(-per_mille * len(ordered) // 1000)) - 1]


def error(values, kept):
    """How far a quantile of a set that is kept in so many parts may be off: half a part, which grows with the range."""
    whole, bits, parts = kept
    if len(values) <= whole:
        return EXACT
    place = lambda value: value if value < 1 << bits else (1 + math.log2(value / (1 << bits))) * (1 << bits)
    while (place(max(values)) - place(max(0, min(values)))) * 1.1 > parts:
        bits -= 1
    return 2.0 ** -(bits + 1) * 1.001


def statistics(values):
    ordered = sorted(max(0, value) for value in values)
    n, total = len(ordered), sum(ordered)
    squares = n * sum(value * value for value in ordered) - total * total
    milli = lambda nanos: nanos / 1e6
    return {"count": n, "min": milli(ordered[0]), "mean": total / n / 1e6, "stddev": math.sqrt(squares) / n / 1e6,
            "p50": milli(ranked(ordered, 500)), "p90": milli(ranked(ordered, 900)), "p95": milli(ranked(ordered, 950)),
            "p99": milli(ranked(ordered, 990)), "p999": milli(ranked(ordered, 999)), "max": milli(ordered[-1])}


def times(check, name, theirs, values, kept):
    if not values:
        check.same(name, theirs, None)
        return
    if theirs is None:
        check.same(name, None, "times of %d calls" % len(values))
        return
    ours = statistics(values)
    for key, value in ours.items():
        check.same(f"{name}.{key}", theirs[key], value, error(values, kept) if key.startswith("p") else EXACT)


def counts(check, name, theirs, calls):
    outcomes = Counter(call.outcome for call in calls if is_ok(call) or is_failed(call))
    ours = {"total": sum(outcomes.values()), "ok": outcomes["ok"], "failed": sum(map(is_failed, calls)),
            "timedOut": outcomes["timeout"], "dropped": sum(call.outcome == "dropped" for call in calls),
            "unfinished": sum(call.outcome == "unfinished" for call in calls),
            "bytes": sum(call.bytes for call in calls if is_ok(call))}
    ours["sent"] = ours["total"] + ours["unfinished"]
    for key, value in ours.items():
        check.same(f"{name}.{key}", theirs[key], value)
    check.same(f"{name}.outcomes", theirs["outcomes"], {word: n for word, n in outcomes.items() if n})


def throughput(check, name, theirs, ends, span, quantum):
    """Mean over the span; median, least and most over the whole quanta within it."""
    inside = [end for end in ends if span.begin <= end < span.end]
    check.same(f"{name}.mean", theirs["mean"], len(inside) * 1e9 / (span.end - span.begin))
    first, last = -(-span.begin // quantum), span.end // quantum
    if last <= first:
        check.same(f"{name}.median", theirs.get("median"), None)
        return
    by_quantum = Counter(end // quantum for end in inside)
    whole = sorted(by_quantum[i] for i in range(first, last))
    seconds = quantum / 1e9
    check.same(f"{name}.min", theirs["min"], whole[0] / seconds)
    check.same(f"{name}.max", theirs["max"], whole[-1] / seconds)
    middle = (whole[(len(whole) - 1) // 2] + whole[len(whole) // 2]) / 2
    check.same(f"{name}.median", theirs["median"], middle / seconds)


def first_clients(run):
    return {share["group"]: share["firstClient"] for share in run.get("shares") or []}


def stage_spans(run):
    """Begin and end of each stage, and when its numbers count from."""
    spans, stages = [], run["stages"]
    for i, stage in enumerate(stages):
        follows = i + 1 < len(stages) and stages[i + 1].get("group") == stage.get("group")
        end = min(stage["endNanos"], stages[i + 1]["startNanos"]) if follows else stage["endNanos"]
        settled = (stage.get("level") or {}).get("settledNanos")
        spans.append((Span(stage["startNanos"], end), settled))
    return spans


def client_spans(run):
    """When each client of closed load was active, by the plan: begin and end, again and again."""
    firsts, active = first_clients(run), defaultdict(list)
    for stage, (span, _) in zip(run["stages"], stage_spans(run)):
        load = stage["load"]
        if not load or load["model"] != "closed":
            continue
        lives = load["lives"]
        for i in range(load["clients"]):
            if lives["kind"] == "staggered":
                begin = i * lives["startEveryNanos"]
                end = begin + lives["runForNanos"]
            else:
                # The number of clients moves evenly from one value to another.
                come, stay, lasts = lives["from"], lives["to"], lives["forNanos"]
                begin = 0 if i < come else int(lasts * (i - come) / (stay - come))
                end = lasts if i < stay else int(lasts * (come - i) / (come - stay))
            begin, end = span.begin + begin, min(span.end, span.begin + end)
            spans = active[firsts.get(stage.get("group"), 0) + i]
            if spans and spans[-1].end >= begin:
                spans[-1] = Span(spans[-1].begin, max(end, spans[-1].end))
            elif begin < end:
                spans.append(Span(begin, end))
    return active


def peak(run, active, calls):
    """The longest time in which all clients are active; of levels the settled part of the best one."""
    levels = [(stage, span, settled) for stage, (span, settled) in zip(run["stages"], stage_spans(run)) if stage.get("level")]
    if levels:
        any_settled = any(settled is not None for _, _, settled in levels)
        best, most = None, 0.0
        for stage, span, settled in levels:
            if any_settled and settled is None:
                continue
            part = Span(span.begin if settled is None else settled, span.end)
            rate = sum(is_ok(call) and part.begin <= call.end < part.end for call in calls) / (part.end - part.begin)
            value = stage["level"]["value"]
            same = abs(rate - most) <= 0.01 * most
            if best is None or (value < best[0] if same else rate > most):
                best, most = (value, part), max(most, rate)
        return best[1]
    edges = sorted({edge for spans in active.values() for span in spans for edge in span})
    whole = [Span(begin, end) for begin, end in zip(edges, edges[1:])
             if all(any(span.begin <= begin and end <= span.end for span in spans) for spans in active.values())]
    return max(whole, key=lambda span: (span.end - span.begin, -span.begin), default=None)


def student_t(degrees):
    """The two-sided 95 % point, by integrating the density."""
    scale = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(degrees * math.pi)
    density = lambda x: scale * (1 + x * x / degrees) ** (-(degrees + 1) / 2)
    low, high = 0.0, 20.0
    for _ in range(60):
        middle, n = (low + high) / 2, 2000
        step = middle / n
        area = sum(density(i * step) * (1 if i in (0, n) else 4 if i % 2 else 2) for i in range(n + 1)) * step / 3
        low, high = (middle, high) if area < 0.475 else (low, middle)
    return (low + high) / 2


def autocorrelation(values):
    mean = sum(values) / len(values)
    squares = sum((value - mean) ** 2 for value in values)
    return sum((a - mean) * (b - mean) for a, b in zip(values, values[1:])) / squares if squares else 0.0


def batch_means(above, below, calls):
    """Middle and half width of the interval of a ratio by batch means; None where the data do not carry it."""
    ratio = sum(above) / sum(below)
    residuals = [a - ratio * b for a, b in zip(above, below)]
    join = lambda k: [sum(residuals[i * (CELLS // k):(i + 1) * (CELLS // k)]) for i in range(k)]
    sizes = [960, 480, 240, 120, 60, 30]
    fit = next((k for k in sizes if calls >= 10 * k and autocorrelation(join(k)) < 0.1), None)
    if calls < 300 or fit is None:
        return None
    for k in sizes[min(len(sizes) - 1, sizes.index(fit) + 2):]:
        batches = join(k)
        if autocorrelation(batches) < 0.1 + 1.645 / math.sqrt(k):
            deviation = math.sqrt(sum(value * value for value in batches) * k / (k - 1))
            return ratio, student_t(k - 1) * deviation / sum(below)
    return None


def interval(check, name, theirs, ours, factor):
    """DiPerF moves ends outwards to the place of the second digit of half the width."""
    if ours is None or theirs is None:
        check.same(name, theirs, ours)
        return
    middle, half = ours[0] * factor, ours[1] * factor
    unit = 10.0 ** (math.floor(math.log10(half)) - 1)
    for end, exact in (("low", middle - half), ("high", middle + half)):
        within = 0 <= (exact - theirs[end] if end == "low" else theirs[end] - exact) + 1e-6 * unit <= 1.00001 * unit
        check.same(f"{name}.{end} {theirs[end]} for {exact}", within, True)


def certainty(check, name, theirs, calls, span):
    cells = lambda: [0.0] * CELLS
    sums, number, seconds = cells(), cells(), [(span.end - span.begin) / 1e9 / CELLS] * CELLS
    for call in calls:
        cell = min(CELLS - 1, int((call.end - span.begin) * (CELLS / (span.end - span.begin))))
        sums[cell] += call.response
        number[cell] += 1
    interval(check, f"{name}.throughput", theirs.get("throughput"), batch_means(number, seconds, len(calls)), 1)
    interval(check, f"{name}.responseTime.mean", (theirs.get("responseTime") or {}).get("mean"),
             batch_means(sums, number, len(calls)), 1e-6)


def littles_law(check, name, theirs, calls, span, clients):
    if theirs is None or not clients:
        return
    ended = [call for call in calls if is_ok(call) or is_failed(call)]
    rate = len(ended) / ((span.end - span.begin) / 1e9)
    time = sum(call.response for call in ended) / len(ended) / 1e6
    check.same(f"{name}.perSecond", theirs["perSecond"], rate, ROUNDING)
    check.same(f"{name}.timeMillis", theirs["timeMillis"], time, ROUNDING)
    product = rate * (time + theirs["thinkMillis"]) / 1e3
    check.same(f"{name}.product", theirs["product"], product, ROUNDING)
    check.same(f"{name}.counted", theirs["counted"], float(clients))
    check.same(f"{name}.holds", theirs["holds"], abs(product / clients - 1) * 100 <= theirs["allowedPercent"])


def window(check, name, theirs, calls, span, quantum, clients):
    inside = [call for call in calls if span.begin <= call.end < span.end]
    ok = [call for call in inside if is_ok(call)]
    sent = [call for call in inside if call.outcome != "dropped"]
    check.same(f"{name}.fromSeconds", theirs["fromSeconds"], span.begin / 1e9)
    check.same(f"{name}.toSeconds", theirs["toSeconds"], span.end / 1e9)
    counts(check, f"{name}.calls", theirs["calls"], inside)
    throughput(check, f"{name}.throughput", theirs["throughput"], [call.end for call in ok], span, quantum)
    times(check, f"{name}.responseTime", theirs.get("responseTime"), [call.response for call in ok], TOTAL)
    times(check, f"{name}.responseTimeFailed", theirs.get("responseTimeFailed"),
          [call.response for call in inside if is_failed(call)], TOTAL)
    times(check, f"{name}.serviceTime", theirs.get("serviceTime"), [call.response - call.lag for call in ok], TOTAL)
    times(check, f"{name}.sendLag", theirs.get("sendLag"), [call.lag for call in sent], TOTAL)
    if theirs.get("confidence"):
        certainty(check, f"{name}.confidence", theirs["confidence"], ok, span)
    littles_law(check, f"{name}.littlesLaw", theirs.get("littlesLaw"), inside, span, clients)


def fairness(check, name, theirs, shares):
    n, total = len(shares), sum(shares)
    mean = total / n
    deviation = math.sqrt(sum((share - mean) ** 2 for share in shares) / n)
    ordered = sorted(shares)
    check.same(f"{name}.clients", theirs["clients"], n)
    check.same(f"{name}.utilisationStddev", theirs["utilisationStddev"], deviation, ROUNDING)
    check.same(f"{name}.jain", theirs["jain"], total * total / (n * sum(share * share for share in shares)), ROUNDING)
    check.same(f"{name}.coefficientOfVariation", theirs["coefficientOfVariation"], deviation / mean, ROUNDING)
    if ordered[0] > 0:
        check.same(f"{name}.maxToMin", theirs["maxToMin"], ordered[-1] / ordered[0], ROUNDING)
        check.same(f"{name}.p99ToP50", theirs["p99ToP50"], ranked(ordered, 990) / ranked(ordered, 500), ROUNDING)


def stages(check, run, theirs, calls, quantum):
    firsts = [stage.get("group") for stage in run["stages"]]
    for number, (span, settled) in enumerate(stage_spans(run)):
        name, stage = f"stages[{number}]", theirs[number]
        part = Span(span.begin if settled is None else settled, span.end)
        own = [call for call in calls if call.stage == number and (settled is None or call.start >= settled)]
        ok = [call for call in own if is_ok(call)]
        group = {i for i, of in enumerate(firsts) if of == firsts[number]}
        counts(check, f"{name}.calls", stage["calls"], own)
        throughput(check, f"{name}.throughput", stage["throughput"],
                   [call.end for call in calls if is_ok(call) and call.stage in group], part, quantum)
        times(check, f"{name}.responseTime", stage.get("responseTime"), [call.response for call in ok], STAGE)
        times(check, f"{name}.serviceTime", stage.get("serviceTime"), [call.response - call.lag for call in ok], STAGE)
        times(check, f"{name}.sendLag", stage.get("sendLag"), [call.lag for call in own if call.outcome != "dropped"], STAGE)
        littles_law(check, f"{name}.littlesLaw", stage.get("littlesLaw"), own, part, stage.get("clients"))


def groups(check, run, theirs, calls, duration, quantum):
    ok_all = sum(map(is_ok, calls))
    for share in run.get("shares") or []:
        if share["group"] not in theirs:
            continue
        numbers = range(share["firstClient"], share["firstClient"] + share["clients"])
        own, group, name = [call for call in calls if call.client in numbers], theirs[share["group"]], f"groups.{share['group']}"
        ok = [call for call in own if is_ok(call)]
        counts(check, f"{name}.calls", group["calls"], own)
        check.same(f"{name}.share", group["share"], len(ok) / ok_all)
        throughput(check, f"{name}.throughput", group["throughput"], [min(call.end, duration - 1) for call in ok],
                   Span(0, duration), quantum)
        times(check, f"{name}.responseTime", group.get("responseTime"), [call.response for call in ok], TOTAL)


def client_side(check, theirs, calls, span, own):
    """Payload, first calls of connections, and the clients' own metrics, over the measured part."""
    ok = [call for call in calls if is_ok(call) and span.begin <= call.end < span.end]
    moved = sum(call.bytes for call in ok) * 1e9 / (span.end - span.begin)
    check.same("bandwidth.bytesPerSecond", (theirs.get("bandwidth") or {}).get("bytesPerSecond"), moved or None, ROUNDING)
    first, later = ([call.response for call in ok if call.first == which] for which in (True, False))
    both = bool(first and later)
    times(check, "firstCalls", theirs.get("firstCalls"), first if both else [], TOTAL)
    # Extremes of the later ones may be known from a histogram alone.
    ours, said = statistics(later) if both else None, theirs.get("laterCalls")
    check.same("laterCalls.count", said and said["count"], ours and ours["count"])
    for key in ours or ():
        exact = key in ("count", "mean", "stddev") or len(ok) <= TOTAL[0]
        check.same(f"laterCalls.{key}", said[key], ours[key], EXACT if exact else error([call.response for call in ok], TOTAL))
    for column in own:
        name, values = column.split(" (")[0], sorted(call.metrics[column] for call in ok if column in call.metrics)
        metric = (theirs.get("metrics") or {}).get(name)
        if not values:
            check.same(f"metrics.{name}", metric, None)
            continue
        allowed = EXACT if len(values) <= 1000 else 2.0 ** -11 * 1.001
        check.same(f"metrics.{name}.count", metric["count"], len(values))
        check.same(f"metrics.{name}.mean", metric["mean"], math.fsum(values) / len(values), ROUNDING)
        for key, value in (("min", values[0]), ("max", values[-1])):
            check.same(f"metrics.{name}.{key}", metric[key], value)
        for key in ("p50", "p90", "p95", "p99"):
            check.same(f"metrics.{name}.{key}", metric[key], ranked(values, int(key[1:]) * 10), allowed)


def rows(folder, name):
    with open(os.path.join(folder, name), newline="") as file:
        return list(csv.DictReader(file))


def cell(check, name, text, ours, allowed=EXACT):
    check.same(name, float(text) if text else None, ours, allowed)


def column_times(check, name, row, values, keys, kept):
    ours = statistics(values) if values else {}
    for key, column in keys.items():
        cell(check, f"{name}.{column}", row[column], ours.get(key), error(values, kept) if key.startswith("p") else EXACT)


def clients(check, folder, run, calls, active, part):
    peak_ok = [call for call in calls if part and is_ok(call) and part.begin <= call.end < part.end]
    ok = sorted((call.end, call.client) for call in calls if is_ok(call))
    shares, by_client = [], defaultdict(list)
    for call in calls:
        by_client[call.client].append(call)
    for row in rows(folder, "clients.csv"):
        number = int(row["client"])
        name, own = f"clients.csv {number}", by_client[number]
        good = [call for call in own if is_ok(call)]
        cell(check, f"{name}.ok", row["ok"], len(good))
        cell(check, f"{name}.failed", row["failed"], sum(map(is_failed, own)))
        cell(check, f"{name}.bytes", row["bytes"], sum(call.bytes for call in good))
        column_times(check, name, row, [call.response for call in good],
                     {"mean": "response_mean_ms", "p50": "response_p50_ms", "p99": "response_p99_ms"}, CLIENT)
        spans = active.get(number, [])
        if spans:
            during = [client for end, client in ok if any(span.begin <= end < span.end for span in spans)]
            cell(check, f"{name}.utilisation", row["utilisation"], during.count(number) / len(during) if during else None)
            if part and any(span.begin <= part.begin and part.end <= span.end for span in spans):
                shares.append(sum(call.client == number for call in peak_ok) / len(peak_ok))
                cell(check, f"{name}.peak_utilisation", row["peak_utilisation"], shares[-1])
    return shares


def others(check, folder, calls, duration):
    for row in rows(folder, "requests.csv"):
        own = [call for call in calls if call.request == row["request"]]
        good = [call for call in own if is_ok(call)]
        cell(check, f"requests.csv {row['request']}.failed", row["failed"], sum(map(is_failed, own)))
        cell(check, f"requests.csv {row['request']}.rate", row["throughput_per_s"], len(good) * 1e9 / duration)
        column_times(check, f"requests.csv {row['request']}", row, [call.response for call in good],
                     {"count": "ok", "mean": "response_mean_ms", "p50": "response_p50_ms", "p95": "response_p95_ms",
                      "p99": "response_p99_ms", "p999": "response_p999_ms", "max": "response_max_ms"}, TOTAL)
    for row in rows(folder, "testers.csv"):
        own = [call for call in calls if call.tester == int(row["tester"])]
        cell(check, f"testers.csv {row['tester']}.ok", row["ok"], sum(map(is_ok, own)))
        cell(check, f"testers.csv {row['tester']}.calls", row["calls"], sum(is_ok(c) or is_failed(c) for c in own))


def overlaps(spans, size, quantum):
    """Nanoseconds of all spans in each quantum."""
    within = [0] * size
    for begin, end in spans:
        for i in range(begin // quantum, min(size, -(-end // quantum))):
            within[i] += max(0, min(end, (i + 1) * quantum) - max(begin, i * quantum))
    return within


def series(check, folder, calls, active, duration, quantum):
    table = rows(folder, "series.csv")
    check.same("series.csv rows", len(table), -(-duration // quantum))
    size = len(table)
    place = lambda at: min(size - 1, max(0, at) // quantum)
    ok, lags, failed = defaultdict(list), defaultdict(list), Counter()
    for call in calls:
        if call.outcome == "dropped":
            continue
        lags[place(min(call.start + call.lag, call.end))].append(call.lag)
        if is_ok(call):
            ok[place(call.end)].append(call)
        failed[place(call.end)] += is_failed(call)
    busy = overlaps([(max(0, c.start + c.lag), c.end) for c in calls if c.outcome != "dropped"], size, quantum)
    there = overlaps([(s.begin, min(duration, s.end)) for spans in active.values() for s in spans], size, quantum)
    for i, row in enumerate(table):
        name, here, width = f"series.csv {i}", ok[i], min(quantum, duration - i * quantum)
        cell(check, f"{name}.time", row["time_s"], i * quantum / 1e9)
        cell(check, f"{name}.throughput", row["throughput_per_s"], len(here) * 1e9 / quantum)
        cell(check, f"{name}.failed", row["failed_per_s"], failed[i] * 1e9 / quantum)
        cell(check, f"{name}.bytes", row["bytes_per_s"], sum(call.bytes for call in here) * 1e9 / quantum)
        cell(check, f"{name}.inFlight", row["inFlight"], busy[i] / width, ROUNDING)
        if active:
            cell(check, f"{name}.activeClients", row["activeClients"], there[i] / width, ROUNDING)
        column_times(check, name, row, [call.response for call in here],
                     {"mean": "response_mean_ms", "p50": "response_p50_ms", "p99": "response_p99_ms",
                      "max": "response_max_ms"}, QUANTUM)
        column_times(check, name, row, lags[i], {"p99": "lag_p99_ms"}, QUANTUM)


def main(folder):
    load = lambda name: json.load(open(os.path.join(folder, name), encoding="utf-8"))
    run, summary = load("run.json"), load("summary.json")
    calls, own = read_calls(os.path.join(folder, "calls.csv"))
    if any(tester.get("lostNanos") is not None for tester in run["testers"]):
        sys.exit("recompute: expected a run that lost no tester")
    check = Check()
    quantum = run["report"]["quantumNanos"]
    duration = max(max(call.end for call in calls), max(stage["endNanos"] for stage in run["stages"]))
    while -(-duration // quantum) > 4096:
        quantum *= 2
    check.same("durationSeconds", summary["durationSeconds"], duration / 1e9)
    active = client_spans(run)
    part = peak(run, active, calls) if active else None
    ok = [call for call in calls if is_ok(call)]
    counts(check, "calls", summary["calls"], calls)
    # The last call of all may end the run.
    throughput(check, "throughput", summary["throughput"], [min(call.end, duration - 1) for call in ok],
               Span(0, duration), quantum)
    times(check, "responseTime", summary.get("responseTime"), [call.response for call in ok], TOTAL)
    times(check, "responseTimeFailed", summary.get("responseTimeFailed"),
          [call.response for call in calls if is_failed(call)], TOTAL)
    times(check, "serviceTime", summary.get("serviceTime"), [call.response - call.lag for call in ok], TOTAL)
    times(check, "sendLag", summary.get("sendLag"), [call.lag for call in calls if call.outcome != "dropped"], TOTAL)
    if part:
        all_through = sum(any(s.begin <= part.begin and part.end <= s.end for s in spans) for spans in active.values())
        window(check, "peak", summary["peak"], calls, part, quantum, all_through)
        check.same("peak.clients", summary["peak"]["clients"], all_through)
        if run["measure"]["window"] == "peak" and not run["measure"].get("skipNanos"):
            window(check, "measured", summary["measured"], calls, part, quantum, all_through)
            client_side(check, summary, calls, part, own)
    if summary.get("stages"):
        stages(check, run, summary["stages"], calls, quantum)
    groups(check, run, summary.get("groups") or {}, calls, duration, quantum)
    shares = clients(check, folder, run, calls, active, part)
    if summary.get("fairness"):
        fairness(check, "fairness", summary["fairness"], shares)
    others(check, folder, calls, duration)
    series(check, folder, calls, active, duration, quantum)
    total = sum(check.compared.values())
    print(f"{len(calls)} calls, {total} numbers compared, {check.failed} differ: {check.compared['exact']} to the last digit,"
          f" {check.compared['rounding']} within 1e-9 (worst {check.worst['rounding']:.1e}),"
          f" {check.compared['sketched']} quantiles of histograms within their error (worst {check.worst['sketched']:.2%})")
    return 1 if check.failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: recompute.py RUN_DIR, after 'diperf export RUN_DIR --format csv'")
    sys.exit(main(sys.argv[1]))
