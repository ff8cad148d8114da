package org.diperf.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.stream.Stream;
import org.diperf.core.fuzz.Fuzz;
import org.diperf.core.fuzz.Memory;
import org.junit.jupiter.params.provider.MethodSource;

/** Frames of this version whose content may be anything. */
class FrameFuzzTests {

    static Stream<byte[]> frames() {
        return FrameTests.MESSAGES.stream().map(message -> {
            ByteBuffer body = FrameTests.body(message);
            byte[] bytes = new byte[body.remaining()];
            body.get(bytes);
            return bytes;
        });
    }

    private static void decode(byte[] input) throws WireException {
        Frame frame = Frame.decode(ByteBuffer.wrap(input));
        ByteBuffer again = frame.encode();
        Frame.checkLength(again.getInt(), Frame.MAX_LENGTH);
        assertThat(Frame.decode(again)).as("written and read again").isEqualTo(frame);
    }

    @MethodSource("frames")
    @Fuzz
    void aFrameIsReadOrRefused(byte[] input) {
        if (input.length > 0) {
            input[0] = Frame.VERSION;
        }
        try {
            Memory.atMost(3 * FrameTests.MAX_FOR_A_FRAME, () -> decode(input));
        } catch (WireException refused) {
            // as it should
        }
    }
}
