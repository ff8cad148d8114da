package org.diperf.controller.collect;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.diperf.core.clock.Exchange;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.sample.ObservationWriter;
import org.diperf.core.security.Role;
import org.diperf.core.security.RunCredentials;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.TesterStatus;
import org.diperf.core.wire.TesterTotals;
import org.diperf.core.wire.Ticket;
import org.diperf.core.wire.TimeExchange;
import org.diperf.core.wire.TimeServerSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Frames that were changed at random, from peers whose certificates are right: a controller, a relay and a tester must
 * neither fall over nor keep what they promise, and the run next to them continues. That nothing but a refusal comes of
 * decoding one is in the tests of the wire.
 */
@Timeout(value = 2_400, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FuzzedFramesIT {

    private static final boolean LONG = Boolean.getBoolean("diperf.long");
    private static final int FRAMES = Integer.getInteger("diperf.frames", LONG ? 10_000_000 : 15_000);
    private static final int CONNECTIONS = Integer.getInteger("diperf.connections", LONG ? 1_000 : 10);
    /** What a tester was told in earnest may take it a connection or two to forget. */
    private static final int ATTEMPTS = 10;

    private static final int TESTERS = 2_000;
    /** Some are meant for testers that were dropped before, as most would be in a storm. */
    private static final int FRAMES_A_TESTER = Math.max(20, FRAMES / 2 / TESTERS);

    private static final int FRAMES_A_CONNECTION = 100_000;
    private static final long MAX_GROWTH_BYTES = 64 << 20;
    private static final int TOGETHER_BYTES = 32 << 10;
    private static final int TESTER_AT = Frame.LENGTH_FIELD + 2;

    @TempDir
    Path folder;

    private final long seed = LONG ? Long.getLong("diperf.seed", System.nanoTime()) : 20261121;
    private final Random random = new Random(seed);

    /** Changes some bytes of a frame but not its length, most of them where fields and their lengths are. */
    private void damage(ByteBuffer frame) {
        int from = Frame.LENGTH_FIELD;
        int length = frame.limit() - from;
        for (int damage = random.nextInt(4); damage >= 0; damage--) {
            int at = from + (random.nextInt(8) == 0 ? 1 : random.nextInt(length));
            frame.put(at, (byte) (random.nextBoolean() ? random.nextInt(256) : random.nextBoolean() ? 0xFF : 0x7F));
        }
    }

    private static long heapBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static ByteBuffer block(int tester, long number) {
        ObservationWriter writer = new ObservationWriter(tester, 1);
        writer.add("raw", number, 1, ObservationWriter.NONE, ObservationWriter.NONE);
        ByteBuffer data = ByteBuffer.allocate(writer.maxEncodedLength());
        writer.encode(data, number);
        return data.flip();
    }

    private static List<Message> ofATester(Ticket ticket, int tester) {
        return List.of(
                new Message.Hello(ticket.token(), Frame.VERSION, true, MiniCluster.FACTS),
                new Message.Ready(),
                new Message.Refused("no such plugin"),
                new Message.Pong(),
                new Message.Block(block(tester, 1)),
                new Message.Block(block(tester, 2)),
                new Message.Status(new TesterStatus(1, 2, 3, 4, 5, 6)),
                new Message.Finished(new TesterTotals(1, 2, 3, 4, Map.of("late", 5L), -6, "a call failed", true)),
                new Message.Log("a line"),
                new Message.Exchanges(List.of(new TimeExchange(8, 9, new Exchange(1, -2, 3, Long.MIN_VALUE)))),
                new Message.Enrol(ticket.token()),
                new Message.Assign(MiniCluster.assignment(2)));
    }

    private static List<Message> ofAController() {
        return List.of(
                new Message.Welcome(0, 10_000_000_000L, new TimeServerSettings(5123, 9, new byte[] {1, -1})),
                new Message.Assign(MiniCluster.assignment(2)),
                new Message.Start(Long.MIN_VALUE, 7),
                new Message.Ping(),
                new Message.Ack(Long.MAX_VALUE),
                new Message.Stop(5),
                new Message.RejectedHello("wrong token"),
                new Message.Enrolled(-5, 23_000, new byte[16], new byte[16]),
                new Message.Bye());
    }

    @Test
    void framesThatWereChangedHarmNeitherTheControllerNorTheRelay() throws Exception {
        System.out.println("FuzzedFramesIT seed " + seed);
        try (RunUnderAttack run = new RunUnderAttack(folder, TESTERS)) {
            run.isUnharmed();
            long before = heapBytes();
            int sent = 0;
            int tester = 2;
            while (sent < FRAMES) {
                // Half of them by the relay, whose peer is then a relay as well.
                int port = run.ports().get(sent / FRAMES_A_CONNECTION % 2);
                Ticket ticket = Ticket.parse(run.cluster.collector.tickets().relay(9, List.of("127.0.0.1"), port, 1));
                int most = Math.min(FRAMES_A_CONNECTION, FRAMES - sent);
                ByteBuffer together = ByteBuffer.allocate(TOGETHER_BYTES);
                List<Message> messages = List.of();
                try (RawPeer peer = new RawPeer(ticket)) {
                    peer.handshake();
                    Thread drain = peer.drain();
                    for (int i = 0; i < most; i++, sent++) {
                        if (i % FRAMES_A_TESTER == 0) {
                            tester = 3 + (tester - 2) % (TESTERS - 2);
                            messages = ofATester(ticket, tester);
                            run.cluster.collector.assign(tester, MiniCluster.assignment(2));
                            together.put(frame(tester, messages.get(0)));
                        }
                        ByteBuffer frame = frame(tester, messages.get(random.nextInt(messages.size())));
                        damage(frame);
                        if (frame.getInt(TESTER_AT) < 3 || frame.getInt(TESTER_AT) > TESTERS) {
                            // A relay may speak for the run's own testers; one that speaks for nobody is cut off.
                            frame.putInt(TESTER_AT, tester);
                        }
                        together.put(frame);
                        if (together.remaining() < TOGETHER_BYTES / 2) {
                            peer.raw(together.flip());
                            together.clear();
                        }
                    }
                    peer.raw(together.flip());
                    // Ends the connection, and with it what waits. A relay drops what is of nobody behind it.
                    peer.raw(
                            port == run.ports().get(0) && random.nextBoolean()
                                    ? frame(TESTERS + 1, new Message.Pong())
                                    : ByteBuffer.allocate(8).putInt(0, random.nextBoolean() ? Integer.MAX_VALUE : -1));
                    drain.join(TimeUnit.SECONDS.toMillis(60));
                    assertThat(drain.isAlive())
                            .as("the connection is cut, seed " + seed)
                            .isFalse();
                }
                run.isUnharmed();
            }
            assertThat(heapBytes() - before)
                    .as("growth of the heap, seed " + seed)
                    .isLessThan(MAX_GROWTH_BYTES);
            assertThat(run.cluster.events.all())
                    .as("who sent nonsense is named")
                    .anyMatch(event -> event.startsWith("lost") && event.contains("violated the protocol"));
            System.out.println(sent + " frames");
        }
    }

    private static ByteBuffer frame(int tester, Message message) {
        return new Frame(tester, 1, 2, 3, message).encode();
    }

    @Test
    void framesThatWereChangedDoNotHarmATester() throws Exception {
        System.out.println("FuzzedFramesIT seed " + seed);
        try (MiniCluster cluster = new MiniCluster(folder, 2, NanoClock.SYSTEM);
                SSLServerSocket server = server(cluster.collector.credentials())) {
            Ticket ticket =
                    Ticket.parse(cluster.collector.tickets().tester(1, List.of("127.0.0.1"), server.getLocalPort()));
            List<Message> messages = ofAController();
            MiniCluster.Running tester = null;
            int exits = 0;
            long frames = 0;
            boolean answered = false;
            String last = "";
            for (int i = 0; i < CONNECTIONS || !answered; i++) {
                assertThat(i)
                        .as("a tester answers again, seed " + seed + "; last " + last)
                        .isLessThan(CONNECTIONS + ATTEMPTS);
                if (tester == null || tester.exitCode().isDone()) {
                    exits += tester == null ? 0 : 1;
                    tester = cluster.tester(ticket, new FakeEngine(), NanoClock.SYSTEM, List.of());
                }
                try (SSLSocket socket = accept(server, tester)) {
                    if (socket == null) {
                        continue;
                    }
                    OutputStream out = socket.getOutputStream();
                    write(out, frame(1, messages.get(0)));
                    for (int n = 0; n < 20 && i < CONNECTIONS; n++, frames++) {
                        ByteBuffer frame = frame(1, messages.get(random.nextInt(messages.size())));
                        damage(frame);
                        write(out, frame);
                    }
                    if (i >= CONNECTIONS) {
                        write(out, frame(1, new Message.Ping()));
                        socket.setSoTimeout(10_000);
                        answers(socket.getInputStream());
                        answered = true;
                    } else {
                        // Until it has had enough.
                        socket.setSoTimeout(50);
                        socket.getInputStream().readAllBytes();
                    }
                } catch (IOException cutOff) {
                    // It has had enough, or what it was told last, such as a lease of nothing, still holds.
                    last = cutOff.toString();
                }
            }
            System.out.println(frames + " frames, testers that were told to end: " + exits);
            // What the last one is told by the real controller it does.
            requireNonNull(tester).tester().close();
            cluster.collector.assign(2, MiniCluster.assignment(2));
            cluster.tester(2, NanoClock.SYSTEM);
            cluster.events.await("ready 2");
        }
    }

    /** Waits for a tester's connection; {@code null}: it ended before it made one. */
    private static SSLSocket accept(SSLServerSocket server, MiniCluster.Running tester) throws Exception {
        while (true) {
            try {
                server.setSoTimeout(1_000);
                return (SSLSocket) server.accept();
            } catch (SocketTimeoutException none) {
                try {
                    tester.exitCode().get(0, TimeUnit.SECONDS);
                    return null;
                } catch (TimeoutException stillRuns) {
                    // It waits a little longer each time.
                }
            }
        }
    }

    private static void write(OutputStream out, ByteBuffer frame) throws IOException {
        out.write(frame.array(), 0, frame.limit());
    }

    private static void answers(InputStream from) throws IOException {
        DataInputStream in = new DataInputStream(from);
        while (true) {
            byte[] frame = new byte[in.readInt()];
            in.readFully(frame);
            if (Frame.decode(ByteBuffer.wrap(frame)).message() instanceof Message.Pong) {
                return;
            }
        }
    }

    /** Listens with the certificate of this run's controller. */
    private static SSLServerSocket server(RunCredentials credentials) throws Exception {
        RunCredentials.Identity identity = credentials.issue(Role.CONTROLLER, 0);
        char[] password = new char[0];
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        keys.setKeyEntry("me", identity.key(), password, new Certificate[] {identity.certificate()});
        keys.setCertificateEntry("authority", credentials.authority());
        KeyManagerFactory keyManagers = KeyManagerFactory.getInstance("PKIX");
        keyManagers.init(keys, password);
        TrustManagerFactory trustManagers = TrustManagerFactory.getInstance("PKIX");
        trustManagers.init(keys);
        SSLContext tls = SSLContext.getInstance("TLSv1.3");
        tls.init(keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), null);
        return (SSLServerSocket) tls.getServerSocketFactory().createServerSocket(0, 50, RunUnderAttack.HERE);
    }
}
