package org.diperf.core.sample;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Calls of one tester as a run makes them, in the order in which they end: response times are log-normal, the lag is of
 * some microseconds, clients take turns. Drawn once and then repeated, each lap later than the one before, so that
 * taking the next call costs next to nothing. Confined to one thread.
 */
public final class Workload {

    private static final double LAG_NANOS = 2_000;
    private static final double LAG_SIGMA = 0.8;
    private static final double SERVICE_SIGMA = 0.7;

    private final int calls;
    private final int[] client;
    private final long[] intended;
    private final long[] lag;
    private final long[] latency;
    private final long lapNanos;
    private final TestCall row = new TestCall(0, 0, 0).bytes(612);
    private int at;
    private long lapBegin;
    private long checksum;

    private record Call(int client, long intended, long lag, long latency) {
        static Call draw(Random random, int client, long intended, double serviceNanos) {
            long lag = Math.round(LAG_NANOS * Math.exp(LAG_SIGMA * random.nextGaussian()));
            long service = Math.round(serviceNanos * Math.exp(SERVICE_SIGMA * random.nextGaussian()));
            return new Call(client, intended, lag, lag + service);
        }

        long end() {
            return intended + latency;
        }
    }

    private Workload(List<Call> drawn) {
        calls = drawn.size();
        client = drawn.stream().mapToInt(Call::client).toArray();
        intended = drawn.stream().mapToLong(Call::intended).toArray();
        lag = drawn.stream().mapToLong(Call::lag).toArray();
        latency = drawn.stream().mapToLong(Call::latency).toArray();
        lapNanos = drawn.get(calls - 1).end() - drawn.get(0).end() + 1_000;
    }

    /**
     * Clients that call again when their call has ended.
     *
     * @param thinkNanos mean of an exponential pause; 0: none
     */
    public static Workload closed(long seed, int calls, int clients, double serviceNanos, double thinkNanos) {
        Random random = new Random(seed);
        PriorityQueue<Call> inFlight = new PriorityQueue<>(Comparator.comparingLong(Call::end));
        for (int c = 0; c < clients; c++) {
            inFlight.add(Call.draw(random, c, c * 1_000L, serviceNanos));
        }
        List<Call> ended = new ArrayList<>(calls);
        while (ended.size() < calls) {
            Call call = inFlight.remove();
            ended.add(call);
            long think = Math.round(-thinkNanos * Math.log(1 - random.nextDouble()));
            inFlight.add(Call.draw(random, call.client(), call.end() + think, serviceNanos));
        }
        return new Workload(ended);
    }

    /** Arrivals of a Poisson process, each on the client that was free last. */
    public static Workload open(long seed, int calls, double perSecond, double serviceNanos) {
        Random random = new Random(seed);
        PriorityQueue<Call> inFlight = new PriorityQueue<>(Comparator.comparingLong(Call::end));
        ArrayDeque<Integer> free = new ArrayDeque<>();
        List<Call> ended = new ArrayList<>(calls);
        int clients = 0;
        long now = 0;
        while (ended.size() < calls) {
            now += Math.round(-1e9 / perSecond * Math.log(1 - random.nextDouble()));
            while (!inFlight.isEmpty() && inFlight.element().end() <= now) {
                Call call = inFlight.remove();
                ended.add(call);
                free.push(call.client());
            }
            inFlight.add(Call.draw(random, free.isEmpty() ? clients++ : free.pop(), now, serviceNanos));
        }
        return new Workload(ended);
    }

    /**
     * Adds the next call.
     *
     * @param stride between the numbers of its clients, as with several testers
     * @param firstClient number of its first client
     * @param beginNanos added to the times
     * @return when it ended, ns after {@code beginNanos}
     */
    public long addTo(CallWriter writer, int stride, int firstClient, long beginNanos) {
        return addTo(writer::add, 0, stride, firstClient, beginNanos);
    }

    /** Gives the next call of one stage of several; the row is used again for the one after it. */
    public long addTo(Consumer<TestCall> to, int stage, int stride, int firstClient, long beginNanos) {
        long begin = lapBegin + intended[at];
        long end = begin + latency[at];
        int number = client[at] * stride + firstClient;
        to.accept(
                row.times(beginNanos + begin, lag[at], latency[at]).stage(stage).client(number));
        checksum += checksumOf(number, beginNanos + begin, lag[at], latency[at]);
        if (++at == calls) {
            at = 0;
            lapBegin += lapNanos;
        }
        return end;
    }

    /** Returns the sum of {@link #checksumOf} over all calls added. */
    public long checksum() {
        return checksum;
    }

    /** Returns a call's part of a checksum that does not depend on the order of calls. */
    public static long checksumOf(int client, long intendedNanos, long lagNanos, long latencyNanos) {
        return (intendedNanos * 31 + latencyNanos) * 31 + lagNanos * 7 + client;
    }
}
