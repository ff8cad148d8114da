package org.diperf.plugins.monitor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.diperf.core.spi.Regex;
import org.diperf.plugins.lib.proc.HostFiles;

/** Finds processes by what is known of them, and their children. Stateless. */
final class ProcessFinder {

    private static final String LISTENING = "0A";
    /** AT_PAGESZ of getauxval(3). */
    private static final long PAGE_SIZE = 6;

    private final Path proc;

    /** @param proc {@code /proc} but in tests */
    ProcessFinder(Path proc) {
        this.proc = proc;
    }

    private List<Long> all() throws IOException {
        List<Long> numbers = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path entry : entries) {
                numbers.add(Long.valueOf(entry.getFileName().toString()));
            }
        }
        return numbers;
    }

    /** Finds the process whose number a file holds. */
    long byFile(Path file) throws IOException {
        String text;
        try {
            text = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
        } catch (IOException e) {
            throw new IOException("expected a process ID in " + file + ", got no readable file", e);
        }
        String first = text.split("\\s+")[0];
        if (!first.matches("[0-9]{1,10}")) {
            throw new IOException("expected a process ID in " + file + ", got '" + first + "'");
        }
        return Long.parseLong(first);
    }

    /** Finds the processes whose command line a pattern is found in; this one is left out. */
    List<Long> byCommand(Regex pattern) throws IOException {
        List<Long> found = new ArrayList<>();
        long self = ProcessHandle.current().pid();
        for (long pid : all()) {
            String line = ProcessFacts.text(proc.resolve(pid + "/cmdline"));
            if (line != null && pid != self && pattern.find(line.replace('\0', ' ')) != null) {
                found.add(pid);
            }
        }
        return found;
    }

    /** Finds the processes that hold a socket that listens on a port. */
    List<Long> byPort(int port) throws IOException {
        Set<String> sockets = new HashSet<>();
        String wanted = String.format(Locale.ROOT, ":%04X", port);
        for (String table : List.of("net/tcp", "net/tcp6")) {
            String text = ProcessFacts.text(proc.resolve(table));
            for (String line : text == null ? new String[0] : text.split("\n")) {
                String[] words = line.strip().split(" +");
                if (words.length > 9 && words[1].endsWith(wanted) && words[3].equals(LISTENING)) {
                    sockets.add("socket:[" + words[9] + "]");
                }
            }
        }
        if (sockets.isEmpty()) {
            throw new IOException("expected a process that listens on port " + port + ", got none");
        }
        List<Long> found = new ArrayList<>();
        for (long pid : all()) {
            if (holds(pid, sockets)) {
                found.add(pid);
            }
        }
        if (found.isEmpty()) {
            throw new IOException("expected the process that listens on port " + port
                    + ", got one whose file descriptors cannot be read; run DiPerF as its user, or set pid-file");
        }
        return found;
    }

    private boolean holds(long pid, Set<String> sockets) {
        try (DirectoryStream<Path> open = Files.newDirectoryStream(proc.resolve(pid + "/fd"))) {
            for (Path each : open) {
                if (sockets.contains(Files.readSymbolicLink(each).toString())) {
                    return true;
                }
            }
        } catch (IOException e) {
            // Another user's, or gone meanwhile.
        }
        return false;
    }

    /** Reads what there is of the processes and, where wanted, all their children. */
    Map<Long, ProcessFacts> read(List<Long> roots, boolean withChildren) {
        Map<Long, ProcessFacts> found = new LinkedHashMap<>();
        List<Long> next = new ArrayList<>(roots);
        for (int i = 0; i < next.size(); i++) {
            long pid = next.get(i);
            ProcessFacts facts = found.containsKey(pid) ? null : ProcessFacts.read(proc, pid);
            if (facts != null) {
                found.put(pid, facts);
                if (withChildren) {
                    next.addAll(children(pid));
                }
            }
        }
        return found;
    }

    private List<Long> children(long pid) {
        List<Long> found = new ArrayList<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(proc.resolve(pid + "/task"))) {
            for (Path task : tasks) {
                String text = ProcessFacts.text(task.resolve("children"));
                for (String word : text == null || text.isBlank()
                        ? new String[0]
                        : text.strip().split(" +")) {
                    found.add(Long.valueOf(word));
                }
            }
        } catch (IOException e) {
            // It has gone meanwhile.
        }
        return found;
    }

    /** Reads the size of a page of memory, which differs between machines; the usual one where it is not told. */
    long pageBytes() {
        String vector = ProcessFacts.text(proc.resolve("self/auxv"));
        LongBuffer words = ByteBuffer.wrap(vector == null ? new byte[0] : vector.getBytes(StandardCharsets.ISO_8859_1))
                .order(ByteOrder.nativeOrder())
                .asLongBuffer();
        while (words.remaining() > 1) {
            long type = words.get();
            long value = words.get();
            if (type == PAGE_SIZE) {
                return value;
            }
        }
        return HostFiles.USUAL_PAGE_BYTES;
    }

    /** Reads the time since the boot, ticks. */
    long uptimeTicks() {
        String text = ProcessFacts.text(proc.resolve("uptime"));
        return text == null ? 0 : (long) (Double.parseDouble(text.strip().split(" +")[0]) * HostFiles.TICKS_PER_SECOND);
    }
}
