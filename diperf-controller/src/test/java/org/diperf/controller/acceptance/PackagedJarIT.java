package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.diperf.controller.testbed.CarriedTester;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The jar that users get: the tester in it, and its size. */
@Timeout(60)
class PackagedJarIT {

    private static final long MOST_BYTES = 35_000_000;

    private static final int PARTS_SHOWN = 15;

    @TempDir
    Path work;

    @Test
    void theTesterMadeOfItIsTheTestersOwnJar() throws Exception {
        Path own = Command.controllerJar().resolveSibling("diperf-tester.jar");
        CarriedTester carried = CarriedTester.in(Command.controllerJar()).orElseThrow();

        Path made = work.resolve("made.jar");
        carried.writeTo(made);

        assertThat(Files.mismatch(made, own)).isEqualTo(-1);
        assertThat(carried.size()).isEqualTo(Files.size(own));
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(own));
        assertThat(carried.sha256()).isEqualTo(HexFormat.of().formatHex(digest));
    }

    @Test
    void everyEntryIsThatOfTheControllersOwnJar() throws IOException {
        Path without = Command.controllerJar().resolveSibling("diperf-without-tester.jar");
        try (JarFile before = new JarFile(without.toFile());
                JarFile whole = new JarFile(Command.controllerJar().toFile())) {
            List<? extends ZipEntry> entries = before.stream().toList();
            for (ZipEntry entry : entries) {
                ZipEntry now = whole.getEntry(entry.getName());
                assertThat(now).as(entry.getName()).isNotNull();
                try (InputStream first = before.getInputStream(entry);
                        InputStream second = whole.getInputStream(now)) {
                    assertThat(second.readAllBytes()).as(entry.getName()).isEqualTo(first.readAllBytes());
                }
            }
            assertThat(whole.size()).isEqualTo(entries.size() + 2);
        }
    }

    @Test
    void itIsOf35MegabytesAtMost() throws IOException {
        assertThat(Files.size(Command.controllerJar()))
                .as("bytes of %s; its largest parts:%n%s", Command.controllerJar(), largestParts())
                .isLessThanOrEqualTo(MOST_BYTES);
    }

    @Test
    void theTesterHasNoLibraryOfParquet() throws IOException {
        Path tester = work.resolve("tester.jar");
        CarriedTester.in(Command.controllerJar()).orElseThrow().writeTo(tester);
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
