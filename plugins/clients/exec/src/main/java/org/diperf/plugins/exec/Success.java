package org.diperf.plugins.exec;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.diperf.plugins.lib.process.Exit;
import org.jspecify.annotations.Nullable;

/**
 * When a run counts as a success.
 *
 * @param codes the exit codes that do
 * @param stdout what must be found in its standard output, {@code null} for anything
 */
record Success(Set<Integer> codes, @Nullable Pattern stdout) {

    private static final int MAX_CODE = 255;

    /**
     * Reads the parameter {@code success}.
     *
     * @throws IllegalArgumentException when it is not of the shape {@code {exit: 0, stdout: REGEX}}
     */
    static Success of(Optional<Object> tree) {
        Object value = tree.orElse(Map.of());
        if (!(value instanceof Map<?, ?> map) || !Set.of("exit", "stdout").containsAll(map.keySet())) {
            throw new IllegalArgumentException(
                    "success: expected {exit: CODE or list of codes, stdout: REGEX}, got '" + value + "'");
        }
        Object exit = map.get("exit");
        Set<Integer> codes = new HashSet<>();
        for (Object code : exit == null ? List.of(0) : exit instanceof List<?> list ? list : List.of(exit)) {
            codes.add(code(code));
        }
        Object regex = map.get("stdout");
        try {
            return new Success(Set.copyOf(codes), regex == null ? null : Pattern.compile(regex.toString()));
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "success.stdout: expected a regular expression, got '" + regex + "': " + e.getDescription(), e);
        }
    }

    private static int code(Object code) {
        try {
            int value = Integer.parseInt(code.toString().strip());
            if (value >= 0 && value <= MAX_CODE) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            // said below
        }
        throw new IllegalArgumentException("success.exit: expected an exit code from 0 to 255, got '" + code + "'");
    }

    /** Says why a run was none, as a failure kind; {@code null} when it was. */
    @Nullable
    String failure(Exit exit, Supplier<String> output) {
        if (exit.signal() != 0 || !codes.contains(exit.code())) {
            return exit.kind();
        }
        return stdout == null || stdout.matcher(output.get()).find() ? null : "stdout did not match";
    }
}
