package org.diperf.controller.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.diperf.core.spi.Quantity;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The options of an experiment without a file; makes the text of that experiment. */
final class QuickOptions {

    private static final String USUAL_CLIENTS = "10";

    @Option(
            names = {"-c", "--clients"},
            paramLabel = "N",
            description = "With a URL: number of clients. Default: 10, unless --rate is given.")
    @Nullable
    String clients;

    @Option(
            names = {"-r", "--rate"},
            paramLabel = "R",
            description = "With a URL: arrival rate of the calls, such as 200 (per second) or 30/min.")
    @Nullable
    String rate;

    @Option(
            names = {"-n", "--calls"},
            paramLabel = "N",
            description = "With a URL: number of calls in all, by --clients; without --for, only they end the run.")
    @Nullable
    String calls;

    @Option(
            names = {"-d", "--for"},
            paramLabel = "D",
            description = "With a URL: duration, such as 30s. Default: 10s, unless --calls is given.")
    @Nullable
    String forDuration;

    @Option(
            names = "--think",
            paramLabel = "D",
            description = "With a URL and --clients: pause between a client's calls, such as 500ms.")
    @Nullable
    String think;

    @Option(
            names = {"-m", "--method"},
            paramLabel = "METHOD",
            description = "With an http URL: request method. Default: GET, or POST if there is a --body.")
    @Nullable
    String method;

    @Option(
            names = {"-H", "--header"},
            paramLabel = "NAME: VALUE",
            description = "With an http URL: header field to send; repeatable.")
    List<String> headers = new ArrayList<>();

    @Option(
            names = {"-b", "--body"},
            paramLabel = "TEXT|@FILE",
            description =
                    "With an http URL: body to send, or the file that contains it. A TEXT that is a JSON object or "
                            + "array is sent as application/json, unless a --header sets a different type.")
    @Nullable
    String body;

    @Option(
            names = {"-k", "--insecure"},
            description = "With an https URL: accept any certificate.")
    boolean insecure;

    /** Returns the name of an option that was given; {@code null}: none was. */
    @Nullable
    String firstGiven() {
        return given().keySet().stream().findFirst().orElse(null);
    }

    /** Says which key of a file, with its value, does the same as an option that was given. */
    String key(String option) {
        return given().getOrDefault(option, "");
    }

    private Map<String, String> given() {
        Map<String, String> given = new LinkedHashMap<>();
        given.put("--clients", key("load.clients", clients));
        given.put("--rate", key("load.open.rate", rate));
        given.put("--calls", key("load.calls", calls));
        given.put("--for", key(rate == null ? "load.run-for" : "load.open.for", forDuration));
        given.put("--think", key("load.think", think));
        given.putAll(ofHttp());
        given.values().removeIf(String::isEmpty);
        return given;
    }

    private Map<String, String> ofHttp() {
        Map<String, String> given = new LinkedHashMap<>();
        given.put("--method", key("client.with.method", method));
        // A header's value may be nobody else's business.
        given.put("--header", headers.isEmpty() ? "" : "client.with.headers.NAME=VALUE");
        given.put(
                "--body",
                body == null ? "" : body.startsWith("@") ? "client.with.body-file=FILE" : "client.with.body=TEXT");
        given.put("--insecure", insecure ? "client.with.insecure=true" : "");
        given.values().removeIf(String::isEmpty);
        return given;
    }

    private static String key(String path, @Nullable String value) {
        return value == null ? "" : path + "=" + value;
    }

    /**
     * Writes the experiment.
     *
     * @return its text, as in a file
     * @throws UsageException when options do not go together, or a value cannot be used
     */
    String experiment(String url) throws UsageException {
        return "target: " + quoted(url) + "\n" + client(url) + load() + "measure: { skip: auto }\n";
    }

    private String load() throws UsageException {
        if (clients != null && rate != null) {
            throw new UsageException("--clients sets a closed load and --rate an open one, got both; choose one");
        }
        if (think != null && rate != null) {
            throw new UsageException(
                    "--think is a pause between a client's calls, but with --rate calls arrive independently of "
                            + "clients; choose one");
        }
        if (calls != null && rate != null) {
            throw new UsageException("--calls counts the calls of --clients, got it with --rate, whose calls are "
                    + "counted by its duration; use --for");
        }
        check("--for", forDuration, Quantity::duration);
        check("--rate", rate, Quantity::rate);
        check("--think", think, Quantity::duration);
        checkWhole("--clients", clients);
        checkWhole("--calls", calls);
        String length = forDuration == null ? "10s" : forDuration;
        if (rate != null) {
            return "load: { open: { rate: " + quoted(rate) + ", for: " + quoted(length) + " } }\n";
        }
        // Each client needs a call.
        String usual = calls == null || calls.length() > 1 ? USUAL_CLIENTS : calls;
        return "load: { clients: " + (clients == null ? usual : clients)
                + (calls == null ? "" : ", calls: " + calls)
                + (calls != null && forDuration == null ? "" : ", run-for: " + quoted(length))
                + (think == null ? "" : ", think: " + quoted(think)) + " }\n";
    }

    private static void checkWhole(String option, @Nullable String value) throws UsageException {
        if (value != null && !value.matches("[0-9]{1,9}")) {
            throw new UsageException(option + ": expected a whole number, got '" + value + "'");
        }
    }

    private String client(String url) throws UsageException {
        Map<String, String> ofHttp = ofHttp();
        String scheme = url.substring(0, url.indexOf(':')).toLowerCase(Locale.ROOT);
        boolean tls = scheme.equals("https");
        if (!tls && !scheme.equals("http") && !ofHttp.isEmpty()) {
            String option = ofHttp.keySet().iterator().next();
            throw new UsageException(option + " requires an http or https URL, got '" + url + "'; 'diperf plugins "
                    + scheme + "' lists its client's parameters; set them with --set client.with.NAME=VALUE");
        }
        if (insecure && !tls) {
            throw new UsageException("--insecure requires an https URL, got '" + url
                    + "', whose connections use no certificate; drop it, or use https://");
        }
        List<String> with = new ArrayList<>();
        if (method != null || body != null) {
            with.add("method: " + quoted(method == null ? "POST" : method));
        }
        List<String> fields = fields();
        if (!fields.isEmpty()) {
            with.add("headers: { " + String.join(", ", fields) + " }");
        }
        if (body != null) {
            with.add(
                    body.startsWith("@")
                            ? "body-file: " + quoted(bodyFile(body.substring(1)))
                            : "body: " + quoted(body));
        }
        if (insecure) {
            with.add("insecure: true");
        }
        return with.isEmpty() ? "" : "client:\n  with:\n    " + String.join("\n    ", with) + "\n";
    }

    private List<String> fields() throws UsageException {
        Map<String, String> fields = new LinkedHashMap<>();
        List<String> seen = new ArrayList<>();
        for (String header : headers) {
            int colon = header.indexOf(':');
            if (colon < 1) {
                throw new UsageException(
                        "--header: expected a name and a value, e.g. 'Accept: text/html', got no colon after a name");
            }
            String name = header.substring(0, colon).strip();
            if (seen.contains(name.toLowerCase(Locale.ROOT))) {
                throw new UsageException("--header: '" + name + "' is specified twice; join the values with a comma");
            }
            seen.add(name.toLowerCase(Locale.ROOT));
            fields.put(name, header.substring(colon + 1).strip());
        }
        if (body != null && !seen.contains("content-type") && isJson(body)) {
            fields.put("Content-Type", "application/json");
        }
        return fields.entrySet().stream()
                .map(field -> quoted(field.getKey()) + ": " + quoted(field.getValue()))
                .toList();
    }

    private static boolean isJson(String text) {
        try {
            return JsonMapper.shared().readTree(text).isContainer();
        } catch (JacksonException e) {
            return false;
        }
    }

    private static String bodyFile(String name) throws UsageException {
        Path file = Path.of(name);
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new UsageException("--body: expected a file after @, got "
                    + (Files.isDirectory(file)
                            ? "the folder"
                            : Files.exists(file) ? "an unreadable file" : "nothing at")
                    + " '" + name + "'");
        }
        return file.toAbsolutePath().normalize().toString();
    }

    /** Names the option, where the file it becomes part of would name its key. */
    private static void check(String option, @Nullable String value, Function<String, Object> read)
            throws UsageException {
        if (value != null) {
            UsageException.reading(option, () -> read.apply(value));
        }
    }

    /** Quotes a text for YAML, on one line. */
    private static String quoted(String value) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : value.toCharArray()) {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ' || c >= 0x7f && c <= 0xa0 || c == 0x2028 || c == 0x2029 || c == 0xfeff) {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
