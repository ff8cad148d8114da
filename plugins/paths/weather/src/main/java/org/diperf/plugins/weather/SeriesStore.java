package org.diperf.plugins.weather;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Series on disk: a file for each, a line for each record, its sequence number and its check sum. A record is on the disk before it is
 * acknowledged, and what a crash left half written is cut off when the file is next read. Of each series the latest records are kept; a file is
 * written anew, next to the old one, when it holds twice as many. Thread-safe.
 */
final class SeriesStore {

    static final int MAX_SERIES = 10_000;

    private static final String SUFFIX = ".series";
    private static final String NEW = ".new";
    private static final int MAX_NAME = 240;
    /** A longer file was not written here. */
    private static final long MAX_LINE = 200;

    private final Path folder;
    private final int kept;
    private final Map<String, Series> open = new HashMap<>();

    /** A record with the sequence number of its message. */
    record Kept(double sequence, String record) {}

    private static final class Series {

        private final Deque<Kept> latest = new ArrayDeque<>();
        private int lines;
    }

    /**
     * Opens a folder, and makes it if there is none.
     *
     * @param kept records of each series
     * @throws IOException when the folder cannot be used
     */
    SeriesStore(Path folder, int kept) throws IOException {
        this.folder = folder;
        this.kept = kept;
        Files.createDirectories(folder);
        try (Stream<Path> files = Files.list(folder)) {
            for (Path each : files.toList()) {
                String name = String.valueOf(each.getFileName());
                if (name.endsWith(NEW)) {
                    Files.delete(each);
                } else if (name.endsWith(SUFFIX) && open.size() < MAX_SERIES) {
                    open.put(name, read(each));
                }
            }
        }
    }

    /** Names the file of a series: all characters but letters, digits, hyphens and dots inside it are written as numbers. */
    static String fileName(String series) {
        StringBuilder name = new StringBuilder();
        for (byte each : series.getBytes(StandardCharsets.ISO_8859_1)) {
            char c = (char) (each & 0xff);
            boolean plain = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-';
            if (plain || c == '.' && name.length() > 0) {
                name.append(c);
            } else {
                name.append('%').append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
            }
        }
        return name.append(SUFFIX).toString();
    }

    private static String line(Kept each) {
        String text = each.sequence() + " " + each.record();
        return text + " " + checkSum(text) + "\n";
    }

    private static String checkSum(String text) {
        CRC32 sum = new CRC32();
        sum.update(text.getBytes(StandardCharsets.ISO_8859_1));
        return Long.toHexString(sum.getValue());
    }

    private Series read(Path file) throws IOException {
        if (Files.size(file) > MAX_LINE * (2L * kept + State.MAX_RECORDS)) {
            throw new IOException("expected a series of at most " + 2 * kept + " records, got " + Files.size(file)
                    + " bytes in " + file + "; remove it, or give a larger --records");
        }
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        Series series = new Series();
        int good = 0;
        for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', good)) {
            Kept record = record(text.substring(good, end));
            if (record == null) {
                break;
            }
            add(series, record);
            good = end + 1;
        }
        if (good < text.length()) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(good);
                channel.force(true);
            }
        }
        return series;
    }

    private static @Nullable Kept record(String line) {
        int first = line.indexOf(' ');
        int last = line.lastIndexOf(' ');
        if (first < 0 || last <= first || !checkSum(line.substring(0, last)).equals(line.substring(last + 1))) {
            return null;
        }
        try {
            return new Kept(Double.parseDouble(line.substring(0, first)), line.substring(first + 1, last));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private void add(Series series, Kept record) {
        series.latest.addFirst(record);
        series.lines++;
        if (series.latest.size() > kept) {
            series.latest.removeLast();
        }
    }

    /**
     * Keeps records.
     *
     * @param records the oldest first
     * @return whether there was room for them
     * @throws IOException when they are not on the disk
     */
    synchronized boolean store(String name, double sequence, List<String> records) throws IOException {
        String fileName = fileName(name);
        Series series = open.get(fileName);
        if (series == null) {
            if (open.size() >= MAX_SERIES || fileName.length() > MAX_NAME) {
                return false;
            }
            Path left = folder.resolve(fileName);
            series = Files.exists(left) ? read(left) : new Series();
            open.put(fileName, series);
        }
        try {
            append(fileName, series, sequence, records);
        } catch (IOException e) {
            // What was half written is cut off when the file is read again.
            open.remove(fileName);
            throw e;
        }
        return true;
    }

    private void append(String fileName, Series series, double sequence, List<String> records) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (String each : records) {
            Kept record = new Kept(sequence, each);
            lines.append(line(record));
            add(series, record);
        }
        Path file = folder.resolve(fileName);
        if (series.lines > 2 * kept) {
            List<Kept> latest = new ArrayList<>(series.latest);
            StringBuilder all = new StringBuilder();
            for (int i = latest.size() - 1; i >= 0; i--) {
                all.append(line(latest.get(i)));
            }
            Path anew = folder.resolve(fileName + NEW);
            write(anew, all, StandardOpenOption.TRUNCATE_EXISTING);
            Files.move(anew, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            series.lines = latest.size();
        } else {
            write(file, lines, StandardOpenOption.APPEND);
        }
    }

    private static void write(Path file, CharSequence text, StandardOpenOption how) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, how)) {
            ByteBuffer bytes = StandardCharsets.ISO_8859_1.encode(text.toString());
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(false);
        }
    }

    /** Returns the latest records with a sequence number above one, the newest first; {@code null} if there is no such series. */
    synchronized @Nullable List<String> fetch(String name, double above, int most) {
        Series series = open.get(fileName(name));
        return series == null
                ? null
                : series.latest.stream()
                        .filter(each -> each.sequence() > above)
                        .limit(most)
                        .map(Kept::record)
                        .toList();
    }
}
