package org.diperf.plugins.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.diperf.plugins.lib.batch.HandTime.S;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Place;
import org.diperf.core.spi.SpoolLocation;
import org.diperf.core.spi.Testbed;
import org.diperf.core.testbeds.BareContext;
import org.diperf.plugins.lib.batch.HandTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A testbed whose Slurm is scripts, and whose time is the test's. */
@Timeout(120)
class SlurmTestbedTests {

    @TempDir
    Path folder;

    private final HandTime time = new HandTime();
    private FakeSlurm slurm;
    private BareContext run;
    private List<Path> pluginJars = List.of();

    private final class Context extends BareContext {

        Context() {
            super(Parameters.read(new SlurmPlugin().parameters(), Map.of(), 0), folder);
        }

        @Override
        public int testers() {
            return 2;
        }

        @Override
        public String ticket(int tester) {
            return "ticket of " + tester + "\nsecret";
        }

        @Override
        public List<Path> testerClassPath() {
            return List.of(folder.resolve("tester.jar"));
        }

        @Override
        public List<Path> pluginJars() {
            return pluginJars;
        }

        @Override
        public String java() {
            return "java";
        }

        @Override
        public List<String> jvm() {
            return List.of("-Xmx64m");
        }
    }

    @BeforeEach
    void installSlurm() throws IOException {
        slurm = new FakeSlurm(Files.createDirectories(folder.resolve("slurm")));
        Files.writeString(folder.resolve("tester.jar"), "the tester");
        run = new Context();
    }

    private static Settings settings() {
        Map<String, Object> with = Map.of("partition", "long", "wait", "60s");
        return Settings.of(Parameters.read(new SlurmPlugin().parameters(), with, 0));
    }

    private Testbed opened() throws Exception {
        return SlurmPlugin.open(run, settings(), slurm.login(), time);
    }

    /** Takes up what another controller has started. */
    private Testbed resumed(SpoolLocation... places) throws Exception {
        return SlurmPlugin.resume(run, settings(), slurm.login(), time, List.of(places));
    }

    private static SpoolLocation place(int tester, Path path) {
        return new SpoolLocation(tester, "this machine", path.toString(), "cp it");
    }

    /** Opens it and submits a job of so many testers. */
    private Testbed started(int testers) throws Exception {
        Testbed testbed = opened();
        testbed.start(
                IntStream.rangeClosed(1, testers).mapToObj(Place::anywhere).toList());
        return testbed;
    }

    /** Has job 41 run its testers on nodes n1, n2 and so on. */
    private void running(int testers) throws IOException {
        slurm.job("RUNNING", testers == 1 ? "n1" : "n[1-" + testers + "]", "None");
        StringBuilder nodes = new StringBuilder();
        for (int tester = 1; tester <= testers; tester++) {
            slurm.runs(tester, "n" + tester);
            nodes.append('n').append(tester).append(" alloc\n");
        }
        slurm.write("nodes", nodes.toString());
    }

    @Test
    void testersAreSubmittedAsOneJobWhoseTicketsOnlyTheUserCanRead() throws Exception {
        started(2);
        assertThat(slurm.read("sbatch.args"))
                .contains("--parsable", "--ntasks=2", "--partition=long", "--no-requeue")
                .endsWith(slurm.shared() + "/jobs/1.sh");
        assertThat(run.logged()).containsExactly("Slurm job 41 will start testers 1 to 2");
        Path ticket = slurm.shared().resolve("tickets/tester-2.ticket");
        assertThat(Files.readString(ticket)).isEqualTo("ticket of 2\nsecret\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(ticket)))
                .isEqualTo("rw-------");
        try (Stream<Path> tickets = Files.list(slurm.shared().resolve("tickets"))) {
            assertThat(tickets.map(each -> each.getFileName().toString()))
                    .containsExactlyInAnyOrder("tester-1.ticket", "tester-2.ticket");
        }
        assertThat(slurm.shared().resolve("diperf-tester.jar")).hasContent("the tester");
        assertThat(String.join("\n", slurm.read("sbatch.args"))).doesNotContain("secret");
    }

    @Test
    void pluginsOfOneNameAreBothThere() throws Exception {
        Path one = Files.createDirectory(folder.resolve("one")).resolve("x.jar");
        Path other = Files.createDirectory(folder.resolve("other")).resolve("x.jar");
        pluginJars = List.of(Files.writeString(one, "one"), Files.writeString(other, "other"));
        started(1);
        assertThat(slurm.shared().resolve("plugins/0-x.jar")).hasContent("one");
        assertThat(slurm.shared().resolve("plugins/1-x.jar")).hasContent("other");
        assertThat(slurm.shared().resolve("tester.sh"))
                .content()
                .contains("/plugins/0-x.jar' --plugin '", "/plugins/1-x.jar'");
    }

    @Test
    void withoutSlurmItCannotBeOpened() throws Exception {
        slurm.breaks("sinfo", "slurm_load: no controller");
        assertThatThrownBy(this::opened)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("expected sbatch, squeue, scancel and sinfo on this machine, got: ")
                .hasMessageContaining("slurm_load: no controller");
        assertThat(slurm.sharedFolders()).isEmpty();
    }

    @Test
    void aJobThatSlurmDoesNotTakeFailsAndClosingLeavesNothing() throws Exception {
        slurm.breaks("sbatch", "sbatch: error: invalid partition specified: long");
        Testbed testbed = opened();
        assertThatThrownBy(() -> testbed.start(List.of(Place.anywhere(1))))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "Slurm did not accept a job of 1 testers: sbatch: error: invalid partition specified: long");
        assertThat(slurm.shared().resolve("jobs/1.sh"))
                .as("what the last job would wait for")
                .doesNotExist();
        testbed.close();
        assertThat(slurm.sharedFolders()).isEmpty();
        assertThat(slurm.read("cancelled")).isEmpty();
    }

    @Test
    void withSeveralClustersTheJobsNumberIsWhatStandsFirst() throws Exception {
        slurm.write("sbatch.output", "41;west\n");
        started(1);
        assertThat(run.logged()).containsExactly("Slurm job 41 will start tester 1");
    }

    @Test
    void aTesterThatEndsWithAnErrorFailsWithItsLastWords() throws Exception {
        started(3);
        running(3);
        slurm.logs("tester-1.log", "one\ntwo\n");
        slurm.ended(1, 3);
        slurm.ended(2, 137);
        slurm.ended(3, 0);
        time.look(S);
        time.look(S);
        assertThat(run.failed())
                .containsExactly(
                        "1: its process on node n1 exited with code 3: one; two",
                        "2: its process on node n2 was killed by signal 9");
    }

    @Test
    void aTesterWhoseNodeFailsFails() throws Exception {
        started(2);
        running(2);
        slurm.write("nodes", "n1 down*\nn2 alloc\n");
        time.look(S);
        assertThat(run.failed()).containsExactly("1: its node n1 failed, according to Slurm (job 41)");
    }

    @Test
    void aNodeThatDoesNotAnswerIsToldOnceAndItsTesterStays() throws Exception {
        started(2);
        running(2);
        slurm.write("nodes", "n1 alloc*\nn2 alloc\n");
        time.look(S);
        time.look(S);
        assertThat(run.logged()).containsOnlyOnce("Slurm gets no response from node n1");
        assertThat(run.failed()).isEmpty();
    }

    @Test
    void aJobThatReachesItsTimeLimitFailsTheTestersThatAreLeft() throws Exception {
        started(2);
        running(2);
        slurm.ended(1, 0);
        time.look(S);
        slurm.job("TIMEOUT", "", "None");
        slurm.logs("job-1.log", "srun: Force Terminated\n");
        time.look(S);
        time.look(S);
        assertThat(run.failed())
                .containsExactly("2: Slurm job 41 reached its time limit (TIMEOUT): see testbed.time-limit"
                        + ": srun: Force Terminated");
        assertThat(run.logged())
                .containsOnlyOnce("Slurm job 41 reached its time limit (TIMEOUT): see testbed.time-limit");
    }

    @Test
    void ofAJobThatSlurmHasForgottenTheAccountingIsAsked() throws Exception {
        started(1);
        slurm.write("accounted", "OUT_OF_MEMORY\n");
        time.look(S);
        assertThat(run.failed()).containsExactly("1: Slurm job 41 exceeded its memory limit (OUT_OF_MEMORY)");
    }

    @Test
    void closingLeavesSamplesThatNobodyHasTaken() throws Exception {
        Testbed testbed = started(1);
        running(1);
        slurm.ended(1, 3);
        slurm.job("COMPLETED", "", "None");
        Path spool = Files.writeString(slurm.shared().resolve("spool/tester-1.spool"), "samples");
        testbed.close();
        assertThat(spool).hasContent("samples");
        try (Stream<Path> left = Files.list(slurm.shared())) {
            assertThat(left).containsExactly(spool.getParent());
        }
    }

    @Test
    void aResumedRunTakesUpTheFolderOfARunAndNoOther() throws Exception {
        Path home = Files.createDirectories(folder.resolve("slurm/home"));
        Path thesis = Files.writeString(home.resolve("thesis.tex"), "years");
        Files.createDirectory(home.resolve("spool"));
        Path run = home.resolve("diperf-1a2b3c4d/spool");
        for (SpoolLocation[] places : new SpoolLocation[][] {
            {place(1, home.resolve("spool/tester-1.spool"))},
            {place(1, home.resolve("diperf-1a2b3c4d/../spool/tester-1.spool"))},
            {place(1, run.resolve("tester-2.spool"))},
            {place(1, run.resolve("tester-1.spool")), place(2, home.resolve("spool/tester-2.spool"))}
        }) {
            assertThatThrownBy(() -> resumed(places).close())
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("expected a path such as /home/me/diperf-1a2b3c4d/spool/tester-");
            assertThat(thesis).exists();
        }
        resumed(place(1, run.resolve("tester-1.spool")), place(2, run.resolve("tester-2.spool")))
                .close();
        assertThat(thesis).exists();
    }

    @Test
    void ofAFolderThatIsNamedAsThatOfARunOnlyWhatARunMakesIsRemoved() throws Exception {
        Path projects = Files.createDirectories(folder.resolve("slurm/home/diperf-projects"));
        Path thesis = Files.writeString(projects.resolve("thesis.tex"), "years");
        Testbed testbed = resumed(place(1, projects.resolve("spool/tester-1.spool")));
        assertThatThrownBy(testbed::close)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(projects + " on this machine could not be removed");
        assertThat(thesis).exists();
    }

    @Test
    void aSpoolThatDoesNotComeWholeLeavesNothingHere() throws Exception {
        Testbed testbed = started(1);
        running(1);
        Path spool = slurm.shared().resolve("spool/tester-1.spool");
        Files.createDirectory(spool);
        Path into = Files.createDirectory(folder.resolve("into"));
        assertThat(testbed.bring(testbed.spools(), into).get(1)).contains("Is a directory");
        assertThat(into).isEmptyDirectory();
        Files.delete(spool);
        Files.writeString(spool, "samples");
        assertThat(testbed.bring(testbed.spools(), into)).isEmpty();
        Path brought = into.resolve("tester-1.spool");
        assertThat(brought).hasContent("samples");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(brought)))
                .isEqualTo("rw-------");
        assertThat(into).isDirectoryNotContaining("glob:**.part");
    }

    @Test
    void aFileMayTakeLongerThanAnAnswer() throws Exception {
        LoginNode slow = new LoginNode("this machine", List.of("sh", "-c"), Duration.ofMillis(100));
        assertThatThrownBy(() -> slow.run("exec sleep 60"))
                .isInstanceOf(IOException.class)
                .hasMessage("this machine did not answer within 100ms");
        Path there = folder.resolve("there");
        assertThat(slow.run("sleep 0.3; cat >" + LoginNode.quoted(there.toString()), out -> out.write('x'))
                        .isGood())
                .isTrue();
        Path here = folder.resolve("here");
        try (OutputStream to = Files.newOutputStream(here)) {
            assertThat(slow.copy("sleep 0.3; cat " + LoginNode.quoted(there.toString()), to, 1)
                            .isGood())
                    .isTrue();
        }
        assertThat(here).hasContent("x");
    }

    @Test
    void aProgramThatAScriptLeavesBehindIsNotWaitedFor() throws Exception {
        // Java reads to the end of what has ended, unless it is waiting for more already.
        LoginNode.Answer answer = slurm.login().run("echo wrong >&2; sleep 1000 >&2 & echo $!; sleep 0.3; exit 3");
        ProcessHandle.of(Long.parseLong(answer.output().strip())).ifPresent(ProcessHandle::destroyForcibly);
        assertThat(answer.exitCode()).isEqualTo(3);
        assertThat(answer.errors()).isEqualTo("wrong\n");
    }

    @Test
    void aJobWhoseNumberCannotBeNotedIsCancelled() throws Exception {
        Testbed testbed = opened();
        // In place of a disk that is full.
        Files.createDirectory(slurm.shared().resolve("jobs/1.id"));
        assertThatThrownBy(() -> testbed.start(List.of(Place.anywhere(1))))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("Slurm did not accept a job of 1 testers: ")
                .hasMessageContaining("1.id");
        assertThat(slurm.read("cancelled")).containsExactly("--quiet 41");
        assertThat(slurm.shared().resolve("jobs/1.sh")).doesNotExist();
    }

    @Test
    void whatALogInNodeSaysIsTakenUpToALimitThatIsTold() throws Exception {
        assertThatThrownBy(() -> slurm.login().run("head -c 34000000 /dev/zero; sleep 60"))
                .isInstanceOf(IOException.class)
                .hasMessage("expected at most 33554432 bytes from this machine, got more; the rest was not read");
        LoginNode.Answer loud = slurm.login().run("head -c 100000 /dev/zero | tr '\\0' x >&2; exit 4");
        assertThat(loud.exitCode()).isEqualTo(4);
        assertThat(loud.errors()).hasSizeLessThan(66_000).endsWith("x... (34464 more bytes omitted)");
    }

    @Test
    void aJobThatCannotBeEndedIsNamedAndTheFolderIsRemoved() throws Exception {
        slurm.write("stubborn", "");
        time.waitsTake(10 * S);
        Testbed testbed = started(1);
        running(1);
        assertThatThrownBy(testbed::close).isInstanceOf(IOException.class).hasMessage("Slurm has not ended [job 41]");
        assertThat(slurm.sharedFolders()).isEmpty();
    }
}
