package org.diperf.plugins.lib.http2;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Stream;
import org.diperf.core.fuzz.Fuzz;
import org.diperf.core.fuzz.Memory;
import org.junit.jupiter.params.provider.MethodSource;

/** Frames that a server makes up, to two requests, one with a body. */
class FrameFuzzTests {

    private static final long MAX_BYTES = 8 << 20;

    static Stream<byte[]> frames() {
        // Floods are long, and searching begins sooner from what is short.
        return OddServersTests.servers().map(OddServersTests.Server::sends).filter(sent -> sent.length < 2_000);
    }

    private static String talk(byte[] input, int piece) {
        Talk talk = new Talk();
        Talk.Exchange first = talk.open();
        Talk.Exchange second = talk.open(new byte[100_000]);
        talk.server(input, piece);
        for (Talk.Exchange exchange : talk.exchanges) {
            assertThat(exchange.ends + exchange.refusals).isLessThanOrEqualTo(1);
        }
        return first.outcome() + " | " + second.outcome() + " | " + talk.state();
    }

    @MethodSource("frames")
    @Fuzz
    void framesMeanTheSameHoweverTheyCome(byte[] input) {
        byte[] few = Arrays.copyOf(input, Math.min(input.length, 8_192));
        Memory.atMost(MAX_BYTES, () -> {
            String whole = talk(few, Integer.MAX_VALUE);
            for (int piece : new int[] {1, 7}) {
                assertThat(talk(few, piece)).as("in pieces of %d", piece).isEqualTo(whole);
            }
        });
    }
}
