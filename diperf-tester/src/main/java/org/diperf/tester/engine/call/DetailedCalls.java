package org.diperf.tester.engine.call;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.diperf.core.experiment.CaptureSettings;
import org.diperf.core.experiment.Secrets;
import org.diperf.core.sample.CallExchange;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Dialogue;

/**
 * Chooses the calls of one tester that are shown whole: of each cause of failure the first ones, and the slowest ok calls. Other
 * calls cost a comparison. Thread-safe.
 *
 * <p>An ok call is among the slowest where it took at least 1/64 longer than the one that it pushes out, so that a service that
 * becomes slower with each call makes no work with each. They leave again and again, as long as there are new ones, at intervals
 * that grow with the run.
 */
public final class DetailedCalls {

    private static final int MAX_CAUSES = 100;
    private static final int MARGIN_SHIFT = 6;
    private static final long FIRST_INTERVAL_NANOS = 1_000_000_000L;
    private static final int INTERVAL_SHARE = 10;

    private final CaptureSettings wanted;
    private final IntFunction<ClientPlugin> plugins;
    private final RunSetup setup;
    private final Consumer<CallExchange> kept;
    /** Failures of each outcome that were looked at. */
    private final Map<String, AtomicInteger> causes = new ConcurrentHashMap<>();

    /** Guards what follows. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Slow[] slowest;
    private int slow;
    private long firstNanos;
    private long leftNanos;
    /** Response time that an ok call must have; racy reads only look in vain. */
    private volatile long slowEnough;

    /** One of the slowest calls. */
    private final class Slow {
        private final CallDialogue dialogue = new CallDialogue(setup.memory());
        private long endNanos;
        private int client;
        private long call;
        private int request;
        private int target;
        private long latencyNanos;
        private Map<String, String> hidden = Map.of();
        private boolean isNew;
    }

    /**
     * @param plugins gives the plugin of a request's number
     * @param kept takes what is shown, on any thread
     */
    public DetailedCalls(
            CaptureSettings wanted, IntFunction<ClientPlugin> plugins, RunSetup setup, Consumer<CallExchange> kept) {
        this.wanted = wanted;
        this.plugins = plugins;
        this.setup = setup;
        this.kept = kept;
        this.slowest = new Slow[wanted.slowest()];
        this.slowEnough = wanted.slowest() == 0 ? Long.MAX_VALUE : 0;
    }

    /** Takes a call that has just been recorded, by its client's owner. */
    public void ended(CallState call, CallDialogue dialogue, long endNanos, String outcome) {
        AnswerObserver watch = setup.answers();
        if (watch != null) {
            watch.said(call.requestNumber(), call.number(), text(call.requestNumber(), dialogue, call.hidden()));
        }
        if (outcome.equals(Outcome.OK)) {
            long latency = endNanos - call.intendedNanos();
            if (latency >= slowEnough && !dialogue.isEmpty()) {
                slow(call, dialogue, endNanos, latency);
            }
        } else if (wanted.failures() > 0 && Outcome.isFailure(outcome) && !dialogue.isEmpty()) {
            failed(call, dialogue, endNanos, outcome);
        }
    }

    private void failed(CallState call, CallDialogue dialogue, long endNanos, String outcome) {
        AtomicInteger count = causes.get(outcome);
        if (count == null) {
            if (causes.size() >= MAX_CAUSES) {
                return;
            }
            count = causes.computeIfAbsent(outcome, any -> new AtomicInteger());
        }
        if (count.get() >= wanted.failures() || count.getAndIncrement() >= wanted.failures()) {
            return;
        }
        kept.accept(new CallExchange(
                endNanos,
                Outcome.isReserved(outcome) ? outcome : setup.script().masked(outcome),
                call.client(),
                call.number(),
                call.requestNumber(),
                call.targetNumber(),
                Math.max(0, endNanos - call.intendedNanos()),
                wanted.failures(),
                text(call.requestNumber(), dialogue, call.hidden())));
    }

    private void slow(CallState call, CallDialogue dialogue, long endNanos, long latency) {
        lock.lock();
        try {
            if (latency < slowEnough) {
                return;
            }
            Slow place = slow < slowest.length ? slowest[slow] = new Slow() : least();
            slow = Math.min(slowest.length, slow + 1);
            place.dialogue.copy(dialogue);
            place.endNanos = endNanos;
            place.client = call.client();
            place.call = call.number();
            place.request = call.requestNumber();
            place.target = call.targetNumber();
            place.latencyNanos = latency;
            place.hidden = call.hidden();
            place.isNew = true;
            if (slow == slowest.length) {
                long shortest = least().latencyNanos;
                slowEnough = shortest + Math.max(1, shortest >> MARGIN_SHIFT);
            }
        } finally {
            lock.unlock();
        }
    }

    private Slow least() {
        Slow least = slowest[0];
        for (Slow each : slowest) {
            if (each.latencyNanos < least.latencyNanos) {
                least = each;
            }
        }
        return least;
    }

    /**
     * Passes on the slowest calls that are new, where it is time.
     *
     * @param atEnd whether it is the last time
     */
    public void flush(long nowNanos, boolean atEnd) {
        if (slowest.length > 0) {
            // Who takes them may wait for room, which must hold up nobody here.
            news(nowNanos, atEnd).forEach(kept);
        }
    }

    private List<CallExchange> news(long nowNanos, boolean atEnd) {
        List<CallExchange> news = new ArrayList<>();
        lock.lock();
        try {
            if (firstNanos == 0) {
                firstNanos = nowNanos;
                leftNanos = nowNanos;
            }
            long interval = Math.max(FIRST_INTERVAL_NANOS, (nowNanos - firstNanos) / INTERVAL_SHARE);
            if (atEnd || nowNanos - leftNanos >= interval) {
                leftNanos = nowNanos;
                for (int i = 0; i < slow; i++) {
                    if (slowest[i].isNew) {
                        slowest[i].isNew = false;
                        news.add(exchange(slowest[i]));
                    }
                }
            }
        } finally {
            lock.unlock();
        }
        return news;
    }

    private CallExchange exchange(Slow of) {
        return new CallExchange(
                of.endNanos,
                Outcome.OK,
                of.client,
                of.call,
                of.request,
                of.target,
                of.latencyNanos,
                wanted.slowest(),
                text(of.request, of.dialogue, of.hidden));
    }

    /** Returns what was said in a call as text without secrets. */
    private String text(int request, CallDialogue dialogue, Map<String, String> hidden) {
        Secrets own = new Secrets(hidden);
        CallScript script = setup.script();
        return dialogue.text(new CallDialogue.Words() {
            @Override
            public String ofBytes(boolean sent, byte[] bytes) {
                String shown;
                try {
                    shown = plugins.apply(request).shown(sent, bytes);
                } catch (RuntimeException e) {
                    shown = Dialogue.text(bytes);
                }
                return script.masked(shown, own);
            }

            @Override
            public String ofNote(String note) {
                return script.masked(note, own);
            }
        });
    }
}
