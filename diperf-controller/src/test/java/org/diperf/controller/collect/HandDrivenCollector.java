package org.diperf.controller.collect;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.diperf.controller.time.ClockEpoch;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.plan.Stage;
import org.diperf.core.security.Role;
import org.diperf.core.security.RunCredentials;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.FrameFile;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.TimeServerSettings;
import org.diperf.tester.link.SpoolException;
import org.diperf.tester.link.SpoolFile;
import org.diperf.tester.transport.FrameDecoder;

/**
 * The collector without its threads and sockets: sessions, store, journal and the handlers of its connections and
 * datagrams. Its test says when its writer takes a turn, when time passes and what arrives.
 */
public final class HandDrivenCollector implements Testers {

    /** Where it is, for connections and datagrams. */
    public static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711);

    /** To make keys takes longer than most runs that need them here. */
    private static final RunCredentials CREDENTIALS = new RunCredentials(Instant.now(), new SecureRandom());

    private static final Collector.Limits LIMITS = new Collector.Limits(4_000, 900);

    private final NanoClock clock;
    private final ControlFolder control;
    private final SampleStore store;
    private final Sessions sessions;
    private final boolean planGrew;
    private String failure = "";
    private boolean killed;
    /** Its loop has the timers. */
    private final EmbeddedChannel timers = new EmbeddedChannel();

    private final EmbeddedChannel datagrams = new AddressedChannel(ADDRESS);

    /** @param patienceNanos for how long what was held in memory is offered to a disk that does not take it */
    public HandDrivenCollector(CollectorConfig config, NanoClock clock, TesterEvents listener, long patienceNanos)
            throws IOException {
        this.clock = clock;
        Disk disk = Collector.files(config, LIMITS);
        RecoveredSamples kept =
                config.files().resumes() ? RecoveredSamples.in(config.files().samples()) : RecoveredSamples.NONE;
        Path folder = requireNonNull(config.files().control(), "control");
        this.control = config.files().resumes()
                ? ControlFolder.resume(folder, clock)
                : ControlFolder.create(folder, CREDENTIALS, clock);
        this.store = new SampleStore(
                disk,
                config.files().clockCsv(),
                config.files().resumes(),
                control.journal(),
                new SampleStore.Limits(LIMITS.maxQueueBytes(), config.heldBytes(), patienceNanos, 1),
                new ToSessions());
        long epoch = ClockEpoch.ofThisBoot();
        this.sessions = new Sessions(timers.eventLoop(), clock, control, config, epoch, store, listener);
        timers.freezeTime();
        List<Frame> noted = new ArrayList<>();
        if (config.files().resumes()) {
            FrameFile.read(ControlFolder.journal(folder), noted::add);
            sessions.restore(kept, noted);
        }
        this.planGrew = noted.stream()
                .anyMatch(frame -> frame.message() instanceof Message.Assign assign
                        && assign.assignment().plan().grows());
        sessions.datagrams(new Datagrams(timers.eventLoop(), datagrams, clock, sessions));
        control.write(new ControlFolder.Settings(
                "127.0.0.1", ADDRESS.getPort(), epoch, config.leaseNanos(), 0, config.memoryBytes() > 0, true));
        sessions.time(TimeServerSettings.NONE);
    }

    /** A channel at an address of the internet, as those have by which datagrams come or are asked for. */
    public static final class AddressedChannel extends EmbeddedChannel {
        private final InetSocketAddress address;

        /** @param handlers of its pipeline */
        public AddressedChannel(InetSocketAddress address, ChannelHandler... handlers) {
            super(handlers);
            this.address = address;
            // What is under way when somebody dies is nobody's to release.
            config().setAllocator(new UnpooledByteBufAllocator(false, true));
        }

        @Override
        public InetSocketAddress localAddress() {
            return requireNonNullElse(address, ADDRESS);
        }

        @Override
        public InetSocketAddress remoteAddress() {
            return requireNonNullElse(address, ADDRESS);
        }
    }

    private final class ToSessions implements SampleStore.Events {
        @Override
        public void durable(Map<Integer, Long> highest) {
            sessions.durable(highest);
        }

        @Override
        public void drained() {
            sessions.pause(false);
        }

        @Override
        public void overflowed(String reason) {
            sessions.overflowed(reason);
        }

        @Override
        public void waitsForDisk(String reason) {
            sessions.waitsForDisk(reason);
        }

        @Override
        public void failed(String reason) {
            failure = reason;
            sessions.failed(reason);
        }
    }

    /** Returns the secret of the run. */
    public String token() {
        return control.credentials().token();
    }

    /** Lets its process end where it stands: it closes nothing. */
    public void kill() {
        killed = true;
    }

    /** Returns the channel of its datagrams, to which it has given what it has to send. */
    public EmbeddedChannel datagrams() {
        timers.runPendingTasks();
        return datagrams;
    }

    /** Returns its end of a connection of this holder of a certificate. */
    public EmbeddedChannel accept(Role.Holder holder) {
        EmbeddedChannel channel = new AddressedChannel(ADDRESS);
        FrameDecoder decoder = FrameDecoder.decoding(clock, Frame.MAX_LENGTH_BEFORE_WELCOME);
        TlsPeer peer = new TlsPeer(sessions, channel, null, decoder, clock.nanoTime());
        if (sessions.opened(peer)) {
            channel.pipeline().addLast(decoder, peer.handler());
            peer.identified(holder);
        } else {
            channel.close();
        }
        return channel;
    }

    /** Lets the writer write what is queued. */
    public void write() throws InterruptedException {
        if (store.waitingBytes() > 0) {
            store.turn();
        }
    }

    /** Does what is due after so much time. */
    public void passed(long nanos) {
        timers.advanceTimeBy(nanos, TimeUnit.NANOSECONDS);
        timers.runPendingTasks();
        sessions.tick();
    }

    @Override
    public void assign(int tester, Assignment assignment) {
        sessions.orders().assign(tester, assignment);
    }

    @Override
    public void start(long atNanos) {
        sessions.orders().start(atNanos);
    }

    @Override
    public void append(Stage stage) {
        sessions.orders().append(stage);
    }

    @Override
    public void join(int tester, long joinNanos) {
        sessions.orders().join(tester, joinNanos);
    }

    @Override
    public void stop(int tester, long graceNanos) {
        sessions.orders().stop(tester, graceNanos);
    }

    @Override
    public void stop(long graceNanos) {
        sessions.orders().stop(graceNanos);
    }

    @Override
    public void bye() {
        sessions.orders().bye();
    }

    @Override
    public boolean awaitDurable(long timeoutNanos) throws InterruptedException {
        sessions.flushClocks();
        // What was held in memory goes to the disk from now on.
        store.awaitDurable(0);
        while (store.waitingBytes() > 0 && failure.isEmpty()) {
            store.turn();
        }
        return failure.isEmpty();
    }

    @Override
    public long waitingBytes() {
        return store.waitingBytes();
    }

    @Override
    public long silentNanos() {
        return sessions.silentNanos();
    }

    @Override
    public boolean planGrew() {
        return planGrew;
    }

    @Override
    public ImportedSpool take(Path spool, int from) throws IOException {
        SpoolFile.Head head = SpoolFile.check(spool);
        Optional<String> objection = sessions.objection(head, from);
        if (!head.run().equals(RunCredentials.runOf(token())) || objection.isPresent()) {
            throw new SpoolException(spool + ": " + objection.orElse("of another run"));
        }
        long before = sessions.lastBlock(head.tester());
        SpoolFile.read(spool, sessions::left);
        return new ImportedSpool(head.tester(), head.blocks(), sessions.lastBlock(head.tester()) - before);
    }

    /** Ends in the order in which the collector does. */
    @Override
    public void close() throws IOException {
        if (killed) {
            return;
        }
        sessions.close();
        try {
            store.close();
        } finally {
            control.close();
        }
    }
}
