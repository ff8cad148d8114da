package org.diperf.plugins.web;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.Url;

/**
 * A request that somebody has recorded or described, and what it was answered.
 *
 * @param method in upper case
 * @param headers name to value, of those that a user's program sent
 * @param cookies name to value, as sent
 * @param body empty: none
 * @param fromMillis when it was sent
 * @param toMillis when its answer was there
 * @param status of the answer; 0: none is known
 * @param type media type of the answer, without parameters
 * @param insecure whether the certificate of the service was not looked at
 */
record RecordedRequest(
        String method,
        Url url,
        Map<String, String> headers,
        Map<String, String> cookies,
        String body,
        long fromMillis,
        long toMillis,
        int status,
        String type,
        List<Map.Entry<String, String>> answerHeaders,
        String answer,
        boolean insecure) {

    RecordedRequest {
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
        cookies = Collections.unmodifiableMap(new LinkedHashMap<>(cookies));
        answerHeaders = List.copyOf(answerHeaders);
    }

    /** Returns scheme, host and port. */
    String origin() {
        return url.scheme() + "://" + url.authority();
    }

    /** Returns what follows the origin. */
    String path() {
        return url.pathAndQuery();
    }

    /** Returns a field of its header; empty: there is none. */
    String header(String name) {
        return headers.entrySet().stream()
                .filter(field -> field.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }

    /** Returns whether it fetches what belongs to a page and does not change: images, styles, scripts, fonts. */
    boolean isAsset() {
        return type.matches("image/.*|font/.*|audio/.*|video/.*|text/css|(text|application)/(x-)?javascript|.*woff2?.*")
                || Url.decoded(url.path())
                        .matches("(?i).*\\.(css|m?js|map|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|otf|mp4|webm)");
    }
}
