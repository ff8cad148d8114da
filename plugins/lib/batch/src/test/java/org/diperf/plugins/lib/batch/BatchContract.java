package org.diperf.plugins.lib.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.diperf.plugins.lib.batch.HandTime.S;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Place;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedContext;
import org.diperf.core.testbeds.BareContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What every testbed does whose testers a batch system starts: with one tester, on a system that does what the test says. */
@Timeout(120)
public abstract class BatchContract {

    /** How long a job may wait. */
    protected static final Duration WAIT = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final HandTime time = new HandTime();
    private Rig rig;
    private BareContext run;

    /** A system in the hands of a test. What a method changes, the testbed sees when it looks next. */
    protected interface Rig extends AutoCloseable {

        /** Opens a testbed whose jobs may wait for {@link #WAIT}. */
        Testbed open(TestbedContext run, TestbedClock time) throws Exception;

        /** Has it take no jobs; returns its reason. */
        String refuses() throws Exception;

        /** Names the job of tester 1, with its system, once it is submitted: {@code Slurm job 41}. */
        String job() throws Exception;

        /** Has the job wait; returns the reason, which is another one each time. */
        String waits() throws Exception;

        /** Has tester 1 run; returns the node that is told of it. */
        String runs() throws Exception;

        /** Has the tester say two lines, "one" and "two". */
        void says() throws Exception;

        /** Has the tester end, and with it its job. */
        void ends(int exitCode) throws Exception;

        /** Has the system end the job; returns how it is told. */
        String endsJob() throws Exception;

        /** Has the system know nothing of the job any more. */
        void forgets() throws Exception;

        /** Has it answer no more questions; returns what is told in the log. */
        String goesAway() throws Exception;

        /** Has it answer again, and take jobs. */
        void comesBack() throws Exception;

        /** Has it end no job when it is asked to. */
        void isStubborn() throws Exception;

        /** Counts how often it was asked to end the job. */
        int cancelled() throws Exception;

        /** Lists what the run has left with the system. */
        List<String> left() throws Exception;
    }

    /** Makes one, with its files in a folder. */
    protected abstract Rig rig(Path folder) throws Exception;

    @BeforeEach
    void prepare() throws Exception {
        Files.writeString(folder.resolve("tester.jar"), "the tester");
        Files.createDirectories(folder.resolve("run"));
        rig = rig(Files.createDirectories(folder.resolve("system")));
        run = new BareContext(Parameters.read(List.of(), Map.of(), 0), folder.resolve("run")) {
            @Override
            public String ticket(int tester) {
                return "ticket of " + tester + "\nsecret";
            }

            @Override
            public List<Path> testerClassPath() {
                return List.of(folder.resolve("tester.jar"));
            }
        };
    }

    @AfterEach
    void close() throws Exception {
        rig.close();
    }

    private Testbed started() throws Exception {
        Testbed testbed = rig.open(run, time);
        testbed.start(List.of(Place.anywhere(1)));
        return testbed;
    }

    @Test
    void aJobThatWaitsIsToldOnceAndThenThatItRuns() throws Exception {
        try (Testbed testbed = started()) {
            assertThat(run.logged()).contains(rig.job() + " will start tester 1");
            String first = rig.waits();
            time.look(S);
            assertThat(run.announced()).isEmpty();
            time.look(3 * S);
            time.look(S);
            assertThat(run.announced()).containsExactly(rig.job() + " is waiting in the queue: " + first);
            String second = rig.waits();
            time.look(S);
            String node = rig.runs();
            time.look(S);
            time.look(S);
            assertThat(run.announced())
                    .containsExactly(
                            rig.job() + " is waiting in the queue: " + first,
                            rig.job() + " is waiting in the queue: " + second,
                            rig.job() + " runs on " + node + " after 7s in the queue");
            assertThat(run.failed()).isEmpty();
            assertThat(testbed.patience()).isGreaterThan(WAIT);
            rig.ends(0);
        }
    }

    @Test
    void aJobThatWaitsForTooLongIsCancelledAndItsTesterFails() throws Exception {
        try (Testbed testbed = started()) {
            String why = rig.waits();
            time.look(60 * S);
            assertThat(rig.cancelled()).isZero();
            time.look(S);
            assertThat(rig.cancelled()).isEqualTo(1);
            time.look(S);
            String[] name = rig.job().split(" ", 2);
            assertThat(run.failed())
                    .containsExactly("1: " + name[0] + " kept " + name[1]
                            + " in its queue for 61s, longer than testbed.wait: " + why
                            + ". Raise testbed.wait, or request fewer resources");
            assertThat(testbed.spools()).hasSizeLessThan(2);
        }
        assertThat(rig.left()).isEmpty();
    }

    @Test
    void aTesterThatEndsWithAnErrorFailsWithItsLastWords() throws Exception {
        try (Testbed testbed = started()) {
            String node = rig.runs();
            time.look(S);
            rig.says();
            rig.ends(3);
            time.look(S);
            time.look(S);
            assertThat(run.failed())
                    .containsExactly("1: its process on node " + node + " exited with code 3: one; two");
            assertThat(testbed.survey()).isEmpty();
        }
    }

    @Test
    void aTesterThatASignalEndsFails() throws Exception {
        try (Testbed testbed = started()) {
            String node = rig.runs();
            rig.ends(137);
            time.look(S);
            assertThat(run.failed()).hasSize(1);
            assertThat(run.failed().get(0)).startsWith("1: its process on node " + node + " was killed by signal 9");
            assertThat(testbed.survey()).isEmpty();
        }
    }

    @Test
    void aTesterThatEndsInOrderIsNoFailure() throws Exception {
        Testbed testbed = started();
        rig.runs();
        time.look(S);
        rig.says();
        rig.ends(0);
        time.look(S);
        assertThat(run.failed()).isEmpty();
        testbed.close();
        testbed.close();
        assertThat(folder.resolve("run/tester-1.log")).content().contains("one\ntwo\n");
        assertThat(rig.cancelled()).isZero();
        assertThat(rig.left()).isEmpty();
        assertThat(time.isWatched()).isFalse();
    }

    @Test
    void aJobThatTheSystemEndsFailsItsTester() throws Exception {
        try (Testbed testbed = started()) {
            rig.runs();
            time.look(S);
            String how = rig.endsJob();
            time.look(S);
            time.look(S);
            assertThat(run.failed()).hasSize(1);
            assertThat(run.failed().get(0)).startsWith("1: " + rig.job() + " " + how);
            assertThat(run.logged()).containsOnlyOnce(rig.job() + " " + how);
            assertThat(testbed.survey()).isEmpty();
        }
        assertThat(rig.left()).isEmpty();
    }

    @Test
    void aJobThatTheSystemHasForgottenHasEndedSomehow() throws Exception {
        try (Testbed testbed = started()) {
            rig.runs();
            time.look(S);
            rig.forgets();
            time.look(30 * S);
            assertThat(run.failed()).hasSize(1);
            assertThat(run.failed().get(0)).startsWith("1: " + rig.job() + " ended: ");
            assertThat(testbed.survey()).isEmpty();
        }
    }

    @Test
    void aSystemThatDoesNotAnswerIsToldOnceUntilItAnswersAgainAndCostsNoTester() throws Exception {
        try (Testbed testbed = started()) {
            rig.runs();
            time.look(S);
            String told = rig.goesAway();
            time.look(30 * S);
            time.look(30 * S);
            assertThat(run.logged()).containsOnlyOnce(told);
            rig.comesBack();
            time.look(30 * S);
            rig.goesAway();
            time.look(30 * S);
            assertThat(run.logged()).filteredOn(told::equals).hasSize(2);
            assertThat(run.failed()).isEmpty();
            rig.comesBack();
            rig.ends(0);
            assertThat(testbed.survey()).isEmpty();
        }
    }

    @Test
    void aJobThatIsNotTakenIsSaidWithTheReasonAndClosingLeavesNothing() throws Exception {
        String reason = rig.refuses();
        Testbed testbed = rig.open(run, time);
        assertThatThrownBy(() -> testbed.start(List.of(Place.anywhere(1))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(reason);
        testbed.close();
        assertThat(rig.left()).isEmpty();
        assertThat(rig.cancelled()).isZero();
    }

    @Test
    void whereAJobWasNotTakenTheNextOneMayBe() throws Exception {
        rig.refuses();
        try (Testbed testbed = rig.open(run, time)) {
            assertThatThrownBy(() -> testbed.start(List.of(Place.anywhere(2)))).isInstanceOf(IOException.class);
            rig.comesBack();
            testbed.start(List.of(Place.anywhere(1)));
            rig.runs();
            time.look(S);
            rig.ends(0);
        }
        assertThat(run.failed()).isEmpty();
        assertThat(rig.cancelled()).isZero();
        assertThat(rig.left()).isEmpty();
    }

    @Test
    void closingWaitsFiveSecondsAndThenCancels() throws Exception {
        Testbed testbed = started();
        rig.runs();
        time.look(S);
        long before = time.nanoTime();
        testbed.close();
        assertThat(rig.cancelled()).isEqualTo(1);
        assertThat(time.nanoTime() - before).isBetween(5 * S, 8 * S);
        assertThat(rig.left()).isEmpty();
        // The run is over: nobody waits for that tester.
        assertThat(run.failed()).isEmpty();
    }

    @Test
    void aJobThatCannotBeEndedIsNamed() throws Exception {
        rig.isStubborn();
        time.waitsTake(10 * S);
        Testbed testbed = started();
        rig.runs();
        String[] name = rig.job().split(" ", 2);
        assertThatThrownBy(testbed::close)
                .isInstanceOf(IOException.class)
                .hasMessage(name[0] + " has not ended [" + name[1] + "]");
    }
}
