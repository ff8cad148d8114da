package org.diperf.analyzer;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.diperf.core.clock.ClockBounds;
import org.diperf.core.clock.Exchange;

/** Reads {@code clock.csv}: every exchange with the time server. */
final class ClockFile {

    private static final String HEADER =
            "tester,host,source,epoch,client_wall_ms,server_sent_ns,client_received_ns,client_sent_ns,"
                    + "server_received_ns";
    private static final int STAMPS = 4;

    private final Map<Integer, ClockBounds> bounds = new HashMap<>();
    private long unreadable;

    /** Reads the file; one that is not there has no exchanges. */
    static ClockFile read(Path file) throws IOException {
        ClockFile read = new ClockFile();
        if (!Files.exists(file)) {
            return read;
        }
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            String header = lines.readLine();
            if (header != null && !header.strip().equals(HEADER)) {
                throw new IOException(file + ": wanted the header " + HEADER + ", found " + header);
            }
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                read.add(line);
            }
        }
        return read;
    }

    /** The stamps are taken from the end of the line, so that a host's name may hold anything. */
    private void add(String line) {
        if (line.isBlank()) {
            return;
        }
        long[] stamps = new long[STAMPS];
        int end = line.length();
        try {
            for (int i = STAMPS - 1; i >= 0; i--) {
                int comma = line.lastIndexOf(',', end - 1);
                String field = line.substring(comma + 1, end).strip();
                stamps[i] = field.isEmpty() ? 0 : Long.parseLong(field);
                end = comma;
            }
            int tester = Integer.parseInt(line.substring(0, line.indexOf(',')).strip());
            bounds.computeIfAbsent(tester, key -> new ClockBounds())
                    .add(new Exchange(stamps[0], stamps[1], stamps[2], stamps[3]));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            // A controller that was killed leaves half a line; others are counted and reported.
            unreadable++;
        }
    }

    /** Gives the exchanges with a tester's clock. */
    ClockBounds of(int tester) {
        return bounds.getOrDefault(tester, new ClockBounds());
    }

    long unreadable() {
        return unreadable;
    }
}
