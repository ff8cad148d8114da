package org.diperf.core.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OneLineTests {

    @Test
    void whatForgesLinesOrControlsTerminalsIsADot() {
        assertThat(OneLine.of("fine\n2026-01-01T00:00:00Z  ended: COMPLETE", 100))
                .isEqualTo("fine·2026-01-01T00:00:00Z  ended: COMPLETE");
        assertThat(OneLine.of("\u001b[2Jgone\u009b31m\r\u2028\u202etxt\ud800", 100))
                .isEqualTo("·[2Jgone·31m···txt·");
    }

    @Test
    void whatIsFitStaysTheSameObject() {
        String fit = "größer 𝄞 ✓";
        assertThat(OneLine.of(fit, 10)).isSameAs(fit);
    }

    @Test
    void aLongTextIsCutBetweenCharacters() {
        assertThat(OneLine.of("𝄞𝄞𝄞", 2)).isEqualTo("𝄞𝄞…");
        assertThat(OneLine.of("𝄞𝄞", 2)).isEqualTo("𝄞𝄞");
    }
}
