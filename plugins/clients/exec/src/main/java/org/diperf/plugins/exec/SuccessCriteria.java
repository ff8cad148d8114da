package org.diperf.plugins.exec;

import java.util.Set;
import java.util.function.Supplier;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Regex;
import org.diperf.plugins.lib.process.ExitStatus;
import org.jspecify.annotations.Nullable;

/**
 * When a run counts as a success.
 *
 * @param codes the exit codes that do
 * @param stdout what must be found in its standard output, {@code null} for anything
 */
record SuccessCriteria(Set<Integer> codes, @Nullable Regex stdout) {

    private static final int MAX_CODE = 255;

    static final Parameter KEY = Parameter.optional(
                    "success", Type.MAPPING, "what counts as success; anything else fails the call")
            .of(
                    Parameter.optional("exit", Type.TEXTS, "exit code, or list of exit codes; default: 0")
                            .parsedBy(SuccessCriteria::code),
                    Parameter.optional(
                                    "stdout",
                                    Type.STRING,
                                    "regular expression that must match somewhere in its " + "output")
                            .parsedBy(Regex::compile))
            .suchAs("{ exit: [0, 3], stdout: \"^OK\" }");

    static SuccessCriteria of(Parameters with) {
        if (!with.has(KEY.name())) {
            return new SuccessCriteria(Set.of(0), null);
        }
        Parameters success = with.mapping(KEY.name());
        return new SuccessCriteria(
                success.has("exit") ? Set.copyOf(success.values("exit", Integer.class)) : Set.of(0),
                success.has("stdout") ? success.value("stdout", Regex.class) : null);
    }

    private static Integer code(String text) {
        if (text.matches("[0-9]{1,3}") && Integer.parseInt(text) <= MAX_CODE) {
            return Integer.valueOf(text);
        }
        throw new IllegalArgumentException("expected an exit code from 0 to 255, got '" + text + "'");
    }

    /** Says why a run was none, as a failure kind; {@code null} when it was. */
    @Nullable
    String failure(ExitStatus exit, Supplier<String> output) {
        if (exit.signal() != 0 || !codes.contains(exit.code())) {
            return exit.kind();
        }
        return stdout == null || stdout.find(output.get()) != null ? null : "stdout did not match";
    }
}
