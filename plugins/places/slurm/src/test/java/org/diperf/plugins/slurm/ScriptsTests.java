package org.diperf.plugins.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The scripts of a run, carried out by this machine's shell with Slurm's commands played by others that say what Slurm said. */
@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
class ScriptsTests {

    @TempDir
    Path base;

    private Path folder;
    private Path commands;

    /** A folder whose name the shell would take apart. */
    @BeforeEach
    void lay() throws IOException {
        folder = Files.createDirectories(base.resolve("it's shared"));
        commands = Files.createDirectories(base.resolve("commands"));
        Files.createDirectory(base.resolve("tmp"));
        for (String part : List.of("jobs", "logs", "spool", "states", "tickets")) {
            Files.createDirectories(folder.resolve(part));
        }
    }

    private void command(String name, String script) throws IOException {
        Path file = Files.writeString(commands.resolve(name), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private String run(String script, Map<String, String> environment, String... arguments) throws Exception {
        return run(script, 0, environment, arguments);
    }

    private String run(String script, int exitCode, Map<String, String> environment, String... arguments)
            throws Exception {
        Path file = Files.writeString(base.resolve("script.sh"), script);
        List<String> words = new ArrayList<>(List.of("sh", file.toString()));
        words.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("PATH", commands + ":" + System.getenv("PATH"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isEqualTo(exitCode);
        return said;
    }

    private String tester(String command) throws Exception {
        Files.writeString(folder.resolve("jobs/1.testers"), "4\n7\n");
        Files.writeString(folder.resolve("tickets/tester-7.ticket"), "secret\n");
        return run(
                Scripts.tester(folder.toString(), command),
                Map.of("SLURM_PROCID", "1", "SLURMD_NODENAME", "n3", "TMPDIR", base + "/tmp"),
                "1");
    }

    @Test
    void aTaskStartsTheTesterOfItsNumberAndLeavesNothingButWhatItSays() throws Exception {
        String said = tester("echo ticket $(cat) with");
        assertThat(said).isEmpty();
        assertThat(folder.resolve("states/tester-7.node")).hasContent("n3\n");
        assertThat(folder.resolve("states/tester-7.exit")).hasContent("0\n");
        assertThat(folder.resolve("logs/tester-7.log")).content().startsWith("ticket secret with --folder ");
        assertThat(folder.resolve("tickets/tester-7.ticket")).doesNotExist();
        assertThat(base.resolve("tmp")).isEmptyDirectory();
    }

    @Test
    void theExitCodeOfATesterThatFailsIsKept() throws Exception {
        tester("sh -c 'exit 3'");
        assertThat(folder.resolve("states/tester-7.exit")).hasContent("3\n");
        assertThat(base.resolve("tmp")).isEmptyDirectory();
    }

    @Test
    void whatATesterLeavesStaysWhenItsOwnFolderGoes() throws Exception {
        tester(
                "sh -c 'while [ $# -gt 1 ]; do [ $1 = --spool ] && echo samples >\"$2/tester-7.spool\"; shift; done; exit 3' sh");
        assertThat(folder.resolve("spool/tester-7.spool")).hasContent("samples\n");
        assertThat(base.resolve("tmp")).isEmptyDirectory();
    }

    /** Runs the script of job 2, whose testers have ended with these codes and have left a spool. */
    private void jobWhoseTestersEndedWith(int... codes) throws Exception {
        command("srun", "exit 7");
        Files.writeString(folder.resolve("spool/tester-1.spool"), "samples");
        Files.writeString(folder.resolve("jobs/2.sh"), "");
        Files.writeString(folder.resolve("diperf-tester.jar"), "");
        for (int i = 0; i < codes.length; i++) {
            Files.writeString(folder.resolve("states/tester-" + (i + 1) + ".exit"), codes[i] + "\n");
        }
        run(Scripts.job(folder.toString(), 2) + "\n", 7, Map.of());
    }

    private List<String> filesLeft() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void aJobWhoseControllerIsGoneLeavesTheSpoolsAndNothingElse() throws Exception {
        jobWhoseTestersEndedWith(1, 3);
        assertThat(filesLeft()).containsExactly("spool/tester-1.spool");
        assertThat(folder.resolve("states")).doesNotExist();
    }

    @Test
    void aJobLeavesTheRestToAControllerThatIsThereAndToOtherJobs() throws Exception {
        jobWhoseTestersEndedWith(3, 0);
        assertThat(filesLeft()).contains("diperf-tester.jar", "states/tester-2.exit");
        Files.delete(folder.resolve("states/tester-2.exit"));
        Files.writeString(folder.resolve("jobs/3.sh"), "");
        jobWhoseTestersEndedWith(3);
        assertThat(filesLeft()).contains("diperf-tester.jar");
    }

    @Test
    void aJobWithoutSpoolsLeavesNothingWhenItsControllerIsGone() throws Exception {
        command("srun", "exit 7");
        Files.writeString(folder.resolve("jobs/2.sh"), "");
        Files.writeString(folder.resolve("states/tester-1.exit"), "3\n");
        run(Scripts.job(folder.toString(), 2), 7, Map.of());
        assertThat(folder).doesNotExist();
    }

    @Test
    void aJobStartsItsTasksSoThatOneThatFailsDoesNotEndTheOthers() throws Exception {
        command("srun", "echo \"cpus=$SRUN_CPUS_PER_TASK\"; for each in \"$@\"; do echo \"$each\"; done");
        String said = run(Scripts.job(folder.toString(), 2), Map.of("SLURM_CPUS_PER_TASK", "3"));
        assertThat(said.lines())
                .containsExactly(
                        "cpus=3",
                        "--no-kill",
                        "--kill-on-bad-exit=0",
                        "--wait=0",
                        "--input=none",
                        "--output=none",
                        "sh",
                        folder + "/tester.sh",
                        "2");
    }

    @Test
    void onePollAsksForTheJobsOfTheRunForTheirNodesAndForWhatTheTasksLeft() throws Exception {
        command("squeue", """
                cat <<'END'
                11|RUNNING|2026-11-21T09:00:00|other|None
                12|RUNNING|2026-11-21T10:00:00|n[1-2]|None
                123|PENDING|N/A||Priority
                13|PENDING|N/A||Resources
                END""");
        command(
                "sinfo",
                "for each in \"$@\"; do case $each in --nodes=*) echo \"asked ${each#--nodes=}\" >&2;; esac; done\n"
                        + "echo 'n1 mix'; echo 'n2 down*'");
        Files.writeString(folder.resolve("states/tester-1.node"), "n1\n");
        Files.writeString(folder.resolve("states/tester-2.node"), "n2\n");
        Files.writeString(folder.resolve("states/tester-1.exit"), "0\n");
        String said = run(Scripts.poll(folder.toString(), "12|13"), Map.of());
        assertThat(said).contains("asked n[1-2]");
        SlurmSnapshot poll = SlurmSnapshot.parse(said.replace("asked n[1-2]\n", ""));
        assertThat(poll.jobs()).containsOnlyKeys("12", "13");
        assertThat(poll.nodes()).containsEntry("n1", "mix").containsEntry("n2", "down*");
        assertThat(poll.nodeOf()).containsEntry(1, "n1").containsEntry(2, "n2");
        assertThat(poll.exitCodeOf()).containsOnlyKeys(1);
        assertThat(poll.nodeFailed(2, poll.jobs().get("12"))).isTrue();
        assertThat(poll.nodeFailed(1, poll.jobs().get("12"))).isFalse();
    }

    @Test
    void aPollBeforeAnyJobRunsHasNoNodesAndNoTasks() throws Exception {
        command("squeue", "echo '12|PENDING|N/A||Priority'");
        command("sinfo", "echo 'sinfo must not be asked' ; exit 1");
        SlurmSnapshot poll = SlurmSnapshot.parse(run(Scripts.poll(folder.toString(), "12"), Map.of()));
        assertThat(poll.nodes()).isEmpty();
        assertThat(poll.nodeOf()).isEmpty();
        assertThat(poll.jobs().get("12").waiting()).isEqualTo("Priority");
    }
}
