package org.diperf.plugins.iperf;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.diperf.core.spi.Metric;

/** What is measured of a test, and how it follows from the results of both ends. */
final class IperfMetrics {

    static final Metric SET_UP = new Metric(
            "set-up",
            "ms",
            "time from the start of the call until the test starts, including the negotiation of parameters and "
                    + "streams");
    static final Metric CPU =
            new Metric("cpu", "%", "share of one processor used by the tester's event loop during the test");
    static final Metric CPU_REMOTE =
            new Metric("cpu.remote", "%", "share of one processor used by the server during the test");
    static final Metric RTT = new Metric("tcp.rtt", "ms", "smoothed round-trip time of a sending stream, each second");
    static final Metric WINDOW =
            new Metric("tcp.cwnd", "segments", "congestion window of a sending stream, each second");
    static final Metric NETWORK_RTT =
            new Metric("network.rtt", "ms", "round-trip time of the TCP handshake of a test's control connection");

    static final Metric NETWORK_BANDWIDTH =
            new Metric("network.bandwidth", "Mbit/s", "bandwidth of the path, as measured by an unlimited TCP test");

    /** Of the direction that is tested, or of the one to the server where both are. */
    private static final Direction MAIN = new Direction("", "");

    /** Of the direction from the server where both are tested. */
    private static final Direction BACK = new Direction("back.", ", from the server in a bidirectional test");

    private static final double BITS_PER_MEGABIT = 1e6 / 8;
    private static final double MILLIS = 1e3;
    private static final double PERCENT = 100;

    private IperfMetrics() {}

    /** Returns the metrics of the direction that is tested, or of the other one. */
    static Direction direction(boolean back) {
        return back ? BACK : MAIN;
    }

    static List<Metric> all() {
        List<Metric> all = new ArrayList<>(MAIN.all());
        all.addAll(BACK.all());
        all.addAll(List.of(SET_UP, CPU, CPU_REMOTE, RTT, WINDOW));
        return List.copyOf(all);
    }

    /** The metrics of one direction. */
    static final class Direction {

        private final Metric rate;
        private final Metric remoteRate;
        private final Metric second;
        private final Metric retransmits;
        private final Metric jitter;
        private final Metric loss;
        private final Metric lost;
        private final Metric packets;
        private final Metric late;

        private Direction(String prefix, String where) {
            rate = new Metric(prefix + "rate", "Mbit/s", "payload delivered, as measured by the tester" + where);
            remoteRate = new Metric(
                    prefix + "rate.remote", "Mbit/s", "payload sent or received, as measured by the server" + where);
            second = new Metric(prefix + "rate.second", "Mbit/s", "payload delivered in the last second" + where);
            retransmits = new Metric(prefix + "retransmits", "segments", "segments retransmitted by TCP" + where);
            jitter = new Metric(prefix + "jitter", "ms", "jitter of datagrams, smoothed as in RFC 1889" + where);
            loss = new Metric(prefix + "loss", "%", "share of the sent datagrams that did not arrive" + where);
            lost = new Metric(prefix + "lost", "datagrams", "datagrams that did not arrive" + where);
            packets = new Metric(prefix + "packets", "datagrams", "datagrams that were sent" + where);
            late = new Metric(
                    prefix + "late",
                    "datagrams",
                    "datagrams that the tester received after one that was sent later" + where);
        }

        private List<Metric> all() {
            return List.of(rate, remoteRate, second, retransmits, jitter, loss, lost, packets, late);
        }

        Metric rate() {
            return rate;
        }

        Metric second() {
            return second;
        }

        Metric late() {
            return late;
        }

        /**
         * Says what was measured.
         *
         * @param sent by the streams of the sending end
         * @param received by the same streams of the other
         * @param own which of the two is the tester's
         */
        Map<Metric, Double> of(
                boolean udp, List<Results.OfStream> sent, List<Results.OfStream> received, List<Results.OfStream> own) {
            Map<Metric, Double> measured = new LinkedHashMap<>();
            put(measured, rate, megabits(own));
            put(measured, remoteRate, megabits(own == sent ? received : sent));
            if (!udp) {
                long again = 0;
                for (Results.OfStream each : sent) {
                    again = each.retransmits() < 0 || again < 0 ? -1 : again + each.retransmits();
                }
                if (again >= 0) {
                    measured.put(retransmits, (double) again);
                }
                return measured;
            }
            double mean = received.stream()
                    .mapToDouble(Results.OfStream::jitterSeconds)
                    .average()
                    .orElse(0);
            measured.put(jitter, mean * MILLIS);
            long all = sum(sent, Results.OfStream::packets);
            long count = all - omitted(sent, received);
            // Those that were lost last leave no gap in the numbers: only the sender knows of them. Each end omits by a
            // clock of its
            // own, so what one sent after its omitted time came to the other in its own; only all can be told apart
            // from all.
            long came = sum(received, each -> each.packets() - each.lost());
            long early = sum(received, each -> Math.max(0, each.omittedLost()));
            long missing = Math.max(0, all - came - early);
            measured.put(packets, (double) count);
            measured.put(lost, (double) missing);
            measured.put(loss, count == 0 ? 0 : PERCENT * missing / count);
            return measured;
        }

        /** Counts the datagrams of the omitted time, by the sender where it tells. */
        private static long omitted(List<Results.OfStream> sent, List<Results.OfStream> received) {
            boolean told = sent.stream().allMatch(each -> each.omittedPackets() >= 0);
            return sum(told ? sent : received, each -> Math.max(0, each.omittedPackets()));
        }

        private static long sum(List<Results.OfStream> streams, ToLongFunction<Results.OfStream> number) {
            return streams.stream().mapToLong(number).sum();
        }

        private static void put(Map<Metric, Double> into, Metric metric, double value) {
            if (value >= 0) {
                into.put(metric, value);
            }
        }

        private static double megabits(List<Results.OfStream> streams) {
            long bytes = streams.stream().mapToLong(Results.OfStream::bytes).sum();
            double seconds = streams.stream()
                    .mapToDouble(Results.OfStream::seconds)
                    .max()
                    .orElse(0);
            return seconds <= 0 ? -1 : megabits(bytes, seconds);
        }

        static double megabits(long bytes, double seconds) {
            return bytes / BITS_PER_MEGABIT / seconds;
        }
    }
}
