package org.diperf.plugins.emulated.information;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.diperf.core.fuzz.Fuzz;
import org.diperf.core.fuzz.Memory;
import org.junit.jupiter.params.provider.MethodSource;

/** What a client sends to the information service. */
class DirectoryFuzzTests {

    private static final int MAX_INPUT = 16 << 10;
    private static final long MAX_BYTES = 64L << 20;

    static Stream<byte[]> requests() {
        return Stream.of(
                        // A bind, a search with a filter of each kind, an unbind.
                        "300c020101 6007 020103 0400 8000",
                        "302b020102 6326 04066f3d67726964 0a0102 0a0100 020100 020100 010100 870b6f626a656374436c617373 3000",
                        "3032020103 632d 04066f3d67726964 0a0102 0a0100 020102 020100 010100 a00f a2048702686e a507 04016e04023130 3003 04016e",
                        // A search with a control that is critical.
                        "3040020102 6326 04066f3d67726964 0a0102 0a0100 020100 020100 010100 870b6f626a656374436c617373 3000 a013 3011 0405312e322e33 0101ff 0405 3003020101",
                        "3005020104 4200",
                        "30847fffffff020101",
                        "300b020105 4a06 6f3d67726964")
                .map(hex -> HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    @MethodSource("requests")
    @Fuzz
    void requestsAreAnsweredOrTheirConnectionEnds(byte[] input) {
        byte[] bounded = input.length > MAX_INPUT ? Arrays.copyOf(input, MAX_INPUT) : input;
        Memory.atMost(MAX_BYTES, () -> {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try {
                DirectoryServer.answer(
                        new ByteArrayInputStream(bounded), out, new DirectoryResponder(DirectoryServerTests.THREE));
            } catch (IOException e) {
                throw new AssertionError("nothing fails to be read or written here", e);
            }
            // Three entries and a result for each request at most, of which each has seven bytes.
            assertThat(out.size()).isLessThanOrEqualTo(1_000 * (1 + bounded.length / 7));
        });
    }
}
