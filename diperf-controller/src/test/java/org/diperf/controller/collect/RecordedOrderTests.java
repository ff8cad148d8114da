package org.diperf.controller.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.diperf.controller.durability.Keeping;
import org.diperf.core.clock.Exchange;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.faults.FaultyDisk;
import org.diperf.core.folder.DurableFiles;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.CorruptBlockException;
import org.diperf.core.sample.SampleReader;
import org.diperf.core.sample.SampleWriter;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.FrameFile;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.TesterTotals;
import org.diperf.core.wire.TimeExchange;
import org.diperf.core.wire.TimeServerSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The collector's writes, syncs and acknowledgements, in the order in which they happen on a disk that fails at a random
 * instant, are among those that the model of {@link Keeping} accepts. What a failure of the machine would leave at a random
 * instant has all that was acknowledged, and what is needed to read it; and a collector that resumes when there is room ends
 * with all blocks, each once.
 */
@Timeout(60)
class RecordedOrderTests {

    private static final long EPOCH = 7;
    private static final int TRIALS = 40;
    private static final TesterTotals TOTALS = new TesterTotals(1, 0, 0, 0, Map.of(), 0);

    @TempDir
    Path folder;

    @Test
    void whatTheCollectorDoesIsAcceptedByTheModel() throws Exception {
        for (int seed = 1; seed <= TRIALS; seed++) {
            trial(seed);
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void whatTheCollectorDoesIsAcceptedInAThousandTrials() throws Exception {
        long seed = Long.getLong("diperf.seed", System.nanoTime());
        System.out.println("RecordedOrderTests seed " + seed);
        for (int i = 0; i < 1_000; i++) {
            trial(seed + i);
        }
    }

    private void trial(long seed) throws Exception {
        Path real = Files.createDirectory(folder.resolve("trial-" + seed));
        try (Trial trial = new Trial(new Random(seed), real)) {
            trial.run();
        } catch (AssertionError | Exception e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    /** Tells the model what happens. */
    private static final class Recorder {
        private final FaultyDisk disk;
        private final Path samples;
        private final Path image;
        private final Keeping keeping = new Keeping();
        private final List<String> happened = new ArrayList<>();
        private final long[] forgotten = new long[Keeping.TESTERS];
        private final long[] forgottenAtCut = new long[Keeping.TESTERS];
        private String violation = "";
        private int eventsUntilCut;
        private boolean followed;
        private boolean cutAfterFailure;

        Recorder(FaultyDisk disk, Path samples, Path image, int eventsUntilCut) {
            this.disk = disk;
            this.samples = samples;
            this.image = image;
            this.eventsUntilCut = eventsUntilCut;
            // A run's record is written before: the run's own tests look at that.
            keeping.recorded(false);
            keeping.recordDurable();
        }

        synchronized void happened(FaultyDisk.Event event) {
            String name = event.name();
            if (name.startsWith("samples")) {
                if (event.kind() == FaultyDisk.Kind.WRITE) {
                    Set<String> blocks = blocks(false);
                    for (int tester = 0; tester < Keeping.TESTERS; tester++) {
                        keeping.cached(tester, highest(blocks, tester));
                    }
                } else {
                    Set<String> blocks = blocks(true);
                    for (int tester = 0; tester < Keeping.TESTERS; tester++) {
                        keeping.durable(tester, highest(blocks, tester));
                    }
                    keeping.samplesNamed();
                }
            } else if (name.equals("clock.csv") && event.kind() == FaultyDisk.Kind.FORCE) {
                byte[] rows = disk.durable(name);
                String text = rows == null ? "" : new String(rows, StandardCharsets.UTF_8);
                for (int tester = 0; tester < Keeping.TESTERS; tester++) {
                    if (text.contains("\n" + (tester + 1) + ",")) {
                        keeping.clockCached(tester);
                    }
                }
                keeping.clockDurable();
            }
            note(event.kind() + " " + name);
            if (--eventsUntilCut == 0) {
                try {
                    disk.leaveDurable(image);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
                cutAfterFailure = followed;
                System.arraycopy(forgotten, 0, forgottenAtCut, 0, forgotten.length);
            }
        }

        /** Takes note that a collector has failed and another follows. */
        synchronized void followed() {
            followed = true;
        }

        synchronized void made(int tester, int block) {
            keeping.made(tester, block);
        }

        synchronized long forgotten(int tester) {
            return forgotten[tester];
        }

        synchronized void sent(Frame frame) {
            int tester = frame.tester() - 1;
            Message message = frame.message();
            long durable = message instanceof Message.Ack ack
                    ? ack.durable()
                    : message instanceof Message.Welcome welcome ? welcome.durable() : -1;
            if (durable >= 0) {
                keeping.forgets(tester, (int) durable);
                forgotten[tester] = Math.max(forgotten[tester], durable);
                note("tester " + frame.tester() + " forgets to " + durable);
            }
        }

        private void note(String what) {
            happened.add(what);
            String loss = keeping.loss();
            if (loss != null && violation.isEmpty()) {
                violation = loss + " after " + happened;
            }
        }

        synchronized String violation() {
            return violation;
        }

        /** Lists what whole blocks there are in the files, or in what is durable of them. */
        private Set<String> blocks(boolean durable) {
            Set<String> found = new HashSet<>();
            try {
                for (Path file : SampleReader.files(samples)) {
                    byte[] bytes = durable ? disk.durable("samples/" + file.getFileName()) : Files.readAllBytes(file);
                    if (bytes == null || bytes.length < SampleWriter.header().length) {
                        continue;
                    }
                    ByteBuffer rest = ByteBuffer.wrap(bytes);
                    rest.position(SampleWriter.header().length);
                    while (rest.hasRemaining()) {
                        Block header = Block.read(rest.slice());
                        found.add(header.tester() + "/" + header.number());
                        rest.position(rest.position() + Block.length(rest.slice()));
                    }
                }
            } catch (CorruptBlockException e) {
                // The last one is not whole.
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            return found;
        }

        private static int highest(Set<String> blocks, int tester) {
            int number = 0;
            while (blocks.contains((tester + 1) + "/" + (number + 1))) {
                number++;
            }
            return number;
        }
    }

    /** Two testers, whose collectors end when the disk fails and are followed by others. */
    private static final class Trial implements AutoCloseable {
        private final Random random;
        private final FaultyDisk disk;
        private final Path root;
        private final Path samples;
        private final Path image;
        private final Path control;
        private final Recorder recorder;
        private final EventLoop loop = new DefaultEventLoop();
        private final int[] made = new int[Keeping.TESTERS];
        private final FakePeer[] peers = new FakePeer[Keeping.TESTERS];
        private Events events = new Events();
        private ControlFolder kept;
        private SampleStore store;
        private Sessions sessions;

        Trial(Random random, Path folder) throws Exception {
            this.random = random;
            this.disk = new FaultyDisk(Files.createDirectory(folder.resolve("disk")));
            this.image = Files.createDirectory(folder.resolve("image"));
            this.root = disk.root();
            this.samples = root.resolve("samples");
            this.control = DurableFiles.folder(root.resolve("control"));
            this.recorder = new Recorder(disk, folder.resolve("disk/samples"), image, 20 + random.nextInt(80));
            DurableFiles.folder(samples);
            disk.tell(recorder::happened);
            this.kept = ControlFolder.create(control, NanoClock.SYSTEM);
            this.store = store(false);
            this.sessions = new Sessions(loop, NanoClock.SYSTEM, kept, config(false), EPOCH, store, events);
            kept.write(new ControlFolder.Settings("127.0.0.1", 0, EPOCH, MiniCluster.LEASE, 0, false, false));
        }

        private CollectorConfig config(boolean resumes) {
            return new CollectorConfig(
                    CollectorConfig.Listen.any("127.0.0.1"),
                    new CollectorConfig.Files(samples, root.resolve("clock.csv"), control, resumes),
                    Keeping.TESTERS,
                    MiniCluster.LEASE,
                    0,
                    0,
                    false);
        }

        private SampleStore store(boolean resumes) throws IOException {
            Collector.Limits limits = new Collector.Limits(1_500, 700);
            SampleStore made = new SampleStore(
                    Collector.files(config(resumes), limits),
                    root.resolve("clock.csv"),
                    resumes,
                    kept.journal(),
                    new SampleStore.Limits(limits.maxQueueBytes(), 0, 0, 0),
                    new SampleStore.Events() {
                        @Override
                        public void durable(Map<Integer, Long> highest) {
                            loop.execute(() -> sessions.durable(highest));
                        }

                        @Override
                        public void drained() {
                            loop.execute(() -> sessions.pause(false));
                        }

                        @Override
                        public void overflowed(String reason) {}

                        @Override
                        public void waitsForDisk(String reason) {}

                        @Override
                        public void failed(String reason) {
                            loop.execute(() -> sessions.failed(reason));
                        }
                    });
            made.start();
            return made;
        }

        private void onLoop(Runnable task) throws InterruptedException {
            loop.submit(task).sync();
        }

        void run() throws Exception {
            onLoop(() -> sessions.time(TimeServerSettings.NONE));
            for (int tester = 1; tester <= Keeping.TESTERS; tester++) {
                begin(tester);
            }
            int steps = 20 + random.nextInt(40);
            int faultAt = random.nextInt(steps + 10);
            for (int step = 0; step < steps; step++) {
                if (step == faultAt) {
                    if (random.nextBoolean()) {
                        disk.leaveRoom(random.nextInt(600));
                    } else {
                        disk.failForceAfter(random.nextInt(6));
                    }
                }
                int tester = 1 + random.nextInt(Keeping.TESTERS);
                int what = random.nextInt(10);
                if (what == 0) {
                    join(tester, true);
                } else if (what == 1) {
                    store.awaitDurable(TimeUnit.SECONDS.toNanos(10));
                } else {
                    measure(tester);
                }
            }
            if (!whole()) {
                follow();
                assertThat(whole()).as("after there was room").isTrue();
            }
            assertThat(recorder.violation()).isEmpty();
            lookAtTheCut();
        }

        private void begin(int tester) throws InterruptedException {
            join(tester, false);
            onLoop(() -> sessions.orders().assign(tester, MiniCluster.assignment(2)));
            onLoop(() -> sessions.orders().start(NanoClock.SYSTEM.nanoTime() + TimeUnit.SECONDS.toNanos(30)));
            List<TimeExchange> answers = new ArrayList<>();
            for (int i = 0; i < Session.BURST; i++) {
                long now = NanoClock.SYSTEM.nanoTime();
                answers.add(new TimeExchange(EPOCH, 0, new Exchange(now, now + 10, now + 20, now + 40)));
            }
            say(tester, new Message.Exchanges(answers));
            say(tester, new Message.Ready());
        }

        private void say(int tester, Message message) throws InterruptedException {
            long echo = peers[tester - 1].lastSentNanos();
            long now = NanoClock.SYSTEM.nanoTime();
            Frame frame = new Frame(tester, now, echo, echo == 0 ? 0 : now, message);
            onLoop(() -> sessions.received(peers[tester - 1], frame, NanoClock.SYSTEM.nanoTime()));
        }

        /** Comes by a new way, and says again what was not acknowledged. */
        private void join(int tester, boolean resumes) throws InterruptedException {
            FakePeer peer = new FakePeer(false, recorder::sent);
            peers[tester - 1] = peer;
            onLoop(() -> sessions.opened(peer));
            say(tester, new Message.Hello(kept.credentials().token(), Frame.VERSION, resumes, MiniCluster.FACTS));
            for (long number = recorder.forgotten(tester - 1) + 1; number <= made[tester - 1]; number++) {
                say(tester, new Message.Block(HandDrivenSession.block(tester, number)));
            }
        }

        private void measure(int tester) throws InterruptedException {
            recorder.made(tester - 1, ++made[tester - 1]);
            say(tester, new Message.Block(HandDrivenSession.block(tester, made[tester - 1])));
        }

        /** Returns whether all that was measured is durable. */
        private boolean whole() throws Exception {
            onLoop(sessions::flushClocks);
            boolean durable = store.awaitDurable(TimeUnit.SECONDS.toNanos(10));
            onLoop(() -> {});
            for (int tester = 1; tester <= Keeping.TESTERS; tester++) {
                say(tester, new Message.Finished(TOTALS));
            }
            return durable
                    && recorder.forgotten(0) == made[0]
                    && recorder.forgotten(1) == made[1]
                    && events.all().stream().noneMatch(event -> event.startsWith("failed"));
        }

        /** Ends the collector as it ends when it can keep no more, makes room, and begins another one. */
        private void follow() throws Exception {
            end();
            recorder.followed();
            disk.makeRoom();
            disk.failForceAfter(Integer.MAX_VALUE);
            events = new Events();
            kept = ControlFolder.resume(control, NanoClock.SYSTEM);
            store = store(true);
            sessions = new Sessions(loop, NanoClock.SYSTEM, kept, config(true), EPOCH, store, events);
            List<Frame> noted = new ArrayList<>();
            FrameFile.read(ControlFolder.journal(control), noted::add);
            RecoveredSamples blocks = RecoveredSamples.in(samples);
            onLoop(() -> sessions.restore(blocks, noted));
            for (int tester = 1; tester <= Keeping.TESTERS; tester++) {
                join(tester, true);
            }
        }

        private void end() throws InterruptedException {
            onLoop(sessions::close);
            try {
                store.close();
            } catch (IOException e) {
                // It has failed.
            }
            onLoop(kept::close);
        }

        /** Looks at what a failure of the machine has left, if it came. */
        private void lookAtTheCut() throws IOException {
            long[] forgotten = recorder.forgottenAtCut;
            if (forgotten[0] + forgotten[1] == 0) {
                return;
            }
            Map<Integer, Long> blocks =
                    RecoveredSamples.in(image.resolve("samples")).blocks();
            // What could not be forced of a journal cannot be forced by whoever resumes the run either.
            Set<String> noted = recorder.cutAfterFailure ? Set.of() : noted();
            String rows = Files.readString(image.resolve("clock.csv"));
            for (int tester = 1; tester <= Keeping.TESTERS; tester++) {
                if (forgotten[tester - 1] > 0) {
                    assertThat(blocks.getOrDefault(tester, 0L)).isGreaterThanOrEqualTo(forgotten[tester - 1]);
                    if (!recorder.cutAfterFailure) {
                        assertThat(noted).contains(tester + " Hello", tester + " Assign", tester + " Start");
                    }
                    assertThat(rows).contains("\n" + tester + ",");
                }
            }
        }

        /** Lists what the journal has of each tester after the cut. */
        private Set<String> noted() throws IOException {
            Set<String> noted = new TreeSet<>();
            FrameFile.read(
                    ControlFolder.journal(image.resolve("control")),
                    frame -> noted.add(
                            frame.tester() + " " + frame.message().getClass().getSimpleName()));
            return noted;
        }

        @Override
        public void close() throws Exception {
            end();
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }
}
