package org.diperf.core.data;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.diperf.core.data.RowScanner.Malformed;
import org.diperf.core.spi.Utf8InputStream;
import org.diperf.core.spi.Utf8InputStream.NotUtf8;

/**
 * Rows of a data file by their numbers. Thread-safe: nothing changes once it is open.
 *
 * <p>Memory: 8 bytes of heap for each 64 rows; the file itself is mapped, so that its pages are the kernel's, are there once
 * for all processes of a machine, and are given up when memory is short.
 */
public final class DataFile {

    private static final int ROWS_A_MARK = 64;
    private static final int SEGMENT_BITS = 30;
    private static final int SEGMENT_MASK = (1 << SEGMENT_BITS) - 1;

    private final Path file;
    private final List<String> columns;
    private final long rows;
    private final long size;
    private final long[] marks;
    private final MappedByteBuffer[] segments;

    private DataFile(Path file, List<String> columns, long rows, long size, long[] marks, MappedByteBuffer[] segments) {
        this.file = file;
        this.columns = columns;
        this.rows = rows;
        this.size = size;
        this.marks = marks;
        this.segments = segments;
    }

    /**
     * Reads a file through, checks that each row has as many values as the header, and maps it.
     *
     * @param file UTF-8, with or without a byte order mark
     * @throws IOException when there is no such file, or it has a fault: with the line, what was wanted and what was found
     */
    public static DataFile open(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + ": expected a data file, got none; check the path");
        }
        long[] marks = new long[16];
        List<String> columns = List.of();
        long rows = 0;
        long at = 0;
        try (InputStream in = new BufferedInputStream(new Utf8InputStream(Files.newInputStream(file)), 1 << 16)) {
            in.mark(3);
            if (in.read() == 0xEF && in.read() == 0xBB && in.read() == 0xBF) {
                at = 3;
            } else {
                in.reset();
            }
            RowScanner header = new RowScanner(true, 1);
            RowScanner scanner = header;
            long begin = at;
            boolean over = false;
            while (!over) {
                int octet = in.read();
                over = octet < 0;
                at += over ? 0 : 1;
                boolean ended = over ? scanner.end() : scanner.take(octet);
                if (!ended) {
                    continue;
                }
                if (columns.isEmpty()) {
                    columns = columns(header.values());
                    scanner = new RowScanner(false, header.line());
                } else {
                    if (scanner.count() != columns.size()) {
                        throw new Malformed(
                                scanner.rowLine(),
                                "expected " + columns.size() + " values, one for each of " + columns + ", got "
                                        + scanner.count());
                    }
                    if (rows % ROWS_A_MARK == 0) {
                        int mark = (int) (rows / ROWS_A_MARK);
                        marks = mark == marks.length ? Arrays.copyOf(marks, 2 * mark) : marks;
                        marks[mark] = begin;
                    }
                    rows++;
                }
                begin = at;
            }
        } catch (Malformed | NotUtf8 e) {
            throw new IOException(file + ", " + e.getMessage(), e);
        }
        if (columns.isEmpty()) {
            throw new IOException(
                    file + ": expected a header row with column names, got an empty file; for example name,password");
        }
        if (rows == 0) {
            throw new IOException(file + ": expected rows after the header row, got none");
        }
        int used = (int) ((rows + ROWS_A_MARK - 1) / ROWS_A_MARK);
        return new DataFile(file, columns, rows, at, Arrays.copyOf(marks, used), map(file, at));
    }

    private static List<String> columns(List<String> header) throws Malformed {
        List<String> columns = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String name : header) {
            String column = name.strip();
            if (!column.matches("[A-Za-z_][A-Za-z0-9_ -]{0,63}")) {
                throw new Malformed(
                        1,
                        "expected column names of letters, digits, underscores and hyphens, got '" + column
                                + "'; the first row must contain the column names");
            }
            if (!seen.add(column)) {
                throw new Malformed(1, "expected unique column names, got '" + column + "' twice");
            }
            columns.add(column);
        }
        return List.copyOf(columns);
    }

    private static MappedByteBuffer[] map(Path file, long size) throws IOException {
        MappedByteBuffer[] segments = new MappedByteBuffer[(int) ((size >>> SEGMENT_BITS) + 1)];
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            for (int i = 0; i < segments.length; i++) {
                long from = (long) i << SEGMENT_BITS;
                segments[i] = channel.map(
                        FileChannel.MapMode.READ_ONLY, from, Math.min(1L << SEGMENT_BITS, Math.max(0, size - from)));
            }
        }
        return segments;
    }

    /** Lists the names of the columns, in their order. */
    public List<String> columns() {
        return columns;
    }

    /** Counts the rows, the header not among them; at least 1. */
    public long rows() {
        return rows;
    }

    /**
     * Reads a row; costs the reading of 32 others on average.
     *
     * @param number from 0 to {@link #rows} - 1
     * @return one value for each column
     */
    public String[] row(long number) {
        if (number < 0 || number >= rows) {
            throw new IllegalArgumentException(
                    "Expected a row from 0 to " + (rows - 1) + " of " + file + ", got " + number);
        }
        long at = marks[(int) (number / ROWS_A_MARK)];
        long left = number % ROWS_A_MARK;
        RowScanner scanner = new RowScanner(left == 0, 1);
        try {
            while (at <= size) {
                int octet = at == size ? -1 : segments[(int) (at >>> SEGMENT_BITS)].get((int) at & SEGMENT_MASK) & 0xff;
                at++;
                boolean ended = octet < 0 ? scanner.end() : scanner.take(octet);
                if (ended && left == 0) {
                    return scanner.values().toArray(String[]::new);
                }
                if (ended && --left == 0) {
                    scanner = new RowScanner(true, 1);
                }
            }
        } catch (Malformed e) {
            throw new IllegalStateException(file + " has changed since the run began: " + e.getMessage(), e);
        }
        throw new IllegalStateException(
                file + " has changed since the run began: row " + number + " is no longer there");
    }
}
