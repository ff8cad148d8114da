package org.diperf.plugins.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.diperf.core.spi.Nearest;
import org.diperf.plugins.lib.netty.HttpTarget;

/**
 * The proxies that calls go through, and which call through which. Immutable.
 *
 * @param each none, or at least one
 * @param assign how units are mapped to proxies
 * @param per what a unit is
 */
record Proxies(List<HttpTarget> each, Assign assign, Per per) {

    private static final Proxies NONE = new Proxies(List.of(), Assign.ROUND_ROBIN, Per.CLIENT);
    private static final List<String> KEYS = List.of("each", "assign", "per");

    enum Assign {
        /** Unit i goes through proxy i mod m. */
        ROUND_ROBIN,
        /** Unit j goes through proxy j. */
        ONE_TO_ONE,
        /** Call k of client i goes through proxy (i + k) mod m. */
        ALL_TO_ALL
    }

    enum Per {
        CLIENT,
        TESTER,
        HOST
    }

    Proxies {
        each = List.copyOf(each);
    }

    static Proxies none() {
        return NONE;
    }

    /**
     * Reads the parameter.
     *
     * @param value {@code http://host:port}, or {@code {each, assign, per}}
     * @throws IllegalArgumentException when it is neither
     */
    static Proxies of(Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            return new Proxies(List.of(HttpTarget.proxy(String.valueOf(value))), Assign.ROUND_ROBIN, Per.CLIENT);
        }
        for (Object key : map.keySet()) {
            if (!KEYS.contains(String.valueOf(key))) {
                throw new IllegalArgumentException("proxy: expected one of " + KEYS + ", got '" + key + "'"
                        + Nearest.suggestion(String.valueOf(key), KEYS));
            }
        }
        if (!(map.get("each") instanceof List<?> list) || list.isEmpty()) {
            throw new IllegalArgumentException(
                    "proxy.each: expected a list of at least one http://host:port, got " + (map.get("each")));
        }
        List<HttpTarget> each = new ArrayList<>();
        list.forEach(url -> each.add(HttpTarget.proxy(String.valueOf(url))));
        return new Proxies(
                each,
                word("assign", map.get("assign"), Assign.ROUND_ROBIN, Assign.values()),
                word("per", map.get("per"), Per.CLIENT, Per.values()));
    }

    private static <T extends Enum<T>> T word(
            String key, @org.jspecify.annotations.Nullable Object given, T otherwise, T[] all) {
        if (given == null) {
            return otherwise;
        }
        List<String> words = new ArrayList<>();
        for (T each : all) {
            String word = each.name().toLowerCase(Locale.ROOT).replace('_', '-');
            words.add(word);
            if (word.equals(String.valueOf(given))) {
                return each;
            }
        }
        throw new IllegalArgumentException("proxy." + key + ": expected one of " + words + ", got '" + given + "'"
                + Nearest.suggestion(String.valueOf(given), words));
    }

    boolean any() {
        return !each.isEmpty();
    }

    /** Counts the ways to a target: the proxies, or 1 without any. */
    int ways() {
        return Math.max(1, each.size());
    }

    /**
     * Returns the way of a call.
     *
     * @param client in the whole run, from 0
     * @param tester place among the testers of the run, from 0
     * @param host place among their machines, from 0
     * @param call number of the client's call, from 0
     * @throws IllegalArgumentException when one-to-one has no proxy for the unit
     */
    int wayOf(int client, int tester, int host, long call) {
        if (each.size() < 2) {
            return 0;
        }
        if (assign == Assign.ALL_TO_ALL) {
            return (int) ((client + call) % each.size());
        }
        int unit = switch (per) {
            case CLIENT -> client;
            case TESTER -> tester;
            case HOST -> host;
        };
        if (assign == Assign.ONE_TO_ONE && unit >= each.size()) {
            throw new IllegalArgumentException("proxy: one-to-one expected a proxy for each "
                    + per.name().toLowerCase(Locale.ROOT) + ", got " + each.size() + " proxies and at least "
                    + (unit + 1) + " of them; add proxies or use round-robin");
        }
        return unit % each.size();
    }
}
