package org.diperf.plugins.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.diperf.core.spi.SpoolLocation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The scripts that run on nodes, carried out by this machine's shell. */
@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
class NodeScriptsTests {

    private static final String RUN = "0123456789abcdef";

    @TempDir
    Path work;

    private Path base;
    private Deployment.Site site;

    /** A base whose name the shell would take apart. */
    @BeforeEach
    void nameTheBase() {
        base = work.resolve("it's a node");
        site = new Deployment.Site(base.toString(), base + "/runs/" + RUN, "disk");
    }

    private String sh(Script script, String input) throws Exception {
        return sh(script, input, 0);
    }

    private String sh(Script script, String input, int exitCode) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", script.text())
                .redirectErrorStream(true)
                .start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isEqualTo(exitCode);
        return said;
    }

    private void clean(String at) throws Exception {
        Script clean = new Script("", "clean\n").using("clean.sh").using("lock.sh");
        sh(clean.with("base", at).with("run", RUN).with("cache", "remove"), "");
    }

    private String prepare(String folder, String... wanted) throws Exception {
        Script prepare = Script.named("prepare.sh")
                .using("lock.sh")
                .with("folder", folder)
                .with("run", RUN)
                .with("job", Script.resource("job.sh"))
                .with("expected", String.join("\n", wanted));
        return sh(prepare, "");
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private List<String> filesIn(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    /** Has the supervisor start testers that end with these codes, and then loses the connection. */
    private void superviseTestersThatEnd(int... codes) throws Exception {
        prepare(base.toString());
        // In place of Java: leaves samples where it is told to.
        Path java = Files.writeString(work.resolve("java"), """
                #!/bin/sh
                code=${1#-Dcode=}
                while [ $# -gt 0 ]; do
                    [ "$1" = --spool ] && mkdir -p "$2" && echo samples >"$2/tester-$code.spool"
                    shift
                done
                exit "$code"
                """);
        assertThat(java.toFile().setExecutable(true)).isTrue();
        StringBuilder jobs = new StringBuilder();
        for (int i = 0; i < codes.length; i++) {
            String script =
                    TesterCommand.script(i + 1, site, java.toString(), List.of("-Dcode=" + codes[i]), List.of());
            jobs.append("job ").append(TesterCommand.name(i + 1)).append('\n');
            script.lines().forEach(line -> jobs.append(' ').append(line).append('\n'));
            jobs.append("input\n ticket\nend\n");
        }
        Script supervise = Script.named("supervise.sh")
                .using("clean.sh")
                .using("lock.sh")
                .with("base", base.toString())
                .with("run", RUN)
                .with("cache", "remove");
        sh(supervise, jobs.toString());
    }

    @Test
    void aTesterWhoseControllerIsGoneLeavesItsSpoolAndNothingElse() throws Exception {
        superviseTestersThatEnd(3);
        assertThat(filesIn(base)).containsExactly("spool/" + RUN + "/tester-3.spool");
        assertThat(base.resolve("runs")).doesNotExist();
        assertThat(base.resolve("cache")).doesNotExist();
        assertThat(mode(base.resolve("spool"))).isEqualTo("rwx------");
    }

    @Test
    void oneThatFailedBeforeDoesNotKeepTheRestThere() throws Exception {
        superviseTestersThatEnd(1, 3);
        assertThat(base.resolve("runs")).doesNotExist();
        assertThat(filesIn(base)).contains("spool/" + RUN + "/tester-3.spool");
    }

    @Test
    void aControllerThatToldATesterToEndTakesTheRestItself() throws Exception {
        superviseTestersThatEnd(0, 3);
        assertThat(base.resolve("runs/" + RUN + "/tester-1.log")).exists();
        clean(base.toString());
        assertThat(base.resolve("runs")).doesNotExist();
        assertThat(filesIn(base)).contains("spool/" + RUN + "/tester-3.spool");
    }

    @Test
    void whatIsSafeElsewhereIsRemovedWithItsFolders() throws Exception {
        superviseTestersThatEnd(3);
        sh(
                Script.named("drop.sh")
                        .with("base", base.toString())
                        .with("spools", site.spools() + "/tester-3.spool\n" + site.spool(7)),
                "");
        assertThat(base).doesNotExist();
    }

    @Test
    void aFolderThatOthersUseKeepsItsModeAndGetsAPrivateOneInIt() throws Exception {
        Files.createDirectory(base);
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwxr-xr-x"));
        String said = prepare(base.toString());
        assertThat(mode(base)).isEqualTo("rwxr-xr-x");
        String inside = said.lines()
                .filter(line -> line.startsWith("base "))
                .findFirst()
                .orElseThrow()
                .substring(5);
        assertThat(Path.of(inside).getParent()).isEqualTo(base.toRealPath());
        assertThat(mode(Path.of(inside))).isEqualTo("rwx------");
        clean(inside);
        assertThat(base).isEmptyDirectory();
        assertThat(mode(base)).isEqualTo("rwxr-xr-x");
    }

    @Test
    void aFolderThatDidNotExistIsPrivateAndGoesAtTheEnd() throws Exception {
        prepare(base.toString());
        assertThat(mode(base)).isEqualTo("rwx------");
        clean(base.toString());
        assertThat(base).doesNotExist();
    }

    @Test
    void nothingIsHashedUnderTheLock() throws Exception {
        Path content = Files.writeString(work.resolve("content"), "content");
        String digest = sh(new Script("", "sha256sum <\"$file\"\n").with("file", content.toString()), "")
                .substring(0, 64);
        prepare(base.toString());
        Files.copy(content, base.resolve("cache/" + digest));
        Files.writeString(base.resolve("cache/" + "0".repeat(64)), "damaged");
        Script prepare = Script.named("prepare.sh")
                .using("lock.sh")
                .with("folder", base.toString())
                .with("run", RUN)
                .with("job", "")
                .with("expected", digest + "\n" + "0".repeat(64));
        String hashing = "sha256sum() { [ ! -d " + Script.quote(base + "/lock")
                + " ] || echo hashed under the lock; command sha256sum; }\n";
        String said = sh(new Script(hashing + prepare.variables(), prepare.body()), "");
        assertThat(said).doesNotContain("under the lock", digest).contains("missing " + "0".repeat(64));
        assertThat(filesIn(base.resolve("cache"))).containsExactly(digest);
    }

    @Test
    void aLockThatOthersTakeInTurnIsWaitedForAndOneOfADeadHolderIsBroken() throws Exception {
        String contended = "mkdir -p \"$base/lock\"; n=0\n"
                + "sleep() { n=$((n + 1)); echo other $n >\"$base/lock/holder\"; [ $n -lt 260 ] || rm -rf \"$base/lock\"; }\n"
                + "lock; echo $n; unlock; ls \"$base\"\n";
        assertThat(sh(new Script("", contended).using("lock.sh").with("base", base.toString()), ""))
                .isEqualTo("260\n");
        String dead = "mkdir -p \"$base/lock\"; echo dead >\"$base/lock/holder\"; n=0\n"
                + "sleep() { n=$((n + 1)); }\nlock; echo $n; unlock; ls \"$base\"\n";
        assertThat(Integer.parseInt(sh(new Script("", dead).using("lock.sh").with("base", base.toString()), "")
                        .strip()))
                .isBetween(200, 205);
    }

    @Test
    void aFullDiskKeepsNoLock() throws Exception {
        String full = "echo() { command echo \"$@\" >/dev/full; }\nlock; unlock\n";
        sh(new Script("", full).using("lock.sh").with("base", base.toString()), "");
        assertThat(base).isEmptyDirectory();
    }

    @Test
    void contentsThatCannotBeRegisteredAreNotToldToBeThere() throws Exception {
        Script prepare = Script.named("prepare.sh")
                .using("lock.sh")
                .with("folder", base.toString())
                .with("run", RUN)
                .with("job", "job")
                .with("expected", "");
        // Lines of what is wanted do not fit on the disk; all else does.
        String full = "printf() { [ \"$1\" = %s ] && command printf \"$@\" || command printf \"$@\" >/dev/full; }\n";
        String said = sh(new Script(full + prepare.variables(), prepare.body()), "", 1);
        assertThat(said).doesNotContain("base ");
        assertThat(base.resolve("lock")).doesNotExist();
    }

    @Test
    void aPlaceOfAnotherKindIsNoneOfThisTestbed() throws Exception {
        Deployment.Site known = Deployment.Site.of(new SpoolLocation(7, "node1", site.spool(7), "scp it"));
        assertThat(known.spool(7)).isEqualTo(site.spool(7));
        assertThat(known.base()).isEqualTo(site.base());
        assertThat(known.run()).isEqualTo(site.run());
        for (String path : List.of(
                site.spool(8),
                site.base() + "/spool/../spool/" + RUN + "x/tester-7.spool",
                "spool/" + RUN + "/tester-7.spool")) {
            assertThatThrownBy(() -> Deployment.Site.of(new SpoolLocation(7, "node1", path, "scp it")))
                    .isInstanceOf(IOException.class)
                    .hasMessage("expected a path such as /home/me/.diperf/spool/RUN/tester-7.spool, got " + path);
        }
    }
}
