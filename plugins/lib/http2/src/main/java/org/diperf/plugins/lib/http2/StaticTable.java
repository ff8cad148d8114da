package org.diperf.plugins.lib.http2;

import java.util.HashMap;
import java.util.Map;

/** The static table of HPACK (RFC 7541, appendix A), for writing. */
final class StaticTable {

    /** Number of its entries; the dynamic table's begin after it. */
    static final int LENGTH = 61;

    private static final String[] ENTRIES = {
        ":authority",
        ":method=GET",
        ":method=POST",
        ":path=/",
        ":path=/index.html",
        ":scheme=http",
        ":scheme=https",
        ":status=200",
        ":status=204",
        ":status=206",
        ":status=304",
        ":status=400",
        ":status=404",
        ":status=500",
        "accept-charset",
        "accept-encoding=gzip, deflate",
        "accept-language",
        "accept-ranges",
        "accept",
        "access-control-allow-origin",
        "age",
        "allow",
        "authorization",
        "cache-control",
        "content-disposition",
        "content-encoding",
        "content-language",
        "content-length",
        "content-location",
        "content-range",
        "content-type",
        "cookie",
        "date",
        "etag",
        "expect",
        "expires",
        "from",
        "host",
        "if-match",
        "if-modified-since",
        "if-none-match",
        "if-range",
        "if-unmodified-since",
        "last-modified",
        "link",
        "location",
        "max-forwards",
        "proxy-authenticate",
        "proxy-authorization",
        "range",
        "referer",
        "refresh",
        "retry-after",
        "server",
        "set-cookie",
        "strict-transport-security",
        "transfer-encoding",
        "user-agent",
        "vary",
        "via",
        "www-authenticate"
    };

    private static final Map<String, Integer> NAMES = new HashMap<>();
    private static final Map<String, Integer> PAIRS = new HashMap<>();

    static {
        for (int i = 0; i < ENTRIES.length; i++) {
            int equals = ENTRIES[i].indexOf('=');
            if (equals >= 0) {
                PAIRS.put(ENTRIES[i], i + 1);
            }
            NAMES.putIfAbsent(equals < 0 ? ENTRIES[i] : ENTRIES[i].substring(0, equals), i + 1);
        }
    }

    private StaticTable() {}

    /** Returns the first entry with this name; 0: there is none. */
    static int ofName(String name) {
        return NAMES.getOrDefault(name, 0);
    }

    /** Returns the entry of this name and value; 0: there is none. */
    static int of(String name, String value) {
        return PAIRS.getOrDefault(name + "=" + value, 0);
    }
}
