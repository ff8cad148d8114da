package org.diperf.tester.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class FutexTableTests {

    @Test
    void thereIsABucketForEachThreadAndATableNeverShrinks() {
        assumeTrue(FutexTable.buckets() > 0, "this system has one table for all processes");
        FutexTable.fit(5_000);
        assertThat(FutexTable.buckets()).isEqualTo(8_192);
        FutexTable.fit(100);
        assertThat(FutexTable.buckets()).isEqualTo(8_192);
        FutexTable.fit(8_193);
        assertThat(FutexTable.buckets()).isEqualTo(16_384);
        FutexTable.fit(0);
        assertThat(FutexTable.buckets()).isEqualTo(16_384);
    }
}
