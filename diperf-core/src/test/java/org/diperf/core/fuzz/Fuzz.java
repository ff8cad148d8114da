package org.diperf.core.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.provider.ArgumentsSource;

/**
 * A fuzz target: a method that takes bytes that may be anything, and fails when the parser does. It must be the last annotation
 * of its method, and the only one of its class, because the fuzzer runs one target a JVM. The limit of seconds is for one input.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Timeout(20)
@ExtendWith(FuzzRun.class)
@ExtendWith(ChangedInputs.class)
@ArgumentsSource(ChangedInputs.class)
@FuzzTest
public @interface Fuzz {

    /** How many inputs the unit tests try that are real ones changed at random; fewer where one takes long. */
    int changed() default 300;
}
