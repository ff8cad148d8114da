package org.diperf.plugins.ssh;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Java of this machine that is sent to nodes without one.
 *
 * @param archive {@code .tar.gz}
 * @param major version, as its file {@code release} says
 * @param arch machine that it is for, as {@code uname -m} says it
 */
record JavaArchive(Path archive, int major, String arch) {

    private static final Pattern VERSION = Pattern.compile("JAVA_VERSION=\"(?:1\\.)?([0-9]+)");
    private static final Pattern ARCH = Pattern.compile("OS_ARCH=\"([^\"]+)\"");

    /**
     * Makes an archive of a folder with a Java, or takes an archive as it is.
     *
     * @param from folder with {@code bin/java}, or a {@code .tar.gz} of one
     * @param scratch where an archive may be made
     * @throws IOException when there is no Java in it
     */
    static JavaArchive of(Path from, Path scratch) throws IOException {
        if (Files.isDirectory(from)) {
            if (!Files.isExecutable(from.resolve("bin/java"))) {
                throw new IOException("testbed.runtime: expected a folder with bin/java, got none in " + from);
            }
            Path archive = scratch.resolve("runtime.tar.gz");
            // The same names, order and times give the same bytes, so that a node which has them gets them no more.
            tar(
                    "tar --sort=name --mtime=@0 --owner=0 --group=0 --dereference --ignore-failed-read"
                            + " --exclude=./src.zip --exclude=./jmods --exclude=./demo --exclude=./man"
                            + " -cf - -C \"$0\" . 2>/dev/null | gzip -1n >\"$1\"",
                    from.toString(),
                    archive.toString());
            Path release = from.resolve("release");
            return of(archive, Files.exists(release) ? Files.readString(release) : "", from);
        }
        if (!Files.isRegularFile(from)) {
            throw new IOException(
                    "testbed.runtime: expected a folder with a Java runtime or a .tar.gz archive of one, got "
                            + "nothing at "
                            + from.toAbsolutePath());
        }
        String release = tar(
                "name=$(tar -tzf \"$0\" | grep -E '^([^/]+/){0,3}release$' | head -n 1) && [ -n \"$name\" ]"
                        + " && tar -xzOf \"$0\" \"$name\"",
                from.toString());
        return of(from, release, from);
    }

    private static JavaArchive of(Path archive, String release, Path from) throws IOException {
        Matcher version = VERSION.matcher(release);
        Matcher arch = ARCH.matcher(release);
        if (!version.find() || !arch.find()) {
            throw new IOException(
                    "testbed.runtime: expected a Java runtime with its 'release' file, got none in " + from);
        }
        String machine = arch.group(1).equals("amd64") ? "x86_64" : arch.group(1);
        return new JavaArchive(archive, Integer.parseInt(version.group(1)), machine);
    }

    private static String tar(String script, String... arguments) throws IOException {
        List<String> command = new java.util.ArrayList<>(List.of("sh", "-c", script));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException("testbed.runtime: expected a .tar.gz of a Java runtime, got: "
                        + (said.isBlank() ? "no 'release' file in it" : said.strip()));
            }
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while archiving a Java runtime", e);
        }
        return said;
    }
}
