package org.diperf.plugins.lib.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class LauncherTests {

    static Stream<Launcher> launchers() {
        return Stream.of(Launcher.best(), Launcher.ofJdk());
    }

    private static Program program(ByteArrayOutputStream output, String input, String... command) {
        return new Program(
                List.of(command),
                Map.of("GREETING", "hello"),
                input.getBytes(StandardCharsets.UTF_8),
                (bytes, length) -> output.write(bytes, 0, length));
    }

    @Test
    void theBestLauncherOfThisMachineHasNoLimits() {
        try (Launcher launcher = Launcher.best()) {
            assertThat(launcher.limits()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("launchers")
    void aProgramGetsItsInputAndEnvironmentAndItsOutputIsTaken(Launcher launcher) throws Exception {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        String input = "x".repeat(300_000);
        try (launcher) {
            Exit exit = launcher.start(program(output, input, "sh", "-c", "cat; printf \"$GREETING\"; exit 3"))
                    .await();
            assertThat(exit).isEqualTo(new Exit(3, 0));
            assertThat(output.toString(StandardCharsets.UTF_8)).isEqualTo(input + "hello");
        }
    }

    @Test
    void textReachesTheProgramWhateverTheLocale() throws Exception {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        try (Launcher launcher = Launcher.best()) {
            launcher.start(program(output, "", "printf", "grüße")).await();
        }
        assertThat(output.toString(StandardCharsets.UTF_8)).isEqualTo("grüße");
    }

    @ParameterizedTest
    @MethodSource("launchers")
    void aSignalIsToldFromAnExit(Launcher launcher) throws Exception {
        try (launcher) {
            Exit exit = launcher.start(program(new ByteArrayOutputStream(), "", "sh", "-c", "kill -TERM $$"))
                    .await();
            assertThat(exit.kind()).isEqualTo("signal 15");
        }
    }

    @ParameterizedTest
    @MethodSource("launchers")
    void whatDoesNotExistCannotBeStarted(Launcher launcher) {
        try (launcher) {
            assertThatThrownBy(() -> launcher.start(program(new ByteArrayOutputStream(), "", "/no/such")))
                    .isInstanceOf(CannotStartException.class)
                    .hasMessage("cannot start /no/such: no such file");
            assertThatThrownBy(() -> launcher.start(program(new ByteArrayOutputStream(), "", "/etc/passwd")))
                    .isInstanceOf(CannotStartException.class)
                    .hasMessage("cannot start /etc/passwd: permission denied");
        }
    }

    @ParameterizedTest
    @MethodSource("launchers")
    void anInterruptKillsTheProgramAndItsChildren(Launcher launcher) throws Exception {
        CompletableFuture<Long> child = new CompletableFuture<>();
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        try (launcher) {
            Running running = launcher.start(new Program(
                    List.of("sh", "-c", "sleep 1000 & echo $!; wait"), Map.of(), new byte[0], (bytes, length) -> {
                        output.write(bytes, 0, length);
                        String text = output.toString(StandardCharsets.UTF_8);
                        if (text.endsWith("\n")) {
                            child.complete(Long.parseLong(text.strip()));
                        }
                    }));
            CountDownLatch interrupted = new CountDownLatch(1);
            Thread waiting = new Thread(() -> {
                try {
                    running.await();
                } catch (InterruptedException e) {
                    interrupted.countDown();
                }
            });
            waiting.start();
            ProcessHandle sleeping =
                    ProcessHandle.of(child.get(10, TimeUnit.SECONDS)).orElseThrow();
            waiting.interrupt();
            assertThat(interrupted.await(1, TimeUnit.SECONDS)).isTrue();
            // An orphan may stay a zombie where nobody reaps it; it then no longer has a command.
            sleeping.onExit()
                    .orTimeout(5, TimeUnit.SECONDS)
                    .exceptionally(e -> sleeping)
                    .join();
            assertThat(sleeping.info().command()).isEmpty();
        }
    }

    @Test
    void manyProgramsLeaveNoDescriptorsAndNoZombies() throws Exception {
        try (Launcher launcher = Launcher.best()) {
            launcher.start(program(new ByteArrayOutputStream(), "", "true")).await();
            int before = descriptors();
            for (int i = 0; i < 100; i++) {
                launcher.start(program(new ByteArrayOutputStream(), "in", "true"))
                        .await();
            }
            assertThat(ProcessHandle.current().children().count()).isZero();
            assertThat(descriptors()).isLessThan(before + 10);
        }
    }

    private static int descriptors() {
        String[] open = new File("/proc/self/fd").list();
        return open == null ? 0 : open.length;
    }
}
