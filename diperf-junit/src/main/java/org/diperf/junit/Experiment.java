package org.diperf.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.diperf.core.spi.Client;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A test that carries out an experiment. It fails when a threshold fails or is undecided, when the run is cut short or when no
 * call succeeds.
 *
 * <pre>{@code
 * @Experiment("orders.yml")
 * void ordersKeepTheirGoals() {}
 *
 * @Experiment("orders.yml")
 * void nothingWasDropped(Analysis result) {
 *     assertEquals(0, result.summary().calls().dropped());
 * }
 *
 * @Experiment
 * void searchIsFast(Diperf.Run run) throws Exception {
 *     run.target(service.uri()).rate(200, ofSeconds(5)).threshold("response.p99 < 50ms").run();
 * }
 * }</pre>
 *
 * <p>A parameter of type {@link org.diperf.controller.Diperf.Run} leaves the start to the test, which sets what a file cannot know, such
 * as the port of a service, and calls {@code run()}; thresholds are judged when the test returns. Without one the
 * experiment runs before the test's first line, thresholds are judged, and a parameter of type {@link
 * org.diperf.analyzer.result.Analysis} is the result. {@code @BeforeEach} methods may take the {@code Diperf.Run} too.
 *
 * <p>The run directory is {@code target/diperf/CLASS.METHOD/}, replaced by the next run; the configuration parameter {@code
 * diperf.directory} names another folder than {@code target/diperf}. The report is attached to the test. Tests marked so never run
 * side by side, even where others do.
 */
@Test
@Tag("diperf")
@ResourceLock("org.diperf.experiment")
@ExtendWith(ExperimentExtension.class)
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface Experiment {

    /**
     * Names the experiment file: a path from the project's folder, or else a resource of the test's class path, such as {@code
     * src/test/resources/orders.yml} by the name {@code orders.yml}. Empty: there is none, and the test sets what to run.
     */
    String value() default "";

    /** Values that go over those of the file, such as {@code load.run-for=5s}. */
    String[] set() default {};

    /** A class of the tests or of the project that is the client; it need not be in {@code META-INF/services}. */
    Class<? extends Client> client() default Client.class;

    /** Where the testers run: {@code in-process}, or {@code local} for processes of their own. */
    String testbed() default "in-process";

    /** Whether a suspect verdict fails the test too. */
    boolean strict() default false;
}
