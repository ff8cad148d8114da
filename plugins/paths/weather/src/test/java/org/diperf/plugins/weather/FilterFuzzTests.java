package org.diperf.plugins.weather;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.diperf.core.fuzz.Fuzz;
import org.diperf.core.fuzz.Memory;
import org.junit.jupiter.params.provider.MethodSource;

/** Filters that a name server is asked for. */
class FilterFuzzTests {

    private static final long MAX_BYTES = 32 << 20;

    static Stream<byte[]> filters() {
        return Stream.of(
                "(&(hostType=sensor)(|(port=8030)(!(port<=80*))))".getBytes(StandardCharsets.ISO_8859_1),
                "name~=a*b".getBytes(StandardCharsets.ISO_8859_1));
    }

    @MethodSource("filters")
    @Fuzz
    void aFilterIsReadOrRefused(byte[] input) {
        Memory.atMost(MAX_BYTES, () -> {
            try {
                Filter.read(new String(input, StandardCharsets.ISO_8859_1))
                        .matches(Attributes.of("name", "axb", "port", "8030"));
            } catch (IllegalArgumentException e) {
                assertThat(e.getMessage()).contains("expected");
            }
        });
    }
}
