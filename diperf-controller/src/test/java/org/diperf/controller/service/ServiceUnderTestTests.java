package org.diperf.controller.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.core.experiment.ServiceSettings;
import org.diperf.core.run.Warning;
import org.diperf.core.spi.Host;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class ServiceUnderTestTests {

    private static final long SECOND = 1_000_000_000L;

    private final List<String> notes = new ArrayList<>();
    private final FakeHost host = new FakeHost();
    private long now;
    private @Nullable String interruption;

    /** A machine whose programs end and speak as the test says. */
    private final class FakeHost implements Host {

        final List<String> done = new ArrayList<>();
        /** All of them. */
        String words = "";

        long serviceEndsAt = Long.MAX_VALUE;
        int code;

        @Override
        public String name() {
            return "far";
        }

        @Override
        public String folder() {
            return "/run";
        }

        @Override
        public void put(Path local, String path) {
            done.add("put " + path);
        }

        @Override
        public Execution start(String command, Map<String, String> environment) throws IOException {
            done.add("start " + command);
            if (command.equals("broken")) {
                throw new IOException("no such program");
            }
            boolean service = command.equals("serve");
            return new Execution() {
                @Override
                public boolean ended() {
                    return !service || now >= serviceEndsAt;
                }

                @Override
                public int exitCode() {
                    return code;
                }

                @Override
                public String lastWords() {
                    return words.lines().reduce("", (before, last) -> last);
                }

                @Override
                public boolean hasWritten(String text) {
                    return words.contains(text);
                }

                @Override
                public void end(long graceNanos) {
                    done.add("end " + command);
                }
            };
        }
    }

    private ServiceUnderTest open(String start, String stop) throws Exception {
        ServiceSettings choice = new ServiceSettings(
                "far",
                start,
                "log:listening",
                Duration.ofSeconds(3),
                stop,
                List.of(Path.of("/home/me/data")),
                Map.of());
        return ServiceUnderTest.open(
                choice,
                host,
                new ServiceUnderTest.Context(
                        () -> now,
                        nanos -> {
                            now += nanos;
                            if (now >= 2 * SECOND) {
                                host.words += "listening\nand more\n";
                            }
                        },
                        () -> interruption,
                        notes::add,
                        phase -> {}));
    }

    @Test
    void aServiceIsDeployedStartedAndAwaited() throws Exception {
        try (ServiceUnderTest service = open("serve", "")) {
            assertThat(host.done).containsExactly("put data", "start serve");
            assertThat(service.summary()).contains("serve", "on far", "ready after 2.00 s");
            assertThat(service.died()).isEmpty();
        }
        assertThat(host.done).last().isEqualTo("end serve");
        assertThat(notes).last().asString().contains("was stopped");
    }

    @Test
    void aServiceThatEndsBeforeItIsReadyIsAnErrorWithItsLastWords() {
        host.serviceEndsAt = SECOND;
        host.code = 7;
        host.words = "cannot bind\n";
        assertThatThrownBy(() -> open("serve", ""))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContainingAll("exit with code 7", "cannot bind", "service.start");
        assertThat(host.done).last().isEqualTo("end serve");
    }

    @Test
    void anInterruptionEndsTheWaitAndTheService() {
        interruption = "by the user";
        assertThatThrownBy(() -> open("serve", "")).hasMessageContaining("by the user");
        assertThat(host.done).last().isEqualTo("end serve");
    }

    @Test
    void aServiceThatCannotBeStartedIsAnErrorWithTheReason() {
        assertThatThrownBy(() -> open("broken", ""))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("no such program");
    }

    @Test
    void aPageIsAskedForWhereTheServiceRuns() throws Exception {
        assertThat(Readiness.of("http://localhost/it's", host, false).missing()).isEmpty();
        assertThat(host.done.get(0))
                .isEqualTo("start curl -fsS -m 2 -o /dev/null 'http://localhost/it'\\''s'"
                        + " || wget -q -T 2 -O /dev/null 'http://localhost/it'\\''s'");
    }

    @ParameterizedTest
    @CsvSource({"tcp://my_service:80, true", "tcp://[::1]:80, false", "http://127.1/, false", "http://h/, true"})
    void aLoopbackAddressOfAnotherMachineIsNotSeenFromHere(String ready, boolean seen) {
        assertThat(Readiness.isSeenFromHere(Url.of(ready), false, false)).isEqualTo(seen);
    }

    @Test
    void theDeathOfTheServiceIsToldOnce() throws Exception {
        try (ServiceUnderTest service = open("serve", "")) {
            host.serviceEndsAt = now;
            host.code = 137;
            now += SECOND;
            assertThat(service.died())
                    .hasValueSatisfying(said -> assertThat(said)
                            .matches(Warning::isSuspect)
                            .asString()
                            .contains("137"));
            now += SECOND;
            assertThat(service.died()).isEmpty();
        }
        assertThat(notes).anyMatch(note -> note.contains("exited during the run"));
    }

    @Test
    void aServiceIsStoppedByItsOwnCommandFirst() throws Exception {
        open("serve", "halt").close();
        assertThat(host.done).containsExactly("put data", "start serve", "start halt", "end halt", "end serve");
    }

    @Test
    void aStartThatLeavesTheServiceInTheBackgroundIsNoDeath() throws Exception {
        host.serviceEndsAt = 0;
        try (ServiceUnderTest service = open("serve", "halt")) {
            now += SECOND;
            assertThat(service.died()).isEmpty();
        }
    }
}
