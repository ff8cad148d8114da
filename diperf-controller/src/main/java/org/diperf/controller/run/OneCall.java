package org.diperf.controller.run;

import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
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
import org.diperf.core.spi.Answer;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.tester.engine.AnswerWatch;
import org.diperf.tester.engine.BlockSink;
import org.diperf.tester.engine.Engine;
import org.jspecify.annotations.Nullable;

/**
 * Makes a single call of a client in this process, through the same engine as a run.
 *
 * @param outcome a word of {@link org.diperf.core.sample.Outcome}, or the cause of the failure
 * @param response from the intended start to the end
 * @param service from the sending to the end
 * @param bytes that the call moved
 * @param metrics that it reported, name to value in the metric's declared unit
 * @param log what the engine said meanwhile
 * @param answer of the service; {@code null}: there was none, or the client shows none
 * @param steps what the client did before its first call, in order; the last one may be why the call was not made
 */
public record OneCall(
        String outcome,
        Duration response,
        Duration service,
        long bytes,
        Map<String, Double> metrics,
        List<String> log,
        @Nullable ShownAnswer answer,
        List<Step> steps) {

    /**
     * What a service answered.
     *
     * @param head as it came; empty where the service has none
     * @param captured values that were taken from it, by name
     */
    public record ShownAnswer(String head, String body, Map<String, String> captured) {

        public ShownAnswer {
            captured = Collections.unmodifiableMap(new LinkedHashMap<>(captured));
        }
    }

    /** What the client did before its first call, with the name that it has in the experiment. */
    public record Step(
            String name,
            String outcome,
            Duration response,
            @Nullable ShownAnswer answer) {}

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
        Kept kept = new Kept(script);
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
            engine.showAnswers(kept);
            engine.prepare();
            engine.start(NanoClock.SYSTEM.nanoTime());
            long patience = ThisMachine.debuggerAttached() ? Long.MAX_VALUE / 2 : timeout.toSeconds() + PREPARE_SECONDS;
            engine.done().get(patience, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new RunFailedException(
                    "The call of '" + plugin.id() + "' did not end, not even after its timeout", e);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            String found = script.secrets().masked(String.valueOf(e.getMessage()));
            throw new RunFailedException("Wanted one call of '" + plugin.id() + "', found: " + found, e);
        }
        return kept.call(plugin, log);
    }

    /** Keeps the few calls, and what was answered. */
    private static final class Kept implements BlockSink, AnswerWatch {

        private final Script script;
        private final List<ByteBuffer> blocks = new ArrayList<>();
        private final Map<Integer, ShownAnswer> answers = new HashMap<>();

        Kept(Script script) {
            this.script = script;
        }

        @Override
        public synchronized void write(BlockWriter writer) {
            ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
            writer.encode(block, blocks.size() + 1L);
            if (writer instanceof CallWriter) {
                blocks.add(block.flip());
            }
        }

        @Override
        public synchronized void answered(int request, Answer answer, Map<String, String> captured) {
            Map<String, String> shown = new LinkedHashMap<>();
            captured.forEach((name, value) -> shown.put(name, script.secrets().masked(value)));
            String head = script.secrets().masked(answer.head());
            String body = script.secrets().masked(answer.body());
            if (!head.isEmpty() || !body.isEmpty()) {
                answers.put(request, new ShownAnswer(head, body, shown));
            }
        }

        synchronized OneCall call(ClientPlugin plugin, List<String> log) throws RunFailedException {
            List<Step> steps = new ArrayList<>();
            OneCall made = null;
            try {
                for (ByteBuffer block : blocks) {
                    Calls calls = new Calls();
                    calls.decode(block, Block.read(block));
                    for (int row = 0; row < calls.rows(); row++) {
                        // Steps are numbered after the kinds of request.
                        int step = calls.request(row)
                                - Math.max(1, script.requests().size());
                        if (step >= 0) {
                            steps.add(new Step(
                                    script.before().get(step).name(),
                                    calls.outcome(row),
                                    Duration.ofNanos(calls.latencyNanos(row)),
                                    answers.get(calls.request(row))));
                        } else {
                            made = call(calls, row, plugin, log, steps);
                        }
                    }
                }
            } catch (CorruptBlockException e) {
                throw new IllegalStateException("A block that was just written cannot be read", e);
            }
            if (made == null) {
                throw new RunFailedException("The client '" + plugin.id() + "' made no call");
            }
            return made;
        }

        private OneCall call(Calls calls, int row, ClientPlugin plugin, List<String> log, List<Step> steps) {
            Map<String, Double> metrics = new LinkedHashMap<>();
            for (int m = 0; m < plugin.metrics().size(); m++) {
                if (!Double.isNaN(calls.metric(m, row))) {
                    metrics.put(plugin.metrics().get(m).name(), calls.metric(m, row));
                }
            }
            return new OneCall(
                    calls.outcome(row),
                    Duration.ofNanos(calls.latencyNanos(row)),
                    Duration.ofNanos(calls.latencyNanos(row) - calls.lagNanos(row)),
                    calls.bytes(row),
                    metrics,
                    List.copyOf(log),
                    answers.get(calls.request(row)),
                    List.copyOf(steps));
        }
    }
}
