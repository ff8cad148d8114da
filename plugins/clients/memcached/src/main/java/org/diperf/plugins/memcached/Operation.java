package org.diperf.plugins.memcached;

import java.util.ArrayList;
import java.util.List;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Text;

/**
 * One kind of call.
 *
 * @param verb get, set or delete
 * @param valueBytes of what is set
 * @param expirySeconds of what is set; 0: never
 */
record Operation(String verb, Text key, int valueBytes, long expirySeconds) {

    private static final int MAX_WEIGHT = 1_000;
    private static final int MAX_VALUE = 1 << 20;
    private static final int MAX_KEY = 250;
    /** Of longer ones memcached takes the number for a date. */
    private static final long MAX_EXPIRY_SECONDS = 30L * 24 * 3600;

    static List<Parameter> parameters() {
        return List.of(Parameter.required("operations", Type.MAPPINGS, "what clients do, in turn")
                .of(
                        Parameter.required("do", Type.STRING, "what a call does")
                                .oneOf("get", "set", "delete"),
                        Parameter.withDefault("weight", Type.INTEGER, "1", "how many times in a round")
                                .within(1, MAX_WEIGHT),
                        Parameter.withDefault("key", Type.TEXT, "key-${random:1..1000}", "which key; no spaces"),
                        Parameter.optional("value", Type.MAPPING, "what set stores")
                                .of(
                                        Parameter.withDefault("size", Type.SIZE, "100", "its length, at most 1MiB"),
                                        Parameter.optional(
                                                "expires", Type.DURATION, "how long it is kept, at most 30d"))
                                .shortFor("size"))
                .suchAs("[ { do: set, value: 1KiB }, { do: get, weight: 9 } ]"));
    }

    /** Returns a round: each operation as often as its weight says. */
    static List<Operation> round(Parameters with) {
        List<Operation> round = new ArrayList<>();
        for (Parameters given : with.mappings("operations")) {
            Operation operation = of(given);
            for (int i = 0; i < given.value("weight", Long.class); i++) {
                round.add(operation);
            }
        }
        if (round.isEmpty()) {
            throw with.unusable("operations", "expected at least one operation, got none");
        }
        return round;
    }

    private static Operation of(Parameters given) {
        String verb = given.string("do");
        Text key = given.text("key");
        if (key.isConstant() && !key.toString().matches("[!-~]{1," + MAX_KEY + "}")) {
            throw given.unusable("key", "expected 1 to " + MAX_KEY + " characters without spaces, got '" + key + "'");
        }
        if (!given.has("value")) {
            return new Operation(verb, key, 100, 0);
        }
        if (!verb.equals("set")) {
            throw given.unusable("value", "expected a value for 'set' alone, got one for '" + verb + "'; drop it");
        }
        Parameters value = given.mapping("value");
        long size = value.integer("size");
        if (size > MAX_VALUE) {
            throw value.unusable("size", "expected at most 1MiB, got " + size + " bytes");
        }
        long expiry =
                value.has("expires") ? Math.max(1, value.duration("expires").toSeconds()) : 0;
        if (expiry > MAX_EXPIRY_SECONDS) {
            throw value.unusable("expires", "expected at most 30d, got " + expiry / 3600 + "h");
        }
        return new Operation(verb, key, (int) size, expiry);
    }
}
