package org.diperf.plugins.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processor time over processes that come and go. */
@Timeout(10)
class ProcessCpuTimeTests {

    private static ProcessFacts process(long pid, long parent, long start, long user, long waited, long threads) {
        return new ProcessFacts(pid, parent, start, user, 0, waited, ProcessFacts.ABSENT, threads, 1);
    }

    @Test
    void whatWasUsedBeforeTheFirstLookDoesNotCount() {
        ProcessCpuTime time = new ProcessCpuTime();
        time.look(List.of(process(1, 0, 5, 1_000, 0, 2)), 100);
        assertThat(time.totalSeconds()).isZero();
        time.look(List.of(process(1, 0, 5, 1_050, 0, 2)), 200);
        assertThat(time.totalSeconds()).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void aChildThatBeganSinceCountsFromItsBegin() {
        ProcessCpuTime time = new ProcessCpuTime();
        time.look(List.of(process(1, 0, 5, 0, 0, 2)), 100);
        time.look(List.of(process(1, 0, 5, 0, 0, 2), process(2, 1, 150, 30, 0, 1)), 200);
        assertThat(time.totalSeconds()).isCloseTo(0.3, within(1e-9));
    }

    @Test
    void anOldProcessThatIsNewHereCountsFromNowOn() {
        ProcessCpuTime time = new ProcessCpuTime();
        time.look(List.of(process(1, 0, 5, 0, 0, 2)), 100);
        time.look(List.of(process(1, 0, 5, 0, 0, 2), process(2, 1, 50, 30, 0, 1)), 200);
        assertThat(time.totalSeconds()).isZero();
    }

    @Test
    void theLastMomentsOfAChildAreFoundInWhatItsParentWaitedFor() {
        ProcessCpuTime time = new ProcessCpuTime();
        time.look(List.of(process(1, 0, 5, 0, 0, 2)), 100);
        time.look(List.of(process(1, 0, 5, 0, 0, 2), process(2, 1, 150, 30, 0, 1)), 200);
        time.look(List.of(process(1, 0, 5, 0, 45, 2)), 300);
        assertThat(time.totalSeconds()).isCloseTo(0.45, within(1e-9));
    }

    @Test
    void ofAProcessWithOneThreadTheSchedulersCountIsTaken() {
        ProcessCpuTime time = new ProcessCpuTime();
        time.look(List.of(new ProcessFacts(1, 0, 5, 10, 0, 0, 100_000_000, 1, 1)), 100);
        time.look(List.of(new ProcessFacts(1, 0, 5, 10, 0, 0, 103_000_000, 1, 1)), 200);
        assertThat(time.totalSeconds()).isCloseTo(0.003, within(1e-12));
    }

    @Test
    void aNumberThatIsUsedAgainIsAnotherProcess() {
        ProcessCpuTime time = new ProcessCpuTime();
        time.look(List.of(process(7, 1, 50, 500, 0, 1)), 100);
        time.look(List.of(process(7, 1, 150, 20, 0, 1)), 200);
        assertThat(time.totalSeconds()).isCloseTo(0.2, within(1e-9));
    }
}
