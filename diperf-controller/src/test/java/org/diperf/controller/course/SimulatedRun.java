package org.diperf.controller.course;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.diperf.analyzer.live.StageSeries;
import org.diperf.core.plan.ArrivalStream;
import org.diperf.core.plan.ClientLifetimes;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Stage;
import org.diperf.core.wire.TesterStatus;
import org.jspecify.annotations.Nullable;

/**
 * A course carried out against a service of so many workers with one queue, in simulated time. Samples arrive 150 ms late,
 * and what is in flight is told twice a second, as in a real run.
 */
final class SimulatedRun implements LiveSamples {

    private static final long TURN_NANOS = 100_000_000L;
    private static final long SAMPLES_LATE_NANOS = 150_000_000L;
    private static final long STATUS_NANOS = 500_000_000L;
    private static final long LONGEST_NANOS = 3_600_000_000_000L;

    private record Call(int stage, int client, long intendedNanos, long endNanos) {}

    private final PriorityQueue<Long> workers = new PriorityQueue<>();
    private final PriorityQueue<Call> underWay = new PriorityQueue<>(Comparator.comparingLong(Call::endNanos));
    private final Deque<Call> ended = new ArrayDeque<>();
    private final List<Stage> stages = new ArrayList<>();
    private final long seed;
    private final SplittableRandom random;
    private final long minServiceNanos;
    private final long maxServiceNanos;
    private final List<Integer> calling = new ArrayList<>();
    private @Nullable ArrivalStream arrivals;
    private long nextArrival = ArrivalStream.END;
    private int begun = -1;
    private StageSeries series = new StageSeries(0, 0, 250_000_000L);
    private long lagNanos;
    private boolean bounded;
    private double failing;
    private double seenShare = 1;
    private TesterStatus status = TesterStatus.NONE;
    private long elapsed;
    private int stage;

    SimulatedRun(int workers, long minServiceNanos, long maxServiceNanos, long seed) {
        for (int i = 0; i < workers; i++) {
            this.workers.add(0L);
        }
        this.minServiceNanos = minServiceNanos;
        this.maxServiceNanos = maxServiceNanos;
        this.seed = seed;
        this.random = new SplittableRandom(seed);
    }

    /** Makes the generator late by so much with every call. */
    SimulatedRun lagging(long nanos) {
        lagNanos = nanos;
        return this;
    }

    /** Lets it be known what each call took at least, without the generator's lateness. */
    SimulatedRun bounded() {
        bounded = true;
        return this;
    }

    /** Makes a share of the calls fail. */
    SimulatedRun failing(double share) {
        failing = share;
        return this;
    }

    /** Lets a share of the samples be seen only. */
    SimulatedRun seeing(double share) {
        seenShare = share;
        return this;
    }

    /** Carries out the course to its end; gives the stages. */
    List<Stage> carryOut(LoadSchedule course) {
        stages.addAll(course.first());
        while (!course.isOver()) {
            elapsed += TURN_NANOS;
            if (elapsed > LONGEST_NANOS) {
                throw new AssertionError("still not over: " + course.phase(elapsed));
            }
            advance();
            Stage next = course.turn(elapsed, status);
            if (next != null) {
                if (next.startNanos() <= elapsed) {
                    throw new AssertionError("appended too late: " + next + " at " + elapsed);
                }
                stages.add(next);
            }
        }
        return stages;
    }

    long elapsedNanos() {
        return elapsed;
    }

    private void advance() {
        while (true) {
            long stageAt = begun + 1 < stages.size() ? stages.get(begun + 1).startNanos() : Long.MAX_VALUE;
            long endAt = underWay.isEmpty() ? Long.MAX_VALUE : underWay.peek().endNanos();
            long at = Math.min(nextArrival, Math.min(stageAt, endAt));
            if (at > elapsed) {
                break;
            }
            if (at == endAt) {
                end(underWay.remove());
            } else if (at == stageAt) {
                begin(stages.get(++begun));
            } else {
                send(-1, nextArrival);
                arrive();
            }
        }
        while (!ended.isEmpty() && ended.peek().endNanos() <= elapsed - SAMPLES_LATE_NANOS) {
            see(ended.remove());
        }
        if (elapsed % STATUS_NANOS == 0) {
            status = new TesterStatus(0, underWay.size(), 0, 0, 0, 0);
        }
    }

    private void begin(Stage stage) {
        nextArrival = ArrivalStream.END;
        if (stage.load() instanceof OpenLoad open) {
            arrivals = open.arrivals(seed, stage.number(), 1, 1);
            arrive();
            return;
        }
        ClientLifetimes.Ramp ramp = (ClientLifetimes.Ramp) ((ClosedLoad) stage.load()).lives();
        for (int client = 0; client < ramp.to(); client++) {
            if (!calling.contains(client)) {
                calling.add(client);
                send(client, stage.startNanos());
            }
        }
    }

    private void arrive() {
        long at = arrivals == null ? ArrivalStream.END : arrivals.next();
        nextArrival = at == ArrivalStream.END ? at : at + stages.get(begun).startNanos();
    }

    private void send(int client, long atNanos) {
        long free = Math.max(workers.remove(), atNanos + lagNanos);
        long end = free + random.nextLong(minServiceNanos, maxServiceNanos + 1);
        workers.add(end);
        underWay.add(new Call(begun, client, atNanos, end));
    }

    private void end(Call call) {
        ended.add(call);
        if (call.client() >= 0) {
            calling.remove((Integer) call.client());
            ClientLifetimes.Ramp ramp =
                    (ClientLifetimes.Ramp) ((ClosedLoad) stages.get(begun).load()).lives();
            if (call.client() < ramp.to()) {
                calling.add(call.client());
                send(call.client(), call.endNanos());
            }
        }
    }

    private void see(Call call) {
        if (call.stage() != stage || random.nextDouble() >= seenShare) {
            return;
        }
        if (random.nextDouble() < failing) {
            series.failed(call.endNanos());
        } else {
            long response = call.endNanos() - call.intendedNanos();
            series.ok(call.endNanos(), response, lagNanos, bounded ? response - lagNanos : -1);
        }
    }

    @Override
    public void watch(int number, long fromNanos, long quantumNanos) {
        stage = number;
        series = new StageSeries(number, fromNanos, quantumNanos);
    }

    @Override
    public void measure(long fromNanos, long toNanos) {
        series.measure(fromNanos, toNanos);
    }

    @Override
    public StageSeries.Look look(long untilNanos) {
        return series.look(untilNanos);
    }

    @Override
    public double measuredShare() {
        return seenShare;
    }
}
