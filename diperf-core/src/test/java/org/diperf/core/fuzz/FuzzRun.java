package org.diperf.core.fuzz;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Starts the fuzzer with a seed that is printed, and with the least output. Refuses a second target in a class, which the fuzzer
 * would pass over in silence.
 */
final class FuzzRun implements ExecutionCondition {

    /** Set where the fuzzer searches, and not where kept inputs are replayed; 0 stands for a new seed. */
    private static final String SEED = "diperf.fuzz.seed";

    /** Where the fuzzer writes, whatever becomes of the tests' own output. */
    private static final PrintStream CONSOLE =
            new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);

    private static final String ARGUMENT = "jazzer.internal.arg.";

    /** Returns whether the fuzzer searches in this JVM, and does not only replay. */
    static boolean searches() {
        return System.getProperty(SEED) != null;
    }

    private static void start(Class<?> target) {
        int seed = Integer.getInteger(SEED, 0);
        int used = seed == 0 ? ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE) : seed;
        CONSOLE.println(target.getSimpleName() + " seed " + used);
        List<String> arguments = List.of("fuzz", "-seed=" + used, "-verbosity=0", "-print_final_stats=1");
        for (int i = 0; i < arguments.size(); i++) {
            System.setProperty(ARGUMENT + i, arguments.get(i));
        }
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        Class<?> target = context.getRequiredTestClass();
        long targets = Arrays.stream(target.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Fuzz.class))
                .count();
        if (targets != 1) {
            throw new ExtensionConfigurationException("Expected one fuzz target in a class, got " + targets + " in "
                    + target.getName() + ": give each a class of its own");
        }
        if (searches() && System.getProperty(ARGUMENT + 0) == null) {
            start(target);
        }
        return ConditionEvaluationResult.enabled("the one target of its class");
    }
}
