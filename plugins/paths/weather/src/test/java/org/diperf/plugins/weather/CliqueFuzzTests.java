package org.diperf.plugins.weather;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.diperf.core.fuzz.Fuzz;
import org.diperf.core.fuzz.Memory;
import org.junit.jupiter.params.provider.MethodSource;

/** Cliques that a sensor is asked to join. */
class CliqueFuzzTests {

    private static final long MAX_BYTES = 32 << 20;

    static Stream<byte[]> cliques() {
        return Stream.of(
                "name:wan\tgeneration:1.25\tperiod:2.5\tmember:a:1,b:2\tsize:64\tbuffer:32\tmessage:16\t\t"
                        .getBytes(StandardCharsets.ISO_8859_1),
                "name:w\tgeneration:1\tmember:[::1]:1,b\tround:3\t\t".getBytes(StandardCharsets.ISO_8859_1));
    }

    @MethodSource("cliques")
    @Fuzz
    void aCliqueIsReadOrRefusedAndWrittenAsItWasRead(byte[] input) {
        Memory.atMost(MAX_BYTES, () -> {
            try {
                Attributes object = Attributes.read(new String(input, StandardCharsets.ISO_8859_1));
                assertThat(Attributes.read(object.text())).isEqualTo(object);
                Clique clique = Clique.read(object);
                assertThat(Clique.read(Attributes.read(clique.text())).members())
                        .isEqualTo(clique.members());
            } catch (IllegalArgumentException e) {
                assertThat(e.getMessage()).contains("expected");
            }
        });
    }
}
