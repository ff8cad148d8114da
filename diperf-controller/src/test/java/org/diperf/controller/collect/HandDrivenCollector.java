package org.diperf.controller.collect;

import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.folder.Durable;
import org.diperf.core.plan.Stage;
import org.diperf.core.security.Role;
import org.diperf.core.security.RunCredentials;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.FrameFile;
import org.diperf.core.wire.TimeService;
import org.diperf.tester.link.SpoolException;
import org.diperf.tester.link.SpoolFile;
import org.diperf.tester.transport.FrameDecoder;

/**
 * The collector without its threads and sockets: sessions, store, journal and the handlers of its connections. Its test
 * says when its writer takes a turn, when time passes and what arrives.
 */
public final class HandDrivenCollector implements Testers {

    public static final long LEASE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long EPOCH = 7;
    private static final Collector.Limits LIMITS = new Collector.Limits(4_000, 900);

    private final Consumer<String> failed;
    private final NanoClock clock;
    private final Control control;
    private final SampleStore store;
    private final Sessions sessions;
    private final Events events = new Events();
    /** Its loop has the timers. */
    private final EmbeddedChannel timers = new EmbeddedChannel();

    /**
     * @param run with the folder {@code control}, which has what another collector has left when this one resumes
     * @param failed hears why nothing more can be kept
     */
    public HandDrivenCollector(Path run, int testers, boolean resumes, NanoClock clock, Consumer<String> failed)
            throws IOException {
        this.failed = failed;
        this.clock = clock;
        CollectorConfig config = new CollectorConfig(
                "127.0.0.1",
                "",
                0,
                0,
                testers,
                LEASE_NANOS,
                0,
                Durable.folder(run.resolve("samples")),
                run.resolve("clock.csv"),
                0,
                run.resolve("control"),
                resumes,
                false);
        Disk disk = Collector.files(config, LIMITS);
        KeptSamples kept = resumes ? KeptSamples.in(config.samplesFolder()) : KeptSamples.NONE;
        Path folder = run.resolve("control");
        this.control = resumes ? Control.resume(folder, clock) : Control.create(folder, clock);
        this.store = new SampleStore(
                disk,
                config.clockCsv(),
                resumes,
                control.journal(),
                new SampleStore.Limits(LIMITS.maxQueueBytes(), 0, 0),
                new ToSessions());
        this.sessions = new Sessions(timers.eventLoop(), clock, control, config, EPOCH, store, events);
        timers.freezeTime();
        if (resumes) {
            List<Frame> noted = new ArrayList<>();
            FrameFile.read(Control.journal(folder), noted::add);
            sessions.restore(kept, noted);
        }
        control.write(new Control.Settings("127.0.0.1", 0, EPOCH, LEASE_NANOS, 0, false, false));
        sessions.time(TimeService.NONE);
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
            sessions.failed(reason);
            failed.accept(reason);
        }
    }

    /** Returns the secret of the run. */
    public String token() {
        return control.credentials().token();
    }

    /** Returns whether it told of something that begins so. */
    public boolean hasTold(String begin) {
        return events.all().stream().anyMatch(event -> event.startsWith(begin));
    }

    /** Returns why nothing more can be kept; empty: it can. */
    public Optional<String> failure() {
        return events.all().stream().filter(event -> event.startsWith("failed")).findFirst();
    }

    /** Returns its end of a connection of this holder of a certificate. */
    public EmbeddedChannel accept(Role.Holder holder) {
        EmbeddedChannel channel = new EmbeddedChannel();
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
        while (store.waitingBytes() > 0 && failure().isEmpty()) {
            store.turn();
        }
        return failure().isEmpty();
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
        return false;
    }

    @Override
    public TakenSpool take(Path spool) throws IOException {
        SpoolFile.Head head = SpoolFile.check(spool);
        Optional<String> objection = sessions.objection(head);
        if (!head.run().equals(RunCredentials.runOf(token())) || objection.isPresent()) {
            throw new SpoolException(spool + ": " + objection.orElse("of another run"));
        }
        long before = sessions.lastBlock(head.tester());
        SpoolFile.read(spool, sessions::left);
        return new TakenSpool(head.tester(), head.blocks(), sessions.lastBlock(head.tester()) - before);
    }

    /** Ends in the order in which the collector does. */
    @Override
    public void close() throws IOException {
        sessions.close();
        try {
            store.close();
        } finally {
            control.close();
        }
    }
}
