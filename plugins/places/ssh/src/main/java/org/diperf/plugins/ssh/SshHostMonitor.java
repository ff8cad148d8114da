package org.diperf.plugins.ssh;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.diperf.core.spi.Monitor;
import org.diperf.core.spi.Readings;
import org.diperf.plugins.lib.proc.HostFiles;
import org.jspecify.annotations.Nullable;

/**
 * Asks a shell on the machine for its files in {@code /proc}: one log-in and one channel for the whole run, which is opened again
 * when it breaks. One process reads them all, the clock first: were there two, a busy machine would let time pass between
 * them, and rates would come out above what the machine can do.
 */
final class SshHostMonitor implements Monitor {

    private static final String FOLDER = "/proc/";
    private static final String CLOCK = "uptime";
    private static final String END = "@diperf end";
    /** With several files grep names that of each line, and so is named what the shell itself finds. */
    static final String SCRIPT = "page=$(getconf PAGESIZE 2>/dev/null)\n"
            + "while read -r ask; do\n"
            + "  grep '' " + FOLDER + CLOCK + " " + FOLDER + String.join(" " + FOLDER, HostFiles.NAMES)
            + " 2>/dev/null\n"
            + "  echo " + FOLDER + HostFiles.PAGE_BYTES + ":$page\n"
            + "  echo " + FOLDER + HostFiles.LINKS + ": /sys/class/net/*/device /sys/class/net/*/lower_*\n"
            + "  echo '" + END + "'\n"
            + "done\n";
    /** Of one answer; {@code /proc/stat} has a kilobyte per processor. */
    private static final int MAX_CHARS = 4 << 20;

    private static final int LONGEST_LINE = 1 << 20;

    private final SshConnector access;
    private final Address address;
    private @Nullable Connection connection;
    private Connection.@Nullable Running shell;
    private @Nullable BoundedLines answers;

    SshHostMonitor(SshConnector access, Address address) {
        this.access = access;
        this.address = address;
    }

    @Override
    public void sample(Readings to) throws IOException {
        try {
            Connection.Running asked = shell;
            BoundedLines reader = answers;
            if (asked == null || reader == null) {
                connection = access.connect(address);
                asked = connection.start(new Script("", SCRIPT));
                shell = asked;
                reader = asked.lines(LONGEST_LINE);
                answers = reader;
            }
            long before = to.nanoTime();
            OutputStream in = asked.in();
            in.write("?\n".getBytes(StandardCharsets.US_ASCII));
            in.flush();
            Map<String, String> files = read(reader);
            long at = before + (to.nanoTime() - before) / 2;
            HostFiles.take(files, to, upNanos(files.getOrDefault(CLOCK, ""), at), at);
        } catch (IOException e) {
            close();
            throw new IOException("expected system statistics from " + address + ", got: " + e.getMessage(), e);
        }
    }

    /** Returns since when the machine is up, to the hundredth of a second; where it does not say so, the time given. */
    static long upNanos(String uptime, long otherwise) {
        String seconds = uptime.strip().split(" ")[0];
        return seconds.matches("[0-9]{1,10}[.][0-9]{2}")
                ? Long.parseLong(seconds.replace(".", "")) * 10_000_000L
                : otherwise;
    }

    static Map<String, String> read(BoundedLines from) throws IOException {
        Map<String, StringBuilder> files = new HashMap<>();
        long all = 0;
        for (String line = from.next(); line != null; line = from.next()) {
            all += line.length() + 1;
            if (all > MAX_CHARS) {
                throw new IOException("more than " + MAX_CHARS + " characters");
            }
            if (line.equals(END)) {
                return files.entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, file -> file.getValue().toString()));
            }
            int colon = line.indexOf(':');
            if (colon > 0 && line.startsWith(FOLDER)) {
                files.computeIfAbsent(line.substring(FOLDER.length(), colon), name -> new StringBuilder())
                        .append(line, colon + 1, line.length())
                        .append('\n');
            }
        }
        throw new IOException("the connection ended");
    }

    @Override
    public void close() {
        if (shell != null) {
            shell.close();
        }
        if (connection != null) {
            connection.close();
        }
        shell = null;
        answers = null;
        connection = null;
    }
}
