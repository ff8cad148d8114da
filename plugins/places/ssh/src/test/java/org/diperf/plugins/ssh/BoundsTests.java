package org.diperf.plugins.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.diperf.plugins.lib.proc.FirstBytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a node sends without end is not taken without end. */
@Timeout(30)
class BoundsTests {

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A node that never stops. */
    private static final class Endless extends InputStream {
        long read;

        @Override
        public int read() {
            read++;
            return 'x';
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            java.util.Arrays.fill(into, offset, offset + length, (byte) 'x');
            read += length;
            return length;
        }
    }

    @Test
    void linesComeOneByOneAndAnEndlessOneFailsWithTheSender() throws IOException {
        BoundedLines lines = new BoundedLines(bytes("one\n\nthree"), 5, "node1");
        assertThat(lines.next()).isEqualTo("one");
        assertThat(lines.next()).isEmpty();
        assertThat(lines.next()).isEqualTo("three");
        assertThat(lines.next()).isNull();
        Endless endless = new Endless();
        assertThatThrownBy(() -> new BoundedLines(endless, 16 << 10, "node1").next())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("lines of at most 16384 bytes from node1");
        assertThat(endless.read).isLessThan(64 << 10);
    }

    @Test
    void ofErrorsTheFirstAreKeptAndTheOthersCounted() {
        FirstBytes errors = new FirstBytes(4);
        errors.write('a');
        assertThat(errors.text()).isEqualTo("a");
        errors.write("bcdefg".getBytes(StandardCharsets.UTF_8), 0, 6);
        errors.write('h');
        assertThat(errors.text()).isEqualTo("abcd... (4 more bytes omitted)");
    }
}
