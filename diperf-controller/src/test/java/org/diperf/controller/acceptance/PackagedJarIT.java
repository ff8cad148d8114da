package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.diperf.controller.testbed.EmbeddedTesterJar;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The jar that users get: the tester in it, and its size. */
@Timeout(60)
class PackagedJarIT {

    private static final long MAX_BYTES = 40_000_000;

    private static final int PARTS_SHOWN = 15;

    /** Where a class says in which format it is. */
    private static final int FORMAT_AT = 6;

    private static final int JAVA_6 = 50;
    private static final int JAVA_8 = 52;

    @TempDir
    Path work;

    @Tag("quick")
    @Test
    void theTesterMadeOfItIsTheTestersOwnJar() throws Exception {
        Path own = Command.controllerJar().resolveSibling("diperf-tester.jar");
        EmbeddedTesterJar carried =
                EmbeddedTesterJar.in(Command.controllerJar()).orElseThrow();

        Path made = work.resolve("made.jar");
        carried.writeTo(made);

        assertThat(Files.mismatch(made, own)).isEqualTo(-1);
        assertThat(carried.size()).isEqualTo(Files.size(own));
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(own));
        assertThat(carried.sha256()).isEqualTo(HexFormat.of().formatHex(digest));
    }

    @Tag("quick")
    @Test
    void everyEntryIsThatOfTheControllersOwnJar() throws IOException {
        Path without = Command.controllerJar().resolveSibling("diperf-without-tester.jar");
        Set<String> ofTheTester = ofTheTester();
        try (JarFile before = new JarFile(without.toFile());
                JarFile whole = new JarFile(Command.controllerJar().toFile())) {
            List<? extends ZipEntry> entries = before.stream().toList();
            for (ZipEntry entry : entries) {
                ZipEntry now = whole.getEntry(entry.getName());
                assertThat(now).as(entry.getName()).isNotNull();
                try (InputStream first = before.getInputStream(entry);
                        InputStream second = whole.getInputStream(now)) {
                    byte[] was = first.readAllBytes();
                    if (!isRewritten(entry.getName(), was, ofTheTester)) {
                        assertThat(second.readAllBytes()).as(entry.getName()).isEqualTo(was);
                    }
                }
            }
            assertThat(whole.size()).isEqualTo(entries.size() + 2);
        }
    }

    /** A JVM keeps no class in its archives whose format is older than that of Java 6: every command would read it anew. */
    @Tag("quick")
    @Test
    void whatTheControllerAddsIsOfAFormatThatAJvmArchives() throws Exception {
        Path before = Command.controllerJar().resolveSibling("diperf-without-tester.jar");
        Set<String> ofTheTester = ofTheTester();
        List<String> rewritten = new ArrayList<>();
        try (JarFile jar = new JarFile(before.toFile())) {
            for (ZipEntry entry : jar.stream().toList()) {
                if (isRewritten(entry.getName(), bytes(jar, entry), ofTheTester)) {
                    rewritten.add(entry.getName());
                }
            }
        }
        assertThat(rewritten).contains("picocli/CommandLine.class", "org/apache/commons/math3/util/FastMath.class");
        try (JarFile jar = new JarFile(Command.controllerJar().toFile());
                URLClassLoader classes = new URLClassLoader(
                        new URL[] {Command.controllerJar().toUri().toURL()}, null)) {
            for (String name : rewritten) {
                assertThat(format(bytes(jar, jar.getEntry(name)))).as(name).isEqualTo(JAVA_8);
                // Verified, which the JVM does before it runs a class for the first time.
                Class.forName(name.replaceAll("\\.class$", "").replace('/', '.'), true, classes);
            }
        }
    }

    /** Whether an entry is a class of the old format; the tester's stay as they are. */
    private static boolean isRewritten(String name, byte[] content, Set<String> ofTheTester) {
        return name.endsWith(".class") && format(content) < JAVA_6 && !ofTheTester.contains(name);
    }

    private static Set<String> ofTheTester() throws IOException {
        Path jar = Command.controllerJar().resolveSibling("diperf-tester.jar");
        try (JarFile tester = new JarFile(jar.toFile())) {
            return tester.stream().map(ZipEntry::getName).collect(Collectors.toSet());
        }
    }

    private static int format(byte[] classFile) {
        return ByteBuffer.wrap(classFile).getShort(FORMAT_AT);
    }

    private static byte[] bytes(JarFile jar, ZipEntry entry) throws IOException {
        try (InputStream in = jar.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }

    @Tag("quick")
    @Test
    void itIsOf40MegabytesAtMost() throws IOException {
        assertThat(Files.size(Command.controllerJar()))
                .as("bytes of %s; its largest parts:%n%s", Command.controllerJar(), largestParts())
                .isLessThanOrEqualTo(MAX_BYTES);
    }

    @Tag("quick")
    @Test
    void theTesterHasNoLibraryOfParquet() throws IOException {
        Path tester = work.resolve("tester.jar");
        EmbeddedTesterJar.in(Command.controllerJar()).orElseThrow().writeTo(tester);
        try (JarFile jar = new JarFile(tester.toFile())) {
            assertThat(jar.stream().map(ZipEntry::getName).toList())
                    .contains("org/diperf/tester/TesterMain.class")
                    .noneMatch(name -> name.contains("parquet"));
        }
    }

    private static String largestParts() throws IOException {
        Map<String, Long> parts = new TreeMap<>();
        try (JarFile jar = new JarFile(Command.controllerJar().toFile())) {
            jar.stream().forEach(entry -> parts.merge(part(entry.getName()), entry.getCompressedSize(), Long::sum));
        }
        return parts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .limit(PARTS_SHOWN)
                .map(part -> String.format(Locale.ROOT, "%,12d %s", part.getValue(), part.getKey()))
                .collect(Collectors.joining("\n"));
    }

    /** The first three folders of a path. */
    private static String part(String name) {
        String[] folders = name.split("/");
        return folders.length <= 3 ? name : String.join("/", folders[0], folders[1], folders[2]);
    }
}
