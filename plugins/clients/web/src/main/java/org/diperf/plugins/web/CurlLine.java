package org.diperf.plugins.web;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.diperf.core.spi.Url;

/** Reads command lines of curl, as browsers copy them for a request. */
final class CurlLine {

    private static final Set<String> WITHOUT_VALUE = Set.of(
            "--compressed",
            "--location",
            "--insecure",
            "--silent",
            "--show-error",
            "--include",
            "--verbose",
            "--fail",
            "--http1.1",
            "--http2",
            "--http2-prior-knowledge",
            "--globoff",
            "--path-as-is",
            "--no-buffer");

    private static final Map<String, String> LONG = Map.ofEntries(
            Map.entry("-X", "--request"),
            Map.entry("-H", "--header"),
            Map.entry("-d", "--data"),
            Map.entry("-b", "--cookie"),
            Map.entry("-A", "--user-agent"),
            Map.entry("-e", "--referer"),
            Map.entry("-u", "--user"),
            Map.entry("-G", "--get"),
            Map.entry("-I", "--head"),
            Map.entry("-k", "--insecure"),
            Map.entry("-L", "--location"),
            Map.entry("-s", "--silent"),
            Map.entry("-S", "--show-error"),
            Map.entry("-i", "--include"),
            Map.entry("-v", "--verbose"),
            Map.entry("-f", "--fail"),
            Map.entry("-g", "--globoff"),
            Map.entry("-N", "--no-buffer"),
            Map.entry("-o", "--output"),
            Map.entry("-m", "--max-time"));

    private String method = "";
    private String url = "";
    private boolean insecure;
    private boolean asQuery;
    /** Browsers copy names in lower case. */
    private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    private final Map<String, String> cookies = new LinkedHashMap<>();
    private final List<String> data = new ArrayList<>();

    private CurlLine() {}

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException for one that is none, or has what no request here can have
     */
    static RecordedRequest read(String line) {
        return new CurlLine().request(ShellWords.split(line));
    }

    private RecordedRequest request(List<String> words) {
        int at = !words.isEmpty() && words.get(0).replaceFirst(".*/", "").matches("curl(\\.exe)?") ? 1 : 0;
        while (at < words.size()) {
            String word = words.get(at++);
            if (!word.startsWith("-") || word.equals("-")) {
                url = word;
                continue;
            }
            String value = null;
            String option = word;
            if (word.startsWith("--") && word.contains("=")) {
                option = word.substring(0, word.indexOf('='));
                value = word.substring(word.indexOf('=') + 1);
            } else if (!word.startsWith("--") && word.length() > 2) {
                option = word.substring(0, 2);
                String name = LONG.getOrDefault(option, option);
                if (takesNone(name)) {
                    // Several letters in one word.
                    words = new ArrayList<>(words);
                    words.add(at, "-" + word.substring(2));
                } else {
                    value = word.substring(2);
                }
            }
            String name = LONG.getOrDefault(option, option);
            if (!takesNone(name) && value == null) {
                if (at >= words.size()) {
                    throw new IllegalArgumentException(
                            "expected a value after " + option + ", got the end of the line");
                }
                value = words.get(at++);
            }
            take(name, value == null ? "" : value);
        }
        return made();
    }

    private static boolean takesNone(String name) {
        return WITHOUT_VALUE.contains(name) || name.equals("--get") || name.equals("--head");
    }

    private void take(String name, String value) {
        switch (name) {
            case "--request" -> method = value.toUpperCase(Locale.ROOT);
            case "--url" -> url = value;
            case "--header" -> header(value);
            case "--user-agent" -> headers.put("User-Agent", value);
            case "--referer" -> headers.put("Referer", value);
            case "--user" ->
                headers.put(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)));
            case "--cookie" -> cookies(value);
            case "--data", "--data-raw", "--data-ascii", "--data-binary" -> {
                if (value.startsWith("@") && !name.equals("--data-raw")) {
                    throw new IllegalArgumentException("expected data on the command line, got the file '"
                            + value.substring(1) + "'; write the step manually with body-file");
                }
                data.add(value);
            }
            case "--data-urlencode" -> {
                int equals = value.indexOf('=');
                data.add((equals > 0 ? value.substring(0, equals) + "=" : "")
                        + URLEncoder.encode(value.substring(equals + 1), StandardCharsets.UTF_8));
            }
            case "--json" -> {
                data.add(value);
                headers.putIfAbsent("Content-Type", "application/json");
                headers.putIfAbsent("Accept", "application/json");
            }
            case "--get" -> asQuery = true;
            case "--head" -> method = "HEAD";
            case "--insecure" -> insecure = true;
            case "--output", "--max-time" -> {
                // of no request
            }
            default -> {
                if (!WITHOUT_VALUE.contains(name)) {
                    throw new IllegalArgumentException("expected curl options that describe a request, got '" + name
                            + "', which is not supported; drop it");
                }
            }
        }
    }

    private void header(String value) {
        int colon = value.indexOf(':');
        if (colon <= 0) {
            return;
        }
        String name = value.substring(0, colon).strip();
        String text = value.substring(colon + 1).strip();
        if (name.equalsIgnoreCase("cookie")) {
            cookies(text);
        } else if (!HarFile.isDropped(name)) {
            headers.put(name, text);
        }
    }

    private void cookies(String value) {
        for (String pair : value.split("; *")) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                cookies.put(pair.substring(0, equals).strip(), pair.substring(equals + 1));
            }
        }
    }

    private RecordedRequest made() {
        if (url.isEmpty()) {
            throw new IllegalArgumentException("expected a curl command with a URL, got none");
        }
        String body = String.join("&", data);
        String full = url.matches("(?i)https?://.*") ? url : "http://" + url;
        if (asQuery && !body.isEmpty()) {
            full += (full.contains("?") ? "&" : "?") + body;
            body = "";
        }
        if (!body.isEmpty()) {
            headers.putIfAbsent("Content-Type", "application/x-www-form-urlencoded");
        }
        String used = method.isEmpty() ? body.isEmpty() ? "GET" : "POST" : method;
        return new RecordedRequest(used, Url.of(full), headers, cookies, body, 0, 0, 0, "", List.of(), "", insecure);
    }
}
