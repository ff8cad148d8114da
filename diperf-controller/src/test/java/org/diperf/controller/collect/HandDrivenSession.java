package org.diperf.controller.collect;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.diperf.core.sample.CallClients;
import org.diperf.core.sample.ObservationWriter;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.FrameFile;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.TimeServerSettings;

/** The session of tester 1, whose clock, timer and collector are its test's. */
final class HandDrivenSession implements Session.Context, BlockSequence.Store {

    static final long MS = 1_000_000L;
    static final long S = 1_000 * MS;
    static final long LEASE = 10 * S;
    static final long EPOCH = 7;
    /** What the controller's clock shows more than the tester's. */
    static final long OFFSET = -5_000 * S;

    final Events events = new Events();
    final List<Long> kept = new ArrayList<>();
    final List<String> clockRows = new ArrayList<>();
    final Session session;
    private final CallClients clients = new CallClients();
    boolean failed;
    boolean mayMiss;
    private final TreeMap<Long, List<Runnable>> later = new TreeMap<>();
    private long now = 100 * S;

    HandDrivenSession() {
        this(Journal.NONE);
    }

    HandDrivenSession(Journal journal) {
        this.session = new Session(1, () -> now, journal, new ClockComparison(1, EPOCH, clockRows::add), this, this);
    }

    long now() {
        return now;
    }

    /** Lets time pass, and the session do what it wanted to do meanwhile. */
    void advance(long nanos) {
        long end = now + nanos;
        while (!later.isEmpty() && later.firstKey() <= end) {
            now = later.firstKey();
            later.pollFirstEntry().getValue().forEach(Runnable::run);
        }
        now = end;
    }

    /** Lets the tester say hello by a new way. */
    FakePeer join(boolean resumes) {
        FakePeer peer = new FakePeer(false);
        joinBy(peer, resumes);
        return peer;
    }

    boolean joinBy(FakePeer peer, boolean resumes) {
        Message.Hello hello = new Message.Hello("token", Frame.VERSION, resumes, MiniCluster.FACTS);
        return session.join(peer, hello, frame(hello), now, LEASE, TimeServerSettings.NONE);
    }

    /** Lets the tester say something that answers nothing. */
    boolean say(Message message) {
        return session.received(frame(message), now);
    }

    private Frame frame(Message message) {
        return new Frame(1, now - OFFSET, 0, 0, message);
    }

    /** Lets the tester answer the pings that were sent to it, each after the same time on the way there and back. */
    void answer(FakePeer peer, long wayNanos) {
        List<Frame> pings = peer.sent.stream()
                .filter(frame -> frame.message() instanceof Message.Ping)
                .toList();
        peer.sent.removeAll(pings);
        for (Frame ping : pings) {
            long testerNanos = ping.sentNanos() + wayNanos - OFFSET;
            session.received(
                    new Frame(1, testerNanos, ping.sentNanos(), testerNanos, new Message.Pong()),
                    ping.sentNanos() + 2 * wayNanos);
        }
    }

    /** Makes a block of one observation. */
    static ByteBuffer block(int tester, long number) {
        ObservationWriter writer = new ObservationWriter(tester, 1);
        writer.add("fake", number, 1, ObservationWriter.NONE, ObservationWriter.NONE);
        ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
        writer.encode(block, number);
        return block.flip();
    }

    static Assignment assignment(boolean debug) {
        Assignment plain = MiniCluster.assignment(1);
        return new Assignment(
                plain.plan(),
                plain.slot(),
                plain.rank(),
                plain.plugin(),
                plain.with(),
                plain.jars(),
                plain.loops(),
                plain.leaseNanos(),
                plain.lingerNanos(),
                debug,
                plain.script());
    }

    /** Lists what a journal has. */
    static List<Message> noted(Path journal) throws Exception {
        List<Message> noted = new ArrayList<>();
        FrameFile.read(journal, frame -> noted.add(frame.message()));
        return noted;
    }

    @Override
    public boolean offer(int tester, long number, ByteBuffer block) {
        return kept.add(number);
    }

    @Override
    public void full() {
        throw new AssertionError("its store has no bound");
    }

    @Override
    public CallClients clients() {
        return clients;
    }

    @Override
    public boolean hasFailed() {
        return failed;
    }

    @Override
    public boolean mayMissBlocks() {
        return mayMiss;
    }

    @Override
    public void later(long delayMillis, Runnable task) {
        later.computeIfAbsent(now + delayMillis * MS, none -> new ArrayList<>()).add(task);
    }

    @Override
    public void ready(Session ready) {
        events.hear("may start " + ready.tester());
    }

    @Override
    public void tell(Consumer<TesterEvents> event) {
        event.accept(events);
    }
}
