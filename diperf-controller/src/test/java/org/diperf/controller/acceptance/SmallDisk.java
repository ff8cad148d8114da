package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small disk of its own, which can be filled. */
final class SmallDisk implements AutoCloseable {

    final Path path;
    private final Path filler;

    private SmallDisk(Path path) throws IOException {
        this.path = Files.createDirectory(path);
        this.filler = path.resolve("filler");
    }

    /** Mounts one, or has the test skipped. */
    static SmallDisk mount(Path path) throws IOException, InterruptedException {
        assumeTrue(canBeMounted(), "needs root to mount a small disk");
        SmallDisk disk = new SmallDisk(path);
        assumeTrue(
                execute("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", path.toString()) == 0,
                "needs to mount a small disk");
        return disk;
    }

    /** Returns whether this user may mount at all; a container may still forbid it. */
    static boolean canBeMounted() {
        return "root".equals(System.getProperty("user.name"));
    }

    private static int execute(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getInputStream().readAllBytes();
        return process.waitFor();
    }

    /** Leaves room for so many bytes at most. */
    void fill(int leave) throws IOException {
        Path reserved = Files.write(path.resolve("reserved"), new byte[leave]);
        try (var out = Files.newOutputStream(filler)) {
            byte[] some = new byte[4 << 10];
            while (true) {
                out.write(some);
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("space");
        }
        Files.delete(reserved);
    }

    void makeRoom() throws IOException {
        Files.delete(filler);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        execute("umount", "-l", path.toString());
    }
}
