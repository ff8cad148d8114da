package org.diperf.core.experiment;

import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Secrets used in an experiment's texts, with their values, which are never shown. Immutable. */
public final class Secrets {

    /** No secrets. */
    public static final Secrets NONE = new Secrets(Map.of());

    /** Stands in the place of what is hidden. */
    public static final String MASK = "***";

    /** A shorter value would mask half of all words. */
    private static final int SHORTEST_MASKED = 3;
    /** A shorter piece of a value at the edge of a text is more likely a word of the text. */
    private static final int SHORTEST_PIECE = 6;

    private final Map<String, String> values;
    /** What no text may show: the values and their encoded forms. */
    private final List<SecretForm> forms;

    /** @param values of the secrets, by {@code env:NAME} or {@code file:PATH} */
    public Secrets(Map<String, String> values) {
        this.values = Map.copyOf(values);
        this.forms = this.values.values().stream()
                .filter(value -> value.length() >= SHORTEST_MASKED)
                .flatMap(value -> SecretForm.of(value).stream())
                .filter(form -> form.text().length() >= SHORTEST_MASKED)
                .distinct()
                .sorted(Comparator.comparingInt(form -> -form.text().length()))
                .toList();
    }

    /** Returns the values by their references; for the wire alone. */
    public Map<String, String> values() {
        return values;
    }

    /** Returns these and others, for hiding all of them. */
    public Secrets and(Secrets others) {
        Map<String, String> all = new LinkedHashMap<>(values);
        // Two experiments may read different values from one place.
        others.values.forEach((name, value) -> {
            String other = all.put(name, value);
            if (other != null && !other.equals(value)) {
                all.put(name + "#" + all.size(), other);
            }
        });
        return new Secrets(all);
    }

    /** Returns whether there is nothing to hide. */
    public boolean isEmpty() {
        return forms.isEmpty();
    }

    /**
     * Puts asterisks in the place of all values of at least three characters, also of those that are encoded as DiPerF and its
     * plugins encode texts, and of a piece of a value at which the text was cut off. Values that overlap, or of which one
     * begins another, are hidden as a whole. Returns the same object where there is nothing to hide.
     */
    public String masked(String text) {
        BitSet hidden = null;
        int end = endBeforeDots(text);
        for (SecretForm form : forms) {
            for (int at = text.indexOf(form.text()); at >= 0; at = text.indexOf(form.text(), at + 1)) {
                hidden = hidden == null ? new BitSet(text.length()) : hidden;
                hidden.set(form.beginIn(text, at), form.endIn(text, at));
            }
            int cutOff = beginningAt(end, form.text(), text);
            int cutAway = endAt(form.text(), text);
            if (cutOff + cutAway > 0) {
                hidden = hidden == null ? new BitSet(text.length()) : hidden;
                hidden.set(end - cutOff, end);
                hidden.set(0, cutAway);
            }
        }
        return hidden == null ? text : without(hidden, text);
    }

    /** Returns where a text ends, without the dots that stand for what was cut off. */
    private static int endBeforeDots(String text) {
        int end = text.length();
        while (end > 0 && (text.charAt(end - 1) == '.' || text.charAt(end - 1) == '…')) {
            end--;
        }
        return end;
    }

    /** Returns how many characters a value begins with are right before a place in a text. */
    private static int beginningAt(int end, String value, String text) {
        for (int length = Math.min(value.length() - 1, end); length >= SHORTEST_PIECE; length--) {
            if (text.regionMatches(end - length, value, 0, length)) {
                return length;
            }
        }
        return 0;
    }

    /** Returns how many characters a value ends with are those with which a text begins. */
    private static int endAt(String value, String text) {
        for (int length = Math.min(value.length() - 1, text.length()); length >= SHORTEST_PIECE; length--) {
            if (text.regionMatches(0, value, value.length() - length, length)) {
                return length;
            }
        }
        return 0;
    }

    private static String without(BitSet hidden, String text) {
        StringBuilder masked = new StringBuilder(text.length());
        int at = 0;
        while (at < text.length()) {
            int next = hidden.nextSetBit(at);
            masked.append(text, at, next < 0 ? text.length() : next);
            if (next >= 0) {
                masked.append(MASK);
            }
            at = next < 0 ? text.length() : hidden.nextClearBit(next);
        }
        return masked.toString();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secrets secrets && secrets.values.equals(values);
    }

    @Override
    public int hashCode() {
        return values.keySet().hashCode();
    }

    /** Shows what they are called. */
    @Override
    public String toString() {
        return "Secrets" + values.keySet();
    }
}
