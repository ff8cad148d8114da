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
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.diperf.controller.relay.Relay;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Targets;
import org.diperf.core.plan.Think;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.ObservationWriter;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.Ticket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three holders of tickets of one run, by TLS, by datagrams and behind a relay, that say whatever a tester may say, with any
 * number, as fast as they can, and in the end report calls of the fourth tester's client. That one's blocks are all there, once;
 * the controller keeps within its memory; and the liars are named.
 */
@Timeout(900)
class HostileTesterIT {

    private static final boolean LONG = Boolean.getBoolean("diperf.long");
    private static final long SECONDS = LONG ? 600 : 4;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long HEAP_BYTES = 64L << 20;
    private static final int TESTERS = 4;
    /** Blocks of its own that a liar sends: the disk is not what is attacked here. */
    private static final int MOST_BLOCKS = 5_000;

    private final long seed = LONG ? Long.getLong("diperf.seed", System.nanoTime()) : 16;
    private final AtomicLong frames = new AtomicLong();

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

    private static Assignment assignment(int slot) {
        Assignment plain = MiniCluster.assignment(TESTERS);
        Plan plan = new Plan(
                1,
                TESTERS,
                Targets.one(URI.create("fake://host")),
                List.of(new Stage(0, new ClosedLoad(TESTERS, 0, 1_000_000_000, Think.NONE, 1_000_000), 0)));
        return new Assignment(
                plan,
                slot,
                plain.rank(),
                plain.plugin(),
                plain.with(),
                plain.jars(),
                plain.loops(),
                plain.leaseNanos(),
                plain.lingerNanos(),
                false,
                plain.script());
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
                    if (System.nanoTime() - begun > TimeUnit.SECONDS.toNanos(1)) {
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

    private static ByteBuffer observation(int tester, long number) {
        ObservationWriter writer = new ObservationWriter(tester, 1);
        writer.add("lie", number, Double.MAX_VALUE, Long.MAX_VALUE - 1, Long.MAX_VALUE - 1);
        ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
        writer.encode(block, number);
        return block.flip();
    }

    private static ByteBuffer forged(int tester, long number) {
        CallWriter writer = new CallWriter(tester, 1_000, 0);
        for (int call = 0; call < 1_000; call++) {
            writer.add(0, 0, 0, 0, call, 0, 1_000, "ok", 0, false);
        }
        ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
        writer.encode(block, number);
        return block.flip();
    }

    /** One liar: first it floods, and says nothing for which it would be dropped; then it lies; then it says anything. */
    private void lie(int tester, String token, Opener opener, BooleanSupplier dropped, long untilNanos)
            throws Exception {
        SplittableRandom random = new SplittableRandom(seed + tester);
        Class<?>[] harmless = {
            Message.Pong.class, Message.Status.class, Message.Log.class, Message.Exchanges.class, Message.Refused.class
        };
        Message.Hello hello = new Message.Hello(token, Frame.VERSION, true, MiniCluster.FACTS);
        long blocks = 0;
        long floodUntil = System.nanoTime() + (untilNanos - System.nanoTime()) / 2;
        try (Way way = opener.open()) {
            way.send(new Frame(tester, 1, 0, 0, hello));
            while (System.nanoTime() - floodUntil < 0) {
                Message message = blocks < MOST_BLOCKS && random.nextInt(10) == 0
                        ? new Message.Block(observation(tester, ++blocks))
                        : anything(harmless, random);
                way.send(new Frame(tester, random.nextLong(), random.nextLong(), random.nextLong(), message));
                if (frames.incrementAndGet() % 64 == 0) {
                    way.listen();
                }
            }
            way.send(new Frame(tester, 1, 0, 0, new Message.Block(forged(tester, blocks + 1))));
            // What was sent before is read first.
            while (!dropped.getAsBoolean() && System.nanoTime() - untilNanos < PATIENCE_NANOS) {
                way.listen();
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
        Class<?>[] all = Message.FromTester.class.getPermittedSubclasses();
        while (System.nanoTime() - untilNanos < 0) {
            try (Way way = opener.open()) {
                way.send(new Frame(tester, 1, 0, 0, hello));
                for (int i = 0; i < 20; i++) {
                    way.send(new Frame(tester, random.nextLong(), 0, 0, anything(all, random)));
                    frames.incrementAndGet();
                }
            } catch (IOException cutOff) {
                // It was dropped.
            }
        }
    }

    private static boolean isDropped(MiniCluster cluster, int tester) {
        return cluster.events.all().stream().anyMatch(event -> event.startsWith("lost " + tester + " sent"));
    }

    private static long usedBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @Test
    void whateverLiarsWithTicketsSayTheOthersSamplesAreExactAndTheLiarsAreNamed() throws Exception {
        System.out.println("HostileTesterIT seed " + seed);
        try (MiniCluster cluster = MiniCluster.byDatagrams(folder, TESTERS, NanoClock.SYSTEM);
                Relay relay = new Relay(
                        Ticket.parse(cluster.collector.tickets().relay(1, 1)),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        NanoClock.SYSTEM)) {
            cluster.collector.relay(1).get(10, TimeUnit.SECONDS);
            for (int tester = 1; tester <= TESTERS; tester++) {
                cluster.collector.assign(tester, assignment(tester));
            }
            MiniCluster.Running honest = cluster.tester(1, NanoClock.SYSTEM);
            cluster.events.await("ready 1");
            cluster.start(TimeUnit.MILLISECONDS.toNanos(200));
            honest.engine().started.get(10, TimeUnit.SECONDS);
            long before = usedBytes();
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);

            List<Exception> problems = new ArrayList<>();
            List<Thread> liars = new ArrayList<>();
            Ticket direct = Ticket.parse(cluster.collector.tickets().tester(2));
            Ticket relayed = Ticket.parse(cluster.collector
                    .tickets()
                    .tester(4, List.of("127.0.0.1"), relay.address().getPort()));
            Ticket sealed = Ticket.parse(cluster.collector.tickets().tester(3));
            Map<Integer, Opener> openers =
                    Map.of(2, () -> tls(direct), 3, () -> datagrams(new RawPeer(sealed)), 4, () -> tls(relayed));
            openers.forEach((tester, opener) -> {
                Thread liar = new Thread(
                        () -> {
                            try {
                                lie(tester, direct.token(), opener, () -> isDropped(cluster, tester), until);
                            } catch (Exception e) {
                                synchronized (problems) {
                                    problems.add(e);
                                }
                            }
                        },
                        "liar-" + tester);
                liar.start();
                liars.add(liar);
            });
            long measured = 0;
            while (System.nanoTime() - until < 0) {
                honest.engine().measure(++measured);
                TimeUnit.MILLISECONDS.sleep(5);
            }
            for (Thread liar : liars) {
                liar.join();
            }
            assertThat(problems).isEmpty();

            honest.engine().finish();
            awaitBlocks(cluster, measured);
            assertThat(cluster.blocks().stream().filter(block -> block.startsWith("1/") || block.startsWith("damaged")))
                    .containsExactlyElementsOf(LongStream.rangeClosed(1, measured)
                            .mapToObj(n -> "1/" + n)
                            .toList());
            assertThat(cluster.events.all()).noneMatch(event -> event.startsWith("lost 1"));
            for (int liar = 2; liar <= TESTERS; liar++) {
                String named =
                        "lost " + liar + " sent 1000 calls as those of clients that are not its own, such as client 0";
                assertThat(cluster.events.all()).anyMatch(event -> event.startsWith(named));
            }
            long grown = usedBytes() - before;
            System.out.println(
                    "HostileTesterIT: " + frames + " frames; the heap has grown by " + (grown >> 10) + " KiB");
            assertThat(grown).isLessThan(HEAP_BYTES);
        }
    }

    private static void awaitBlocks(MiniCluster cluster, long wanted) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (cluster.blocks().stream().filter(block -> block.startsWith("1/")).count() < wanted
                && System.nanoTime() < deadline) {
            cluster.collector.awaitDurable(TimeUnit.SECONDS.toNanos(1));
        }
    }
}
