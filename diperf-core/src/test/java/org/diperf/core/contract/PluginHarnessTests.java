package org.diperf.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
class PluginHarnessTests {

    @TempDir
    Path folder;

    /** Waits for an answer that its service never gives. */
    public static final class WaitingClient implements BlockingClient {

        private boolean closed;

        @Override
        public void call(Call call) throws InterruptedException {
            new CountDownLatch(1).await();
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    void underADebuggerNothingIsGivenUp() {
        assertThat(PluginHarness.patience(Duration.ofSeconds(20), false)).isEqualTo(20_000);
        assertThat(PluginHarness.patience(Duration.ofSeconds(20), true)).isEqualTo(Long.MAX_VALUE);
    }

    /** Closing it would throw if the client's thread were still in the call. */
    @Test
    void aCallThatDoesNotEndAsksAboutTheServiceAndItsClientClosesAtOnce() throws Exception {
        Url target = Url.of("waiting://127.0.0.1:1");
        try (PluginHarness harness = new PluginHarness(
                Plugins.ofClass(WaitingClient.class),
                List.of(target),
                Map.of(),
                Duration.ofSeconds(5),
                folder,
                new JdkLoop(),
                Duration.ofSeconds(1))) {
            PluginHarness.Owned owned = harness.client(0);
            try (owned) {
                assertThatThrownBy(owned::call)
                        .isInstanceOf(TimeoutException.class)
                        .hasMessage("The call has not ended after 1 s: does the service in the test speak the client's"
                                + " protocol?");
            }
            assertThat(((WaitingClient) owned.client()).closed).isTrue();
        }
    }
}
