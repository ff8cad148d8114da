package org.diperf.analyzer.server;

/**
 * What the clients saw beside what the service's own log says.
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

    /**
     * What the clients saw.
     *
     * @param calls that ended
     * @param throughput ok calls a second, a value a quantum
     * @param inFlight calls in flight, a value a quantum
     * @param responseMs mean response time of ok calls over the measured part; {@code NaN}: none
     */
    public record Clients(long calls, double[] throughput, double[] inFlight, double responseMs) {}

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
