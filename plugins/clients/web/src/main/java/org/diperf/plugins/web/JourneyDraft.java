package org.diperf.plugins.web;

import java.net.URLEncoder;
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
import java.util.stream.Collectors;
import org.diperf.core.spi.StarterPlugin.Draft;
import org.diperf.core.spi.Url;
import org.diperf.plugins.web.Imported.LeftOut;
import org.diperf.plugins.web.RecordedBody.Part;
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

    /** A longer pause is between two recordings. */
    private static final long MAX_PAUSE_MILLIS = 3_600_000;

    private static final long MILLIS_PER_MINUTE = 60_000;
    private static final int MAX_NOTES = 40;
    private static final int MAX_REASONS = 5;
    private static final int LONGEST_NAME = 36;
    /** So much of an answer before and behind a value says where it is. */
    private static final int AROUND = 24;

    /** Methods that http sends a form with. */
    private static final Set<String> FORM_METHODS = Set.of("POST", "PUT", "PATCH");

    private static final Pattern OPERATION = Pattern.compile("\"operationName\"\\s*:\\s*\"(\\w{1,60})\"");
    private static final Pattern CHARACTER = Pattern.compile("&(?:#[xX](2[bBfF]|3[dD]);|#(43|47|61);|amp;)");
    private static final Pattern PASSWORD = Pattern.compile("(?i).*(password|passwd|pwd|passphrase).*");

    /** Fields whose values are the browser's own. */
    private static final Set<String> NOT_CAPTURED =
            Set.of("accept", "accept-language", "content-type", "user-agent", "referer", "origin", "x-requested-with");

    private final List<RecordedRequest> requests;
    private final List<Map<String, Object>> steps = new ArrayList<>();
    private final Map<String, String> variables = new LinkedHashMap<>();
    private final Set<String> names = new HashSet<>();
    /** One line each, in their order. */
    private final Set<String> notes = new LinkedHashSet<>();

    private String current = "";

    /** Whether the client keeps cookies itself: with several hosts its steps would have several jars. */
    private final boolean jar;

    private JourneyDraft(Imported imported) {
        this.requests = imported.requests();
        this.jar = requests.stream().map(RecordedRequest::origin).distinct().count() == 1
                && requests.stream().anyMatch(each -> !setCookies(each).isEmpty());
    }

    /** Returns the cookies that an answer set, by their names. */
    private static Map<String, String> setCookies(RecordedRequest request) {
        Map<String, String> cookies = new LinkedHashMap<>();
        for (Map.Entry<String, String> field : request.answer().headers()) {
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
     * @param head what it is made from
     * @throws IllegalArgumentException when nothing is left to make one of
     */
    static Draft of(Imported imported, String head) {
        int kept = imported.requests().size();
        int all = kept + imported.leftOut().size();
        Map<String, Long> reasons = imported.leftOut().stream()
                .collect(Collectors.groupingBy(LeftOut::reason, LinkedHashMap::new, Collectors.counting()));
        String leftOut = reasons.entrySet().stream()
                        .limit(MAX_REASONS)
                        .map(each -> each.getValue() + " (" + each.getKey() + ")")
                        .collect(Collectors.joining(", "))
                + (reasons.size() > MAX_REASONS ? ", and others" : "");
        if (kept == 0) {
            throw new IllegalArgumentException(
                    "expected requests of HTTP, got none of " + all + (all == 0 ? "" : ": left out " + leftOut));
        }
        JourneyDraft journey = new JourneyDraft(imported);
        Map<String, Object> tree = journey.tree();
        List<String> comments = new ArrayList<>();
        comments.add(head + ": one client repeats it in a loop. Captures take values from a response for a later");
        comments.add("request; check whether each value belongs to the user or to the page. Pauses are as recorded.");
        imported.leftOut().stream()
                .filter(each -> !each.what().isEmpty())
                .map(each -> "Left out: " + each.what() + " (" + each.reason() + ")")
                .forEach(journey.notes::add);
        journey.notes.addAll(imported.notes());
        journey.notes.stream().limit(MAX_NOTES).forEach(comments::add);
        if (journey.notes.size() > MAX_NOTES) {
            comments.add("And " + (journey.notes.size() - MAX_NOTES) + " more notes like these.");
        }
        String about = String.format(
                Locale.ROOT, "a journey of %s%,d request%s", kept < all ? kept + " of " : "", all, all == 1 ? "" : "s");
        int notes = journey.notes.size();
        String read =
                notes == 0 ? "" : notes == 1 ? "; a note is at its head" : "; " + notes + " notes are at its head";
        comments.replaceAll(JourneyDraft::oneLine);
        return new Draft(oneLine(about + (leftOut.isEmpty() ? "" : "; left out: " + leftOut) + read), comments, tree);
    }

    private Map<String, Object> tree() {
        String origin = requests.get(0).origin();
        Map<String, Object> with = new LinkedHashMap<>();
        if (jar) {
            with.put("cookies", "per-iteration");
        }
        requests.get(0).with().entrySet().stream()
                .filter(each ->
                        requests.stream().allMatch(one -> one.with().entrySet().contains(each)))
                .forEach(each -> with.put(each.getKey(), each.getValue()));
        for (int i = 0; i < requests.size(); i++) {
            steps.add(step(i, origin, with));
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

    /** @param common parameters of all steps */
    private Map<String, Object> step(int number, String origin, Map<String, Object> common) {
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
        with.put("path", path(number, request.url()));
        Map<String, Object> headers = headers(number, request);
        Map<String, Object> carried = body(number, request, headers);
        if (!headers.isEmpty()) {
            with.put("headers", headers);
        }
        with.putAll(carried);
        int status = request.answer().status();
        if (status >= 400) {
            with.put("expect", List.of((long) status));
        }
        request.with().forEach((name, value) -> {
            if (!common.containsKey(name)) {
                with.put(name, value);
            }
        });
        step.put("with", with);
        if (status > 0 && status != 304) {
            step.put("check", new LinkedHashMap<>(Map.of("status", (long) status)));
        }
        long pause = pause(number);
        if (pause > MAX_PAUSE_MILLIS) {
            notes.add("The pause after " + current + ", " + pause / MILLIS_PER_MINUTE
                    + " minutes in the recording, is left out.");
        } else if (pause >= MIN_PAUSE_MILLIS) {
            step.put("think", pause + "ms");
        }
        return step;
    }

    /** Returns how long nothing was asked after a request; 0 where its time or that of the next one is unknown. */
    private long pause(int number) {
        long next = number + 1 < requests.size() ? requests.get(number + 1).fromMillis() : 0;
        long end = requests.get(number).toMillis();
        return next == 0 || end == 0 ? 0 : next - end;
    }

    /** Names a step as its source does, by the operation of GraphQL, or by its method and the last parts of its path that say something. */
    private String name(RecordedRequest request) {
        Matcher operation = OPERATION.matcher(request.body() instanceof RecordedBody.Plain plain ? plain.text() : "");
        String method = request.method().equals("GET") ? "" : request.method().toLowerCase(Locale.ROOT) + "-";
        List<String> words = new ArrayList<>();
        String path = Url.decoded(request.url().path());
        for (String part : path.split("/")) {
            String plain = plain(part.replaceAll("\\.[A-Za-z0-9]{1,5}$", ""));
            if (plain.matches("[A-Za-z][A-Za-z_-]+.*") && !plain.matches(".*[0-9a-f]{8}.*")) {
                words.add(plain.toLowerCase(Locale.ROOT));
            }
        }
        int last = words.size() - 1;
        String whole = plain(path);
        List<String> bases = !request.name().isEmpty()
                ? List.of(plain(request.name()))
                : operation.find()
                        ? List.of(method + operation.group(1))
                        : last >= 1
                                ? List.of(
                                        method + words.get(last), method + words.get(last - 1) + "-" + words.get(last))
                                : List.of(method + (last == 0 ? words.get(0) : whole.isEmpty() ? "home" : whole));
        for (String base : bases) {
            if (names.add(cut(base))) {
                return cut(base);
            }
        }
        String cut = cut(bases.get(0));
        String name = cut;
        for (int i = 2; !names.add(name); i++) {
            name = cut + "-" + i;
        }
        return name;
    }

    private static String plain(String text) {
        return text.replaceAll("[^A-Za-z0-9_-]+", "-").replaceAll("^[-_]+|-+$", "");
    }

    private static String cut(String name) {
        return name.substring(0, Math.min(LONGEST_NAME, name.length())).replaceAll("-+$", "");
    }

    // ---- what is sent ----

    private String path(int number, Url url) {
        StringBuilder made = new StringBuilder();
        for (String part : url.path().split("(?<=/)|(?=/)")) {
            boolean mayVary = part.length() >= SHORTEST_VALUE && part.matches(".*[0-9].*");
            made.append(mayVary ? sent(number, "part", Url.decoded(part), part) : escaped(part));
        }
        String query = url.query();
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
            made.add(escaped(pair.substring(0, equals)) + "=" + sent(number, name, decoded(raw), raw));
        }
        return String.join("&", made);
    }

    /** Fills in all of them: a step's headers stand in place of its client's. */
    private Map<String, Object> headers(int number, RecordedRequest request) {
        Map<String, Object> headers = new LinkedHashMap<>();
        request.headers().forEach((name, value) -> {
            Matcher scheme = Pattern.compile("(?i)(bearer |token |basic )(.+)").matcher(value);
            headers.put(
                    name,
                    scheme.matches()
                            ? scheme.group(1) + sent(number, "token", scheme.group(2), scheme.group(2))
                            : NOT_CAPTURED.contains(name.toLowerCase(Locale.ROOT))
                                    ? escaped(value)
                                    : sent(number, name, value, value));
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

    /** Says what a request carries, in the terms of http; takes the field of its type from its header where http makes that. */
    private Map<String, Object> body(int number, RecordedRequest request, Map<String, Object> headers) {
        String type = RecordedRequest.field(request.headers(), "Content-Type").toLowerCase(Locale.ROOT);
        if (request.body() instanceof RecordedBody.Stored stored) {
            return Map.of("body", "@" + stored.path());
        }
        if (request.body() instanceof RecordedBody.Parts parts) {
            return upload(number, parts, FORM_METHODS.contains(request.method()), headers);
        }
        String text = ((RecordedBody.Plain) request.body()).text();
        if (text.isEmpty()) {
            return Map.of();
        }
        if (type.contains("x-www-form-urlencoded")) {
            Map<String, Object> form = form(number, text);
            if (form.isEmpty() || !FORM_METHODS.contains(request.method())) {
                return Map.of("body", literal(pairs(number, text)));
            }
            if (type.equals(RecordedBody.FORM)) {
                headers.keySet().removeIf("Content-Type"::equalsIgnoreCase);
            }
            return Map.of("form", form);
        }
        return Map.of("body", literal(type.contains("json") ? json(number, text) : escaped(text)));
    }

    private String json(int number, String text) {
        String body = escaped(text);
        Matcher field = Pattern.compile(
                        "\"([A-Za-z0-9_-]{1,60})\"\\s*:\\s*\"([^\"\\\\]{" + SHORTEST_VALUE + ",2000})\"")
                .matcher(text);
        while (field.find()) {
            String value = field.group(2);
            String filled = sent(number, field.group(1), value, value);
            if (!filled.equals(escaped(value))) {
                body = body.replace("\"" + escaped(value) + "\"", "\"" + filled + "\"");
            }
        }
        return body;
    }

    /** Returns the fields of a form; empty where http would write it in other bytes. */
    private Map<String, Object> form(int number, String text) {
        Map<String, Object> form = new LinkedHashMap<>();
        for (String pair : text.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = decoded(pair.substring(0, Math.max(0, equals)));
            String value = decoded(pair.substring(equals + 1));
            if (!pair.equals(encoded(name) + "=" + encoded(value)) || form.put(name, value) != null) {
                return Map.of();
            }
        }
        form.replaceAll((name, value) -> sent(number, name, String.valueOf(value), String.valueOf(value)));
        return form;
    }

    private Map<String, Object> upload(
            int number, RecordedBody.Parts parts, boolean usual, Map<String, Object> headers) {
        boolean plain = usual && parts.isPlain();
        for (Part part : parts.parts()) {
            if (!part.file().isEmpty() && part.content().isEmpty()) {
                notes.add("The file " + part.file() + " of the step " + current
                        + (plain
                                ? " is read where testers run: put it there, or write its path."
                                : " is not known, and empty in the body: complete it."));
            }
        }
        if (plain) {
            headers.keySet().removeIf("Content-Type"::equalsIgnoreCase);
            Map<String, Object> multipart = new LinkedHashMap<>();
            parts.parts()
                    .forEach(part -> multipart.put(
                            part.name(),
                            part.file().isEmpty()
                                    ? literal(sent(number, part.name(), part.content(), part.content()))
                                    : "@" + part.file() + (part.type().isEmpty() ? "" : ";type=" + part.type())));
            return Map.of("multipart", multipart);
        }
        String type = headers.entrySet().stream()
                .filter(field -> field.getKey().equalsIgnoreCase("Content-Type"))
                .map(field -> String.valueOf(field.getValue()))
                .findFirst()
                .orElse("");
        String given = RecordedBody.boundary(type);
        String boundary = given.isEmpty() ? "----diperf-part" : given;
        if (given.isEmpty()) {
            headers.keySet().removeIf("Content-Type"::equalsIgnoreCase);
            headers.put("Content-Type", RecordedBody.UPLOAD + "; boundary=" + boundary);
        }
        StringBuilder body = new StringBuilder();
        for (Part part : parts.parts()) {
            body.append("--").append(boundary).append("\r\nContent-Disposition: form-data; name=\"");
            body.append(escaped(part.name())).append('"');
            body.append(part.file().isEmpty() ? "" : "; filename=\"" + escaped(part.file()) + "\"");
            body.append(part.type().isEmpty() ? "" : "\r\nContent-Type: " + escaped(part.type()));
            body.append("\r\n\r\n");
            body.append(
                    part.file().isEmpty()
                            ? sent(number, part.name(), part.content(), part.content())
                            : escaped(part.content()));
            body.append("\r\n");
        }
        return Map.of("body", body + "--" + boundary + "--\r\n");
    }

    /** Has a text be a text: what begins with @ would be a file. */
    private static String literal(String text) {
        return text.startsWith("@") ? "@" + text : text;
    }

    /**
     * Returns what stands for a value that is sent: a captured one where an answer before had it.
     *
     * @param value as it is
     * @param raw as it was sent
     */
    private String sent(int number, String name, String value, String raw) {
        if (PASSWORD.matcher(name).matches()) {
            notes.add("The recorded password appears in the step " + current
                    + ": replace it with ${secret:env:NAME} or a data file's column.");
            return escaped(raw);
        }
        String known = variables.get(raw);
        String variable = known != null ? known : capture(number, name, raw);
        if (variable == null) {
            noteOtherForms(number, name, value, raw);
        }
        return variable == null ? escaped(raw) : "${" + variable + "}";
    }

    /** Says of a value that it stays as it was recorded, since an answer has it in another form. */
    private void noteOtherForms(int number, String name, String value, String raw) {
        for (int i = number - 1; i >= 0 && mayBeCaptured(value); i--) {
            boolean there = !value.equals(raw) && from(requests.get(i), value) != null
                    || unescaped(requests.get(i).answer().body()).contains(value)
                    || setCookies(requests.get(i)).values().stream()
                            .anyMatch(each -> decoded(each).equals(value));
            if (there) {
                notes.add("The value of '" + name + "' in the step " + current + " is in the response to "
                        + steps.get(i).get("name") + ", but escaped in one of them: it stays as recorded.");
                return;
            }
        }
    }

    // ---- where it comes from ----

    /** Returns whether an answer before a request set a cookie; the browser had the others before the recording. */
    private boolean wasSet(int number, String name) {
        return requests.subList(0, number).stream()
                .anyMatch(each -> setCookies(each).containsKey(name));
    }

    private String cookie(int number, String name, String value) {
        for (int i = number - 1; i >= 0; i--) {
            for (Map.Entry<String, String> field : requests.get(i).answer().headers()) {
                if (field.getKey().equalsIgnoreCase("Set-Cookie")
                        && field.getValue().replaceFirst(";.*", "").strip().equals(name + "=" + value)) {
                    return "${" + captured(i, variables.get("cookie " + name), name, "cookie:" + name, "cookie " + name)
                            + "}";
                }
            }
        }
        return escaped(value);
    }

    private static boolean mayBeCaptured(String value) {
        return value.length() >= SHORTEST_VALUE && !value.matches("[A-Za-z]+|[a-z]+/[a-z.+*;=0-9-]+");
    }

    /** Finds the last answer before a request that has a value; returns the name under which it is captured. */
    private @Nullable String capture(int number, String name, String value) {
        if (!mayBeCaptured(value)) {
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
        for (Map.Entry<String, String> field : request.answer().headers()) {
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
        String answer = request.answer().body();
        if (request.answer().type().contains("json")) {
            try {
                String pointer = pointer(JsonMapper.shared().readTree(answer), value, "");
                return pointer == null ? null : "json:" + pointer;
            } catch (JacksonException notJson) {
                return null;
            }
        }
        int at = answer.indexOf(value);
        return at < 0 || !request.answer().type().matches("text/.*|application/.*xml.*")
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

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Resolves the references to characters that HTML has for those of base64, and for the ampersand; empty: there are none. */
    private static String unescaped(String html) {
        Matcher reference = CHARACTER.matcher(html);
        return !reference.find()
                ? ""
                : reference.replaceAll(each -> each.group(1) != null
                        ? String.valueOf((char) Integer.parseInt(each.group(1), 16))
                        : each.group(2) != null ? String.valueOf((char) Integer.parseInt(each.group(2))) : "&");
    }

    /** Returns a value of a form as it is. */
    private static String decoded(String text) {
        return Url.decoded(text.replace("+", "%20"));
    }

    /** Has a text be a line of a comment, and harmless on a terminal: file names and the like come from elsewhere. */
    private static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}", " ");
    }

    /** Has a text mean itself. */
    private static String escaped(String text) {
        return text.replace("${", "$${");
    }
}
