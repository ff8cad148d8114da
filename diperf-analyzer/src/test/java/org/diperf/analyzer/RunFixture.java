package org.diperf.analyzer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.run.AnnexJson;
import org.diperf.analyzer.run.RunFiles;
import org.diperf.analyzer.run.RunJson;
import org.diperf.core.clock.ClockRow;
import org.diperf.core.clock.Exchange;
import org.diperf.core.plan.CallGroup;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.run.AnnexRecord;
import org.diperf.core.run.CalibrationRecord;
import org.diperf.core.run.FigureRecord;
import org.diperf.core.run.MonitorRecord;
import org.diperf.core.run.NodeRecord;
import org.diperf.core.run.ReportRecord;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.End;
import org.diperf.core.run.RunRecord.MeasureRecord;
import org.diperf.core.run.RunRecord.MetricRecord;
import org.diperf.core.run.SearchRecord;
import org.diperf.core.run.ShareRecord;
import org.diperf.core.run.StageRecord;
import org.diperf.core.run.TesterRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.CallExchange;
import org.diperf.core.sample.CallRow;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.EventWriter;
import org.diperf.core.sample.ExchangeWriter;
import org.diperf.core.sample.ObservationWriter;
import org.diperf.core.sample.SampleColumn;
import org.diperf.core.sample.SampleWriter;
import org.diperf.core.sample.TestCall;
import org.diperf.core.spi.Annex;
import org.diperf.core.spi.ClientTrait;
import org.jspecify.annotations.Nullable;

/**
 * Writes a run directory. Statistics of calls are milliseconds after the global start; each tester's clock reads
 * {@code global x (1 + skew) - offset}, and is known by exchanges with a delay of 10 us each way.
 */
public final class RunFixture {

    /** The global start instant; as a machine that has been up for months has it. */
    public static final long START = 9_876_543_210_123_456L;

    /** Calls in flight of open load. */
    public static final int MAX_IN_FLIGHT = 1_000_000;

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;

    private final List<StageRecord> stages = new ArrayList<>();
    private final List<RunRecord.Event> events = new ArrayList<>();
    private final Map<Integer, TesterRecord> testers = new TreeMap<>();
    private final Map<Integer, CallWriter> calls = new TreeMap<>();
    private final Map<Integer, ObservationWriter> observations = new TreeMap<>();
    private final Map<Integer, Long> numbers = new TreeMap<>();
    private final Map<Integer, Long> offsets = new TreeMap<>();
    private final Map<Integer, Double> skews = new TreeMap<>();
    private final List<byte[]> blocks = new ArrayList<>();
    private final List<String> clockRows = new ArrayList<>();
    private final List<Warning> warnings = new ArrayList<>();
    private final List<String> requests = new ArrayList<>(List.of("call"));
    private long maxAddedNanos = MILLI;
    private MeasureRecord measure = new MeasureRecord("peak", 0, 0, 0);
    private long quantumNanos = SECOND;
    private @Nullable Long endNanos;
    private End end = End.COMPLETE;
    private long seed = 42;
    private String plugin = "http";
    private @Nullable Set<ClientTrait> traits;
    private ThinkTime think = ThinkTime.NONE;
    private @Nullable SearchRecord search;
    private List<FigureRecord> figures = List.of();
    private final List<ShareRecord> shares = new ArrayList<>();
    private String placement = "fill";
    private final List<NodeRecord> nodes = new ArrayList<>();
    private final List<MonitorRecord> monitors = new ArrayList<>();
    private final List<CalibrationRecord> calibrations = new ArrayList<>();
    private final List<AnnexRecord> annexes = new ArrayList<>();
    private RunRecord.@Nullable TraceRecord trace;
    private RunRecord.@Nullable StreamRecord stream;
    private @Nullable List<CallGroup> journeys;
    private final List<byte[]> monitorBlocks = new ArrayList<>();
    private final List<MetricRecord> metrics = new ArrayList<>();
    private String experiment = "fixture";
    private List<String> targets = List.of("http://127.0.0.1:8080/");
    private List<String> thresholds = List.of();
    private @Nullable String everyText;
    private boolean perMinute;
    private boolean first;
    private double[] values = {};
    private long errorOut = -1;
    private long errorIn = -1;

    /** Names the experiment and what it calls. */
    public RunFixture named(String name, String... of) {
        experiment = name;
        targets = List.of(of);
        return this;
    }

    /** Asks for rates by the minute. */
    public RunFixture perMinute() {
        perMinute = true;
        return this;
    }

    /** Adds what the run is judged by. */
    public RunFixture thresholds(String... of) {
        thresholds = List.of(of);
        return this;
    }

    /** Puts one text in place of every free text that the record has from outside. */
    public RunFixture everyText(String text) {
        everyText = text;
        return this;
    }

    /** Adds a tester with a clock of its own. Testers come before everything that names them. */
    public RunFixture tester(int number, long offsetNanos, double skewPpm) {
        offsets.put(number, offsetNanos);
        skews.put(number, skewPpm * 1e-6);
        calls.put(number, new CallWriter(number, 1000, metrics.size()));
        observations.put(number, new ObservationWriter(number, 1000));
        return record(number, true, null);
    }

    /** Adds a metric that calls may carry; metrics come before testers. */
    public RunFixture metric(String name, String unit) {
        metrics.add(new MetricRecord(name, unit));
        return this;
    }

    /** Returns whether the next call is the first on its connection, and its values of the metrics. */
    public RunFixture carrying(boolean isFirst, double... of) {
        first = isFirst;
        values = of;
        return this;
    }

    /** Bounds what testers may have added to the calls to come, on their way out and in; negative: nothing is known of that. */
    public RunFixture bounded(long outNanos, long inNanos) {
        errorOut = outNanos;
        errorIn = inNanos;
        return this;
    }

    /** Says what a tester on a host had been calibrated to. */
    public RunFixture calibrated(String host, double perSecond, @Nullable String doubt) {
        calibrations.add(new CalibrationRecord(host, perSecond, "2026-11-20T08:00:00Z", doubt));
        return this;
    }

    /** Leaves an annex, whose metrics are those of a monitor; empty: of none. */
    public RunFixture annex(String monitor, Annex annex) {
        annexes.add(new AnnexRecord(monitor, annex));
        return this;
    }

    /** Adds a monitor with a period of a second; it is numbered from 1. */
    public RunFixture monitor(String name, String kind) {
        return monitor(name, kind, false);
    }

    /** Adds a monitor, such as the testbed's own. */
    public RunFixture monitor(String name, String kind, boolean isOfTestbed) {
        monitors.add(new MonitorRecord(monitors.size() + 1, name, kind, SECOND, 0, 0, List.of(), isOfTestbed));
        return this;
    }

    /** Adds a sample of the last monitor: its metric with kind and unit, as in {@code rate cpu [cores]}. */
    public RunFixture watched(String word, long atMillis, double value) {
        ObservationWriter writer = new ObservationWriter(monitors.size(), 1);
        writer.add(word, START + atMillis * MILLI, value, ObservationWriter.NONE, ObservationWriter.NONE);
        ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
        writer.encode(block, monitorBlocks.size() + 1);
        monitorBlocks.add(bytes(block));
        return this;
    }

    /** Adds a request that the last monitor found in the service's log. */
    public RunFixture served(long endMillis, double tookMillis, String outcome, long moved) {
        CallWriter writer = new CallWriter(monitors.size(), 1, 0);
        long took = Math.round(tookMillis * MILLI);
        writer.add(new TestCall(START + endMillis * MILLI - took, 0, took)
                .outcome(outcome)
                .bytes(moved));
        ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
        writer.encode(block, monitorBlocks.size() + 1);
        monitorBlocks.add(bytes(block));
        return this;
    }

    /** Says that a tester was lost. */
    public RunFixture lost(int number, long atMillis) {
        return record(number, true, atMillis * MILLI);
    }

    /** Adds a change of the testbed, on purpose. */
    public RunFixture changed(long atMillis, String text) {
        events.add(new RunRecord.Event(atMillis * MILLI, text, true));
        return this;
    }

    /** Adds a tester that took the share of a lost one from an instant on. */
    public RunFixture replacement(int number, int lost, long joinedMillis) {
        tester(number, 0, 0);
        testers.put(
                number,
                new TesterRecord(
                        number,
                        "host-" + number,
                        true,
                        null,
                        null,
                        local(number, 0),
                        0,
                        0,
                        0,
                        0,
                        Map.of(),
                        Map.of(),
                        lost,
                        lost,
                        joinedMillis * MILLI,
                        null,
                        null));
        return this;
    }

    /** Says that a tester never started. */
    public RunFixture neverStarted(int number) {
        return record(number, false, null);
    }

    private RunFixture record(int number, boolean started, @Nullable Long lostNanos) {
        testers.put(
                number,
                new TesterRecord(
                        number,
                        "host-" + number,
                        started,
                        lostNanos,
                        lostNanos == null ? null : "silent",
                        local(number, 0),
                        0,
                        0,
                        0,
                        0,
                        Map.of(),
                        Map.of()));
        return this;
    }

    /** Says how long clients of stages to come think. */
    public RunFixture think(ThinkTime pauses) {
        think = pauses;
        return this;
    }

    /** Adds a stage of closed load behind the ones before. */
    public RunFixture closed(int clients, long startEveryMillis, long runForMillis) {
        long start = stages.isEmpty() ? 0 : stages.get(stages.size() - 1).endNanos();
        long end = start + (runForMillis + (clients - 1) * startEveryMillis) * MILLI;
        Load load = new ClosedLoad(clients, startEveryMillis * MILLI, runForMillis * MILLI, think, 30 * SECOND);
        stages.add(new StageRecord(stages.size(), start, end, load, null, null));
        return this;
    }

    /** Adds a stage of open load behind the ones before. */
    public RunFixture open(double perSecond, String arrivals, long rampMillis, long forMillis) {
        long start = stages.isEmpty() ? 0 : stages.get(stages.size() - 1).endNanos();
        Load load = new OpenLoad(
                perSecond,
                OpenLoad.Arrivals.valueOf(arrivals.toUpperCase(Locale.ROOT)),
                rampMillis * MILLI,
                forMillis * MILLI,
                MAX_IN_FLIGHT,
                30 * SECOND);
        stages.add(new StageRecord(stages.size(), start, start + (rampMillis + forMillis) * MILLI, load, null, null));
        return this;
    }

    /** Deals out the clients of groups to come in turns. */
    public RunFixture inTurns() {
        placement = "round-robin";
        return this;
    }

    /** Adds a group with one stage of closed load, whose clients are numbered after those of the groups before. */
    public RunFixture group(
            String name,
            int firstSlot,
            int slots,
            int clients,
            long fromMillis,
            long startEveryMillis,
            long runForMillis) {
        closed(clients, startEveryMillis, runForMillis);
        StageRecord made = stages.remove(stages.size() - 1);
        long length = made.endNanos() - made.startNanos();
        long from = fromMillis * MILLI;
        stages.add(new StageRecord(made.number(), from, from + length, made.load(), null, name));
        int first = shares.stream().mapToInt(ShareRecord::clients).sum();
        shares.add(new ShareRecord(name, "", placement, first, clients, fromMillis * MILLI, firstSlot, slots));
        return this;
    }

    /** Places a tester that was added on a node with a label. */
    public RunFixture node(int number, String label, String value) {
        TesterRecord of = testers.get(number);
        if (of == null) {
            throw new IllegalArgumentException("Expected a tester that was added, got " + number);
        }
        nodes.add(new NodeRecord("node-" + number, Map.of(label, value), Map.of(), Map.of(), true, ""));
        testers.put(
                number,
                new TesterRecord(
                        number,
                        of.host(),
                        of.started(),
                        of.lostNanos(),
                        of.lostReason(),
                        of.startNanos(),
                        0,
                        0,
                        0,
                        0,
                        Map.of(),
                        Map.of(),
                        of.slot(),
                        null,
                        null,
                        null,
                        "node-" + number));
        return this;
    }

    /** Adds a stage as it stands, behind the ones before. */
    public RunFixture stage(StageRecord stage) {
        stages.add(stage);
        return this;
    }

    /** Counts the stages so far. */
    public int stages() {
        return stages.size();
    }

    /** Says how the highest load was searched for. */
    public RunFixture search(SearchRecord of) {
        search = of;
        return this;
    }

    /** Sets what the load generator may add to p50 or p99 before the run is suspect. */
    public RunFixture maxAdded(long nanos) {
        maxAddedNanos = nanos;
        return this;
    }

    public RunFixture measure(String window, long fromMillis, long toMillis, long skipMillis) {
        measure = new MeasureRecord(window, fromMillis * MILLI, toMillis * MILLI, skipMillis * MILLI);
        return this;
    }

    public RunFixture quantumMillis(long millis) {
        quantumNanos = millis * MILLI;
        return this;
    }

    public RunFixture figures(FigureRecord... of) {
        figures = List.of(of);
        return this;
    }

    /** Makes it the run of a version that records what the plugin says of its clients, and whose fault failures were. */
    public RunFixture traits(ClientTrait... has) {
        traits = Set.of(has);
        return this;
    }

    public RunFixture plugin(String id) {
        plugin = id;
        return this;
    }

    public RunFixture seed(long of) {
        seed = of;
        return this;
    }

    public RunFixture requests(String... names) {
        requests.clear();
        requests.addAll(List.of(names));
        return this;
    }

    /** Has the calls belong to one journey of these requests. */
    public RunFixture journey(String name, String... steps) {
        journeys = List.of(new CallGroup(name, true, List.of(steps)));
        return requests(steps);
    }

    public RunFixture warning(Warning warning) {
        warnings.add(warning);
        return this;
    }

    /** Ends the run; without it, it ended a minute after its plan. */
    public RunFixture ended(End how, long atMillis) {
        end = how;
        endNanos = START + atMillis * MILLI;
        return this;
    }

    /** Leaves the run record as it was written at the start: the controller was killed. */
    public RunFixture killed() {
        end = End.UNDER_WAY;
        return this;
    }

    /** Returns what a tester's clock reads so many nanoseconds after the global start. */
    public long local(int tester, long sinceStart) {
        double skew = skews.getOrDefault(tester, 0.0);
        return START - offsets.getOrDefault(tester, 0L) + sinceStart + Math.round(skew * sinceStart);
    }

    /** Adds exchanges once a second with each tester, from 2 s before the start to the instant given. */
    public RunFixture exchanges(long untilMillis) {
        return exchanges(untilMillis, 1000);
    }

    /** Adds exchanges with each tester, so many milliseconds apart. */
    public RunFixture exchanges(long untilMillis, long everyMillis) {
        for (int tester : testers.keySet()) {
            for (long at = -2000; at <= untilMillis; at += everyMillis) {
                exchange(tester, at * MILLI, 10_000, 10_000);
            }
        }
        return this;
    }

    /** Adds one exchange that the server began at the instant given. */
    public RunFixture exchange(int tester, long at, long downNanos, long upNanos) {
        long sent = START + at;
        long received = local(tester, at + downNanos);
        long back = local(tester, at + downNanos + 1_000);
        clockRows.add(tester + ",host-" + tester + ",frame,0,0," + sent + "," + received + "," + back + ","
                + (sent + downNanos + 1_000 + upNanos));
        return this;
    }

    /** Adds a probe of the time server with these stamps. */
    public RunFixture probe(int tester, long epoch, long wallMillis, Exchange exchange) {
        clockRows.add(tester + ",host, a \"strange\" one,udp," + epoch + "," + wallMillis + "," + exchange.serverSent()
                + "," + exchange.clientReceived() + "," + exchange.clientSent() + "," + exchange.serverReceived());
        return this;
    }

    /** Adds a call: intended, sent and ended so many milliseconds after the global start. */
    public RunFixture call(int tester, int client, double intended, double sent, double ended, String outcome) {
        return call(tester, client, 0, intended, sent, ended, outcome, 100);
    }

    /** Adds a call of one kind that moved so many bytes. */
    public RunFixture call(
            int tester,
            int client,
            int request,
            double intended,
            double sent,
            double ended,
            String outcome,
            long bytes) {
        return nanos(
                tester,
                0,
                client,
                request,
                Math.round(intended * MILLI),
                Math.round(sent * MILLI),
                Math.round(ended * MILLI),
                outcome,
                bytes);
    }

    /** Adds a call by its instants in nanoseconds after the global start. */
    public RunFixture nanos(
            int tester,
            int stage,
            int client,
            int request,
            long intended,
            long sent,
            long ended,
            String outcome,
            long bytes) {
        CallWriter writer = calls.computeIfAbsent(tester, number -> new CallWriter(number, 1000, 0));
        if (writer.isFull()) {
            block(tester);
        }
        long local = local(tester, intended);
        TestCall call = new TestCall(local, local(tester, sent) - local, local(tester, ended) - local)
                .stage(stage)
                .client(client)
                .request(request)
                .outcome(outcome)
                .bytes(bytes)
                .first(first);
        if (errorOut >= 0) {
            call = call.errors(errorIn, errorOut, 0);
        }
        for (int i = 0; i < values.length; i++) {
            call = call.metric(i, values[i]);
        }
        writer.add(call);
        first = false;
        values = new double[0];
        return this;
    }

    /** Adds an observation of a tester. */
    public RunFixture observation(int tester, String metric, long atMillis, double value) {
        observations
                .computeIfAbsent(tester, number -> new ObservationWriter(number, 1000))
                .add(metric, local(tester, atMillis * MILLI), value, ObservationWriter.NONE, ObservationWriter.NONE);
        return this;
    }

    /** Says what comes within calls. */
    public RunFixture stream(String unit, String... kinds) {
        stream = new RunRecord.StreamRecord(unit, List.of(kinds));
        return this;
    }

    /** Adds the events of one call, of its first kind and two units each, in a block of their own. */
    public RunFixture events(int tester, int client, long intendedMillis, long... gapsMicros) {
        long origin = local(tester, intendedMillis * MILLI);
        EventWriter writer = new EventWriter(tester, gapsMicros.length);
        writer.add(new EventWriter.Piece() {
            @Override
            public CallRow call() {
                return new TestCall(origin, 0, 0).client(client);
            }

            @Override
            public long callNumber() {
                return 0;
            }

            @Override
            public boolean continues() {
                return false;
            }

            @Override
            public long originNanos() {
                return origin;
            }

            @Override
            public int rows() {
                return gapsMicros.length;
            }

            @Override
            public long gapMicros(int row) {
                return gapsMicros[row];
            }

            @Override
            public int kind(int row) {
                return 0;
            }

            @Override
            public int count(int row) {
                return 2;
            }

            @Override
            public long errorNanos(int row) {
                return CallWriter.UNKNOWN;
            }
        });
        ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
        writer.encode(block, numbers.merge(tester, 1L, Long::sum));
        blocks.add(bytes(block));
        return this;
    }

    /** Says that calls had trace ids, and where a trace can be seen. */
    public RunFixture traced(String link) {
        trace = new RunRecord.TraceRecord(link);
        return this;
    }

    /** Adds a call that is shown whole, in a block of its own. */
    public RunFixture said(
            int tester, int client, long endMillis, double tookMillis, String outcome, int wanted, String text) {
        block(tester);
        ExchangeWriter writer = new ExchangeWriter(tester);
        long took = Math.round(tookMillis * MILLI);
        writer.add(new CallExchange(local(tester, endMillis * MILLI), outcome, client, 0, 0, 0, took, wanted, text));
        ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
        writer.encode(block, numbers.merge(tester, 1L, Long::sum));
        blocks.add(bytes(block));
        return this;
    }

    /** Ends the tester's block of calls. */
    public RunFixture block(int tester) {
        CallWriter writer = calls.get(tester);
        if (writer != null && writer.rows() > 0) {
            ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
            writer.encode(block, numbers.merge(tester, 1L, Long::sum));
            blocks.add(bytes(block));
        }
        return this;
    }

    /** Leaves out a number of the tester's blocks. */
    public RunFixture gap(int tester) {
        block(tester);
        numbers.merge(tester, 1L, Long::sum);
        return this;
    }

    /** Repeats the last block. */
    public RunFixture again(int tester) {
        block(tester);
        blocks.add(blocks.get(blocks.size() - 1));
        return this;
    }

    /** Ends the tester's block and damages it. */
    public RunFixture damage(int tester) {
        block(tester);
        byte[] last = blocks.get(blocks.size() - 1);
        last[last.length / 2] ^= 0x55;
        return this;
    }

    /** Adds a block with a good checksum that cannot be decoded, and has these bytes in its only column. */
    public RunFixture nested(int tester, byte[] within) {
        block(tester);
        int header = 56;
        int length = header + 8 + within.length + 4;
        ByteBuffer block = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        block.putInt(0x31425044).putInt(length).put((byte) Block.VERSION).put((byte) Block.CALLS);
        block.putShort((short) 1).putInt(tester).putLong(numbers.merge(tester, 1L, Long::sum));
        block.putInt(1).position(header);
        block.putShort((short) SampleColumn.OUTCOME.id()).putShort((short) 0).putInt(within.length);
        block.put(within);
        CRC32C checksum = new CRC32C();
        checksum.update(block.array(), 0, block.position());
        block.putInt((int) checksum.getValue());
        blocks.add(bytes(block));
        return this;
    }

    private static byte[] bytes(ByteBuffer block) {
        byte[] bytes = new byte[block.position()];
        block.flip().get(bytes);
        return bytes;
    }

    /** Says that the tester counted so many calls itself. */
    public RunFixture says(int number, long sent) {
        TesterRecord of = testers.get(number);
        if (of == null) {
            throw new IllegalArgumentException("Expected a tester that was added, got " + number);
        }
        testers.put(
                number,
                new TesterRecord(
                        number,
                        of.host(),
                        of.started(),
                        of.lostNanos(),
                        of.lostReason(),
                        of.startNanos(),
                        sent,
                        0,
                        0,
                        0,
                        Map.of(),
                        Map.of()));
        return this;
    }

    /** Returns the run record as it stands. */
    public RunRecord run() {
        String text = everyText;
        RunRecord run = recorded();
        return text == null ? run : withText(run, text);
    }

    private RunRecord withText(RunRecord run, String text) {
        return new RunRecord(
                run.format(),
                text,
                Map.of(text, text),
                run.seed(),
                text,
                text,
                run.startNanos(),
                run.endNanos(),
                run.end(),
                text,
                run.traits(),
                run.metrics(),
                requests.stream().map(request -> text).toList(),
                null,
                List.of(text),
                run.stages(),
                run.testers().stream().map(of -> withText(of, text)).toList(),
                run.measure(),
                run.thresholds(),
                run.report(),
                Map.of(text, text),
                List.of(new RunRecord.Event(run.startNanos(), text, true)),
                List.of(Warning.note(Warning.Subject.RUN, text)),
                run.search(),
                run.nodes(),
                run.shares(),
                run.monitors(),
                null,
                null,
                run.calibrations(),
                run.trace(),
                run.stream());
    }

    private static TesterRecord withText(TesterRecord of, String text) {
        return new TesterRecord(
                of.number(),
                text,
                of.started(),
                of.lostNanos(),
                of.lostNanos() == null ? null : text,
                of.startNanos(),
                of.sent(),
                of.dropped(),
                of.lateEnds(),
                of.stuckClients(),
                Map.of(text, 1L),
                Map.of(text, text));
    }

    private RunRecord recorded() {
        long plan = stages.stream().mapToLong(StageRecord::endNanos).max().orElse(0);
        Long ended = endNanos;
        return new RunRecord(
                RunRecord.FORMAT,
                experiment,
                new LinkedHashMap<>(Map.of("build", "1a2b")),
                seed,
                "0.1.0",
                "2026-11-21T10:00:00.123Z",
                START,
                end == End.UNDER_WAY ? null : ended == null ? (Long) (START + plan + 60 * SECOND) : ended,
                end,
                plugin,
                traits,
                List.copyOf(metrics),
                requests,
                journeys,
                targets,
                stages,
                List.copyOf(testers.values()),
                measure,
                thresholds,
                new ReportRecord(quantumNanos, 0, 0, perMinute, figures, maxAddedNanos),
                Map.of(),
                List.copyOf(events),
                warnings,
                search,
                nodes,
                shares.isEmpty() ? null : shares,
                monitors.isEmpty() ? null : monitors,
                null,
                null,
                calibrations.isEmpty() ? null : calibrations,
                trace,
                stream);
    }

    /** Writes everything into the folder, and returns it. */
    public Path write(Path folder) {
        for (int tester : calls.keySet()) {
            block(tester);
        }
        observations.forEach((tester, writer) -> {
            if (writer.rows() > 0) {
                ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
                writer.encode(block, numbers.merge(tester, 1L, Long::sum));
                blocks.add(bytes(block));
            }
        });
        try {
            Files.createDirectories(folder);
            try (SampleWriter samples = new SampleWriter(folder.resolve("samples"), 1 << 16)) {
                for (byte[] block : blocks) {
                    samples.append(ByteBuffer.wrap(block));
                }
            }
            if (!monitors.isEmpty()) {
                try (SampleWriter seen = new SampleWriter(folder.resolve("monitors"), 1 << 16)) {
                    for (byte[] block : monitorBlocks) {
                        seen.append(ByteBuffer.wrap(block));
                    }
                }
            }
            Files.writeString(
                    folder.resolve("clock.csv"),
                    ClockRow.HEADER + "\n" + String.join("\n", clockRows) + "\n",
                    StandardCharsets.UTF_8);
            RunJson.write(folder.resolve(RunFiles.RUN), run());
            AnnexJson.write(folder, annexes, text -> text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return folder;
    }

    /** Writes everything into the folder and analyses it. */
    public Analysis analyze(Path folder) throws IOException {
        return Analyzer.analyze(write(folder), Analyzer.Options.AS_RECORDED);
    }
}
