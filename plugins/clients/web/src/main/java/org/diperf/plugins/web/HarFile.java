package org.diperf.plugins.web;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
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
import java.util.stream.Collectors;
import org.diperf.core.spi.Url;
import org.diperf.core.spi.Utf8InputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads HTTP archives (HAR 1.2), as browsers save what was asked in their developer tools. */
final class HarFile {

    /** Larger ones hold downloads; nobody reads a journey of them. */
    private static final long MAX_BYTES = 256L << 20;

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

    private HarFile() {}

    /**
     * Reads one.
     *
     * @return in the order in which they were sent
     * @throws IllegalArgumentException when it is none
     */
    static List<RecordedRequest> read(Path file) throws IOException {
        if (Files.size(file) > MAX_BYTES) {
            throw new IllegalArgumentException("expected a recording of at most 256 MiB, got one of " + Files.size(file)
                    + " bytes; record fewer pages");
        }
        JsonNode entries;
        try {
            byte[] json = Files.readAllBytes(file);
            Utf8InputStream.check(json);
            entries = JsonMapper.shared().readTree(json).at("/log/entries");
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
        List<RecordedRequest> requests = new ArrayList<>();
        for (JsonNode entry : entries) {
            RecordedRequest request = request(entry);
            if (request != null) {
                requests.add(request);
            }
        }
        requests.sort(Comparator.comparingLong(RecordedRequest::fromMillis));
        return requests;
    }

    private static @Nullable RecordedRequest request(JsonNode entry) {
        JsonNode asked = entry.at("/request");
        Url url;
        try {
            url = Url.of(asked.at("/url").asString(""));
        } catch (IllegalArgumentException notAUrl) {
            return null;
        }
        if (!url.scheme().matches("https?")) {
            return null;
        }
        Map<String, String> headers = new LinkedHashMap<>();
        Map<String, String> cookies = new LinkedHashMap<>();
        for (JsonNode field : asked.at("/headers")) {
            String name = field.at("/name").asString("");
            String lower = name.toLowerCase(Locale.ROOT);
            if (lower.equals("cookie")) {
                for (String pair : field.at("/value").asString("").split("; *")) {
                    int equals = pair.indexOf('=');
                    if (equals > 0) {
                        cookies.put(pair.substring(0, equals).strip(), pair.substring(equals + 1));
                    }
                }
            } else if (!isDropped(name)) {
                headers.put(name, field.at("/value").asString(""));
            }
        }
        for (JsonNode cookie : asked.at("/cookies")) {
            cookies.putIfAbsent(
                    cookie.at("/name").asString(""), cookie.at("/value").asString(""));
        }
        JsonNode answer = entry.at("/response");
        List<Map.Entry<String, String>> answered = new ArrayList<>();
        for (JsonNode field : answer.at("/headers")) {
            for (String value : field.at("/value").asString("").split("\n")) {
                answered.add(Map.entry(field.at("/name").asString(""), value));
            }
        }
        long from = millis(entry.at("/startedDateTime").asString(""));
        return new RecordedRequest(
                asked.at("/method").asString("GET").toUpperCase(Locale.ROOT),
                url,
                headers,
                cookies,
                body(asked.at("/postData")),
                from,
                from + Math.max(0, Math.round(entry.at("/time").asDouble(0))),
                answer.at("/status").asInt(0),
                answer.at("/content/mimeType")
                        .asString("")
                        .replaceFirst(";.*", "")
                        .strip(),
                answered,
                content(answer.at("/content")),
                false);
    }

    /** Returns whether a field of a header is the client's own, or the browser's. */
    static boolean isDropped(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return NOT_KEPT.contains(lower) || lower.startsWith("sec-") || lower.startsWith(":");
    }

    private static String body(JsonNode data) {
        String text = data.at("/text").asString("");
        if (!text.isEmpty()) {
            return text;
        }
        List<String> pairs = new ArrayList<>();
        for (JsonNode field : data.at("/params")) {
            pairs.add(URLEncoder.encode(field.at("/name").asString(""), StandardCharsets.UTF_8) + "="
                    + URLEncoder.encode(field.at("/value").asString(""), StandardCharsets.UTF_8));
        }
        return pairs.stream().collect(Collectors.joining("&"));
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

    private static long millis(String instant) {
        try {
            return OffsetDateTime.parse(instant).toInstant().toEpochMilli();
        } catch (DateTimeParseException e) {
            try {
                return Instant.parse(instant).toEpochMilli();
            } catch (DateTimeParseException unknown) {
                return 0;
            }
        }
    }
}
