package org.diperf.plugins.ssh;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.diperf.core.spi.Monitor;
import org.diperf.core.spi.Readings;
import org.diperf.plugins.lib.proc.HostFiles;
import org.jspecify.annotations.Nullable;

/**
 * Asks a shell on the machine for its files in {@code /proc}: one log-in and one channel for the whole run, which is opened again
 * when it breaks. Rates are over the machine's own clock where its {@code date} tells nanoseconds.
 */
final class SshHostMonitor implements Monitor {

    private static final String MARK = "@diperf ";
    private static final String SCRIPT = "while read -r ask; do\n"
            + "  echo '" + MARK + "time'; date +%s%N\n"
            + "  for file in " + String.join(" ", HostFiles.NAMES) + "; do\n"
            + "    echo \"" + MARK + "$file\"; cat \"/proc/$file\" 2>/dev/null\n"
            + "  done\n"
            + "  echo '" + MARK + "end'\n"
            + "done\n";
    /** Of one answer; {@code /proc/stat} has a kilobyte per processor. */
    private static final int MOST_CHARS = 4 << 20;

    private static final int LONGEST_LINE = 1 << 20;

    private final Access access;
    private final Address address;
    private @Nullable Connection connection;
    private Connection.@Nullable Running shell;
    private @Nullable BoundedLines answers;

    SshHostMonitor(Access access, Address address) {
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
            String time = files.getOrDefault("time", "").strip();
            HostFiles.take(files, to, time.matches("[0-9]{19}") ? Long.parseLong(time) : at, at);
        } catch (IOException e) {
            close();
            throw new IOException("wanted what " + address + " says of itself, found: " + e.getMessage(), e);
        }
    }

    private static Map<String, String> read(BoundedLines from) throws IOException {
        Map<String, String> files = new HashMap<>();
        StringBuilder text = new StringBuilder();
        String file = "";
        long all = 0;
        for (String line = from.next(); line != null; line = from.next()) {
            all += line.length() + 1;
            if (all > MOST_CHARS) {
                throw new IOException("more than " + MOST_CHARS + " characters");
            }
            if (line.startsWith(MARK)) {
                files.put(file, text.toString());
                text.setLength(0);
                file = line.substring(MARK.length());
                if (file.equals("end")) {
                    return files;
                }
            } else {
                text.append(line).append('\n');
            }
        }
        throw new IOException("the end of the connection");
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
