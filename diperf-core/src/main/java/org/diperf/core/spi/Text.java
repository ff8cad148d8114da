package org.diperf.core.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A text parameter in which <code>${...}</code> is filled in for every call: <code>${client} ${call} ${target} ${uuid}
 * ${random:A..B}</code>; <code>$${</code> stands for a plain <code>${</code>. Immutable; a text without placeholders
 * costs nothing.
 *
 * <p>The random ones are a pure function of the experiment's seed, the client, the call and the place in the text: the
 * same experiment makes the same calls.
 */
public final class Text {

    private final String source;
    private final @Nullable String constant;
    private final List<Part> parts;

    private Text(String source, List<Part> parts) {
        this.source = source;
        this.parts = parts;
        StringBuilder fixed = new StringBuilder();
        boolean varies = false;
        for (Part part : parts) {
            if (part instanceof Fixed literal) {
                fixed.append(literal.text);
            } else {
                varies = true;
            }
        }
        this.constant = varies ? null : fixed.toString();
    }

    /**
     * Compiles a text.
     *
     * @param source as it stands in the file
     * @param seed of the experiment
     * @throws IllegalArgumentException for a placeholder that does not exist, or one that is not closed
     */
    public static Text parse(String source, long seed) {
        List<Part> parts = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        int at = 0;
        while (at < source.length()) {
            if (source.startsWith("$${", at)) {
                literal.append("${");
                at += 3;
            } else if (source.startsWith("${", at)) {
                int end = source.indexOf('}', at);
                if (end < 0) {
                    throw new IllegalArgumentException(
                            "wanted a closing } for the ${ at character " + (at + 1) + "; write $${ for a plain ${");
                }
                if (literal.length() > 0) {
                    parts.add(new Fixed(literal.toString()));
                    literal.setLength(0);
                }
                parts.add(placeholder(source.substring(at + 2, end), seed + 0x9E3779B97F4A7C15L * at));
                at = end + 1;
            } else {
                literal.append(source.charAt(at++));
            }
        }
        if (literal.length() > 0 || parts.isEmpty()) {
            parts.add(new Fixed(literal.toString()));
        }
        return new Text(source, List.copyOf(parts));
    }

    private static Part placeholder(String name, long seed) {
        switch (name) {
            case "client":
                return (call, into) -> into.append(call.client());
            case "call":
                return (call, into) -> into.append(call.number());
            case "target":
                return (call, into) -> into.append(call.target());
            case "uuid":
                return (call, into) -> {
                    long high = mix(seed, call);
                    long low = mix(seed + 1, call);
                    // Version 4, variant 2 (RFC 9562).
                    into.append(
                            new UUID((high & ~0xF000L) | 0x4000L, (low & 0x3FFFFFFFFFFFFFFFL) | 0x8000000000000000L));
                };
            default:
                if (name.startsWith("random:")) {
                    return random(name.substring("random:".length()), seed);
                }
                throw new IllegalArgumentException("wanted one of ${client}, ${call}, ${target}, ${uuid} and"
                        + " ${random:A..B}, found '${" + name + "}'; write $${ for a plain ${");
        }
    }

    private static Part random(String range, long seed) {
        String[] ends = range.split("\\.\\.", -1);
        try {
            long low = Long.parseLong(ends[0].strip());
            long high = Long.parseLong(ends[1].strip());
            if (ends.length == 2 && low <= high && high - low >= 0) {
                return (call, into) ->
                        into.append(low + Math.floorMod(mix(seed, call) >>> 1, Math.max(1, high - low + 1)));
            }
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException notARange) {
            // said below
        }
        throw new IllegalArgumentException(
                "wanted ${random:A..B} with whole numbers A <= B, found '${random:" + range + "}'");
    }

    /** Mixes seed, client and call to 64 evenly spread bits (the finaliser of SplitMix64; Steele et al., 2014). */
    private static long mix(long seed, Call call) {
        long z = seed + 0x9E3779B97F4A7C15L * (call.client() + 1L) + 0xD1B54A32D192ED03L * (call.number() + 1);
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** Gives the text for one call. */
    public String of(Call call) {
        if (constant != null) {
            return constant;
        }
        StringBuilder result = new StringBuilder(source.length() + 32);
        for (Part part : parts) {
            part.append(call, result);
        }
        return result.toString();
    }

    /** Says whether the text is the same for every call. */
    public boolean isConstant() {
        return constant != null;
    }

    /** Gives the text as it stands in the file. */
    @Override
    public String toString() {
        return source;
    }

    private interface Part {
        void append(Call call, StringBuilder into);
    }

    private record Fixed(String text) implements Part {
        @Override
        public void append(Call call, StringBuilder into) {
            into.append(text);
        }
    }
}
