package org.diperf.plugins.imports;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.spi.Utf8InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a CSV file row by row (RFC 4180, of any separator; line feeds with or without a carriage return), also one that gzip
 * packed. Confined to one thread.
 */
final class CsvReader implements Closeable {

    private static final int BUFFER = 1 << 16;
    private static final int LONGEST_ROW = 1 << 20;

    private static final char BYTE_ORDER_MARK = 0xFEFF;

    private final CountingInputStream file;
    private final Reader reader;
    private final char separator;
    private final char[] buffer = new char[BUFFER];
    private final StringBuilder field = new StringBuilder();
    private int at;
    private int end;
    private long line = 1;
    private long rowLine;
    private int rowLength;
    private boolean unended;

    CsvReader(Path path, char separator) throws IOException {
        this.separator = separator;
        this.file = new CountingInputStream(path);
        try {
            this.reader = new InputStreamReader(new Utf8InputStream(file.content()), StandardCharsets.UTF_8);
            at += peek() == BYTE_ORDER_MARK ? 1 : 0;
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    /** Returns the file, which knows how far it was read. */
    CountingInputStream file() {
        return file;
    }

    /** Returns whether the row that was read last has a quote that does not end before the file does. */
    boolean isUnended() {
        return unended;
    }

    /** Returns the line on which the row that was read last begins, from 1. */
    long rowLine() {
        return rowLine;
    }

    /** Returns the fields of the next row that is not empty; {@code null}: there is none. */
    @Nullable
    List<String> next() throws IOException {
        List<String> row = new ArrayList<>();
        int c = read();
        while (c == '\n' || c == '\r') {
            c = read();
        }
        if (c < 0) {
            return null;
        }
        rowLine = line;
        rowLength = 0;
        field.setLength(0);
        while (c >= 0 && c != '\n') {
            if (c == separator) {
                end(row);
            } else if (c == '"' && field.length() == 0) {
                quoted();
            } else if (c != '\r') {
                add((char) c);
            }
            c = read();
        }
        end(row);
        return row;
    }

    private void end(List<String> row) {
        row.add(field.toString());
        field.setLength(0);
    }

    private void quoted() throws IOException {
        int c = read();
        while (c >= 0) {
            if (c == '"') {
                if (peek() != '"') {
                    return;
                }
                read();
            }
            add((char) c);
            c = read();
        }
        unended = true;
    }

    /** A quote that never ends would else take the whole file for one field. */
    private void add(char c) throws IOException {
        if (++rowLength > LONGEST_ROW) {
            throw new IOException("line " + rowLine + ": expected a row of at most " + LONGEST_ROW
                    + " characters, got a longer one; look for an unclosed quote");
        }
        field.append(c);
    }

    private int read() throws IOException {
        int c = peek();
        if (c >= 0) {
            at++;
            line += c == '\n' ? 1 : 0;
        }
        return c;
    }

    private int peek() throws IOException {
        if (at == end) {
            end = Math.max(0, reader.read(buffer));
            at = 0;
            if (end == 0) {
                return -1;
            }
        }
        return buffer[at];
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
