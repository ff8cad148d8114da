package org.diperf.tester.engine;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.core.folder.FolderTree;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Targets;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.sample.BlockWriter;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.StandIn;
import org.diperf.tester.engine.call.BlockSink;

/**
 * Lets the JVM compile what calls need before the first one counts: an engine of its own, with the plugin's real clients,
 * against the plugin's {@link StandIn} on the loopback, whose samples go nowhere. Where the plugin has none, in short runs
 * and under a debugger there is no rehearsal.
 */
final class EngineWarmup {

    /** A run shorter than this is to begin soon rather than well. */
    static final long SHORTEST_RUN_NANOS = 5_000_000_000L;

    /** In runs of seconds, whose begin somebody waits for, the rehearsal takes no longer than this. */
    private static final long MIN_NANOS = 250_000_000L;

    private static final long MAX_NANOS = 1_000_000_000L;
    private static final int SHARE = 40;
    private static final long MARGIN_NANOS = 2_000_000L;
    private static final long OVERTIME_MILLIS = 1_000;
    private static final long TIMEOUT_NANOS = 1_000_000_000L;
    private static final long THINK_NANOS = 200_000L;
    private static final double PER_SECOND = 4_000;
    private static final int CLIENTS = 4;

    /** Set to {@code false} by a process that starts many testers on few processors. */
    private static final boolean WANTED = !"false".equals(System.getProperty("diperf.rehearse"));

    private EngineWarmup() {}

    /** Returns how long a run of a length is rehearsed; 0: not at all. */
    static long lengthNanos(Plan plan) {
        if (!WANTED) {
            return 0;
        }
        long run = plan.stages().stream().mapToLong(Stage::endNanos).max().orElse(0);
        return run < SHORTEST_RUN_NANOS ? 0 : Math.max(MIN_NANOS, Math.min(MAX_NANOS, run / SHARE));
    }

    /** Rehearses, and returns when everything of it is closed. What goes wrong is left for the run to show. */
    static void hold(Engine.Config config, Parameters with, NanoClock clock) throws InterruptedException {
        long length = config.debug() ? 0 : lengthNanos(config.plan());
        if (length == 0) {
            return;
        }
        try {
            Optional<StandIn> found = config.plugin().standIn(with);
            if (found.isPresent()) {
                try (StandIn standIn = found.get()) {
                    hold(config, standIn, length, clock);
                }
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            // The run itself meets whatever this was, and says so.
        }
    }

    private static void hold(Engine.Config config, StandIn standIn, long length, NanoClock clock) throws Exception {
        Path folder = Files.createTempDirectory(config.folder(), "rehearsal-");
        Plan plan = new Plan(
                config.plan().seed(),
                1,
                Targets.one(standIn.target()),
                stages(config.plan().stages().get(0).load(), length));
        Engine.Config small = new Engine.Config(
                1,
                1,
                config.rank(),
                plan,
                config.plugin(),
                config.with(),
                folder,
                new LoopSettings(1, config.loops().io(), config.loops().spinNanos()),
                config.debug(),
                config.script().rehearsed());
        try (Engine engine = new Engine(small, new DiscardingSink(), clock, line -> {})) {
            engine.prepare();
            engine.start(clock.nanoTime() + MARGIN_NANOS);
            engine.done().get(TimeUnit.NANOSECONDS.toMillis(length) + OVERTIME_MILLIS, TimeUnit.MILLISECONDS);
        } finally {
            FolderTree.delete(folder);
        }
    }

    /** First as many calls as can be, then calls that start by the clock, as those of the run do. */
    private static List<Stage> stages(Load first, long length) {
        long half = length / 2;
        Load many = new ClosedLoad(CLIENTS, 0, half, ThinkTime.NONE, TIMEOUT_NANOS);
        Load timed = first instanceof OpenLoad
                ? new OpenLoad(PER_SECOND, OpenLoad.Arrivals.CONSTANT, 0, half, CLIENTS, TIMEOUT_NANOS)
                : new ClosedLoad(CLIENTS, 0, half, new ThinkTime.Fixed(THINK_NANOS), TIMEOUT_NANOS);
        return List.of(new Stage(0, many, 0), new Stage(1, timed, half));
    }

    /** Encodes blocks, as the run will, and forgets them. Thread-safe. */
    private static final class DiscardingSink implements BlockSink {

        private ByteBuffer block = ByteBuffer.allocate(1 << 16);
        private long number;

        private ByteBuffer room(int bytes) {
            block = block.capacity() < bytes ? ByteBuffer.allocate(bytes) : block.clear();
            return block;
        }

        @Override
        public synchronized void write(BlockWriter block) {
            block.encode(room(block.maxEncodedLength()), ++number);
        }
    }
}
