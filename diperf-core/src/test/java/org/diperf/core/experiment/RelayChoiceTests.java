package org.diperf.core.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RelayChoiceTests {

    private static List<RelayChoice> relays(String... texts) {
        return Stream.of(texts).map(RelayChoice::parse).toList();
    }

    @Test
    void testersComeToThoseThatNoOtherRelayLeadsTo() {
        List<RelayChoice> relays = relays("head:7000", "a:7001 via head:7000", "b:7001 via head:7000", "c:1");
        assertThat(RelayChoice.outermost(relays))
                .extracting(RelayChoice::place)
                .containsExactly("a:7001", "b:7001", "c:1");
        assertThat(RelayChoice.problem(relays)).isEmpty();
    }

    @Test
    void anAddressOfTheSixthVersionStandsInBrackets() {
        RelayChoice relay = RelayChoice.parse("[::1]:7000");
        assertThat("[::1]:7000").matches(RelayChoice.PATTERN);
        assertThat(relay.host()).isEqualTo("::1");
        assertThat(relay.place()).isEqualTo("[::1]:7000");
    }

    @Test
    void whatLeadsNowhereOrInACircleIsNamed() {
        assertThat(RelayChoice.problem(relays("a:1 via b:2", "b:2"))).contains("b:2");
        assertThat(RelayChoice.problem(relays("a:1", "a:1"))).contains("twice");
        assertThat(RelayChoice.problem(relays("a:70000"))).contains("65535");
        assertThatThrownBy(() -> RelayChoice.parse("nonsense")).hasMessageContaining("HOST:PORT");
    }
}
