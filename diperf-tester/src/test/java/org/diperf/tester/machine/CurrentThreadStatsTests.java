package org.diperf.tester.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class CurrentThreadStatsTests {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"12 345 6|0|12", "12 345 6|1|345", "12 345 6|2|6", "12 345 6|3|-1", "12 |1|-1", "|0|-1", "x|0|-1"})
    void aNumberIsFoundByItsPlace(String text, int place, long number) {
        byte[] bytes = text == null ? new byte[0] : text.getBytes(StandardCharsets.US_ASCII);
        assertThat(CurrentThreadStats.number(bytes, bytes.length, place)).isEqualTo(number);
    }

    @Test
    void aThreadThatComputesIsBusy() {
        CurrentThreadStats thread = CurrentThreadStats.open();
        assumeTrue(thread != null, "this kernel reports nothing about threads");
        try (thread) {
            long sum = 0;
            long busy;
            long took;
            // Nothing is known of a time in which this loop, or anything else, is compiled.
            do {
                thread.mark();
                long from = System.nanoTime();
                while (System.nanoTime() - from < 20_000_000) {
                    sum += System.nanoTime() & 1;
                }
                busy = thread.sinceMark();
                took = System.nanoTime() - from;
            } while (busy == ProcFiles.ABSENT);
            long later;
            do {
                later = thread.sinceMark();
            } while (later == ProcFiles.ABSENT);
            assertThat(sum).isNotNegative();
            // On a processor, or waiting for one.
            assertThat(busy).isBetween(10_000_000L, took + 20_000_000);
            assertThat(later).isBetween(0L, 20_000_000L);
        }
    }

    /** Threads wait for each other's. */
    @Test
    void nothingIsKnownWhileClassesAreLoaded() throws Exception {
        CurrentThreadStats thread = CurrentThreadStats.open();
        assumeTrue(thread != null, "this kernel or this JVM reports nothing about threads");
        try (thread) {
            thread.mark();
            Class.forName("java.util.concurrent.Phaser");
            assertThat(thread.sinceMark()).isEqualTo(ProcFiles.ABSENT);
        }
    }

    @Test
    void aStopOfAllThreadsIsTheThreadsToo() {
        CurrentThreadStats thread = CurrentThreadStats.open();
        JvmCounters jvm = JvmCounters.ofThisJvm();
        assumeTrue(thread != null && jvm != null, "this kernel or this JVM reports nothing about threads");
        try (thread) {
            long stops;
            long nanos;
            long since;
            do {
                thread.mark();
                stops = jvm.stops();
                nanos = jvm.stoppedNanos();
                System.gc();
                since = thread.sinceMark();
            } while (since == ProcFiles.ABSENT);
            assertThat(since).isGreaterThanOrEqualTo(jvm.stoppedNanos() - nanos);
            assertThat(jvm.stops()).isGreaterThan(stops);
            assertThat(jvm.stoppedNanos()).isGreaterThan(nanos);
        }
    }
}
