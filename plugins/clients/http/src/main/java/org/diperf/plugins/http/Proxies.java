package org.diperf.plugins.http;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
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
    private static final String EACH = "each";

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

    static final Parameter KEY = Parameter.optional(
                    "proxy", Type.MAPPING, "one or more forward proxies; https requests use CONNECT")
            .of(
                    Parameter.required(
                                    EACH,
                                    Type.TEXTS,
                                    "the proxies, in order, each http://host:port or http://user:password@host:port")
                            .parsedBy(HttpTarget::proxy),
                    Parameter.withDefault(
                                    "assign",
                                    Type.STRING,
                                    word(Assign.ROUND_ROBIN),
                                    "which of m proxies a unit (see per) uses. round-robin: unit i uses proxy i mod m;"
                                            + " one-to-one: unit i uses proxy i; all-to-all: call k of client i uses"
                                            + " proxy (i + k) mod m")
                            .oneOf(words(Assign.values())),
                    Parameter.withDefault(
                                    "per",
                                    Type.STRING,
                                    word(Per.CLIENT),
                                    "unit to which a proxy is assigned: a client, a tester, or a machine that runs "
                                            + "testers")
                            .oneOf(words(Per.values())))
            .shortFor(EACH)
            .suchAs("http://127.0.0.1:3128");

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String[] words(Enum<?>... constants) {
        return Stream.of(constants).map(Proxies::word).toArray(String[]::new);
    }

    private static String constant(String word) {
        return word.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    static Proxies of(Parameters with) {
        if (!with.has(KEY.name())) {
            return NONE;
        }
        Parameters proxy = with.mapping(KEY.name());
        List<HttpTarget> each = proxy.values(EACH, HttpTarget.class);
        if (each.isEmpty()) {
            throw proxy.unusable(EACH, "expected a list of at least one http://host:port, got an empty one");
        }
        if (each.stream().map(HttpTarget::authorization).distinct().count() > 1) {
            throw proxy.unusable(EACH, "expected the same user and password for all proxies, got several");
        }
        return new Proxies(
                each, Assign.valueOf(constant(proxy.string("assign"))), Per.valueOf(constant(proxy.string("per"))));
    }

    /** Returns what the proxies are told of who asks; empty: nothing. */
    String authorization() {
        return each.isEmpty() ? "" : each.get(0).authorization();
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
            throw new IllegalArgumentException("proxy: one-to-one: expected a proxy for each "
                    + per.name().toLowerCase(Locale.ROOT) + ", got " + each.size() + " proxies for at least "
                    + (unit + 1) + " of them; add proxies or use round-robin");
        }
        return unit % each.size();
    }
}
