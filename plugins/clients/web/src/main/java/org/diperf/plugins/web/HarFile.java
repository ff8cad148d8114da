package org.diperf.plugins.web;

import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.diperf.core.spi.Url;
import org.diperf.core.spi.Utf8InputStream;
import org.diperf.plugins.web.Imported.LeftOut;
import org.diperf.plugins.web.RecordedBody.Part;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads HTTP archives (HAR 1.2), as browsers save what was asked in their developer tools. Used once. */
final class HarFile {

    /** Larger ones hold downloads; nobody reads a journey of them. */
    private static final int MAX_BYTES = 256 << 20;

    private static final int MAX_SHOWN = 100;

    /** What the client makes by itself, or what speaks of the browser's own cache and connection. */
    private static final Set<String> NOT_KEPT = Set.of(
            "host",
            "connection",
            "content-length",
            "accept-encoding",
            "cookie",
            "upgrade-insecure-requests",
            "if-none-match",
            "if-modified-since",
            "cache-control",
            "pragma",
            "priority",
            "dnt",
            "te",
            "keep-alive",
            "proxy-connection");

    private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    /** A value of a form as it stands in a body, escaped. */
    private static final Pattern ENCODED = Pattern.compile("(?=.*%)([\\w.*+-]|%[0-9A-Fa-f]{2})*");

    private static final Pattern IN_DISPOSITION = Pattern.compile("(?i)[;\\s](name|filename)=\"([^\"]*)\"");

    private final List<RecordedRequest> requests = new ArrayList<>();
    private final List<LeftOut> leftOut = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    private HarFile() {}

    /**
     * Reads one.
     *
     * @return in the order in which they were sent, or else that of the file
     * @throws IllegalArgumentException when it is none
     */
    static Imported read(Path file) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        }
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "expected a recording of at most 256 MiB, got a larger one; record fewer pages");
        }
        JsonNode entries;
        try {
            Utf8InputStream.check(bytes);
            entries = JsonMapper.shared().readTree(bytes).at("/log/entries");
        } catch (Utf8InputStream.NotUtf8 e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "expected a recording (HAR 1.2), got invalid JSON: " + e.getOriginalMessage());
        }
        if (!entries.isArray() || entries.isEmpty()) {
            throw new IllegalArgumentException(
                    "expected a recording (HAR 1.2) with /log/entries, got no entries; save it as HAR with content");
        }
        return new HarFile().imported(entries);
    }

    private Imported imported(JsonNode entries) {
        for (int i = 0; i < entries.size(); i++) {
            JsonNode asked = entries.get(i).at("/request");
            try {
                refuseUnanswerable(asked, entries.get(i).at("/response"));
                requests.add(request(entries.get(i), i));
            } catch (IllegalArgumentException e) {
                leftOut.add(new LeftOut(shown(asked), String.valueOf(e.getMessage())));
            }
        }
        long timeless = requests.stream().filter(each -> each.fromMillis() == 0).count();
        if (timeless == 0) {
            requests.sort(Comparator.comparingLong(RecordedRequest::fromMillis));
        } else {
            notes.add((timeless == requests.size()
                            ? "No request has a"
                            : timeless + " of " + requests.size() + " requests have no")
                    + " readable startedDateTime: they keep the order of the file, without pauses there.");
        }
        return new Imported(requests, leftOut, notes);
    }

    /** @throws IllegalArgumentException for what was sent for no answer of HTTP, with the reason */
    private static void refuseUnanswerable(JsonNode asked, JsonNode answer) {
        String error = answer.at("/_error").asString("");
        int status = answer.at("/status").asInt(0);
        if (asked.at("/method").asString("").equalsIgnoreCase("CONNECT")) {
            throw new IllegalArgumentException("CONNECT, made by the client itself");
        }
        if (status == 101) {
            throw new IllegalArgumentException("101, no HTTP from there on");
        }
        if (status == 0 && !error.isEmpty()) {
            throw new IllegalArgumentException("not answered: " + cut(error));
        }
    }

    private static String cut(String text) {
        return text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "…" : text;
    }

    private static String shown(JsonNode asked) {
        return cut(asked.at("/method").asString("GET") + " "
                + asked.at("/url").asString("").strip());
    }

    private RecordedRequest request(JsonNode entry, int number) {
        JsonNode asked = entry.at("/request");
        Url url = url(asked);
        Map<String, String> headers = new LinkedHashMap<>();
        Map<String, String> cookies = new LinkedHashMap<>();
        Map<String, Object> with = new LinkedHashMap<>();
        for (JsonNode field : asked.at("/headers")) {
            String name = field.at("/name").asString("");
            String value = field.at("/value").asString("").replaceAll("[\\r\\n]+", ", ");
            String lower = name.toLowerCase(Locale.ROOT);
            if (lower.equals("cookie")) {
                for (String pair : value.split("; *")) {
                    int equals = pair.indexOf('=');
                    if (equals > 0) {
                        cookies.put(pair.substring(0, equals).strip(), pair.substring(equals + 1));
                    }
                }
            } else if (lower.equals("accept-encoding") && value.contains("gzip")) {
                with.put("compressed", true);
            } else if (!NOT_KEPT.contains(lower) && !lower.startsWith("sec-") && !lower.startsWith(":")) {
                if (HEADER_NAME.matcher(name).matches()) {
                    RecordedRequest.add(headers, name, value);
                } else {
                    notes.add(
                            "Left out of " + shown(asked) + ": the header '" + name + "', which no request can have.");
                }
            }
        }
        RecordedRequest.authorize(url, headers);
        for (JsonNode cookie : asked.at("/cookies")) {
            cookies.putIfAbsent(
                    cookie.at("/name").asString(""), cookie.at("/value").asString(""));
        }
        RecordedBody body = body(asked, number, headers);
        JsonNode answer = entry.at("/response");
        List<Map.Entry<String, String>> answered = new ArrayList<>();
        for (JsonNode field : answer.at("/headers")) {
            for (String value : field.at("/value").asString("").split("\n")) {
                answered.add(Map.entry(field.at("/name").asString(""), value));
            }
        }
        long from = millis(entry.at("/startedDateTime"));
        return new RecordedRequest(
                "",
                asked.at("/method").asString("GET").toUpperCase(Locale.ROOT),
                url,
                headers,
                cookies,
                body,
                from,
                from == 0 ? 0 : from + Math.max(0, Math.round(entry.at("/time").asDouble(0))),
                new RecordedRequest.Answer(
                        answer.at("/status").asInt(0),
                        answer.at("/content/mimeType")
                                .asString("")
                                .replaceFirst(";.*", "")
                                .strip(),
                        answered,
                        content(answer.at("/content"))),
                with);
    }

    /** Reads the URL; some programs write its query in a list alone. */
    private static Url url(JsonNode asked) {
        String text = asked.at("/url").asString("");
        String query = pairs(asked.at("/queryString"));
        return RecordedRequest.url(
                text.contains("?") || query.isEmpty() ? text : text.replaceFirst("#.*", "") + "?" + query);
    }

    // ---- the body ----

    private RecordedBody body(JsonNode asked, int number, Map<String, String> headers) {
        JsonNode data = asked.at("/postData");
        String text = data.at("/text").asString("");
        JsonNode params = data.at("/params");
        if (text.isEmpty() && params.isEmpty()) {
            long size = asked.at("/bodySize").asLong(0);
            if (size > 0) {
                notes.add("The body of " + shown(asked) + ", " + size
                        + " bytes, is not in the recording: add it to its step.");
            }
            return RecordedBody.NONE;
        }
        String mimeType = data.at("/mimeType").asString("").strip();
        if (RecordedRequest.field(headers, "Content-Type").isEmpty() && !mimeType.isEmpty()) {
            headers.put("Content-Type", mimeType);
        }
        if ((data.at("/encoding").asString("") + data.at("/_encoding").asString("")).equals("base64")) {
            try {
                text = StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(Base64.getMimeDecoder().decode(text)))
                        .toString();
            } catch (CharacterCodingException binary) {
                String file = "body-" + number + ".bin";
                notes.add("The binary body of " + shown(asked) + " goes into the file " + file
                        + ", where testers run: jq -r '.log.entries[" + number
                        + "].request.postData.text' RECORDING | base64 -d > " + file);
                return new RecordedBody.Stored(file);
            }
        }
        String type = mimeType.isEmpty() ? RecordedRequest.field(headers, "Content-Type") : mimeType;
        if (!type.toLowerCase(Locale.ROOT).startsWith(RecordedBody.UPLOAD)) {
            return new RecordedBody.Plain(text.isEmpty() ? pairs(params) : text);
        }
        List<Part> parts = parts(text, RecordedRequest.field(headers, "Content-Type"));
        if (parts.isEmpty()) {
            for (JsonNode part : params) {
                parts.add(part(
                        part.at("/name").asString(""),
                        part.at("/value").asString(""),
                        part.at("/fileName").asString(""),
                        part.at("/contentType").asString("")));
            }
        }
        return parts.isEmpty() ? new RecordedBody.Plain(text) : new RecordedBody.Parts(parts);
    }

    /** Makes a part. What a browser could not write as text is lost: its file is to be found again. */
    private static Part part(String name, String content, String file, String type) {
        return new Part(
                name,
                !file.isEmpty() && content.indexOf('\uFFFD') >= 0 ? "" : content,
                file,
                file.isEmpty() && type.startsWith("text/plain") ? "" : type);
    }

    /** Takes an upload apart; some browsers write fields of the header before it. */
    private static List<Part> parts(String text, String type) {
        String boundary = RecordedBody.boundary(type);
        List<Part> parts = new ArrayList<>();
        if (boundary.isEmpty()) {
            return parts;
        }
        String[] pieces = text.split("(?:^|\\r?\\n)--" + Pattern.quote(boundary), -1);
        for (int i = 1; i < pieces.length && !pieces[i].startsWith("--"); i++) {
            String[] halves = pieces[i].split("\\r?\\n\\r?\\n", 2);
            Map<String, String> named = new LinkedHashMap<>();
            Matcher disposition = IN_DISPOSITION.matcher(halves[0]);
            while (disposition.find()) {
                named.put(disposition.group(1).toLowerCase(Locale.ROOT), disposition.group(2));
            }
            Matcher typed = Pattern.compile("(?im)^content-type:\\s*(.+?)\\s*$").matcher(halves[0]);
            parts.add(part(
                    named.getOrDefault("name", ""),
                    halves.length < 2 ? "" : halves[1],
                    named.getOrDefault("filename", ""),
                    typed.find() ? typed.group(1) : ""));
        }
        return parts;
    }

    /** Writes fields as a form does; some programs list them escaped as they were sent. */
    private static String pairs(JsonNode fields) {
        return fields.valueStream()
                .filter(field -> !field.at("/name").asString("").isEmpty())
                .map(field -> encoded(field.at("/name").asString("")) + "="
                        + encoded(field.at("/value").asString("")))
                .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return ENCODED.matcher(text).matches() ? text : URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String content(JsonNode content) {
        String text = content.at("/text").asString("");
        if (content.at("/encoding").asString("").equals("base64")) {
            try {
                return new String(Base64.getMimeDecoder().decode(text), StandardCharsets.UTF_8);
            } catch (IllegalArgumentException notBase64) {
                return "";
            }
        }
        return text;
    }

    /** Reads a time: by ISO 8601 with or without an offset, or as seconds or milliseconds since 1970; 0: it is none. */
    private static long millis(JsonNode time) {
        if (time.isNumber()) {
            long value = time.asLong(0);
            return value < 100_000_000_000L ? value * 1000 : value;
        }
        String text = time.asString("")
                .strip()
                .replaceFirst("^(\\S{10}) ", "$1T")
                .replaceFirst("([+-]\\d\\d)(\\d\\d)$", "$1:$2");
        try {
            return OffsetDateTime.parse(text.matches(".*T.*(Z|[+-]\\d\\d(:\\d\\d)?)") ? text : text + "Z")
                    .toInstant()
                    .toEpochMilli();
        } catch (DateTimeParseException unknown) {
            return 0;
        }
    }
}
