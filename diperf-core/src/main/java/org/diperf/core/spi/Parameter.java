package org.diperf.core.spi;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Declares one parameter of a plugin. Files are checked against it before anything starts. A parameter may be a mapping, a
 * list of mappings, or names with mappings, whose keys are parameters in turn, to any depth.
 *
 * @param name in the file, lower case with hyphens
 * @param type of its values
 * @param help description in one line
 * @param unit of a number, or empty
 * @param fallback the default as written in the file, {@code null} if there is none
 * @param required whether it must be given
 * @param isArguments whether its texts become arguments of a program, which all users of the tester's machine can read
 * @param example a value as written in the file, for {@code diperf init}; {@code null} if there is none
 * @param content what a value may hold, beyond its type
 */
public record Parameter(
        String name,
        Type type,
        String help,
        String unit,
        @Nullable String fallback,
        boolean required,
        boolean isArguments,
        @Nullable String example,
        Content content) {

    /**
     * What a value may hold, beyond its type.
     *
     * @param words the allowed words, or empty for any
     * @param keys of each mapping
     * @param shortFor the key that one value in place of a mapping stands for; empty: only mappings are taken
     * @param orText whether a text may stand in place of the whole value
     * @param parser makes a value of the plugin's own of a text, or throws {@link IllegalArgumentException} saying what was
     *     expected and what it got; {@code null}: the type says it all
     */
    public record Content(
            List<String> words,
            List<Parameter> keys,
            String shortFor,
            boolean orText,
            @Nullable Function<String, ?> parser) {

        static final Content ANY = new Content(List.of(), List.of(), "", false, null);

        public Content {
            words = List.copyOf(words);
            keys = List.copyOf(keys);
        }

        /** Compares all but the parsers: a plugin may make those anew each time that it is asked. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Content that
                    && words.equals(that.words)
                    && keys.equals(that.keys)
                    && shortFor.equals(that.shortFor)
                    && orText == that.orText
                    && (parser == null) == (that.parser == null);
        }

        @Override
        public int hashCode() {
            return Objects.hash(words, keys, shortFor, orText);
        }
    }

    /** What a parameter's value looks like in the file, and the type that {@link Parameters} returns for it. */
    public enum Type {
        /** A word or sentence; {@code ${...}} is filled in for every call. See {@link Text}. */
        TEXT("text"),
        /** A word or sentence, fixed for the run. */
        STRING("text that is fixed for the run"),
        /** A whole number. */
        INTEGER("whole number"),
        /** Any number. */
        NUMBER("number"),
        /** {@code true} or {@code false}. */
        BOOLEAN("true or false"),
        /** {@code 250ms 10s 5m 2h}. */
        DURATION("duration such as 250ms, 10s, 5m or 2h"),
        /** {@code 8KiB 4MB}; in bytes. */
        SIZE("size such as 512, 8KiB or 4MB"),
        /** A list of texts; one text alone is a list of one. */
        TEXTS("list of text values"),
        /** Names with texts. */
        TEXT_MAP("a mapping of names to text values"),
        /** Keys with values, each a parameter; see {@link Parameter#of}. */
        MAPPING("mapping"),
        /** A list of such mappings. */
        MAPPINGS("list of mappings"),
        /** Names of the user's own, each with such a mapping; a list of names gives each an empty one. */
        NAMED("list or mapping of names"),
        /** Anything; the plugin checks it in {@link ClientPlugin#check}. */
        TREE("see the help");

        private final String description;

        Type(String description) {
            this.description = description;
        }

        /** Describes the type for error messages and help: "expected a ...". */
        public String description() {
            return description;
        }
    }

    public Parameter {
        requireNonNull(type, "type");
        requireNonNull(help, "help");
        requireNonNull(unit, "unit");
        requireNonNull(content, "content");
        if (!name.matches("[a-z][a-z0-9-]{0,63}")) {
            throw new IllegalArgumentException(
                    "Parameter name '" + name + "': expected at most 64 lower-case letters, digits and hyphens");
        }
        if (required && fallback != null) {
            throw new IllegalArgumentException(
                    "Parameter '" + name + "' is required and has a default; remove one of them");
        }
        if (!content.shortFor.isEmpty() && content.keys.stream().noneMatch(key -> key.name.equals(content.shortFor))) {
            throw new IllegalArgumentException(
                    "Parameter '" + name + "' is short for '" + content.shortFor + "', which is not one of its keys");
        }
    }

    /** Declares a parameter that must be given. */
    public static Parameter required(String name, Type type, String help) {
        return new Parameter(name, type, help, "", null, true, false, null, Content.ANY);
    }

    /** Declares an optional parameter; without it {@link Parameters} has no value for it. */
    public static Parameter optional(String name, Type type, String help) {
        return new Parameter(name, type, help, "", null, false, false, null, Content.ANY);
    }

    /** Declares a parameter with a default, as written in the file. */
    public static Parameter withDefault(String name, Type type, String fallback, String help) {
        requireNonNull(fallback, "fallback");
        return new Parameter(name, type, help, "", fallback, false, false, null, Content.ANY);
    }

    /** Returns the allowed words, or none for any. */
    public List<String> allowed() {
        return content.words;
    }

    /** Returns the keys of each mapping that it holds; none where it holds no mapping. */
    public List<Parameter> keys() {
        return content.keys;
    }

    private Parameter with(Content other) {
        return new Parameter(name, type, help, unit, fallback, required, isArguments, example, other);
    }

    /** Restricts the parameter to these words. */
    public Parameter oneOf(String... words) {
        return with(new Content(List.of(words), content.keys, content.shortFor, content.orText, content.parser));
    }

    /** Declares the keys of a {@link Type#MAPPING}, of each of {@link Type#MAPPINGS}, or of each of {@link Type#NAMED}. */
    public Parameter of(Parameter... keys) {
        return with(new Content(content.words, List.of(keys), content.shortFor, content.orText, content.parser));
    }

    /** Lets one value in place of a mapping stand for a mapping with this key alone: {@code loss: 1%} for {@code {rate: 1%}}. */
    public Parameter shortFor(String key) {
        return with(new Content(content.words, content.keys, key, content.orText, content.parser));
    }

    /** Lets a text stand in place of the whole value; {@link Parameters#isText} says whether it does. */
    public Parameter orText() {
        return with(new Content(content.words, content.keys, content.shortFor, true, content.parser));
    }

    /**
     * Makes values of the plugin's own of its texts, so that what is wrong with one is reported where it stands. Ask for them by
     * {@link Parameters#value} or {@link Parameters#values}.
     *
     * @param parser throws {@link IllegalArgumentException} saying what was expected and what it got; called from any thread
     */
    public Parameter parsedBy(Function<String, ?> parser) {
        return with(new Content(content.words, content.keys, content.shortFor, content.orText, parser));
    }

    /** Restricts a {@link Type#INTEGER} to numbers between two, both included. */
    public Parameter within(long least, long most) {
        return parsedBy(text -> {
            long value = Long.parseLong(text);
            if (value < least || value > most) {
                throw new IllegalArgumentException(
                        "expected a whole number from " + least + " to " + most + ", got '" + text + "'");
            }
            return value;
        });
    }

    /** Names the unit of the number. */
    public Parameter in(String unit) {
        return new Parameter(name, type, help, unit, fallback, required, isArguments, example, content);
    }

    /** Says that the texts become arguments of a program. {@code diperf check} warns of secrets in them. */
    public Parameter asArguments() {
        return new Parameter(name, type, help, unit, fallback, required, true, example, content);
    }

    /**
     * Gives an example, which {@code diperf init} writes into new experiment files: as a value if the parameter is required,
     * as a comment otherwise.
     *
     * @param value YAML as it stands behind the name, or in the lines below it if it has several
     */
    public Parameter suchAs(String value) {
        requireNonNull(value, "value");
        return new Parameter(name, type, help, unit, fallback, required, isArguments, value, content);
    }
}
