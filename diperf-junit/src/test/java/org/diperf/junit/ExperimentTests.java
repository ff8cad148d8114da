package org.diperf.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.fileEntry;
import static org.junit.platform.testkit.engine.EventConditions.finishedSuccessfully;
import static org.junit.platform.testkit.engine.EventConditions.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.diperf.analyzer.result.Analysis;
import org.diperf.controller.Diperf;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.OutputDirectoryCreator;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** What becomes of a test that is an experiment: the test classes in here run in an engine of their own. */
@Timeout(120)
class ExperimentTests {

    private static final String TARGET = "any://where";
    private static final Duration SHORT = Duration.ofMillis(300);

    @TempDir
    Path folder;

    private EngineExecutionResults results(Class<?> testClass) {
        return EngineTestKit.engine("junit-jupiter")
                .configurationParameter("diperf.directory", folder.toString())
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
                .outputDirectoryCreator(new Attachments(folder.resolve("attached")))
                .selectors(selectClass(testClass))
                .execute();
    }

    private static Throwable failure(EngineExecutionResults results, String method) {
        return results.testEvents().finished().stream()
                .filter(event -> event.getTestDescriptor().getDisplayName().startsWith(method + "("))
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .findFirst()
                .orElseThrow()
                .getThrowable()
                .orElseThrow(() -> new AssertionError(method + " passed"));
    }

    @Test
    void theResultIsAParameterAndTheReportIsAttached() throws Exception {
        // What an earlier build left gives way.
        Path run = Files.createDirectories(folder.resolve(Passing.class.getName() + ".fromAFile"));
        Files.writeString(run.resolve("experiment.yml"), "of an earlier run");

        EngineExecutionResults results = results(Passing.class);

        results.testEvents().assertStatistics(all -> all.started(4).succeeded(4));
        results.testEvents()
                .assertEventsMatchLooselyInOrder(
                        event(
                                test("fromAFile"),
                                fileEntry(entry ->
                                        entry.getPath().getFileName().toString().equals("report.html"))),
                        event(test("fromAFile"), finishedSuccessfully()));
        assertThat(run.resolve("report.html")).exists();
        assertThat(run.resolve("experiment.yml")).content().contains("any://where", "plugin: instant");
        assertThat(Passing.MOST.get()).as("experiments at a time").isEqualTo(1);
    }

    @Test
    void whatDoesNotHoldFailsTheTestAndSaysWhy() {
        EngineExecutionResults results = results(Failing.class);

        assertThat(failure(results, "brokenThreshold"))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("brokenThreshold: FAILED 1 of 2\n  failed  response.p50 > 1h: seen ")
                .hasMessageContaining(
                        "run directory  " + folder.resolve(Failing.class.getName() + ".brokenThreshold") + "\n");
        assertThat(failure(results, "undecidedThreshold"))
                .hasMessageStartingWith("undecidedThreshold: UNDECIDED 1 of 1\n  undecided  response.p50 < 5ms")
                .hasMessageContaining("what would settle it: a load generator that adds less");
        assertThat(failure(results, "failedCalls"))
                .hasMessageStartingWith("failedCalls: FAILED no call succeeded")
                .hasMessageContaining("report  ");
    }

    @Test
    void whatCannotBeRunSaysWhatToDo() {
        EngineExecutionResults results = results(Unusable.class);

        assertThat(failure(results, "neverRun"))
                .hasMessage("The test has a Diperf.Run parameter but ran no experiment: call its run()");
        assertThat(failure(results, "nothingToRun"))
                .hasMessageContaining("specify a file, or declare a parameter of type Diperf.Run");
        assertThat(failure(results, "noSuchFile"))
                .hasMessageContaining("no resource 'nosuch.yml' on the test's class path");
        assertThat(failure(results, "badExperiment")).hasMessageContaining("load.clients");
        assertThat(failure(results, "resultBeforeTheRun"))
                .hasMessageContaining("declare Analysis or Diperf.Run, not both");
    }

    @Test
    void aFolderThatNoRunHasLeftStays() throws Exception {
        Path mine = Files.createDirectories(folder.resolve(Unusable.class.getName() + ".neverRun"));
        Files.writeString(mine.resolve("thesis.tex"), "");
        assertThat(failure(results(Unusable.class), "neverRun")).hasMessageContaining("got other files in");
        assertThat(mine.resolve("thesis.tex")).exists();
    }

    /** Where tests may leave files. */
    private record Attachments(Path folder) implements OutputDirectoryCreator {

        @Override
        public Path getRootDirectory() {
            return folder;
        }

        @Override
        public Path createOutputDirectory(TestDescriptor test) throws IOException {
            return Files.createDirectories(folder.resolve(test.getLegacyReportingName()));
        }
    }

    /** Answers at once. */
    public static final class InstantClient implements BlockingClient {

        static final AtomicInteger CALLS_HERE = new AtomicInteger();

        @Override
        public void call(Call call) {
            CALLS_HERE.incrementAndGet();
            call.bytes(1);
        }
    }

    /** Never works. */
    public static final class BrokenClient implements BlockingClient {
        @Override
        public void call(Call call) {
            call.fail("broken");
        }
    }

    /** Takes 10 ms a call, nearly all of which it may have added itself. */
    public static final class UncertainClient implements BlockingClient {
        @Override
        public void call(Call call) throws InterruptedException {
            long sent = System.nanoTime();
            Thread.sleep(10);
            call.tookAtLeast(sent, sent + 1_000);
        }
    }

    static class Passing {

        static final AtomicInteger NOW = new AtomicInteger();
        static final AtomicInteger MOST = new AtomicInteger();

        private int callsBefore;

        @BeforeEach
        void begins() {
            callsBefore = InstantClient.CALLS_HERE.get();
            MOST.accumulateAndGet(NOW.incrementAndGet(), Math::max);
        }

        @AfterEach
        void ends() {
            NOW.decrementAndGet();
        }

        @Experiment(value = "instant.yml", client = InstantClient.class)
        void fromAFile(Analysis result) {
            assertThat(result.summary().calls().ok()).isEqualTo(20);
        }

        @Experiment(client = InstantClient.class)
        void started(Diperf.Run run) throws Exception {
            Analysis result = run.target(TARGET)
                    .rate(50, SHORT)
                    .threshold("failed == 0")
                    .threshold("calls.ok <= 15")
                    .run();
            assertThat(result.summary().calls().ok()).isEqualTo(15);
        }

        @Experiment(
                value = "src/test/resources/instant.yml",
                set = {"load.calls=10", "name=fewer"},
                client = InstantClient.class)
        void withoutParameters() {}

        @Experiment(value = "instant.yml", client = InstantClient.class, testbed = "local")
        void inAProcessOfItsOwn(Analysis result) {
            assertThat(result.summary().calls().ok()).isEqualTo(20);
            assertThat(InstantClient.CALLS_HERE.get())
                    .as("calls of this process")
                    .isEqualTo(callsBefore);
        }
    }

    static class Failing {

        @BeforeEach
        void load(Diperf.Run run) {
            run.target(TARGET).clients(2, SHORT);
        }

        @Experiment(client = InstantClient.class)
        void brokenThreshold(Diperf.Run run) throws Exception {
            run.threshold("response.p50 > 1h").threshold("failed == 0").run();
        }

        @Experiment(client = UncertainClient.class, set = "thresholds=[response.p50 < 5ms]")
        void undecidedThreshold() {}

        @Experiment(client = BrokenClient.class)
        void failedCalls(Analysis never) {
            throw new IllegalStateException("Not reached: the run failed");
        }
    }

    static class Unusable {

        @Experiment(client = InstantClient.class)
        void neverRun(Diperf.Run run) {}

        @Experiment
        void nothingToRun() {}

        @Experiment("nosuch.yml")
        void noSuchFile() {}

        @Experiment(value = "instant.yml", client = InstantClient.class, set = "load.clients=many")
        void badExperiment() {}

        @Experiment(value = "instant.yml", client = InstantClient.class)
        void resultBeforeTheRun(Diperf.Run run, Analysis result) {}
    }
}
