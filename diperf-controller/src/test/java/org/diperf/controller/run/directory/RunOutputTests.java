package org.diperf.controller.run.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.diperf.controller.progress.LiveStatus;
import org.diperf.controller.progress.Progress;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.core.experiment.Secrets;
import org.diperf.core.run.RunRecord.Event;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The door through which a run's texts leave. */
@Timeout(20)
class RunOutputTests {

    private static final String SECRET = "open-sesame";

    @TempDir
    Path folder;

    private final List<String> shown = new ArrayList<>();
    private Runnable whenShown = () -> {};
    private RunOutput output;

    private final class Shown implements Progress {
        @Override
        public void phase(String text) {
            shown.add(text);
        }

        @Override
        public void live(LiveStatus status) {}

        @Override
        public void log(String line) {
            shown.add(line);
            whenShown.run();
        }
    }

    @BeforeEach
    void open() {
        output = new RunOutput(() -> 0, new Secrets(Map.of("env:KEY", SECRET)), new Shown());
    }

    @Test
    void aTesterForgesNoLineAndControlsNoTerminal() throws Exception {
        String forged = "fine\n2026-01-01T00:00:00.000000Z  ended: COMPLETE\u001b[2J\r\u009b1A";
        try (RunDirectory directory = new RunDirectory(folder.resolve("run"), "")) {
            output.writeTo(directory);
            output.noteOf(1, forged);
            output.noteOfTestbed(forged);
            output.announce(forged);
            output.warn(forged);
            output.phase(forged);
            output.ended("COMPLETE");
        }
        List<String> log = Files.readAllLines(folder.resolve("run").resolve("run.log"));
        assertThat(log).hasSize(5).last().asString().endsWith("ended: COMPLETE");
        assertThat(log).filteredOn(line -> line.endsWith("ended: COMPLETE")).hasSize(1);
        assertThat(String.join("", log) + String.join("", shown)).matches("[^\\p{Cntrl}\u0080-\u009f]*");
        assertThat(output.events()).allMatch(event -> event.text().matches("[^\\p{Cntrl}\u0080-\u009f]*"));
    }

    @Test
    void whatIsUrgentIsShownBeforeTheDiskIsAskedToTakeIt() throws Exception {
        Path log = folder.resolve("run").resolve("run.log");
        List<Long> sizes = new ArrayList<>();
        try (RunDirectory directory = new RunDirectory(folder.resolve("run"), "")) {
            output.writeTo(directory);
            whenShown = () -> sizes.add(log.toFile().length());
            output.urge("the disk has taken nothing");
        }
        assertThat(sizes).containsExactly(0L);
        assertThat(log).content().contains("the disk has taken nothing");
    }

    @Test
    void thirtyThousandLinesOfATesterMakeASmallLogAndLeaveRoomForWhatTheControllerSaw() throws Exception {
        try (RunDirectory directory = new RunDirectory(folder.resolve("run"), "")) {
            output.writeTo(directory);
            for (int line = 0; line < 30_000; line++) {
                output.noteOf(1, "x".repeat(4_000));
            }
            output.ended("COMPLETE");
        }
        assertThat(Files.size(folder.resolve("run").resolve("run.log"))).isLessThan(300_000);
        assertThat(Files.readAllLines(folder.resolve("run").resolve("run.log")))
                .anyMatch(line -> line.endsWith("tester-1: 29,800 lines were dropped: too many at once"))
                .last()
                .asString()
                .endsWith("ended: COMPLETE");
        for (int line = 0; line < 10_000; line++) {
            output.noteOfTestbed("line");
        }
        output.note("what the controller saw");
        assertThat(output.events())
                .last()
                .satisfies(event -> assertThat(event.text()).isEqualTo("what the controller saw"));
    }

    @Test
    void whatWasChangedStandsAtItsInstantHoweverLateItIsTold() {
        AtomicLong now = new AtomicLong(100);
        output = new RunOutput(now::get, new Secrets(Map.of()), new Shown());
        output.begin(1_000);
        now.set(3_000);
        output.note("later");
        output.changed(2_500, "link bone: down");
        assertThat(output.events())
                .containsExactly(new Event(1_500, "link bone: down", true), new Event(2_000, "later", false));
    }

    @Test
    void aFailureShowsNoSecretAndNoControls() {
        RunFailedException failure =
                output.shown(new RunFailedException("expected this,\nfound " + SECRET + "\u001b[31m"));
        assertThat(failure).hasMessage("expected this,\nfound ***·[31m");
        RunFailedException plain = new RunFailedException("plain");
        assertThat(output.shown(plain)).isSameAs(plain);
    }
}
