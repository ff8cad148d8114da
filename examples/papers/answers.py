"""Claims of the papers, what runs say to them, and docs/papers.md and docs/claims.md, which show both.

A claim is declared before the run that answers it: in claims/PAPER.json, with its statistic, an expression over the numbers of one trial, and
the range that it must have. `frozen` is a hash of these; numbers that are kept record the hash that was there before their run. docs/claims.md
gives the rules.
"""
import hashlib
import json
import math
import os
import re
import statistics

HERE = os.path.dirname(os.path.abspath(__file__))
DOCS = os.path.join(os.path.dirname(os.path.dirname(HERE)), "docs")
PAPERS = {"diperf": "DiPerF", "ws-mds": "WS-MDS", "100gbps": "A 100 Gbit/s testbed", "microgrid": "MicroGrid", "iperf-nws": "iperf and the Network Weather Service"}
SHAPE, EXTRA = "shape", "not in the paper"
AGREES, DIFFERS, UNDECIDED, NOT_RUN = "agrees", "differs", "undecided", "not run"
STATES = {"R": "real", "S": "stub", "P": "partly", "M": "missing"}

# Student's t for an interval of 95 %, by degrees of freedom; beyond, that of the last.
T = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086]
FEWEST_FOR_A_MEDIAN = 5


class NotARun(Exception):
    """The files are not those of a run of the study, or the claims are not as frozen."""


class Interval:
    """A value with the range in which it lies; arithmetic gives the widest range of the result."""

    def __init__(self, low, value, high):
        self.low, self.value, self.high = low, value, high

    @staticmethod
    def of(value):
        return value if isinstance(value, Interval) else Interval(value, value, value)

    def _with(self, other, operation):
        other = Interval.of(other)
        corners = [operation(a, b) for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(min(corners), operation(self.value, other.value), max(corners))

    def __add__(self, other):
        return self._with(other, lambda a, b: a + b)

    def __sub__(self, other):
        return self._with(other, lambda a, b: a - b)

    def __mul__(self, other):
        return self._with(other, lambda a, b: a * b)

    def __truediv__(self, other):
        other = Interval.of(other)
        if other.low <= 0 <= other.high:
            # The divisor may be nothing, so the quotient may be anything.
            return Interval(-math.inf, self.value / other.value if other.value else math.inf, math.inf)
        return self._with(other, lambda a, b: a / b)

    __radd__ = __add__
    __rmul__ = __mul__

    def __rtruediv__(self, other):
        return Interval.of(other) / self


def size(value):
    """The absolute value."""
    value = Interval.of(value)
    least = 0 if value.low <= 0 <= value.high else min(abs(value.low), abs(value.high))
    return Interval(least, abs(value.value), max(abs(value.low), abs(value.high)))


def extreme(choose, values):
    values = [Interval.of(value) for value in values]
    return Interval(choose(v.low for v in values), choose(v.value for v in values), choose(v.high for v in values))


def median_of(n, spread):
    """A median with the interval that its quartiles give: 1.57 IQR / sqrt(n) (McGill, Tukey, Larsen 1978)."""
    if n < FEWEST_FOR_A_MEDIAN:
        return spread["median"]
    half = 1.57 * (spread["q3"] - spread["q1"]) / math.sqrt(n)
    return Interval(spread["median"] - half, spread["median"], spread["median"] + half)


class Numbers:
    """What the statistic of a claim may call, over the numbers of one trial."""

    def __init__(self, numbers, spread=None):
        self.numbers, self.spread = numbers, spread

    def _at(self, path):
        at, above = self.numbers, None
        for name in path.split("/") if path else []:
            above, at = at, at[name]
        return at, above

    def v(self, path):
        """The number at a path: a median gets the interval of its quartiles, and all get the spread that is known of the trials."""
        at, above = self._at(path)
        if isinstance(at, dict):
            return median_of(above["n"], at)
        return Interval(at * (1 - self.spread), at, at * (1 + self.spread)) if self.spread else at

    def keys(self, path=""):
        return list(self._at(path)[0])

    def each(self, path):
        """Numbers at all paths of a pattern, in which * is any name."""
        paths = [""]
        for part in path.split("/"):
            paths = [f"{base}/{name}".lstrip("/") for base in paths for name in (self.keys(base) if part == "*" else [part])]
        return [self.v(each) for each in paths]

    def series(self, path):
        return self._at(path)[0]

    def quickest(self, place):
        """Of the transfers of 2 MB and more that probes of both tools are right about within 10 %, the share for which iperf's shortest such probe takes less time."""
        found = self.numbers[place]
        surely, likely, possibly, of = 0, 0, 0, 0
        for transfer in (name for kind in ("FTP", "GridFTP", "SCP") for name in large_files(found, kind)):
            probes = [right_to_90_percent(found, tool, transfer) for tool in ("iperf", "NWS")]
            if all(probes):
                iperf, nws = (Interval.of(self.v(f"{place}/{probe}/response")) for probe in probes)
                of += 1
                surely += iperf.high < nws.low
                likely += iperf.value < nws.value
                possibly += iperf.low < nws.high
        return Interval(surely / of, likely / of, possibly / of)

    def evaluate(self, statistic):
        names = {"v": self.v, "each": self.each, "keys": self.keys, "series": self.series, "quickest": self.quickest, "size": size,
                 "highest": lambda values: extreme(max, values), "lowest": lambda values: extreme(min, values), "mean": mean_of,
                 "steps": lambda values: [more / less for less, more in zip(values, values[1:])],
                 # The last steps of a series have fewer and fewer clients.
                 "late": lambda values: values[len(values) // 2:len(values) * 9 // 10]}
        return eval(statistic, {"__builtins__": {}} | names)  # An expression of this repository's files.


def mean_of(values):
    values = list(values)
    if not values:
        raise NotARun("no second of the run has the clients that the study asks for")
    return sum(values) / len(values)


def length(name):
    """Seconds of iperf, or bytes."""
    text = name.partition("-")[2]
    for unit, factor in (("KiB", 1 << 10), ("MiB", 1 << 20), ("KB", 1e3), ("MB", 1e6), ("GB", 1e9), ("ms", 1e-3), ("s", 1)):
        if text.endswith(unit):
            return float(text[:-len(unit)]) * factor
    raise NotARun(f"expected a length in {name}")


def of_tool(place, tool):
    """Names of a tool's calls, the shortest first."""
    return sorted((name for name in place if name.startswith(tool + "-")), key=length)


def large_files(place, kind):
    """Transfers of files that a probe may predict: of smaller ones, login is most."""
    return [name for name in of_tool(place, kind) if length(name) > 2e6]


def middle(place, name, what="throughput"):
    return place[name][what]["median"]


def right_to_90_percent(place, tool, transfer):
    """Of a tool's probes the shortest that promises what a transfer gets, within 10 %; None: there is none."""
    truth = middle(place, transfer)
    return next((name for name in of_tool(place, tool) if abs(middle(place, name) / truth - 1) <= 0.1), None)


# --- Claims --------------------------------------------------------------------------------------------------------------------------


def hash_of(claim):
    """What is frozen of a claim: words may be improved later, what decides may not."""
    frozen = [claim["id"], claim["study"], claim["kind"], claim["statistic"], claim["holds"], claim.get("exact", False), claim.get("despite load", False)]
    return hashlib.sha256(json.dumps(frozen).encode()).hexdigest()[:12]


def claims_of(paper):
    path = os.path.join(HERE, "claims", paper + ".json")
    with open(path, encoding="utf-8") as file:
        claims = json.load(file)
    for claim in claims:
        if claim.get("frozen") != hash_of(claim):
            raise NotARun(f"what decides claim {claim['id']} is not as frozen: run shapes.py --freeze, and then {claim['study']} again")
    return claims


def freeze():
    for paper in PAPERS:
        path = os.path.join(HERE, "claims", paper + ".json")
        with open(path, encoding="utf-8") as file:
            claims = json.load(file)
        for claim in claims:
            claim["frozen"] = hash_of(claim)
        with open(path, "w", encoding="utf-8") as file:
            file.write("[\n" + ",\n".join(json.dumps(claim, ensure_ascii=False, indent=1) for claim in claims) + "\n]\n")


def of_study(study):
    return [claim for claim in claims_of(study.partition("/")[0]) if claim["study"] == study]


def kept_of(study):
    """The numbers that are kept of a study; None: it has not been run with claims."""
    path = os.path.join(HERE, "shapes", study + ".json")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return json.load(file)


class Answer:
    """What trials say to a claim: `word` is one of agrees, differs, undecided, not run; `why` of undecided; `here` the statistic."""

    def __init__(self, claim, kept):
        self.claim, self.why, self.here = claim, "", ""
        if kept is None:
            self.word = NOT_RUN
            return
        try:
            values = [Numbers(numbers, kept.get("spread")).evaluate(claim["statistic"]) for numbers in kept["trials"]]
        except (KeyError, ZeroDivisionError, TypeError, IndexError) as problem:
            raise NotARun(f"the numbers of {claim['study']} lack what {claim['id']} takes: {problem!r}") from problem
        interval = self._interval(values)
        self.here = number(interval.value)
        if len(values) > 1 or interval.low < interval.high:
            self.here += f" [{number(interval.low)}, {number(interval.high)}]"
        elif not claim.get("exact"):
            self.word, self.why = UNDECIDED, "one trial"
            return
        low, high = (bound if bound is not None else math.copysign(math.inf, sign) for bound, sign in zip(claim["holds"], (-1, 1)))
        if low <= interval.low and interval.high <= high:
            self.word = AGREES
        elif interval.high < low or high < interval.low:
            self.word = DIFFERS
        else:
            self.word = UNDECIDED
        if not (kept.get("quiet", True) or claim.get("exact") or self.word == AGREES and claim.get("despite load")):
            # Other programs had the processors, which may be what decided.
            self.word, self.why = UNDECIDED, "busy machine"
        elif self.word == AGREES and kept.get("thresholds", {}).get(claim["id"]) != claim["frozen"]:
            self.word, self.why = UNDECIDED, "threshold newer than the run"

    @staticmethod
    def _interval(values):
        if len(values) == 1:
            return Interval.of(values[0])
        centres = [Interval.of(value).value for value in values]
        mean = statistics.fmean(centres)
        half = T[min(len(values) - 1, len(T)) - 1] * statistics.stdev(centres) / math.sqrt(len(values))
        return Interval(mean - half, mean, mean + half)

    @property
    def text(self):
        return f"{self.word} ({self.why})" if self.why else self.word


def number(value):
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"


def range_text(holds):
    low, high = holds
    if low == high:
        return f"exactly {low:g}"
    return f"at most {high:g}" if low is None else f"at least {low:g}" if high is None else f"{low:g} to {high:g}"


def answers_of(paper):
    kept = {}
    for claim in claims_of(paper):
        study = claim["study"]
        kept.setdefault(study, kept_of(study))
        yield Answer(claim, kept[study])


def count(answers):
    """How many claims have which answer; those that are not in the paper apart."""
    answers = list(answers)
    shapes = [answer.word for answer in answers if answer.claim["kind"] == SHAPE]
    words = [(shapes.count(AGREES), "agree"), (shapes.count(DIFFERS), "differ"), (shapes.count(UNDECIDED), "undecided"), (shapes.count(NOT_RUN), "not run")]
    said = [f"{many} {word}" for many, word in words if many]
    extra = len(answers) - len(shapes)
    return ", ".join(said + ([f"{extra} {EXTRA}"] if extra else []))


# --- Pages ---------------------------------------------------------------------------------------------------------------------------


def items_of(paper):
    with open(os.path.join(HERE, "items.json"), encoding="utf-8") as file:
        return json.load(file)[paper]


def table(header, rows):
    return "\n".join([f"| {' | '.join(header)} |", "|" + "---|" * len(header)] + [f"| {' | '.join(row)} |" for row in rows]) + "\n"


def items_table(paper):
    answers = {}
    for answer in answers_of(paper):
        answers.setdefault(answer.claim["figure"], []).append(answer)
    items = items_of(paper)
    unknown = set(answers) - {item["item"] for item in items}
    if unknown:
        raise NotARun(f"expected items of all claims in items.json, got none of {', '.join(sorted(unknown))}")
    rows = []
    for item in items:
        if item["state"] not in STATES:
            raise NotARun(f"expected one of {', '.join(STATES)} as the state of {item['item']}, got {item['state']}")
        found = answers.get(item["item"], [])
        ids = ", ".join(answer.claim["id"] for answer in found)
        rows.append([f"**{item['item']}**: {item['paper']}", item["state"], item.get("counterpart", ""), "<br>".join(command if command.startswith("as ") else f"`{command}`" for command in item.get("commands", [])),
                     ", ".join(f"[{text}]({to})" for text, to in item.get("pictures", [])), f"[{ids}](claims.md#{anchor(paper)})" if found else "",
                     count(found), item.get("difference", "")])
    return table(["item", "state", "counterpart", "command", "picture", "claims", "verdict", "difference"], rows)


def anchor(paper):
    return re.sub(r"[^a-z0-9 -]", "", PAPERS[paper].lower()).replace(" ", "-")


def claims_table(answers):
    rows = []
    for answer in answers:
        claim = answer.claim
        reason = claim.get("reason", "") if answer.word == DIFFERS or claim["kind"] == EXTRA and answer.word != NOT_RUN else ""
        apart = EXTRA + ": " if claim["kind"] == EXTRA else ""
        rows.append([claim["id"], claim["claim"], claim["paper"], f"{claim['measure']}: {range_text(claim['holds'])}", answer.here,
                     apart + answer.text + (f". {reason[0].upper()}{reason[1:]}" if reason else "")])
    return table(["id", "claim", "paper", "statistic and its range", "here", "answer"], rows)


def runs_table(paper):
    """When and how the numbers were made that the claims of a paper are held against."""
    rows = []
    for study in dict.fromkeys(claim["study"] for claim in claims_of(paper)):
        kept = kept_of(study)
        rows.append([f"[{study}](../examples/papers/{study}.yml)"] + ([kept["made"], kept["trials text"] if "trials text" in kept else str(len(kept["trials"])),
                                                                      "yes" if kept["quiet"] else "no"] if kept else ["not run", "", ""]))
    return table(["study", "made", "trials", "quiet machine"], rows)


def replace_table(section, header, new):
    """Puts a table in the place of the one with that header."""
    begin = section.index(f"\n| {header} |") + 1
    end = begin + re.search(r"\n(?!\|)|\Z", section[begin:]).start() + 1
    return section[:begin] + new + section[end:]


def rewrite(page, tables):
    """The text of a page with each paper's tables made again, and the sentence that counts."""
    with open(os.path.join(DOCS, page), encoding="utf-8") as file:
        text = file.read()
    everything = [answer for paper in PAPERS for answer in answers_of(paper)]
    text = re.sub(r"(?m)^\*\*\d+ claims\*\*.*$", f"**{len(everything)} claims**: {count(everything)}.", text)
    for paper, title in PAPERS.items():
        begin = text.index(f"\n## {title}\n") + 1
        end = text.find("\n## ", begin)
        section = text[begin:end] if end >= 0 else text[begin:]
        new = section
        for header, made in tables(paper):
            new = replace_table(new, header, made)
        text = text[:begin] + new + (text[end:] if end >= 0 else "")
    return text


def pages():
    return {
        "papers.md": rewrite("papers.md", lambda paper: [("item", items_table(paper))]),
        "claims.md": rewrite("claims.md", lambda paper: [("study", runs_table(paper)), ("id", claims_table(answers_of(paper)))]),
    }


def write_pages():
    for page, text in pages().items():
        with open(os.path.join(DOCS, page), "w", encoding="utf-8") as file:
            file.write(text)


def stale_pages():
    """Names of pages that do not say what the claims and the numbers give."""
    stale = []
    for page, text in pages().items():
        with open(os.path.join(DOCS, page), encoding="utf-8") as file:
            if file.read() != text:
                stale.append(page)
    return stale
