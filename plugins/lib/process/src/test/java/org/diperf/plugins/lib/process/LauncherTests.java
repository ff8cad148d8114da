package org.diperf.plugins.lib.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.diperf.core.clock.NanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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
            ExitStatus exit = launcher.start(program(output, input, "sh", "-c", "cat; printf \"$GREETING\"; exit 3"))
                    .await();
            assertThat(exit).isEqualTo(new ExitStatus(3, 0));
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
            ExitStatus exit = launcher.start(program(new ByteArrayOutputStream(), "", "sh", "-c", "kill -TERM $$"))
                    .await();
            assertThat(exit.kind()).isEqualTo("signal 15");
        }
    }

    @ParameterizedTest
    @MethodSource("launchers")
    void whatDoesNotExistCannotBeStarted(Launcher launcher) {
        try (launcher) {
            assertThatThrownBy(() -> launcher.start(program(new ByteArrayOutputStream(), "", "/no/such")))
                    .isInstanceOf(ProgramStartException.class)
                    .hasMessage("cannot start /no/such: no such file");
            assertThatThrownBy(() -> launcher.start(program(new ByteArrayOutputStream(), "", "/etc/passwd")))
                    .isInstanceOf(ProgramStartException.class)
                    .hasMessage("cannot start /etc/passwd: permission denied");
        }
    }

    @ParameterizedTest
    @MethodSource("launchers")
    void anInterruptKillsTheProgramAndItsChildren(Launcher launcher) throws Exception {
        CompletableFuture<Long> child = new CompletableFuture<>();
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        try (launcher) {
            RunningProgram running = launcher.start(new Program(
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
    void aProgramOfOneThreadHasABeginningAndAnEnd() throws Exception {
        try (Launcher launcher = Launcher.best();
                ReaperThread waiting = launcher.waiting()) {
            long before = NanoClock.SYSTEM.nanoTime();
            RunningProgram running = launcher.start(program(new ByteArrayOutputStream(), "", "sleep", "0.05"));
            running.await(waiting);
            long after = NanoClock.SYSTEM.nanoTime();
            assertThat(running.startedNanos()).isBetween(before, after);
            assertThat(running.endedNanos()).isBetween(before - 1_000_000_000L, after - ProgramTimes.WAKE_NANOS);
        }
    }

    @Test
    void aProgramThatEndedBeforeItWasWaitedForHasAnEndThatIsNoLaterThanThat() throws Exception {
        try (Launcher launcher = Launcher.best();
                ReaperThread waiting = launcher.waiting()) {
            RunningProgram running = launcher.start(program(new ByteArrayOutputStream(), "", "true"));
            ProcessHandle child = ProcessHandle.current().children().findAny().orElseThrow();
            while (child.info().command().isPresent()) {
                Thread.onSpinWait();
            }
            long ended = NanoClock.SYSTEM.nanoTime();
            running.await(waiting);
            assertThat(running.startedNanos()).isGreaterThanOrEqualTo(ended);
            assertThat(running.endedNanos()).isLessThan(running.startedNanos());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"head -c 100000 /dev/zero | wc -c >/dev/null; exit 0", "/bin/true; /bin/true; exit 0"})
    void theEndOfAProgramWithChildrenIsUnknown(String line) throws Exception {
        try (Launcher launcher = Launcher.best();
                ReaperThread waiting = launcher.waiting()) {
            RunningProgram running = launcher.start(program(new ByteArrayOutputStream(), "", "sh", "-c", line));
            assertThat(running.await(waiting)).isEqualTo(new ExitStatus(0, 0));
            assertThat(running.endedNanos()).isEqualTo(RunningProgram.UNKNOWN);
        }
    }

    @Test
    void whereNobodyAsksOrTheJdkStartsItTheEndIsUnknown() throws Exception {
        try (Launcher best = Launcher.best();
                Launcher jdk = Launcher.ofJdk();
                ReaperThread waiting = jdk.waiting()) {
            RunningProgram unasked = best.start(program(new ByteArrayOutputStream(), "", "true"));
            unasked.await();
            RunningProgram ofJdk = jdk.start(program(new ByteArrayOutputStream(), "", "true"));
            ofJdk.await(waiting);
            assertThat(unasked.endedNanos()).isEqualTo(RunningProgram.UNKNOWN);
            assertThat(ofJdk.endedNanos()).isEqualTo(RunningProgram.UNKNOWN);
        }
    }

    @Test
    void theWaitsOfARunningProgramAreKnownWhileItHasNeitherThreadsNorChildren() throws Exception {
        assertThat(waitsAtTheFirstLine("echo done; exit 0")).isBetween(0L, 60_000_000_000L);
        assertThat(waitsAtTheFirstLine("/bin/true; echo done; exit 0")).isEqualTo(RunQueueWait.UNKNOWN);
        assertThat(waitsAtTheFirstLine("sleep 0.5 & echo done; wait; exit 0")).isEqualTo(RunQueueWait.UNKNOWN);
    }

    private static long waitsAtTheFirstLine(String line) throws Exception {
        AtomicReference<RunQueueWait> waits = new AtomicReference<>();
        List<Long> nanos = new ArrayList<>();
        try (Launcher launcher = Launcher.best()) {
            RunningProgram running = launcher.start(new Program(
                    List.of("sh", "-c", line),
                    Map.of(),
                    new byte[0],
                    (bytes, length) -> nanos.add(waits.get().nanos())));
            waits.set(running.waits());
            running.await();
        }
        return nanos.get(0);
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
