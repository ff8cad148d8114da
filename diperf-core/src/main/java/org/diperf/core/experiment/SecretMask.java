package org.diperf.core.experiment;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

/**
 * The secrets that one process has read, and its outputs without them, and without control characters that the program itself has not
 * written: what a service, a tester or a file calls itself controls no terminal. Thread-safe.
 */
public final class SecretMask {

    /** Stands for ESC in what the program itself writes; of another process it is another, so that no text from outside has it. */
    public static final String ESCAPE =
            "\u001b" + Long.toString(new SplittableRandom().nextLong() >>> 1, Character.MAX_RADIX) + "\u001b";

    private static final String UNFIT = "·";
    /** An own sequence, also one that begins at the start of the line; or a character that controls a terminal. */
    private static final Pattern CONTROL =
            Pattern.compile("(\r?)" + Pattern.quote(ESCAPE) + "|(?!\r\n)[\\p{Cc}&&[^\n\t]]");

    private volatile Secrets secrets = Secrets.NONE;

    /** Hides these too from now on. */
    public synchronized void hide(Secrets more) {
        // Points of a grid mostly share their secrets.
        if (!secrets.values().values().containsAll(more.values().values())) {
            secrets = secrets.and(more);
        }
    }

    /** Returns a text without the secrets. */
    public String of(String text) {
        return secrets.masked(text);
    }

    /** Stands before an output and passes on, line by line, what is written without the secrets. */
    public PrintStream over(PrintStream out) {
        // One that flushes by itself would flush each piece of a line.
        return new PrintStream(new Lines(out), false, StandardCharsets.UTF_8);
    }

    /** Stands before an output and passes on, line by line, what is written without the secrets. */
    public PrintWriter over(PrintWriter out) {
        OutputStream texts = new OutputStream() {
            @Override
            public void write(int octet) {
                write(new byte[] {(byte) octet}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int length) {
                out.print(new String(bytes, from, length, StandardCharsets.UTF_8));
            }

            @Override
            public void flush() {
                out.flush();
            }

            @Override
            public void close() {
                out.close();
            }
        };
        return new PrintWriter(new OutputStreamWriter(new Lines(texts), StandardCharsets.UTF_8), true);
    }

    private static String fit(String text) {
        return CONTROL.matcher(text).replaceAll(found -> found.group(1) == null ? UNFIT : found.group(1) + "\u001b");
    }

    /** Gathers lines. What is flushed goes out at once, such as a line that is redrawn. */
    private final class Lines extends OutputStream {

        /** More without a line break is passed on in pieces. */
        private static final int LONGEST = 1 << 16;

        private final OutputStream out;
        private final ByteArrayOutputStream line = new ByteArrayOutputStream(256);

        Lines(OutputStream out) {
            this.out = out;
        }

        @Override
        public synchronized void write(int octet) throws IOException {
            line.write(octet);
            boolean endsCharacter = (octet & 0x80) == 0;
            if (octet == '\n' || line.size() >= LONGEST && endsCharacter) {
                pass();
            }
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int length) throws IOException {
            for (int i = from; i < from + length; i++) {
                write(bytes[i]);
            }
        }

        private void pass() throws IOException {
            String text = fit(of(line.toString(StandardCharsets.UTF_8)));
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            line.reset();
            out.write(bytes, 0, bytes.length);
            out.flush();
        }

        @Override
        public synchronized void flush() throws IOException {
            if (line.size() > 0) {
                pass();
            }
            out.flush();
        }

        @Override
        public synchronized void close() throws IOException {
            flush();
            out.close();
        }
    }
}
