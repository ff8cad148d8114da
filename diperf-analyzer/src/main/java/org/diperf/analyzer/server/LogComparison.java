package org.diperf.analyzer.server;

import java.util.Collection;
import java.util.Optional;

/**
 * What the clients saw next to what the service's own log says.
 *
 * @param calls that the clients saw end
 * @param requests that the log has
 * @param throughputPercent mean over the whole quanta of the measured part of |server - client| / client; {@code NaN}: none
 * @param throughputWorstPercent the largest of these
 * @param loadPercent the same of calls in flight; {@code NaN}: the log does not say how long requests took
 * @param clientMs mean response time of ok calls over the measured part
 * @param serverMs the same by the log; {@code NaN}: it does not say
 */
public record LogComparison(
        long calls,
        long requests,
        double throughputPercent,
        double throughputWorstPercent,
        double loadPercent,
        double clientMs,
        double serverMs) {

    static final double PERCENT = 100;
    /** Clocks and logs that are cut to milliseconds leave it open on which side of the run's begin a request ended. */
    private static final double UNCERTAIN_SHARE = 0.001;

    private static final int UNCERTAIN = 2;

    /**
     * What the clients saw.
     *
     * @param calls that ended
     * @param ok of these: the service has served each
     * @param unfinished that had no answer when the run was cut short: the service may have served them
     * @param throughput ok calls a second, a value a quantum
     * @param inFlight calls in flight, a value a quantum
     * @param responseMs mean response time of ok calls over the measured part; {@code NaN}: none
     */
    public record Clients(
            long calls, long ok, long unfinished, double[] throughput, double[] inFlight, double responseMs) {}

    /** Compares. */
    public static LogComparison of(Clients clients, LogView log, TimeAxis axis) {
        double[] throughput = differences(clients.throughput(), log.throughput(), axis);
        double[] load = log.load().length == 0
                ? new double[] {Double.NaN, Double.NaN}
                : differences(clients.inFlight(), log.load(), axis);
        return new LogComparison(
                clients.calls(),
                log.requests(),
                throughput[0],
                throughput[1],
                load[0],
                clients.responseMs(),
                log.measuredMs());
    }

    /**
     * Says how the service's own count contradicts the clients', beyond what the run's two ends and failed calls, which may or may
     * not have reached the service, explain; empty: it does not.
     *
     * @param logs of the service; several are those of its parts, or of what stands before it
     * @param whole whether they see all targets
     */
    public static Optional<String> contradiction(Clients clients, Collection<LogView> logs, boolean whole) {
        long uncertain = Math.max(UNCERTAIN, Math.round(UNCERTAIN_SHARE * clients.calls()));
        long least = whole ? clients.ok() - uncertain : 0;
        long most = clients.calls() + clients.unfinished() + uncertain;
        long together = logs.stream().mapToLong(LogView::requests).sum();
        boolean agrees = logs.isEmpty()
                || isBetween(least, together, most)
                || logs.stream().anyMatch(log -> isBetween(least, log.requests(), most));
        if (agrees) {
            return Optional.empty();
        }
        return Optional.of(
                together < least
                        ? "the service's own log has " + together + " requests, fewer than the " + clients.ok()
                                + " calls that testers report as ok: the log is incomplete, a cache answered, or testers report "
                                + "calls that they did not make"
                        : "the service's own log has " + together + " requests, more than the "
                                + (clients.calls() + clients.unfinished())
                                + " calls that testers report: the service had other clients, a call makes several requests, or "
                                + "testers do not report all of their calls");
    }

    private static boolean isBetween(long least, long value, long most) {
        return value >= least && value <= most;
    }

    /** Returns mean and largest difference in percent of the clients' values. */
    private static double[] differences(double[] client, double[] server, TimeAxis axis) {
        double sum = 0;
        double worst = 0;
        int count = 0;
        for (int i = 0; i < axis.quanta(); i++) {
            if (axis.isMeasured(i) && client[i] > 0) {
                double percent = PERCENT * Math.abs(server[i] - client[i]) / client[i];
                sum += percent;
                worst = Math.max(worst, percent);
                count++;
            }
        }
        return count == 0 ? new double[] {Double.NaN, Double.NaN} : new double[] {sum / count, worst};
    }

    /** Returns the difference between clients' and server's mean response time, ms: the way there and back, and both ends. */
    public double betweenMs() {
        return clientMs - serverMs;
    }

    /** Returns that difference in percent of the clients' time. */
    public double betweenPercent() {
        return PERCENT * betweenMs() / clientMs;
    }

    /** Returns each quantum's difference of the server's value from the clients', percent. */
    public static double[] percent(double[] client, double[] server) {
        double[] percent = new double[client.length];
        for (int i = 0; i < percent.length; i++) {
            percent[i] = client[i] > 0 ? PERCENT * (server[i] - client[i]) / client[i] : Double.NaN;
        }
        return percent;
    }
}
