package org.diperf.analyzer.run;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.plan.ClientLifetimes;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.OnFailure;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.OpenLoad.Arrivals;
import org.diperf.core.plan.Quota;
import org.diperf.core.plan.Think;
import org.diperf.core.run.OriginRecord;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.spi.Quantity;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code run.json} as it was before: a stage had the numbers of all load models side by side, its think time was in words, and
 * so was whether a warning puts the numbers in doubt.
 * The only place that knows these. What such a file does not say of a stage that was cut short, how long it was to last,
 * is taken from how long it lasted.
 */
final class RunJsonVersion1 {

    /** The format that this converts. */
    static final String FORMAT = "diperf-run/1";

    private static final String SUSPECT = "suspect: ";
    private static final Pattern EXPONENTIAL = Pattern.compile("exponential, mean (\\S+)");
    private static final Pattern UNIFORM = Pattern.compile("uniform, (\\S+) to (\\S+)");

    private final JsonNode stage;
    private final long lengthNanos;
    private final long timeoutNanos;

    private RunJsonVersion1(JsonNode stage) {
        this.stage = stage;
        this.lengthNanos = nanos("endNanos", 0) - nanos("startNanos", 0);
        this.timeoutNanos = Math.max(1, nanos("timeoutNanos", 0));
    }

    /**
     * Returns the record in today's format.
     *
     * @throws IllegalArgumentException when a stage has words or numbers that no version wrote
     */
    static JsonNode converted(JsonNode run, JsonMapper json) {
        if (!(run.deepCopy() instanceof ObjectNode converted)) {
            return run;
        }
        converted.put("format", RunRecord.FORMAT);
        if (!converted.has("traits")) {
            // Plugins declared none when most of these were written.
            converted.putNull("traits");
        }
        boolean imported =
                OriginRecord.IMPORTED.equals(run.path("origin").path("kind").asString(""));
        for (JsonNode each : converted.path("stages")) {
            if (each instanceof ObjectNode stage) {
                Load load = imported ? null : new RunJsonVersion1(stage).load();
                stage.set("load", load == null ? null : json.valueToTree(load));
            }
        }
        if (run.path("warnings") instanceof ArrayNode texts) {
            ArrayNode warnings = converted.putArray("warnings");
            texts.forEach(text -> warnings.add(json.<JsonNode>valueToTree(warning(text.asString("")))));
        }
        return converted;
    }

    /** Such a file says by a word before the text that the numbers are in doubt, and not what it is about. */
    private static Warning warning(String text) {
        return text.startsWith(SUSPECT)
                ? Warning.suspect(Warning.Subject.RUN, text.substring(SUSPECT.length()))
                : Warning.note(Warning.Subject.RUN, text);
    }

    private Load load() {
        return text("model", "").equals("closed") ? closed() : open();
    }

    private ClosedLoad closed() {
        int clients =
                Math.max(1, Math.max(number("clients", 0), Math.max(number("fromClients", 0), number("toClients", 0))));
        return new ClosedLoad(
                clients,
                lives(),
                think(text("think", "none")),
                new Quota(nanos("quotaCalls", 0), nanos("quotaBytes", 0)),
                onFailure(),
                timeoutNanos);
    }

    private ClientLifetimes lives() {
        long length = Math.max(1, nanos("runForNanos", Math.max(1, lengthNanos)));
        if (stage.path("toClients").isNumber()) {
            int to = number("toClients", 0);
            return new ClientLifetimes.Ramp(number("fromClients", to), to, length);
        }
        return new ClientLifetimes.Staggered(Math.max(0, nanos("startEveryNanos", 0)), length);
    }

    private OpenLoad open() {
        long ramp = nanos("rampNanos", 0);
        long rest = Math.max(0, lengthNanos - ramp);
        return new OpenLoad(
                rate("fromPerSecond"),
                rate("perSecond"),
                text("arrivals", "").equals("constant") ? Arrivals.CONSTANT : Arrivals.POISSON,
                ramp,
                ramp + rest == 0 ? 1 : rest,
                Math.max(1, number("maxInFlight", 1)),
                onFailure(),
                timeoutNanos);
    }

    private OnFailure onFailure() {
        return OnFailure.valueOf(
                text("onFailure", "continue").toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    private static Think think(String words) {
        Matcher exponential = EXPONENTIAL.matcher(words);
        Matcher uniform = UNIFORM.matcher(words);
        if (exponential.matches()) {
            return new Think.Exponential(duration(exponential.group(1)).toNanos());
        }
        if (uniform.matches()) {
            return new Think.Uniform(
                    duration(uniform.group(1)).toNanos(),
                    duration(uniform.group(2)).toNanos());
        }
        return words.isEmpty() || words.equals("none") ? Think.NONE : Think.fixed(duration(words));
    }

    private static Duration duration(String words) {
        return Quantity.duration(words);
    }

    private double rate(String name) {
        JsonNode number = stage.path(name);
        return number.isNumber() ? number.asDouble() : 0;
    }

    private String text(String name, String absent) {
        JsonNode text = stage.path(name);
        return text.isString() ? text.stringValue() : absent;
    }

    private int number(String name, int absent) {
        return (int) nanos(name, absent);
    }

    private long nanos(String name, long absent) {
        JsonNode number = stage.path(name);
        return number.isNumber() ? number.asLong() : absent;
    }
}
