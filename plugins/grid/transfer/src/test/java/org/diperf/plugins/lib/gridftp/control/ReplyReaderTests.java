package org.diperf.plugins.lib.gridftp.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.diperf.plugins.lib.gridftp.control.ReplyReader.MalformedReplyException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class ReplyReaderTests {

    private static void read(ReplyReader reader, String text) throws MalformedReplyException {
        reader.read(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1));
    }

    /** Lines without a letter take memory all the same. */
    @Test
    void aReplyOfEndlessEmptyLinesIsRefused() throws Exception {
        ReplyReader reader = new ReplyReader(reply -> {});
        read(reader, "220-\r\n");
        String lines = "\n".repeat(10_000);
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 10; i++) {
                        read(reader, lines);
                    }
                })
                .isInstanceOf(MalformedReplyException.class)
                .hasMessage("reply too long");
    }

    /** Its patterns would try each digit as the begin of an address, on an event loop. */
    @Test
    @Timeout(value = 2, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void theCauseOfALongLineIsFoundAtOnce() {
        String digits = "1".repeat(ReplyReader.MAX_LINE_BYTES - 10);
        assertThat(new Reply(550, List.of("550 " + digits)).cause())
                .startsWith("550 111")
                .hasSizeLessThan(200);
        assertThat(new Reply(550, List.of("550-" + digits, "550 " + "1.1.".repeat(50_000))).cause())
                .startsWith("550 ")
                .hasSizeLessThan(200);
    }
}
