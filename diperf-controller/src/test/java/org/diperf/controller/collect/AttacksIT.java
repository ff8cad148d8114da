package org.diperf.controller.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.security.Role;
import org.diperf.core.security.RunCredentials;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.Ticket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Attacks on a run while two of its testers work, one of them behind a relay. None lets anybody in, and none costs the run
 * a block. What replayed datagrams do is in {@link DatagramRunTests}.
 */
@Timeout(120)
class AttacksIT {

    private static final boolean LONG = Boolean.getBoolean("diperf.long");
    private static final InetAddress HERE = RunUnderAttack.HERE;

    @TempDir
    Path folder;

    private RunUnderAttack run;
    private MiniCluster cluster;

    @BeforeEach
    void start() throws Exception {
        run = new RunUnderAttack(folder, 4);
        cluster = run.cluster;
    }

    @AfterEach
    void stop() throws Exception {
        run.close();
    }

    /** The two testers of the run are heard, and nobody else has joined. */
    private void theRunContinues() throws Exception {
        theRunContinues(2);
    }

    private void theRunContinues(int joined) throws Exception {
        run.isUnharmed();
        assertThat(run.joined()).hasSize(joined);
    }

    @Test
    void tenThousandHalfOpenConnections() throws Exception {
        int each = LONG ? 5_000 : 600;
        List<SocketChannel> open = new ArrayList<>();
        try {
            for (int port : run.ports()) {
                for (int i = 0; i < each; i++) {
                    open.add(SocketChannel.open(new InetSocketAddress(HERE, port)));
                }
                theRunContinues();
            }
            // A tester that comes now finds its way in, because who says nothing makes way.
            RawPeer late = retried(3);
            assertThat(late).isNotNull();
            late.close();
        } finally {
            for (SocketChannel channel : open) {
                channel.close();
            }
        }
    }

    /** Comes as a real tester does: again and again, until it is let in. */
    private RawPeer retried(int tester) throws Exception {
        Ticket ticket = Ticket.parse(cluster.collector.tickets().tester(tester));
        for (int attempt = 0; attempt < 60; attempt++) {
            try {
                RawPeer peer = new RawPeer(ticket);
                peer.hello(false);
                peer.await(Message.Welcome.class);
                return peer;
            } catch (IOException notYet) {
                TimeUnit.MILLISECONDS.sleep(200);
            }
        }
        throw new AssertionError("A tester was not let in after 60 attempts");
    }

    @Test
    void slowLoris() throws Exception {
        byte[] begin = {22, 3, 1, 2, 0, 1, 0, 1, (byte) 0xFC, 3, 3};
        List<Socket> slow = new ArrayList<>();
        try {
            for (int port : run.ports()) {
                for (int i = 0; i < 200; i++) {
                    slow.add(new Socket(HERE, port));
                }
            }
            for (byte one : begin) {
                for (Socket socket : slow) {
                    try {
                        socket.getOutputStream().write(one);
                    } catch (IOException cutOff) {
                        // It took too long.
                    }
                }
                theRunContinues();
            }
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    @Tag("quick")
    @Test
    void certificatesOfNobodyAndOfAnotherRun() throws Exception {
        Ticket good = Ticket.parse(cluster.collector.tickets().tester(3));
        RunCredentials another = new RunCredentials(Instant.now(), new SecureRandom());
        for (Role role : List.of(Role.TESTER, Role.RELAY, Role.CONTROLLER)) {
            RunCredentials.Identity identity = another.issue(role, 3);
            for (int port : run.ports()) {
                Ticket bad = new Ticket(
                        3, good.hosts(), port, good.authority(), identity.certificate(), identity.key(), good.token());
                try (RawPeer peer = new RawPeer(bad)) {
                    peer.hello(false);
                    assertThat(peer.awaitEnd()).isEmpty();
                } catch (IOException refusedDuringTheHandshake) {
                    assertThat(refusedDuringTheHandshake).isNotNull();
                }
            }
        }
        theRunContinues();
    }

    @Test
    void aStolenTicketWithoutItsTokenAndFramesThatLieAboutTheirLength() throws Exception {
        for (int port : run.ports()) {
            Ticket ticket = Ticket.parse(cluster.collector.tickets().tester(3, List.of("127.0.0.1"), port));
            for (int length : new int[] {Integer.MAX_VALUE, -1, Frame.MAX_LENGTH + 1, 1 << 20, 0, 3}) {
                try (RawPeer peer = new RawPeer(ticket)) {
                    peer.raw(ByteBuffer.allocate(8).putInt(0, length));
                    assertThat(peer.awaitEnd()).isEmpty();
                }
            }
            try (RawPeer peer = new RawPeer(ticket)) {
                peer.send(new Message.Hello("f".repeat(64), Frame.VERSION, false, MiniCluster.FACTS));
                peer.awaitEnd();
            }
        }
        theRunContinues();
    }

    /** Ten thousand handshakes of the long run take two minutes next to other checks. */
    @Test
    @Timeout(600)
    void garbageBeforeAndInsideOfTls() throws Exception {
        int handshakes = LONG ? 10_000 : 60;
        long seed = LONG ? System.nanoTime() : 5;
        System.out.println("AttacksIT seed " + seed);
        Random random = new Random(seed);
        List<Ticket> tickets = new ArrayList<>();
        for (int port : run.ports()) {
            tickets.add(Ticket.parse(cluster.collector.tickets().tester(3, List.of("127.0.0.1"), port)));
        }
        for (int i = 0; i < handshakes; i++) {
            Ticket ticket = tickets.get(i % tickets.size());
            byte[] garbage = new byte[1 + random.nextInt(400)];
            random.nextBytes(garbage);
            if (random.nextInt(3) == 0) {
                try (Socket socket = new Socket(HERE, ticket.port())) {
                    socket.getOutputStream().write(garbage);
                } catch (IOException cutOff) {
                    // expected
                }
                continue;
            }
            try (RawPeer peer = new RawPeer(ticket)) {
                ByteBuffer frame = random.nextBoolean()
                        ? new Frame(
                                        3,
                                        0,
                                        0,
                                        0,
                                        new Message.Hello("0".repeat(64), Frame.VERSION, false, MiniCluster.FACTS))
                                .encode()
                        : ByteBuffer.wrap(garbage);
                frame.put(random.nextInt(frame.limit()), (byte) random.nextInt());
                peer.raw(frame);
            } catch (IOException cutOff) {
                // expected
            }
            if (i % 500 == 0) {
                theRunContinues();
            }
        }
        theRunContinues();
    }

    /** A tunnel or a translated address puts testers and others behind one. */
    @Test
    void garbageFromTheSameAddressHoldsUpNobodyWhoJoins() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong sent = new AtomicLong();
        List<Thread> loops = new ArrayList<>();
        for (int port : run.ports()) {
            Thread loop = new Thread(() -> {
                while (!over.get()) {
                    try (Socket socket = new Socket(HERE, port)) {
                        socket.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                        socket.getInputStream().readAllBytes();
                    } catch (IOException cutOff) {
                        // expected
                    }
                    sent.incrementAndGet();
                }
            });
            loop.start();
            loops.add(loop);
        }
        try {
            await(sent, 600);
            cluster.tester(3, NanoClock.SYSTEM);
            cluster.events.await("joined 3");
            Ticket relayed = Ticket.parse(cluster.collector
                    .tickets()
                    .tester(4, List.of("127.0.0.1"), run.ports().get(1)));
            cluster.tester(relayed, new FakeEngine(), NanoClock.SYSTEM, List.of());
            cluster.events.await("joined 4");
            // The flood has gone on meanwhile.
            await(sent, sent.get() + 200);
        } finally {
            over.set(true);
            for (Thread loop : loops) {
                loop.join();
            }
        }
        theRunContinues(4);
    }

    private static void await(AtomicLong sent, long wanted) throws InterruptedException {
        while (sent.get() < wanted) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    @Tag("quick")
    @Test
    void aTesterTakesOrdersFromItsControllerAlone() throws Exception {
        // Somebody answers where the controller was.
        try (ServerSocket impostor = new ServerSocket(0, 10, HERE)) {
            Ticket misled =
                    Ticket.parse(cluster.collector.tickets().tester(3, List.of("127.0.0.1"), impostor.getLocalPort()));
            FakeEngine engine = new FakeEngine();
            cluster.tester(misled, engine, NanoClock.SYSTEM, List.of());
            for (int i = 0; i < 2; i++) {
                try (Socket socket = impostor.accept()) {
                    OutputStream out = socket.getOutputStream();
                    out.write(new Frame(3, 1, 0, 0, new Message.Assign(MiniCluster.assignment(1)))
                            .encode()
                            .array());
                } catch (IOException hungUp) {
                    // expected
                }
            }
            assertThat(engine.prepared).isNotDone();
        }
        theRunContinues();
    }
}
