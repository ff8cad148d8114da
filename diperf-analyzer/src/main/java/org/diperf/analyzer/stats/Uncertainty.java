package org.diperf.analyzer.stats;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How far off a number can be.
 *
 * @param low that the true number can be: as far below as all parts together reach
 * @param high likewise
 * @param parts what each of the things that move it alone makes of it, such as {@link #SAMPLING}; each holds the number
 */
public record Uncertainty(double low, double high, Map<String, Range> parts) {

    /** How many calls there were and how they depend on one another: a 95 % CI. */
    public static final String SAMPLING = "sampling";

    /** What the load generator, and a network that it brought, may have added to its calls: a hard bound, but for what the run states. */
    public static final String INSTRUMENT = "instrument";

    /** How well the testers' clocks are known: a hard bound. */
    public static final String CLOCK = "clock";

    public Uncertainty {
        parts = Collections.unmodifiableMap(new TreeMap<>(parts));
    }

    /** Returns those of its parts that are named. */
    public Map<String, Range> only(List<String> names) {
        Map<String, Range> some = new TreeMap<>(parts);
        some.keySet().retainAll(names);
        return some;
    }

    /** Returns what is left of that of a number when only generator, network and clocks are looked at. */
    public Uncertainty withoutSampling(double value) {
        return of(value, only(List.of(INSTRUMENT, CLOCK)));
    }

    /** Returns how far apart the two ends are. */
    public double width() {
        return high - low;
    }

    /** Makes that of a number of which the parts are known: of one that cannot be negative, as all that are measured, nor can its ends be. */
    public static Uncertainty of(double value, Map<String, Range> parts) {
        double low = value;
        double high = value;
        for (Range part : parts.values()) {
            low -= Math.max(0, value - part.low());
            high += Math.max(0, part.high() - value);
        }
        return new Uncertainty(value < 0 ? low : Math.max(0, low), high, parts);
    }
}
