package org.diperf.plugins.monitor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.spi.Monitor;
import org.diperf.core.spi.Readings;
import org.diperf.plugins.lib.proc.BoundedInput;
import org.jspecify.annotations.Nullable;

/**
 * Reads metrics in Prometheus' text format (0.0.4). Those that one selector takes and that have the same name are added up.
 * Counters, and the counts and sums of histograms, become rates.
 */
final class PrometheusMonitor implements Monitor {

    private static final long MAX_BYTES = 64L << 20;
    private static final int OK = 200;
    private static final Pattern SAMPLE =
            Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)\\})?\\s+(\\S+)(?:\\s+-?[0-9]+)?\\s*");
    /** Takes what it finds for good: to try again would take a stack as deep as the value is long. */
    private static final Pattern LABEL =
            Pattern.compile("\\G\\s*([a-zA-Z_][a-zA-Z0-9_]*)\\s*=\\s*\"((?:[^\"\\\\]++|\\\\.)*+)\"\\s*,?");

    private final URI url;
    private final List<PrometheusSelector> selectors;
    private final Duration limit;
    private final HttpClient client;

    /** A sum over series. */
    record Sum(double value, boolean isCounter) {}

    /** @param limit for the head of an answer, and for its body */
    PrometheusMonitor(URI url, List<PrometheusSelector> selectors, Duration limit) {
        this.url = url;
        this.selectors = List.copyOf(selectors);
        this.limit = limit;
        this.client = HttpClient.newBuilder()
                .connectTimeout(limit)
                .version(HttpClient.Version.HTTP_1_1)
                .build();
    }

    @Override
    public void sample(Readings to) throws IOException, InterruptedException {
        long before = to.nanoTime();
        HttpResponse<InputStream> response = ask();
        long at = before + (to.nanoTime() - before) / 2;
        String sender = url.toString();
        try (InputStream body =
                new BoundedInput(new TimeLimitedInput(response.body(), limit, sender), MAX_BYTES, sender)) {
            if (response.statusCode() != OK) {
                throw new IOException("expected metrics from " + url + ", got status " + response.statusCode());
            }
            Map<String, Sum> sums =
                    read(new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8)), selectors);
            if (sums.isEmpty()) {
                throw new IOException("expected at least one of the selected metrics from " + url + ", got none");
            }
            sums.forEach((name, sum) -> take(name, sum, to, at));
        }
    }

    private HttpResponse<InputStream> ask() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(url)
                .timeout(limit)
                .header("Accept", "text/plain;version=0.0.4")
                .build();
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        } catch (IOException e) {
            // The client's own words for a refused connection are none at all.
            String found = e.getMessage() == null ? "no connection" : e.getMessage();
            throw new IOException("expected metrics from " + url + ", got: " + found, e);
        }
    }

    /** Reads the text. */
    static Map<String, Sum> read(BufferedReader text, List<PrometheusSelector> selectors) throws IOException {
        Map<String, String> types = new HashMap<>();
        Map<String, Sum> sums = new LinkedHashMap<>();
        for (String line = text.readLine(); line != null; line = text.readLine()) {
            if (line.startsWith("#")) {
                String[] words = line.split("\\s+");
                if (words.length > 3 && words[1].equals("TYPE")) {
                    types.put(words[2], words[3]);
                }
                continue;
            }
            Matcher sample = SAMPLE.matcher(line);
            if (!sample.matches()) {
                continue;
            }
            String name = sample.group(1);
            Double value = number(sample.group(3));
            for (PrometheusSelector selector : selectors) {
                if (value != null && selector.isOf(name) && selector.fits(labels(sample.group(2)))) {
                    boolean counter = isCounter(name, types);
                    sums.merge(
                            name + selector.suffix(),
                            new Sum(value, counter),
                            (one, other) -> new Sum(one.value() + other.value(), counter));
                    break;
                }
            }
        }
        return sums;
    }

    private static Map<String, String> labels(@Nullable String text) {
        Map<String, String> labels = new HashMap<>();
        Matcher label = LABEL.matcher(text == null ? "" : text);
        while (label.find()) {
            labels.put(label.group(1), label.group(2).replaceAll("\\\\(.)", "$1"));
        }
        return labels;
    }

    private static @Nullable Double number(String word) {
        try {
            return Double.valueOf(word.replace("+Inf", "Infinity").replace("-Inf", "-Infinity"));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static boolean isCounter(String name, Map<String, String> types) {
        String type = types.get(name);
        if (type != null) {
            return type.equals("counter");
        }
        String family = name.replaceFirst("_(?:bucket|sum|count)$", "");
        String familyType = types.getOrDefault(family, "");
        return familyType.equals("histogram")
                || familyType.equals("summary") && !family.equals(name)
                || familyType.isEmpty() && name.endsWith("_total");
    }

    private static void take(String name, Sum sum, Readings to, long at) {
        String plain = name.replaceFirst("\\{.*", "");
        if (sum.isCounter()) {
            String unit = plain.matches(".*_cpu_seconds_total")
                    ? "cores"
                    : plain.contains("_bytes") ? "bytes/s" : plain.contains("_seconds") ? "s/s" : "1/s";
            to.counter(name, unit, sum.value(), at);
            if (name.equals("process_cpu_seconds_total")) {
                to.counter("cpu", "cores", sum.value(), at);
            }
        } else {
            String unit = plain.endsWith("_bytes") ? "bytes" : plain.endsWith("_seconds") ? "s" : "count";
            to.gauge(name, unit, sum.value(), at);
            if (name.equals("process_resident_memory_bytes")) {
                to.gauge("memory", "bytes", sum.value(), at);
            }
        }
    }
}
