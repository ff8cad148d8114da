package org.diperf.controller.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.diperf.core.folder.ScratchFolder;
import org.jspecify.annotations.Nullable;

/**
 * The tester's classes as a JVM keeps them in memory (class-data sharing): with it a tester takes half the processor time
 * to join. Made by the first tester that runs a plugin, when it exits; the JVM that reads it checks that it fits the JVM
 * and the jar, and does without it where it does not. Confined to one thread.
 *
 * @param file the archive, beside the jar that it is for
 */
record ClassArchive(Path file) {

    private static final long MAKING_SECONDS = 10;
    private static final String QUIET = "-Xlog:cds*=off";
    /** Flags by which a user says more of archives, or makes what an archive could not hold. */
    private static final List<String> OWN =
            List.of("-XX:SharedArchiveFile", "-XX:ArchiveClasses", "-Xshare", "-javaagent", "-agent");

    /**
     * Finds the archive for testers that run this plugin; it need not exist yet.
     *
     * @param java command of the testers
     * @param jvm their flags
     * @param classPath kept in the {@link TesterCache}
     * @return empty where there can be none: another Java than this one, one that has no archive of its own classes (with
     *     which a JVM that is to make one does not start), flags of the user's own, no kept jar
     */
    static Optional<ClassArchive> find(String java, List<String> jvm, List<Path> classPath, String plugin) {
        return find(java, jvm, classPath, plugin, System.getProperty("java.vm.info", ""));
    }

    static Optional<ClassArchive> find(
            String java, List<String> jvm, List<Path> classPath, String plugin, String vmInfo) {
        boolean ownFlags = jvm.stream().anyMatch(flag -> OWN.stream().anyMatch(flag::startsWith));
        Path jar = classPath.get(0);
        Path folder = jar.getParent();
        if (ownFlags
                || !vmInfo.contains("sharing")
                || classPath.size() != 1
                || folder == null
                || !jar.getFileName().toString().endsWith(".jar")
                || !java.equals(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString())) {
            return Optional.empty();
        }
        // Two JVMs of one version need not have the same classes, such as Debian's and one that jlink has made of it.
        String vm = System.getProperty("java.vm.version") + "-" + System.getProperty("java.vendor") + "-"
                + Integer.toHexString(java.hashCode());
        String name = (vm + "-" + plugin).replaceAll("[^A-Za-z0-9.+-]+", "_").toLowerCase(Locale.ROOT);
        return Optional.of(new ClassArchive(folder.resolve(name + ".jsa")));
    }

    boolean exists() {
        return Files.exists(file);
    }

    /** Returns the flags of a JVM that uses it. */
    List<String> use() {
        return List.of("-Xshare:auto", "-XX:SharedArchiveFile=" + file, QUIET);
    }

    /** Returns the flags of a JVM that makes it when it exits. */
    List<String> make(Path draft) {
        return List.of("-XX:ArchiveClassesAtExit=" + draft, QUIET);
    }

    /** Returns a name for an archive that is being made; nothing is there yet. */
    @Nullable
    Path draft() {
        try {
            Path draft = Files.createTempFile(file.getParent(), "new-", ".jsa");
            Files.delete(draft);
            return draft;
        } catch (IOException e) {
            return null;
        }
    }

    /**
     * Takes the archive over when its JVM has exited, at the latest when this process ends: nobody waits for it who has
     * something to do.
     *
     * @param scratch of the tester, closed when it has exited
     */
    void takeOver(Path draft, Process maker, ScratchFolder scratch) {
        Thread hook = new Thread(() -> await(draft, maker, scratch), "diperf-class-archive");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void await(Path draft, Process maker, ScratchFolder scratch) {
        try (scratch) {
            if (!maker.waitFor(MAKING_SECONDS, TimeUnit.SECONDS)) {
                maker.destroyForcibly().waitFor();
            } else if (maker.exitValue() == 0 && Files.exists(draft)) {
                Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
            }
            Files.deleteIfExists(draft);
        } catch (IOException e) {
            // The next run makes another one.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
