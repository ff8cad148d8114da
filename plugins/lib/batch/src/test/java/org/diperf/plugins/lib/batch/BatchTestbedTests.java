package org.diperf.plugins.lib.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Place;
import org.diperf.core.testbeds.BareContext;
import org.diperf.plugins.lib.batch.BatchSnapshot.JobView;
import org.diperf.plugins.lib.batch.BatchSnapshot.Phase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is hard to bring about with a real system: jobs that are refused one by one, and questions that fail at the end. */
@Timeout(60)
class BatchTestbedTests {

    @TempDir
    Path folder;

    private final FakeSystem system = new FakeSystem();
    private BareContext run;
    private BatchTestbed testbed;

    @BeforeEach
    void open() {
        run = new BareContext(Parameters.read(List.of(), Map.of(), 0), folder);
        testbed = BatchTestbed.open(run, system, Duration.ofSeconds(60), new HandTime());
    }

    /** A job for each tester, which runs until it is cancelled. */
    private static final class FakeSystem implements BatchSystem {

        private final List<Integer> firstNumbers = new ArrayList<>();
        private final List<String> cancelled = new ArrayList<>();
        private Set<Integer> refusedTesters = Set.of();
        private int failingPolls;
        private boolean closed;

        @Override
        public String name() {
            return "Queue";
        }

        @Override
        public Submission submit(int firstNumber, List<Integer> testers) throws IOException {
            firstNumbers.add(firstNumber);
            List<Job> taken = new ArrayList<>();
            Map<Integer, String> refused = new HashMap<>();
            for (int i = 0; i < testers.size(); i++) {
                int number = firstNumber + i;
                int tester = testers.get(i);
                if (refusedTesters.contains(tester)) {
                    refused.put(tester, "no room");
                } else {
                    taken.add(new Job(number, "id-" + number, "job " + number, List.of(tester)));
                }
            }
            if (taken.isEmpty()) {
                throw new IOException("no room");
            }
            return new Submission(taken, refused);
        }

        @Override
        public BatchSnapshot poll(List<Job> jobs) throws IOException {
            if (failingPolls > 0) {
                failingPolls--;
                throw new IOException("no route to host");
            }
            Map<String, JobView> views = new HashMap<>();
            for (Job job : jobs) {
                boolean gone = cancelled.contains(job.id());
                views.put(
                        job.id(),
                        new JobView(
                                gone ? Phase.GONE : Phase.RUNNING, gone ? "was cancelled" : "node-" + job.number()));
            }
            return new BatchSnapshot(views, Map.of());
        }

        @Override
        public void cancel(List<Job> jobs) {
            jobs.forEach(job -> cancelled.add(job.id()));
        }

        @Override
        public Duration cancelling() {
            return Duration.ofSeconds(10);
        }

        @Override
        public String lastWords(int tester) {
            return "";
        }

        @Override
        public String lastWords(Job job) {
            return "";
        }

        @Override
        public void fetchLogs(Path into) {}

        @Override
        public void close() {
            closed = true;
        }
    }

    private void start(int... testers) throws Exception {
        List<Place> places = new ArrayList<>();
        for (int tester : testers) {
            places.add(Place.anywhere(tester));
        }
        testbed.start(places);
    }

    @Test
    void theNumberOfAJobThatWasNotTakenIsNotGivenAgain() throws Exception {
        system.refusedTesters = Set.of(2, 6);
        start(1, 2, 3, 4);
        assertThat(run.failed()).containsExactly("2: no room");
        start(5);
        assertThatThrownBy(() -> start(6)).isInstanceOf(IOException.class).hasMessage("no room");
        start(7);
        assertThat(system.firstNumbers).containsExactly(1, 5, 6, 7);
        testbed.close();
        assertThat(system.cancelled).containsExactly("id-1", "id-3", "id-4", "id-5", "id-7");
    }

    @Test
    void jobsAreCancelledAlsoWhereTheSystemCannotBeAskedForAMoment() throws Exception {
        start(1);
        system.failingPolls = 1;
        testbed.close();
        assertThat(system.cancelled).containsExactly("id-1");
        assertThat(run.logged())
                .contains("Queue cannot be queried about the jobs: no route to host", "Queue job 1 was cancelled");
        assertThat(system.closed).isTrue();
    }

    @Test
    void whereItCanNeverBeAskedAgainTheJobsAreCancelledAndNamed() throws Exception {
        start(1, 2);
        system.failingPolls = Integer.MAX_VALUE;
        assertThatThrownBy(testbed::close)
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "Queue has not ended [job 1, job 2]; last known problem: Queue cannot be queried about the jobs: "
                                + "no route to host");
        assertThat(system.cancelled).containsExactly("id-1", "id-2");
        assertThat(run.logged()).containsOnlyOnce("Queue cannot be queried about the jobs: no route to host");
        assertThat(system.closed).isTrue();
    }
}
