package org.diperf.controller.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class BadExperimentFileTests {

    private static final String GOOD = "target: quote://h/\nload: {clients: 4, run-for: 10s}\n";
    private static final String TARGET = "target: quote://h/\n";
    private static final String LOAD = "load: {clients: 4, run-for: 10s}\n";

    private static final String OWN = "put its jar in plugins/ next to DiPerF's own jar, or use --plugins DIR";

    static Stream<Arguments> bad() {
        return Stream.of(
                bad("", "file.yml: expected an experiment, got an empty file"),
                bad("# only a comment\n", "got an empty file"),
                bad("just words", "file.yml:1:1: expected an experiment with keys such as 'target'", "'just words'"),
                bad("[1, 2]", "file.yml:1:1: expected an experiment", "a list"),
                bad(
                        "target: [",
                        "file.yml:1:10: not YAML or JSON: expected a value and the bracket that closes the '['"),
                bad(
                        "a: {b: c\n",
                        "not YAML or JSON: expected a '}' to close the bracket opened on line 1, got the end of the text"),
                bad(
                        GOOD + "labels: {a: b c: d}\n",
                        "file.yml:3:16: ",
                        "expected a comma, or a '}' to close the bracket opened on line 3"),
                bad("a: 'x\nb: y\n", "not YAML or JSON: expected the closing quote for the one on line 1"),
                bad("a: \"\\d\"\n", "file.yml:1:6: ", "write \\\\, or use single quotes"),
                bad(GOOD + "\tname: x\n", "file.yml:3:1: not YAML or JSON: found a tab; indent with spaces"),
                bad(
                        "load:\n  clients: 4\n   run-for: 10s\n",
                        "file.yml:3:11: not YAML or JSON: found a second ': ' for one key; indent all keys of a mapping equally"),
                bad(
                        "load:\n  clients: 4\n run-for: 10s\n",
                        "file.yml:3:2: ",
                        "indented differently from those before it"),
                bad(GOOD + "- name: x\n", "file.yml:3:1: ", "indent a list below its key"),
                bad(GOOD + "labels: {a: b}}\n", "file.yml:3:15: ", "found a '}' without a matching opening bracket"),
                bad(GOOD + "labels\n  a: b\n", "file.yml:4:4: ", "got no ':' after the key on line 3"),
                bad(GOOD + "name: @x\n", "file.yml:3:7: ", "found a value that begins with @; quote it"),
                bad(GOOD + "name: *\n", "file.yml:3:8: not YAML or JSON: while scanning an alias"),
                bad(GOOD + "---\nname: x\n", "expected one document, got a second one"),
                bad(
                        GOOD + "seed: 1\nseed: 2\n",
                        "file.yml:4:1: expected each key once, got 'seed' again (first on line 3)"),
                bad(GOOD + "report: {quantum: 1s, quantum: 2s}\n", "file.yml:3:23: expected each key once"),
                bad(GOOD + "name: &a x\nlabels: {b: *a}\n", "file.yml:4:13: ", "aliases are not supported"),
                bad(
                        GOOD + "tresholds: []\n",
                        "file.yml:3:1: expected one of [",
                        "got 'tresholds'. Did you mean 'thresholds'?"),
                bad(GOOD + "xyzzy: 1\n", "got 'xyzzy'"),
                bad(GOOD + "clients: 2\n", "got 'clients'; it belongs in 'load': load: { clients: ... }"),
                bad(
                        "target: quote://h:1\nclient: {plugin: quote, symbol: x}\nload: {clients: 1, run-for: 1s}\n",
                        "got 'symbol'; it belongs in 'with': client: { with: { symbol: ... } }"),
                bad(GOOD + "thresholds: [response.q97 < 1s]\n", "expected a metric from the summary", "'response.q97'"),
                bad(
                        GOOD + "thresholds: [response.p99 < 1%]\n",
                        "expected a metric that counts calls with a percentage"),
                bad(GOOD + "thresholds: [peak.fairness.jain > 0.9]\n", "expected a metric from the summary"),
                bad(
                        GOOD + "thresholds: [throughput > 100ms]\n",
                        "expected a limit in calls/s or without a unit",
                        "one in ms"),
                bad(GOOD + "thresholds: [response.p99 < 250MB]\n", "expected a limit in ms or without", "one in bytes"),
                bad(GOOD + "thresholds: [response.p99 < 250/s]\n", "expected a limit in ms or without", "one in /s"),
                bad(GOOD + "thresholds: [failed < 250ms]\n", "expected a limit without a unit for failed", "one in ms"),
                bad(
                        GOOD + "thresholds: [durationSeconds < 5s]\n",
                        "expected a limit in s or without a unit",
                        "one in ms"),
                bad(
                        GOOD + "thresholds: [response.p99 == fast]\n",
                        "expected a number in ms for response.p99",
                        "'fast'"),
                bad(GOOD + "thresholds: [verdict == vaild]\n", "expected a verdict, one of", "Did you mean 'valid'?"),
                bad(
                        GOOD + "thresholds: [groups.lan.failed < 1%]\n",
                        "expected groups for a threshold on a group, got none"),
                bad(GOOD + "thresholds: [server.cpu.max < 3]\n", "expected monitors for a threshold"),
                bad(GOOD + "thresholds: [server.memory.max < 3GB]\n", "expected monitors for a threshold"),
                bad(GOOD + "thresholds: [metrics.nosuch.p99 < 1ms]\n", "expected a metric of client 'quote'"),
                bad(GOOD + "thresholds: [metrics.nosuch.p99 < 1]\n", "expected a metric of client 'quote'", "'nosuch'"),
                bad(
                        GOOD + "thresholds: [{that: service.p99 < 1s, every: 5s, abort: true}]\n",
                        "expected a metric that can end a run",
                        "'service.p99'"),
                bad(
                        TARGET + "load: {search: {clients: 1..4, while: [failed < 1]}, timeout: 2s}\n",
                        "file.yml:2:54: expected one of [search, on-failure, placement, order]",
                        "got 'timeout'; it belongs in 'search': load: { search: { timeout: ... } }"),
                bad(
                        TARGET + "load: {open: {rate: 9/s, for: 1s}, timeout: 2s}\n",
                        "got 'timeout'; it belongs in 'open': load: { open: { timeout: ... } }"),
                bad(
                        TARGET + "load: {levels: {clients: [1], hold: 1s}, settle: 2s}\n",
                        "got 'settle'; it belongs in 'levels': load: { levels: { settle: ... } }"),
                bad(
                        TARGET + "load: {search: {clients: 1..4, while: [failed < 1], placement: fill}}\n",
                        "got 'placement'; it belongs next to 'search': load: { search: ..., placement: ... }"),
                bad(
                        TARGET + "load: {stages: [{for: 2m, clients: 10, timeout: 2s}]}\n",
                        "got 'timeout'; it belongs next to 'stages': load: { stages: ..., timeout: ... }"),
                bad(TARGET + "load: {clents: 4, run-for: 10s}\n", "file.yml:2:8: ", "Did you mean 'clients'?"),
                bad(TARGET + "load: {users: 4, run-for: 10s}\n", "file.yml:2:8: ", "got 'users'; use 'clients'"),
                bad(TARGET + "load: {clients: 4, duration: 10s}\n", "file.yml:2:20: ", "got 'duration'; use 'run-for'"),
                bad(TARGET + "load: {open: {rps: 4, for: 10s}}\n", "file.yml:2:15: ", "got 'rps'; use 'rate'"),
                bad(TARGET + "load: {open: {rate: 4, duration: 9s}}\n", "got 'duration'; use 'for'"),
                bad(TARGET + "load: {clients: 4, maxIterations: 9, iterations: 9}\n", "got 'iterations'; use 'calls'"),
                bad(
                        TARGET + "vus: 4\nduration: 9s\n",
                        "'vus'; it is 'load.clients' here",
                        "'duration'; it is 'load.run-for'"),
                bad("base_url: quote://h/\n" + LOAD, "file.yml:1:1: ", "got 'base_url'; use 'target'"),
                bad(TARGET + "load: {clients: 4, run-for: 2 secs}\n", "got '2 secs'; write 2s"),
                bad(TARGET + "load: {open: {rate: 50 rps, for: 1 mins}}\n", "got '50 rps'; write 50/s", "write 1m"),
                bad(
                        GOOD + "client: {with: {symbol: {a: 1}}}\n",
                        "expected text, got a mapping",
                        "put it in single quotes"),
                bad(TARGET, "file.yml:1:1: load: is missing"),
                bad(LOAD, "file.yml:1:1: target: is missing"),
                bad(GOOD + "name: ''\n", "file.yml:3:7: name: expected letters", "got nothing"),
                bad(GOOD + "name: a b\n", "file.yml:3:7: name: expected letters", "'a b'"),
                bad(GOOD + "name: [a]\n", "name: expected letters", "got a list"),
                bad(GOOD + "seed: many\n", "file.yml:3:7: seed: expected a whole number, got 'many'"),
                bad(GOOD + "seed: 1.5\n", "seed: expected a whole number, got '1.5'"),
                bad(GOOD + "seed:\n", "seed: expected a whole number, got nothing"),
                bad(GOOD + "service: {}\n", "file.yml:3:10: service.start: is missing"),
                bad(GOOD + "service: {start: ''}\n", "service.start: expected a shell command, got nothing"),
                bad(GOOD + "service: {start: a, redy: b}\n", "Did you mean 'ready'?"),
                bad(GOOD + "service: {start: a, ready: soon}\n", "service.ready: expected tcp://HOST:PORT", "'soon'"),
                bad(
                        GOOD + "service: {start: a, ready: 'tcp://h:70000'}\n",
                        "service.ready: expected a URL",
                        "expected a port from 1 to 65535, got 70000"),
                bad(
                        GOOD + "service: {start: a}\n",
                        "service.ready: expected a readiness check",
                        "no port in the target"),
                bad(
                        GOOD + "service: {start: a, ready: 'log:up', deploy: [no-such-file]}\n",
                        "service.deploy.0: expected a file or folder, got none at /"),
                bad(
                        GOOD + "service: {start: a, ready: 'log:up', deploy: [\"a\\0b\"]}\n",
                        "service.deploy.0: expected a path, got 'a",
                        "Nul character"),
                bad(
                        GOOD + "deploy: [\"a\\0b\"]\n",
                        "file.yml:3:10: deploy.0: expected a path, got 'a",
                        "Nul character"),
                bad(
                        GOOD + "client: {with: {symbol: \"${secret:file:a\\0b}\"}}\n",
                        "expected a secret in the file 'a",
                        "got one that cannot be read"),
                bad(GOOD + "labels: [a]\n", "labels: expected a mapping of names to text values, got a list"),
                bad(GOOD + "labels: {a: {b: c}}\n", "labels.a: expected a text"),
                bad("target: /index.html\n" + LOAD, "file.yml:1:9: target: expected a URL", "no scheme"),
                bad("target: 'http://a b/'\n" + LOAD, "target: expected a URL", "cannot contain ' '"),
                bad(
                        "target: gopher://h/\n" + LOAD,
                        "file.yml:1:9: no plugin supports gopher://; specify --plugins DIR"),
                bad(
                        "target: {each: []}\n" + LOAD,
                        "target.each: expected a list of at least one URL, got an empty list"),
                bad("target: {each: [quote://a/, nope]}\n" + LOAD, "file.yml:1:29: target.each.1: expected a URL"),
                bad(
                        "target: {each: [quote://a/], assign: robin}\n" + LOAD,
                        "target.assign: expected one of [round-robin"),
                bad(
                        "target: {each: [quote://a/], per: machine}\n" + LOAD,
                        "target.per: expected one of [client, tester, host]"),
                bad(
                        "target: {each: [quote://a/, quote://b/], assign: one-to-one}\n" + LOAD,
                        "target.assign: expected as many targets as clients for one-to-one, got 2 targets and 4 clients"),
                bad(
                        "target: {each: [quote://a/, quote://b/], assign: one-to-one, per: tester}\n" + LOAD,
                        "got 2 targets and 1 tester"),
                bad("target: 'quote:///x'\n" + LOAD, "client 'quote' for quote:///x: expected a host"),
                bad(GOOD + "client: quote\n", "file.yml:3:9: client: expected a client such as"),
                bad(GOOD + "client: {plugin: quot}\n", "file.yml:3:18: client.plugin: ", "Did you mean 'quote'?"),
                bad(GOOD + "client: {with: {simbol: X}}\n", "file.yml:3:17: ", "Did you mean 'symbol'?"),
                bad(
                        GOOD + "client: {with: {depth: deep}}\n",
                        "file.yml:3:24: client.with.depth: expected whole number"),
                bad(
                        GOOD + "client: {with: {depth: 500}}\n",
                        "file.yml:3:24: client.with.depth: expected at most 100 levels"),
                bad(GOOD + "client: {with: {mode: fats}}\n", "client.with.mode: expected one of [fast, slow]"),
                bad(GOOD + "client: {with: {fresh: maybe}}\n", "client.with.fresh: expected true or false"),
                bad(GOOD + "client: {with: {patience: 3}}\n", "client.with.patience: expected a duration"),
                bad(GOOD + "client: {with: {symbol: '${oops}'}}\n", "client.with.symbol: ", "${oops}"),
                bad(
                        GOOD + "client: {with: {headers: x}}\n",
                        "client.with.headers: expected a mapping of names to text values"),
                bad(GOOD + "client: {with: {share: }}\n", "client.with.share: expected number, got ''"),
                bad(GOOD + "client: {plugin: bare}\n", "client.with.command: is missing", "what to run"),
                bad(GOOD + "testbed: {kind: locl}\n", "file.yml:3:17: testbed.kind: ", "Did you mean 'local'?"),
                bad(GOOD + "client: {plugin: xyzzy}\n", "file.yml:3:18: client.plugin: ", "'xyzzy'.", OWN),
                bad("target: gopher://h/\n" + LOAD, "client.plugin", "put the jar in plugins/ next to DiPerF's own"),
                bad(GOOD + "testbed: {kind: xyzzy}\n", "file.yml:3:17: testbed.kind: ", "'xyzzy'.", OWN),
                bad(GOOD + "monitors: [{kind: xyzzy}]\n", "file.yml:3:19: monitors.0.kind: ", "'xyzzy'.", OWN),
                bad(GOOD + "testbed: {testers: 0}\n", "testbed.testers: expected a whole number of testers from 1"),
                bad(GOOD + "testbed: {testers: 5}\n", "file.yml:3:20: testbed.testers: ", "clients (4), got 5"),
                bad(
                        GOOD + "testbed: {host: h}\n",
                        "expected one of [kind, testers, when-lost, minimum, linger, java, jvm, loops, io, spin, transport] in 'testbed', got 'host'"),
                bad(GOOD + "testbed: {kind: far}\n", "testbed.host: is missing"),
                bad(GOOD + "testbed: {jvm: -Xmx1g}\n", "testbed.jvm: expected a list of JVM flags"),
                bad(GOOD + "testbed: {jvm: [Xmx1g]}\n", "testbed.jvm.0: expected a flag such as -Xmx256m"),
                bad(TARGET + "load: {}\n", "load.clients: is missing", "load.run-for: is missing"),
                bad(TARGET + "load: 5\n", "file.yml:2:7: load: expected a load such as"),
                bad(
                        TARGET + "load: {clients: 0, run-for: 1s}\n",
                        "load.clients: expected a whole number of clients from 1"),
                bad(TARGET + "load: {clients: 1, run-for: 0s}\n", "load.run-for: expected a duration", "more than 0"),
                bad(TARGET + "load: {clients: 1, run-for: -5s}\n", "load.run-for: expected a duration"),
                bad(TARGET + "load: {clients: 1, run-for: 10}\n", "load.run-for: expected a duration", "got '10'"),
                bad(TARGET + "load: {clients: 1, run-for: 9000h}\n", "at most a year", "9000h"),
                bad(TARGET + "load: {clients: 1000000, start-every: 1h, run-for: 1s}\n", "at most a year"),
                bad(
                        TARGET + "load: {clients: 1, run-for: 1s, open: {rate: 1/s, for: 1s}}\n",
                        "file.yml:2:33: load: expected exactly one load model"),
                bad(TARGET + "load: {rate: 5/s, for: 1s}\n", "file.yml:2:8: ", "got 'rate'; it belongs to open load"),
                bad(
                        TARGET + "load: {open: {rate: 5/day, for: 1s}}\n",
                        "load.open.rate: expected a rate such as 100, 100/s"),
                bad(TARGET + "load: {open: {rate: 0/s, for: 1s}}\n", "load.open.rate: expected a rate", "more than 0"),
                bad(TARGET + "load: {open: {for: 1s}}\n", "file.yml:2:14: load.open.rate: is missing"),
                bad(
                        TARGET + "load: {open: {rate: 1/s, for: 1s, arrivals: even}}\n",
                        "expected one of [constant, poisson]"),
                bad(
                        TARGET + "load: {open: {rate: 9/s, for: 1s, max-in-flight: 1}}\ntestbed: {testers: 2}\n",
                        "calls in flight (1), got 2"),
                bad(TARGET + "load: {clients: 1, run-for: 1s, think: {uniform: [2s, 1s]}}\n", "FROM at most TO"),
                bad(TARGET + "load: {clients: 1}\n", "load.run-for: is missing", "or one of [calls, calls-per-client"),
                bad(
                        TARGET + "load: {clients: 8, calls: 5}\n",
                        "file.yml:2:27: load.calls: expected at least as many calls as clients (8), got 5"),
                bad(TARGET + "load: {clients: 1, cals: 5}\n", "file.yml:2:20: ", "Did you mean 'calls'?"),
                bad(TARGET + "load: {clients: 1, calls: 5, calls-per-client: 5}\n", "expected either 'calls' or"),
                bad(TARGET + "load: {clients: 1, volume: 5 parsec}\n", "load.volume: expected a size such as"),
                bad(TARGET + "load: {clients: 9, volume: 5}\n", "at least one byte for each of 9 clients"),
                bad(TARGET + "load: {clients: 1, calls: 5, on-failure: stop}\n", "load.on-failure: expected one of"),
                bad(
                        TARGET + "load: {open: {rate: 5/s, for: 1s}, on-failure: retire-client}\n",
                        "file.yml:2:48: load.on-failure: expected continue or abort"),
                bad(
                        TARGET + "load: {open: {rate: 5/s, for: 1s, on-failure: abort}, on-failure: retire-client}\n",
                        "got it in 'open' too"),
                bad(TARGET + "load: {stages: []}\n", "load.stages: expected a list of at least one stage"),
                bad(TARGET + "load: {stages: [{clients: 5}]}\n", "file.yml:2:17: load.stages.0.for: is missing"),
                bad(
                        TARGET + "load: {stages: [{for: 1s, clients: 5}, {for: 1s, rate: 5/s}]}\n",
                        "file.yml:2:40: load.stages.1: expected all stages with 'clients' or all with 'rate'"),
                bad(TARGET + "load: {stages: [{for: 1s}]}\n", "expected a stage with 'clients' or a 'rate' above 0"),
                bad(TARGET + "load: {stages: [{for: 1s, clints: 5}]}\n", "Did you mean 'clients'?"),
                bad(
                        TARGET + "load: {stages: [{for: 1s, clients: 5}], arrivals: poisson}\n",
                        "file.yml:2:51: load.arrivals: cannot be combined with 'clients', only with 'rate'"),
                bad(
                        TARGET + "load: {stages: [{for: 1s, rate: 5/s}], think: 1s}\n",
                        "load.think: cannot be combined with 'rate', only with 'clients'"),
                bad(
                        TARGET + "load: {stages: [{for: 1s, rate: 5/s}], run-for: 1s}\n",
                        "load: expected exactly one load model"),
                bad(
                        TARGET + "load: {stages: [{for: 1s, rate: 5/s}], levels: {rate: [1/s], hold: 1s}}\n",
                        "either 'stages' or 'levels'"),
                bad(TARGET + "load: {levels: {hold: 1s}}\n", "load.levels.clients: is missing", "or one of [rate]"),
                bad(TARGET + "load: {levels: {clients: [1, 2]}}\n", "load.levels.hold: is missing"),
                bad(
                        TARGET + "load: {levels: {clients: [1, 0], hold: 1s}}\n",
                        "load.levels.clients.1: expected a whole"),
                bad(TARGET + "load: {levels: {clients: [1], rate: [1/s], hold: 1s}}\n", "expected either 'clients' or"),
                bad(TARGET + "load: {levels: {clients: [1], hold: 1s, settle: soon}}\n", "settle: expected auto, or"),
                bad(
                        TARGET + "load: {search: {rate: 1/s..9/s, while: [response.p95 < 10KB]}}\n",
                        "expected a limit in ms or without a unit for response.p95, got one in bytes"),
                bad(TARGET + "load: {search: {rate: 1/s..9/s}}\n", "load.search.while: is missing"),
                bad(
                        TARGET + "load: {search: {rate: 9/s..1/s, while: [failed < 1%]}}\n",
                        "file.yml:2:23: load.search.rate: expected a range of rates such as 10/s..20000/s"),
                bad(TARGET + "load: {search: {clients: 0..4, while: [failed < 1%]}}\n", "expected a range of clients"),
                bad(TARGET + "load: {search: {clients: 4, while: [failed < 1%]}}\n", "expected a range of clients"),
                bad(
                        TARGET + "load: {search: {clients: 1..4, while: [respons.p99 < 1s]}}\n",
                        "file.yml:2:40: load.search.while.0: in 'respons.p99 < 1s'",
                        "Did you mean 'response.p99'?"),
                bad(
                        TARGET + "load: {search: {clients: 1..4, while: [p95 < 1s]}}\n",
                        "in 'p95 < 1s'",
                        "Did you mean 'response.p95'?"),
                bad(
                        TARGET + "load: {search: {clients: 1..4, while: [fairness.jain > 0.9]}}\n",
                        "expected a metric that is available during the run"),
                bad(
                        TARGET + "load: {search: {clients: 1..4, while: failed < 1%}}\n",
                        "expected a list of at least one"),
                bad(
                        TARGET + "load: {search: {clients: 1..4, while: [failed < 1], precision: 2}}\n",
                        "precision: expected a share such as 2%"),
                bad(
                        TARGET + "load: {search: {clients: 1..4, while: [failed < 1]}}\ntestbed: {testers: 2}\n",
                        "load.search.clients: expected to start with at least as many clients as testers (2), got 1"),
                bad(
                        TARGET + "load: {clients: 1, run-for: 1s, think: {uniform: [1s]}}\n",
                        "think.uniform: expected two"),
                bad(
                        TARGET + "load: {clients: 1, run-for: 1s, think: {}}\n",
                        "expected exactly one of [exponential, uniform]"),
                bad(
                        TARGET + "load: {clients: 1, run-for: 1s, think: [1s]}\n",
                        "load.think: expected a duration",
                        "a list"),
                bad(
                        GOOD + "measure: {window: best}\n",
                        "file.yml:3:19: measure.window: expected whole, peak or FROM..TO"),
                bad(GOOD + "measure: {window: 9s..2s}\n", "FROM before TO"),
                bad(
                        GOOD + "measure: {window: 2s..20s}\n",
                        "expected a window within the run of 10s, got one that ends at 20s"),
                bad(GOOD + "measure: {skip: 10s}\n", "measure.skip: expected less than the window of 10s"),
                bad(GOOD + "thresholds: failed < 1\n", "file.yml:3:13: thresholds: expected a list"),
                bad(GOOD + "thresholds: [failed <]\n", "file.yml:3:14: thresholds.0: in 'failed <' at character"),
                bad(GOOD + "thresholds: [{that: failed < 5, abort: true}]\n", "expected 'every'"),
                bad(GOOD + "thresholds: [{evry: 5s, that: failed < 5}]\n", "Did you mean 'every'?"),
                bad(GOOD + "report: {quantum: 0}\n", "report.quantum: expected a duration"),
                bad(GOOD + "report: {smooth: 60}\n", "report.smooth: expected a duration such as 60s, or points"),
                bad(GOOD + "report: {rate: per-hour}\n", "report.rate: expected one of [per-second, per-minute]"),
                bad(GOOD + "controller: {ports: 5-1}\n", "controller.ports: expected 'any', a port"),
                bad(GOOD + "controller: {lease: 0s}\n", "controller.lease: expected a duration"),
                bad(GOOD + "controller: {collect: tape}\n", "controller.collect: expected one of [disk, memory]"),
                bad(GOOD + "unreachable: ignore\n", "unreachable: expected one of [stop, continue]"),
                bad(GOOD + "name: '${env:NOBODY_SET_THIS}'\n", "file.yml:3:7: ", "variable 'NOBODY_SET_THIS'"));
    }

    private static Arguments bad(String yaml, String... fragments) {
        return Arguments.of(yaml, List.of(fragments));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                TARGET + "load: {users: 4, duration: 10s}",
                TARGET + "load: {clents: 4, runfor: 10s}",
                TARGET + "load: {open: {rps: 4, duration: 10s}}",
                TARGET + "duration: 10s\nvus: 5",
                "url: quote://h/\n" + LOAD
            })
    void whatStandsThereUnderAnotherNameIsNotMissing(String yaml) {
        assertThatThrownBy(() -> Fakes.read(yaml))
                .isInstanceOf(ExperimentException.class)
                .message()
                .doesNotContain("is missing");
    }

    @ParameterizedTest
    @MethodSource("bad")
    void aProblemIsSaidWithItsPlaceWhatWasWantedAndWhatWasFound(String yaml, List<String> fragments) {
        assertThatThrownBy(() -> Fakes.read(yaml))
                .isInstanceOf(ExperimentException.class)
                .satisfies(e -> assertThat(String.valueOf(e.getMessage())).contains(fragments));
    }

    @Test
    void severalProblemsAreSaidAtOnceInTheOrderOfTheFile() {
        ExperimentException e = catchThrowableOfType(
                ExperimentException.class,
                () -> Fakes.read("nam: x\ntarget: quote://h/\nload: {clients: none, run-for: 1}\nseed: y\n"));
        assertThat(e.problems()).hasSize(4);
        assertThat(e.problems().get(0)).startsWith("file.yml:1:1:");
        assertThat(e.problems().get(1)).startsWith("file.yml:3:17: load.clients:");
        assertThat(e.problems().get(2)).startsWith("file.yml:3:32: load.run-for:");
        assertThat(e.problems().get(3)).startsWith("file.yml:4:7: seed:");
    }

    @Test
    void moreThanTwentyProblemsAreCounted() {
        String many =
                IntStream.range(0, 30).mapToObj(i -> "unknown" + i + ": 1\n").collect(Collectors.joining());
        ExperimentException e = catchThrowableOfType(ExperimentException.class, () -> Fakes.read(GOOD + many));
        assertThat(e.problems()).hasSize(21).last().isEqualTo("10 more problems are not shown");
    }

    @Test
    void deepNestingEndsWithAMessage() {
        String deep = "labels: " + "[".repeat(3000) + "]".repeat(3000);
        assertThatThrownBy(() -> Fakes.read(GOOD + deep))
                .isInstanceOf(ExperimentException.class)
                .hasMessageContaining("not YAML or JSON");
    }

    @Test
    void aFileThatCannotBeReadIsSaidByItsKind(@TempDir Path folder) throws IOException {
        assertProblem(folder.resolve("missing.yml"), "nothing with that name");
        assertProblem(folder, "a folder");
        assertUnreadable(Files.write(folder.resolve("binary"), new byte[] {1, 0, 2}), "got byte 0x00");
        assertUnreadable(Files.write(folder.resolve("latin1"), new byte[] {'a', (byte) 0xe9, ':'}), "got byte 0x3A");
        assertProblem(Files.write(folder.resolve("large"), new byte[(1 << 20) + 1]), "at most 1 MiB");
    }

    private static void assertUnreadable(Path file, String got) {
        assertThatThrownBy(() -> ExperimentFile.text(file))
                .isInstanceOf(ExperimentException.class)
                .hasMessageStartingWith(file + ", line 1, column 2: expected text in UTF-8, " + got);
    }

    private static void assertProblem(Path file, String fragment) {
        assertThatThrownBy(() -> ExperimentFile.text(file))
                .isInstanceOf(ExperimentException.class)
                .hasMessageContaining(file + ": expected an experiment file, got ")
                .hasMessageContaining(fragment);
    }

    /** 1.5 KB that would be 12 to the power of 10 texts. */
    @Test
    void referencesThatNameEachOtherFillInNoMoreThanAFileMayHold() {
        for (String leaf : List.of("x", "''")) {
            StringBuilder labels = new StringBuilder("labels:\n  a0: " + leaf + "\n");
            for (int i = 1; i <= 9; i++) {
                labels.append("  a" + i + ": '" + ("${labels.a" + (i - 1) + "}").repeat(12) + "'\n");
            }
            ExperimentException thrown =
                    catchThrowableOfType(ExperimentException.class, () -> Fakes.read(GOOD + labels));
            assertThat(thrown)
                    .hasMessageContaining("file.yml:")
                    .hasMessageContaining(
                            "expected references that expand to at most 1048576 characters in the whole file, got more at 'labels.a");
        }
    }
}
