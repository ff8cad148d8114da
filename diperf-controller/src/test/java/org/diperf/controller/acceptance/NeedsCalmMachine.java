package org.diperf.controller.acceptance;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A test whose numbers need a machine that does little else, and that does little itself: it runs next to others of its kind
 * alone, and is skipped, with the reason, where other processes keep at least half a processor busy for
 * {@value Calm#PATIENCE_SECONDS} s.
 */
@Tag("calm")
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsCalmMachine.Calm.class)
@interface NeedsCalmMachine {

    /** Looks at the kernel's count of processor time before each test. */
    final class Calm implements ExecutionCondition {

        static final int PATIENCE_SECONDS = 20;

        private static final double MAX_BUSY_PROCESSORS = 0.5;
        private static final Path COUNTS = Path.of("/proc/stat");

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (context.getTestMethod().isEmpty()) {
                return enabled("each test is asked by itself");
            }
            try {
                double busy = 0;
                for (int second = 0; second < PATIENCE_SECONDS; second++) {
                    busy = busyProcessors();
                    if (busy < MAX_BUSY_PROCESSORS) {
                        return enabled("the machine is calm");
                    }
                }
                return disabled(String.format(
                        Locale.ROOT, "needs a calm machine: %.1f processors were busy with others", busy));
            } catch (IOException e) {
                return enabled("this system does not say how busy it is");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return enabled("interrupted");
            }
        }

        /** Measures for a second how many processors are busy, or taken away by the hypervisor, on average. */
        private static double busyProcessors() throws IOException, InterruptedException {
            long[] before = idleAndAll();
            TimeUnit.SECONDS.sleep(1);
            long[] after = idleAndAll();
            double all = Math.max(1, after[1] - before[1]);
            return Runtime.getRuntime().availableProcessors() * (1 - (after[0] - before[0]) / all);
        }

        /** Reads the ticks since boot in which processors were idle or waited for a disk, and all ticks, from proc(5). */
        private static long[] idleAndAll() throws IOException {
            String line = Files.readString(COUNTS, StandardCharsets.US_ASCII)
                    .lines()
                    .findFirst()
                    .orElseThrow(IOException::new);
            long[] ticks = Arrays.stream(line.trim().split("\\s+"))
                    .skip(1)
                    .limit(8)
                    .mapToLong(Long::parseLong)
                    .toArray();
            return new long[] {ticks[3] + ticks[4], Arrays.stream(ticks).sum()};
        }
    }
}
