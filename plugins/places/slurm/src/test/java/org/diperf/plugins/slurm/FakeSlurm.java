package org.diperf.plugins.slurm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Slurm's commands as scripts in a scratch folder, which say what their test has written into files next to them. */
final class FakeSlurm {

    private final Path folder;
    private final Path home;
    private final Path bin;

    FakeSlurm(Path folder) throws IOException {
        this.folder = folder;
        this.home = Files.createDirectories(folder.resolve("home"));
        this.bin = Files.createDirectories(folder.resolve("bin"));
        script("sinfo", """
                case "$1" in
                --version) echo slurm 23.11.4 ;;
                *) cat "$FAKE/nodes" 2>/dev/null ;;
                esac
                """);
        mends();
        script("sacct", "cat \"$FAKE/accounted\"\n");
        script("scancel", """
                echo "$@" >>"$FAKE/cancelled"
                [ -e "$FAKE/stubborn" ] || sed -i 's/|[A-Z]*|/|CANCELLED|/' "$FAKE/jobs"
                """);
        write("sbatch.output", "41\n");
        write("jobs", "");
    }

    private void script(String name, String body) throws IOException {
        Path script = Files.writeString(bin.resolve(name), "#!/bin/sh\n" + body);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Has a command end with an error. */
    void breaks(String name, String words) throws IOException {
        script(name, "echo '" + words + "' >&2\nexit 1\n");
    }

    /** Has sbatch and squeue answer. */
    void mends() throws IOException {
        script("sbatch", """
                printf '%s\\n' "$@" >"$FAKE/sbatch.args"
                cat "$FAKE/sbatch.output"
                """);
        script("squeue", "cat \"$FAKE/jobs\"\n");
    }

    /** Returns the shell that finds these commands before others. */
    LoginNode login() {
        return new LoginNode(
                "this machine",
                List.of(
                        "env",
                        "PATH=" + bin + ":/usr/local/bin:/usr/bin:/bin",
                        "HOME=" + home,
                        "FAKE=" + folder,
                        "sh",
                        "-c"));
    }

    void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }

    /** Has squeue say this of job 41. */
    void job(String state, String nodes, String reason) throws IOException {
        write("jobs", "41|" + state + "|N/A|" + nodes + "|" + reason + "\n");
    }

    List<String> read(String name) throws IOException {
        Path file = folder.resolve(name);
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    /** Returns the folder that the run's nodes share; fails where there is not exactly one. */
    Path shared() throws IOException {
        List<Path> found = sharedFolders();
        if (found.size() != 1) {
            throw new AssertionError("expected one shared folder, got " + found);
        }
        return found.get(0);
    }

    List<Path> sharedFolders() throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> all = Files.list(home)) {
            all.forEach(found::add);
        }
        return found;
    }

    /** Leaves what a task leaves that runs on a node. */
    void runs(int tester, String node) throws IOException {
        Files.writeString(shared().resolve("states/tester-" + tester + ".node"), node + "\n");
    }

    /** Leaves what a task leaves that has ended. */
    void ended(int tester, int exitCode) throws IOException {
        Files.writeString(shared().resolve("states/tester-" + tester + ".exit"), exitCode + "\n");
    }

    void logs(String name, String text) throws IOException {
        Files.writeString(shared().resolve("logs/" + name), text);
    }
}
