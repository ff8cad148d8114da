package org.diperf.core.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RelaySettingsTests {

    private static List<RelaySettings> relays(String... texts) {
        return Stream.of(texts).map(RelaySettings::parse).toList();
    }

    @Test
    void testersComeToThoseThatNoOtherRelayLeadsTo() {
        List<RelaySettings> relays = relays("head:7000", "a:7001 via head:7000", "b:7001 via head:7000", "c:1");
        assertThat(RelaySettings.outermost(relays))
                .extracting(RelaySettings::place)
                .containsExactly("a:7001", "b:7001", "c:1");
        assertThat(RelaySettings.problem(relays)).isEmpty();
    }

    @Test
    void anAddressOfTheSixthVersionStandsInBrackets() {
        RelaySettings relay = RelaySettings.parse("[::1]:7000");
        assertThat("[::1]:7000").matches(RelaySettings.PATTERN);
        assertThat(relay.host()).isEqualTo("::1");
        assertThat(relay.place()).isEqualTo("[::1]:7000");
    }

    @Test
    void whatLeadsNowhereOrInACircleIsNamed() {
        assertThat(RelaySettings.problem(relays("a:1 via b:2", "b:2"))).contains("b:2");
        assertThat(RelaySettings.problem(relays("a:1", "a:1"))).contains("twice");
        assertThat(RelaySettings.problem(relays("a:70000"))).contains("65535");
        assertThatThrownBy(() -> RelaySettings.parse("nonsense")).hasMessageContaining("HOST:PORT");
    }

    @ParameterizedTest
    @CsvSource({
        "head.site.org:7000, head.site.org, 7000, , ",
        "inner:7001 via head:7000, inner, 7001, head:7000, ",
        "head:7000 dialled, head, 7000, , head:7000",
        "head:7000 dialled at [::1]:7009, head, 7000, , [::1]:7009",
        "[::1]:7000, ::1, 7000, , ",
    })
    void aRelayIsAPlaceAndAWay(String text, String host, int port, @Nullable String via, @Nullable String dialled) {
        assertThat(text).matches(RelaySettings.PATTERN);
        assertThat(RelaySettings.parse(text)).isEqualTo(new RelaySettings(host, port, via, dialled));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "head",
                "head:7000 dialed",
                "head:7000 via",
                "head:7000 dialled via a:1",
                "head:7000 dialled at b",
                "head:7000 via a:1 dialled"
            })
    void whatIsNoRelayDoesNotMatch(String text) {
        assertThat(text).doesNotMatch(RelaySettings.PATTERN);
    }

    @Test
    void whereItIsDialledIsTakenApart() {
        RelaySettings dialled =
                RelaySettings.parse("head:7000 dialled at [::1]:7009").dialledPlace();
        assertThat(dialled).isNotNull();
        assertThat(dialled.host()).isEqualTo("::1");
        assertThat(dialled.port()).isEqualTo(7009);
        assertThat(RelaySettings.parse("head:7000").dialledPlace()).isNull();
        assertThatThrownBy(() -> RelaySettings.parse("head")).hasMessageContaining("HOST:PORT dialled, got 'head'");
    }
}
