package org.diperf.plugins.web;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.spi.StarterPlugin.Draft;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes a journey of recorded requests: one step each, with the pauses between them, and with values that were seen in an answer and sent
 * later captured from it. Confined to one thread.
 */
final class JourneyDraft {

    private static final String NAME = "recorded";
    /** A shorter value is in too many answers by chance. */
    private static final int SHORTEST_VALUE = 6;
    /** A shorter pause is the browser's, not the user's. */
    private static final long MIN_PAUSE_MILLIS = 100;

    private static final int LONGEST_NAME = 36;
    /** So much of an answer before and behind a value says where it is. */
    private static final int AROUND = 24;

    private static final Pattern PASSWORD = Pattern.compile("(?i).*(password|passwd|pwd|passphrase).*");

    /** Fields whose values are the browser's own. */
    private static final Set<String> NOT_CAPTURED =
            Set.of("accept", "accept-language", "content-type", "user-agent", "referer", "origin", "x-requested-with");

    private final List<RecordedRequest> requests;
    private final List<Map<String, Object>> steps = new ArrayList<>();
    private final Map<String, String> variables = new LinkedHashMap<>();
    private final Set<String> names = new HashSet<>();
    private final List<String> notes = new ArrayList<>();
    private String current = "";

    /** Whether the client keeps cookies itself: with several hosts its steps would have several jars. */
    private final boolean jar;

    private JourneyDraft(List<RecordedRequest> requests) {
        this.requests = List.copyOf(requests);
        this.jar = requests.stream().map(RecordedRequest::origin).distinct().count() == 1
                && requests.stream().anyMatch(each -> !setCookies(each).isEmpty());
    }

    /** Returns the cookies that an answer set, by their names. */
    private static Map<String, String> setCookies(RecordedRequest request) {
        Map<String, String> cookies = new LinkedHashMap<>();
        for (Map.Entry<String, String> field : request.answerHeaders()) {
            String pair = field.getValue().replaceFirst(";.*", "").strip();
            int equals = pair.indexOf('=');
            if (field.getKey().equalsIgnoreCase("Set-Cookie") && equals > 0) {
                cookies.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
        return cookies;
    }

    /**
     * Makes one.
     *
     * @param requests in the order in which they were made, at least one
     * @param leftOut how many requests there were besides
     * @param head what it is made from
     */
    static Draft of(List<RecordedRequest> requests, int leftOut, String head) {
        JourneyDraft journey = new JourneyDraft(requests);
        journey.notes.add(head + ": one client repeats it in a loop. Captures take values from a response for a later");
        journey.notes.add(
                "request; check whether each value belongs to the user or to the page. Pauses are as recorded.");
        String about = String.format(
                Locale.ROOT, "a journey of %,d request%s", requests.size(), requests.size() == 1 ? "" : "s");
        Map<String, Object> tree = journey.tree();
        return new Draft(about + (leftOut == 0 ? "" : "; " + leftOut + " omitted"), journey.notes, tree);
    }

    private Map<String, Object> tree() {
        String origin = requests.get(0).origin();
        for (int i = 0; i < requests.size(); i++) {
            steps.add(step(i, origin));
        }
        Map<String, Object> with = new LinkedHashMap<>();
        if (jar) {
            with.put("cookies", "per-iteration");
        }
        if (requests.stream().anyMatch(RecordedRequest::insecure)) {
            with.put("insecure", true);
        }
        Map<String, Object> client = new LinkedHashMap<>();
        client.put("plugin", "http");
        if (!with.isEmpty()) {
            client.put("with", with);
        }
        client.put("journeys", Map.of(NAME, Map.of("steps", steps)));
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("target", origin);
        Map<String, Object> load = new LinkedHashMap<>();
        load.put("clients", 1L);
        load.put("run-for", "30s");
        tree.put("load", load);
        tree.put("client", client);
        tree.put("thresholds", List.of("journeys." + NAME + ".failed < 1%"));
        return tree;
    }

    private Map<String, Object> step(int number, String origin) {
        RecordedRequest request = requests.get(number);
        Map<String, Object> step = new LinkedHashMap<>();
        current = name(request);
        step.put("name", current);
        if (!request.origin().equals(origin)) {
            step.put("target", request.origin());
        }
        Map<String, Object> with = new LinkedHashMap<>();
        if (!request.method().equals("GET")) {
            with.put("method", request.method());
        }
        with.put("path", path(number, request));
        Map<String, Object> headers = headers(number, request);
        if (!headers.isEmpty()) {
            with.put("headers", headers);
        }
        if (!request.body().isEmpty()) {
            String body = body(number, request);
            // What begins with @ would be a file.
            with.put("body", body.startsWith("@") ? "@" + body : body);
        }
        if (request.status() >= 400) {
            with.put("expect", List.of((long) request.status()));
        }
        step.put("with", with);
        if (request.status() > 0 && request.status() != 304) {
            step.put("check", new LinkedHashMap<>(Map.of("status", (long) request.status())));
        }
        long pause = number + 1 < requests.size() && request.toMillis() > 0
                ? requests.get(number + 1).fromMillis() - request.toMillis()
                : 0;
        if (pause >= MIN_PAUSE_MILLIS) {
            step.put("think", pause + "ms");
        }
        return step;
    }

    /** Names a step by its method and the last part of its path that says something. */
    private String name(RecordedRequest request) {
        String path = Url.decoded(request.url().path());
        String word = "";
        for (String part : path.split("/")) {
            String plain = part.replaceAll("\\.[A-Za-z0-9]{1,5}$", "").replaceAll("[^A-Za-z0-9_-]+", "-");
            if (plain.matches("[A-Za-z][A-Za-z_-]{1,}.*") && !plain.matches(".*[0-9a-f]{8}.*")) {
                word = plain.toLowerCase(Locale.ROOT);
            }
        }
        String base = (request.method().equals("GET") ? "" : request.method().toLowerCase(Locale.ROOT) + "-")
                + (word.isEmpty() ? "home" : word);
        String cut = base.substring(0, Math.min(LONGEST_NAME, base.length())).replaceAll("-+$", "");
        String name = cut;
        for (int i = 2; !names.add(name); i++) {
            name = cut + "-" + i;
        }
        return name;
    }

    // ---- what is sent ----

    private String path(int number, RecordedRequest request) {
        StringBuilder made = new StringBuilder();
        for (String part : request.url().path().split("(?<=/)|(?=/)")) {
            boolean mayVary = part.length() >= SHORTEST_VALUE && part.matches(".*[0-9].*");
            made.append(mayVary ? sent(number, "part", part, part, false) : escaped(part));
        }
        String query = request.url().query();
        return query == null
                ? made.toString()
                : made.append('?').append(pairs(number, query)).toString();
    }

    /** Fills in a query or a form. */
    private String pairs(int number, String text) {
        List<String> made = new ArrayList<>();
        for (String pair : text.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 0) {
                made.add(escaped(pair));
                continue;
            }
            String name = decoded(pair.substring(0, equals));
            String raw = pair.substring(equals + 1);
            made.add(escaped(pair.substring(0, equals)) + "=" + sent(number, name, decoded(raw), raw, true));
        }
        return String.join("&", made);
    }

    /** Fills in all of them: a step's headers stand in place of its client's. */
    private Map<String, Object> headers(int number, RecordedRequest request) {
        Map<String, Object> headers = new LinkedHashMap<>();
        request.headers().forEach((name, value) -> {
            boolean isBrowsers = name.equalsIgnoreCase("Referer") || name.equalsIgnoreCase("Origin");
            if (!(isBrowsers && request.method().equals("GET"))) {
                Matcher scheme =
                        Pattern.compile("(?i)(bearer |token |basic )(.+)").matcher(value);
                headers.put(
                        name,
                        scheme.matches()
                                ? scheme.group(1) + sent(number, "token", scheme.group(2), scheme.group(2), false)
                                : NOT_CAPTURED.contains(name.toLowerCase(Locale.ROOT))
                                        ? escaped(value)
                                        : sent(number, name, value, value, false));
            }
        });
        List<String> pairs = new ArrayList<>();
        request.cookies().forEach((name, value) -> {
            if (!jar || !wasSet(number, name)) {
                pairs.add(name + "=" + cookie(number, name, value));
            }
        });
        if (!pairs.isEmpty()) {
            headers.put("Cookie", String.join("; ", pairs));
        }
        return headers;
    }

    private String body(int number, RecordedRequest request) {
        String type = request.header("Content-Type").toLowerCase(Locale.ROOT);
        if (type.contains("x-www-form-urlencoded")) {
            return pairs(number, request.body());
        }
        if (type.contains("json")) {
            String body = escaped(request.body());
            Matcher field = Pattern.compile(
                            "\"([A-Za-z0-9_-]{1,60})\"\\s*:\\s*\"([^\"\\\\]{" + SHORTEST_VALUE + ",2000})\"")
                    .matcher(request.body());
            while (field.find()) {
                String value = field.group(2);
                String filled = sent(number, field.group(1), value, value, false);
                if (!filled.equals(escaped(value))) {
                    body = body.replace("\"" + escaped(value) + "\"", "\"" + filled + "\"");
                }
            }
            return body;
        }
        return escaped(request.body());
    }

    /**
     * Returns what stands for a value that is sent: a captured one where an answer before had it.
     *
     * @param value as it is
     * @param raw as it was sent
     * @param form whether it was sent as in a form
     */
    private String sent(int number, String name, String value, String raw, boolean form) {
        if (PASSWORD.matcher(name).matches()) {
            notes.add("The recorded password appears in the step " + current
                    + ": replace it with ${secret:env:NAME} or a data file's column.");
            return escaped(raw);
        }
        if (form && !raw.equals(value)) {
            // What is captured is filled in as it is, and this would have to be encoded.
            return escaped(raw);
        }
        String known = variables.get(value);
        String variable = known != null ? known : capture(number, name, value);
        return variable == null ? escaped(raw) : "${" + variable + "}";
    }

    // ---- where it comes from ----

    /** Returns whether an answer before a request set a cookie; the browser had the others before the recording. */
    private boolean wasSet(int number, String name) {
        return requests.subList(0, number).stream()
                .anyMatch(each -> setCookies(each).containsKey(name));
    }

    private String cookie(int number, String name, String value) {
        for (int i = number - 1; i >= 0; i--) {
            for (Map.Entry<String, String> field : requests.get(i).answerHeaders()) {
                if (field.getKey().equalsIgnoreCase("Set-Cookie")
                        && field.getValue().replaceFirst(";.*", "").strip().equals(name + "=" + value)) {
                    return "${" + captured(i, variables.get("cookie " + name), name, "cookie:" + name, "cookie " + name)
                            + "}";
                }
            }
        }
        return escaped(value);
    }

    /** Finds the last answer before a request that has a value; returns the name under which it is captured. */
    private @Nullable String capture(int number, String name, String value) {
        if (value.length() < SHORTEST_VALUE || value.matches("[A-Za-z]+|[a-z]+/[a-z.+*;=0-9-]+")) {
            return null;
        }
        for (int i = number - 1; i >= 0; i--) {
            String from = from(requests.get(i), value);
            if (from != null) {
                return captured(i, null, name, from, value);
            }
        }
        return null;
    }

    private String captured(int of, @Nullable String known, String name, String from, String key) {
        String variable = known == null ? fresh(name) : known;
        variables.put(key, variable);
        Map<String, Object> step = steps.get(of);
        Map<String, Object> capture = new LinkedHashMap<>();
        if (step.get("capture") instanceof Map<?, ?> given) {
            given.forEach((each, source) -> capture.put(String.valueOf(each), source));
        }
        capture.put(variable, from);
        step.put("capture", capture);
        return variable;
    }

    private String fresh(String name) {
        String plain = name.replaceAll("[^A-Za-z0-9_]+", "_").replaceAll("^[^A-Za-z]+|_+$", "");
        String base = plain.isEmpty() ? "value" : plain.substring(0, Math.min(30, plain.length()));
        Set<String> taken = new LinkedHashSet<>(variables.values());
        Collections.addAll(
                taken,
                "client",
                "call",
                "target",
                "uuid",
                "all",
                "name",
                "labels",
                "seed",
                "load",
                "data",
                "service",
                "measure",
                "report",
                "clock",
                "testbed",
                "controller",
                "thresholds");
        String variable = base;
        for (int i = 2; taken.contains(variable); i++) {
            variable = base + "_" + i;
        }
        return variable;
    }

    /** Says where in an answer a value is; {@code null}: it is not there. */
    private static @Nullable String from(RecordedRequest request, String value) {
        for (Map.Entry<String, String> field : request.answerHeaders()) {
            if (field.getValue().equals(value) && !field.getKey().equalsIgnoreCase("Set-Cookie")) {
                return "header:" + field.getKey();
            }
        }
        for (Map.Entry<String, String> cookie : setCookies(request).entrySet()) {
            if (cookie.getValue().equals(value)) {
                // Such as a token that goes back in a header too.
                return "cookie:" + cookie.getKey();
            }
        }
        String answer = request.answer();
        if (request.type().contains("json")) {
            try {
                String pointer = pointer(JsonMapper.shared().readTree(answer), value, "");
                return pointer == null ? null : "json:" + pointer;
            } catch (JacksonException notJson) {
                return null;
            }
        }
        int at = answer.indexOf(value);
        return at < 0 || !request.type().matches("text/.*|application/.*xml.*")
                ? null
                : "regex:" + around(answer, at, value);
    }

    private static @Nullable String pointer(JsonNode node, String value, String path) {
        if (node.isValueNode()) {
            return !node.isNull() && node.asString("").equals(value) ? path : null;
        }
        if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                String found = pointer(node.get(i), value, path + "/" + i);
                if (found != null) {
                    return found;
                }
            }
            return null;
        }
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            String found = pointer(
                    field.getValue(),
                    value,
                    path + "/" + field.getKey().replace("~", "~0").replace("/", "~1"));
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** Makes a regular expression of what stands around a value: in HTML of its element, which names it as a rule. */
    private static String around(String answer, int at, String value) {
        int tag = answer.lastIndexOf('<', at);
        int end = answer.indexOf('>', at);
        boolean inTag = tag >= 0 && end > at && answer.lastIndexOf('>', at) < tag && at - tag < 500;
        int from = inTag ? tag : Math.max(0, at - AROUND);
        int to = inTag && end - at - value.length() < 200 ? end : Math.min(answer.length(), at + value.length() + 1);
        String before = answer.substring(from, at);
        String behind = answer.substring(at + value.length(), to);
        char stop = behind.isEmpty() ? '"' : behind.charAt(0);
        String any = "\"'<>&".indexOf(stop) >= 0 ? "[^" + stop + "]+" : "[A-Za-z0-9_.~+/=-]+";
        return spaced(before) + "(" + any + ")" + (inTag ? spaced(behind) : "");
    }

    private static String spaced(String text) {
        StringBuilder made = new StringBuilder();
        for (String piece : text.split("(?<=\\s)(?=\\S)|(?<=\\S)(?=\\s)")) {
            made.append(
                    piece.isBlank() && !piece.isEmpty()
                            ? "\\s+"
                            : piece.replaceAll("([\\\\\\[\\](){}.*+?^$|])", "\\\\$1"));
        }
        return made.toString();
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            return text;
        }
    }

    /** Has a text mean itself. */
    private static String escaped(String text) {
        return text.replace("${", "$${");
    }
}
