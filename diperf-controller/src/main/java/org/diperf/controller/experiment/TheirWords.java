package org.diperf.controller.experiment;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What other load testers have too and call something else: k6, Locust, Gatling, Artillery, wrk, hey, oha, vegeta, bombardier, ab,
 * JMeter, curl.
 */
public enum TheirWords {
    CLIENTS(
            "for clients, use --clients N (-c)",
            "load.clients",
            "-u --vus --users --virtual-users --connections --concurrency --threads"),
    THREADS("for clients, use --clients N (-c); for the duration, --for D (-d)", "load.clients", "-t"),
    CREDENTIALS(
            "for clients, use --clients N (-c); for credentials, --header 'Authorization: Basic BASE64' (-H)",
            "client.with.headers",
            "--user"),
    DURATION(
            "for the duration, use --for D (-d)",
            "load.run-for load.open.for load.levels.hold",
            "-z --duration --run-time --time --hold-for"),
    RATE("for a rate, use --rate R (-r)", "load.open.rate", "-R --rps --qps --arrival-rate --requests-per-second"),
    CALLS(
            "for a number of calls, use --calls N (-n)",
            "load.calls",
            "-i --iterations --requests --num-requests --loops --count"),
    TARGET(
            "give the URL as a plain argument: diperf run http://localhost:8080/",
            "target",
            "--url --host --target --base-url --uri"),
    RAMP(
            "for a ramp, use --set load.start-every=100ms: a new client every 100 ms",
            "load.start-every load.open.ramp",
            "--ramp-up --spawn-rate --hatch-rate"),
    METHOD("for the method, use --method METHOD (-m)", "client.with.method", "-X --request"),
    BODY(
            "for the body, use --body TEXT (-b), or --body @FILE",
            "client.with.body",
            "-D --data --data-raw --data-binary --body-file --payload"),
    TIMEOUT(
            "for a timeout, use --set load.timeout=5s; with --rate, --set load.open.timeout=5s",
            "load.timeout load.open.timeout",
            "--timeout"),
    THINK("for a pause between calls, use --think D", "load.think", "--sleep --pause --think-time --wait-time"),
    THRESHOLD(
            "for a threshold, use --set 'thresholds=[response.p95 < 250ms]'",
            "thresholds",
            "--threshold --thresholds --assert --assertions --fail-if"),
    FOLDER("for the run folder, use --out DIR (-o)", "", "--output"),
    PERCENTILES("percentiles are always shown", "", "--latency --latencies");

    private static final Map<String, TheirWords> BY_WORD = new TreeMap<>();

    static {
        for (TheirWords each : values()) {
            each.words.forEach(word -> BY_WORD.put(word, each));
        }
    }

    /** Where an experiment says what their options say. */
    private static final Pattern PLACES = Pattern.compile("|(groups\\.[^.]+\\.)?load(\\..*)?|client(\\.with)?");

    private static final Pattern SPELT_OUT = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)[ _-]*([a-z]+)\\.?");
    private static final Map<String, String> UNITS = Map.of(
            "ms", "milliseconds millisecond millis milli msecs msec",
            "s", "seconds second secs sec",
            "m", "minutes minute mins",
            "h", "hours hour hrs hr",
            "/s", "rps qps tps");

    private final String option;
    private final List<String> keys;
    private final List<String> words;

    TheirWords(String option, String keys, String words) {
        this.option = option;
        this.keys = Stream.of(keys.split(" ")).filter(key -> !key.isEmpty()).toList();
        this.words = List.of(words.split(" "));
    }

    /** Returns all words, as options: each with the hyphens that it has where it is one. */
    public static Map<String, TheirWords> byWord() {
        return BY_WORD;
    }

    /** Says what the option is here. */
    public String option() {
        return option;
    }

    /**
     * Returns what a key of an experiment file means; empty: it is nobody's word that we know.
     *
     * @param path of the mapping in which it stands
     */
    static Optional<TheirWords> ofKey(String path, String key) {
        if (!PLACES.matcher(path).matches()) {
            return Optional.empty();
        }
        String hyphens =
                key.replaceAll("(?<=[a-z])(?=[A-Z])", "-").replace('_', '-').toLowerCase(Locale.ROOT);
        return Optional.ofNullable(BY_WORD.get("--" + hyphens)).filter(meant -> !meant.keys.isEmpty());
    }

    /** Returns the one of some keys that is meant; empty: it is none of these. */
    Optional<String> among(List<String> names) {
        return keys.stream()
                .map(key -> key.substring(key.lastIndexOf('.') + 1))
                .filter(names::contains)
                .findFirst();
    }

    /** Returns the key of the file that is meant in the first place. */
    String key() {
        return keys.get(0);
    }

    /**
     * Says how a quantity is written whose unit is spelt out, such as {@code 2 secs}.
     *
     * @return such as {@code ; write 2s}; empty: it is none
     */
    public static String unit(String text) {
        Matcher matcher = SPELT_OUT.matcher(text.strip().toLowerCase(Locale.ROOT));
        return matcher.matches()
                ? UNITS.entrySet().stream()
                        .filter(unit ->
                                Arrays.asList(unit.getValue().split(" ")).contains(matcher.group(2)))
                        .map(unit -> "; write " + matcher.group(1) + unit.getKey())
                        .findFirst()
                        .orElse("")
                : "";
    }
}
