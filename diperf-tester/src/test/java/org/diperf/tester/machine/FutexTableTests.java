package org.diperf.tester.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class FutexTableTests {

    @Test
    void thereIsABucketForEachThreadAndATableNeverShrinks() {
        int found = FutexTable.buckets();
        assumeTrue(found > 0, "this system has one table for all processes");
        // Other tests of this JVM may have made it larger than most machines have it.
        int size = Math.max(8_192, 2 * found);
        FutexTable.fit(256);
        assertThat(FutexTable.buckets()).isEqualTo(found);
        FutexTable.fit(size / 2 + 1);
        assertThat(FutexTable.buckets()).isEqualTo(size);
        FutexTable.fit(size / 2);
        assertThat(FutexTable.buckets()).isEqualTo(size);
        FutexTable.fit(size);
        assertThat(FutexTable.buckets()).isEqualTo(size);
    }
}
