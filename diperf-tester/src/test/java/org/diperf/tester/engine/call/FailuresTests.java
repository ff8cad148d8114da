package org.diperf.tester.engine.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class FailuresTests {

    /** What is logged goes to the standard error. */
    private static String logged(Throwable... thrown) {
        PrintStream before = System.err;
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try {
            for (Throwable each : thrown) {
                Failures.outcome(each);
            }
        } finally {
            System.setErr(before);
        }
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void whoWritesAClientIsToldOnceWhereItThrew() {
        RuntimeException bug = new IllegalStateException("an index that no client has");
        assertThat(logged(bug, bug, new IllegalStateException("an index that no client has")))
                .containsOnlyOnce("an index that no client has")
                .contains("at " + FailuresTests.class.getName());
    }

    @Test
    void ofAConnectionThatFailedNoPlaceIsTold() {
        assertThat(logged(new IOException("a peer that this test made up"))).doesNotContain("made up");
    }
}
