package org.diperf.core.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(10)
class QuantityTests {

    @ParameterizedTest
    @CsvSource({
        "1ns, 1", "2us, 2000", "2µs, 2000", "250ms, 250000000", "1.5s, 1500000000", "' 10 s ', 10000000000",
        "5m, 300000000000", "5min, 300000000000", "2h, 7200000000000", "0, 0", "0s, 0", "0.1ns, 0"
    })
    void aDurationIsANumberWithAUnit(String text, long nanos) {
        assertThat(Quantity.duration(text)).isEqualTo(Duration.ofNanos(nanos));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10", "s", "-1s", "1 fortnight", "1S", "1e3s", "1.s", "9999999999h", "1s 2s", "10/s"})
    void whatIsNoDurationIsToldWithWhatWasWanted(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quantity.duration(text))
                .withMessage("expected a duration such as 250ms, 10s, 5m or 2h, got '" + text + "'");
    }

    @ParameterizedTest
    @CsvSource({
        "512, 512",
        "1b, 1",
        "1B, 1",
        "8KiB, 8192",
        "8kib, 8192",
        "4MB, 4000000",
        "1.5KiB, 1536",
        "2GiB, 2147483648",
        "1TB, 1000000000000",
        "0, 0"
    })
    void aSizeIsBytesOrANumberWithAUnit(String text, long bytes) {
        assertThat(Quantity.size(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "KiB", "-1", "4 miles", "99999999999TiB", "4Mbit"})
    void whatIsNoSizeIsToldWithWhatWasWanted(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quantity.size(text))
                .withMessage("expected a size such as 512, 8KiB or 4MB, got '" + text + "'");
    }

    @ParameterizedTest
    @CsvSource({"100/s, 100", "100, 100", "2.5, 2.5", "0.5/sec, 0.5", "60/min, 1", "30/m, 0.5", "3600/h, 1", "0/s, 0"})
    void aRateIsPerSecondMinuteOrHourAndPerSecondWithoutAUnit(String text, double perSecond) {
        assertThat(Quantity.rate(text)).isCloseTo(perSecond, within(1e-12));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "fast", "/s", "-1/s", "100/day", "100 s", "100s"})
    void whatIsNoRateIsToldWithWhatWasWanted(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quantity.rate(text))
                .withMessage("expected a rate such as 100, 100/s or 60/min, got '" + text + "'");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 999, 1_000, 1_500_000, 90_000_000_000L, 7_200_000_000_000L, Long.MAX_VALUE - 1})
    void aFormattedDurationIsReadBackExactly(long nanos) {
        Duration duration = Duration.ofNanos(nanos);
        assertThat(Quantity.duration(Quantity.format(duration))).isEqualTo(duration);
    }

    @Test
    void aDurationIsFormattedInItsLargestWholeUnit() {
        assertThat(Quantity.format(Duration.ofSeconds(90))).isEqualTo("90s");
        assertThat(Quantity.format(Duration.ofHours(2))).isEqualTo("2h");
        assertThat(Quantity.format(Duration.ofNanos(1_500_000))).isEqualTo("1500us");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.25, 1, 12.5, 1e6, 1 / 60.0})
    void aFormattedRateIsReadBack(double perSecond) {
        assertThat(Quantity.rate(Quantity.formatRate(perSecond))).isCloseTo(perSecond, within(1e-12));
    }
}
