package org.diperf.analyzer.run;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.diperf.core.clock.ClockRow;
import org.diperf.core.clock.Corridor;
import org.diperf.core.clock.Epochs;
import org.diperf.core.folder.PlainFile;
import org.jspecify.annotations.Nullable;

/** Reads {@code clock.csv}: every exchange with the time server. Confined to one thread. */
public final class ClockFile {

    private final Epochs epochs = new Epochs();
    private final Map<Integer, Optional<Corridor>> corridors = new HashMap<>();
    private long unreadable;

    /** Returns one without any exchange. */
    public static ClockFile none() {
        return new ClockFile();
    }

    /** Reads the file; one that is not there has no exchanges. */
    public static ClockFile read(Path file) throws IOException {
        ClockFile read = new ClockFile();
        if (!Files.exists(file)) {
            return read;
        }
        try (BufferedReader lines = reader(file)) {
            String header = lines.readLine();
            if (header != null && !header.strip().equals(ClockRow.HEADER)) {
                throw new IOException(file + ": expected the header " + ClockRow.HEADER + ", got " + header
                        + "; analyse it with the DiPerF version that wrote it");
            }
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                read.add(line);
            }
        }
        return read;
    }

    /** What is no text becomes a character that no line may have, and is then one line that cannot be read. */
    private static BufferedReader reader(Path file) throws IOException {
        return new BufferedReader(
                new InputStreamReader(Channels.newInputStream(PlainFile.open(file)), StandardCharsets.UTF_8));
    }

    /**
     * Copies the lines that can be read, whatever the header says, and reads them.
     *
     * @return what was read, and how many lines could not be
     */
    public static ClockFile copyReadable(Path file, Path to) throws IOException {
        ClockFile read = new ClockFile();
        try (BufferedReader lines = reader(file);
                BufferedWriter out = Files.newBufferedWriter(to, StandardCharsets.UTF_8)) {
            out.write(ClockRow.HEADER + "\n");
            String first = lines.readLine();
            read.unreadable += first != null && !first.strip().equals(ClockRow.HEADER) ? 1 : 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                long before = read.unreadable;
                read.add(line);
                if (read.unreadable == before && !line.isBlank()) {
                    out.write(line + "\n");
                }
            }
        }
        return read;
    }

    private void add(String line) {
        if (line.isBlank()) {
            return;
        }
        try {
            ClockRow row = ClockRow.parse(line);
            epochs.add(row.tester(), row.epoch(), row.exchange(), row.source(), row.wallMillis());
        } catch (IllegalArgumentException e) {
            // A controller that was killed leaves half a line; others are counted and reported.
            unreadable++;
        }
    }

    /** Returns the corridor of a tester's clock; {@code null}: its clock is unknown. */
    public @Nullable Corridor corridor(int tester) {
        return corridors
                .computeIfAbsent(tester, number -> Corridor.of(epochs.of(number)))
                .orElse(null);
    }

    /** Counts the lines that could not be read. */
    public long unreadable() {
        return unreadable;
    }

    /** Counts exchanges with time servers whose clocks nothing connects with the controller's. */
    public long unusable() {
        return epochs.unusable();
    }
}
