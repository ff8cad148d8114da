package org.diperf.plugins.weather;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.diperf.core.fuzz.Fuzz;
import org.diperf.core.fuzz.Memory;
import org.junit.jupiter.params.provider.MethodSource;

/** What a memory is given and asked for. */
class StateFuzzTests {

    private static final long MAX_BYTES = 32 << 20;

    static Stream<byte[]> states() {
        return Stream.of(State.write("a:1.cpu", 3, List.of("1 2", "33 44")), State.request("x", 100));
    }

    @MethodSource("states")
    @Fuzz
    void aStateIsReadOrRefused(byte[] input) {
        Memory.atMost(MAX_BYTES, () -> {
            try {
                State state = State.read(input);
                assertThat(state.records(input)).hasSize(state.records());
            } catch (IllegalArgumentException e) {
                assertThat(e.getMessage()).contains("expected");
            }
        });
    }
}
