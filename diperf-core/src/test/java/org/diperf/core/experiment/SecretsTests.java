package org.diperf.core.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class SecretsTests {

    private final Secrets secrets = new Secrets(Map.of("env:KEY", "open-sesame", "env:PIN", "42"));

    @Test
    void valuesAreHiddenAndShortOnesAreNot() {
        assertThat(secrets.masked("GET /?key=open-sesame&again=open-sesame")).isEqualTo("GET /?key=***&again=***");
        assertThat(secrets.masked("42 calls")).isEqualTo("42 calls");
        String without = "nothing here";
        assertThat(secrets.masked(without)).isSameAs(without);
    }

    @Test
    void theyDoNotShowTheirValues() {
        assertThat(secrets.toString()).contains("env:KEY").doesNotContain("sesame");
    }
}
