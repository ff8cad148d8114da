package org.diperf.core.spi;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A text parameter in which <code>${...}</code> is filled in for every call: <code>${client} ${call} ${target} ${uuid}
 * ${random:A..B}</code>, columns of data files (<code>${users.name}</code>) and captured values (<code>${token}</code>);
 * <code>$${</code> escapes <code>${</code>. Secrets (<code>${secret:env:NAME}</code>) are filled in when it is
 * compiled and never shown. Immutable; a constant text costs nothing.
 *
 * <p>Random values are a pure function of the experiment's seed, the client, the call and the position in the text, so the
 * same experiment makes the same calls.
 */
public final class Text {

    private static final String SECRET = "secret:";
    private static final List<String> CALLS = List.of("client", "call", "target", "uuid", "random:A..B");

    private final String source;
    private final @Nullable String constant;
    private final List<Part> parts;
    private final Set<String> values;

    private Text(String source, List<Part> parts, Set<String> values) {
        this.source = source;
        this.parts = parts;
        this.values = values;
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
     * @param source as written in the file
     * @param seed of the experiment
     * @throws IllegalArgumentException for an unknown or unclosed placeholder
     */
    public static Text parse(String source, long seed) {
        return parse(source, seed, Names.NONE);
    }

    /**
     * Compiles a text that may refer to values of the experiment, and to secrets.
     *
     * @param source as written in the file
     * @param seed of the experiment
     * @param names that it may use
     * @throws IllegalArgumentException for an unknown or unclosed placeholder, or a secret that is not available
     */
    public static Text parse(String source, long seed, Names names) {
        List<Part> parts = new ArrayList<>();
        Set<String> values = new LinkedHashSet<>();
        StringBuilder literal = new StringBuilder();
        int at = 0;
        while (at < source.length()) {
            if (source.startsWith("$${", at)) {
                literal.append("${");
                at += 3;
            } else if (source.startsWith("${", at)) {
                int end = source.indexOf('}', at);
                if (end < 0) {
                    throw new IllegalArgumentException("expected a closing } for the ${ at character " + (at + 1)
                            + "; write $${ for a literal ${");
                }
                String name = source.substring(at + 2, end);
                if (name.startsWith(SECRET)) {
                    literal.append(names.secret(name.substring(SECRET.length())));
                } else {
                    if (literal.length() > 0) {
                        parts.add(new Fixed(literal.toString()));
                        literal.setLength(0);
                    }
                    if (names.values().contains(name)) {
                        values.add(name);
                        parts.add((call, into) -> into.append(call.value(name)));
                    } else {
                        parts.add(placeholder(name, seed + 0x9E3779B97F4A7C15L * at, names));
                    }
                }
                at = end + 1;
            } else {
                literal.append(source.charAt(at++));
            }
        }
        if (literal.length() > 0 || parts.isEmpty()) {
            parts.add(new Fixed(literal.toString()));
        }
        return new Text(source, List.copyOf(parts), Set.copyOf(values));
    }

    private static Part placeholder(String name, long seed, Names names) {
        switch (name) {
            case "client":
                return (call, into) -> into.append(call.client());
            case "call":
                return (call, into) -> into.append(call.number());
            case "target":
                return (call, into) -> into.append(call.target().text());
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
                throw unknown(name, names);
        }
    }

    /** Suggests a name; whoever writes a range, as in {@code ${rand:1..9}}, wants a random number. */
    private static String nearest(String name, List<String> known) {
        String nearest = NearestName.suggestion(name, known);
        return nearest.isEmpty() && name.matches("[^:]*:.*\\.\\..*") ? ". Did you mean 'random'?" : nearest;
    }

    private static IllegalArgumentException unknown(String name, Names names) {
        List<String> known = new ArrayList<>(CALLS);
        List<String> own = names.values().stream().sorted().toList();
        known.addAll(own);
        String nearest = nearest(name, known);
        return new IllegalArgumentException("expected one of ${client}, ${call}, ${target}, ${uuid} or ${random:A..B}"
                + (own.isEmpty() ? "" : ", or one of the names in the experiment: " + own) + ", got '${" + name + "}'"
                + (nearest.isEmpty() ? "" : nearest + " Or") + (nearest.isEmpty() ? "; write" : " write")
                + " $${ for a literal ${");
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
                "expected ${random:A..B} with whole numbers A <= B, got '${random:" + range + "}'");
    }

    /** Mixes seed, client and call to 64 evenly spread bits (the finaliser of SplitMix64; Steele et al., 2014). */
    private static long mix(long seed, Call call) {
        long z = seed + 0x9E3779B97F4A7C15L * (call.client() + 1L) + 0xD1B54A32D192ED03L * (call.number() + 1);
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** Returns the text for one call. */
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

    /**
     * Takes the text apart: what stands in the file, and what is filled in for every call, which may come from the service under
     * test.
     *
     * @param written takes what stands in the file, secrets included
     * @param filled takes what is filled in, each a text of its own, in order with the other pieces
     */
    public void pieces(Consumer<String> written, Consumer<Text> filled) {
        for (Part part : parts) {
            if (part instanceof Fixed literal) {
                written.accept(literal.text);
            } else {
                filled.accept(new Text(source, List.of(part), values));
            }
        }
    }

    /** Returns whether the text is the same for every call. */
    public boolean isConstant() {
        return constant != null;
    }

    /**
     * Returns the constant text, with its secrets.
     *
     * @throws IllegalArgumentException if it is not the same for every call
     */
    public String fixed() {
        if (constant == null) {
            throw new IllegalArgumentException(
                    "expected text that is fixed for the run, got '" + source + "', which changes from call to call");
        }
        return constant;
    }

    /** Returns whether all values that it uses are there, so that it can be filled in for a call. */
    public boolean isKnown(Call call) {
        for (String name : values) {
            if (!call.hasValue(name)) {
                return false;
            }
        }
        return true;
    }

    /** Returns which of {@link Names#values} it uses. */
    public Set<String> values() {
        return values;
    }

    /** Returns the text as written in the file, with secrets unresolved. */
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
