package org.diperf.plugins.monitor;

import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.diperf.core.spi.Monitor;
import org.diperf.core.spi.Readings;

/**
 * Follows a bounded number of TCP connections, each by a number of its own from 1, which another gets when it has gone; sums have no number.
 * Each sample asks for those that are known; others are looked for a few times a second, as that takes longer. Confined to the
 * monitor's thread.
 */
final class ConnectionsMonitor implements Monitor {

    static final String SEGMENTS = "segments";
    private static final String BYTES_A_SECOND = "bytes/s";
    private static final long LOOK_NANOS = 250_000_000L;
    private static final double MICROS_A_MILLI = 1e3;

    private final TcpConnections connections;
    private final TcpConnection.Choice choice;
    private final int most;
    private final Map<Integer, TcpConnection> followed = new TreeMap<>();
    /** Those that had no number after the last look: what they do until they get one does not count. */
    private Set<TcpConnection.Id> others = Set.of();

    private final Map<Integer, Sums> ofNumbers = new HashMap<>();
    private final Sums sums = new Sums();
    private boolean isFirst = true;
    private long lookedNanos;

    /**
     * Counters of the connections that had a number, one after another, or of all together: those that have gone count on. What a
     * connection did before it was followed counts only if it began since the last look.
     */
    private static final class Sums {
        private long retransmits;
        private long ackedBytes;
        private long receivedBytes;

        void add(TcpConnection before, TcpConnection now) {
            retransmits += now.retransmits() - before.retransmits();
            ackedBytes += now.ackedBytes() - before.ackedBytes();
            receivedBytes += now.receivedBytes() - before.receivedBytes();
        }

        void add(TcpConnection first) {
            retransmits += first.retransmits();
            ackedBytes += first.ackedBytes();
            receivedBytes += first.receivedBytes();
        }
    }

    /** @param most connections to follow */
    ConnectionsMonitor(TcpConnections connections, TcpConnection.Choice choice, int most) {
        this.connections = connections;
        this.choice = choice;
        this.most = most;
    }

    @Override
    public void sample(Readings readings) throws IOException {
        long before = readings.nanoTime();
        boolean looks = isFirst || before - lookedNanos >= LOOK_NANOS;
        List<TcpConnection> seen = looks
                ? connections.all(choice)
                : connections.of(
                        followed.values().stream().map(TcpConnection::id).toList());
        long at = before + (readings.nanoTime() - before) / 2;
        Map<TcpConnection.Id, TcpConnection> byId = new HashMap<>();
        seen.forEach(connection -> byId.put(connection.id(), connection));
        followed.entrySet().removeIf(entry -> !byId.containsKey(entry.getValue().id()));
        followed.replaceAll((number, old) -> {
            TcpConnection now = Objects.requireNonNull(byId.remove(old.id()));
            sums.add(old, now);
            sumsOf(number).add(old, now);
            return now;
        });
        if (looks) {
            lookedNanos = before;
            int found = seen.size();
            List<TcpConnection> newcomers = byId.values().stream()
                    .sorted(Comparator.comparingInt(
                                    (TcpConnection each) -> each.id().localPort())
                            .thenComparingInt(each -> each.id().peerPort())
                            .thenComparing(each -> each.id().words()))
                    .limit(most - followed.size())
                    .toList();
            for (TcpConnection connection : newcomers) {
                byId.remove(connection.id());
                follow(connection, readings);
            }
            others = byId.keySet();
            if (found > most) {
                readings.note("monitored " + most + " of " + found + " connections; 'most' sets the limit");
            }
        }
        isFirst = false;
        followed.forEach((number, connection) -> {
            tell(number + ".", connection, readings, at);
            count(number + ".", sumsOf(number), readings, at);
        });
        tellSums(readings, at);
    }

    private Sums sumsOf(int number) {
        return ofNumbers.computeIfAbsent(number, any -> new Sums());
    }

    private void follow(TcpConnection connection, Readings readings) {
        int number = 1;
        while (followed.containsKey(number)) {
            number++;
        }
        followed.put(number, connection);
        if (!ofNumbers.containsKey(number)) {
            readings.note(
                    "connection " + number + " is initially " + connection.id().words());
        }
        Sums ofNumber = sumsOf(number);
        if (!isFirst && !others.contains(connection.id())) {
            sums.add(connection);
            ofNumber.add(connection);
        }
    }

    private static void tell(String number, TcpConnection connection, Readings readings, long at) {
        readings.gauge(number + "cwnd", SEGMENTS, connection.window(), at);
        if (connection.threshold() < TcpConnection.NO_THRESHOLD) {
            readings.gauge(number + "ssthresh", SEGMENTS, connection.threshold(), at);
        }
        if (connection.roundTripMicros() > 0) {
            readings.gauge(number + "rtt", "ms", connection.roundTripMicros() / MICROS_A_MILLI, at);
        }
        readings.gauge(number + "in-flight", "bytes", connection.inFlight() * connection.segmentBytes(), at);
        if (connection.deliveryRate() > 0) {
            readings.gauge(number + "delivery-rate", BYTES_A_SECOND, connection.deliveryRate(), at);
        }
        if (connection.pacingRate() >= 0) {
            readings.gauge(number + "pacing-rate", BYTES_A_SECOND, connection.pacingRate(), at);
        }
    }

    private static void count(String number, Sums of, Readings readings, long at) {
        readings.counter(number + "retransmits", "segments/s", of.retransmits, at);
        readings.counter(number + "acked", BYTES_A_SECOND, of.ackedBytes, at);
        readings.counter(number + "received", BYTES_A_SECOND, of.receivedBytes, at);
    }

    private void tellSums(Readings readings, long at) {
        readings.gauge("followed", "count", followed.size(), at);
        readings.gauge("cwnd", SEGMENTS, sum(TcpConnection::window), at);
        readings.gauge("in-flight", "bytes", sum(each -> each.inFlight() * each.segmentBytes()), at);
        count("", sums, readings, at);
    }

    private double sum(ToLongFunction<TcpConnection> of) {
        return followed.values().stream().mapToLong(of).sum();
    }

    @Override
    public void close() {
        connections.close();
    }
}
