package org.diperf.plugins.web;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.spi.Url;

/**
 * A request that somebody has recorded, described or typed.
 *
 * @param name what its source calls it; empty: nothing
 * @param method as it is sent
 * @param url of http or https
 * @param headers name to value, of those that a user's program sent
 * @param cookies name to value, as sent
 * @param fromMillis when it was sent; 0: unknown
 * @param toMillis when its answer was there; 0: unknown
 * @param with further parameters of the client {@code http}
 */
record RecordedRequest(
        String name,
        String method,
        Url url,
        Map<String, String> headers,
        Map<String, String> cookies,
        RecordedBody body,
        long fromMillis,
        long toMillis,
        Answer answer,
        Map<String, Object> with) {

    private static final Pattern SCHEME = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*):");

    /**
     * What it was answered.
     *
     * @param status 0: none is known
     * @param type media type, without parameters
     */
    record Answer(int status, String type, List<Map.Entry<String, String>> headers, String body) {

        static final Answer UNKNOWN = new Answer(0, "", List.of(), "");

        Answer {
            headers = List.copyOf(headers);
        }
    }

    RecordedRequest {
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
        cookies = Collections.unmodifiableMap(new LinkedHashMap<>(cookies));
        with = Collections.unmodifiableMap(new LinkedHashMap<>(with));
    }

    /**
     * Reads where a request goes.
     *
     * @throws IllegalArgumentException when that is no URL of http or https, with what it is
     */
    static Url url(String text) {
        Matcher scheme = SCHEME.matcher(text.strip());
        if (!scheme.lookingAt()) {
            throw new IllegalArgumentException(text.isBlank() ? "no URL" : "no complete URL");
        }
        if (!scheme.group(1).matches("(?i)https?")) {
            throw new IllegalArgumentException(scheme.group(1) + ":, not HTTP");
        }
        return Url.of(text);
    }

    /** Returns scheme, host and port. */
    String origin() {
        return url.scheme() + "://" + url.authority();
    }

    /** Returns what stands for user and password in a header. */
    static String basic(String userAndPassword) {
        return "Basic " + Base64.getEncoder().encodeToString(userAndPassword.getBytes(StandardCharsets.UTF_8));
    }

    /** Puts user and password of a URL into a header that has none. */
    static void authorize(Url url, Map<String, String> headers) {
        String password = url.password();
        if ((!url.user().isEmpty() || password != null)
                && field(headers, "Authorization").isEmpty()) {
            headers.put("Authorization", basic(url.user() + ":" + (password == null ? "" : password)));
        }
    }

    /** Adds a field to a header: to one of that name in whatever case, as HTTP lets its lines be joined. */
    static void add(Map<String, String> headers, String name, String value) {
        String there = headers.keySet().stream()
                .filter(each -> each.equalsIgnoreCase(name))
                .findFirst()
                .orElse(name);
        headers.merge(there, value, (one, other) -> one + ", " + other);
    }

    /** Returns a field of a header; empty: there is none. */
    static String field(Map<String, String> headers, String name) {
        return headers.entrySet().stream()
                .filter(field -> field.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }

    /** Returns whether it fetches what belongs to a page and does not change: images, styles, scripts, fonts. */
    boolean isAsset() {
        return answer.type()
                        .matches(
                                "image/.*|font/.*|audio/.*|video/.*|text/css|(text|application)/(x-)?javascript|.*woff2?.*")
                || url.path()
                        .matches("(?i).*\\.(css|m?js|map|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|otf|mp4|webm)");
    }
}
