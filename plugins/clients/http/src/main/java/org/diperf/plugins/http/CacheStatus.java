package org.diperf.plugins.http;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** What a cache on the way said of a response: {@code Cache-Status} (RFC 9211), or else the older {@code X-Cache}. */
enum CacheStatus {
    /** Nothing. */
    NONE,
    /** It had the response. */
    HIT,
    /** It asked whether its response still holds, and it did. */
    REVALIDATED,
    /** It fetched the response. */
    MISS;

    /** Reads the value of a {@code Cache-Status} field; of several caches the last one is the nearest. */
    static CacheStatus ofCacheStatus(byte[] line, int from, int to) {
        String value = text(line, from, to);
        String nearest = value.substring(value.lastIndexOf(',') + 1).replace(" ", "");
        if (nearest.contains(";fwd=stale") && nearest.contains(";fwd-status=304")) {
            return REVALIDATED;
        }
        if (nearest.contains(";fwd")) {
            return MISS;
        }
        return nearest.contains(";hit") ? HIT : NONE;
    }

    /**
     * Returns whether a {@code Cache-Status} field tells that another server was asked, in the words of a Squid that knows the
     * field only from its configuration: {@code detail=HIER_DIRECT} and the like. Its {@code X-Cache: HIT} is then a
     * revalidated response.
     */
    static boolean asked(byte[] line, int from, int to) {
        String value = text(line, from, to);
        return value.contains("detail=hier_") && !value.contains("detail=hier_none");
    }

    /** Reads the value of an {@code X-Cache} field; of several caches the last one is the nearest. */
    static CacheStatus ofXCache(byte[] line, int from, int to) {
        String value = text(line, from, to);
        String nearest = value.substring(value.lastIndexOf(',') + 1).strip();
        if (nearest.startsWith("revalidated")) {
            return REVALIDATED;
        }
        return nearest.startsWith("hit") ? HIT : nearest.startsWith("miss") ? MISS : NONE;
    }

    private static String text(byte[] line, int from, int to) {
        return new String(line, from, to - from, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
    }
}
