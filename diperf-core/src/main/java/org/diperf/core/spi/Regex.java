package org.diperf.core.spi;

import java.io.UncheckedIOException;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A user's regular expression, in Java's syntax, for texts that a service wrote. Its work is bounded: it may read ten million characters,
 * and 16 more for each of the text, so that no pair of expression and text holds a thread for long. Immutable.
 */
public final class Regex {

    private static final long MAX_STEPS = 10_000_000;
    private static final long MAX_STEPS_PER_CHARACTER = 16;

    private final Pattern pattern;

    private Regex(Pattern pattern) {
        this.pattern = pattern;
    }

    /**
     * Compiles one.
     *
     * @throws IllegalArgumentException when the text is no regular expression
     */
    public static Regex compile(String text) {
        try {
            return new Regex(Pattern.compile(text));
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "expected a regular expression, got '" + text + "': " + e.getDescription(), e);
        }
    }

    /**
     * Searches a text for the first part that matches.
     *
     * @return the match; {@code null} if there is none
     * @throws UncheckedIOException with a {@link FailedCallException} by the generator's fault, when that takes more steps or more stack
     *     than there is
     */
    public @Nullable Matcher find(String text) {
        return match(text, Matcher::find);
    }

    /**
     * Matches a text as a whole.
     *
     * @return the match; {@code null} if there is none
     * @throws UncheckedIOException as {@link #find} does
     */
    public @Nullable Matcher matches(String text) {
        return match(text, Matcher::matches);
    }

    private @Nullable Matcher match(String text, Predicate<Matcher> how) {
        Matcher matcher = pattern.matcher(new BoundedText(text));
        try {
            return how.test(matcher) ? matcher : null;
        } catch (StackOverflowError tooDeep) {
            throw tooMuch();
        }
    }

    private UncheckedIOException tooMuch() {
        return new UncheckedIOException(
                new FailedCallException(Failure.ofGenerator("regular expression takes too many steps: " + pattern)
                        .remedied("begin it with fixed text, and use [^x]* for .* and no repetition within another")));
    }

    /** Counts the characters that are read. Of one search. */
    private final class BoundedText implements CharSequence {

        private final String text;
        private long left;

        BoundedText(String text) {
            this.text = text;
            this.left = MAX_STEPS + MAX_STEPS_PER_CHARACTER * text.length();
        }

        @Override
        public char charAt(int index) {
            if (--left < 0) {
                throw tooMuch();
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.substring(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** Returns it as it is written. */
    @Override
    public String toString() {
        return pattern.toString();
    }
}
