package org.diperf.plugins.iperf;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.diperf.core.fuzz.Fuzz;
import org.diperf.core.fuzz.Memory;
import org.junit.jupiter.params.provider.MethodSource;

/** What the other end sends over a control connection, and the texts in it. */
class MessageFuzzTests {

    private static final int MAX_TEXT_BYTES = 4_096;
    private static final long MAX_BYTES = 16 << 20;

    static Stream<byte[]> messages() {
        String results =
                "{\"cpu_util_total\":1.5,\"cpu_util_user\":1,\"cpu_util_system\":0.5,\"sender_has_retransmits\":1,"
                        + "\"streams\":[{\"id\":1,\"bytes\":131072,\"retransmits\":0,\"jitter\":0,\"errors\":0,\"packets\":0}]}";
        String request =
                "{\"tcp\":true,\"omit\":0,\"time\":10,\"num\":0,\"blockcount\":0,\"parallel\":1,\"len\":131072,"
                        + "\"pacing_timer\":1000,\"client_version\":\"3.12\"}";
        return Stream.of(
                new byte[] {9},
                new byte[] {-2, 0, 0, 0, 6, 0, 0, 0, 0},
                framed(13, results),
                framed(13, request),
                framed(13, request.replace("tcp", "udp")));
    }

    private static byte[] framed(int state, String json) {
        byte[] text = json.getBytes(StandardCharsets.US_ASCII);
        byte[] framed = new byte[text.length + 5];
        framed[0] = (byte) state;
        framed[3] = (byte) (text.length >> 8);
        framed[4] = (byte) text.length;
        System.arraycopy(text, 0, framed, 5, text.length);
        return framed;
    }

    private static List<Object> read(byte[] input, int piece) {
        List<Object> read = new ArrayList<>();
        ControlReader[] reader = new ControlReader[1];
        reader[0] = new ControlReader(new ControlReader.Messages() {
            @Override
            public void state(byte state) {
                read.add(state);
                if (state == State.EXCHANGE_RESULTS) {
                    reader[0].expectJson(MAX_TEXT_BYTES);
                }
            }

            @Override
            public void json(String text) throws MalformedMessageException {
                try {
                    read.add(Results.parse(text));
                } catch (MalformedMessageException none) {
                    try {
                        Request request = Request.parse(text);
                        assertThat(Request.parse(request.toJson())).isEqualTo(request);
                        read.add(request);
                    } catch (Request.RefusedException refused) {
                        read.add(refused.number());
                    }
                }
            }

            @Override
            public void error(int number) {
                read.add(ServerErrors.failure(number));
            }
        });
        try {
            for (int at = 0; at < input.length; at += piece) {
                reader[0].read(Unpooled.wrappedBuffer(input, at, Math.min(piece, input.length - at)));
            }
        } catch (MalformedMessageException refused) {
            read.add(String.valueOf(refused.getMessage()));
        }
        return read;
    }

    @MethodSource("messages")
    @Fuzz
    void messagesAreReadOrRefusedTheSameHoweverTheyCome(byte[] input) {
        byte[] bounded = input.length > MAX_TEXT_BYTES ? Arrays.copyOf(input, MAX_TEXT_BYTES) : input;
        Memory.atMost(MAX_BYTES, () -> {
            List<Object> whole = read(bounded, Math.max(1, bounded.length));
            assertThat(read(bounded, 1)).isEqualTo(whole);
        });
    }
}
