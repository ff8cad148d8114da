package org.diperf.controller.run;

import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.LoopChoice;
import org.diperf.core.experiment.Script;
import org.diperf.core.folder.ScratchFolder;
import org.diperf.core.machine.ThisMachine;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Rank;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Targets;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.BlockWriter;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.CorruptBlockException;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.tester.engine.BlockSink;
import org.diperf.tester.engine.Engine;

/**
 * Makes a single call of a client in this process, through the same engine as a run.
 *
 * @param outcome a word of {@link org.diperf.core.sample.Outcome}, or the cause of the failure
 * @param response from the intended start to the end
 * @param service from the sending to the end
 * @param bytes that the call moved
 * @param metrics that it reported, name to value in the metric's declared unit
 * @param log what the engine said meanwhile
 */
public record OneCall(
        String outcome,
        Duration response,
        Duration service,
        long bytes,
        Map<String, Double> metrics,
        List<String> log) {

    private static final long PREPARE_SECONDS = 60;

    /**
     * Opens a client, makes its first call, closes it.
     *
     * @param with its parameters, as in an experiment file
     * @param script what the client does besides; what comes before its first call is done too
     * @param timeout upper bound for the call
     * @throws RunFailedException when the client could not be opened or the call never ended
     */
    public static OneCall make(
            ClientPlugin plugin, Map<String, Object> with, URI target, Script script, Duration timeout, long seed)
            throws RunFailedException, InterruptedException {
        // One arrival, at once.
        OpenLoad load = new OpenLoad(1_000, OpenLoad.Arrivals.CONSTANT, 0, 1_000_000, 1, timeout.toNanos());
        Plan plan = new Plan(seed, 1, Targets.one(target), List.of(new Stage(0, load, 0)));
        Kept kept = new Kept();
        List<String> log = new ArrayList<>();
        try (ScratchFolder folder = ScratchFolder.temporary();
                Engine engine = new Engine(
                        new Engine.Config(
                                1,
                                1,
                                Rank.ONLY,
                                plan,
                                plugin,
                                with,
                                folder.path(),
                                LoopChoice.DEFAULT.orLoops(1),
                                ThisMachine.debuggerAttached(),
                                script),
                        kept,
                        NanoClock.SYSTEM,
                        line -> {
                            synchronized (log) {
                                log.add(line);
                            }
                        })) {
            engine.prepare();
            engine.start(NanoClock.SYSTEM.nanoTime());
            long patience = ThisMachine.debuggerAttached() ? Long.MAX_VALUE / 2 : timeout.toSeconds() + PREPARE_SECONDS;
            engine.done().get(patience, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new RunFailedException("Wanted one call of '" + plugin.id() + "', found that it never ended", e);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            String found = script.secrets().masked(String.valueOf(e.getMessage()));
            throw new RunFailedException("Wanted one call of '" + plugin.id() + "', found: " + found, e);
        }
        return kept.call(plugin, log);
    }

    /** Keeps the one block of calls. */
    private static final class Kept implements BlockSink {

        private final List<ByteBuffer> blocks = new ArrayList<>();

        @Override
        public synchronized void write(BlockWriter writer) {
            ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
            writer.encode(block, blocks.size() + 1L);
            if (writer instanceof CallWriter) {
                blocks.add(block.flip());
            }
        }

        synchronized OneCall call(ClientPlugin plugin, List<String> log) throws RunFailedException {
            if (blocks.isEmpty()) {
                throw new RunFailedException("Wanted one call of '" + plugin.id() + "', found no record of any");
            }
            try {
                Calls calls = new Calls();
                ByteBuffer latest = blocks.get(blocks.size() - 1);
                calls.decode(latest, Block.read(latest));
                // What comes before the call is recorded before it.
                int last = calls.rows() - 1;
                Map<String, Double> metrics = new LinkedHashMap<>();
                for (int m = 0; m < plugin.metrics().size(); m++) {
                    if (!Double.isNaN(calls.metric(m, last))) {
                        metrics.put(plugin.metrics().get(m).name(), calls.metric(m, last));
                    }
                }
                return new OneCall(
                        calls.outcome(last),
                        Duration.ofNanos(calls.latencyNanos(last)),
                        Duration.ofNanos(calls.latencyNanos(last) - calls.lagNanos(last)),
                        calls.bytes(last),
                        metrics,
                        List.copyOf(log));
            } catch (CorruptBlockException e) {
                throw new IllegalStateException("A block that was just written cannot be read", e);
            }
        }
    }
}
