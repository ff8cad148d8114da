package org.diperf.controller.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.NearestName;
import org.jspecify.annotations.Nullable;

/** Hints at our options for those of other load testers. */
final class OptionHints {

    /** By the other tools' word: k6, Locust, wrk, hey, oha, vegeta, bombardier, ab, JMeter, curl. */
    static final Map<String, String> WORDS = words();

    private OptionHints() {}

    /**
     * Says what an unknown option is called here.
     *
     * @param option as it was written, without a value after {@code =}
     * @return such as {@code clients are --clients N}; {@code null}: it is nobody's word that we know
     */
    static @Nullable String hint(String option) {
        String hint = WORDS.get(option);
        boolean withValue = hint == null && option.matches("-[A-Za-z].+");
        return withValue ? WORDS.get(option.substring(0, 2)) : hint;
    }

    /** Says the same of an option that is misspelt; {@code null}: none of theirs is near it. */
    static @Nullable String hintOfNearest(String option) {
        List<String> words = WORDS.keySet().stream()
                .filter(word -> word.startsWith("--"))
                .sorted()
                .toList();
        String suggestion = NearestName.suggestion(option, words);
        return words.stream()
                .filter(word -> suggestion.contains("'" + word + "'"))
                .map(WORDS::get)
                .findFirst()
                .orElse(null);
    }

    private static Map<String, String> words() {
        Map<String, String> words = new LinkedHashMap<>();
        add(words, "for clients, use --clients N (-c)", "--vus", "-u", "--users", "--connections", "--concurrency");
        add(words, "for clients, use --clients N (-c); for the duration, --for D (-d)", "-t", "--threads");
        add(words, "for the duration, use --for D (-d)", "--duration", "-z", "--run-time", "--time", "--hold-for");
        add(words, "for a rate, use --rate R (-r)", "--rps", "--qps", "-R", "--arrival-rate");
        add(
                words,
                "for a number of calls, use --set load.calls=N; the run ends after --for (-d) at the latest",
                "-n",
                "--iterations",
                "-i",
                "--requests",
                "--num-requests");
        add(
                words,
                "give the URL as a plain argument: diperf run http://localhost:8080/",
                "--url",
                "--host",
                "--target");
        add(
                words,
                "for a ramp, use --set load.start-every=100ms: a new client every 100 ms",
                "--ramp-up",
                "--spawn-rate");
        add(words, "for the method, use --method METHOD (-m)", "-X", "--request");
        add(
                words,
                "for the body, use --body TEXT (-b), or --body @FILE",
                "--data",
                "--data-raw",
                "--data-binary",
                "--body-file",
                "-D");
        add(words, "for a timeout, use --set load.timeout=5s; with --rate, --set load.open.timeout=5s", "--timeout");
        add(
                words,
                "for a threshold, use --set 'thresholds=[response.p95 < 250ms]'",
                "--threshold",
                "--thresholds",
                "--assert",
                "--fail-if");
        add(words, "for the run folder, use --out DIR (-o)", "--output");
        add(words, "percentiles are always shown", "--latency", "--latencies");
        return Map.copyOf(words);
    }

    private static void add(Map<String, String> words, String hint, String... theirs) {
        for (String word : theirs) {
            words.put(word, hint);
        }
    }
}
