package org.diperf.plugins.lib.gridftp.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.diperf.core.fuzz.Fuzz;
import org.diperf.core.fuzz.Memory;
import org.diperf.plugins.lib.gridftp.control.ReplyReader.MalformedReplyException;
import org.junit.jupiter.params.provider.MethodSource;

/** What a server sends on the control channel. */
class ReplyFuzzTests {

    private static final long MAX_BYTES = 64 << 20;

    static Stream<byte[]> replies() {
        return Stream.of(
                        "220 ready\r\n331 Password required\r\n230-Welcome\r\n to it\r\n230 in\r\n",
                        "227 Entering Passive Mode (127,0,0,1,4,210)\r\n",
                        "229-Striped\r\n 127,0,0,1,4,210\r\n 127,0,0,2,4,211\r\n229 End.\r\n",
                        "550-/home/x/file: No such file\r\n550-globus: a: at 10.1.2.3:2811 '/etc'\r\n550 End.\r\n",
                        "111 Range Marker 0-9\r\n226 done\r\n\000",
                        "200\r\n200-\r\n200\r\n")
                .map(text -> text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static List<Object> read(byte[] input, int piece) {
        List<Object> read = new ArrayList<>();
        ReplyReader reader = new ReplyReader(reply -> {
            assertThat(reply.code()).isBetween(100, 699);
            read.add(reply);
            read.add(reply.text());
            read.add(reply.cause());
            assertThat(reply.cause().length()).isLessThan(200);
        });
        try {
            for (int at = 0; at < input.length; at += piece) {
                reader.read(Unpooled.wrappedBuffer(input, at, Math.min(piece, input.length - at)));
            }
        } catch (MalformedReplyException refused) {
            read.add(String.valueOf(refused.getMessage()));
        }
        return read;
    }

    @MethodSource("replies")
    @Fuzz
    void repliesAreReadOrRefusedTheSameHoweverTheyCome(byte[] input) {
        Memory.atMost(MAX_BYTES, () -> {
            List<Object> whole = read(input, Math.max(1, input.length));
            assertThat(read(input, 3)).isEqualTo(whole);
        });
    }
}
