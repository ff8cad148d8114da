package org.diperf.plugins.emulated.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LinuxTests {

    private static final Path STATUS = Path.of("/proc/thread-self/stat");
    /** In proc(5) the 41st word; the second one, a name in brackets, may have spaces. */
    private static final int POLICY_AFTER_NAME = 41 - 3;

    private static String policy() throws Exception {
        String status = Files.readString(STATUS);
        return status.substring(status.lastIndexOf(')') + 2).split(" ")[POLICY_AFTER_NAME];
    }

    @Test
    void aThreadThatGoesFirstHasTheKernelsRealTimePolicyAndOthersHaveNot() throws Exception {
        assumeTrue(Epoll.isAvailable(), "needs Linux");
        assumeTrue("root".equals(System.getProperty("user.name")), "needs root");
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            String after = thread.submit(() -> {
                        Linux.goFirst();
                        return policy();
                    })
                    .get();
            assertThat(after).as("SCHED_FIFO").isEqualTo("1");
            assertThat(policy()).as("SCHED_OTHER").isEqualTo("0");
        } finally {
            thread.shutdown();
        }
    }
}
