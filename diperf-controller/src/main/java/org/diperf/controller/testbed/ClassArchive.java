package org.diperf.controller.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The classes of a jar as a JVM keeps them in memory (class-data sharing): with it a tester takes half the processor time
 * to join. The first JVM that is to use it lists the classes it loads, and a process in the background makes the archive of the list.
 * The JVM that reads it checks that it fits the JVM and the jar, and does without it where it does not. Immutable.
 *
 * @param file the archive; empty where the JVM makes none
 * @param jar that it is for
 */
public record ClassArchive(Path file, Path jar) {

    private static final String QUIET = "-Xlog:cds*=off";
    /** Flags by which a user says more of archives, or makes what an archive could not hold. */
    private static final List<String> OWN =
            List.of("-XX:SharedArchiveFile", "-XX:ArchiveClasses", "-Xshare", "-javaagent", "-agent");

    /**
     * It has its name when it is whole, and the time of its jar, by which the archive of an older one is known. Lists of processes that did not
     * come to their end go with it.
     */
    private static final String MAKE = """
            "$1" -XX:+UseG1GC -Xshare:dump "-XX:SharedClassListFile=$2" "-XX:SharedArchiveFile=$2.jsa" -cp "$4" || : >"$2.jsa"
            touch -r "$4" "$2.jsa" && mv -f "$2.jsa" "$3"
            rm -f "$3".*
            """;

    /**
     * Finds the archive for testers that run this plugin; it need not exist yet.
     *
     * @param java command of the testers
     * @param jvm their flags
     * @param classPath kept in the {@link TesterCache}
     * @return empty where there can be none: another Java than this one, one that shares no classes, flags of the user's own, no
     *     kept jar
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
                || !java.equals(java())) {
            return Optional.empty();
        }
        return Optional.of(new ClassArchive(folder.resolve(name(plugin)), jar));
    }

    /**
     * Finds the archive for a controller's jar; it need not exist yet.
     *
     * @return empty where there can be none: a JVM that shares no classes, no folder of this user alone
     */
    public static Optional<ClassArchive> find(Path jar) throws IOException {
        Optional<Path> home = TesterCache.home();
        if (home.isEmpty() || !System.getProperty("java.vm.info", "").contains("sharing")) {
            return Optional.empty();
        }
        // A JVM takes it only for the jar at this path.
        Path folder = home.get().resolve("classes-".concat(Integer.toHexString(jar.hashCode())));
        Path mine = Path.of(System.getProperty("user.home"));
        return TesterCache.isPrivate(home.get(), mine) && TesterCache.isPrivate(folder, mine)
                ? Optional.of(new ClassArchive(folder.resolve(name("controller")), jar))
                : Optional.empty();
    }

    /** Returns the file name of an archive of this JVM. */
    private static String name(String user) {
        // Two JVMs of one version need not have the same classes, such as Debian's and one that jlink has made of it.
        String name = String.join(
                "-",
                System.getProperty("java.vm.version"),
                System.getProperty("java.vendor"),
                Integer.toHexString(java().hashCode()),
                user);
        return name.replaceAll("[^A-Za-z0-9.+-]+", "_").toLowerCase(Locale.ROOT).concat(".jsa");
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Returns whether it is still to be made, for this jar. */
    public boolean isMissing() {
        return file.toFile().lastModified() != jar.toFile().lastModified();
    }

    /** Returns the flags of a JVM that uses it; none where it cannot. */
    public List<String> use() {
        return isMissing() || file.toFile().length() == 0
                ? List.of()
                : List.of("-Xshare:auto", "-XX:SharedArchiveFile=" + file, QUIET);
    }

    /** Returns the flags of a JVM that lists the classes it is to be made of. */
    public List<String> list() {
        return List.of("-XX:DumpLoadedClassList=" + classes(), QUIET);
    }

    private Path classes() {
        return file.resolveSibling(
                file.getFileName() + "." + ProcessHandle.current().pid());
    }

    /** Has it made, where this process, or one that it started, lists the classes. Returns at once. */
    public void make() {
        Path classes = classes();
        if (Files.exists(classes)) {
            try {
                DetachedProcess.start(
                        List.of("sh", "-c", MAKE, "sh", java(), classes.toString(), file.toString(), jar.toString()));
            } catch (IOException e) {
                // The next start is as slow as this one.
                return;
            }
        }
    }
}
