package org.diperf.tester.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.diperf.core.clock.WallClock;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Targets;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.BlockWriter;
import org.diperf.core.sample.ObservationWriter;
import org.diperf.core.sample.Observations;
import org.diperf.core.spi.Url;
import org.diperf.core.wire.TesterStatus;
import org.diperf.tester.engine.call.BlockSink;
import org.diperf.tester.engine.call.RunSetup;
import org.diperf.tester.machine.FakeProc;
import org.diperf.tester.machine.ProcFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A watch turned by hand, over a {@code /proc} of files. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class SelfMonitorTests {

    private static final long MS = 1_000_000L;
    private static final long SECOND = 1_000 * MS;

    @TempDir
    private Path folder;

    private long now = 77 * SECOND;
    private long cpuNanos;
    private long gcMillis;
    private long heldNanos;
    private long delayNanos;
    private final Map<String, Double> values = new LinkedHashMap<>();
    private final Map<String, Long> times = new LinkedHashMap<>();

    /** Decodes what is written; a write takes as long as the test says. */
    private final class Decoding implements BlockSink {

        private final Observations decoded = new Observations();
        private long number;

        @Override
        public void write(BlockWriter observations) {
            assertThat(observations).isInstanceOf(ObservationWriter.class);
            now += heldNanos;
            heldNanos = 0;
            ByteBuffer block = ByteBuffer.allocate(observations.maxEncodedLength());
            observations.encode(block, ++number);
            block.flip();
            try {
                decoded.decode(block, Block.read(block));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            for (int row = 0; row < decoded.rows(); row++) {
                values.put(decoded.metric(row), decoded.value(row));
                times.put(decoded.metric(row), decoded.timeNanos(row));
            }
        }
    }

    private final class Late implements Driver {
        @Override
        public void grown() {}

        @Override
        public void whenDone(Runnable task) {}

        @Override
        public void prepare(int openFirst) {}

        @Override
        public void start(long startNanos) {}

        @Override
        public void retire(int client) {}

        @Override
        public void stop(long graceNanos) {}

        @Override
        public void terminate(long millis) {}

        @Override
        public TesterStatus status() {
            return new TesterStatus(0, 0, 0, 0, 0, 0);
        }

        @Override
        public long lateEnds() {
            return 0;
        }

        @Override
        public long firstCallNanos() {
            return 0;
        }

        @Override
        public void watch(long nowNanos, Consumer<String> log) {}

        @Override
        public long takeMaxDelayNanos() {
            long taken = delayNanos;
            delayNanos = 0;
            return taken;
        }
    }

    private final Late driver = new Late();

    private SelfMonitor watch(Path proc) {
        Plan plan = new Plan(
                1,
                1,
                Targets.one(Url.of("test:a")),
                List.of(new Stage(0, new ClosedLoad(1, 0, SECOND, ThinkTime.NONE, SECOND), 0)));
        RunSetup setup = new RunSetup(1, 1, 0, plan, List.of(), LoopSettings.DEFAULT.orLoops(1), false, line -> {});
        GuardedSink sink = new GuardedSink(new Decoding(), setup, () -> now);
        Records records = new Records(setup, sink, () -> now, WallClock.SYSTEM);
        SelfMonitor watch = new SelfMonitor(
                records,
                () -> now,
                sink,
                new ProcFiles(proc),
                new SelfMonitor.Jvm(() -> cpuNanos, () -> gcMillis),
                line -> {});
        watch.begin(driver);
        return watch;
    }

    /** Lets the watch wake on time until so much time has passed. */
    private void turn(SelfMonitor watch, long nanos) {
        long end = now + nanos;
        while (now < end) {
            now += SelfMonitor.PERIOD_NANOS;
            watch.woke(driver);
        }
    }

    /** Lets what was observed come out. */
    private void flush(SelfMonitor watch) {
        turn(watch, 150 * MS);
    }

    @Test
    void aSecondIsRecordedAsWhatItTookPerSecond() throws IOException {
        FakeProc proc = new FakeProc(folder)
                .stat(1_000, 5_000, 10)
                .thread(11, "diperf-loop-1", 100, 50)
                .thread(12, "diperf-loop-2", 100, 50)
                .thread(13, "C2 CompilerThre", 0, 0)
                .descriptors(7, "1024")
                .retransmits(40);
        SelfMonitor watch = watch(folder);
        turn(watch, SECOND / 2);
        cpuNanos += SECOND / 4;
        gcMillis += 30;
        delayNanos = 3 * MS;
        proc.stat(1_100, 5_080, 30)
                .thread(11, "diperf-loop-1", 100 + 100 * MS, 50 + 300 * MS)
                .thread(12, "diperf-loop-2", 100 + 500 * MS, 50 + 100 * MS)
                .thread(13, "C2 CompilerThre", 0, 900 * MS)
                .retransmits(45);
        turn(watch, SECOND / 2);
        flush(watch);
        assertThat(values)
                .contains(
                        entry("tester.cpu", 0.25),
                        entry("tester.gc", 30.0),
                        entry("tester.gc.pause", 30.0),
                        entry("loop.delay", 3.0),
                        entry("tester.hiccup", 0.0),
                        entry("tester.stalled", 0.0),
                        entry("tester.held", 0.0),
                        entry("tester.descriptors", 7.0),
                        entry("tester.descriptors.limit", 1024.0),
                        entry("host.tcp.retransmits", 5.0));
        // The one that waited longest, and both together: 400 ms of the 1,000 ms in which they had something to do.
        assertThat(values.get("tester.runqueue")).isCloseTo(0.3, within(1e-9));
        assertThat(values.get("tester.starved")).isCloseTo(0.4, within(1e-9));
        // 100 of 200 ticks on two processors; 20 stolen.
        assertThat(values.get("host.cpu")).isCloseTo(1.0, within(1e-9));
        assertThat(values.get("host.steal")).isCloseTo(0.1, within(1e-9));
    }

    @Test
    void whatIsNotInProcIsAbsentAndNotZero() {
        SelfMonitor watch = watch(folder.resolve("none"));
        cpuNanos = -1;
        turn(watch, SECOND);
        flush(watch);
        assertThat(values)
                .containsOnlyKeys(
                        "tester.hiccup", "tester.stalled", "tester.gc", "tester.gc.pause", "loop.delay", "tester.held");
    }

    @Test
    void anUnlimitedNumberOfDescriptorsHasNoLimit() throws IOException {
        new FakeProc(folder).descriptors(3, "unlimited");
        SelfMonitor watch = watch(folder);
        turn(watch, SECOND);
        flush(watch);
        assertThat(values).containsEntry("tester.descriptors", 3.0).doesNotContainKey("tester.descriptors.limit");
    }

    @Test
    void aStoppedProcessIsOneHiccupAtTheInstantWhereItEnded() {
        SelfMonitor watch = watch(folder);
        turn(watch, 100 * MS);
        now += 1_500 * MS + SelfMonitor.PERIOD_NANOS;
        long wokeNanos = now;
        watch.woke(driver);
        flush(watch);
        assertThat(values).containsEntry("tester.hiccup", 1_500.0).containsEntry("tester.stalled", 1_500.0);
        assertThat(times).containsEntry("tester.hiccup", wokeNanos);
    }

    @Test
    void hiccupsOfLessThanTenMillisecondsAreNoStandStill() {
        SelfMonitor watch = watch(folder);
        for (int i = 0; i < 20; i++) {
            now += 9 * MS + SelfMonitor.PERIOD_NANOS;
            watch.woke(driver);
        }
        now += 12 * MS + SelfMonitor.PERIOD_NANOS;
        watch.woke(driver);
        turn(watch, SECOND);
        flush(watch);
        assertThat(values).containsEntry("tester.stalled", 12.0).containsEntry("tester.hiccup", 12.0);
    }

    @Test
    void aFullSinkHoldsUpTheLoadAndIsNoHiccup() {
        SelfMonitor watch = watch(folder);
        turn(watch, SECOND);
        heldNanos = 400 * MS;
        // The write of the first second's observations is held up, within the next second.
        turn(watch, SECOND);
        flush(watch);
        assertThat(values.get("tester.held")).isCloseTo(400, within(5.0));
        assertThat(values).containsEntry("tester.hiccup", 0.0).containsEntry("tester.stalled", 0.0);
    }

    @Test
    void threadsThatBeginWithTheRunAreFoundWithinSeconds() throws IOException {
        SelfMonitor watch = watch(folder);
        FakeProc proc = new FakeProc(folder).thread(20, "diperf-pacer", 0, 0);
        turn(watch, SECOND);
        proc.thread(20, "diperf-pacer", 0, 500 * MS);
        turn(watch, SECOND);
        flush(watch);
        assertThat(values.get("tester.runqueue")).isCloseTo(0.5, within(0.01));
    }

    @Test
    void aThreadThatHasEndedIsNotMissed() throws IOException {
        new FakeProc(folder).thread(20, "diperf-client-1", 0, 0).thread(21, "diperf-client-2", 0, 0);
        SelfMonitor watch = watch(folder);
        Files.delete(folder.resolve("self/task/20/schedstat"));
        new FakeProc(folder).thread(21, "diperf-client-2", 0, 250 * MS);
        turn(watch, SECOND);
        flush(watch);
        assertThat(values.get("tester.runqueue")).isCloseTo(0.25, within(1e-9));
    }

    @Test
    void thisMachineTellsWhatItIsAskedFor() {
        org.junit.jupiter.api.Assumptions.assumeTrue(Files.exists(Path.of("/proc/self/stat")), "no /proc here");
        ProcFiles own = new ProcFiles(Path.of("/proc"));
        assertThat(own.hostTime()).isNotNull();
        assertThat(own.openDescriptors()).isPositive();
        assertThat(SelfMonitor.Jvm.own().cpuNanos().getAsLong()).isPositive();
        assertThat(SelfMonitor.Jvm.own().collectionMillis().getAsLong()).isNotNegative();
    }
}
