package org.diperf.core.spi;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Declares one parameter of a plugin. Files are checked against it before anything starts.
 *
 * @param name in the file, lower case with hyphens
 * @param type of its values
 * @param help description in one line
 * @param unit of a number, or empty
 * @param fallback the default as written in the file, {@code null} if there is none
 * @param required whether it must be given
 * @param allowed the allowed words, or empty for any
 * @param isArguments whether its texts become arguments of a program, which all users of the tester's machine can read
 * @param example a value as written in the file, for {@code diperf init}; {@code null} if there is none
 */
public record Parameter(
        String name,
        Type type,
        String help,
        String unit,
        @Nullable String fallback,
        boolean required,
        List<String> allowed,
        boolean isArguments,
        @Nullable String example) {

    /** What a parameter's value looks like in the file, and the type that {@link Parameters} returns for it. */
    public enum Type {
        /** A word or sentence; {@code ${...}} is filled in for every call. See {@link Text}. */
        TEXT("text"),
        /** A word or sentence, fixed for the run. */
        STRING("text, fixed for the run"),
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
        TEXTS("list of texts"),
        /** Names with texts. */
        TEXT_MAP("names with texts"),
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

    /** Declares a parameter without an example. */
    public Parameter(
            String name,
            Type type,
            String help,
            String unit,
            @Nullable String fallback,
            boolean required,
            List<String> allowed,
            boolean isArguments) {
        this(name, type, help, unit, fallback, required, allowed, isArguments, null);
    }

    /** Declares a parameter whose texts become no arguments. */
    public Parameter(
            String name,
            Type type,
            String help,
            String unit,
            @Nullable String fallback,
            boolean required,
            List<String> allowed) {
        this(name, type, help, unit, fallback, required, allowed, false);
    }

    public Parameter {
        requireNonNull(type, "type");
        requireNonNull(help, "help");
        requireNonNull(unit, "unit");
        allowed = List.copyOf(allowed);
        if (!name.matches("[a-z][a-z0-9-]{0,63}")) {
            throw new IllegalArgumentException(
                    "Parameter name '" + name + "': expected lower-case letters, digits and hyphens, at most 64");
        }
        if (required && fallback != null) {
            throw new IllegalArgumentException("Parameter '" + name + "' is required and has a default; drop one");
        }
    }

    /** Declares a parameter that must be given. */
    public static Parameter required(String name, Type type, String help) {
        return new Parameter(name, type, help, "", null, true, List.of());
    }

    /** Declares an optional parameter; without it {@link Parameters} has no value for it. */
    public static Parameter optional(String name, Type type, String help) {
        return new Parameter(name, type, help, "", null, false, List.of());
    }

    /** Declares a parameter with a default, as written in the file. */
    public static Parameter withDefault(String name, Type type, String fallback, String help) {
        return new Parameter(name, type, help, "", requireNonNull(fallback, "fallback"), false, List.of());
    }

    /** Restricts the parameter to these words. */
    public Parameter oneOf(String... words) {
        return new Parameter(name, type, help, unit, fallback, required, List.of(words), isArguments, example);
    }

    /** Names the unit of the number. */
    public Parameter in(String unit) {
        return new Parameter(name, type, help, unit, fallback, required, allowed, isArguments, example);
    }

    /** Says that the texts become arguments of a program. {@code diperf check} warns of secrets in them. */
    public Parameter asArguments() {
        return new Parameter(name, type, help, unit, fallback, required, allowed, true, example);
    }

    /**
     * Gives an example, which {@code diperf init} writes into new experiment files: as a value if the parameter is required,
     * as a comment otherwise.
     *
     * @param value YAML as it stands behind the name, or in the lines below it if it has several
     */
    public Parameter suchAs(String value) {
        return new Parameter(
                name, type, help, unit, fallback, required, allowed, isArguments, requireNonNull(value, "value"));
    }
}
