package org.diperf.plugins.sshcopy;

import com.jcraft.jsch.ChannelExec;
import com.jcraft.jsch.JSchException;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The protocol of rcp, in which scp spoke before version 9 and still speaks with {@code -O}: {@code scp -f} and {@code scp -t} on the
 * other side, a line with mode, size and name before the bytes, and a byte 0 after each step.
 */
final class Scp {

    private static final int BUFFER_BYTES = 256 << 10;
    private static final int MAX_LINE = 4_096;
    private static final Pattern FILE = Pattern.compile("C[0-7]{4,5} ([0-9]{1,18}) .*");

    private Scp() {}

    /** What the other side said went wrong; the log-in can be used again. */
    static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1;

        RefusedException(String message) {
            super(message);
        }
    }

    static void get(Login login, String path, OutputStream into) throws JSchException, IOException {
        ChannelExec channel = login.command();
        try {
            channel.setCommand("scp -f " + quoted(path));
            InputStream in = channel.getInputStream();
            OutputStream out = channel.getOutputStream();
            channel.connect();
            acknowledge(out);
            String line = line(in, in.read());
            Matcher file = FILE.matcher(line);
            if (!file.matches()) {
                throw new IOException("expected a file's size, got another message");
            }
            acknowledge(out);
            byte[] buffer = new byte[BUFFER_BYTES];
            for (long left = Long.parseLong(file.group(1)); left > 0; ) {
                int got = in.read(buffer, 0, (int) Math.min(buffer.length, left));
                if (got < 0) {
                    throw new EOFException("closed in the middle of the file");
                }
                into.write(buffer, 0, got);
                left -= got;
            }
            expectOk(in);
            acknowledge(out);
        } finally {
            channel.disconnect();
        }
    }

    static void put(Login login, String path, CopySource from) throws JSchException, IOException {
        ChannelExec channel = login.command();
        try {
            channel.setCommand("scp -t " + quoted(path));
            InputStream in = channel.getInputStream();
            OutputStream out = channel.getOutputStream();
            channel.connect();
            expectOk(in);
            String name = path.substring(path.lastIndexOf('/') + 1);
            out.write(("C0644 " + from.size() + " " + name + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
            expectOk(in);
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int got = from.read(buffer, 0, buffer.length); got >= 0; got = from.read(buffer, 0, buffer.length)) {
                out.write(buffer, 0, got);
            }
            if (from.count() != from.size()) {
                throw new IOException("the source file shrank");
            }
            acknowledge(out);
            expectOk(in);
        } finally {
            channel.disconnect();
        }
    }

    private static void acknowledge(OutputStream out) throws IOException {
        out.write(0);
        out.flush();
    }

    private static void expectOk(InputStream in) throws IOException {
        int first = in.read();
        if (first != 0) {
            line(in, first);
            throw new IOException("expected an acknowledgement, got another message");
        }
    }

    /** Reads a line whose first byte is there already; one that begins with 1 or 2 tells of an error. */
    private static String line(InputStream in, int first) throws IOException {
        if (first < 0) {
            throw new EOFException("closed before the answer");
        }
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int octet = first; octet != '\n'; octet = in.read()) {
            if (octet < 0) {
                throw new EOFException("closed in the middle of the answer");
            }
            if (line.size() > MAX_LINE) {
                throw new IOException("a line that is too long");
            }
            line.write(octet);
        }
        String text = line.toString(StandardCharsets.UTF_8);
        if (first == 1 || first == 2) {
            // scp: PATH: REASON
            throw new RefusedException(text.substring(text.lastIndexOf(": ") + (text.contains(": ") ? 2 : 1)));
        }
        return text;
    }

    /** Writes a path so that the other side's shell takes it for one word. */
    private static String quoted(String path) {
        return "'" + path.replace("'", "'\\''") + "'";
    }
}
