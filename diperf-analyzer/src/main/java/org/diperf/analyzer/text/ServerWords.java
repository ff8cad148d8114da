package org.diperf.analyzer.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.diperf.analyzer.Analysis;
import org.diperf.analyzer.server.Comparison;
import org.diperf.analyzer.server.Demand;
import org.diperf.analyzer.server.Slope;
import org.diperf.analyzer.server.Track;

/** Says what monitors saw of the service. */
public final class ServerWords {

    private static final double MEGA = 1e6;

    private ServerWords() {}

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    /** Sets what the service's logs say beside what the clients saw, a sentence each. */
    public static List<String> comparisons(Analysis analysis) {
        List<String> sentences = new ArrayList<>();
        analysis.server().logs().forEach(log -> {
            Comparison compared = analysis.server().comparisons().get(log.monitor());
            if (compared != null) {
                sentences.add(sentence(compared));
            }
        });
        return sentences;
    }

    private static String sentence(Comparison compared) {
        StringBuilder words = new StringBuilder("The service's own log has ")
                .append(Numbers.count(compared.requests()))
                .append(" requests, the clients ")
                .append(Numbers.count(compared.calls()))
                .append(" calls");
        if (!Double.isNaN(compared.throughputPercent())) {
            words.append(format(
                    "; throughput differs by %.2f %% on average over the measured part, by %.2f %% at most",
                    compared.throughputPercent(), compared.throughputWorstPercent()));
        }
        if (!Double.isNaN(compared.serverMs()) && !Double.isNaN(compared.clientMs())) {
            words.append(format(
                    "; the service says that a request took %s on average, the clients waited for %s: %s more (%.2f %%), which"
                            + " is the way there and back and both ends",
                    Numbers.time(compared.serverMs()),
                    Numbers.time(compared.clientMs()),
                    Numbers.time(compared.betweenMs()),
                    compared.betweenPercent()));
        }
        if (!Double.isNaN(compared.loadPercent())) {
            words.append(format("; calls in flight differ by %.2f %% on average", compared.loadPercent()));
        }
        return words.append('.').toString();
    }

    /** Says what a call and a client cost, a sentence for each monitor. */
    public static List<String> demands(Analysis analysis) {
        boolean closed = !Words.isOpen(analysis);
        List<String> sentences = new ArrayList<>();
        for (Demand demand : analysis.server().demands()) {
            List<String> parts = new ArrayList<>();
            Slope cpu = demand.cpu();
            Slope law = demand.demand();
            if (cpu != null) {
                parts.add("a call takes " + millis(cpu) + " of processor time, and " + format("%.2f", cpu.base())
                        + " cores are busy without any");
            }
            if (law != null) {
                parts.add((cpu == null ? "" : "shared out among the calls of the measured part, ")
                        + "all that is busy comes to " + millis(law) + " a call (D = U / X)");
            }
            double full = demand.fullAtPerSecond();
            if (!Double.isNaN(full)) {
                parts.add(format(
                        "%.0f cores would be busy all the time at %s calls/s", demand.cores(), Numbers.plain(full)));
            }
            Slope memory = demand.memory();
            if (memory != null) {
                parts.add(format(
                        "each %s takes %.3g MB of memory (%.3g to %.3g), on top of %.3g MB",
                        closed ? "client" : "call in flight",
                        memory.perUnit() / MEGA,
                        memory.low() / MEGA,
                        memory.high() / MEGA,
                        memory.base() / MEGA));
            }
            sentences.add("As '" + demand.monitor() + "' saw it, " + String.join("; ", parts) + ".");
        }
        return sentences;
    }

    private static String millis(Slope slope) {
        return format(
                "%.4g ms (95 %% within %.4g to %.4g)", 1e3 * slope.perUnit(), 1e3 * slope.low(), 1e3 * slope.high());
    }

    /** Gives the rows of all metrics: monitor, metric, mean, least, largest, unit; those that were always 0 are left out. */
    public static List<List<String>> rows(Analysis analysis) {
        List<List<String>> rows = new ArrayList<>();
        for (Track track : analysis.server().tracks()) {
            if (!Double.isNaN(track.mean()) && (track.max() != 0 || track.min() != 0)) {
                boolean bytes = track.unit().startsWith("bytes");
                rows.add(List.of(
                        Words.clean(track.monitor()),
                        Words.clean(track.metric()),
                        value(track.mean(), bytes),
                        value(track.min(), bytes),
                        value(track.max(), bytes),
                        Words.clean(track.unit().replace("bytes", "")).strip()));
            }
        }
        return rows;
    }

    private static String value(double value, boolean bytes) {
        return Double.isNaN(value) ? Numbers.NONE : bytes ? Numbers.bytes(value) : Numbers.plain(value);
    }
}
