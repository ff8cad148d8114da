package org.diperf.controller.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.report.Report;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.ClientRow;
import org.diperf.analyzer.result.TesterRow;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.controller.progress.Progress;
import org.diperf.controller.relay.Relay;
import org.diperf.controller.run.ExperimentRun;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.ObservationWriter;
import org.diperf.core.sample.TestCall;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.Ticket;
import org.diperf.tester.engine.Engine;
import org.diperf.tester.engine.EngineFactory;
import org.diperf.tester.link.Tester;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three holders of tickets of a run, by TLS, by datagrams and behind a relay, that say whatever a tester may say, with any
 * number, as fast as they can, and in the end report calls of another tester's client. The three other testers come by the same
 * ways: the report has their calls, each client's number, exactly; the controller keeps within its memory; the report takes no
 * more than twice as long as that of the same run without liars; and it names them.
 */
@Timeout(2_400)
class HostileTesterIT {

    private static final boolean LONG = Boolean.getBoolean("diperf.long");
    private static final long SECONDS = LONG ? Long.getLong("diperf.hostile.seconds", 600) : 3;
    private static final long PATIENCE_SECONDS = 60;
    private static final long HEAP_BYTES = 64L << 20;
    /** Testers 1 to 3 are honest, 4 to 6 lie; of each three the first comes by TLS, the next by datagrams, the last by the relay. */
    private static final int HONEST = 3;

    private static final int TESTERS = 6;
    private static final int CLIENTS = 12;
    /** Blocks of its own that a liar sends: the disk is not what is attacked here. */
    private static final int MAX_BLOCKS = 5_000;

    private static final int REPORTS = 5;

    private final long seed = LONG ? Long.getLong("diperf.seed", System.nanoTime()) : 16;
    /** What each liar has sent before it was dropped, by its way. */
    private final Map<Integer, Long> flooded = new ConcurrentHashMap<>();

    @TempDir
    Path folder;

    private interface Way extends AutoCloseable {
        void send(Frame frame) throws Exception;

        /** Takes what was answered, if anything was. */
        void listen() throws Exception;

        @Override
        void close() throws IOException;
    }

    private interface Opener {
        Way open() throws Exception;
    }

    /** A service that counts the calls of each client, and fails every seventh of them. */
    private static final class Counted implements ClientPlugin {

        private static final int FAILS_EVERY = 7;

        /** What one client has called. Written by its loop. */
        private static final class Seen {
            final AtomicLong ok = new AtomicLong();
            final AtomicLong failed = new AtomicLong();
        }

        private final Map<Integer, Seen> byClient = new ConcurrentHashMap<>();
        private final Map<Integer, Integer> testers = new ConcurrentHashMap<>();

        @Override
        public String id() {
            return "counted";
        }

        @Override
        public String summary() {
            return "counts calls";
        }

        @Override
        public Session open(SessionContext context) {
            int tester = context.tester();
            return new Session() {
                @Override
                public Client newClient() {
                    return new Counting(tester);
                }

                @Override
                public Class<? extends Client> kind() {
                    return AsyncClient.class;
                }
            };
        }

        private final class Counting implements AsyncClient {
            private final int tester;
            private Seen seen = new Seen();

            Counting(int tester) {
                this.tester = tester;
            }

            @Override
            public void open(Context context) {
                testers.put(context.client(), tester);
                seen = byClient.computeIfAbsent(context.client(), any -> new Seen());
            }

            @Override
            public void call(Call call) {
                if (call.number() % FAILS_EVERY == FAILS_EVERY - 1) {
                    seen.failed.incrementAndGet();
                    call.fail("odd");
                } else {
                    seen.ok.incrementAndGet();
                    call.ok();
                }
            }

            @Override
            public void cancel(Call call) {
                // It has ended.
            }
        }

        long calls(int tester) {
            return testers.entrySet().stream()
                    .filter(of -> of.getValue() == tester)
                    .map(of -> byClient.getOrDefault(of.getKey(), new Seen()))
                    .mapToLong(seen -> seen.ok.get() + seen.failed.get())
                    .sum();
        }
    }

    /** A whole run in this process, which six testers and a relay have joined as somebody started them by hand. */
    private static final class Run implements AutoCloseable {

        final Path directory;
        final Counted service = new Counted();
        private final Path work;
        private final ExperimentRun experiment;
        private final CompletableFuture<RunRecord> record = new CompletableFuture<>();
        private final List<Tester> testers = new ArrayList<>();
        private final Relay relay;
        private final Ticket collector;

        Run(Path work) throws Exception {
            this.work = Files.createDirectories(work);
            this.directory = work.resolve("run");
            int relayPort = FreePorts.take();
            Plugins plugins = Plugins.bundledAnd(service);
            ExperimentFile.Resolved resolved =
                    ExperimentFile.parse("""
                    target: counted://here
                    client: { plugin: counted }
                    testbed: { kind: manual, testers: %d, transport: udp }
                    load: { clients: %d, run-for: 30m, think: 10ms }
                    measure: { window: whole }
                    controller: { listen: 127.0.0.1, relays: ["127.0.0.1:%d"] }
                    """.formatted(TESTERS, CLIENTS, relayPort), "hostile.yml", List.of(), plugins);
            experiment = new ExperimentRun(
                    resolved,
                    new ExperimentRun.Options(
                            directory, plugins, List.of(), false, "test", Progress.NONE, ExperimentRun.Extras.NONE),
                    NanoClock.SYSTEM);
            thread("hostile-run", () -> {
                try {
                    record.complete(experiment.carryOut());
                } catch (Exception e) {
                    record.completeExceptionally(e);
                }
                return null;
            });
            collector = ticket("relay-1");
            relay = new Relay(
                    collector,
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), collector.listenPort()),
                    NanoClock.SYSTEM);
        }

        static void thread(String name, Callable<?> work) {
            Thread thread = new Thread(
                    () -> {
                        try {
                            work.call();
                        } catch (Exception e) {
                            throw new IllegalStateException(name, e);
                        }
                    },
                    name);
            thread.setDaemon(true);
            thread.start();
        }

        /** Waits for a ticket and reads it. */
        private Ticket ticket(String name) throws Exception {
            Path file = directory.resolve("control/" + name + ".ticket");
            await(() -> Files.exists(file), "the ticket " + file);
            return Ticket.parse(Files.readString(file));
        }

        void await(BooleanSupplier condition, String what) throws Exception {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (!condition.getAsBoolean()) {
                if (record.isDone()) {
                    record.get();
                }
                if (System.nanoTime() - deadline > 0) {
                    throw new TimeoutException("expected " + what + ", got: " + Files.readString(log()));
                }
                TimeUnit.MILLISECONDS.sleep(10);
            }
        }

        private Path log() {
            return directory.resolve("run.log");
        }

        /** Returns a tester's ticket for its way: the run's leads to the relay. */
        Ticket ticket(int tester) throws Exception {
            Ticket given = ticket("tester-" + tester);
            int way = (tester - 1) % HONEST;
            return way == 2
                    ? given
                    : new Ticket(
                            tester,
                            collector.hosts(),
                            collector.port(),
                            given.authority(),
                            given.certificate(),
                            given.key(),
                            given.token(),
                            0,
                            false,
                            way == 1);
        }

        /** Has a tester join that is all that a tester is, but for its engine. */
        Tester join(int number, EngineFactory engine) throws Exception {
            Tester tester = new Tester(
                    ticket(number),
                    new Tester.Setup(
                            id -> Optional.of(service),
                            List.of(),
                            engine,
                            MiniCluster.FACTS,
                            Files.createDirectories(work.resolve("tester-" + number)),
                            Tester.Setup.SPOOL_BYTES,
                            Tester.Setup.JOIN_NANOS),
                    NanoClock.SYSTEM);
            testers.add(tester);
            thread("hostile-tester-" + number, tester::run);
            return tester;
        }

        /** Returns whether the controller has dropped a tester because of calls that were not its own, and says so. */
        boolean isDropped(int tester) {
            Pattern named = Pattern.compile(
                    "tester[ -]" + tester + "\\b.*sent 1,000 calls by clients of other testers, such as client 0");
            try {
                return named.matcher(Files.readString(log())).find();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Ends the load; returns when the run has ended. */
        RunRecord end() throws Exception {
            experiment.interrupt("the test is over");
            return record.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }

        @Override
        public void close() throws Exception {
            experiment.interrupt("the test has failed");
            testers.forEach(Tester::close);
            relay.close();
        }
    }

    private static Way tls(Ticket ticket) throws Exception {
        RawPeer peer = new RawPeer(ticket);
        peer.handshake();
        peer.drain();
        return new Way() {
            @Override
            public void send(Frame frame) throws IOException {
                peer.raw(frame.encode());
            }

            @Override
            public void listen() {
                // A thread does.
            }

            @Override
            public void close() throws IOException {
                peer.close();
            }
        };
    }

    private static Way datagrams(RawPeer enrolling) throws Exception {
        DatagramRunTests.RawDatagrams peer = new DatagramRunTests.RawDatagrams(enrolling);
        return new Way() {
            @Override
            public void send(Frame frame) throws Exception {
                peer.sent.clear();
                peer.send(frame);
                long begun = System.nanoTime();
                while (peer.waitingBytes() > 1 << 16) {
                    peer.turn(message -> {});
                    if (System.nanoTime() - begun > TimeUnit.SECONDS.toNanos(30)) {
                        throw new IOException("nobody acknowledges any more");
                    }
                }
            }

            @Override
            public void listen() throws Exception {
                peer.turn(message -> {});
            }

            @Override
            public void close() {
                peer.close();
            }
        };
    }

    // What is said

    /** Makes a value of any type that a tester's message has, mostly at an end of its range. */
    private static Object extreme(Type type, SplittableRandom random) throws ReflectiveOperationException {
        if (type instanceof ParameterizedType many) {
            int size = random.nextInt(4);
            Type[] of = many.getActualTypeArguments();
            if (many.getRawType() == Map.class) {
                Map<Object, Object> map = new LinkedHashMap<>();
                for (int i = 0; i < size; i++) {
                    map.put(extreme(of[0], random), extreme(of[1], random));
                }
                return map;
            }
            List<Object> list = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                list.add(extreme(of[0], random));
            }
            return list;
        }
        long[] numbers = {
            0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, random.nextLong()
        };
        long number = numbers[random.nextInt(numbers.length)];
        if (type == long.class || type == Long.class) {
            return number;
        } else if (type == int.class) {
            return (int) number;
        } else if (type == boolean.class) {
            return random.nextBoolean();
        } else if (type == String.class) {
            String[] texts = {
                "", "x".repeat(random.nextInt(5_000)), "\n\u001b[31mlost 1", "=HYPERLINK(\"http://x\")", "\0"
            };
            return texts[random.nextInt(texts.length)];
        } else if (type == ByteBuffer.class) {
            byte[] bytes = new byte[random.nextInt(300)];
            random.nextBytes(bytes);
            return ByteBuffer.wrap(bytes);
        }
        Class<?> record = (Class<?>) type;
        RecordComponent[] components = record.getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = extreme(components[i].getGenericType(), random);
        }
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        return record.getDeclaredConstructor(types).newInstance(values);
    }

    private static Message anything(Class<?>[] kinds, SplittableRandom random) throws ReflectiveOperationException {
        while (true) {
            try {
                return (Message) extreme(kinds[random.nextInt(kinds.length)], random);
            } catch (InvocationTargetException refusedByItsRecord) {
                // Another one.
            }
        }
    }

    private static long extreme(SplittableRandom random) {
        long[] numbers = {0, 1, -1, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, random.nextLong()};
        return numbers[random.nextInt(numbers.length)];
    }

    private static ByteBuffer observation(int tester, long number, SplittableRandom random) {
        double[] values = {0, -1, Double.MAX_VALUE, Double.NaN, Double.NEGATIVE_INFINITY, Double.MIN_VALUE};
        ObservationWriter writer = new ObservationWriter(tester, 1);
        writer.add(
                "lie " + random.nextInt(10_000),
                extreme(random),
                values[random.nextInt(values.length)],
                Long.MAX_VALUE - 1,
                Long.MAX_VALUE - 1);
        ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
        writer.encode(block, number);
        return block.flip();
    }

    /** Calls of the tester's own client, of which nothing else is true. */
    private static ByteBuffer lies(int tester, int client, long number, SplittableRandom random) {
        int rows = random.nextInt(1, 20);
        CallWriter writer = new CallWriter(tester, rows, 0);
        for (int call = 0; call < rows; call++) {
            String[] outcomes = {"ok", "dropped", "unfinished", "timeout", "=1+1", "lie " + random.nextInt(1_000)};
            writer.add(new TestCall(extreme(random), extreme(random), extreme(random))
                    .stage((int) extreme(random))
                    .client(client)
                    .request((int) extreme(random))
                    .target((int) extreme(random))
                    .outcome(outcomes[random.nextInt(outcomes.length)])
                    .bytes(extreme(random))
                    .first(random.nextBoolean()));
        }
        ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
        writer.encode(block, number);
        return block.flip();
    }

    private static ByteBuffer forged(int tester, long number) {
        CallWriter writer = new CallWriter(tester, 1_000, 0);
        for (int call = 0; call < 1_000; call++) {
            writer.add(new TestCall(call, 0, 1_000));
        }
        ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
        writer.encode(block, number);
        return block.flip();
    }

    /** One liar: first it floods, and says nothing for which it would be dropped; then it lies; then it says anything. */
    private void lie(int tester, int client, String token, Opener opener, BooleanSupplier dropped) throws Exception {
        SplittableRandom random = new SplittableRandom(seed + tester);
        Class<?>[] harmless = {
            Message.Pong.class, Message.Status.class, Message.Log.class, Message.Exchanges.class, Message.Refused.class
        };
        Message.Hello hello = new Message.Hello(token, Frame.VERSION, true, MiniCluster.FACTS);
        long blocks = 0;
        long phaseNanos = TimeUnit.SECONDS.toNanos(SECONDS) / 2;
        long frames = 0;
        try (Way way = opener.open()) {
            way.send(new Frame(tester, 1, 0, 0, hello));
            long began = System.nanoTime();
            while (System.nanoTime() - began < phaseNanos) {
                Message message;
                if (blocks < MAX_BLOCKS && random.nextInt(10) == 0) {
                    blocks++;
                    message = new Message.Block(
                            random.nextBoolean()
                                    ? observation(tester, blocks, random)
                                    : lies(tester, client, blocks, random));
                } else {
                    message = anything(harmless, random);
                }
                way.send(new Frame(tester, random.nextLong(), random.nextLong(), random.nextLong(), message));
                if (++frames % 64 == 0) {
                    way.listen();
                }
            }
            flooded.put(tester, frames);
            way.send(new Frame(tester, 1, 0, 0, new Message.Block(forged(tester, blocks + 1))));
            // What was sent before is read first.
            long lied = System.nanoTime();
            while (!dropped.getAsBoolean() && System.nanoTime() - lied < TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
                way.listen();
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
        Class<?>[] all = Message.FromTester.class.getPermittedSubclasses();
        long began = System.nanoTime();
        while (System.nanoTime() - began < phaseNanos) {
            try (Way way = opener.open()) {
                way.send(new Frame(tester, 1, 0, 0, hello));
                for (int i = 0; i < 20; i++) {
                    way.send(new Frame(tester, random.nextLong(), 0, 0, anything(all, random)));
                }
            } catch (IOException cutOff) {
                // It was dropped.
            }
        }
    }

    private static long usedBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Carries out the run, with liars or without. */
    private Run carriedOut(String name, boolean lies) throws Exception {
        Run run = new Run(folder.resolve(name));
        try {
            for (int tester = 1; tester <= HONEST; tester++) {
                run.join(tester, Engine.factory(1));
            }
            // A liar first takes part like any other, so that the run begins, but calls nobody.
            Map<Integer, FakeEngine> engines = new LinkedHashMap<>();
            Map<Integer, Tester> liars = new LinkedHashMap<>();
            for (int tester = HONEST + 1; tester <= TESTERS; tester++) {
                FakeEngine engine = new FakeEngine();
                engines.put(tester, engine);
                liars.put(tester, run.join(tester, engine::create));
            }
            for (FakeEngine engine : engines.values()) {
                engine.started.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
            for (int tester = 1; tester <= HONEST; tester++) {
                int honest = tester;
                run.await(() -> run.service.calls(honest) > 0, "calls of tester " + tester);
            }
            long before = usedBytes();
            long most = 0;
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            List<CompletableFuture<Void>> lying = new ArrayList<>();
            if (lies) {
                for (int tester : liars.keySet()) {
                    lying.add(liar(run, tester, liars.get(tester), engines.get(tester)));
                }
            }
            while (System.nanoTime() - until < 0 || !lying.stream().allMatch(CompletableFuture::isDone)) {
                most = Math.max(most, usedBytes() - before);
                TimeUnit.MILLISECONDS.sleep(LONG ? 5_000 : 500);
            }
            for (CompletableFuture<Void> each : lying) {
                each.get();
            }
            RunRecord record = run.end();
            most = Math.max(most, usedBytes() - before);
            System.out.println("HostileTesterIT, " + name + ": frames of liars " + flooded
                    + "; the heap grew by at most " + (most >> 10) + " KiB; " + record.end());
            assertThat(most).isLessThan(HEAP_BYTES);
            return run;
        } catch (Throwable e) {
            run.close();
            throw e;
        }
    }

    private CompletableFuture<Void> liar(Run run, int tester, Tester joined, FakeEngine engine) throws Exception {
        Ticket ticket = run.ticket(tester);
        Ticket plain = new Ticket(
                tester,
                ticket.hosts(),
                ticket.port(),
                ticket.authority(),
                ticket.certificate(),
                ticket.key(),
                ticket.token());
        Opener opener = ticket.datagrams() ? () -> datagrams(new RawPeer(plain)) : () -> tls(plain);
        int client = engine.assignment().slot() - 1;
        CompletableFuture<Void> over = new CompletableFuture<>();
        Run.thread("liar-" + tester, () -> {
            try {
                joined.close();
                lie(tester, client, ticket.token(), opener, () -> run.isDropped(tester));
                over.complete(null);
            } catch (Throwable e) {
                over.completeExceptionally(e);
            }
            return null;
        });
        return over;
    }

    /** The report has of each client of the honest testers what the service has counted. */
    private static void isExact(Analysis analysis, Counted service) {
        long all = 0;
        for (int tester = 1; tester <= HONEST; tester++) {
            int honest = tester;
            List<ClientRow> rows = analysis.clients().stream()
                    .filter(row -> service.testers.getOrDefault(row.client(), 0) == honest)
                    .toList();
            assertThat(rows).hasSize(CLIENTS / TESTERS);
            for (ClientRow row : rows) {
                Counted.Seen seen = service.byClient.getOrDefault(row.client(), new Counted.Seen());
                assertThat(row.tester()).as("%s", row).isEqualTo(tester);
                assertThat(row.ok()).as("%s", row).isEqualTo(seen.ok.get()).isPositive();
                assertThat(row.failed()).as("%s", row).isEqualTo(seen.failed.get());
                assertThat(row.failed()).as("%s", row).isEqualTo(row.calls() / Counted.FAILS_EVERY);
            }
            TesterRow row = analysis.testers().stream()
                    .filter(each -> each.tester() == honest)
                    .findFirst()
                    .orElseThrow();
            assertThat(row.calls()).isEqualTo(service.calls(tester));
            assertThat(row.lost()).isFalse();
            all += row.calls();
        }
        assertThat(analysis.summary().calls().total()).isGreaterThanOrEqualTo(all);
        assertThat(analysis.summary().calls().outcomes()).containsKey("odd");
    }

    private static Analysis report(Run run) throws IOException {
        Analysis analysis = Analyzer.analyze(run.directory, Analyzer.Options.AS_RECORDED);
        Analyzer.write(analysis, run.directory);
        if (LONG) {
            Report.write(analysis, run.directory);
        }
        return analysis;
    }

    private static long nanos(Run run) throws IOException {
        long began = System.nanoTime();
        report(run);
        return System.nanoTime() - began;
    }

    @Test
    void whateverLiarsWithTicketsSayTheOthersCallsAreExactAndTheLiarsAreNamed() throws Exception {
        System.out.println("HostileTesterIT seed " + seed);
        try (Run hostile = carriedOut("hostile", true)) {
            Analysis analysis = report(hostile);
            isExact(analysis, hostile.service);
            assertThat(analysis.summary().verdict()).isEqualTo("suspect");
            for (int tester = HONEST + 1; tester <= TESTERS; tester++) {
                assertThat(flooded.getOrDefault(tester, 0L))
                        .as("frames of tester %d", tester)
                        .isGreaterThan(100);
                assertThat(hostile.isDropped(tester))
                        .as("run.log names tester %d", tester)
                        .isTrue();
                String lost = "tester " + tester + " was lost at ";
                assertThat(analysis.summary().warnings())
                        .extracting(Warning::text)
                        .anyMatch(text -> text.startsWith(lost) && text.contains("clients of other testers"));
            }
            if (LONG) {
                isReportedInTwiceTheTime(hostile);
            }
        }
    }

    private void isReportedInTwiceTheTime(Run hostile) throws Exception {
        try (Run usual = carriedOut("usual", false)) {
            Analysis analysis = report(usual);
            isExact(analysis, usual.service);
            assertThat(analysis.summary().calls().ok())
                    .isEqualTo(usual.service.byClient.values().stream()
                            .mapToLong(seen -> seen.ok.get())
                            .sum());
            long[] hostileNanos = new long[REPORTS];
            long[] usualNanos = new long[REPORTS];
            for (int i = 0; i < REPORTS; i++) {
                hostileNanos[i] = nanos(hostile);
                usualNanos[i] = nanos(usual);
            }
            Arrays.sort(hostileNanos);
            Arrays.sort(usualNanos);
            System.out.println("HostileTesterIT: reports in " + Arrays.toString(hostileNanos) + " ns with liars, "
                    + Arrays.toString(usualNanos) + " ns without");
            assertThat(hostileNanos[REPORTS / 2])
                    .as("ns, median of the reports with liars")
                    .isLessThan(2 * usualNanos[REPORTS / 2]);
        }
    }
}
