package org.diperf.controller.run;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.core.experiment.Script;
import org.diperf.core.experiment.Secrets;
import org.diperf.core.folder.ScratchFolder;
import org.diperf.core.machine.LocalMachine;
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
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.Answer;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Url;
import org.diperf.tester.engine.Engine;
import org.diperf.tester.engine.TesterPlugins;
import org.diperf.tester.engine.call.AnswerObserver;
import org.diperf.tester.engine.call.BlockSink;
import org.jspecify.annotations.Nullable;

/**
 * Makes a single call of a client in this process, through the same engine as a run.
 *
 * @param made the call
 * @param request which it was
 * @param sentAt when it was asked for, on this machine's clock
 * @param log what the engine said meanwhile
 * @param steps what the client did before its first call, in order; the last one may be why the call was not made
 * @param name how the target's name was looked up; {@code null}: the target has none
 */
public record SingleCall(
        Made made,
        String request,
        Instant sentAt,
        List<String> log,
        List<Step> steps,
        @Nullable NameLookup name) {

    /** Returns how it ended: a word of {@link org.diperf.core.sample.Outcome}, or the cause of the failure. */
    public String outcome() {
        return made.outcome();
    }

    /** Returns the time from its intended start to its end. */
    public Duration response() {
        return made.response();
    }

    /** Returns the time from its sending to its end. */
    public Duration service() {
        return made.service();
    }

    /** Counts the bytes that it moved. */
    public long bytes() {
        return made.bytes();
    }

    /** Returns the metrics that it reported, name to value in the metric's declared unit. */
    public Map<String, Double> metrics() {
        return made.metrics();
    }

    /**
     * What was said in a call.
     *
     * @param said lines that begin with {@code > } for what was sent, {@code < } for what came, {@code * } for a remark; empty where
     *     the client tells nothing
     * @param answer of a client that tells no dialogue; empty where there is none
     * @param captured values that were taken from the answer, by name
     */
    public record Said(String said, String answer, Map<String, String> captured) {

        static final Said NOTHING = new Said("", "", Map.of());

        public Said {
            captured = Collections.unmodifiableMap(new LinkedHashMap<>(captured));
        }

        private Said without(Secrets hidden) {
            Map<String, String> shown = new LinkedHashMap<>();
            captured.forEach((name, value) -> shown.put(name, hidden.masked(value)));
            return new Said(hidden.masked(said), hidden.masked(answer), shown);
        }
    }

    /**
     * What the client did before its first call.
     *
     * @param name that it has in the experiment
     */
    public record Step(String name, Made made) {

        /** Returns whether a value that was captured proves who the client is: its plugin hides it where it is sent or came. */
        private boolean hides(String value) {
            return made.said().said().contains(Secrets.MASK)
                    && !made.said().said().contains(value);
        }

        private Step without(Secrets hidden) {
            return new Step(name, made.without(hidden));
        }
    }

    /**
     * A call that was made.
     *
     * @param outcome a word of {@link org.diperf.core.sample.Outcome}, or the cause of the failure
     * @param remedy what can be done about the failure; empty: nothing that is known
     * @param response from the intended start to the end
     * @param service from the sending to the end
     * @param bytes that the call moved
     * @param metrics that it reported, name to value in the metric's declared unit
     * @param said what was said in it
     */
    public record Made(
            String outcome,
            String remedy,
            Duration response,
            Duration service,
            long bytes,
            Map<String, Double> metrics,
            Said said) {

        private Made without(Secrets hidden) {
            return new Made(outcome, remedy, response, service, bytes, metrics, said.without(hidden));
        }
    }

    private static final long PREPARE_SECONDS = 60;

    /**
     * Opens a client, makes its first call or goes through its first journey, closes it.
     *
     * @param others plugins of single requests, by their ids
     * @param with its parameters, as in an experiment file
     * @param script what the client does besides; what comes before its first call is done too
     * @param timeout upper bound for the call
     * @throws RunFailedException when the client could not be opened or the call never ended
     */
    public static SingleCall make(
            ClientPlugin plugin,
            Map<String, ClientPlugin> others,
            Map<String, Object> with,
            Url target,
            Script script,
            Duration timeout,
            long seed)
            throws RunFailedException, InterruptedException {
        return make(plugin, new TesterPlugins(others, Map.of()), with, target, script, timeout, seed);
    }

    /**
     * Does the same with journeys in Java.
     *
     * @param plugins of single requests, and journeys
     */
    public static SingleCall make(
            ClientPlugin plugin,
            TesterPlugins plugins,
            Map<String, Object> with,
            Url target,
            Script script,
            Duration timeout,
            long seed)
            throws RunFailedException, InterruptedException {
        Map<String, ClientPlugin> others = plugins.clients();
        // One arrival, at once.
        OpenLoad load = new OpenLoad(1_000, OpenLoad.Arrivals.CONSTANT, 0, 1_000_000, 1, timeout.toNanos());
        Plan plan = new Plan(seed, 1, Targets.one(target), List.of(new Stage(0, load, 0)));
        List<Metric> declared = script.plugins(plugin.id()).stream()
                .flatMap(id -> others.getOrDefault(id, plugin).metrics().stream())
                .distinct()
                .toList();
        Kept kept = new Kept(script, with, declared);
        List<String> log = new ArrayList<>();
        NameLookup name = NameLookup.of(target, NanoClock.SYSTEM);
        Instant sentAt;
        try (ScratchFolder folder = ScratchFolder.temporary();
                Engine engine = new Engine(
                        new Engine.Config(
                                1,
                                1,
                                Rank.ONLY,
                                plan,
                                plugin,
                                others,
                                plugins.journeys(),
                                with,
                                folder.path(),
                                LoopSettings.DEFAULT.orLoops(1),
                                LocalMachine.debuggerAttached(),
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
            sentAt = Instant.now();
            engine.start(NanoClock.SYSTEM.nanoTime());
            long patience =
                    LocalMachine.debuggerAttached() ? Long.MAX_VALUE / 2 : timeout.toSeconds() + PREPARE_SECONDS;
            engine.done().get(patience, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new RunFailedException("The call of '" + plugin.id() + "' did not end, even after its timeout", e);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            String found = script.secrets().masked(String.valueOf(e.getMessage()));
            throw new RunFailedException("Expected one call of '" + plugin.id() + "', got: " + found, e);
        }
        return kept.call(plugin, sentAt, log, name);
    }

    /** Keeps the few calls, and what was answered. */
    private static final class Kept implements BlockSink, AnswerObserver {

        private final Script script;
        private final Map<String, Object> with;
        private final List<ByteBuffer> blocks = new ArrayList<>();
        private final List<Metric> declared;
        /** Of each request, in the order in which its calls ended. */
        private final Map<Integer, Deque<Said>> said = new HashMap<>();

        /** What was answered to the call under way. */
        private Said answered = Said.NOTHING;

        /** @param with parameters of the calls where the script has no requests */
        Kept(Script script, Map<String, Object> with, List<Metric> declared) {
            this.script = script;
            this.with = with;
            this.declared = declared;
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
            String text = script.secrets().masked(answer.head() + answer.body());
            answered = new Said("", text, shown);
        }

        @Override
        public synchronized void said(int request, long call, String text) {
            // What a planned call failed by came before it, and was said there.
            said.computeIfAbsent(request, any -> new ArrayDeque<>())
                    .add(new Said(text, text.isEmpty() ? answered.answer() : "", answered.captured()));
            answered = Said.NOTHING;
        }

        synchronized SingleCall call(ClientPlugin plugin, Instant sentAt, List<String> log, @Nullable NameLookup lookUp)
                throws RunFailedException {
            List<String> names = script.requestNames();
            List<Step> steps = new ArrayList<>();
            try {
                for (ByteBuffer block : blocks) {
                    Block header = Block.read(block);
                    if (header.kind() != Block.CALLS) {
                        continue;
                    }
                    Calls calls = new Calls();
                    calls.decode(block, header);
                    List<String> words = Calls.outcomeWords(block, header);
                    for (int row = 0; row < calls.rows(); row++) {
                        steps.add(new Step(names.get(calls.request(row)), made(calls, row, words)));
                    }
                }
            } catch (CorruptBlockException e) {
                throw new IllegalStateException("A block that was just written cannot be read", e);
            }
            if (steps.isEmpty()) {
                throw new RunFailedException("The client '" + plugin.id() + "' made no call");
            }
            Secrets hidden = hidden(steps);
            List<Step> shown = steps.stream().map(step -> step.without(hidden)).toList();
            Step last = shown.get(shown.size() - 1);
            return new SingleCall(
                    last.made(), last.name(), sentAt, List.copyOf(log), shown.subList(0, shown.size() - 1), lookUp);
        }

        /** Finds captured values that a plugin hides: where they came, or where a later request has them. */
        private Secrets hidden(List<Step> steps) {
            Map<String, String> hidden = new LinkedHashMap<>();
            for (int i = 0; i < steps.size(); i++) {
                Step from = steps.get(i);
                List<Step> later = steps.subList(i + 1, steps.size());
                from.made().said().captured().forEach((name, value) -> {
                    if (from.hides(value)
                            || later.stream().anyMatch(step -> isSentIn(step, name) && step.hides(value))) {
                        hidden.put(name + " of " + from.name(), value);
                    }
                });
            }
            return new Secrets(hidden);
        }

        private boolean isSentIn(Step step, String value) {
            return script.calls().stream()
                    .filter(call -> call.name().equals(step.name()))
                    .map(call -> script.requests().isEmpty()
                            ? with.toString() + call.with()
                            : call.with().toString())
                    .anyMatch(text -> text.contains("${" + value + "}"));
        }

        private Made made(Calls calls, int row, List<String> words) {
            Map<String, Double> metrics = new LinkedHashMap<>();
            Deque<Said> told = said.getOrDefault(calls.request(row), new ArrayDeque<>());
            for (int m = 0; m < declared.size(); m++) {
                if (!Double.isNaN(calls.metric(m, row))) {
                    metrics.put(declared.get(m).name(), calls.metric(m, row));
                }
            }
            return new Made(
                    calls.outcome(row),
                    Outcome.remedy(words.get(calls.outcomeIndex(row))),
                    Duration.ofNanos(calls.latencyNanos(row)),
                    Duration.ofNanos(calls.latencyNanos(row) - calls.lagNanos(row)),
                    calls.bytes(row),
                    metrics,
                    told.isEmpty() ? Said.NOTHING : told.remove());
        }
    }
}
